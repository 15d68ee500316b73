// SPDX-License-Identifier: MIT
// rebuild.c -- trees and expressions made from others: what every pass that changes one is written with
//
//   static Node *doubled(Node *n, void *arg) {          each loop twice as fast, all else as it is
//       Node *m = node_map(arg, n, doubled, arg);
//       if (m->kind == N_FOR) m->step *= 2;
//       return m;
//   }
#include "ir/ir.h"
#include <string.h>

// ---- nodes -------------------------------------------------------------------------------------
Node *node_map(Arena *a, const Node *n, NodeMap *map, void *arg) {
    Node *m = node_clone(a, n);
    if (n->nkids) m->kids = NEW_N(a, Node *, n->nkids);
    m->nkids = 0;
    for (int k = 0; k < n->nkids; k++) {
        Node *kid = map(n->kids[k], arg);
        if (kid) m->kids[m->nkids++] = kid;
    }
    if (n->body && !(m->body = map(n->body, arg))) m->body = node_seq(a, 0, NULL);
    if (n->then && !(m->then = map(n->then, arg))) m->then = node_seq(a, 0, NULL);
    if (n->other) m->other = map(n->other, arg);
    return m;
}

Node *node_map_exprs(Arena *a, const Node *n, ExprMap *map, void *arg) {
    Node *m = node_clone(a, n);
    if (n->lo) m->lo = map(n->lo, arg);
    if (n->hi) m->hi = map(n->hi, arg);
    if (n->cond) m->cond = map(n->cond, arg);
    if (n->kind == N_STMT) m->at = exprs_map(a, n->stmt->depth, n->at, map, arg);
    if (n->via_sub) m->via_sub = NEW_N(a, Expr **, n->nvia);
    for (int k = 0; n->via_sub && k < n->nvia; k++)
        if (n->via_sub[k]) m->via_sub[k] = exprs_map(a, n->via[k]->rank, n->via_sub[k], map, arg);
    if (n->kind == N_COPY && n->dst) m->sub = exprs_map(a, n->dst->rank, n->sub, map, arg);
    if (n->src) m->src = map(n->src, arg);
    return m;
}

Node *node_around(Arena *a, const Node *around, Node *body) {
    Node *m = node_clone(a, around);
    m->body = body;
    return m;
}

Node *node_rerouted(Arena *a, const Node *n, int naccesses) {
    Node *m = node_clone(a, n);
    m->nvia = naccesses;
    m->via = NEW_N(a, const Array *, naccesses + 1);
    m->via_sub = NEW_N(a, Expr **, naccesses + 1);
    for (int k = 0; k < n->nvia; k++) {
        m->via[k] = n->via[k];
        m->via_sub[k] = n->via_sub ? n->via_sub[k] : NULL;
    }
    return m;
}

// ---- sequences ---------------------------------------------------------------------------------
Node *seq_splice(Arena *a, const Node *seq, int at, int gone, int n, Node *const *kids) {
    Node *m = node_clone(a, seq);
    int rest = seq->nkids - at - gone;
    m->nkids = at + n + rest;
    m->kids = NEW_N(a, Node *, m->nkids + 1);
    if (at) memcpy(m->kids, seq->kids, sizeof *kids * (size_t)at);
    if (n) memcpy(m->kids + at, kids, sizeof *kids * (size_t)n);
    if (rest) memcpy(m->kids + at + n, seq->kids + at + gone, sizeof *kids * (size_t)rest);
    return m;
}

Node *seq_declare_all(Arena *a, Node *n, int count, const Array *const *arrays) {
    Node *m = n->kind == N_SEQ ? node_clone(a, n) : node_seq(a, 1, &n);
    const Array **all = NEW_N(a, const Array *, m->nlocals + count + 1);
    if (m->nlocals) memcpy(all, m->locals, sizeof *all * (size_t)m->nlocals);
    m->locals = all;
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < m->nlocals && all[k] != arrays[i]) k++;
        all[k] = arrays[i];
        m->nlocals += k == m->nlocals;
    }
    return m;
}

Node *seq_declare(Arena *a, Node *n, const Array *array) { return seq_declare_all(a, n, 1, &array); }

// ---- expressions -------------------------------------------------------------------------------
Expr **exprs_map(Arena *a, int n, Expr *const *x, ExprMap *map, void *arg) {
    Expr **out = NEW_N(a, Expr *, n + 1);
    for (int k = 0; k < n; k++) out[k] = map(x[k], arg);
    return out;
}

static Expr *load_again(Arena *a, const Expr *x, Expr **args) {
    Expr *y = expr_load(a, x->array, args);
    y->loc = x->loc;
    y->moved = x->moved;
    return y;
}

Expr *expr_remake(Arena *a, const Expr *x, Expr **args) {
    switch (x->kind) {
    case E_LOAD: return load_again(a, x, args);
    case E_CAST: return expr_cast(a, x->type, args[0]);
    case E_CALL: return expr_call(a, x->fn, x->type, x->nargs, args);
    case E_OP:
        return expr_op(a, x->op, args[0], x->nargs > 1 ? args[1] : NULL, x->nargs > 2 ? args[2] : NULL);
    default: return (Expr *)x;
    }
}

Expr *expr_map(Arena *a, Expr *x, ExprMap *map, void *arg) {
    if (!x->nargs) return x;
    Expr *few[4], **args = x->nargs <= 4 ? few : NEW_N(a, Expr *, x->nargs);
    bool changed = false;
    for (int k = 0; k < x->nargs; k++) {
        args[k] = map(x->args[k], arg);
        changed |= args[k] != x->args[k];
    }
    return changed ? expr_remake(a, x, args) : x;
}

// ---- arrays ------------------------------------------------------------------------------------
Array *array_new(Arena *a, const char *name, Type elem, Place place, int rank) {
    Array *x = NEW_AS(a, Array, (Array){.name = name,
                                        .object = name,
                                        .elem = elem,
                                        .place = place,
                                        .rank = rank,
                                        .stride = type_size(elem),
                                        .extent = NEW_N(a, Expr *, rank + 1)});
    return x;
}

Array *array_copy(Arena *a, const Array *from, const char *name, int more) {
    Array *x = NEW_AS(a, Array, *from);
    if (name) x->name = x->object = name;
    x->rank = from->rank + more;
    x->extent = NEW_N(a, Expr *, x->rank + 1);
    if (from->rank) memcpy(x->extent + more, from->extent, sizeof *x->extent * (size_t)from->rank);
    return x;
}
