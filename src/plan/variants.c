// SPDX-License-Identifier: MIT
// variants.c -- shaped kernels for the regions whose structure is known, each for the sizes
// where it pays. They stand before the default nest in the chain; of those whose conditions hold
// the cheapest is run, by its own estimate.
#include "plan/auto.h"
#include "plan/choose.h"
#include "plan/contract_cpu.h"
#include "plan/recipe.h"
#include "plan/rows.h"
#include "plan/teams.h"
#include "plan/variants.h"
#include "rule/catalogue.h"
#include <math.h>
#include <string.h>

// Applied silently: a recipe that does not fit here is no error of the user's.
static Nest *try_recipe(Compile *c, const Nest *start, const char *text) {
    int diags = c->diags.n, errors = c->errors;
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "automatic"};
    Nest *n = recipe_apply(c, start, text, &o);
    c->diags.n = diags;
    c->errors = errors;
    return n;
}

// Kernels of one region have different names: NAME_2_0 is the first of its second variant. `when` and `cost`
// (may be NULL) are over facts of `with`.
static Nest *shaped_nest(Compile *c, const Nest *n, int variant, Expr *when, Expr *cost, const Nest *with) {
    Arena *a = c->arena;
    char *close = arena_printf(a, "close as=%s%s_%d", n->region->name, str_eq(n->target, "cpu") ? "_cpu" : "",
                               variant + 1);
    char *pays = arena_printf(a, "pays when=%s", step_expr(a, with, when));
    if (cost) pays = arena_printf(a, "%s cost=%s", pays, step_expr(a, with, cost));
    n = recipe_then(c, n, close, NULL);
    return n ? recipe_then(c, n, pays, NULL) : NULL;
}

// ---- contractions ---------------------------------------------------------------------------
// The large tile does the fewest loads for each product; small ones leave less of the machine idle when
// there is little to do, and parts of the sums even less. What each is good for was measured, and which
// one is taken is a matter of its cost at the sizes of the moment (contract_cost.c).
// Chunks keep the error of long sums near that of sums in many parts; what is split needs none.
static const Tile large = {.px = 4,
                           .py = 2,
                           .lx = 4,
                           .ly = 8,
                           .wx = 4,
                           .wy = 2,
                           .bk = 16,
                           .stages = 3,
                           .chunk = 2048,
                           .shared_sums = true};
static const Tile odd = {.px = 4,
                         .py = 2,
                         .lx = 4,
                         .ly = 8,
                         .wx = 4,
                         .wy = 2,
                         .bk = 16,
                         .stages = 3,
                         .chunk = 1024,
                         .shared_sums = true,
                         .through = true};
static const Tile cut = {.px = 4,
                         .py = 2,
                         .lx = 4,
                         .ly = 8,
                         .wx = 4,
                         .wy = 2,
                         .bk = 16,
                         .stages = 3,
                         .chunk = 2048,
                         .shared_sums = true,
                         .through = true};
static const Tile edged = {.px = 4,
                           .py = 2,
                           .lx = 4,
                           .ly = 8,
                           .wx = 4,
                           .wy = 2,
                           .bk = 16,
                           .stages = 3,
                           .chunk = 2048,
                           .shared_sums = true,
                           .through_sums = true};
static const Tile square = {.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 4, .bk = 16, .stages = 4};
static const Tile wide = {.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4};
static const Tile fine = {.px = 2,
                          .py = 2,
                          .lx = 8,
                          .ly = 4,
                          .wx = 1,
                          .wy = 2,
                          .bk = 16,
                          .stages = 4,
                          .min_blocks = 6,
                          .chunk = 512};
static const Tile finest = {.px = 2, .py = 2, .lx = 8, .ly = 4, .wx = 1, .wy = 2, .bk = 16, .stages = 4};
static const Tile small = {.px = 1,
                           .py = 2,
                           .lx = 8,
                           .ly = 4,
                           .wx = 2,
                           .wy = 2,
                           .bk = 16,
                           .stages = 4,
                           .min_blocks = 4,
                           .chunk = 256};
static const Tile brief = {
    .px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4, .min_blocks = 4};
