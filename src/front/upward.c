// SPDX-License-Identifier: MIT
// upward.c -- loops that count up from 0 in the place of others: what follows knows one direction, and groups
// of rows.
//
//   for (i = n - 1; i >= 0; i--) S(i)                  →    for (t = 0; t < n; t++) S(n - 1 - t)
//   for (j = q * each; j < (q + 1) * each; j++) S(j)   →    for (t = 0; t < each; t++) S(q * each + t)
//
// The iterations keep their order. A loop whose mark says that they have none keeps its counter instead where
// it counted down, and runs from its least value.
#include "front/shape.h"

typedef struct Recount {
    const Sym *from; // the counter of a loop
    const Sym *by;   // the new one, or the same
    Expr *to;        // what the old one is
    Expr *trips;     // how many; NULL: from where the loop begins to where it ends
} Recount;

typedef struct Upward {
    Normal *m;
    VEC(Recount) loops;
    VEC(const Sym *) from; // the same once more, as expr_subst takes them
    VEC(Expr *) to;
} Upward;

static void add(Upward *u, const Node *n, const Sym *by, Expr *to, Expr *trips) {
    vec_push(u->m->a, &u->loops, ((Recount){n->iter, by, to, trips}));
    vec_push(u->m->a, &u->from, n->iter);
    vec_push(u->m->a, &u->to, to);
}

static Sym *new_counter(Upward *u, const Node *n) {
    Sym *t = NEW_AS(u->m->a, Sym, *n->iter);
    t->name = name_new(u->m, n->iter->name);
    if (!t->said) t->said = n->iter->name;
    return t;
}

// Where a loop begins, with the counters around it as they will be.
static Expr *first_of(const Upward *u, const Node *n) {
    return expr_subst(u->m->a, n->lo, u->to.n, u->from.at, u->to.at);
}

static bool counts_plainly(const Node *n, int step) {
    return n->kind == N_FOR && n->step == step && !loop_is_unbounded(n) && !loop_while(n) &&
           n->iter->counted == T_NONE && type_is_signed(n->iter->type);
}

// From the outside in: where a loop begins may hang on counters around it.
static void count_anew(Upward *u, const Node *n) {
    Arena *a = u->m->a;
    if (!counts_plainly(n, -1) || expr_has_load(n->lo) || expr_has_load(n->hi)) return;
    if (mark_vouches(n->mark)) {
        add(u, n, n->iter, expr_sym(a, n->iter), NULL);
        return;
    }
    Sym *t = new_counter(u, n);
    t->down = first_of(u, n);
    add(u, n, t, expr_sub(a, t->down, expr_sym(a, t)), NULL);
}

static Expr *new_value(Rebuild *b, Expr *x) {
    const Upward *u = b->self;
    for (int k = 0; x->kind == E_SYM && k < u->loops.n; k++)
        if (x->sym == u->loops.at[k].from) return u->loops.at[k].to;
    return x;
}

// Which loops are counted anew was found out before: n holds new counters already.
static Node *upward(Rebuild *b, Node *n) {
    const Upward *u = b->self;
    for (int k = 0; n->kind == N_FOR && k < u->loops.n; k++) {
        const Recount *c = &u->loops.at[k];
        if (c->from != n->iter) continue;
        bool same = c->by == n->iter;
        Expr *one = expr_int(b->a, n->iter->type, 1);
        Node *up = node_clone(b->a, n);
        up->step = 1;
        up->iter = c->by;
        up->lo = same ? expr_add(b->a, n->hi, one) : expr_int(b->a, n->iter->type, 0);
        up->hi = c->trips ? c->trips : same ? expr_add(b->a, n->lo, one) : expr_sub(b->a, n->lo, n->hi);
        return up;
    }
    return n;
}

static Region *recounted(Upward *u, Region *r) {
    if (!u->loops.n) return r;
    Rebuild b = {.a = u->m->a, .expr = new_value, .node = upward, .self = u};
    return region_with(u->m, r, rebuild_node(&b, r->root));
}

Region *pass_upward(Normal *m, Region *r) {
    Upward u = {.m = m};
    node_each(n, r->root) count_anew(&u, n);
    return recounted(&u, r);
}

// ---- groups of rows -----------------------------------------------------------------------------------
// How many iterations a loop has whose bounds both go with a counter around it by a parameter's steps.
static Expr *group_size(Normal *m, const Node *n) {
    Sums k = {.a = m->a};
    ShapeTerms lo = {0}, trips = {0};
    Sum *fixed, *first, *last;
    int64_t c;
    if (n->kind != N_FOR || !counts_plainly(n, n->step < 0 ? -1 : 1)) return NULL;
    if (!shape_terms(&k, n->lo, &lo, &fixed)) return NULL;
    bool steps = false;
    for (int i = 0; i < lo.n; i++) steps |= lo.at[i].coef && !sum_is_const(lo.at[i].coef, &c);
    if (!steps || !(first = sum_of(&k, n->lo)) || !(last = sum_of(&k, n->hi))) return NULL;
    Sum *size = n->step < 0 ? sum_add(&k, first, last, -1) : sum_add(&k, last, first, -1);
    Expr *x = size && !k.wraps ? sum_expr(&k, size, n->iter->type) : NULL;
    return x && shape_terms(&k, x, &trips, &fixed) && !trips.n ? x : NULL;
}

Region *pass_groups(Normal *m, Region *r) {
    Upward u = {.m = m};
    node_each(n, r->root) {
        Expr *size = group_size(m, n);
        if (!size) continue;
        Sym *t = new_counter(&u, n);
        Expr *first = first_of(&u, n), *by = expr_sym(m->a, t);
        if (n->step < 0) t->down = first;
        add(&u, n, t, n->step < 0 ? expr_sub(m->a, first, by) : expr_add(m->a, first, by), size);
    }
    return recounted(&u, r);
}
