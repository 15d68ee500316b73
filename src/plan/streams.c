// SPDX-License-Identifier: MIT
// streams.c -- kernels in which all threads of a block read the same elements one after another.
//
//   for i { s = 0; for j  s += f(x[i], y[j]); out[i] = s }      each thread keeps eight x[i], and the
//                                                               y[j] come by in shared memory
//
//   for i { for j { for d  s += f(x[i][d], y[j][d]); … } }      with few d: a thread keeps all of
//                                                               some y[j], and the x[i] come by
//
//   for i { for j { for d  r += f(x[i][d], y[j][d]); s += g(r) }; … }    both: rows x[i] are kept,
//                                                               rows y[j] come by
//
// How many iterations a thread takes is chosen by the sizes when the nest runs: of the rounds in
// which the machine takes the blocks, the last costs as much as a full one.
#include "model/code.h"
#include "plan/auto.h"
#include "rule/abreast.h"
#include "rule/loops.h"
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

static bool is_whole(const MapDim *d) {
    return d->exact && d->threads > 1 && host_can_eval(d->lo) && host_can_eval(d->hi);
}

static int widest(const Region *r) {
    int size = 4;
    for (int i = 0; i < r->narrays; i++)
        if (type_size(r->arrays[i]->elem) > size) size = type_size(r->arrays[i]->elem);
    return size;
}

// ---- short loops ----------------------------------------------------------------------------------

// iterations worth a row in registers, and that fit; loops
enum { SHORTEST = 5, LONGEST = 16, MOST_SHORT = 4 };
typedef struct Short {
    Node *loop[MOST_SHORT];
    int loops, inside;       // innermost ones; serial loops around
    bool nested, others;     // one stands inside a serial loop; there are loops around, or too many
} Short;

// for d in 0..dim, dim a parameter or a small number?
static bool is_short(const Node *loop) {
    if (loop->step != 1 || !expr_is_int(loop->lo, 0) || !host_can_eval(loop->hi)) return false;
    return !expr_uses_iters(loop->hi) &&
           (loop->hi->kind != E_INT || (loop->hi->i >= 1 && loop->hi->i <= LONGEST));
}

static void find_shorts(Short *s, Node *n) {
    bool serial = n->kind == N_FOR && n->how == HOW_SERIAL;
    if (serial && !has_loops(n->body)) {
        if (s->loops == MOST_SHORT || !is_short(n)) s->others = true;
        else s->loop[s->loops++] = n;
        s->nested = s->nested || s->inside > 0;
    }
    s->inside += serial;
    for (int i = 0; node_kid(n, i); i++) find_shorts(s, node_kid(n, i));
    s->inside -= serial;
}

// The only loop of the body, of at least SHORTEST iterations. NULL: it isn't so.
static Node *short_loop(Node *body) {
    Short s = {0};
    find_shorts(&s, body);
    if (s.loops != 1 || s.others || s.nested) return NULL;
    return s.loop[0]->hi->kind == E_INT && s.loop[0]->hi->i < SHORTEST ? NULL : s.loop[0];
}

// for d in 0..LONGEST unroll  if (d < dim) …
static Node *unrolled(Plan *p, Node *loop) {
    Arena *a = p->a;
    Node *n = node_clone(a, loop);
    n->how = HOW_UNROLL;
    if (loop->hi->kind == E_INT) return n;
    n->hi = expr_int(a, loop->hi->type, LONGEST);
    Expr *in = expr_op(a, OP_LT, expr_sym(a, n->iter), expr_cast(a, n->iter->type, loop->hi), NULL);
    n->body = node_if(a, in, loop->body, NULL);
    return n;
}

// Is its end, of 64 bits, between `least` and LONGEST?
static Expr *fits(Plan *p, const Node *loop, int64_t least) {
    Expr *dim = expr_cast(p->a, T_I64, loop->hi);
    return both(p, at_least(p, dim, least), at_most(p, dim, LONGEST));
}

// The chain with all short loops inside of another loop unrolled; when that may be. NULL: there are none.
// *tiny: all are of a few iterations.
static Expr *unroll_shorts(Plan *p, Chain *c, bool *tiny) {
    Short s = {.inside = c->n - 1};
    *tiny = true;
    find_shorts(&s, c->body);
    if (!s.loops || s.others || !s.nested) return NULL;
    Expr *in = NULL;
    for (int k = 0; k < s.loops; k++) {
        Expr *one = fits(p, s.loop[k], 1);
        *tiny = *tiny && s.loop[k]->hi->kind == E_INT && s.loop[k]->hi->i < SHORTEST;
        in = in ? both(p, in, one) : one;
        c->body = node_replace(p->a, c->body, s.loop[k], unrolled(p, s.loop[k]));
    }
    return in;
}

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

// The kernels for 2, 4, … `most` iterations a thread, each where it costs least; all only where `in`
// holds (NULL: always). NULL: nothing is like that.
static Node *stream_kinds(Plan *p, const Chain *c, const MapDim *dim, int most, Expr *in, Node *other) {
    enum { KINDS = 3 };
    Expr *cost[KINDS], *n = trips64(p, c, dim);
    for (int k = 0, per = 2; k < KINDS && per <= most; k++, per *= 2) {
        Node *kernel = stream(p, c, dim, per);
        if (!kernel) return NULL;
        Expr *blocks = ceil_of(p, n, STREAM_THREADS * per);
        cost[k] = expr_mul(p->a, rounds_of(p, blocks), number(p, per));
        Expr *when = at_least(p, blocks, FEWEST_BLOCKS);
        when = in ? both(p, in, when) : when;
        for (int l = 0; l < k; l++) when = both(p, when, expr_op(p->a, OP_LE, cost[k], cost[l], NULL));
        other = node_if(p->a, when, kernel, other);
    }
    return other;
}

