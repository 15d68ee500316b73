// SPDX-License-Identifier: MIT
// keep_last.c -- each iteration gets an array of its own for one that it writes before it reads it, and the
// last iteration leaves its elements behind.
//
//   for r  for q {                         for r  for q {
//       for p  sum[p] = 0                      local sum_1[np]
//       for p  for s  sum[p] += …        →     for p  sum_1[p] = 0;  for p  for s  sum_1[p] += …
//       for p  a[r][q][p] = sum[p] }           for p  a[r][q][p] = sum_1[p]
//                                              if (r == nr - 1 && q == nq - 1)  for p  sum[p] = sum_1[p] }
//
// It is done where nothing else keeps the iterations in order: each other array that they write they use at
// a place of their own. A loop over time steps is none of these.
#include "front/normal.h"

enum { MOST_UNUSED = 16, MOST_RANK = 31 }; // elements before the first that is written; dimensions

typedef struct Keep {
    Normal *m;
    Arena *a;
    const Array *v, *own;
    Expr **lo, **hi;       // [rank] what each iteration writes of v, hi excluded
    bool some;             // a loop was found
} Keep;

// ---- iterations that have nothing else in common ---------------------------------------------------------
typedef struct Uses {
    const Array *x;
    const Sym *counter;
    Arena *a;
    unsigned apart;        // dimensions in which all uses are at the counter, at one distance
    bool any;
    int64_t by[MOST_RANK];
} Uses;

static void use(Uses *u, Expr *const *sub) {
    Expr *i = expr_sym(u->a, u->counter);
    for (int d = 0; d < u->x->rank && d < MOST_RANK; d++) {
        int64_t by;
        bool its = expr_difference(u->a, sub[d], i, &by) && (!u->any || by == u->by[d]);
        if (its) u->by[d] = by;
        else u->apart &= ~(1u << d);
    }
    u->any = true;
}

static void use_at(Uses *u, const Node *n) {
    node_each_expr(x, n)
        if (x->kind == E_LOAD && x->array == u->x) use(u, x->args);
    if (n->kind == N_STMT && n->stmt->lhs == u->x) use(u, n->stmt->sub);
}

bool uses_own_elements(Arena *a, const Node *l, const Array *x) {
    Uses u = {.x = x, .counter = l->iter, .a = a, .apart = ~0u >> 1};
    node_each(n, l->body) use_at(&u, n);
    int rank = x->rank < MOST_RANK ? x->rank : MOST_RANK;
    return (u.apart & ((1u << rank) - 1)) != 0;
}

static bool is_free_of(const Keep *k, Node *l) {
    ArrayVec written = node_written(k->a, l->body);
    for (int i = 0; i < written.n; i++) {
        const Array *x = written.at[i];
        if (x == k->v || !x->rank || (is_temporary(x) && !node_exposed(k->a, l->body, x))) continue;
        if (!uses_own_elements(k->a, l, x)) return false;
    }
    return true;
}

// ---- the copy ------------------------------------------------------------------------------------
static const Array *own_array(const Keep *k) {
    Array *x = array_new(k->a, name_new(k->m, k->v->name), k->v->elem, PLACE_LOCAL, k->v->rank);
    x->source = k->v->source; // as messages call it
    for (int d = 0; d < x->rank; d++) x->extent[d] = k->hi[d];
    return x;
}

static const Array *to_own(Rebuild *b, const Array *v) {
    const Keep *k = b->self;
    return v == k->v ? k->own : v;
}

static Node *left_behind(const Keep *k, Loc loc) {
    const Array *v = k->v;
    Expr **at = NEW_N(k->a, Expr *, v->rank);
    const Sym **i = NEW_N(k->a, const Sym *, v->rank);
    for (int d = 0; d < v->rank; d++) {
        Sym *s = NEW_AS(k->a, Sym, (Sym){name_new(k->m, "e"), SYM_ITER, k->hi[d]->type, NULL});
        i[d] = s, at[d] = expr_sym(k->a, s);
    }
    Stmt *t = NEW(k->a, Stmt);
    *t = (Stmt){.loc = loc, .lhs = v, .sub = at, .op = OP_SET, .rhs = expr_load(k->a, k->own, at)};
    Node *loops = stmt_leaf(k->a, t);
    for (int d = v->rank - 1; d >= 0; d--) {
        Expr *lo = expr_cast(k->a, i[d]->type, k->lo[d]);
        loops = node_for(k->a, i[d], lo, k->hi[d], 1, HOW_SERIAL, loops);
        loops->loc = loc;
    }
    return loops;
}

