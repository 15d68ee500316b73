// SPDX-License-Identifier: MIT
// subst.c -- counters and arrays of a tree replaced by expressions and by arrays of the same shape.
#include "ir/ir.h"

// ---- arrays ----------------------------------------------------------------------------
typedef struct Redirect {
    Arena *a;
    const Array *from, *to;
} Redirect;

static Expr *in_expr(Expr *x, void *arg) {
    const Redirect *r = arg;
    x = expr_map(r->a, x, in_expr, arg);
    return x->kind == E_LOAD && x->array == r->from ? expr_load(r->a, r->to, x->args) : x;
}

static void in_stmt(const Redirect *r, Node *n) {
    AccessVec acc = stmt_accesses(r->a, n->stmt);
    const Array **via = NEW_N(r->a, const Array *, acc.n + 1);
    bool any = false;
    for (int k = 0; k < acc.n; k++) {
        via[k] = n->nvia ? n->via[k] : NULL;
        const Array *now = via[k] ? via[k] : acc.at[k].array;
        if (now == r->from) via[k] = r->to, any = true;
    }
    if (any) n->via = via, n->nvia = acc.n;
}

static Node *rewrite(Node *n, void *arg) {
    const Redirect *r = arg;
    Node *m = node_map(r->a, n, rewrite, arg);
    if (n->kind == N_STMT)
        in_stmt(r, m);
    else if (n->kind != N_COPY)
        m = node_map_exprs(r->a, m, in_expr, arg);
    else
        m->src = in_expr(n->src, arg);
    if (m->dst == r->from) m->dst = r->to;
    return m;
}

Expr *expr_redirect(Arena *a, Expr *x, const Array *from, const Array *to) {
    return x ? in_expr(x, &(Redirect){a, from, to}) : NULL;
}

Node *node_redirect(Arena *a, Node *root, const Array *from, const Array *to) {
    return root ? rewrite(root, &(Redirect){a, from, to}) : NULL;
}

static Node *declare(Node *n, void *arg) {
    const Redirect *r = arg;
    Node *m = node_map(r->a, n, declare, arg);
    if (n->nlocals) m->locals = NEW_N(r->a, const Array *, n->nlocals);
    for (int i = 0; i < n->nlocals; i++) m->locals[i] = n->locals[i] == r->from ? r->to : n->locals[i];
    return m;
}

Node *node_declared_anew(Arena *a, Node *root, const Array *from, const Array *to) {
    return declare(root, &(Redirect){a, from, to});
}

// ---- counters ----------------------------------------------------------------------------
typedef struct Subst {
    Arena *arena;
    int n;
    const Sym *const *from;
    Expr *const *to;
} Subst;

static Expr *subst_expr(Expr *x, void *arg) {
    const Subst *s = arg;
    return expr_subst(s->arena, x, s->n, s->from, s->to);
}

static Expr **subst_list(Subst *s, Expr **x, int n) {
    return n && x ? exprs_map(s->arena, n, x, subst_expr, s) : x;
}

static Foot *subst_moves(Subst *s, const Node *n) {
    Foot *out = NEW_N(s->arena, Foot, n->nmoves);
    for (int k = 0; k < n->nmoves; k++) {
        int rank = n->moves[k].array->rank;
        out[k] = n->moves[k];
        out[k].lo = subst_list(s, out[k].lo, rank);
        out[k].hi = subst_list(s, out[k].hi, rank);
        out[k].first = subst_list(s, out[k].first, rank);
        out[k].last = subst_list(s, out[k].last, rank);
    }
    return out;
}

static Node *subst(Node *n, void *arg) {
    Subst *s = arg;
    Node *copy = node_map_exprs(s->arena, node_map(s->arena, n, subst, s), subst_expr, s);
    if (n->nmoves) copy->moves = subst_moves(s, n);
    return copy;
}

// Buffers that lie where a replaced counter says, and caches of such, each with what stands in its place.
typedef struct Apart {
    Subst *s;
    VEC(const Array *) from;
    VEC(Array *) to;
} Apart;

static void find_moved(Apart *m, const Node *n) {
    Arena *a = m->s->arena;
    for (int i = 0; i < n->nlocals; i++) {
        const Array *x = n->locals[i];
        Array *of = x->of;
        for (int k = 0; of && k < m->from.n; k++)
            if (m->from.at[k] == of) of = m->to.at[k];
        bool moves = of != x->of;
        for (int d = 0; x->origin && d < x->rank; d++)
            for (int k = 0; k < m->s->n; k++) moves = moves || expr_uses_sym(x->origin[d], m->s->from[k]);
        if (!moves) continue;
        Array *y = array_copy(a, x, NULL, 0);
        y->of = of;
        y->origin = subst_list(m->s, x->origin, x->rank);
        vec_push(a, &m->from, x);
        vec_push(a, &m->to, y);
    }
}

Node *node_subst(Arena *a, Node *root, int n, const Sym *const *from, Expr *const *to) {
    if (!n || !root) return root;
    Subst s = {a, n, from, to};
    Apart m = {.s = &s};
    node_each(k, root) find_moved(&m, k);
    Node *out = subst(root, &s);
    for (int k = 0; k < m.from.n; k++) {
        const Array *old = m.from.at[k], *now = m.to.at[k];
        out = node_declared_anew(a, node_redirect(a, out, old, now), old, now);
    }
    return out;
}
