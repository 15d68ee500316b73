// SPDX-License-Identifier: MIT
// contract_cost.c -- how long a contraction's kernel will take, as an expression of its sizes.
//
//   start  +  packs  +  the busiest multiprocessor  +  adding up
//
// The multiprocessor that gets the most blocks, q of them, decides. It has r at a time, and each turn of r
// begins with nothing beside it: q + alone * ceil(q / r) times the work of a block over its speed. `measure
// try --shapes` times each shape beside this estimate and bench/gemm/fit says by how much speeds are off; the
// constants here and in variants.c are of an H200. They are to order kernels, not to foretell seconds.
#include "plan/contract.h"

static const double START = 5;       // microseconds: a launch, the first loads, the last stores
static const double LAUNCH = 2;      // each further kernel
static const double COPIED = 3e6;    // bytes a microsecond, read and written, when operands are packed
static const double ADDED = 8e6;     // and when parts are added up, mostly in the second level cache
static const double PARTED = 4e6;    // those of a tail, which are more than that cache holds
// microseconds until a part of a tail has its first loads, and for its stores
static const double PART = 1;
static const double THIN = 200;      // GFLOP/s of a multiprocessor in what remains beside whole tiles

static Expr *number(Arena *a, double x) { return expr_float(a, T_F64, x); }
static Expr *real(Arena *a, Expr *x) { return expr_cast(a, T_F64, x); }
static Expr *whole(Arena *a, int64_t x) { return expr_int(a, T_I64, x); }

Expr *trips_of(Arena *a, const Node *loop) {
    return expr_sub(a, expr_cast(a, T_I64, loop->hi), expr_cast(a, T_I64, loop->lo));
}

static Expr *ceil_div(Arena *a, Expr *n, Expr *by) {
    Expr *up = expr_add(a, n, expr_sub(a, by, whole(a, 1)));
    return expr_op(a, OP_FDIV, up, by, NULL);
}

// Iterations of several loops together.
static Expr *all_of(Arena *a, Expr *x, int n, const Node *const *loop) {
    for (int i = 0; i < n; i++) x = expr_mul(a, x, trips_of(a, loop[i]));
    return x;
}

static Expr *times(Arena *a, double x, Expr *y) { return expr_mul(a, number(a, x), y); }

static Expr *whole_tiles(Arena *a, const Node *loop, int64_t by) {
    return expr_op(a, OP_FDIV, trips_of(a, loop), whole(a, by), NULL);
}

// How much longer a block takes for operands that are turned element by element: in parts of what it loads.
static double turned(const Contraction *k, const Shape *s) {
    double all = tile_x(s->tile) + tile_y(s->tile), sum = 0;
    for (int i = 0; i < k->n; i++)
        if (operand_is_turned(&k->op[i]) && !operand_is_packed(&k->op[i], s->way))
            sum += 2 * (k->op[i].side == SIDE_X ? tile_x(s->tile) : tile_y(s->tile)) / all;
    return sum;
}

// Blocks along one side.
static Expr *tiles(Arena *a, const Shape *s, const Node *loop, int64_t by) {
    return s->strips ? whole_tiles(a, loop, by) : ceil_div(a, trips_of(a, loop), whole(a, by));
}

// Terms of a sum that one of so many parts of it has.
static Expr *terms(Arena *a, const Contraction *k, const Tile *t, int parts) {
    return expr_mul(a, ceil_div(a, trips_of(a, k->k), whole(a, (int64_t)t->bk * parts)), whole(a, t->bk));
}

// …of all loops that are summed. Parts share the iterations of the outermost.
static Expr *all_terms(Arena *a, const Contraction *k, const Tile *t, int parts) {
    if (!k->naround) return terms(a, k, t, parts);
    Expr *n = expr_mul(a, terms(a, k, t, 1), ceil_div(a, trips_of(a, k->around[0]), whole(a, parts)));
    return all_of(a, n, k->naround - 1, k->around + 1);
}

// One term of all of a block's sums. Of a triangle half of the blocks have something to do.
static double one_term(const Contraction *k, const Shape *s) {
    double part = (k->triangle ? 0.5 : 1) * (k->strip ? 0.5 : 1);
    return 2e-3 * part * tile_x(s->tile) * tile_y(s->tile) / s->speed * (1 + turned(k, s) * s->turning);
}

// Turns of the busiest multiprocessor, each of which begins with nothing beside it.
static Expr *turns(Arena *a, const Shape *s, Expr *blocks) {
    return expr_add(a, real(a, blocks),
                    times(a, s->alone, real(a, ceil_div(a, blocks, whole(a, s->resident)))));
}

// What the busiest multiprocessor takes.
static Expr *main_part(Arena *a, const Contraction *k, const Shape *s, const Sym *processors) {
    const Tile *t = s->tile;
    Expr *blocks = expr_mul(a, tiles(a, s, k->x, tile_x(t)), tiles(a, s, k->y, tile_y(t)));
    blocks = all_of(a, blocks, k->nbatch > 0, k->batch);
    Expr *most = ceil_div(a, expr_mul(a, blocks, whole(a, s->parts)), expr_sym(a, processors));
    Expr *deep = all_terms(a, k, t, s->parts);
    if (k->nbatch) deep = all_of(a, deep, k->nbatch - 1, k->batch + 1);
    return times(a, one_term(k, s), expr_mul(a, real(a, deep), turns(a, s, most)));
}