static const Tile light = {.px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 2, .bk = 16, .stages = 4};
static const Tile narrow = {.px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 1, .bk = 16, .stages = 4};
// For short sums.
static const Tile quick = {
    .px = 1, .py = 2, .lx = 8, .ly = 4, .wx = 2, .wy = 1, .bk = 16, .stages = 4, .early = true};
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
};
enum {
    LEAST_SIDE = 16,     // elements of a row or column of C that are worth a tile
    LEAST_PART = 32,     // terms of a sum that are worth a block of their own
    LONGEST = 1024,      // terms that are added up one after the other where chunks are permitted
    MOST_SUMS = 64,      // of eight bytes, that a thread has registers for
};

static int sums_of(const Tile *t) { return 16 * t->px * t->py; }

// Elements of eight bytes: as many bytes of each operand, and what registers twice the sums need.
// False: they are more than a thread has.
static bool shape_for(const Shape *from, Type elem, Tile *t, Shape *s) {
    *s = *from;
    *t = *from->tile;
    s->tile = t;
    if (type_size(elem) <= 4) return true;
    t->bk /= 2;
    if (t->min_blocks > 4) t->min_blocks = 4;
    if (s->resident > 4) s->resident = 4;
    s->speed /= 2;
    return sums_of(t) <= MOST_SUMS;
}

static Expr *at_least(Arena *a, const Node *loop, int64_t n) {
    Expr *trips = expr_sub(a, expr_cast(a, T_I64, loop->hi), expr_cast(a, T_I64, loop->lo));
    return expr_op(a, OP_GE, trips, expr_int(a, T_I64, n), NULL);
}

static bool may_chunk(const Contraction *k) {
    return k->region->reassociate && !k->naround && k->stmt->op == OP_ADD && k->stmt->lhs->elem == T_F32;
}

// Is there enough of everything, and no sum too long?
static Expr *suits(Arena *a, const Contraction *k, const Shape *s) {
    int64_t x = s->strips ? tile_x(s->tile) : LEAST_SIDE, y = s->strips ? tile_y(s->tile) : LEAST_SIDE;
    Expr *sides = expr_op(a, OP_LAND, at_least(a, k->x, x), at_least(a, k->y, y), NULL);
    if (may_chunk(k) && !s->tile->chunk)
        sides = expr_op(a, OP_LAND, sides,
                        expr_op(a, OP_LNOT, at_least(a, k->k, LONGEST * s->parts + 1), NULL, NULL), NULL);
    if (may_chunk(k) && s->tail && s->tile->chunk) // parts are no longer than chunks, and have none
        sides =
            expr_op(a, OP_LAND, sides,
                    expr_op(a, OP_LNOT, at_least(a, k->k, (int64_t)s->tile->chunk * s->tail + 1), NULL, NULL),
                    NULL);
    int parts = s->tail > s->parts ? s->tail : s->parts;
    return expr_op(a, OP_LAND, at_least(a, k->k, parts > 1 ? LEAST_PART * parts : 2 * s->tile->bk), sides,
                   NULL);
}

// What the nest's cost asks for.
static const Sym *add_fact(Compile *c, Nest *n, FactKind kind) {
    Names names = {.arena = c->arena, .region = n->region};
    return nest_fact(c->arena, n, kind, name_fresh(&names, fact_stem(kind)));
}

static bool same_but_chunk(const Tile *x, const Tile *y) {
    return x->px == y->px && x->py == y->py && x->lx == y->lx && x->ly == y->ly && x->wx == y->wx &&
           x->wy == y->wy && x->bk == y->bk && x->stages == y->stages && x->min_blocks == y->min_blocks;
}

// Is there one before it that differs by its chunks alone?
static bool is_twin(const Shape *s) {
    for (const Shape *o = shapes; o < s; o++)
        if (same_but_chunk(o->tile, s->tile) && o->way == s->way && o->parts == s->parts &&
            o->tail == s->tail && o->exact == s->exact && o->strips == s->strips)
            return true;
    return false;
}

// Does the structure allow it, and is it none of the others?
static bool applies(const Contraction *k, const Shape *s, const Shape *from) {
    return contraction_allows(k, s) && (may_chunk(k) || !is_twin(from));
}

