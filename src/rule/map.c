// SPDX-License-Identifier: MIT
// map.c -- binds loops to thread blocks and threads.
//
//   for i in 0..n              kernel {
//     for k in 0..p              block ib in 0 .. ceil(n/8)  block jb in 0 .. ceil(m/32)
//       for j in 0..m     →        thread it in 0..8  thread jt in 0..32
//         S[i, k, j]                 if (8*ib+it < n && 32*jb+jt < m)
//                                      for k in 0..p  S[8*ib+it, k, 32*jb+jt] }
//
// Right when instances that conflict agree on every mapped counter: then they are in one
// thread, in their old order.
#include "rule/rule.h"

enum { MAX_GRID_YZ = 65535 }; // blocks in y and z that every CUDA device takes

// The loops and expressions that stand for one mapped counter.
typedef struct Strip {
    Node *block, *chunk, *thread; // chunk, thread: NULL when not needed
    Expr *value;                  // of the counter
} Strip;

static Type strip_type(const Sym *iter) { return type_size(iter->type) < 4 ? T_I32 : iter->type; }

// value = lo + step * (threads * block + thread)
static Strip strip(Names *names, const Node *loop, const MapDim *d, bool limited) {
    Arena *a = names->arena;
    Type t = strip_type(loop->iter);
    Node bare = *loop;
    bare.lo = expr_narrow(a, t, d->lo);
    bare.hi = expr_narrow(a, t, d->hi);
    Expr *trips = loop_trips(a, &bare);
    Expr *blocks = trips;
    if (d->threads > 1) {
        blocks = expr_add(a, trips, expr_int(a, t, d->threads - 1));
        blocks = expr_op(a, OP_FDIV, blocks, expr_int(a, t, d->threads), NULL);
    }
    Strip s = {0};
    const Sym *ib = iter_fresh(names, arena_printf(names->arena, "%sb", loop->iter->name), t);
    Expr *zero = expr_int(a, t, 0), *at = expr_sym(a, ib), *grid = blocks;
    if (limited) {
        const Sym *ic = iter_fresh(names, arena_printf(names->arena, "%sc", loop->iter->name), t);
        grid = expr_op(a, OP_MIN, blocks, expr_int(a, t, MAX_GRID_YZ), NULL);
        s.chunk = node_for(a, ic, at, blocks, MAX_GRID_YZ, HOW_SERIAL, NULL);
        at = expr_sym(a, ic);
    }
    s.block = node_for(a, ib, zero, grid, 1, HOW_BLOCK, NULL);
    if (d->threads > 1) {
        const Sym *it = iter_fresh(names, arena_printf(names->arena, "%st", loop->iter->name), t);
        s.thread = node_for(a, it, zero, expr_int(a, t, d->threads), 1, HOW_THREAD, NULL);
        at = expr_add(a, expr_mul(a, at, expr_int(a, t, d->threads)), expr_sym(a, it));
    }
    s.value = expr_cast(a, loop->iter->type, loop_value(a, &bare, at));
    return s;
}

static Expr *both(Arena *a, Expr *x, Expr *y) { return x ? expr_op(a, OP_LAND, x, y, NULL) : y; }

static Expr *in_range(Arena *a, const Node *loop, bool check_lo) {
    Expr *i = expr_sym(a, loop->iter);
    bool up = loop->step > 0;
    Expr *ok = expr_op(a, up ? OP_LT : OP_GT, i, expr_cast(a, i->type, loop->hi), NULL);
    if (!check_lo) return ok;
    return both(a, expr_op(a, up ? OP_GE : OP_LE, i, expr_cast(a, i->type, loop->lo), NULL), ok);
}

static const MapDim *dim_of(int ndims, const MapDim *dims, int loop) {
    for (int d = 0; d < ndims; d++)
        if (dims[d].loop == loop) return &dims[d];
    return NULL;
}

// The chain without its mapped loops: conditions take their places. Conditions over
// parameters and mapped counters alone are gathered in *outer.
static Node *body_of(Arena *a, const Chain *c, int ndims, const MapDim *dims, Expr **outer) {
    Node *n = c->body;
    for (int i = c->n - 1; i >= 0; i--) {
        const MapDim *d = dim_of(ndims, dims, i);
        if (!d) {
            Node *loop = node_clone(a, c->loop[i]);
            loop->body = n;
            n = loop;
        } else if (!d->exact) {
            n = node_if(a, in_range(a, c->loop[i], true), n, NULL);
        }
    }
    for (int d = 0; d < ndims; d++)
        if (dims[d].exact) *outer = both(a, *outer, in_range(a, c->loop[dims[d].loop], false));
    return n;
}

static Node *around(Node *outer, Node *body) {
    if (!outer) return body;
    outer->body = body;
    return outer;
}

Node *rule_map_gpu(Names *names, const Chain *c, int ndims, const MapDim *dims, const char *name) {
    Arena *a = names->arena;
    Expr *guard = NULL;
    Node *n = body_of(a, c, ndims, dims, &guard);
    if (guard) n = node_if(a, guard, n, NULL);
    const Sym *from[3];
    Expr *to[3];
    Strip s[3];
    for (int d = 0; d < ndims; d++) {
        const Node *loop = c->loop[dims[d].loop];
        s[d] = strip(names, loop, &dims[d], d > 0 && !dims[d].small);
        from[d] = loop->iter;
        to[d] = s[d].value;
    }
    n = node_subst(a, n, ndims, from, to);
    for (int d = 0; d < ndims; d++) n = around(s[d].thread, n);
    for (int d = 0; d < ndims; d++) n = around(s[d].chunk, n);
    for (int d = 0; d < ndims; d++) n = around(s[d].block, n);
    return node_kernel(a, name, n);
}

Node *rule_map_cpu(Names *names, const Chain *c, int ndims, const MapDim *dims, bool vector, const char *name) {
    Arena *a = names->arena;
    Chain copy = *c;
    if (vector) {
        Node *last = node_clone(a, c->loop[c->n - 1]);
        last->how = HOW_VECTOR;
        copy.loop[c->n - 1] = last;
    }
    Expr *ignore = NULL;
    Node *n = body_of(a, &copy, ndims, dims, &ignore); // loops run over their exact ranges
    const Sym *from[3];
    Expr *to[3];
    Node *block[3];
    for (int d = 0; d < ndims; d++) {
        const Node *loop = c->loop[dims[d].loop];
        MapDim one = dims[d];
        one.threads = 1;
        Strip s = strip(names, loop, &one, false);
        block[d] = s.block;
        from[d] = loop->iter;
        to[d] = s.value;
    }
    n = node_subst(a, n, ndims, from, to);
    for (int d = 0; d < ndims; d++) n = around(block[d], n);
    return node_kernel(a, name, n);
}

Node *rule_map_serial(Names *names, Node *body, const char *name) {
    return node_kernel(names->arena, name, body);
}
