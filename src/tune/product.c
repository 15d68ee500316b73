// SPDX-License-Identifier: MIT
// product.c -- is a region the product of two matrices, and which call of the library is it?
//
//   for x, y, z:  C[x][y] += A[…] * B[…]
//   for x, y:  { s = 0; for z: s += A[…] * B[…];  C[x][y] = alpha * s + beta * C[x][y] }
//
// Row-major C[x][y] is the library's column-major matrix of y rows and x columns. The factor
// with y is its left operand, plain when y is the subscript that counts neighbours; the factor
// with x is the right one, plain when z is.
#include "tune/vendor.h"

typedef struct Found {
    const Case *c;
    Node *node[4];     // the region's statements, in text order
    int n;
} Found;

static const Expr *bare(const Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    return x;
}

// The loop counter that a subscript of the statement is; NULL: it is something else.
static const Sym *counter(const Node *n, const Expr *sub) {
    sub = bare(sub);
    if (sub->kind != E_SYM) return NULL;
    for (int i = 0; i < n->stmt->depth; i++)
        if (n->stmt->iters[i] == sub->sym) {
            const Expr *at = bare(n->at[i]);
            return at->kind == E_SYM && at->sym->kind == SYM_ITER ? at->sym : NULL;
        }
    return NULL;
}

// How often the loop of a counter runs; false: not from 0, or not by the parameters alone.
static bool trips(const Case *c, const Sym *s, int64_t *n) {
    const Node *loop = NULL;
    node_each(m, c->region->root)
        if (m->kind == N_FOR && m->iter == s) loop = m;
    int64_t lo;
    return loop && loop->step == 1 && ir_eval(loop->lo, c->nvals, c->vals, &lo) && lo == 0 &&
           ir_eval(loop->hi, c->nvals, c->vals, n) && *n > 0;
}

static bool is_matrix(const Case *c, const Array *a, int64_t *pitch) {
    return a->rank == 2 && a->elem == T_F32 && a->place == PLACE_USER && a->stride == 4 && a->offset == 0 &&
           ir_eval(a->extent[1], c->nvals, c->vals, pitch);
}

static int object_of(const Case *c, const Array *a) {
    for (int i = 0; i < c->nobjects; i++)
        if (str_eq(c->objects[i].name, a->object)) return i;
    return -1;
}

static bool is_element(const Node *store, const Expr *e) {
    const Stmt *s = store->stmt;
    if (e->array != s->lhs) return false;
    for (int k = 0; k < s->lhs->rank; k++)
        if (!expr_equal(e->args[k], s->sub[k])) return false;
    return true;
}

static bool constant(const Case *c, const Expr *e, double *v) {
    e = bare(e);
    if (e->kind == E_FLOAT || e->kind == E_INT) return *v = e->kind == E_INT ? (double)e->i : e->f, true;
    for (int i = 0; e->kind == E_SYM && i < c->nvals; i++)
        if (c->vals[i].sym == e->sym)
            return *v = type_is_float(e->sym->type) ? c->vals[i].f : (double)c->vals[i].i, true;
    return false;
}

// What is stored, times `by`, as alpha * sum + beta * C, with the values of the parameters. False: it is
// something else.
static bool scales(const Case *c, const Array *sum, const Node *store, const Expr *e, double by, Product *p) {
    double v;
    e = bare(e);
    if (e->kind == E_LOAD) {
        if (e->array == sum) p->alpha += (float)by;
        else if (is_element(store, e)) p->beta += (float)by;
        else return false;
        return true;
    }
    if (e->kind != E_OP || e->nargs < 2) return false;
    const Expr *l = e->args[0], *r = e->args[1];
    bool fused = e->op == OP_FMA;
    if (e->op == OP_ADD || e->op == OP_SUB)
        return scales(c, sum, store, l, by, p) && scales(c, sum, store, r, e->op == OP_ADD ? by : -by, p);
    if ((fused && !scales(c, sum, store, e->args[2], by, p)) || (!fused && e->op != OP_MUL)) return false;
    if (constant(c, l, &v)) return scales(c, sum, store, r, by * v, p);
    return constant(c, r, &v) && scales(c, sum, store, l, by * v, p);
}

