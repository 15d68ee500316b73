// SPDX-License-Identifier: MIT
// access.c -- all accesses of one array below a place, with the loops and conditions around
// them; each may be sent elsewhere.
#include "rule/storage.h"

typedef struct Walk {
    Arena *a;
    const Array *array;
    SiteVisit visit;
    void *arg;
    const Node *node;      // whose expression is looked at
    VEC(const Node *) loops; // so far
    Site at;               // and the conditions
} Walk;

static bool ask(Walk *w, const Node *n, Expr *const *sub, bool write, bool read, Op op, const Array **to,
                Expr ***new_sub) {
    Site s = w->at;
    s.nloops = w->loops.n;
    s.loop = w->loops.at;
    s.node = n;
    s.sub = sub;
    s.write = write;
    s.read = read;
    s.op = op;
    return w->visit(&s, to, new_sub, w->arg);
}

// x with the loads that move.
static Expr *in_expr(Walk *w, const Node *n, Expr *x);

static Expr *in_operand(Expr *x, void *arg) {
    Walk *w = arg;
    return in_expr(w, w->node, x);
}

static Expr *in_expr(Walk *w, const Node *n, Expr *x) {
    if (!x || !expr_has_load(x)) return x;
    w->node = n;
    x = expr_map(w->a, x, in_operand, w);
    const Array *to = x->array;
    Expr **args = x->args;
    bool moves =
        x->kind == E_LOAD && x->array == w->array && ask(w, n, args, false, true, OP_SET, &to, &args);
    return moves ? expr_load(w->a, to, args) : x;
}

// Loads in subscripts of the statement's text are accesses of their own. Those in subscripts that the node
// gives are told of nowhere else.
static Node *in_stmt(Walk *w, Node *n) {
    AccessVec acc = node_accesses(w->a, n);
    Node *m = NULL;
    for (int k = 0; k < acc.n; k++) {
        const Access *x = &acc.at[k];
        const Array *to = x->array;
        bool own = n->nvia && n->via_sub && n->via_sub[k], moves = false;
        Expr **sub = NEW_N(w->a, Expr *, to->rank + 1);
        for (int d = 0; d < to->rank; d++) {
            sub[d] = own || to == w->array ? in_expr(w, n, x->sub[d]) : x->sub[d];
            moves = moves || (own && sub[d] != x->sub[d]);
        }
        if (to == w->array && ask(w, n, sub, x->write, x->read, n->stmt->op, &to, &sub)) moves = true;
        if (!moves) continue;
        if (!m) m = node_rerouted(w->a, n, acc.n);
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

static Node *walk(Node *n, void *arg);

static Node *in_for(Walk *w, Node *n) {
    Node *m = node_clone(w->a, n);
    m->lo = in_expr(w, n, n->lo);
    m->hi = in_expr(w, n, n->hi);
    vec_push(w->a, &w->loops, n);
    m->body = walk(n->body, w);
    w->loops.n--;
    return m;
}

static Node *in_if(Walk *w, Node *n) {
    Node *m = node_clone(w->a, n);
    Expr *before = w->at.cond;
    m->cond = in_expr(w, n, n->cond);
    w->at.cond = cond_and(w->a, before, n->cond);
    m->then = walk(n->then, w);
    if (n->other) {
        w->at.cond = cond_and(w->a, before, expr_op(w->a, OP_LNOT, n->cond, NULL, NULL));
        m->other = walk(n->other, w);
    }
    w->at.cond = before;
    return m;
}

static Node *walk(Node *n, void *arg) {
    Walk *w = arg;
    switch (n->kind) {
    case N_STMT: return in_stmt(w, n);
    case N_COPY: return in_copy(w, n);
    case N_FOR: return in_for(w, n);
    case N_IF: return in_if(w, n);
    default: return node_map(w->a, n, walk, w);
    }
}

Node *accesses_edit(Arena *a, Node *n, const Array *array, SiteVisit visit, void *arg) {
    Walk w = {.a = a, .array = array, .visit = visit, .arg = arg};
    return n ? walk(n, &w) : NULL;
}
