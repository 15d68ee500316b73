// SPDX-License-Identifier: MIT
// promised.c -- a region and a tree as they are when what is promised of index arrays' values is so.
//
//   for i  x[idx[i]] = 2 * y[i]        →        for i  x[i] = 2 * y[i]
//
// If idx maps no two places to one value, then x[idx[e]] and x[idx[f]] are one element just where e and
// f are equal. So x may as well be numbered by the places in idx, as long as every access of it goes
// through idx; what the judge finds of those numbers is true of the elements.
//
//   for i  for k = ptr[i] .. ptr[i + 1]  x[k] *= y[i]     →     for i  for k = …  x[i][k] *= y[i]
//
// If the values of ptr never fall, the stretches between them have no element in common. So x[k] is one
// element just where the place of the stretch is the same, and k.
#include "dep/dep.h"
#include "dep/relation.h"
#include <string.h>

enum { DEEPEST = 16 };           // loops around a statement whose subscripts are looked at

// Where a statement of the region stands in it.
typedef struct Stands {
    const Node *node;
    int n;
    const Node *loop[DEEPEST];
} Stands;

typedef struct Pair {
    const Array *from, *to;
    const Promise *by;
} Pair;
typedef struct Swap {
    Arena *a;
    const Region *region;
    int npromised;
    const Promise *promised;
    const Stands *at;             // the statement whose expressions are looked at; NULL: none
    VEC(Pair) arrays;
    VEC(const Array *) other;     // arrays with accesses that go no such way
    int nstmts;
    const Stmt *const *old;
    const Stmt **now;
    bool failed;                  // the tree names such an array in another way
} Swap;

// The place in the index array that says which element, or which stretch of elements, the subscript is in.
// NULL: it goes another way.
static Expr *place_in(Arena *a, const Promise *p, const Expr *sub, int n, const Node *const *loop) {
    const Expr *x = expr_kept(sub);
    Expr *place = NULL;
    if (!p->rises) return expr_is_index(x) && x->array == p->array ? x->args[0] : NULL;
    for (int i = 0; i < n && x->kind == E_SYM; i++)
        if (loop[i]->iter == x->sym && loop_stretches(a, loop[i], &place) == p->array) return place;
    return NULL;
}

// ---- statements ----------------------------------------------------------------------------------
static bool find_stands(const Node *n, const Stmt *s, Stands *out) {
    if (n->kind == N_STMT && n->stmt == s) return out->node = n, true;
    if (n->kind == N_FOR && out->n == DEEPEST) return false;
    if (n->kind == N_FOR) out->loop[out->n++] = n;
    for (int i = 0; node_kid(n, i); i++)
        if (find_stands(node_kid(n, i), s, out)) return true;
    out->n -= n->kind == N_FOR;
    return false;
}

// The same of a subscript of the statement, over its own counters.
static Expr *place_at(Arena *a, const Promise *p, const Stands *at, Expr *sub) {
    if (!p->rises) return place_in(a, p, sub, 0, NULL);
    Expr *place = at ? place_in(a, p, node_stmt_expr(a, at->node, sub), at->n, at->loop) : NULL;
    for (int d = 0; place && d < at->node->stmt->depth; d++) {
        if (at->node->at[d]->kind != E_SYM) return NULL;
        Expr *own = expr_sym(a, at->node->stmt->iters[d]);
        place = expr_subst(a, place, 1, (const Sym *const *)&at->node->at[d]->sym, &own);
    }
    return place;
}

static bool stands_at(const Region *r, const Stmt *s, Stands *out) {
    *out = (Stands){0};
    return find_stands(r->root, s, out);
}

static const Pair *pair_of(const Swap *s, const Array *x) {
    for (int k = 0; k < s->arrays.n; k++)
        if (s->arrays.at[k].from == x) return &s->arrays.at[k];
    return NULL;
}

static const Array *swapped(const Swap *s, const Array *x) {
    const Pair *p = pair_of(s, x);
    return p ? p->to : NULL;
}

// ---- which arrays ------------------------------------------------------------------------------
// The first promise by which an access finds its element; NULL: none. Of stretches only what is written is
// of interest.
static const Promise *way_of(const Swap *s, const Stands *at, const Access *x) {
    for (int k = 0; k < s->npromised && x->array->place == PLACE_USER && x->array->rank > 0; k++) {
        const Promise *p = &s->promised[k];
        if (p->rises && !region_writes(s->region, x->array)) continue;
        if (place_at(s->a, p, at, x->sub[0])) return p;
    }
    return NULL;
}

