// SPDX-License-Identifier: MIT
// buffer.c -- buffers for boxes of elements, and the copies between them and their arrays.
#include "rule/linear.h"
#include "rule/storage.h"
#include <string.h>

// ---- the array --------------------------------------------------------------------------------
// Groups by the wanted order of the array's dimensions; those of one dimension stay together.
static bool order_groups(Change *ch, const FootBox *box, int norder, const int64_t *order, int *out) {
    int n = 0, rank = box->array->rank;
    for (int i = 0; i < (norder ? norder : rank); i++) {
        int64_t dim = norder ? order[i] : i;
        if (dim < 0 || dim >= rank || (norder && norder != rank))
            return change_refuse(ch, "order= names each of the %d dimensions of %s once, from 0", rank,
                                 box->array->name);
        for (int k = 0; k < i && norder; k++)
            if (order[k] == dim)
                return change_refuse(ch, "order= names dimension %lld twice", (long long)dim);
        for (int g = 0; g < box->ngroups; g++)
            if (box->group[g].dim == dim) out[n++] = g;
    }
    return true;
}

bool buffer_make(Change *ch, const FootWish *w, const FootBox *box, const char *name, Place place, int norder,
                 const int64_t *order, int64_t pad, Buffer *out) {
    Arena *a = ch->a;
    *out = (Buffer){.box = box, .ndigits = place == PLACE_REGISTER ? w->ndigits : 0};
    if (!order_groups(ch, box, norder, order, out->order)) return false;
    Array *x = array_new(a, name, box->array->elem, place, out->ndigits + box->ngroups);
    x->digits = out->ndigits;
    for (int k = 0; k < out->ndigits; k++) x->extent[k] = expr_int(a, T_I32, w->digits[k]);
    for (int k = 0; k < box->ngroups; k++) {
        int64_t n = box->group[out->order[k]].extent;
        x->extent[out->ndigits + k] = expr_int(a, T_I32, n + (k == box->ngroups - 1 ? pad : 0));
    }
    out->array = x;
    return true;
}

bool buffer_part(Change *ch, const Buffer *whole, const FootBox *box, Buffer *out) {
    const FootBox *all = whole->box;
    *out = *whole;
    out->box = box;
    bool fits = box->ngroups == all->ngroups;
    for (int g = 0; g < box->ngroups && fits; g++) {
        const FootGroup *p = &box->group[g], *q = &all->group[g];
        int d = p->dim;
        fits = p->dim == q->dim && p->stride == 1 && q->stride == 1;
        fits = fits && linear_distance(all->shape.base[d], box->shape.base[d], &out->from[g]);
        fits = fits && out->from[g] >= 0 && out->from[g] + p->extent <= q->extent;
    }
    return fits || change_refuse(ch, "what is written of %s is no part of what is read", all->array->name);
}

// The buffer's subscripts for digits and a place in the box.
static Expr **buffer_subs(Arena *a, const Buffer *b, Expr *const *digits, Expr *const *index) {
    Expr **sub = NEW_N(a, Expr *, b->array->rank + 1);
    for (int k = 0; k < b->ndigits; k++) sub[k] = digits[k];
    for (int k = 0; k < b->box->ngroups; k++) {
        Expr *at = index[b->order[k]];
        sub[b->ndigits + k] = expr_add(a, at, expr_int(a, at->type, b->from[b->order[k]]));
    }
    return sub;
}

// ---- bounds -----------------------------------------------------------------------------------------
static const Foot *foot_of(const Nest *n, const Array *x) {
    for (int k = 0; k < n->nfeet; k++)
        if (n->feet[k].array == x) return &n->feet[k];
    return NULL;
}

// lo <= sub && sub <= hi in each dimension: the element is one that the region may touch.
static Expr *array_bounds(Change *ch, const Array *x, Expr *const *sub) {
    Arena *a = ch->a;
    const Foot *f = foot_of(ch->nest, x);
    Expr *cond = NULL;
    for (int d = 0; d < x->rank; d++) {
        Type t = sub[d]->type;
        Expr *lo = f && f->lo[d] ? expr_narrow(a, t, f->lo[d]) : expr_int(a, t, 0);
        cond = cond_and(a, cond, expr_op(a, OP_GE, sub[d], lo, NULL));
        if (f && f->hi[d])
            cond = cond_and(a, cond, expr_op(a, OP_LE, sub[d], expr_narrow(a, t, f->hi[d]), NULL));
        else if (x->extent[d])
            cond = cond_and(a, cond, expr_op(a, OP_LT, sub[d], expr_cast(a, t, x->extent[d]), NULL));
    }
    return cond;
}

