// SPDX-License-Identifier: MIT
// twin.c -- whether a part of a tree is a part of the region, but for counters and places of variables.
#include "dep/twin.h"

const Node *twin_bare(const Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    return n;
}

const Node *twin_first(const Node *n) {
    if (n->kind == N_STMT) return n;
    const Node *s = NULL;
    for (int k = 0; !s && node_kid(n, k); k++) s = twin_first(node_kid(n, k));
    return s;
}

static int var_of(const Twin *t, const Array *array) {
    for (int i = 0; i < t->nvars; i++)
        if (t->var[i] == array) return i;
    return -1;
}

static bool same_here(const Twin *t, Expr *x, const Expr *y) {
    if (!x || !y) return x == y;
    return expr_equal(expr_subst(t->a, x, t->from.n, t->from.at, t->to.at), y);
}

// All accesses to a variable of the region's go to one element of the tree's.
static bool same_place(Twin *t, int v, const Array *array, Expr *const *sub) {
    if (!t->place[v]) {
        t->place[v] = array, t->sub[v] = sub;
        return array->elem == t->var[v]->elem && !array->of;
    }
    bool same = t->place[v] == array;
    for (int d = 0; same && d < array->rank; d++) same = expr_equal(t->sub[v][d], sub[d]);
    return same;
}

static bool same_access(Twin *t, const Array *x, Expr *const *xsub, const Array *y, Expr *const *ysub) {
    int v = var_of(t, x);
    if (v >= 0) return same_place(t, v, y, ysub);
    bool same = x == y;
    for (int d = 0; same && d < x->rank; d++) same = same_here(t, xsub[d], ysub[d]);
    return same;
}

static bool same_expr(Twin *t, Expr *x, Expr *y) {
    if (!expr_has_load(x)) return same_here(t, x, y);
    if (x->kind != y->kind || x->type != y->type) return false;
    if (x->kind == E_LOAD) return same_access(t, x->array, x->args, y->array, y->args);
    if (x->nargs != y->nargs || (x->kind == E_OP && x->op != y->op) ||
        (x->kind == E_CALL && !str_eq(x->fn, y->fn)))
        return false;
    for (int i = 0; i < x->nargs; i++)
        if (!same_expr(t, x->args[i], y->args[i])) return false;
    return x->kind == E_OP || x->kind == E_CAST || x->kind == E_CALL;
}

static bool same_stmt(Twin *t, const Node *x, const Node *y) {
    bool same = x->stmt == y->stmt && x->atomic == y->atomic;
    for (int d = 0; same && d < x->stmt->depth; d++) same = same_here(t, x->at[d], y->at[d]);
    if (!same) return false;
    AccessVec xs = node_accesses(t->a, x), ys = node_accesses(t->a, y);
    for (int i = 0; same && i < xs.n; i++)
        same = same_access(t, xs.at[i].array, xs.at[i].sub, ys.at[i].array, ys.at[i].sub);
    return same && xs.n == ys.n;
}

static bool same_loop(Twin *t, const Node *x, const Node *y) {
    if (y->how != HOW_SERIAL && y->how != HOW_UNROLL) return false;
    if (x->step != y->step || !same_expr(t, x->lo, y->lo) || !same_expr(t, x->hi, y->hi)) return false;
    vec_push(t->a, &t->from, x->iter);
    vec_push(t->a, &t->to, expr_sym(t->a, y->iter));
    bool same = twin_same(t, x->body, y->body);
    for (int v = 0; v < t->nvars; v++)
        for (int d = 0; t->place[v] && d < t->place[v]->rank; d++)
            same = same && !expr_uses_sym(t->sub[v][d], y->iter);
    t->from.n--;
    t->to.n--;
    return same;
}

bool twin_same(Twin *t, const Node *x, const Node *y) {
    x = twin_bare(x);
    y = twin_bare(y);
    if (!x || !y || x->kind != y->kind) return x == y;
    if (x->kind == N_FOR) return same_loop(t, x, y);
    if (x->kind == N_STMT) return same_stmt(t, x, y);
    if (x->kind == N_IF)
        return same_expr(t, x->cond, y->cond) && twin_same(t, x->then, y->then) &&
               twin_same(t, x->other, y->other);
    bool same = x->kind == N_SEQ && x->nkids == y->nkids && x->nlocals == y->nlocals;
    for (int i = 0; same && i < x->nlocals; i++) same = x->locals[i] == y->locals[i];
    for (int i = 0; same && i < x->nkids; i++) same = twin_same(t, x->kids[i], y->kids[i]);
    return same;
}
