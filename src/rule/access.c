// SPDX-License-Identifier: MIT
// access.c -- all accesses of one array below a place, with the loops and conditions around
// them; each may be sent elsewhere.
#include "rule/storage.h"

typedef struct Walk {
    Arena *a;
    const Array *array;
    SiteVisit visit;
    void *arg;
    Site at;               // loops and conditions so far
} Walk;

static bool ask(Walk *w, const Node *n, Expr *const *sub, bool write, bool read, Op op, const Array **to,
                Expr ***new_sub) {
    Site s = w->at;
    s.node = n;
    s.sub = sub;
    s.write = write;
    s.read = read;
    s.op = op;
    return w->visit(&s, to, new_sub, w->arg);
}

// x with the loads that move.
static Expr *in_expr(Walk *w, const Node *n, Expr *x) {
    if (!x || !expr_has_load(x)) return x;
    Expr **args = NEW_N(w->a, Expr *, x->nargs + 3);
    bool changed = false;
    for (int k = 0; k < x->nargs; k++) {
        args[k] = in_expr(w, n, x->args[k]);
        changed = changed || args[k] != x->args[k];
    }
    const Array *to = x->array;
    if (x->kind == E_LOAD && x->array == w->array && ask(w, n, args, false, true, OP_SET, &to, &args))
        return expr_load(w->a, to, args);
    if (!changed) return x;
    switch (x->kind) {
    case E_LOAD: return expr_load(w->a, x->array, args);
    case E_CAST: return expr_cast(w->a, x->type, args[0]);
    case E_CALL: return expr_call(w->a, x->fn, x->type, x->nargs, args);
    default: return expr_op(w->a, x->op, args[0], args[1], args[2]);
    }
}

static Node *in_stmt(Walk *w, Node *n) {
    AccessVec acc = {0};
    node_accesses(w->a, n, &acc);
    Node *m = NULL;
    for (int k = 0; k < acc.n; k++) {
        const Array *to = NULL;
        Expr **sub = NULL;
        const Access *x = &acc.at[k];
        if (x->array != w->array || !ask(w, n, x->sub, x->write, x->read, n->stmt->op, &to, &sub)) continue;
        if (!m) {
            m = node_clone(w->a, n);
            m->nvia = acc.n;
            m->via = NEW_N(w->a, const Array *, acc.n);
            m->via_sub = NEW_N(w->a, Expr **, acc.n);
            for (int i = 0; i < n->nvia; i++) {
                m->via[i] = n->via[i];
                m->via_sub[i] = n->via_sub ? n->via_sub[i] : NULL;
            }
        }
        m->via[k] = to;
        m->via_sub[k] = sub;
    }
    return m ? m : n;
}

static Node *in_copy(Walk *w, Node *n) {
    Node *m = node_clone(w->a, n);
    m->src = in_expr(w, n, n->src);
    if (!n->dst) return m;
    m->sub = NEW_N(w->a, Expr *, n->dst->rank + 1);
    for (int d = 0; d < n->dst->rank; d++) m->sub[d] = in_expr(w, n, n->sub[d]);
    const Array *to = NULL;
    if (n->dst == w->array && ask(w, n, m->sub, true, n->op != OP_SET, n->op, &to, &m->sub)) m->dst = to;
    return m;
}

static Node *walk(Walk *w, Node *n);

static Node *in_for(Walk *w, Node *n) {
    Node *m = node_clone(w->a, n);
    m->lo = in_expr(w, n, n->lo);
    m->hi = in_expr(w, n, n->hi);
    if (w->at.nloops == SITE_LOOPS) return m; // deeper than any tree that a rule takes
    w->at.loop[w->at.nloops++] = n;
    m->body = walk(w, n->body);
    w->at.nloops--;
    return m;
}

static Node *in_if(Walk *w, Node *n) {
    Node *m = node_clone(w->a, n);
    Expr *before = w->at.cond;
    m->cond = in_expr(w, n, n->cond);
    w->at.cond = cond_and(w->a, before, n->cond);
    m->then = walk(w, n->then);
    w->at.cond = before;
    m->other = n->other ? walk(w, n->other) : NULL;
    return m;
}

static Node *walk(Walk *w, Node *n) {
    if (!n) return NULL;
    switch (n->kind) {
    case N_STMT: return in_stmt(w, n);
    case N_COPY: return in_copy(w, n);
    case N_FOR: return in_for(w, n);
    case N_IF: return in_if(w, n);
    case N_KERNEL: {
        Node *m = node_clone(w->a, n);
        m->body = walk(w, n->body);
        return m;
    }
    case N_SEQ: {
        Node *m = node_clone(w->a, n);
        m->kids = NEW_N(w->a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++) m->kids[i] = walk(w, n->kids[i]);
        return m;
    }
    default: return n;
    }
}

Node *accesses_edit(Arena *a, Node *n, const Array *array, SiteVisit visit, void *arg) {
    Walk w = {.a = a, .array = array, .visit = visit, .arg = arg};
    return walk(&w, n);
}
