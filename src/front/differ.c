// SPDX-License-Identifier: MIT
// differ.c -- subscripts that may all be different, and of which the host can find out whether they are.
//
//   for (i…) out[(i * m) % n] = x[i];      for (i…) out[p[q[i]]] = x[i];
//
// No rule tells that iterations write elements of their own. But each subscript is one that the host can
// compute, of counters, parameters and memory that the region leaves alone. So the inspection that finds
// their ends also notes each of them in a bitmap (emit/inspect.c). Where none is there twice, the array may
// be numbered by who writes it (ir/slots.c). A value of an index array by itself, out[p[i]], is left to the
// run time (run/promised.c), which need not look again where the data stay on the device.
#include "front/normal.h"

typedef struct Differ {
    Normal *m;
    Arena *a;
    const Array *v;
    ArrayVec written;       // in the region
    int writes;
    const Node *stmt;       // where v is written
    VEC(const Sym *) iters; // of the loops around it
    bool other;             // something keeps the host from asking, or it need not
} Differ;

// What the host reads to ask must be there, and stay.
static void see_loads(Differ *d, const Expr *root) {
    expr_each(x, root) {
        if (x->kind != E_LOAD) continue;
        d->other |= x->array->place != PLACE_USER;
        for (int k = 0; k < d->written.n; k++) d->other |= arrays_may_overlap(d->written.at[k], x->array);
    }
}

static void see_stmt(Differ *d, const Node *n) {
    if (n->kind != N_STMT || !arrays_may_overlap(n->stmt->lhs, d->v)) return;
    d->writes++;
    d->other |= n->stmt->lhs != d->v || n->stmt->op != OP_SET;
    d->stmt = n;
}

static bool is_read(const Node *root, const Array *v) {
    node_each(n, root)
        node_each_expr(x, n)
            if (x->kind == E_LOAD && arrays_may_overlap(x->array, v)) return true;
    return false;
}

// index[affine] alone?
static bool is_index(Differ *d, const Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_LOAD && x->array->rank == 1 &&
           affine_in(d->m->c, x->args[0], d->iters.n, d->iters.at);
}

// The loops and conditions around the statement, and its subscript. NULL: it is not below n.
static Node *path(Differ *d, Node *n) {
    Arena *a = d->a;
    if (n == d->stmt) {
        see_loads(d, n->stmt->sub[0]);
        Node *leaf = NEW(a, Node);
        *leaf = (Node){.kind = N_COPY, .op = OP_SET, .src = expr_cast(a, T_I64, n->stmt->sub[0])};
        return leaf;
    }
    Node *kid, *below = NULL;
    for (int k = 0; !below && (kid = node_kid(n, k)); k++) below = path(d, kid);
    if (!below || n->kind == N_SEQ) return below;
    if (n->kind == N_IF) {
        see_loads(d, n->cond);
        return kid == n->then ? node_if(a, n->cond, below, NULL)
                              : node_if(a, expr_op(a, OP_LNOT, n->cond, NULL, NULL), below, NULL);
    }
    see_loads(d, n->lo);
    see_loads(d, n->hi);
    d->other |= n->kind != N_FOR || loop_is_unbounded(n) || mark_vouches(n->mark);
    vec_push(a, &d->iters, n->iter);
    Sym *i = NEW_AS(a, Sym, *n->iter);
    i->name = name_new(d->m, n->iter->name);
    Expr *to = expr_sym(a, i);
    Node *loop = node_for(a, i, n->lo, n->hi, n->step, HOW_SERIAL, node_subst(a, below, 1, &n->iter, &to));
    loop->loc = n->loc;
    return loop;
}

Node *differ_tree(Normal *m, Node *root, const Array *v) {
    Differ d = {.m = m, .a = m->a, .v = v};
    if (v->rank != 1 || v->place != PLACE_USER) return NULL;
    node_each(n, root) see_stmt(&d, n);
    if (d.writes != 1 || d.other) return NULL;
    d.written = node_written(m->a, root);
    Node *tree = is_read(root, v) ? NULL : path(&d, root);
    if (!tree || d.other || !d.iters.n) return NULL;
    const Expr *sub = d.stmt->stmt->sub[0];
    return affine_in(m->c, sub, d.iters.n, d.iters.at) || is_index(&d, sub) ? NULL : tree;
}
