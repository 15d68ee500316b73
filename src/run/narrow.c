// SPDX-License-Identifier: MIT
// narrow.c -- do 32-bit indices suffice for a nest with these arguments?
//
// Every index that the kernels compute in 64 bits by the program's own types is bounded;
// those that C itself computes in 32 bits or fewer need no look.
#include "run/span.h"
#include "run/state.h"

static const int64_t LIMIT = ((int64_t)1 << 31) - ((int64_t)1 << 16);

typedef struct Look {
    SpanEnv env;
    bool fits;
} Look;

static bool is_small(Span s) { return s.lo > -LIMIT && s.hi < LIMIT; }

static void look_expr(Look *l, const Expr *x, bool top);

static void look_loads(Look *l, const Expr *x) {
    if (x->kind == E_LOAD) {
        for (int i = 0; i < x->array->rank; i++) look_expr(l, x->args[i], true);
        return;
    }
    for (int i = 0; i < x->nargs; i++) look_loads(l, x->args[i]);
}

// x is used as an index. At the top of a subscript a loaded value lies within the array's
// footprint, which is bounded elsewhere; below an operator nothing bounds it.
static void look_expr(Look *l, const Expr *x, bool top) {
    Span s;
    if (!l->fits) return;
    if (x->kind == E_LOAD) {
        look_loads(l, x);
        if (!top && type_size(x->type) == 8) l->fits = false;
        return;
    }
    if (x->kind == E_CAST) {
        bool from_float = type_is_float(x->args[0]->type);
        if (!from_float) look_expr(l, x->args[0], top);
        else look_loads(l, x->args[0]), l->fits &= type_size(x->type) < 8;
        return;
    }
    if (type_is_float(x->type)) {
        look_loads(l, x);
        return;
    }
    if (type_size(x->type) == 8 && (!span_of(x, &l->env, &s) || !is_small(s))) l->fits = false;
    for (int i = 0; i < x->nargs; i++) look_expr(l, x->args[i], false);
}

static void look_node(Look *l, Node *n);

static void look_for(Look *l, Node *n) {
    Span lo, hi, at;
    look_expr(l, n->lo, false);
    look_expr(l, n->hi, false);
    // Bounds that cannot be told (read from memory) are those of their type.
    Span wide = {-((int64_t)1 << 31), ((int64_t)1 << 31) - 1};
    if (!span_of(n->lo, &l->env, &lo)) lo = wide;
    if (!span_of(n->hi, &l->env, &hi)) hi = wide;
    int64_t last, step = n->step;
    if (step > 0) at = (Span){lo.lo, hi.hi - 1 > lo.lo ? hi.hi - 1 : lo.lo}, last = at.hi;
    else at = (Span){hi.lo + 1 < lo.hi ? hi.lo + 1 : lo.hi, lo.hi}, last = at.lo;
    int64_t beyond;
    bool known = !expr_has_load(n->lo) && !expr_has_load(n->hi);
    if (__builtin_add_overflow(last, step, &beyond)) l->fits = false;
    else if (type_size(n->iter->type) == 8 && known) l->fits &= is_small((Span){beyond, beyond}) && is_small(at);
    if (!span_push(&l->env, n->iter, at)) {
        l->fits = false;
        return;
    }
    look_node(l, n->body);
    l->env.n--;
}

static void look_stmt(Look *l, Node *n) {
    int mark = l->env.n;
    for (int k = 0; n->via_sub && k < n->nvia; k++)
        for (int d = 0; n->via_sub[k] && d < n->via[k]->rank; d++) look_expr(l, n->via_sub[k][d], true);
    for (int i = 0; i < n->stmt->depth && l->fits; i++) {
        Span s;
        look_expr(l, n->at[i], true);
        if (!span_of(n->at[i], &l->env, &s) || !span_push(&l->env, n->stmt->iters[i], s)) l->fits = false;
    }
    for (int i = 0; i < n->stmt->lhs->rank && l->fits; i++) look_expr(l, n->stmt->sub[i], true);
    if (l->fits) look_loads(l, n->stmt->rhs);
    l->env.n = mark;
}

static void look_local(Look *l, const Array *a) {
    int64_t size = 1, x;
    SpanEnv *e = &l->env;
    for (int d = 0; d < a->rank; d++) {
        Span s;
        if (!a->extent[d]) continue;
        if (!span_of(a->extent[d], e, &s)) l->fits = false;
        else if (x = s.hi, __builtin_mul_overflow(size, x > 0 ? x : 1, &size) || size >= LIMIT) l->fits = false;
        if (!l->fits) return;
    }
}

static void look_node(Look *l, Node *n) {
    if (!n || !l->fits) return;
    switch (n->kind) {
    case N_SEQ:
        for (int i = 0; i < n->nlocals; i++) look_local(l, n->locals[i]);
        for (int i = 0; i < n->nkids; i++) look_node(l, n->kids[i]);
        break;
    case N_FOR: look_for(l, n); break;
    case N_IF:
        look_expr(l, n->cond, false);
        look_node(l, n->then);
        look_node(l, n->other);
        break;
    case N_STMT: look_stmt(l, n); break;
    case N_COPY:
        for (int i = 0; i < n->dst->rank; i++) look_expr(l, n->sub[i], true);
        look_loads(l, n->src);
        break;
    case N_KERNEL: look_node(l, n->body); break;
    case N_BARRIER: break;
    }
}

// Linear indices of the program's arrays: the farthest byte of each footprint from its base.
static bool feet_fit(const Call *c) {
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Box *b = &c->boxes[i];
        if (b->run == 0) continue;
        uintptr_t base = (uintptr_t)c->args[c->v->foot_object[i]].p;
        const Array *a = c->v->nest->feet[i].array;
        int64_t unit = a->stride == type_size(a->elem) ? a->stride : 1;
        int64_t lo = (int64_t)(b->origin - base) / unit, hi = (int64_t)(box_end(b) - base) / unit;
        if (!is_small((Span){lo, hi})) return false;
    }
    return true;
}

bool narrow_fits(const Call *c) {
    Look l = {.env = {.nvals = c->nvals, .vals = c->vals}, .fits = true};
    if (!feet_fit(c)) return false;
    look_node(&l, c->v->nest->root);
    return l.fits;
}
