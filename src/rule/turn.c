// SPDX-License-Identifier: MIT
// turn.c -- an operand with its rows and columns exchanged, copied once before it is used.
//
//   for d  out[i][j] += f(x[i][d], y[j][d])       for j for d  y_t[d][j] = y[j][d]
//                                            →    for d  out[i][j] += f(x[i][d], y_t[d][j])
//
// Neighbouring threads j then touch neighbouring words. Right when nothing below writes y and
// every element that is read is copied.
#include "rule/turn.h"

typedef struct Turn {
    Arena *a;
    const Array *from, *to;
    bool failed;
} Turn;

static Expr **turned(const Turn *t, Expr *const *sub) {
    Expr **out = NEW_N(t->a, Expr *, 2);
    out[0] = sub[1];
    out[1] = sub[0];
    return out;
}

static Expr *in_expr(Expr *x, void *arg) {
    Turn *t = arg;
    x = expr_map(t->a, x, in_expr, arg);
    return x->kind == E_LOAD && x->array == t->from ? expr_load(t->a, t->to, turned(t, x->args)) : x;
}

static Node *in_stmt(Turn *t, const Node *n) {
    AccessVec acc = node_accesses(t->a, n);
    Node *m = node_rerouted(t->a, n, acc.n);
    bool any = false;
    for (int k = 0; k < acc.n; k++) {
        if (acc.at[k].array != t->from) continue;
        if (acc.at[k].write || expr_has_load(acc.at[k].sub[0]) || expr_has_load(acc.at[k].sub[1]))
            t->failed = true;
        m->via[k] = t->to;
        m->via_sub[k] = turned(t, acc.at[k].sub);
        any = true;
    }
    return any ? m : node_clone(t->a, n);
}

static Node *in_node(Node *n, void *arg) {
    Turn *t = arg;
    if (n->kind == N_STMT) return in_stmt(t, n);
    if (n->kind == N_COPY && n->dst == t->from) t->failed = true;
    return node_map_exprs(t->a, node_map(t->a, n, in_node, arg), in_expr, arg);
}

const Array *turned_array(Names *names, const Array *from, Expr *rows, Expr *columns) {
    Arena *a = names->arena;
    const char *name = name_fresh(names, arena_printf(a, "%s_t", from->name));
    Array *to = array_new(a, name, from->elem, PLACE_TEMP, 2);
    to->extent[0] = columns;
    to->extent[1] = rows;
    return to;
}

Node *turned_copy(Names *names, const Array *from, const Array *to, const Sym *row, const Sym *column) {
    Expr *sub[2] = {expr_sym(names->arena, row), expr_sym(names->arena, column)};
    Expr *at[2] = {sub[1], sub[0]};
    return node_copy(names->arena, to, at, OP_SET, expr_load(names->arena, from, sub));
}

Node *rule_turn(Arena *a, Node *root, const Array *from, const Array *to) {
    Turn t = {a, from, to, false};
    Node *n = in_node(root, &t);
    return t.failed ? NULL : n;
}
