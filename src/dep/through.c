// SPDX-License-Identifier: MIT
// through.c -- conditions that ask a local for what was just read into it.
//
//   { local v;  v = x[i];  if (v > 0) … }      →      { local v;  v = x[i];  if (x[i] > 0) … }
//
// What such a condition asks for is then a term (term.h), where nothing writes x. In a tree the statement may
// read a copy of x: that each instance reads what it does in the region is asked of all of them anyway, and
// the condition comes behind it.
#include "dep/through.h"

typedef struct Through {
    Arena *a;
    const Region *r;
    const Array *local;      // and what it holds
    Expr *value;
    bool *any;               // something asked for it
} Through;

static const Array *target(const Node *n) { return n->nvia && n->via[0] ? n->via[0] : n->stmt->lhs; }

// Does kid k of the block set a local of the block, once and for all? What to then is t->value.
static bool sets_local(Through *t, const Node *block, int k) {
    const Node *n = block->kids[k];
    if (n->kind != N_STMT || n->stmt->op != OP_SET || target(n)->rank || n->forms) return false;
    bool own = false;
    int writes = 0;
    t->local = target(n);
    for (int i = 0; i < block->nlocals; i++) own |= block->locals[i] == t->local;
    if (!own || t->local->place != PLACE_LOCAL) return false;
    node_each(m, block)
        writes += (m->kind == N_STMT && target(m) == t->local) || (m->kind == N_COPY && m->dst == t->local);
    t->value = expr_cast(t->a, t->local->elem, node_stmt_expr(t->a, n, n->stmt->rhs));
    expr_each(x, t->value)
        if (x->kind == E_LOAD && (x->array->place != PLACE_USER || region_writes(t->r, x->array)))
            return false;
    return writes == 1;
}

static bool is_truth(const Expr *x) {
    return x->kind == E_OP && ((x->op >= OP_LT && x->op <= OP_LOR) || x->op == OP_LNOT);
}

static Expr *in_expr(Expr *x, void *arg) {
    Through *t = arg;
    if (x->kind == E_LOAD && x->array == t->local) return *t->any = true, t->value;
    x = expr_map(t->a, x, in_expr, arg);
    while (x->kind == E_CAST && type_is_int(x->type) && is_truth(x->args[0])) x = x->args[0];
    bool asks = x->kind == E_OP && x->op == OP_NE && expr_is_int(x->args[1], 0);
    const Expr *asked = asks ? x->args[0] : NULL;
    while (asked && asked->kind == E_CAST && type_is_int(asked->type)) asked = asked->args[0];
    return asked && is_truth(asked) ? (Expr *)asked : x;
}

static Node *in_conditions(Node *n, void *arg) {
    Through *t = arg;
    Node *m = node_map(t->a, n, in_conditions, arg);
    if (n->kind == N_IF) m->cond = in_expr(n->cond, t);
    return m;
}

static Node *through(Node *n, void *arg) {
    Through *t = arg;
    Node *m = node_map(t->a, n, through, arg);
    for (int k = 0; m->kind == N_SEQ && m->nlocals && k < m->nkids; k++) {
        Through own = {t->a, t->r, NULL, NULL, t->any};
        for (int j = k + 1; sets_local(&own, m, k) && j < m->nkids; j++)
            m->kids[j] = in_conditions(m->kids[j], &own);
    }
    return m;
}

Node *dep_through(Arena *a, const Region *r, const Node *root, bool *any) {
    return through((Node *)root, &(Through){a, r, NULL, NULL, any});
}
