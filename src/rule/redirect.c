// SPDX-License-Identifier: MIT
// redirect.c -- sends accesses of one array to another one of the same shape; marks updates atomic.
#include "rule/rule.h"

typedef struct Redirect {
    Arena *a;
    const Array *from, *to;
} Redirect;

static Expr *in_expr(const Redirect *r, Expr *x) {
    if (!x || x->nargs == 0) {
        if (!x || x->kind != E_LOAD || x->array != r->from) return x;
        return expr_load(r->a, r->to, x->args);
    }
    Expr **args = NEW_N(r->a, Expr *, x->nargs);
    bool same = x->kind != E_LOAD || x->array != r->from;
    for (int i = 0; i < x->nargs; i++) {
        args[i] = in_expr(r, x->args[i]);
        same = same && args[i] == x->args[i];
    }
    if (same) return x;
    Expr *copy = NEW(r->a, Expr);
    *copy = *x;
    copy->args = args;
    if (copy->kind == E_LOAD && copy->array == r->from) copy->array = r->to;
    return copy;
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

static Node *rewrite(const Redirect *r, Node *n) {
    if (!n) return NULL;
    Node *m = node_clone(r->a, n);
    switch (m->kind) {
    case N_SEQ:
        m->kids = NEW_N(r->a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++) m->kids[i] = rewrite(r, n->kids[i]);
        break;
    case N_FOR:
        m->lo = in_expr(r, n->lo);
        m->hi = in_expr(r, n->hi);
        m->body = rewrite(r, n->body);
        break;
    case N_KERNEL: m->body = rewrite(r, n->body); break;
    case N_BARRIER: break;
    case N_IF:
        m->cond = in_expr(r, n->cond);
        m->then = rewrite(r, n->then);
        m->other = rewrite(r, n->other);
        break;
    case N_STMT: in_stmt(r, m); break;
    case N_COPY:
        if (m->dst == r->from) m->dst = r->to;
        m->src = in_expr(r, n->src);
        break;
    }
    return m;
}

Expr *rule_redirect_expr(Arena *a, Expr *x, const Array *from, const Array *to) {
    Redirect r = {a, from, to};
    return in_expr(&r, x);
}

Node *rule_redirect(Arena *a, Node *root, const Array *from, const Array *to) {
    Redirect r = {a, from, to};
    return rewrite(&r, root);
}
