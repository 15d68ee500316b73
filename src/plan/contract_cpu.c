// SPDX-License-Identifier: MIT
// contract_cpu.c -- the steps that make a contraction's kernel for a processor, as a recipe.
//
//   C[y][x]   y = NC·yc + NR·yr + yv     x = MC·xc + MR·xr + V·xh + xv     k = KC·kt + kk
//
//   for yc  for xc        blocks, dealt to the cores
//     for kt              MC x KC of one operand stay in the second cache
//       for yr  for xr    tiles; NR x KC of the other operand stay in the first
//         for kk          MR x NR sums in registers
//           for yv  for xh  for xv
//
// Both operands are packed in panels as wide as a tile. The loops and what is where in the caches
// are those of K. Goto and R. van de Geijn, "Anatomy of high-performance matrix multiplication"
// (2008); the sizes come from the caches and registers of the processor.
#include "plan/contract_cpu.h"
#include "plan/recipe.h"
#include "rule/rule.h"

enum {
    VECTORS = 2,                  // of a tile, side by side: two loads then feed 2·NR multiply-adds
    LEAST_TERMS = 16,             // terms of a sum that are worth packing,
    LEAST_UPDATES = 80 * 80 * 80, // and updates of all sums
};

static int round_down(int64_t x, int to, int least) {
    return x / to * to < least ? least : (int)(x / to * to);
}

CpuTile cpu_tile(const Processor *p, int size) {
    CpuTile t = {.lanes = p->vector / size};
    t.mr = VECTORS * t.lanes;
    t.nr = p->registers * 3 / 4 / VECTORS; // a quarter is left for what is loaded
    t.kc = round_down(p->first / 4 / (t.nr * size), 32, 64);
    t.mc = round_down(p->second / 5 / (t.kc * size), t.mr, t.mr);
    t.nc = round_down(960, t.nr, t.nr);
    // Two blocks a core of what just fills the second cache of one.
    for (int64_t side = 1024;
         side * side < 2ll * p->cores * t.mc * t.nc && (t.mc > 2 * t.mr || t.nc > 4 * t.nr);) {
        if (t.nc > t.mc && t.nc > 4 * t.nr) t.nc = round_down(t.nc / 2, t.nr, t.nr);
        else t.mc = round_down(t.mc / 2, t.mr, t.mr);
        if (t.mc <= 2 * t.mr && t.nc <= t.mc) break;
    }
    return t;
}

// ---- does it fit? --------------------------------------------------------------------------------
static bool has_lanes(const Expr *x) {
    if (x->kind == E_LOAD || x->kind == E_INT || x->kind == E_FLOAT || x->kind == E_SYM) return true;
    if (x->kind != E_OP) return false;
    switch (x->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_FMA: break;
    case OP_DIV: case OP_MIN: case OP_MAX:
        if (!type_is_float(x->type)) return false;
        break;
    default: return false;
    }
    for (int i = 0; i < x->nargs; i++)
        if (!has_lanes(x->args[i])) return false;
    return true;
}

// Every operand that moves with x or y is a panel's, so that nothing is read beyond an array.
bool contraction_fits_cpu(const Contraction *k) {
    const Stmt *s = k->update[0];
    bool op = s->op == OP_ADD || s->op == OP_MUL ||
              ((s->op == OP_MIN || s->op == OP_MAX) && type_is_float(s->lhs->elem));
    if (k->nupdates > 1 || !op || contraction_casts(k) || !has_lanes(s->rhs)) return false;
    if (k->nbatch || k->naround || k->triangle || k->strip) return false;
    for (int i = 0; i < k->n; i++)
        if (k->op[i].side != SIDE_NEITHER &&
            (k->op[i].k < 0 || k->op[i].array->rank != 2 || k->op[i].shifted || k->op[i].again ||
             k->op[i].loose))
            return false;
    return true;
}

// ---- does it pay? ---------------------------------------------------------------------------------
static Expr *at_least(Arena *a, Expr *x, int64_t n) {
    return expr_op(a, OP_GE, x, expr_int(a, T_I64, n), NULL);
}

