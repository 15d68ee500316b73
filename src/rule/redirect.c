// SPDX-License-Identifier: MIT
// redirect.c -- sends accesses of one array to another one of the same shape; marks updates atomic.
#include "rule/rule.h"

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
    AccessVec acc = {0};
    stmt_accesses(r->a, n->stmt, &acc);
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

Expr *rule_redirect_expr(Arena *a, Expr *x, const Array *from, const Array *to) {
    return x ? in_expr(x, &(Redirect){a, from, to}) : NULL;
}

Node *rule_redirect(Arena *a, Node *root, const Array *from, const Array *to) {
    return root ? rewrite(root, &(Redirect){a, from, to}) : NULL;
}
