// SPDX-License-Identifier: MIT
// origin.c -- counters that begin at zero, as what the tree makes of them.
//
//   for ib = 0 .. min(n, t + 1) - max(0, t - m)       for ib = max(0, t - m) .. min(n, t + 1)
//       S[max(0, t - m) + ib]                    →        S[ib]
//
// A block's number counts from zero, so where a wave begins would stand in all that its tiles touch, and each
// choice in it would part what is asked of them in pieces. The iterations are the same, in the same order.
#include "dep/dep.h"

typedef struct Origin {
    Arena *a;
    const Expr *from; // what is added to…
    const Sym *old;   // …this counter everywhere
    Sym *now;
} Origin;

static Expr *begun(Expr *x, void *arg) {
    Origin *o = arg;
    bool sum = x->kind == E_OP && x->op == OP_ADD && x->args[1]->kind == E_SYM && x->args[1]->sym == o->old;
    return sum && expr_equal(x->args[0], o->from) ? expr_sym(o->a, o->now) : expr_map(o->a, x, begun, o);
}

static Node *begun_below(Node *n, void *arg) {
    Origin *o = arg;
    return node_map_exprs(o->a, node_map(o->a, n, begun_below, o), begun, o);
}

static Node *from_origin(Node *n, void *arg) {
    Arena *a = arg;
    n = node_map(a, n, from_origin, a);
    bool differs = n->kind == N_FOR && n->step == 1 && expr_is_int(n->lo, 0) && n->hi->kind == E_OP &&
                   n->hi->op == OP_SUB && n->hi->args[1]->kind == E_OP && !expr_has_load(n->hi);
    if (!differs) return n;
    Origin o = {a, n->hi->args[1], n->iter, NEW_AS(a, Sym, *n->iter)};
    Node *body = begun_below(n->body, &o);
    if (node_uses_sym(body, o.old)) return n;
    Node *m = node_around(a, n, body);
    m->lo = n->hi->args[1];
    m->hi = n->hi->args[0];
    m->iter = o.now;
    return m;
}

Node *dep_from_origins(Arena *a, const Node *tree) { return from_origin((Node *)tree, a); }