// ---- copies --------------------------------------------------------------------------------------------
// base + stride * index
static Expr **source_subs(Arena *a, const FootBox *b, Expr *const *index) {
    Expr **sub = NEW_N(a, Expr *, b->array->rank + 1);
    for (int d = 0; d < b->array->rank; d++) sub[d] = b->shape.base[d];
    for (int g = 0; g < b->ngroups; g++) {
        const FootGroup *q = &b->group[g];
        Expr *at = expr_cast(a, sub[q->dim]->type, index[g]);
        sub[q->dim] = expr_add(a, sub[q->dim], expr_mul(a, at, expr_int(a, at->type, q->stride)));
    }
    return sub;
}

// Does it compare counters of several dimensions, as a triangle does?
static bool is_slanted(const FootBox *b, const Expr *x) {
    int dim = -1;
    for (int k = 0; k < b->shape.nterms; k++) {
        if (!expr_uses_sym(x, b->shape.term[k].sym)) continue;
        if (dim >= 0 && dim != b->shape.term[k].dim) return true;
        dim = b->shape.term[k].dim;
    }
    return false;
}

// The place is in one of the parts that are touched; NULL: all are.
static Expr *in_parts(Arena *a, const FootBox *b, Expr *const *index) {
    Expr *any = NULL;
    for (int k = 0; k < b->parts.n; k++) {
        Expr *in = NULL;
        for (int g = 0; g < b->ngroups; g++) {
            int64_t lo = b->parts.at[k].lo[g], hi = b->parts.at[k].hi[g];
            Expr *from = expr_int(a, index[g]->type, lo), *end = expr_int(a, index[g]->type, hi);
            if (lo > 0) in = cond_and(a, in, expr_op(a, OP_GE, index[g], from, NULL));
            if (hi < b->group[g].extent) in = cond_and(a, in, expr_op(a, OP_LT, index[g], end, NULL));
        }
        if (!in) return NULL;
        any = any ? expr_op(a, OP_LOR, any, in, NULL) : in;
    }
    return any;
}

// The conditions of the accesses that a copy serves, where they say no more than which element. What comes in
// beyond a triangle's edge is not worth a question for each element.
static Expr *asked(Change *ch, const FootBox *b, CopyWay way, Expr *const *index) {
    Expr *cond = NULL;
    for (int k = 0; k < b->nterms; k++) {
        if (way == COPY_IN && !b->write && is_slanted(b, b->terms[k])) continue;
        Expr *x = footprint_express(ch, b, b->terms[k], index);
        if (x) cond = cond_and(ch->a, cond, x);
    }
    return cond;
}

// The copy; *cond: when it is wanted; *exists: when the element exists.
static Node *one_copy(Change *ch, const Buffer *b, CopyWay way, Expr *const *digits, Expr *const *index,
                      Expr **cond, Expr **exists) {
    Arena *a = ch->a;
    const FootBox *box = b->box;
    Expr **there = source_subs(a, box, index), **here = buffer_subs(a, b, digits, index);
    *cond = *exists = NULL;
    if (way == COPY_ZERO)
        return node_copy(a, b->array, here, OP_SET, neutral_element(a, box->op, box->array->elem));
    *cond = asked(ch, box, way, index);
    *exists = array_bounds(ch, box->array, there);
    *exists = cond_and(a, in_parts(a, box, index), *exists);
    if (way == COPY_IN) {
        Node *n = node_copy(a, b->array, here, OP_SET, expr_load(a, box->array, there));
        n->async = b->async;
        return n;
    }
    return node_copy(a, box->array, there, way == COPY_ADD ? box->op : OP_SET, expr_load(a, b->array, here));
}

// The thread loops of a phase of its own around a copy.
static Node *in_threads(Change *ch, const FootWish *w, Node *n) {
    Arena *a = ch->a;
    for (int k = w->ndigits - 1; k >= 0; k--) {
        const Sym *old = w->digit[k];
        Sym *s = NEW_AS(a, Sym, (Sym){change_name(ch, old->name), SYM_ITER, old->type, NULL});
        Expr *to = expr_sym(a, s);
        n = node_for(a, s, expr_int(a, s->type, 0), expr_int(a, s->type, w->digits[k]), 1, HOW_THREAD,
                     node_subst(a, n, 1, &old, &to));
    }
    return n;
}