// A few tiles are full, and there is enough to do for two packings.
Expr *contraction_cpu_pays(Arena *a, const Contraction *k, const CpuTile *t) {
    Expr *n[3] = {trips_of(a, k->x), trips_of(a, k->y), trips_of(a, k->k)}, *enough = expr_int(a, T_I64,
        LEAST_UPDATES), *work = NULL;
    for (int i = 0; i < 3; i++) {
        Expr *some = expr_op(a, OP_MIN, n[i], enough, NULL); // so that no product overflows
        work = work ? expr_mul(a, work, some) : some;
    }
    Expr *tiles = expr_op(a, OP_LAND, at_least(a, n[0], t->mr), at_least(a, n[1], 2 * t->nr), NULL);
    tiles = expr_op(a, OP_LAND, tiles, at_least(a, n[2], LEAST_TERMS), NULL);
    return expr_op(a, OP_LAND, tiles, at_least(a, work, LEAST_UPDATES), NULL);
}

// ---- the recipe -------------------------------------------------------------------------------------
static void put_packs(Text *out, const Contraction *k, const CpuTile *t) {
    for (int i = 0; i < k->n; i++) {
        const Operand *o = &k->op[i];
        if (o->side == SIDE_NEITHER) continue;
        text_printf(out, "pack %s at=k0 as=%s_p order=%s panel=%d\n", o->array->name, o->array->name,
                    o->k > o->xy ? "1,0" : "0,1", o->side == SIDE_X ? t->mr : t->nr);
    }
}

// The loops before the sum and behind it, which k->before has parted from it, are dealt to the cores as
// well: they are pieces of x and y.
typedef struct Others {
    const Contraction *k;
    Text *out;
} Others;

static void put_others(const Others *o, Node *n) {
    if (n->kind == N_FOR) {
        if (!loop_named(n, o->k->k->iter->name)) text_printf(o->out, "map block %s\n", n->iter->name);
        return;
    }
    for (int i = 0; node_kid(n, i); i++) put_others(o, node_kid(n, i));
}

// The conditions on blocks' ends become bounds, where blocks have ends.
static void put_trims(Text *out, const Contraction *k, const CpuTile *t) {
    const struct { const char *name; const Node *loop; int tile, block; } at[] = {
        {"yr", k->y, t->nr, t->nc / t->nr}, {"xr", k->x, t->mr, t->mc / t->mr}, {"kk", k->k, 1, t->kc}};
    for (int i = 0; i < 3; i++) {
        int64_t n = contraction_trips(at[i].loop), tiles = (n + at[i].tile - 1) / at[i].tile;
        if (n < 0 || tiles % at[i].block) text_printf(out, "trim %s\n", at[i].name);
    }
}

char *contraction_cpu_recipe(Compile *c, const Nest *start, const Contraction *k, const CpuTile *t) {
    Arena *a = c->arena;
    const char *x = k->x->iter->name, *y = k->y->iter->name, *z = k->k->iter->name;
    Text out = text_new(a), others = text_new(a);
    RecipeOptions quiet = {.judging = JUDGE_NONE, .file = "automatic"};
    const Nest *parted = *k->before ? recipe_follow(c, start, k->before, &quiet) : NULL;
    if (parted) put_others(&(Others){k, &others}, parted->root);
    text_printf(&out,
                "%sstrip %s by=%d as=xt,x2\nstrip x2 by=%d as=xh,xv edge=exact\nstrip xt by=%d as=xc,xr\n",
                k->before, x, t->mr, t->lanes, t->mc / t->mr);
    text_printf(&out, "strip %s by=%d as=yt,yv\nstrip yt by=%d as=yc,yr\nstrip %s by=%d as=kt,kk\n", y, t->nr,
                t->nc / t->nr, z, t->kc);
    text_put(&out, "interchange yc xc kt yr xr kk yv xh xv\n");
    put_trims(&out, k, t);
    text_put(&out, "map block yc xc\nmap vector xv\n");
    text_put(&out, text_str(&others));
    put_packs(&out, k, t);
    // With the permission each strip of k is a sum of its own, which errs less than one long sum.
    text_printf(&out, "hoist %s at=kk%s as=acc max=%d\n", k->sum[0].name,
                k->region->reassociate ? " init=zero" : "", t->mr * t->nr);
    bool ends[2] = {!contraction_is_multiple(k->y, t->nr), !contraction_is_multiple(k->x, t->mr)};
    if (ends[0] || ends[1]) text_put(&out, "edge compute\n");
    if (ends[0]) text_put(&out, "split yr at=full\n");
    if (ends[1]) text_put(&out, "split xr at=full\n");
    text_printf(&out, "vectorize acc width=%d\nunroll yv\nunroll xh\n", t->lanes);
    for (int i = 1; i <= ends[0] + ends[1]; i++) text_printf(&out, "unroll yv_%d\nunroll xh_%d\n", i, i);
    return arena_strdup(a, text_str(&out));
}