// The nest of a recipe where it pays; NULL: it does nowhere, or it is not right.
static Nest *where_it_pays(Compile *c, const Nest *n, const Nest *with, int variant, Expr *when, Expr *cost) {
    if (expr_is_int(expr_op(c->arena, OP_LAND, n->when, when, NULL), 0)) return NULL;
    Nest *m = shaped_nest(c, n, variant, when, cost, with);
    if (!m || !plan_confirmed(c, m)) return NULL;
    return plan_is_sound(c, m, LEFT_OUT) ? m : NULL;
}

static Nest *shape(Compile *c, const Nest *start, const Contraction *k, const Shape *s, int variant) {
    Nest *n = try_recipe(c, start, contraction_recipe(c->arena, k, s));
    if (!n) return NULL;
    Nest with = *n;
    const Sym *processors = add_fact(c, &with, FACT_PROCESSORS);
    Expr *when = suits(c->arena, k, s);
    if (s->tail)
        when = expr_op(c->arena, OP_LAND, when, contraction_has_tail(c->arena, k, s, processors), NULL);
    return where_it_pays(c, n, &with, variant, when, contraction_cost(c->arena, k, s, processors));
}

// A shape that fits, and its cost in a call.
typedef struct Candidate {
    Tile tile;
    Shape shape;
    double cost;
} Candidate;

// Of the call, as far as it can be told before there is a nest; infinite where the shape can't run it.
static double cost_in(Compile *c, const Contraction *k, const Shape *s, const PlanCall *call) {
    Arena *a = c->arena;
    Sym *sms = NEW(a, Sym);
    *sms = (Sym){"sms", SYM_PARAM, T_I64, NULL};
    InterpVal *v = NEW_N(a, InterpVal, call->nvals + 1);
    memcpy(v, call->vals, sizeof *v * (size_t)call->nvals);
    v[call->nvals] = (InterpVal){.sym = sms, .i = call->processors};
    Expr *may = suits(a, k, s);
    if (s->tail) may = expr_op(a, OP_LAND, may, contraction_has_tail(a, k, s, sms), NULL);
    int64_t yes;
    double cost;
    bool told = ir_eval(may, call->nvals + 1, v, &yes) && yes && ir_eval_float(contraction_cost(a, k, s,
            sms), call->nvals + 1, v, &cost);
    return told ? cost : INFINITY;
}

// Those that fit, in the table's order; of a call only what can run it, the cheapest first.
static int candidates(Compile *c, const Contraction *k, const PlanCall *call, Candidate **out) {
    int n = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Candidate *x = NEW(c->arena, Candidate);
        if (!shape_for(&shapes[i], k->stmt->lhs->elem, &x->tile, &x->shape) || !applies(k, &x->shape,
                &shapes[i])) continue;
        x->cost = call->vals ? cost_in(c, k, &x->shape, call) : 0;
        if (isinf(x->cost)) continue;
        int at = n++;
        for (; at > 0 && out[at - 1]->cost > x->cost; at--) out[at] = out[at - 1];
        out[at] = x;
    }
    return n;
}

static int contractions(Compile *c, const Region *r, const DepInfo *d, const PlanCall *call, Nest **out,
        int max) {
    Contraction k;
    Candidate *all[sizeof shapes / sizeof *shapes];
    const Nest *start = plan_start(c, r, d, "gpu");
    if (!start || (!contraction_find(c, r, d, &k) && !contraction_find_sum(c, r, d, start, &k))) return 0;
    int n = 0, count = candidates(c, &k, call, all);
    if (call->vals && max > 1) max = 1;
    for (int i = 0; n < max && i < count; i++) {
        Nest *nest = shape(c, start, &k, &all[i]->shape, n);
        if (nest && (!call->vals || plan_may_run(c, nest, call))) out[n++] = nest;
    }
    return n;
}