// Divisions and roots of IEEE 754 jump where numbers are small; 1 / sqrtf(x) is printed without.
static bool jumps(const Expr *x) {
    const Expr *inverse = mix_inverse_root(x, false);
    if (inverse) return jumps(inverse);
    bool division = x->kind == E_OP && x->op == OP_DIV && x->args[1]->kind != E_FLOAT,
         root = x->kind == E_CALL && str_has_prefix(x->fn, "sqrt"),
         found = type_is_float(x->type) && (division || root);
    for (int k = 0; k < x->nargs && !found; k++) found = jumps(x->args[k]);
    return found;
}

Node *plan_streams(Plan *p, const Chain *c, int ndims, const MapDim *dims, Node *other) {
    enum { MOST_WORDS = 8 }; // of each value of the body: registers
    if (ndims != 1 || !is_whole(&dims[0])) return NULL;
    int words = widest(p->region) / 4;
    bool tiny, jump = false; // then more threads fill each other's pauses, iterations side by side don't
    if (!p->region->fast_math)
        node_each(s, c->body) jump |= s->kind == N_STMT && jumps(s->stmt->rhs);
    int most = MOST_WORDS / words;
    Chain rows = *c;
    Expr *in = unroll_shorts(p, &rows, &tiny);
    bool always = in && expr_is_int(in, 1);
    Node *n = always ? NULL : stream_kinds(p, c, &dims[0], jump ? 2 : most, NULL, other);
    Node *kept = in ? stream_kinds(p, &rows, &dims[0], jump && tiny ? 2 : most / 2, in, n ? n : other) : NULL;
    if (!kept && always) n = stream_kinds(p, c, &dims[0], jump ? 2 : most, NULL, other);
    return kept ? kept : n;
}

// ---- two loops mapped, a short one inside -----------------------------------------------------------

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
    Expr *strips =
        expr_op(a, OP_FDIV, expr_add(a, trips, expr_int(a, t, strip - 1)), expr_int(a, t, strip), NULL);
    Node *outer = node_for(a, ib, expr_int(a, t, 0), strips, 1, HOW_SERIAL, NULL);
    Chain two = {.n = 2, .loop = {outer, c->loop[dims[0].loop]}, .body = body};
    MapDim d[2] = {dims[0],
        {.loop = 0, .threads = 1, .lo = outer->lo, .hi = outer->hi, .exact = true, .small = true}};
    d[0].loop = 1;
    d[0].per = per;
    d[0].apart = true;
    d[0].threads = ROW_THREADS;
    Node *k = rule_map_gpu(&p->names, &two, 2, d, kernel_name(p));
    k = k ? rule_stream(&p->names, k, strip, true, STREAM_BYTES) : NULL;
    if (k) k->min_blocks = ROW_BLOCKS;
    return k;
}

// How long strips take, in rows: each begins with a thread's own elements; a multiprocessor needs
// some blocks to be busy.
static Expr *strips_cost(Plan *p, Expr *blocks, int strip) {
    enum { BEGINNING = 16, FEWEST_EACH = 3 };
    Expr *each = expr_op(p->a, OP_MAX, rounds_of(p, blocks), number(p, FEWEST_EACH), NULL);
    return expr_mul(p->a, each, number(p, strip + BEGINNING));
}

Node *plan_rows(Plan *p, const Chain *c, int ndims, const MapDim *dims, Node *other) {
    enum { MOST_STRIPS = 65535, KINDS = 2 };
    static const int strip[KINDS] = {64, 128};
    if (ndims != 2 || c->n != 2 || !is_whole(&dims[0]) || !is_whole(&dims[1])) return other;
    Node *loop = short_loop(c->body);
    if (!loop || c->loop[dims[1].loop]->step != 1) return other;
    Node *body = node_replace(p->a, c->body, loop, unrolled(p, loop));
    int per = 16 / widest(p->region);
    Expr *n = trips64(p, c, &dims[1]), *m = trips64(p, c, &dims[0]), *before = NULL;
    Expr *in = both(p, fits(p, loop, SHORTEST), at_most(p, n, (int64_t)strip[0] * MOST_STRIPS));
    for (int k = 0; k < KINDS; k++) {
        Node *kernel = rows_kernel(p, c, dims, body, strip[k], per);
        if (!kernel) return other;
        Expr *blocks = expr_mul(p->a, ceil_of(p, m, ROW_THREADS * per), ceil_of(p, n, strip[k]));
        Expr *cost = strips_cost(p, blocks, strip[k]),
             *when =
                 both(p, in,
                      expr_op(p->a, OP_GE, blocks, expr_mul(p->a, number(p, 2), plan_processors(p)), NULL));
        if (before) when = both(p, when, expr_op(p->a, OP_LE, cost, before, NULL));
        before = cost;
        other = node_if(p->a, when, kernel, other);
    }
    return other;
}