// Like x, with its places in front where stretches have elements.
static const Array *numbered(Swap *s, const Array *x, const Promise *p) {
    Array *to = NEW_AS(s->a, Array, *x);
    to->rank = x->rank + p->rises;
    to->extent = NEW_N(s->a, Expr *, to->rank);
    if (p->rises) to->extent[1] = expr_int(s->a, T_I64, INT32_MAX), to->constant_size = to->apart = false;
    for (int d = 1; d < x->rank; d++) to->extent[d + p->rises] = x->extent[d];
    return to;
}

static bool may_be_other(const Swap *s, const Array *x) {
    for (int j = 0; j < s->other.n; j++)
        if (s->other.at[j] == x || arrays_may_overlap(s->other.at[j], x)) return true;
    return false;
}

// Two index arrays number the same elements differently.
static void find_arrays(Swap *s) {
    const Region *r = s->region;
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < r->nstmts; k++) {
            AccessVec acc = stmt_accesses(s->a, r->stmts[k]);
            Stands at;
            bool stands = stands_at(r, r->stmts[k], &at);
            for (int i = 0; i < acc.n; i++) {
                const Array *x = acc.at[i].array;
                const Promise *by = way_of(s, stands ? &at : NULL, &acc.at[i]);
                const Pair *known = pair_of(s, x);
                if (turn == 0 && !by) vec_push(s->a, &s->other, x);
                s->failed = s->failed || (known && known->by != by);
                if (turn == 0 || !by || known || may_be_other(s, x)) continue;
                Pair p = {x, numbered(s, x, by), by};
                vec_push(s->a, &s->arrays, p);
            }
        }
}

// ---- expressions, statements ---------------------------------------------------------------------
static Expr *in_expr(Swap *s, Expr *x);

static Expr **in_subs(Swap *s, const Array *from, Expr *const *sub, int n) {
    const Pair *p = pair_of(s, from);
    int more = p && p->by->rises;
    Expr **out = NEW_N(s->a, Expr *, n + more + 1), *place = NULL;
    if (p && n) place = place_at(s->a, p->by, s->at, sub[0]);
    for (int d = 0; d < n; d++) out[d + more] = in_expr(s, sub[d]);
    if (place) out[0] = place;
    s->failed = s->failed || (p && !place);
    return out;
}

static Expr *in_expr(Swap *s, Expr *x) {
    if (!x || !expr_has_load(x)) return x;
    Expr *copy = NEW_AS(s->a, Expr, *x);
    if (x->kind == E_LOAD) {
        const Array *to = swapped(s, x->array);
        copy->args = in_subs(s, x->array, x->args, x->nargs);
        if (to) copy->array = to, copy->nargs = to->rank;
        return copy;
    }
    copy->args = NEW_N(s->a, Expr *, x->nargs + 1);
    for (int i = 0; i < x->nargs; i++) copy->args[i] = in_expr(s, x->args[i]);
    return copy;
}

static const Stmt *in_stmt(Swap *s, const Stmt *st) {
    Stmt *out = NEW(s->a, Stmt);
    const Array *to = swapped(s, st->lhs);
    Stands at;
    s->at = stands_at(s->region, st, &at) ? &at : NULL;
    *out = *st;
    out->sub = in_subs(s, st->lhs, st->sub, st->lhs->rank);
    if (to) out->lhs = to;
    out->rhs = in_expr(s, st->rhs);
    s->at = NULL;
    return out;
}

// ---- trees -------------------------------------------------------------------------------------------
// The instance of the new statement. The access behind one of an array that is numbered by places alone was
// that of the index array, which is gone.
static Node *in_instance(Swap *s, Node *n) {
    Node *m = node_clone(s->a, n);
    AccessVec acc = stmt_accesses(s->a, n->stmt);
    for (int k = 0; k < s->nstmts; k++)
        if (s->old[k] == n->stmt) m->stmt = s->now[k];
    if (!n->nvia) return m;
    m->via = NEW_N(s->a, const Array *, acc.n + 1);
    m->via_sub = NEW_N(s->a, Expr **, acc.n + 1);
    m->nvia = 0;
    for (int k = 0; k < acc.n; k++) {
        const Pair *before = k ? pair_of(s, acc.at[k - 1].array) : NULL;
        if (before && !before->by->rises) continue;
        const Array *via = n->via[k];
        Expr **sub = via && n->via_sub ? n->via_sub[k] : NULL;
        if (via && !sub && swapped(s, acc.at[k].array)) s->failed = true; // a cache under the old numbers
        m->via[m->nvia] = via && swapped(s, via) ? swapped(s, via) : via;
        m->via_sub[m->nvia++] = sub ? in_subs(s, via, sub, via->rank) : NULL;
    }
    return m;
}

