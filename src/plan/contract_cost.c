// SPDX-License-Identifier: MIT
// contract_cost.c -- how long a contraction's kernel will take, as an expression of its sizes.
//
//   start  +  packs  +  ceil(blocks / processors) * (time of a block, with so many beside it)  +  adding up
//
// The multiprocessor that gets the most blocks decides. The constants were fitted to 700 timings of 25
// tiles on an H200, n = 512 to 8192 and thin shapes; they are to order kernels, not to foretell seconds.
#include "plan/contract.h"

static const double START = 4;       // microseconds: a launch, the first loads, the last stores
static const double LAUNCH = 3.5;    // each further kernel
static const double COPIED = 3.2e6;  // bytes a microsecond, read and written, when operands are packed
static const double ADDED = 5e6;     // and when parts are added up, mostly in the second level cache

static Expr *number(Arena *a, double x) { return expr_float(a, T_F64, x); }
static Expr *real(Arena *a, Expr *x) { return expr_cast(a, T_F64, x); }
static Expr *whole(Arena *a, int64_t x) { return expr_int(a, T_I64, x); }

static Expr *trips(Arena *a, const Node *loop) {
    return expr_sub(a, expr_cast(a, T_I64, loop->hi), expr_cast(a, T_I64, loop->lo));
}

static Expr *ceil_div(Arena *a, Expr *n, Expr *by) {
    Expr *up = expr_add(a, n, expr_sub(a, by, whole(a, 1)));
    return expr_op(a, OP_FDIV, up, by, NULL);
}

// Iterations of several loops together.
static Expr *all_of(Arena *a, Expr *x, int n, const Node *const *loop) {
    for (int i = 0; i < n; i++) x = expr_mul(a, x, trips(a, loop[i]));
    return x;
}

static Expr *times(Arena *a, double x, Expr *y) { return expr_mul(a, number(a, x), y); }

// What one multiprocessor does, in floating-point operations, and how fast.
static Expr *main_part(Arena *a, const Contraction *k, const Shape *s, const Sym *processors) {
    const Tile *t = s->tile;
    Expr *blocks = expr_mul(a, ceil_div(a, trips(a, k->x), whole(a, tile_x(t))), ceil_div(a, trips(a, k->y), whole(a, tile_y(t))));
    if (k->nbatch) blocks = all_of(a, blocks, 1, k->batch);
    Expr *rounds = ceil_div(a, expr_mul(a, blocks, whole(a, s->parts)), expr_sym(a, processors));
    Expr *deep = expr_mul(a, ceil_div(a, trips(a, k->k), whole(a, (int64_t)t->bk * s->parts)), whole(a, t->bk));
    deep = all_of(a, deep, k->naround, k->around);
    if (k->nbatch) deep = all_of(a, deep, k->nbatch - 1, k->batch + 1);
    Expr *work = times(a, 2.0 * tile_x(t) * tile_y(t), expr_mul(a, real(a, rounds), real(a, deep)));
    int turned = 0;
    for (int i = 0; i < k->n; i++)
        turned += operand_is_turned(&k->op[i]) && !operand_is_packed(&k->op[i], s->way);
    Expr *beside = real(a, expr_op(a, OP_MIN, rounds, whole(a, s->resident), NULL));
    Expr *share = expr_add(a, number(a, 1), expr_op(a, OP_DIV, number(a, s->alone), beside, NULL));
    return expr_mul(a, times(a, 1e-3 / (s->speed - turned * s->turning), work), share);
}

// What an operand has, as far as it is read: every loop that it names.
static Expr *elements_of(Arena *a, const Contraction *k, const Operand *o) {
    Expr *n = expr_mul(a, real(a, trips(a, o->side == SIDE_X ? k->x : k->y)), real(a, trips(a, k->k)));
    for (int i = 0; i < k->nbatch; i++)
        if (o->batches >> i & 1) n = expr_mul(a, n, real(a, trips(a, k->batch[i])));
    return n;
}

Expr *contraction_cost(Arena *a, const Contraction *k, const Shape *s, const Sym *processors) {
    Expr *sum = expr_add(a, number(a, START), main_part(a, k, s, processors));
    for (int i = 0; i < k->n; i++) {
        const Operand *o = &k->op[i];
        if (!operand_is_packed(o, s->way)) continue;
        Expr *elements = elements_of(a, k, o);
        sum = expr_add(a, sum, expr_add(a, number(a, LAUNCH), times(a, 2 * type_size(o->array->elem) / COPIED, elements)));
    }
    if (s->parts > 1) {
        Expr *elements = expr_mul(a, real(a, trips(a, k->x)), real(a, trips(a, k->y)));
        double bytes = (double)type_size(k->stmt->lhs->elem) * (s->parts + 2);
        sum = expr_add(a, sum, expr_add(a, number(a, LAUNCH), times(a, bytes / ADDED, elements)));
    }
    return sum;
}
