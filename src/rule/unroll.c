// SPDX-License-Identifier: MIT
// unroll.c -- a short innermost loop is printed with an unroll factor.
//
//   for k in 0..p  acc += a[i][k] * b[k][j]   →   for k in 0..p unroll 16  acc += …
//
// More loads are then under way at a time. The order of the iterations stays, so it is always
// right; it is for bodies so small that waiting for loads is what they do.
#include "rule/rule.h"

enum {
    FACTOR = 16, // of 0, 2, 4, 8 and 16 the best over three spellings of the matrix product, n = 4096, H200
    MAX_STMTS = 2,
    MAX_LOADS = 4,
};

typedef struct Weight {
    int stmts, loads;
    bool heavy; // calls, divisions, conditions, inner loops
} Weight;

static void weigh_expr(const Expr *x, void *arg) {
    Weight *w = arg;
    if (x->kind == E_LOAD && x->array->place != PLACE_LOCAL) w->loads++;
    if (x->kind == E_CALL && x->nargs != 1) w->heavy = true;
    if (x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD) && type_is_float(x->type)) w->heavy = true;
}

static void weigh_node(Node *n, void *arg) {
    Weight *w = arg;
    if (n->kind == N_FOR || n->kind == N_IF || n->kind == N_KERNEL || n->atomic) w->heavy = true;
    if (n->kind == N_COPY) w->stmts++, expr_walk(n->src, weigh_expr, w);
    if (n->kind == N_STMT) w->stmts++, expr_walk(n->stmt->rhs, weigh_expr, w);
}

static bool is_light(Node *loop) {
    Weight w = {0};
    node_walk(loop->body, weigh_node, &w);
    return !w.heavy && w.stmts <= MAX_STMTS && w.loads >= 1 && w.loads <= MAX_LOADS;
}

Node *rule_unroll_inner(Arena *a, Node *n) {
    if (!n || n->kind == N_STMT || n->kind == N_COPY) return n;
    Node *m = node_clone(a, n);
    if (n->kind == N_SEQ) {
        m->kids = NEW_N(a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++) m->kids[i] = rule_unroll_inner(a, n->kids[i]);
    } else if (n->kind == N_IF) {
        m->then = rule_unroll_inner(a, n->then);
        m->other = rule_unroll_inner(a, n->other);
    } else {
        m->body = rule_unroll_inner(a, n->body);
    }
    // Bounds that depend on data promise few iterations.
    bool plain = n->kind == N_FOR && n->how == HOW_SERIAL && !n->unroll && (n->step == 1 || n->step == -1) &&
                 !expr_has_load(n->lo) && !expr_has_load(n->hi);
    if (plain && is_light(n)) m->unroll = FACTOR;
    return m;
}