// ---- tails ----------------------------------------------------------------------------------
// Rows of blocks behind those that fill the multiprocessors a whole number of times (rule split, at=rounds).
static Expr *rows_behind(Arena *a, Expr *x, Expr *y, const Sym *processors) {
    Expr *sms = expr_sym(a, processors), *rounds = expr_op(a, OP_FDIV, expr_mul(a, x, y), sms, NULL);
    return expr_sub(a, y,
                    expr_op(a, OP_FDIV, expr_mul(a, rounds, sms), expr_op(a, OP_MAX, x, whole(a, 1), NULL),
                            NULL));
}

Expr *contraction_has_tail(Arena *a, const Contraction *k, const Shape *s, const Sym *processors) {
    Expr *x = tiles(a, s, k->x, tile_x(s->tile)), *y = tiles(a, s, k->y, tile_y(s->tile)),
         *behind = rows_behind(a, x, y, processors);
    return expr_op(a, OP_LAND, expr_op(a, OP_GT, behind, whole(a, 0), NULL),
                   expr_op(a, OP_LT, behind, y, NULL), NULL);
}

// Parts take the places that whole blocks leave, so that multiprocessors differ by one part at most: of the
// parts that all blocks together would have, each gets as many as the others, and most of them come whole.
static Expr *with_tail(Arena *a, const Contraction *k, const Shape *s, const Sym *processors) {
    const Tile *t = s->tile;
    Expr *x = tiles(a, s, k->x, tile_x(t)), *y = tiles(a, s, k->y, tile_y(t)), *parts = whole(a, s->tail);
    Expr *all = ceil_div(a, expr_mul(a, expr_mul(a, x, y), parts), expr_sym(a, processors));
    Expr *blocks = expr_op(a, OP_FDIV, all, parts, NULL), *rest = expr_op(a, OP_FMOD, all, parts, NULL);
    Expr *before = expr_mul(a, real(a, terms(a, k, t, 1)), turns(a, s, blocks));
    Expr *behind = expr_mul(a, real(a, terms(a, k, t, s->tail)), turns(a, s, rest));
    Expr *sum = times(a, one_term(k, s), expr_add(a, before, behind));
    Expr *elements =
        times(a, tile_x(t) * tile_y(t), real(a, expr_mul(a, rows_behind(a, x, y, processors), x)));
    double bytes = (double)type_size(contraction_type(k)) * (2 * s->tail + 2);
    sum = expr_add(a, sum, times(a, PART, real(a, rest)));
    return expr_add(a, expr_add(a, sum, number(a, 2 * LAUNCH)), times(a, bytes / PARTED, elements));
}

static Expr *elements(Arena *a, const Node *rows, const Node *columns) {
    return expr_mul(a, real(a, trips_of(a, rows)), real(a, trips_of(a, columns)));
}

// Parts are written, read again, and added to what is there.
static Expr *adding(Arena *a, const Contraction *k, int parts, Expr *n) {
    double bytes = (double)type_size(contraction_type(k)) * (parts + 2);
    return expr_add(a, number(a, LAUNCH), times(a, bytes / ADDED, n));
}

// What remains of one side: tiles as thin as they are, along the whole other side, and their sums.
static Expr *strip(Arena *a, const Contraction *k, const Node *thin, int64_t tile, int64_t by,
                   const Node *along, const Sym *processors) {
    Expr *left = expr_sub(a, trips_of(a, thin), expr_mul(a, whole_tiles(a, thin, tile), whole(a, tile)));
    Expr *wide = real(a, expr_mul(a, ceil_div(a, left, whole(a, by)), whole(a, by)));
    Expr *work = times(a, 2e-3 / THIN, expr_mul(a, wide, elements(a, along, k->k)));
    Expr *sum =
        expr_add(a, number(a, LAUNCH), expr_op(a, OP_DIV, work, real(a, expr_sym(a, processors)), NULL));
    Expr *added = expr_mul(a, real(a, left), real(a, trips_of(a, along)));
    sum = expr_add(a, sum, adding(a, k, STRIP_PARTS, added));
    return expr_op(a, OP_SELECT, expr_op(a, OP_GT, left, whole(a, 0), NULL), sum, number(a, 0));
}

// What an operand has, as far as it is read: every loop that it names.
static Expr *elements_of(Arena *a, const Contraction *k, const Operand *o) {
    Expr *n = times(a, o->places, elements(a, o->side == SIDE_X ? k->x : k->y, k->k));
    for (int i = 0; i < k->nbatch; i++)
        if (o->batches >> i & 1) n = expr_mul(a, n, real(a, trips_of(a, k->batch[i])));
    return n;
}

Expr *contraction_cost(Arena *a, const Contraction *k, const Shape *s, const Sym *processors) {
    Expr *sum = expr_add(a, number(a, START),
                         s->tail ? with_tail(a, k, s, processors) : main_part(a, k, s, processors));
    for (int i = 0; i < k->n; i++) {
        const Operand *o = &k->op[i];
        if (!operand_is_packed(o, s->way) || o->again) continue;
        Expr *copied = times(a, 2 * type_size(o->array->elem) / COPIED, elements_of(a, k, o));
        sum = expr_add(a, sum, expr_add(a, number(a, LAUNCH), copied));
    }
    if (s->strips) {
        sum = expr_add(a, sum, strip(a, k, k->x, tile_x(s->tile), tile_x(&strip_right), k->y, processors));
        sum = expr_add(a, sum, strip(a, k, k->y, tile_y(s->tile), tile_y(&strip_below), k->x, processors));
    }
    if (s->parts > 1) sum = expr_add(a, sum, adding(a, k, s->parts, elements(a, k->x, k->y)));
    return sum;
}
