// SPDX-License-Identifier: MIT
// variants.c -- shaped kernels for the regions whose structure is known, each for the sizes
// where it pays. They stand before the default nest in the chain; the first whose condition
// holds is run.
#include "plan/auto.h"
#include "plan/contract.h"
#include "rule/catalogue.h"

// Applied silently: a recipe that does not fit here is no error of the user's.
static Nest *try_recipe(Compile *c, const Nest *start, const char *text) {
    int diags = c->diags.n, errors = c->errors;
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "automatic"};
    Nest *n = recipe_apply(c, start, text, &o);
    c->diags.n = diags;
    c->errors = errors;
    return n;
}

// Kernels of one region have different names: NAME_2_0 is the first of its second variant.
static Node *rename_kernels(Arena *a, Node *n, const char *region, int variant, int *count) {
    Node *m = node_clone(a, n);
    if (n->kind == N_KERNEL) {
        m->name = arena_printf(a, "%s_%d_%d", region, variant + 1, (*count)++);
        return m;
    }
    if (n->nkids) m->kids = NEW_N(a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) m->kids[i] = rename_kernels(a, n->kids[i], region, variant, count);
    if (n->body) m->body = rename_kernels(a, n->body, region, variant, count);
    if (n->then) m->then = rename_kernels(a, n->then, region, variant, count);
    if (n->other) m->other = rename_kernels(a, n->other, region, variant, count);
    return m;
}

// ---- contractions ---------------------------------------------------------------------------
// Three tiles, by how much of C a block makes. The large one does the fewest loads for each
// product; the fine one leaves less of the machine idle at the end; the small one has more
// threads for its size and fills a machine that has little to do. The speeds, in GFLOP/s, were
// measured on an H200 with everything full.
typedef enum Size { LARGE, FINE, SMALL, NSIZES } Size;
static const struct {
    Tile tile;
    int speed;
} tiles[NSIZES] = {
    [LARGE] = {{.px = 4, .py = 2, .lx = 4, .ly = 8, .wx = 4, .wy = 2, .bk = 16, .stages = 3, .chunk = 768, .shared_sums = true}, 52600},
    [FINE] = {{.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 1, .wy = 2, .bk = 16, .stages = 4, .min_blocks = 6, .chunk = 384}, 50400},
    [SMALL] = {{.px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4, .min_blocks = 4, .chunk = 192}, 46900},
};
static const struct {
    Size size;
    Way way;
    bool exact;
    int parts; // of each sum; 0: it is not split
} choices[] = { // the first is the one that is shown
    {LARGE, WAY_DIRECT, true},      {LARGE, WAY_PACKED, false},    {FINE, WAY_PACKED, false},
    {SMALL, WAY_SINGLE, false, 64}, {SMALL, WAY_SINGLE, false, 8}, {SMALL, WAY_SINGLE, true, 4},
    {SMALL, WAY_SINGLE, true},      {SMALL, WAY_SINGLE, false},
};
enum {
    PROCESSORS = 132,    // multiprocessors that are to be filled
    LEAST_PART = 128,    // terms of a sum that are worth a block of their own
};

// Elements of eight bytes: as many bytes of each operand, and what registers twice the sums need.
// False: they are more than a thread has.
static bool tile_for(Size s, Type elem, Tile *t) {
    *t = tiles[s].tile;
    if (type_size(elem) <= 4) return true;
    t->bk /= 2;
    if (t->min_blocks > 4) t->min_blocks = 4;
    return s != LARGE;
}

static Expr *trips64(Arena *a, const Node *loop) {
    return expr_sub(a, expr_cast(a, T_I64, loop->hi), expr_cast(a, T_I64, loop->lo));
}

// ceil(trips / by)
static Expr *blocks_of(Arena *a, const Node *loop, int by) {
    Expr *n = expr_add(a, trips64(a, loop), expr_int(a, T_I64, by - 1));
    return expr_op(a, OP_FDIV, n, expr_int(a, T_I64, by), NULL);
}

static Expr *at_least(Arena *a, Expr *x, int64_t n) {
    return expr_op(a, OP_GE, x, expr_int(a, T_I64, n), NULL);
}

