// SPDX-License-Identifier: MIT
// variants.c -- shaped kernels for the regions whose structure is known, each for the sizes
// where it pays. They stand before the default nest in the chain; of those whose conditions hold
// the cheapest is run, by its own estimate.
#include "plan/variants.h"
#include "model/model.h"
#include "plan/auto.h"
#include "plan/choose.h"
#include "plan/contract_cpu.h"
#include "plan/contract_shapes.h"
#include "plan/part.h"
#include "plan/recipe.h"
#include "plan/rows.h"
#include "plan/strategy.h"
#include "plan/teams.h"
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
// What the nest's cost asks for.
static const Sym *add_fact(Compile *c, Nest *n, FactKind kind) {
    Names names = {.arena = c->arena, .region = n->region};
    return nest_fact(c->arena, n, kind, name_fresh(&names, fact_stem(kind)));
}

// The nest of a recipe where it pays; NULL: it does nowhere, or it is not right.
static Nest *where_it_pays(Compile *c, const Nest *n, const Nest *with, int variant, Expr *when, Expr *cost) {
    if (expr_is_int(expr_op(c->arena, OP_LAND, n->when, when, NULL), 0)) return NULL;
    Nest *m = shaped_nest(c, n, variant, when, cost, with);
    if (!m || !plan_confirmed(c, m)) return NULL;
    return plan_is_sound(c, m, LEFT_OUT) ? m : NULL;
}

// What a shape makes of the region, before it is closed; NULL: it does not fit.
typedef struct Shaped {
    const Candidate *from;
    Nest *nest;
    Nest with; // the nest, with what its cost asks for
    const Sym *processors;
    double seconds; // that the model expects of it
} Shaped;

static bool make(Compile *c, const Nest *start, const Contraction *k, const Candidate *from, Shaped *out) {
    *out =
        (Shaped){.from = from, .nest = try_recipe(c, start, contraction_recipe(c->arena, k, &from->shape))};
    if (!out->nest) return false;
    out->with = *out->nest;
    out->processors = add_fact(c, &out->with, FACT_PROCESSORS);
    return true;
}

// scale: what the model says of the call over what the shape's own estimate says.
static Nest *closed(Compile *c, const Contraction *k, const Shaped *s, double scale, int variant) {
    const Shape *shape = &s->from->shape;
    Expr *cost = contraction_cost(c->arena, k, shape, s->processors);
    if (scale != 1) cost = expr_mul(c->arena, expr_float(c->arena, T_F64, scale), cost);
    return where_it_pays(c, s->nest, &s->with, variant, contraction_suits(c->arena, k, shape, s->processors),
                         cost);
}

// The shapes of any call.
static int all_shapes(Compile *c, const Nest *start, const Contraction *k, const Candidates *all, Nest **out,
                      int max) {
    int n = 0;
    for (int i = 0; n < max && i < all->n; i++) {
        Shaped s;
        Nest *nest = make(c, start, k, all->at[i], &s) ? closed(c, k, &s, 1, n) : NULL;
        if (nest) out[n++] = nest;
    }
    return n;
}

// The model's price, or the estimate. Of two that cost much the same by it the one with fewer parts of sums
// goes first: half a per cent for each doubling changes nothing in the kept tries, and ties elsewhere.
static double seconds_of(const Shaped *s, const PlanCall *call) {
    static const double DOUBLING = 0.005;
    const Shape *shape = &s->from->shape;
    int parts = shape->tail > shape->parts ? shape->tail : shape->parts;
    if (!call->machine) return 1e-6 * s->from->cost;
    return plan_seconds(s->nest, call) * (1 + DOUBLING * log2(parts));
}

