// SPDX-License-Identifier: MIT
// known.c -- a region and a tree with the numbers that the guard tells of parameters in their place.
//
//   x[i + d * k], the nest runs when d == 2        →        x[i + 2 * k]
//
// A counter times a parameter is nothing that sets can hold. Where the nest runs, the parameter is a number.
#include "dep/dep.h"

enum { MOST = 8 };
typedef struct Known {
    Arena *a;
    int n, nstmts;
    const Sym *sym[MOST];
    Expr *value[MOST];
    const Stmt *const *old;
    const Stmt **now;
} Known;

static const Expr *bare(const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type)) x = x->args[0];
    return x;
}

static void find_known(Known *k, const Expr *x) {
    if (x->kind != E_OP) return;
    for (int i = 0; x->op == OP_LAND && i < 2; i++) find_known(k, x->args[i]);
    if (x->op != OP_EQ || k->n == MOST) return;
    const Expr *s = bare(x->args[0]), *v = bare(x->args[1]);
    if (s->kind != E_SYM || s->sym->kind != SYM_PARAM || v->kind != E_INT) return;
    k->sym[k->n] = s->sym, k->value[k->n++] = expr_int(k->a, s->sym->type, v->i);
}

static Expr *in_expr(Expr *x, void *arg) {
    Known *k = arg;
    return expr_subst(k->a, x, k->n, k->sym, k->value);
}

static const Stmt *in_stmt(Known *k, const Stmt *s) {
    Stmt *out = NEW_AS(k->a, Stmt, *s);
    out->rhs = in_expr(s->rhs, k);
    out->sub = NEW_N(k->a, Expr *, s->lhs->rank + 1);
    for (int d = 0; d < s->lhs->rank; d++) out->sub[d] = in_expr(s->sub[d], k);
    return out;
}

static Node *in_node(Node *n, void *arg) {
    Known *k = arg;
    Node *m = node_map_exprs(k->a, node_map(k->a, n, in_node, k), in_expr, k);
    for (int i = 0; m->kind == N_STMT && i < k->nstmts; i++)
        if (m->stmt == k->old[i]) m->stmt = k->now[i];
    return m;
}

static bool is_factor(const Region *r, const Sym *s) {
    bool found = false;
    for (int i = 0; i < r->nstmts && !found; i++) {
        found = expr_scales(r->stmts[i]->rhs, s);
        for (int d = 0; d < r->stmts[i]->lhs->rank; d++) found |= expr_scales(r->stmts[i]->sub[d], s);
    }
    return found;
}

void dep_known(Compile *c, const Expr *when, const Region **region, Node **tree) {
    const Region *r = *region;
    Known k = {.a = c->arena, .nstmts = r->nstmts, .old = r->stmts};
    find_known(&k, when);
    for (int i = 0; i < k.n;) {
        if (is_factor(r, k.sym[i])) i++;
        else k.sym[i] = k.sym[--k.n], k.value[i] = k.value[k.n];
    }
    if (!k.n) return;
    Region *out = NEW_AS(k.a, Region, *r);
    k.now = NEW_N(k.a, const Stmt *, r->nstmts + 1);
    for (int i = 0; i < r->nstmts; i++) k.now[i] = in_stmt(&k, r->stmts[i]);
    out->stmts = k.now;
    out->root = in_node(r->root, &k);
    *region = out, *tree = in_node(*tree, &k);
}