static Expr *blocks(Arena *a, const Contraction *k, const Tile *t) {
    return expr_mul(a, blocks_of(a, k->x, tile_x(t)), blocks_of(a, k->y, tile_y(t)));
}

// How long it takes: the last round of blocks costs as much as a full one.
static Expr *cost(Arena *a, const Contraction *k, Size s) {
    const Tile *t = &tiles[s].tile;
    Expr *n = expr_add(a, blocks(a, k, t), expr_int(a, T_I64, PROCESSORS - 1));
    Expr *rounds = expr_op(a, OP_FDIV, n, expr_int(a, T_I64, PROCESSORS), NULL);
    return expr_mul(a, rounds, expr_int(a, T_I64, (int64_t)tile_x(t) * tile_y(t) * 1000000 / tiles[s].speed));
}

// Is there enough to do, and is this the quickest tile?
static Expr *pays(Arena *a, const Contraction *k, Size s) {
    const Tile *t = &tiles[s].tile;
    Expr *work = at_least(a, trips64(a, k->k), 2 * t->bk);
    Expr *some = expr_op(a, OP_LAND, at_least(a, trips64(a, k->x), 1), at_least(a, trips64(a, k->y), 1), NULL);
    Expr *when = expr_op(a, OP_LAND, work, some, NULL);
    if (s == SMALL) return when;
    Expr *fine = expr_op(a, OP_LE, cost(a, k, LARGE), cost(a, k, FINE), NULL);
    Expr *best = s == LARGE ? fine : at_least(a, blocks(a, k, t), 2 * PROCESSORS);
    return expr_op(a, OP_LAND, when, best, NULL);
}

// Few elements with long sums: the machine is not full without parts, nor crowded with them.
static Expr *split_pays(Arena *a, const Contraction *k, Size s, int parts) {
    Expr *all = expr_mul(a, blocks(a, k, &tiles[s].tile), expr_int(a, T_I64, parts));
    Expr *few = expr_op(a, OP_LE, all, expr_int(a, T_I64, tiles[s].tile.min_blocks * PROCESSORS), NULL);
    Expr *some = expr_op(a, OP_LAND, at_least(a, trips64(a, k->x), 1), at_least(a, trips64(a, k->y), 1), NULL);
    Expr *work = at_least(a, trips64(a, k->k), LEAST_PART * parts);
    return expr_op(a, OP_LAND, work, expr_op(a, OP_LAND, some, few, NULL), NULL);
}

static int contractions(Compile *c, const Region *r, const DepInfo *d, Nest **out, int max) {
    Contraction k;
    const Nest *start = plan_start(c, r, d, "gpu");
    if (!start || (!contraction_find(c, r, d, &k) && !contraction_find_sum(c, r, d, start, &k))) return 0;
    bool sizes = contraction_has_sizes(&k);
    int n = 0;
    for (size_t i = 0; n < max && i < sizeof choices / sizeof *choices; i++) {
        Size s = choices[i].size;
        int parts = choices[i].parts;
        if ((choices[i].exact && !sizes) || (parts && !r->reassociate)) continue;
        Tile tile;
        if (!tile_for(s, k.stmt->lhs->elem, &tile)) continue;
        Nest *nest = try_recipe(c, start, contraction_recipe(c->arena, &k, &tile, choices[i].way, choices[i].exact, parts));
        if (!nest) continue;
        nest->when = expr_op(c->arena, OP_LAND, nest->when, parts ? split_pays(c->arena, &k, s, parts) : pays(c->arena, &k, s), NULL);
        if (!plan_confirmed(c, r, nest->root, &nest->when)) continue;
        nest->proved = true; // x and y carry nothing; each element's updates keep their order or needn't
        int kernels = 0;
        nest->root = rename_kernels(c->arena, nest->root, r->name, n, &kernels);
        if (ir_verify_nest(c, nest)) out[n++] = nest;
    }
    return n;
}

int plan_variants(Compile *c, const Region *r, const DepInfo *d, Nest **out, int max) {
    if (d->gave_up) return 0;
    return contractions(c, r, d, out, max);
}
