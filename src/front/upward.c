// SPDX-License-Identifier: MIT
// upward.c -- loops that count down, as loops that count up: what follows knows one direction.
//
//   for (i = n - 1; i >= 0; i--) S(i)    →    for (t = 0; t < n; t++) S(n - 1 - t)
//
// The iterations keep their order. A loop whose mark says that they have none keeps its counter instead, and
// runs from its least value.
#include "front/normal.h"

typedef struct Upward {
    Normal *m;
    VEC(const Sym *) from;  // counters of the loops that count down
    VEC(const Sym *) by;    // [from] the new counters, or the same
    VEC(Expr *) to;         // [from] what the old ones are
} Upward;

static bool counts_down(const Node *n) {
    return n->kind == N_FOR && n->step == -1 && !loop_is_unbounded(n) && !loop_while(n) &&
           n->iter->counted == T_NONE && type_is_signed(n->iter->type) && !expr_has_load(n->lo) &&
           !expr_has_load(n->hi);
}

// From the outside in: where a loop begins may hang on counters around it.
static void count_anew(Upward *u, const Node *n) {
    Arena *a = u->m->a;
    if (!counts_down(n)) return;
    vec_push(a, &u->from, n->iter);
    if (mark_vouches(n->mark)) {
        vec_push(a, &u->by, n->iter);
        vec_push(a, &u->to, expr_sym(a, n->iter));
        return;
    }
    Sym *t = NEW_AS(a, Sym, *n->iter);
    t->name = name_new(u->m, n->iter->name);
    if (!t->said) t->said = n->iter->name;
    Expr *first = expr_subst(a, n->lo, u->to.n, u->from.at, u->to.at);
    t->down = first;
    vec_push(a, &u->by, (const Sym *)t);
    vec_push(a, &u->to, expr_sub(a, first, expr_sym(a, t)));
}

static Expr *new_value(Rebuild *b, Expr *x) {
    const Upward *u = b->self;
    for (int k = 0; x->kind == E_SYM && k < u->from.n; k++)
        if (x->sym == u->from.at[k]) return u->to.at[k];
    return x;
}

// Which loops count down was found out before: n holds new counters already.
static Node *upward(Rebuild *b, Node *n) {
    const Upward *u = b->self;
    for (int k = 0; n->kind == N_FOR && k < u->from.n; k++) {
        if (u->from.at[k] != n->iter) continue;
        bool same = u->by.at[k] == n->iter;
        Expr *one = expr_int(b->a, n->iter->type, 1);
        Node *up = node_clone(b->a, n);
        up->step = 1;
        up->iter = u->by.at[k];
        up->lo = same ? expr_add(b->a, n->hi, one) : expr_int(b->a, n->iter->type, 0);
        up->hi = same ? expr_add(b->a, n->lo, one) : expr_sub(b->a, n->lo, n->hi);
        return up;
    }
    return n;
}

Region *pass_upward(Normal *m, Region *r) {
    Upward u = {.m = m};
    node_each(n, r->root) count_anew(&u, n);
    Rebuild b = {.a = m->a, .expr = new_value, .node = upward, .self = &u};
    return region_with(m, r, rebuild_node(&b, r->root));
}