// sum = 0 … C = alpha * sum + beta * C: the statement that stores, with its factors; NULL: another shape.
static const Node *stores_sum(const Found *f, const Node *update, Product *p) {
    const Array *sum = update->stmt->lhs;
    const Node *zero = f->node[0], *store = f->node[2];
    if (f->n != 3 || update != f->node[1] || sum->rank != 0 || sum->place != PLACE_LOCAL) return NULL;
    const Expr *z = bare(zero->stmt->rhs);
    bool clears = zero->stmt->lhs == sum && zero->stmt->op == OP_SET &&
                  ((z->kind == E_FLOAT && z->f == 0) || (z->kind == E_INT && z->i == 0));
    if (!clears || (store->stmt->op != OP_SET && store->stmt->op != OP_ADD)) return NULL;
    *p = (Product){.beta = store->stmt->op == OP_ADD};
    return scales(f->c, sum, store, store->stmt->rhs, 1, p) && p->alpha != 0 ? store : NULL;
}

// One factor: its counters outer and inner, its object and pitch.
typedef struct Factor {
    const Sym *outer, *inner;
    int object;
    int64_t pitch;
} Factor;

static bool factor(const Case *c, const Node *n, const Expr *x, Factor *f) {
    x = bare(x);
    if (x->kind != E_LOAD || !is_matrix(c, x->array, &f->pitch)) return false;
    f->outer = counter(n, x->args[0]);
    f->inner = counter(n, x->args[1]);
    f->object = object_of(c, x->array);
    return f->outer && f->inner && f->outer != f->inner && f->object >= 0;
}

static bool has(const Factor *f, const Sym *s) { return f->outer == s || f->inner == s; }

static bool fits(int64_t pitch, int64_t rows) { return pitch >= rows && pitch <= INT32_MAX; }

bool product_match(const Case *c, Product *p) {
    Found f = {.c = c};
    node_each(n, c->region->root)
        if (n->kind == N_STMT && f.n < 4) f.node[f.n++] = n;
    const Node *update = f.n == 1 ? f.node[0] : f.n == 3 ? f.node[1] : NULL;
    if (!update || update->stmt->op != OP_ADD || update->stmt->lhs->elem != T_F32) return false;
    *p = (Product){.alpha = 1, .beta = 1};
    const Node *store = f.n == 1 ? update : stores_sum(&f, update, p);
    const Expr *rhs = bare(update->stmt->rhs);
    if (!store || rhs->kind != E_OP || rhs->op != OP_MUL || !is_matrix(c, store->stmt->lhs, &p->ldc))
        return false;
    const Sym *x = counter(store, store->stmt->sub[0]), *y = counter(store, store->stmt->sub[1]);
    Factor l, r, t;
    if (!x || !y || x == y || !factor(c, update, rhs->args[0], &l) || !factor(c, update, rhs->args[1], &r))
        return false;
    if (!has(&l, y)) t = l, l = r, r = t;
    if (!has(&l, y) || has(&l, x) || !has(&r, x) || has(&r, y)) return false;
    const Sym *z = l.outer == y ? l.inner : l.outer;
    if (!has(&r, z) || !trips(c, y, &p->m) || !trips(c, x, &p->n) || !trips(c, z, &p->k)) return false;
    p->c = object_of(c, store->stmt->lhs);
    p->a = l.object, p->lda = l.pitch, p->ta = l.outer == y;
    p->b = r.object, p->ldb = r.pitch, p->tb = r.outer == z;
    return p->c >= 0 && p->c != p->a && p->c != p->b && fits(p->ldc, p->m) &&
           fits(p->lda, p->ta ? p->k : p->m) && fits(p->ldb, p->tb ? p->n : p->k);
}
