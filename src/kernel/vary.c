// SPDX-License-Identifier: MIT
// vary.c -- follows the thread's number through private variables, to a fixed point.
#include "kernel/vary.h"

static bool is_thread(const Vary *v, const Sym *s) {
    for (int d = 0; d < v->nthread; d++)
        if (v->thread[d] == s) return true;
    return false;
}

static bool is_varying_iter(const Vary *v, const Sym *s) {
    for (int i = 0; i < v->iters.n; i++)
        if (v->iters.at[i] == s) return true;
    return false;
}

bool vary_uses_thread(const Vary *v, const Expr *x) {
    expr_each(y, x)
        if (y->kind == E_SYM && is_thread(v, y->sym)) return true;
    return false;
}

static bool is_comparison(const Expr *x) { return x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE; }

bool vary_expr(const Vary *v, const Expr *x) {
    if (!x) return false;
    Expr *l, *r;
    bool both = is_comparison(x) && vary_uses_thread(v, x->args[0]) && vary_uses_thread(v, x->args[1]);
    if (both && vary_cancels(v, x, &l, &r)) return vary_expr(v, l) || vary_expr(v, r);
    if (x->kind == E_SYM && (is_thread(v, x->sym) || is_varying_iter(v, x->sym))) return true;
    if (x->kind == E_LOAD && has_array(&v->arrays, x->array)) return true;
    for (int i = 0; i < x->nargs; i++)
        if (vary_expr(v, x->args[i])) return true;
    return false;
}

static void follow(Vary *v, Node *n, bool differs) {
    if (!n) return;
    if (n->kind == N_STMT) {
        const Stmt *s = n->stmt;
        for (int i = 0; i < s->lhs->rank; i++) differs |= vary_expr(v, s->sub[i]);
        differs |= vary_expr(v, s->rhs);
        if (differs && s->lhs->place == PLACE_LOCAL && !has_array(&v->arrays, s->lhs))
            vec_push(v->a, &v->arrays, s->lhs);
        return;
    }
    for (int i = 0; n->kind == N_SEQ && i < n->nkids; i++) follow(v, n->kids[i], differs);
    if (n->kind == N_FOR) {
        bool mine = vary_expr(v, n->lo) || vary_expr(v, n->hi);
        if (mine && !is_varying_iter(v, n->iter)) vec_push(v->a, &v->iters, n->iter);
        follow(v, n->body, differs || mine);
    } else if (n->kind == N_IF) {
        bool mine = vary_expr(v, n->cond);
        follow(v, n->then, differs || mine);
        follow(v, n->other, differs || mine);
    }
}

void vary_start(Vary *v, Arena *a, int nthread, const Sym *const *thread, Node *body) {
    *v = (Vary){.a = a, .nthread = nthread, .thread = thread};
    for (int before = -1; before != v->arrays.n + v->iters.n;) {
        before = v->arrays.n + v->iters.n;
        follow(v, body, false);
    }
}

static const Expr *culprit(const Vary *v, const Expr *x) {
    if (!x || !vary_expr(v, x)) return NULL;
    for (int i = 0; i < x->nargs; i++) {
        const Expr *c = culprit(v, x->args[i]);
        if (c) return c;
    }
    return x;
}

const char *vary_reason(const Vary *v, const Expr *x) {
    const Expr *c = culprit(v, x);
    if (!c) return "";
    if (c->kind == E_SYM)
        return is_thread(v, c->sym) ? " (it asks for the thread's number)"
                                    : arena_printf(v->a, " ('%s' differs between them)", c->sym->name);
    return c->kind == E_LOAD ? arena_printf(v->a, " ('%s' is each thread's own)", c->array->name) : "";
}

// ---- counters replaced ---------------------------------------------------------------------------
typedef struct Subst {
    const Sym *from;
    Expr *to;
} Subst;

static Expr *replace(Rebuild *b, Expr *x) {
    const Subst *s = b->self;
    return x->kind == E_SYM && x->sym == s->from ? expr_cast(b->a, x->type, s->to) : x;
}

Node *vary_subst(Arena *a, Node *n, const Sym *iter, Expr *value) {
    Subst s = {iter, value};
    Rebuild b = {.a = a, .expr = replace, .self = &s};
    return rebuild_node(&b, n);
}
