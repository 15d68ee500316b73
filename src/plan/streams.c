// SPDX-License-Identifier: MIT
// streams.c -- kernels in which all threads of a block read the same elements one after another.
//
//   for i { s = 0; for j  s += f(x[i], y[j]); out[i] = s }      each thread keeps eight x[i], and the
//                                                               y[j] come by in shared memory
//
//   for i { for j { for d  s += f(x[i][d], y[j][d]); … } }      with few d: a thread keeps all of
//                                                               some y[j], and the x[i] come by
//
// How many iterations a thread takes is chosen by the sizes when the nest runs: of the rounds in
// which the machine takes the blocks, the last costs as much as a full one.
#include "plan/auto.h"
#include "rule/abreast.h"
#include "rule/stream.h"

enum {
    STREAM_TILE = 1024,  // iterations of the loop that are staged at a time
    STREAM_BYTES = 16384,
    STREAM_THREADS = 256,
    FEWEST_BLOCKS = 64,
    ROW_THREADS = 128,   // that go through rows together
    ROW_BLOCKS = 4,      // of a multiprocessor: leaves 128 registers a thread
};

static Expr *number(Plan *p, int64_t v) { return expr_int(p->a, T_I64, v); }
static Expr *both(Plan *p, Expr *x, Expr *y) { return expr_op(p->a, OP_LAND, x, y, NULL); }
static Expr *at_least(Plan *p, Expr *x, int64_t v) { return expr_op(p->a, OP_GE, x, number(p, v), NULL); }
static Expr *at_most(Plan *p, Expr *x, int64_t v) { return expr_op(p->a, OP_LE, x, number(p, v), NULL); }

static Expr *ceil_of(Plan *p, Expr *x, int64_t by) {
    return expr_op(p->a, OP_FDIV, expr_add(p->a, x, number(p, by - 1)), number(p, by), NULL);
}

// How many of the blocks the busiest multiprocessor has.
static Expr *rounds_of(Plan *p, Expr *blocks) {
    Expr *m = plan_processors(p), *up = expr_sub(p->a, expr_add(p->a, blocks, m), number(p, 1));
    return expr_op(p->a, OP_FDIV, up, m, NULL);
}

static Expr *trips64(Plan *p, const Chain *c, const MapDim *d) {
    Node bare = *c->loop[d->loop];
    bare.lo = expr_cast(p->a, T_I64, d->lo);
    bare.hi = expr_cast(p->a, T_I64, d->hi);
    return loop_trips(p->a, &bare);
}

static bool is_whole(const MapDim *d) { return d->exact && d->threads > 1 && host_can_eval(d->lo) && host_can_eval(d->hi); }

// ---- one loop mapped ------------------------------------------------------------------------------

static Node *stream(Plan *p, const Chain *c, const MapDim *dim, int per) {
    MapDim d = *dim;
    d.per = per;
    d.apart = true;
    d.threads = STREAM_THREADS;
    Node *k = rule_map_gpu(&p->names, c, 1, &d, kernel_name(p));
    k = k ? rule_stream(&p->names, k, STREAM_TILE, false, STREAM_BYTES) : NULL;
    if (k) k->min_blocks = 2;
    return k;
}

Node *plan_streams(Plan *p, const Chain *c, int ndims, const MapDim *dims, Node *other) {
    enum { KINDS = 3 };
    static const int per[KINDS] = {2, 4, 8};
    Expr *cost[KINDS];
    if (ndims != 1 || !is_whole(&dims[0])) return NULL;
    Expr *n = trips64(p, c, &dims[0]);
    for (int k = 0; k < KINDS; k++) {
        Node *kernel = stream(p, c, &dims[0], per[k]);
        if (!kernel) return NULL;
        Expr *blocks = ceil_of(p, n, STREAM_THREADS * per[k]);
        cost[k] = expr_mul(p->a, rounds_of(p, blocks), number(p, per[k]));
        Expr *when = at_least(p, blocks, FEWEST_BLOCKS);
        for (int l = 0; l < k; l++) when = both(p, when, expr_op(p->a, OP_LE, cost[k], cost[l], NULL));
        other = node_if(p->a, when, kernel, other);
    }
    return other;
}

// ---- two loops mapped, a short one inside -----------------------------------------------------------

typedef struct Short {
    Node *loop;
    int loops;
} Short;

static void find_loop(Node *n, void *arg) {
    Short *s = arg;
    if (n->kind == N_FOR && n->how == HOW_SERIAL) s->loop = n, s->loops++;
}

static void find_counter(const Expr *x, void *found) {
    if (x->kind == E_SYM && x->sym->kind == SYM_ITER) *(bool *)found = true;
}

// The only loop of the body: for d in 0..dim, dim a parameter.
static Node *short_loop(Node *body) {
    Short s = {0};
    bool counter = false;
    node_walk(body, find_loop, &s);
    if (s.loops != 1 || s.loop->step != 1 || !expr_is_int(s.loop->lo, 0) || !host_can_eval(s.loop->hi)) return NULL;
    expr_walk(s.loop->hi, find_counter, &counter);
    return counter || s.loop->hi->kind == E_INT ? NULL : s.loop;
}

