// SPDX-License-Identifier: MIT
// variants.c -- shaped kernels for the regions whose structure is known, each for the sizes
// where it pays. They stand before the default nest in the chain; the first whose condition
// holds is run.
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
// Measured on one H200. The large tile does the fewest loads for each product; the small one
// fills the machine where there are few blocks, and there a kernel that packs does not pay.
typedef struct TileChoice {
    Tile tile;
    Way way;
    int blocks;   // at least so many blocks, or the next smaller tile is quicker
} TileChoice;
#define LARGE {.px = 4, .py = 2, .lx = 4, .ly = 8, .wx = 4, .wy = 2, .bk = 16, .stages = 3, .min_blocks = 1}
#define MIDDLE {.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 4, .bk = 16, .stages = 4, .min_blocks = 2}
#define SMALL {.px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4, .min_blocks = 4}
static const TileChoice tiles[] = {
    {LARGE, WAY_DIRECT, 120},  {LARGE, WAY_PACKED, 120}, {MIDDLE, WAY_DIRECT, 180},
    {MIDDLE, WAY_PACKED, 180}, {SMALL, WAY_SINGLE, 1},
};

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

// There are enough blocks, and each has something to do.
static Expr *pays(Arena *a, const Contraction *k, const TileChoice *t) {
    Expr *bx = blocks_of(a, k->x, tile_x(&t->tile)), *by = blocks_of(a, k->y, tile_y(&t->tile));
    Expr *work = at_least(a, trips64(a, k->k), 2 * t->tile.bk);
    Expr *some = expr_op(a, OP_LAND, at_least(a, bx, 1), at_least(a, by, 1), NULL);
    Expr *many = at_least(a, expr_mul(a, bx, by), t->blocks);
    return expr_op(a, OP_LAND, work, expr_op(a, OP_LAND, some, many, NULL), NULL);
}

static int contractions(Compile *c, const Region *r, const DepInfo *d, Nest **out, int max) {
    Contraction k;
    if (!contraction_find(c, r, d, &k)) return 0;
    const Nest *start = plan_start(c, r, d, "gpu");
    int n = 0;
    for (size_t i = 0; start && n < max && i < sizeof tiles / sizeof *tiles; i++) {
        Nest *nest = try_recipe(c, start, contraction_recipe(c->arena, &k, &tiles[i].tile, tiles[i].way));
        if (!nest) continue;
        nest->when = expr_op(c->arena, OP_LAND, nest->when, pays(c->arena, &k, &tiles[i]), NULL);
        nest->proved = true; // x and y carry nothing, and each element's updates keep their order
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