static Node *in_node(Swap *s, Node *n) {
    if (!n) return NULL;
    if (n->kind == N_STMT) return in_instance(s, n);
    Node *m = node_clone(s->a, n);
    if (n->nkids) m->kids = NEW_N(s->a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) m->kids[i] = in_node(s, n->kids[i]);
    for (int i = 0; i < n->nlocals; i++)
        s->failed = s->failed || (n->locals[i]->of && swapped(s, n->locals[i]->of));
    m->body = in_node(s, n->body);
    m->then = in_node(s, n->then);
    m->other = in_node(s, n->other);
    m->lo = in_expr(s, n->lo);
    m->hi = in_expr(s, n->hi);
    m->cond = in_expr(s, n->cond);
    m->src = in_expr(s, n->src);
    if (n->kind == N_COPY && n->dst) {
        m->sub = in_subs(s, n->dst, n->sub, n->dst->rank);
        if (swapped(s, n->dst)) m->dst = swapped(s, n->dst);
    }
    return m;
}

bool dep_promised(Compile *c, const Region *r, const Node *root, int n, const Promise *promised,
                  const Region **region, Node **tree) {
    Swap s = {.a = c->arena, .region = r, .npromised = n, .promised = promised, .nstmts = r->nstmts,
              .old = r->stmts};
    find_arrays(&s);
    if (!s.arrays.n || s.failed) return false;
    Region *out = NEW_AS(s.a, Region, *r);
    s.now = NEW_N(s.a, const Stmt *, r->nstmts + 1);
    for (int k = 0; k < r->nstmts; k++) s.now[k] = in_stmt(&s, r->stmts[k]);
    out->stmts = s.now;
    out->arrays = NEW_N(s.a, const Array *, r->narrays + 1);
    for (int k = 0; k < r->narrays; k++)
        out->arrays[k] = swapped(&s, r->arrays[k]) ? swapped(&s, r->arrays[k]) : r->arrays[k];
    out->root = in_node(&s, r->root);
    *region = out;
    *tree = in_node(&s, (Node *)root);
    return !s.failed;
}

// ---- relations -------------------------------------------------------------------------------------------
// Here, and in all statements of the region: what of it is elsewhere is judged together with this.
static bool goes_through(const Relations *r, const Array *x, const Promise *p) {
    Arena *a = r->poly->c->arena;
    if (x->place != PLACE_USER || !x->rank) return false;
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (t->array != x ? arrays_may_overlap(t->array, x)
                          : !place_in(a, p, t->sub[0], t->ev->depth, t->ev->loops))
            return false;
    }
    for (int k = 0; k < r->region->nstmts; k++) {
        AccessVec acc = stmt_accesses(a, r->region->stmts[k]);
        Stands at;
        bool stands = stands_at(r->region, r->region->stmts[k], &at);
        for (int i = 0; i < acc.n; i++)
            if (acc.at[i].array != x ? arrays_may_overlap(acc.at[i].array, x)
                                     : !place_at(a, p, stands ? &at : NULL, acc.at[i].sub[0]))
                return false;
    }
    return true;
}

void relations_promised(Relations *r, const Promise *p) {
    Arena *a = r->poly->c->arena;
    r->inside = NULL; // subscripts change
    bool *through = NEW_N(a, bool, r->touches.n + 1);
    for (int i = 0; i < r->touches.n; i++) through[i] = goes_through(r, r->touches.at[i].array, p);
    for (int i = 0; i < r->touches.n; i++) {
        Touch *t = &r->touches.at[i];
        if (!through[i]) continue;
        PolyFacts facts = {0}; // were asked when index[place] was looked at
        int rank = t->array->rank + p->rises;
        Expr **sub = NEW_N(a, Expr *, rank);
        for (int d = 0; d < t->array->rank; d++) sub[d + p->rises] = t->sub[d];
        sub[0] = place_in(a, p, t->sub[0], t->ev->depth, t->ev->loops);
        isl_set *domain = isl_map_domain(isl_map_copy(t->map));
        t->map = own_map(a, relations_map(r->poly, t->ev->scope, domain, rank, sub, &facts, &t->exact_map));
        t->exact = t->exact_map && t->ev->exact;
        if (!p->rises) t->sub = sub; // a counter stays what it is
        t->real = NULL;
    }
}
