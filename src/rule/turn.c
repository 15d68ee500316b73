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

static Expr *in_expr(Turn *t, Expr *x) {
    if (!x || !expr_has_load(x)) return x;
    Expr *copy = NEW(t->a, Expr);
    *copy = *x;
    copy->args = NEW_N(t->a, Expr *, x->nargs + 1);
    for (int i = 0; i < x->nargs; i++) copy->args[i] = in_expr(t, x->args[i]);
    return x->kind == E_LOAD && x->array == t->from ? expr_load(t->a, t->to, turned(t, copy->args)) : copy;
}

static void in_stmt(Turn *t, Node *n) {
    AccessVec acc = {0};
    node_accesses(t->a, n, &acc);
    const Array **via = NEW_N(t->a, const Array *, acc.n + 1);
    Expr ***via_sub = NEW_N(t->a, Expr **, acc.n + 1);
    bool any = false;
    for (int k = 0; k < acc.n; k++) {
        via[k] = n->nvia ? n->via[k] : NULL;
        via_sub[k] = n->nvia && n->via_sub ? n->via_sub[k] : NULL;
        if (acc.at[k].array != t->from) continue;
        if (acc.at[k].write || expr_has_load(acc.at[k].sub[0]) || expr_has_load(acc.at[k].sub[1]))
            t->failed = true;
        via[k] = t->to;
        via_sub[k] = turned(t, acc.at[k].sub);
        any = true;
    }
    if (any) n->via = via, n->via_sub = via_sub, n->nvia = acc.n;
}

static Node *in_node(Turn *t, Node *n) {
    if (!n) return NULL;
    Node *m = node_clone(t->a, n);
    m->body = in_node(t, n->body);
    m->then = in_node(t, n->then);
    m->other = in_node(t, n->other);
    m->lo = in_expr(t, n->lo);
    m->hi = in_expr(t, n->hi);
    m->cond = in_expr(t, n->cond);
    m->src = in_expr(t, n->src);
    if (n->nkids) m->kids = NEW_N(t->a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) m->kids[i] = in_node(t, n->kids[i]);
    if (n->kind == N_COPY && n->dst == t->from) t->failed = true;
    if (n->kind == N_STMT) in_stmt(t, m);
    return m;
}

const Array *turned_array(Names *names, const Array *from, Expr *rows, Expr *columns) {
    Arena *a = names->arena;
    Array *to = NEW(a, Array);
    *to = (Array){.name = name_fresh(names, arena_printf(a, "%s_t", from->name)), .elem = from->elem,
                  .place = PLACE_TEMP, .rank = 2, .stride = type_size(from->elem)};
    to->object = to->name;
    to->extent = NEW_N(a, Expr *, 2);
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
    Node *n = in_node(&t, root);
    return t.failed ? NULL : n;
}