static Node *with_own(Keep *k, Node *l, Expr *last) {
    k->own = own_array(k);
    Rebuild b = {.a = k->a, .array = to_own, .self = k};
    Node *body = NEW(k->a, Node), *copy = node_clone(k->a, l);
    *body = (Node){.kind = N_SEQ, .loc = l->loc, .nkids = 2, .kids = NEW_N(k->a, Node *, 2)};
    body->kids[0] = rebuild_node(&b, l->body);
    body->kids[1] = node_if(k->a, last, left_behind(k, l->loc), NULL);
    body->nlocals = 1;
    body->locals = NEW_N(k->a, const Array *, 1);
    body->locals[0] = k->own;
    copy->body = body;
    return copy;
}

// ---- which loops ---------------------------------------------------------------------------------
static bool has_fixed_box(Keep *k, Node *body) {
    if (!node_writes_box(k->a, body, k->v, k->lo, k->hi)) return false;
    for (int d = 0; d < k->v->rank; d++) {
        int64_t lo;
        bool near = is_literal_int(k->lo[d], &lo) && lo >= 0 && lo <= MOST_UNUSED;
        if (!near || expr_varies(k->hi[d])) return false;
    }
    return true;
}

// l inside of loops of which the last iterations are meant by `last`; NULL: it can't be done.
static Node *kept(Keep *k, Node *l, Expr *last) {
    int64_t lo, hi;
    bool once = is_literal_int(l->lo, &lo) && is_literal_int(l->hi, &hi) && hi - lo == l->step;
    if (once || loop_is_unbounded(l) || loop_while(l)) return NULL;
    if (expr_varies(l->lo) || expr_varies(l->hi)) return NULL;
    bool own = mark_reduces(l->mark, k->v, OP_SET); // by lastprivate
    if (!own && !node_reads(l->body, k->v)) return NULL;
    if (node_exposed(k->a, l->body, k->v) || !is_free_of(k, l)) return NULL;
    Expr *i = expr_sym(k->a, l->iter);
    Expr *here = expr_op(k->a, OP_EQ, i, expr_cast(k->a, i->type, loop_last(k->a, l)), NULL);
    last = last ? expr_op(k->a, OP_LAND, last, here, NULL) : here;
    if (has_fixed_box(k, l->body)) return with_own(k, l, last);
    Node *inner = only_loop_with(l->body, k->v), *done = inner ? kept(k, inner, last) : NULL;
    if (!done) return NULL;
    Node *copy = node_clone(k->a, l);
    copy->body = node_replace(k->a, l->body, inner, done);
    return copy;
}

static Node *in_tree(Keep *k, Node *n) {
    if (!node_writes(n, k->v)) return n;
    Node *done = n->kind == N_FOR ? kept(k, n, NULL) : NULL;
    if (done) return k->some = true, done;
    Node *copy = node_clone(k->a, n);
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++) {
        if (!i) copy->kids = NEW_N(k->a, Node *, n->nkids);
        copy->kids[i] = in_tree(k, n->kids[i]);
    }
    if (n->kind == N_FOR) copy->body = in_tree(k, n->body);
    if (n->kind == N_IF) {
        copy->then = in_tree(k, n->then);
        copy->other = n->other ? in_tree(k, n->other) : NULL;
    }
    return copy;
}

static bool has_other_views(const Region *r, const Array *v) {
    for (int i = 0; i < r->narrays; i++)
        if (r->arrays[i] != v && str_eq(r->arrays[i]->object, v->object)) return true;
    return false;
}

Region *pass_keep_last(Normal *m, Region *r) {
    Node *root = r->root;
    bool some = false;
    for (int i = 0; i < r->narrays; i++) {
        const Array *v = r->arrays[i];
        if (!v->rank || v->rank > MOST_RANK || v->place != PLACE_USER || !v->live_out) continue;
        if (has_other_views(r, v)) continue;
        Keep k = {.m = m, .a = m->a, .v = v};
        k.lo = NEW_N(m->a, Expr *, v->rank);
        k.hi = NEW_N(m->a, Expr *, v->rank);
        Node *n = in_tree(&k, root);
        if (k.some) root = n, some = true;
    }
    return some ? region_with(m, r, root) : r;
}