// One element: a phase of its own all the same.
static Node *by_one(Change *ch, const Buffer *b, Node *n) {
    Sym *s = NEW(ch->a, Sym);
    *s = (Sym){change_name(ch, arena_printf(ch->a, "%s0", b->array->name)), SYM_ITER, T_I32, NULL};
    return node_for(ch->a, s, expr_int(ch->a, T_I32, 0), expr_int(ch->a, T_I32, 1), 1, HOW_COOP, n);
}

static Node *guarded(Arena *a, Expr *cond, Node *n) { return cond ? node_if(a, cond, n, NULL) : n; }

Copies buffer_copy(Change *ch, const FootWish *w, const Buffer *b, CopyWay way, How how, Expr *runs) {
    Arena *a = ch->a;
    const FootBox *box = b->box;
    const Sym *sym[FOOT_GROUPS];
    Expr *index[FOOT_GROUPS], *digits[8], *cond, *exists;
    for (int k = 0; k < w->ndigits; k++) digits[k] = expr_sym(a, w->digit[k]);
    for (int g = 0; g < box->ngroups; g++) {
        Sym *s = NEW_AS(a, Sym, (Sym){NULL, SYM_ITER, T_I32, NULL});
        bool one = box->group[g].extent == 1;
        if (!one) s->name = change_name(ch, arena_printf(a, "%s%d", b->array->name, g));
        sym[g] = s;
        index[g] = one ? expr_int(a, T_I32, 0) : expr_sym(a, s);
    }
    Node *copy = one_copy(ch, b, way, digits, index, &cond, &exists);
    Node *all = guarded(a, cond_and(a, runs, cond_and(a, cond, exists)), copy),
         *bare = guarded(a, cond_and(a, runs, exists), copy);
    for (int g = box->ngroups - 1; g >= 0; g--) {
        if (box->group[g].extent == 1) continue;
        Expr *end = expr_int(a, T_I32, box->group[g].extent);
        all = node_for(a, sym[g], expr_int(a, T_I32, 0), end, 1, how, all);
        bare = node_for(a, sym[g], expr_int(a, T_I32, 0), end, 1, how, bare);
    }
    if (how == HOW_COOP && all->kind != N_FOR) all = by_one(ch, b, all), bare = by_one(ch, b, bare);
    if (!b->ndigits) return (Copies){all, bare};
    return (Copies){in_threads(ch, w, all), in_threads(ch, w, bare)};
}

static bool is_if(const Node *n) { return n->kind == N_IF; }

Node *copies_settle(Change *ch, Node *root, const Copies *c) {
    if (c->bare->kind == N_FOR) {
        Node *now = simplify_at(ch->c, ch->nest, node_replace(ch->a, root, c->all, c->bare), c->bare);
        Node *left = loop_named(now, c->bare->iter->name);
        if (left && !node_any(left, is_if)) return now;
    }
    return simplify_at(ch->c, ch->nest, root, c->all);
}

// ---- accesses --------------------------------------------------------------------------------------------
typedef struct Redirect {
    FootWish *w;
    const FootBoxes *boxes;
    const Buffer *buffers;
} Redirect;

static bool redirect(const Site *s, const Array **to, Expr ***sub, void *arg) {
    Redirect *r = arg;
    Expr *index[FOOT_GROUPS], *digits[8] = {0};
    const FootBox *b = footprint_find(r->w, r->boxes, s, index);
    int n = 0;
    for (int k = 0; k < s->nloops; k++)
        if (s->loop[k]->how == HOW_THREAD && n < 8) digits[n++] = expr_sym(r->w->ch->a, s->loop[k]->iter);
    for (int k = 0; b && k < r->boxes->n; k++) {
        if (r->boxes->at[k] != b || !r->buffers[k].array) continue;
        *to = r->buffers[k].array;
        *sub = buffer_subs(r->w->ch->a, &r->buffers[k], digits, index);
        return true;
    }
    return false;
}

Node *buffers_redirect(FootWish *w, Node *n, const FootBoxes *boxes, const Buffer *buffers) {
    Redirect r = {w, boxes, buffers};
    return accesses_edit(w->ch->a, n, w->array, redirect, &r);
}
