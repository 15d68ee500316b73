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
// thread, in their old order. For the same reason several iterations of a mapped loop may share
// a thread, side by side: threads whose iterations all exist run them so, others one by one.
#include "rule/abreast.h"

enum { MAX_GRID_YZ = 65535 }; // blocks in y and z that every CUDA device takes

// The loops and expressions that stand for one mapped counter.
typedef struct Strip {
    Node *block, *chunk, *thread; // chunk, thread: NULL when not needed
    Expr *number;                 // of the block
    Expr *lane;                   // of the thread in it
    Node bare;                    // the loop with the bounds of its strips
    int per;                      // iterations a thread
    bool apart;
    bool before;                  // begins before the loop does
} Strip;

static Type strip_type(const Sym *iter) { return type_size(iter->type) < 4 ? T_I32 : iter->type; }

static Strip strip(Names *names, const Node *loop, const MapDim *d, bool limited) {
    Arena *a = names->arena;
    Type t = strip_type(loop->iter);
    Strip s = {.bare = *loop, .per = d->per > 1 ? d->per : 1, .apart = d->apart, .before = d->before > 0};
    s.bare.lo = expr_sub(a, expr_narrow(a, t, d->lo), expr_int(a, t, d->before));
    s.bare.hi = expr_narrow(a, t, d->hi);
    int64_t each = (int64_t)d->threads * s.per; // iterations of a block
    Expr *blocks = loop_trips(a, &s.bare);
    if (each > 1) blocks = expr_op(a, OP_FDIV, expr_add(a, blocks, expr_int(a, t, each - 1)), expr_int(a, t, each), NULL);
    const Sym *ib = iter_fresh(names, arena_printf(names->arena, "%sb", loop->iter->name), t);
    Expr *zero = expr_int(a, t, 0), *grid = blocks;
    s.number = expr_sym(a, ib);
    if (limited) {
        const Sym *ic = iter_fresh(names, arena_printf(names->arena, "%sc", loop->iter->name), t);
        grid = expr_op(a, OP_MIN, blocks, expr_int(a, t, MAX_GRID_YZ), NULL);
        s.chunk = node_for(a, ic, s.number, blocks, MAX_GRID_YZ, HOW_SERIAL, NULL);
        s.number = expr_sym(a, ic);
    }
    s.block = node_for(a, ib, zero, grid, 1, HOW_BLOCK, NULL);
    s.lane = zero;
    if (d->threads > 1) {
        const Sym *it = iter_fresh(names, arena_printf(names->arena, "%st", loop->iter->name), t);
        s.thread = node_for(a, it, zero, expr_int(a, t, d->threads), 1, HOW_THREAD, NULL);
        s.lane = expr_sym(a, it);
    }
    return s;
}

// The counter in iteration r of a thread:
//   lo + step * (threads * block + thread)                  one a thread
//   lo + step * ((threads * block + thread) * per + r)      neighbours
//   lo + step * (threads * (per * block + r) + thread)      apart
static Expr *value_at(Arena *a, const Strip *s, Expr *r) {
    Expr *at = s->number, *per = expr_int(a, at->type, s->per);
    r = expr_cast(a, at->type, r);
    if (s->per > 1 && s->apart) at = expr_add(a, expr_mul(a, at, per), r);
    if (s->thread) at = expr_add(a, expr_mul(a, at, s->thread->hi), s->lane);
    if (s->per > 1 && !s->apart) at = expr_add(a, expr_mul(a, at, per), r);
    return expr_cast(a, s->bare.iter->type, loop_value(a, &s->bare, at));
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
        if (dims[d].exact) *outer = both(a, *outer, in_range(a, c->loop[dims[d].loop], dims[d].before > 0));
    return n;
}

static Node *around(Node *outer, Node *body) {
    if (!outer) return body;
    outer->body = body;
    return outer;
}

// ---- several iterations a thread ----------------------------------------------------------------

typedef struct Coarse {
    Names *names;
    int n;
    const Strip *strip;
    const Sym **from;        // [n]: the mapped counters
} Coarse;

// x in iteration r[d] of each dimension.
static Expr *expr_in(const Coarse *k, Expr *x, Expr *const *r) {
    Arena *a = k->names->arena;
    Expr *to[3];
    for (int d = 0; d < k->n; d++) to[d] = value_at(a, &k->strip[d], r[d]);
    return expr_subst(a, x, k->n, k->from, to);
}

