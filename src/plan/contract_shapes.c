// SPDX-License-Identifier: MIT
// contract_shapes.c -- how a contraction's kernels may be cut: tiles, ways, parts of sums.
#include "plan/contract_shapes.h"
#include "model/machine.h"
#include <math.h>
#include <string.h>

// The large tile does the fewest loads for each product; small ones leave less of the machine idle when
// there is little to do, and parts of the sums even less. What each is good for was measured, and which
// one is taken is a matter of its cost at the sizes of the moment (contract_cost.c).
// Chunks keep the error of long sums near that of sums in many parts; what is split needs none.
// Each takes all registers of a thread.
#define LARGE .px = 4, .py = 2, .lx = 4, .ly = 8, .wx = 4, .wy = 2, .bk = 16, .stages = 3, .shared_sums = true
static const Tile large = {LARGE, .chunk = 2048};
static const Tile odd = {LARGE, .chunk = 1024, .through = true};
static const Tile cut = {LARGE, .chunk = 2048, .through = true};
static const Tile edged = {LARGE, .chunk = 2048, .through_sums = true};
static const Tile square = {.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 4, .bk = 16, .stages = 4};
static const Tile wide = {.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4};
static const Tile fine = {.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 1, .wy = 2, .bk = 16, .stages = 4,
                          .min_blocks = 6, .chunk = 512};
static const Tile finest = {.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 1, .wy = 2, .bk = 16, .stages = 4};
static const Tile small = {.px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4,
                           .min_blocks = 4, .chunk = 256};
static const Tile brief = {
    .px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4, .min_blocks = 4};
static const Tile light = {.px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4};
static const Tile narrow = {.px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 1, .bk = 16, .stages = 4};
// For short sums.
static const Tile quick = {
    .px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 1, .bk = 16, .stages = 4, .early = true};
// For matrix instructions, which are the machine's: lanes are 4 in x and 8 in y. Two blocks a multiprocessor
// or more: what one waits for at its barriers is the other's time.
#define MATRIX .lx = 4, .ly = 8, .bk = 32, .matrix = ""
static const Tile matrix_wide = {MATRIX, .px = 2, .py = 2, .wx = 2, .wy = 2, .stages = 3};
static const Tile matrix_square = {MATRIX, .px = 2, .py = 1, .wx = 2, .wy = 2, .stages = 4};
static const Tile matrix_small = {MATRIX, .px = 1, .py = 1, .wx = 2, .wy = 2, .stages = 4};
enum { TAIL = 8 }; // parts: what is left of the machine's time is a part's then, an eighth of a block's
#define SHAPE(tile_, way_, parts_, resident_, speed_, alone_, turning_)                                      \
    {                                                                                                        \
        .tile = &tile_, .way = WAY_##way_, .parts = parts_, .resident = resident_, .speed = speed_,          \
        .alone = alone_, .turning = turning_                                                                 \
    }
static const Shape shapes[] = {
    // the first is the one that is shown
    {.tile = &large, .way = WAY_DIRECT, .exact = true, .parts = 1, .resident = 1, .speed = 413},
    {.tile = &odd, .way = WAY_PACKED, .strips = true, .parts = 1, .resident = 1, .speed = 413, .alone = 0.05},
    {.tile = &large, .way = WAY_DIRECT, .exact = true, .parts = 1, .tail = TAIL, .resident = 1, .speed = 413},
    {.tile = &edged, .way = WAY_PACKED, .parts = 1, .tail = TAIL, .resident = 1, .speed = 415, .alone = 0.05},
    {.tile = &cut,
     .way = WAY_PACKED,
     .strips = true,
     .parts = 1,
     .tail = TAIL,
     .resident = 1,
     .speed = 413,
     .alone = 0.05},
    SHAPE(edged, PACKED, 1, 1, 413, 0.05, 0),
    SHAPE(fine, PACKED, 1, 6, 406, 0.44, 0),
    SHAPE(small, PACKED, 1, 4, 396, 0.36, 0),
    SHAPE(brief, PACKED, 1, 4, 400, 0.15, 0),
    SHAPE(light, PACKED, 3, 6, 378, 0.26, 0),
    SHAPE(small, ALIGNED, 1, 4, 350, 0.26, 0.075),
    SHAPE(wide, ALIGNED, 3, 4, 371, 0.2, 0.07),
    SHAPE(square, ALIGNED, 4, 2, 415, 0.23, 0.044),
    SHAPE(finest, ALIGNED, 4, 6, 446, 1.25, 0.125),
    SHAPE(wide, ALIGNED, 8, 4, 371, 0.2, 0.15),
    SHAPE(wide, ALONG, 8, 4, 330, 0.2, 0),
    SHAPE(finest, ALONG, 8, 6, 340, 0.2, 0.1),
    SHAPE(square, ALIGNED, 128, 2, 415, 0.23, 0.044),
    SHAPE(narrow, ALONG, 1, 7, 290, 1, 0),
    SHAPE(quick, SINGLE, 1, 8, 274, 1.1, 0.06),
    SHAPE(wide, SINGLE, 8, 4, 353, 0.68, 0.03),
    SHAPE(fine, X_LIES, 1, 6, 406, 0.44, 0),
    SHAPE(fine, Y_LIES, 1, 6, 406, 0.44, 0),
    // speeds of these are parts of the machine's
    SHAPE(matrix_wide, ALIGNED, 1, 2, 0.9, 0.2, 0),
    SHAPE(matrix_square, ALIGNED, 1, 3, 0.85, 0.3, 0),
    SHAPE(matrix_small, ALIGNED, 1, 4, 0.7, 0.4, 0),
    SHAPE(matrix_wide, PACKED, 1, 2, 0.9, 0.2, 0),
    SHAPE(matrix_square, PACKED, 1, 3, 0.85, 0.3, 0),
    SHAPE(matrix_wide, SINGLE, 1, 2, 0.8, 0.2, 0),
    SHAPE(matrix_square, SINGLE, 1, 3, 0.75, 0.3, 0),
    SHAPE(matrix_small, SINGLE, 1, 4, 0.6, 0.4, 0),
};
enum {
    LEAST_SIDE = 16, // elements of a row or column of C that are worth a tile
    LEAST_SPLIT = 8, // … where sums are in so many parts that they are what takes long
    MANY_PARTS = 256,
    LEAST_PART = 32, // terms of a sum that are worth a block of their own
    LONGEST = 1024,  // terms that are added up one after the other where chunks are permitted
    PART_CHUNK = 512,
    MOST_SUMS = 64,  // of eight bytes, that a thread has registers for
};