// Estimates tell what is worth a nest, and the model which of these is quickest: it knows the loads, copies
// and registers that a nest really has.
static int shapes_for(Compile *c, const Nest *start, const Contraction *k, const PlanCall *call,
                      const Candidates *all, Nest **out, int max) {
    enum { NEAR = 6, VAIN = 12 };    // nests that the model looks at; that don't fit before the first does
    static const double CLOSE = 1.3; // whose estimates differ by less
    unsigned refused = 0;            // ways that operands or results don't lie for
    int n = 0, i = 0, vain = 0;
    while (n < max && i < all->n && vain < VAIN) {
        Shaped *near[NEAR];
        int m = 0;
        double first = all->at[i]->cost;
        for (; i < all->n && m < NEAR && all->at[i]->cost < CLOSE * first; i++) {
            Shaped *s = NEW(c->arena, Shaped);
            const Shape *shape = &all->at[i]->shape;
            unsigned way = 1u << (4 * shape->way + 2 * shape->exact + (shape->parts > 1));
            if (refused & way) continue;
            if (!make(c, start, k, all->at[i], s)) {
                if (vain++ < VAIN) continue;
                break;
            }
            vain = -all->n; // it fits at all
            if (call->pick && !plan_may_run(c, s->nest, call)) refused |= way;
            if (refused & way) continue;
            s->seconds = seconds_of(s, call);
            int at = m++;
            for (; at > 0 && near[at - 1]->seconds > s->seconds; at--) near[at] = near[at - 1];
            near[at] = s;
        }
        for (int j = 0; n < max && j < m; j++) {
            double scale = isfinite(near[j]->seconds) ? near[j]->seconds / (1e-6 * near[j]->from->cost) : 1;
            Nest *nest = closed(c, k, near[j], scale, n);
            if (nest && (!call->pick || plan_may_run(c, nest, call))) out[n++] = nest;
        }
    }
    return n;
}