// Do all iterations of the thread exist? The first and the last do.
static Expr *all_in_range(const Coarse *k, Expr *guard) {
    Arena *a = k->names->arena;
    Expr *first[3], *last[3];
    for (int d = 0; d < k->n; d++) {
        first[d] = expr_int(a, T_I32, 0);
        last[d] = expr_int(a, T_I32, k->strip[d].per - 1);
    }
    Expr *x = expr_in(k, guard, first), *y = expr_in(k, guard, last);
    bool lower = false;
    for (int d = 0; d < k->n; d++) lower = lower || k->strip[d].before;
    return lower ? both(a, x, y) : y;
}

// Loops over the iterations of a thread: fresh counters r, one a dimension that has several.
static int count_loops(const Coarse *k, const Node **loops, Expr **r) {
    Arena *a = k->names->arena;
    int n = 0;
    for (int d = k->n - 1; d >= 0; d--) {
        r[d] = expr_int(a, T_I32, 0);
        if (k->strip[d].per < 2) continue;
        const Sym *s = iter_fresh(k->names, "r", T_I32);
        r[d] = expr_sym(a, s);
        loops[n++] = node_for(a, s, expr_int(a, T_I32, 0), expr_int(a, T_I32, k->strip[d].per), 1, HOW_SERIAL, NULL);
    }
    return n;
}

static Node *body_in(const Coarse *k, Node *body, Expr *const *r) {
    Arena *a = k->names->arena;
    Expr *to[3];
    for (int d = 0; d < k->n; d++) to[d] = value_at(a, &k->strip[d], r[d]);
    return node_subst(a, node_again(k->names, body), k->n, k->from, to);
}

// if (all iterations exist) side by side; else for r if (this one exists) body
static Node *coarse_body(const Coarse *k, Node *body, Expr *guard) {
    Arena *a = k->names->arena;
    const Node *loops[3];
    Expr *r[3];
    int n = count_loops(k, loops, r);
    Node *hoisted = rule_unroll_registers(a, rule_hoist_updates(k->names, body_in(k, body, r)));
    Node *jammed = rule_abreast(k->names, n, loops, hoisted);
    if (!jammed) return NULL;
    n = count_loops(k, loops, r);
    Node *rest = node_if(a, expr_in(k, guard, r), body_in(k, body, r), NULL);
    for (int i = n - 1; i >= 0; i--) {
        Node *loop = node_clone(a, loops[i]);
        loop->body = rest;
        rest = loop;
    }
    return node_if(a, all_in_range(k, guard), jammed, rest);
}

Node *rule_map_gpu(Names *names, const Chain *c, int ndims, const MapDim *dims, const char *name) {
    Arena *a = names->arena;
    Expr *guard = NULL;
    Node *n = body_of(a, c, ndims, dims, &guard);
    const Sym *from[3];
    Expr *to[3];
    Strip s[3];
    bool several = false;
    for (int d = 0; d < ndims; d++) {
        const Node *loop = c->loop[dims[d].loop];
        s[d] = strip(names, loop, &dims[d], d > 0 && !dims[d].small);
        from[d] = loop->iter;
        to[d] = value_at(a, &s[d], expr_int(a, T_I32, 0));
        several = several || s[d].per > 1;
    }
    Coarse k = {names, ndims, s, from};
    if (several) n = guard ? coarse_body(&k, n, guard) : NULL;
    else n = node_subst(a, guard ? node_if(a, guard, n, NULL) : n, ndims, from, to);
    if (!n) return NULL;
    for (int d = 0; d < ndims; d++) n = around(s[d].chunk, n); // inside: the threads need not meet
    for (int d = 0; d < ndims; d++) n = around(s[d].thread, n);
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
        to[d] = value_at(a, &s, expr_int(a, T_I32, 0));
    }
    n = node_subst(a, n, ndims, from, to);
    for (int d = 0; d < ndims; d++) n = around(block[d], n);
    return node_kernel(a, name, n);
}

Node *rule_map_serial(Names *names, Node *body, const char *name) {
    return node_kernel(names->arena, name, body);
}
