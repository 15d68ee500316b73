// SPDX-License-Identifier: MIT
// walk.c -- a stack of what a loop over a tree has still before it
#include "ir/ir.h"
#include <stdlib.h>
#include <string.h>

void preorder_push(Preorder *w, const void *x) {
    if (!x) return;
    if (w->n == w->cap) {
        const void **more = realloc(w->at == w->few ? NULL : w->at, sizeof *more * 2 * (size_t)w->cap);
        if (!more) abort();
        if (w->at == w->few) memcpy(more, w->few, sizeof w->few);
        w->at = more;
        w->cap *= 2;
    }
    w->at[w->n++] = x;
}

const void *preorder_pop(Preorder *w) { return w->last = w->n ? w->at[--w->n] : NULL; }

Preorder *preorder_of(Preorder *w, const void *root) {
    w->at = w->few;
    w->n = 0;
    w->cap = (int)(sizeof w->few / sizeof *w->few);
    w->last = NULL;
    preorder_push(w, root);
    return w;
}

Preorder *preorder_of_exprs(Preorder *w, const Node *n) {
    preorder_of(w, NULL);
    if (n->kind == N_FOR) preorder_push(w, n->hi), preorder_push(w, n->lo);
    if (n->kind == N_IF) preorder_push(w, n->cond);
    if (n->kind != N_STMT) return w;
    preorder_push(w, n->stmt->rhs);
    for (int d = n->stmt->lhs->rank; d-- > 0;) preorder_push(w, n->stmt->sub[d]);
    return w;
}

Node *preorder_node(Preorder *w) {
    const Node *n = w->last;
    if (n) {
        preorder_push(w, n->other);
        preorder_push(w, n->then);
        preorder_push(w, n->body);
        for (int k = n->nkids; k-- > 0;) preorder_push(w, n->kids[k]);
    }
    return (Node *)preorder_pop(w);
}

const Expr *preorder_expr(Preorder *w) {
    const Expr *x = w->last;
    for (int k = x ? x->nargs : 0; k-- > 0;) preorder_push(w, x->args[k]);
    return preorder_pop(w);
}

void preorder_end(Preorder *w) {
    if (w->at != w->few) free(w->at);
}

void node_walk(Node *root, void (*visit)(Node *n, void *arg), void *arg) {
    node_each(n, root) visit(n, arg);
}

void expr_walk(const Expr *x, void (*visit)(const Expr *x, void *arg), void *arg) {
    expr_each(y, x) visit(y, arg);
}