// more: it has loops beyond those of a product.
static int contractions(Compile *c, const Region *r, const DepInfo *d, const PlanCall *call, bool *more,
                        Nest **out, int max) {
    Contraction k;
    Candidates all = {0};
    const Nest *start = plan_start(c, r, d, "gpu");
    if (!start || (!contraction_find(c, r, d, &k) && !contraction_find_sum(c, r, d, start, &k))) return 0;
    *more = k.nbatch || k.naround;
    contraction_candidates(c, &k, call, &all);
    if (!call->vals) return all_shapes(c, start, &k, &all, out, max);
    int most = call->most ? call->most : 1;
    return shapes_for(c, start, &k, call, &all, out, max < most ? max : most);
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

// Sizes of the call's magnitude or less.
static Expr *as_small(Arena *a, const Region *r, const PlanCall *k) {
    Expr *all = expr_int(a, T_I32, 1);
    for (int i = 0; i < r->nparams; i++) {
        Expr *n = expr_sym(a, r->params[i]), *most;
        if (!type_is_int(n->type)) continue;
        int64_t bound = 1;
        while (bound <= k->vals[i].i && bound <= INT32_MAX) bound *= 2;
        most = expr_int(a, T_I64, bound);
        all = expr_op(a, OP_LAND, all, expr_op(a, OP_LT, expr_cast(a, T_I64, n), most, NULL), NULL);
    }
    return all;
}

// The loops as they are written, in one thread, where launches or the order of the free loops cost more than
// other threads are worth. NULL: they do not.
static Nest *in_turn(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, const Nest *standard,
                     Expr **pays) {
    Nest *n = plan_in_turn(c, r, d, k->target);
    if (!n || !(plan_seconds(n, k) < PLAN_GAIN * plan_seconds(standard, k))) return NULL;
    *pays = as_small(c->arena, r, k);
    return n;
}

static int for_processor(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k,
                         const Nest *standard, Nest **out) {
    Contraction x;
    const Nest *start = plan_start(c, r, d, "cpu");
    char *recipe = NULL;
    Expr *pays = NULL;
    if (start && (contraction_find(c, r, d, &x) || contraction_find_sum(c, r, d, start, &x))) {
        Processor here = processor_here();
        CpuTile t = cpu_tile(&here, type_size(contraction_type(&x)));
        if (!contraction_fits_cpu(&x)) return 0;
        recipe = contraction_cpu_recipe(c, start, &x, &t), pays = contraction_cpu_pays(c->arena, &x, &t);
    } else if (start) {
        Site s = {c, r, d, start, k, false};
        recipe = histogram_cpu_recipe(&s, &pays);
        if (!recipe) recipe = turned_cpu_recipe(&s, &pays);
    }
    Nest *n = recipe ? try_recipe(c, start, recipe) : NULL;
    if (!recipe && k->machine && k->vals && standard) n = in_turn(c, r, d, k, standard, &pays);
    return n && (out[0] = where_it_pays(c, n, n, 0, pays, NULL)) != NULL;
}

static Nest *for_call(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, int64_t staged) {
    int diags = c->diags.n, errors = c->errors;
    PlanOptions *o = NEW(c->arena, PlanOptions);
    *o = (PlanOptions){k->target, .asserted = true, .staged = staged};
    Nest *n = plan_default(c, r, d, o);
    c->diags.n = diags, c->errors = errors;
    return n;
}

Nest *plan_standard(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k) {
    return for_call(c, r, d, k, 0);
}

// What the model says of them, and of what strategies make.
static int priced(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, const Nest *standard,
                  bool product, int n, Nest **out, int max) {
    Site s = {c, r, d, plan_start(c, r, d, k->target), k, product};
    if (s.start && !standard) standard = plan_standard(c, r, d, k);
    bool steps = standard && n < max && plan_has_steps(standard);
    Nest *staged = steps ? for_call(c, r, d, k, machine_shared(k->machine)) : NULL;
    if (staged) out[n++] = staged;
    return s.start && standard ? plan_candidates(&s, standard, n, out, max) : n;
}

// Do the temporaries of the nest take no more than a quarter of the device's memory, as far as is known?
static bool has_room(const Nest *n, const PlanCall *k) {
    double bytes = 0;
    for (int i = 0; i < n->root->nlocals; i++) {
        const Array *x = n->root->locals[i];
        double size = type_size(x->elem);
        for (int d = 0; d < x->rank; d++) {
            int64_t v = 0;
            if (!x->extent[d] || !ir_eval(x->extent[d], k->nvals, k->vals, &v)) return false;
            size *= (double)v;
        }
        bytes += size;
    }
    return k->machine->memory <= 0 || 4 * bytes <= (double)k->machine->memory;
}

// Does the host run steps whose kernels may each have a shape?
static bool has_host_loop(const Node *root) {
    node_each(n, root) {
        if (n->kind == N_FOR) return true;
        if (n->kind == N_KERNEL) each_prune();
    }
    return false;
}

// Of the region as a whole: its loops over rows in pieces, each of which has the shape that suits it. Steps
// of the host are such pieces as they stand.
static int in_pieces(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, const Nest *standard,
                     Nest **out, int max) {
    int n = 0;
    bool steps = standard && has_host_loop(standard->root);
    for (Cutting how = steps ? CUT_NOT : CUT_ROWS; how <= CUT_SHARES && n < max; how++) {
        Nest *nest = plan_shaping(c, r, d, k, how);
        if (nest && has_room(nest, k) && plan_is_sound(c, nest, LEFT_OUT)) out[n++] = nest;
    }
    return n;
}

static int shapes(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, const Nest *standard,
                  bool whole, Nest **out, int max) {
    if (str_eq(k->target, "cpu")) return for_processor(c, r, d, k, standard, out);
    bool more = false;
    int n = contractions(c, r, d, k, &more, out, max);
    if (n) return more && k->machine && k->vals ? priced(c, r, d, k, standard, true, n, out, max) : n;
    const DepInfo *on = whole ? plan_resting(c, r, d) : d; // a part can't ask for promises
    n = teams(c, r, on, out, max);
    if (n < max) n += rows(c, r, on, n, out + n);
    if (!k->machine || !k->vals) return n;
    if (whole) n += in_pieces(c, r, d, k, standard, out + n, max - n);
    return priced(c, r, on, k, standard, false, n, out, max);
}

int plan_shapes(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, Nest **out, int max) {
    return shapes(c, r, d, k, NULL, false, out, max);
}

int plan_variants_for(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, const Nest *standard,
                      Nest **out, int max) {
    if (plan_why_not(d) || max < 1) return 0;
    parts_begin_call(c);
    int n = shapes(c, r, d, k, standard, true, out, max);
    Nest *parts = n ? NULL : plan_shaping(c, r, d, k, CUT_NOT);
    if (!parts || !plan_is_sound(c, parts, LEFT_OUT)) return n;
    // Neither may have an estimate, and then the first one runs.
    double by = k->machine && k->vals && standard ? plan_seconds(parts, k) : INFINITY;
    if (isfinite(by) && plan_seconds(standard, k) < PLAN_GAIN * by) return 0;
    return out[0] = parts, 1;
}

int plan_variants(Compile *c, const Region *r, const DepInfo *d, const char *target, Nest **out, int max) {
    return plan_variants_for(c, r, d, &(PlanCall){.target = target}, NULL, out, max);
}

static Nest *for_all(Compile *c, const Region *r, const DepInfo *d, const char *target) {
    PlanOptions *o = NEW_AS(c->arena, PlanOptions, (PlanOptions){target, .asserted = true});
    return plan_default(c, r, d, o);
}

void plan_nests(Compile *c, const Region *r, const DepInfo *d, int most, PlanNests *out) {
    *out = (PlanNests){.gpu = for_all(c, r, d, "gpu"), .cpu = for_all(c, r, d, "cpu")};
    if (out->gpu) out->nshaped = plan_chain(c, r, d, &(PlanCall){.target = "gpu"}, out->gpu, out->shaped,
            most);
    if (out->cpu && most > 1) out->nshaped += plan_variants(c, r, d, "cpu", out->shaped + out->nshaped, 1);
}