// ---- sums of rows ---------------------------------------------------------------------------
// before: how many variants there are already.
static int rows(Compile *c, const Region *r, const DepInfo *d, int before, Nest **out) {
    Rows k;
    const Nest *start = rows_find(c->arena, r, d, &k) ? plan_start(c, r, d, "gpu") : NULL;
    Nest *n = start ? try_recipe(c, start, rows_recipe(c->arena, &k)) : NULL;
    if (!n) return 0;
    Nest with = *n;
    const Sym *copying = add_fact(c, &with, FACT_COPY);
    Expr *cost = rows_cost(c->arena, &k, copying, add_fact(c, &with, FACT_PROCESSORS));
    return (out[0] = where_it_pays(c, n, &with, before, rows_pays(c->arena, &k), cost)) != NULL;
}

// ---- rows by teams of threads -----------------------------------------------------------------
static Nest *team(Compile *c, const Nest *start, const Teams *k, int by, int number) {
    Nest *n = try_recipe(c, start, teams_recipe(c->arena, k, by));
    if (!n) return NULL;
    Nest with = *n;
    const Sym *copying = add_fact(c, &with, FACT_COPY);
    Expr *cost = teams_cost(c->arena, k, by, copying, add_fact(c, &with, FACT_PROCESSORS));
    return where_it_pays(c, n, &with, number, teams_pays(c->arena, k, by), cost);
}

static int teams(Compile *c, const Region *r, const DepInfo *d, Nest **out, int max) {
    Teams k;
    const Nest *start = teams_find(c, r, d, &k) ? plan_start(c, r, d, "gpu") : NULL;
    int n = 0;
    for (size_t i = 0; start && n < max && i < sizeof teams_sizes / sizeof *teams_sizes; i++) {
        Nest *nest = team(c, start, &k, teams_sizes[i], n);
        if (nest) out[n++] = nest;
    }
    return n;
}

static int for_processor(Compile *c, const Region *r, const DepInfo *d, Nest **out) {
    Contraction k;
    const Nest *start = plan_start(c, r, d, "cpu");
    if (!start || (!contraction_find(c, r, d, &k) && !contraction_find_sum(c, r, d, start, &k)) ||
        !contraction_fits_cpu(&k))
        return 0;
    Processor here = processor_here();
    CpuTile t = cpu_tile(&here, type_size(k.stmt->lhs->elem));
    Nest *n = try_recipe(c, start, contraction_cpu_recipe(c, start, &k, &t));
    return n && (out[0] = where_it_pays(c, n, n, 0, contraction_cpu_pays(c->arena, &k, &t), NULL)) != NULL;
}

int plan_shapes(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, Nest **out, int max) {
    if (str_eq(k->target, "cpu")) return for_processor(c, r, d, out);
    int n = contractions(c, r, d, k, out, max);
    if (n) return n;
    n = teams(c, r, d, out, max);
    return n < max ? n + rows(c, r, d, n, out + n) : n;
}

int plan_variants_for(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, Nest **out, int max) {
    if (d->gave_up || max < 1) return 0;
    int n = plan_shapes(c, r, d, k, out, max);
    if (n) return n;
    Nest *parts = plan_shaping(c, r, d, k);
    return parts && plan_is_sound(c, parts, LEFT_OUT) ? out[0] = parts, 1 : 0;
}

int plan_variants(Compile *c, const Region *r, const DepInfo *d, const char *target, Nest **out, int max) {
    return plan_variants_for(c, r, d, &(PlanCall){.target = target}, out, max);
}

static Nest *for_all(Compile *c, const Region *r, const DepInfo *d, const char *target) {
    PlanOptions *o = NEW(c->arena, PlanOptions);
    *o = (PlanOptions){target, .asserted = true};
    return plan_default(c, r, d, o);
}

void plan_nests(Compile *c, const Region *r, const DepInfo *d, int most, PlanNests *out) {
    *out = (PlanNests){.gpu = for_all(c, r, d, "gpu"), .cpu = for_all(c, r, d, "cpu")};
    if (out->gpu) out->nshaped = plan_chain(c, r, d, &(PlanCall){.target = "gpu"}, out->gpu, out->shaped,
            most);
    if (out->cpu && most > 1) out->nshaped += plan_variants(c, r, d, "cpu", out->shaped + out->nshaped, 1);
}