// for d in 0..most unroll  if (d < dim) …
static Node *unrolled(Plan *p, Node *loop, int64_t most) {
    Arena *a = p->a;
    Node *n = node_clone(a, loop);
    n->how = HOW_UNROLL;
    n->hi = expr_int(a, loop->hi->type, most);
    Expr *in = expr_op(a, OP_LT, expr_sym(a, n->iter), expr_cast(a, n->iter->type, loop->hi), NULL);
    n->body = node_if(a, in, loop->body, NULL);
    return n;
}

// The rows i as strips: for ib { for j { for ii in 0 .. min(strip, n - strip*ib) { body } } }
static Node *rows_kernel(Plan *p, const Chain *c, const MapDim *dims, Node *body, int strip, int per) {
    Arena *a = p->a;
    const Node *rows = c->loop[dims[1].loop];
    Type t = rows->iter->type;
    const Sym *ib = iter_fresh(&p->names, arena_printf(a, "%ss", rows->iter->name), t);
    const Sym *ii = iter_fresh(&p->names, rows->iter->name, t);
    Expr *first = expr_mul(a, expr_sym(a, ib), expr_int(a, t, strip));
    Expr *trips = expr_sub(a, expr_cast(a, t, dims[1].hi), expr_cast(a, t, dims[1].lo));
    Expr *left = expr_op(a, OP_MIN, expr_int(a, t, strip), expr_sub(a, trips, first), NULL);
    Expr *i = expr_add(a, expr_cast(a, t, dims[1].lo), expr_add(a, first, expr_sym(a, ii)));
    body = node_subst(a, node_again(&p->names, body), 1, &rows->iter, &i);
    body = node_for(a, ii, expr_int(a, t, 0), left, 1, HOW_SERIAL, body);
    Expr *strips = expr_op(a, OP_FDIV, expr_add(a, trips, expr_int(a, t, strip - 1)), expr_int(a, t, strip), NULL);
    Node *outer = node_for(a, ib, expr_int(a, t, 0), strips, 1, HOW_SERIAL, NULL);
    Chain two = {.n = 2, .loop = {outer, c->loop[dims[0].loop]}, .body = body};
    MapDim d[2] = {dims[0], {.loop = 0, .threads = 1, .lo = outer->lo, .hi = outer->hi, .exact = true, .small = true}};
    d[0].loop = 1;
    d[0].per = per;
    d[0].apart = true;
    d[0].threads = ROW_THREADS;
    Node *k = rule_map_gpu(&p->names, &two, 2, d, kernel_name(p));
    k = k ? rule_stream(&p->names, k, strip, true, STREAM_BYTES) : NULL;
    if (k) k->min_blocks = ROW_BLOCKS;
    return k;
}

static int widest(const Region *r) {
    int size = 4;
    for (int i = 0; i < r->narrays; i++)
        if (type_size(r->arrays[i]->elem) > size) size = type_size(r->arrays[i]->elem);
    return size;
}

// How long strips take, in rows: each begins with a thread's own elements; a multiprocessor needs
// some blocks to be busy.
static Expr *strips_cost(Plan *p, Expr *blocks, int strip) {
    enum { BEGINNING = 16, FEWEST_EACH = 3 };
    Expr *each = expr_op(p->a, OP_MAX, rounds_of(p, blocks), number(p, FEWEST_EACH), NULL);
    return expr_mul(p->a, each, number(p, strip + BEGINNING));
}

Node *plan_rows(Plan *p, const Chain *c, int ndims, const MapDim *dims, Node *other) {
    enum { LEAST = 5, MOST = 16, MOST_STRIPS = 65535, KINDS = 2 };
    static const int strip[KINDS] = {64, 128};
    if (ndims != 2 || c->n != 2 || !is_whole(&dims[0]) || !is_whole(&dims[1])) return other;
    Node *loop = short_loop(c->body);
    if (!loop || c->loop[dims[1].loop]->step != 1) return other;
    Node *body = node_replace(p->a, c->body, loop, unrolled(p, loop, MOST));
    int per = 16 / widest(p->region);
    Expr *n = trips64(p, c, &dims[1]), *m = trips64(p, c, &dims[0]), *dim = expr_cast(p->a, T_I64, loop->hi);
    Expr *in = both(p, at_least(p, dim, LEAST), at_most(p, dim, MOST)), *before = NULL;
    in = both(p, in, at_most(p, n, (int64_t)strip[0] * MOST_STRIPS));
    for (int k = 0; k < KINDS; k++) {
        Node *kernel = rows_kernel(p, c, dims, body, strip[k], per);
        if (!kernel) return other;
        Expr *blocks = expr_mul(p->a, ceil_of(p, m, ROW_THREADS * per), ceil_of(p, n, strip[k]));
        Expr *cost = strips_cost(p, blocks, strip[k]), *when = both(p, in, expr_op(p->a, OP_GE, blocks, expr_mul(p->a, number(p, 2), plan_processors(p)), NULL));
        if (before) when = both(p, when, expr_op(p->a, OP_LE, cost, before, NULL));
        before = cost;
        other = node_if(p->a, when, kernel, other);
    }
    return other;
}