static int sums_of(const Tile *t) { return 16 * t->px * t->py; }

static int least(int x, int y) { return x < y ? x : y; }

// Several sums of each element: fewer elements a thread, and as many blocks as have registers together for
// the sums and two fragments of each operand. False: one element's sums are too many.
static bool shape_for_sums(const Contraction *k, Tile *t, Shape *s) {
    enum { REGISTERS = 65536, OTHERS = 32 };
    int places = contraction_places(k), reads = 0;
    if (k->nupdates > 1) s->speed /= k->products;
    if (places <= 1) return true;
    while (sums_of(t) * places > 2 * MOST_SUMS) {
        if (t->px * t->py == 1) return false;
        *(t->px > t->py ? &t->px : &t->py) /= 2;
    }
    for (int i = 0; i < k->n; i++)
        if (k->op[i].side != SIDE_NEITHER)
            reads += 8 * k->op[i].places * (k->op[i].side == SIDE_X ? t->px : t->py);
    int threads = t->lx * t->ly * t->wx * t->wy;
    int together = REGISTERS / (threads * (sums_of(t) * places + reads + OTHERS));
    s->resident = least(s->resident, together > 1 ? together : 1);
    t->min_blocks = least(t->min_blocks, s->resident);
    return true;
}

// Elements of eight bytes: as many bytes of each operand, and what registers twice the sums need.
// False: they are more than a thread has.
static bool shape_for(const Shape *from, const Contraction *k, Tile *t, Shape *s) {
    *s = *from;
    *t = *from->tile;
    s->tile = t;
    if (!shape_for_sums(k, t, s)) return false;
    if (type_size(contraction_type(k)) <= 4) return true;
    t->bk /= 2;
    if (t->matrix) return sums_of(t) * contraction_places(k) <= MOST_SUMS;
    if (t->min_blocks > 4) t->min_blocks = 4;
    if (s->resident > 4) s->resident = 4;
    s->speed /= 2;
    return sums_of(t) * contraction_places(k) <= MOST_SUMS;
}

static Expr *at_least(Arena *a, const Node *loop, int64_t n) {
    Expr *trips = expr_sub(a, expr_cast(a, T_I64, loop->hi), expr_cast(a, T_I64, loop->lo));
    return expr_op(a, OP_GE, trips, expr_int(a, T_I64, n), NULL);
}

static bool may_chunk(const Contraction *k) {
    return k->region->reassociate && !k->naround && contraction_adds(k) && contraction_type(k) == T_F32;
}

static Expr * and (Arena * a, Expr *x, Expr *y) { return expr_op(a, OP_LAND, x, y, NULL); }

static Expr *less(Arena *a, const Node *loop, int64_t n) {
    return expr_op(a, OP_LNOT, at_least(a, loop, n), NULL, NULL);
}

Expr *contraction_suits(Arena *a, const Contraction *k, const Shape *s, const Sym *processors) {
    int parts = s->tail > s->parts ? s->tail : s->parts, side = parts < MANY_PARTS ? LEAST_SIDE : LEAST_SPLIT;
    int64_t x = s->strips ? tile_x(s->tile) : side, y = s->strips ? tile_y(s->tile) : side;
    int64_t chunk = s->tile->chunk;
    Expr *sides = and(a, at_least(a, k->x, x), at_least(a, k->y, y));
    if (may_chunk(k) && !chunk) sides = and(a, sides, less(a, k->k, LONGEST * s->parts + 1));
    if (may_chunk(k) && s->tail && chunk) // parts are no longer than chunks, and have none
        sides = and(a, sides, less(a, k->k, chunk * s->tail + 1));
    bool around = parts > 1 && k->naround; // whose iterations the parts share
    if (around) sides = and(a, at_least(a, k->around[0], parts), sides);
    sides = and(a, at_least(a, k->k, parts > 1 && !around ? LEAST_PART * parts : 2 * s->tile->bk), sides);
    return s->tail ? and(a, sides, contraction_has_tail(a, k, s, processors)) : sides;
}

