// SPDX-License-Identifier: MIT
// differ.c -- subscripts that may all be different, and of which the host can find out whether they are.
//
//   for (i…) out[(i * m) % n] = x[i];      for (i…) out[p[q[i]]] = x[i];
//
// No rule tells that iterations write elements of their own. But each subscript is one that the host can
// compute, of counters, parameters and memory that the region leaves alone. So the inspection that finds
// their ends also notes each of them in a bitmap (emit/inspect.c). Where none is there twice, the array may
// be numbered by who writes it (ir/slots.c). A value of an index array by itself, out[p[i]], is left to the
// run time (run/distinct.c), which need not look again where the data stay on the device.
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

static void see_load(const Expr *x, void *arg) {
    Differ *d = arg;
    if (x->kind != E_LOAD) return;
    d->other |= x->array->place != PLACE_USER;
    for (int k = 0; k < d->written.n; k++) d->other |= arrays_may_overlap(d->written.at[k], x->array);
}

static void see_stmt(Node *n, void *arg) {
    Differ *d = arg;
    if (n->kind != N_STMT || !arrays_may_overlap(n->stmt->lhs, d->v)) return;
    d->writes++;
    d->other |= n->stmt->lhs != d->v || n->stmt->op != OP_SET;
    d->stmt = n;
}

typedef struct Reads {
    const Array *v;
    bool any;
} Reads;

static void see_read(const Expr *x, void *arg) {
    Reads *r = arg;
    r->any |= x->kind == E_LOAD && arrays_may_overlap(x->array, r->v);
}

static void see_reads(Node *n, void *arg) { node_see_exprs(n, see_read, arg); }

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
        expr_walk(n->stmt->sub[0], see_load, d);
        Node *leaf = NEW(a, Node);
        *leaf = (Node){.kind = N_COPY, .op = OP_SET, .src = expr_cast(a, T_I64, n->stmt->sub[0])};
        return leaf;
    }
    Node *kid, *below = NULL;
    for (int k = 0; !below && (kid = node_kid(n, k)); k++) below = path(d, kid);
    if (!below || n->kind == N_SEQ) return below;
    if (n->kind == N_IF) {
        expr_walk(n->cond, see_load, d);
        return kid == n->then ? node_if(a, n->cond, below, NULL)
                              : node_if(a, expr_op(a, OP_LNOT, n->cond, NULL, NULL), below, NULL);
    }
    expr_walk(n->lo, see_load, d);
    expr_walk(n->hi, see_load, d);
    d->other |= n->kind != N_FOR || loop_is_unbounded(n) || mark_vouches(n->mark);
    vec_push(a, &d->iters, n->iter);
    Sym *i = NEW(a, Sym);
    *i = *n->iter;
    i->name = name_new(d->m, n->iter->name);
    Expr *to = expr_sym(a, i);
    Node *loop = node_for(a, i, n->lo, n->hi, n->step, HOW_SERIAL, node_subst(a, below, 1, &n->iter, &to));
    loop->loc = n->loc;
    return loop;
}

Node *differ_tree(Normal *m, Node *root, const Array *v) {
    Differ d = {.m = m, .a = m->a, .v = v};
    if (v->rank != 1 || v->place != PLACE_USER) return NULL;
    node_walk(root, see_stmt, &d);
    if (d.writes != 1 || d.other) return NULL;
    Reads reads = {v, false};
    node_walk(root, see_reads, &reads);
    node_written(m->a, root, &d.written);
    Node *tree = reads.any ? NULL : path(&d, root);
    if (!tree || d.other || !d.iters.n) return NULL;
    const Expr *sub = d.stmt->stmt->sub[0];
    return affine_in(m->c, sub, d.iters.n, d.iters.at) || is_index(&d, sub) ? NULL : tree;
}