// ---- candidates ---------------------------------------------------------------------------------
static bool same_tile(const Tile *x, const Tile *y, bool chunks) {
    return x->px == y->px && x->py == y->py && x->lx == y->lx && x->ly == y->ly && x->wx == y->wx &&
           x->wy == y->wy && x->bk == y->bk && x->stages == y->stages && x->min_blocks == y->min_blocks &&
           x->early == y->early && !x->matrix == !y->matrix && (!chunks || x->chunk == y->chunk);
}

static bool is_there(const Candidates *all, const Shape *s, bool chunks) {
    for (int i = 0; i < all->n; i++) {
        const Shape *o = &all->at[i]->shape;
        if (same_tile(o->tile, s->tile, chunks) && o->way == s->way && o->parts == s->parts &&
            o->tail == s->tail && o->exact == s->exact && o->strips == s->strips)
            return true;
    }
    return false;
}

// Of the call, as far as it can be told before there is a nest; infinite where the shape can't run it.
static double cost_in(Compile *c, const Contraction *k, const Shape *s, const PlanCall *call) {
    Arena *a = c->arena;
    Sym *sms = NEW(a, Sym);
    *sms = (Sym){"sms", SYM_PARAM, T_I64, NULL};
    InterpVal *v = NEW_N(a, InterpVal, call->nvals + 1);
    memcpy(v, call->vals, sizeof *v * (size_t)call->nvals);
    v[call->nvals] = (InterpVal){.sym = sms, .i = call->processors};
    int64_t yes;
    double cost;
    bool told = ir_eval(contraction_suits(a, k, s, sms), call->nvals + 1, v, &yes) && yes &&
                ir_eval_float(contraction_cost(a, k, s, sms), call->nvals + 1, v, &cost);
    return told ? cost : INFINITY;
}

typedef struct Search {
    Compile *c;
    const Contraction *k;
    const PlanCall *call;
    Candidates *out;
} Search;

// Once; of a call only what suits it, where its estimate stands among the others'.
static void add(const Search *s, const Shape *from, const Tile *tile, int parts) {
    Candidate *x = NEW(s->c->arena, Candidate);
    Shape shape = *from;
    Tile bound = *tile;
    const Machine *m = s->call->machine;
    if (tile->matrix) {
        if (!m || m->matrix64 < 1 || !*m->matrix64_by || !s->call->vals) return;
        shape.speed *= machine_matrix_flops(m) / (double)m->sms;
        bound.matrix = m->matrix64_by;
    }
    shape.tile = &bound, shape.parts = parts;
    if (!shape_for(&shape, s->k, &x->tile, &x->shape) || !contraction_allows(s->k, &x->shape)) return;
    if (s->call->vals) x->cost = cost_in(s->c, s->k, &x->shape, s->call);
    // parts that are too long for one sum
    if (isinf(x->cost) && parts > 1 && may_chunk(s->k) && !x->tile.chunk) {
        x->tile.chunk = PART_CHUNK;
        x->cost = cost_in(s->c, s->k, &x->shape, s->call);
    }
    if (isinf(x->cost) || is_there(s->out, &x->shape, may_chunk(s->k))) return;
    vec_push(s->c->arena, s->out, x);
    for (int at = s->out->n - 1; at > 0 && s->out->at[at - 1]->cost > x->cost; at--)
        s->out->at[at] = s->out->at[at - 1], s->out->at[at - 1] = x;
}

// What is long in x is long in y.
static Tile across(const Tile *t) {
    Tile r = *t;
    if (t->matrix) return r.wx = t->wy, r.wy = t->wx, r; // lanes stay as they are
    r.px = t->py, r.py = t->px, r.lx = t->ly, r.ly = t->lx, r.wx = t->wy, r.wy = t->wx;
    return r;
}

// May its sums be in any number of parts?
static bool may_split(const Shape *s) {
    return !s->exact && !s->strips && !s->tail && !s->tile->chunk && !s->tile->early;
}

void contraction_candidates(Compile *c, const Contraction *k, const PlanCall *call, Candidates *out) {
    static const int splits[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512};
    const Search s = {c, k, call, out};
    const Shape *end = shapes + sizeof shapes / sizeof *shapes;
    for (const Shape *from = shapes; from < end; from++) add(&s, from, from->tile, from->parts);
    if (!call->vals) return;
    for (const Shape *from = shapes; from < end; from++) {
        const Tile turned = across(from->tile);
        // Of a tile that takes all registers some are spilled then: 8 to 12 % slower on an H200.
        bool turns = tile_x(from->tile) != tile_y(from->tile) && !from->tile->shared_sums;
        for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
            if (splits[i] != from->parts && !may_split(from)) continue;
            add(&s, from, from->tile, splits[i]);
            if (turns) add(&s, from, &turned, splits[i]);
        }
    }
}
