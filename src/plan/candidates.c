// SPDX-License-Identifier: MIT
// candidates.c -- the nests of all strategies for a call, as far as the model takes them to be quicker than
// the standard one.
#include "model/model.h"
#include "plan/auto.h"
#include "plan/choose.h"
#include "plan/recipe.h"
#include "plan/strategy.h"
#include "rule/catalogue.h"
#include "rule/loops.h"
#include <math.h>

#define STRATEGY(name) extern const Strategy name##_strategy;
#include "plan/strategies.def"
#undef STRATEGY
const Strategy *const strategies[STRATEGIES] = {
#define STRATEGY(name) &name##_strategy,
#include "plan/strategies.def"
#undef STRATEGY
};

// ---- what strategies ask of a region ------------------------------------------------------------
bool site_is_even(const Node *n) {
    return n->step == 1 && !expr_uses_iters(n->lo) && !expr_uses_iters(n->hi) && !expr_has_load(n->lo) &&
           !expr_has_load(n->hi) && !loop_while(n);
}

bool site_band(const Site *s, Band *out) {
    *out = (Band){0};
    Node *n = unwrap(s->start->root);
    while (n->kind == N_FOR) {
        if (out->n == 8 || !site_is_even(n)) return false;
        out->loop[out->n++] = n;
        n = unwrap(n->body);
    }
    out->body = n;
    return out->n > 0;
}

// The start's loops are the region's, in the same order, perhaps under other names.
static const LoopFact *fact_of(const Site *s, const Node *loop) {
    int before = 0, at = -1;
    node_each(n, s->start->root) {
        if (n == loop) at = before;
        before += n->kind == N_FOR;
    }
    return at >= 0 && at < s->dep->nloops ? &s->dep->loops[at] : NULL;
}

bool site_is_free(const Site *s, const Node *loop) {
    const LoopFact *f = fact_of(s, loop);
    return f && f->parallel == ANSWER_ALWAYS;
}

bool site_free_band(const Site *s, Band *out) {
    Node *n = unwrap(s->start->root);
    *out = (Band){0};
    for (; n->kind == N_FOR && out->n < 8 && site_is_even(n) && site_is_free(s, n); n = unwrap(n->body))
        out->loop[out->n++] = n;
    out->body = n;
    return out->n > 0;
}

bool site_is_sum(const Site *s, const Node *loop) {
    const LoopFact *f = fact_of(s, loop);
    return f && f->parallel != ANSWER_ALWAYS && f->reduction == ANSWER_ALWAYS;
}

int64_t site_trips(const Site *s, const Node *loop) {
    int64_t v;
    Expr *trips = loop_trips(s->c->arena, loop);
    if (expr_uses_iters(trips) || !ir_eval(trips, s->call->nvals, s->call->vals, &v)) return -1;
    return v < 0 ? 0 : v;
}

int site_along(const Site *s, const Node *loop) {
    AccessVec v = tree_accesses(s->c->arena, s->start->root);
    int score = 0;
    for (int i = 0; i < v.n; i++) score += plan_along(&v.at[i], loop->iter);
    return score;
}

int64_t site_short_loops(const Site *s, const Node *below, int64_t most, LoopNames *out) {
    int64_t trips = -1, copies = 1;
    if (below->kind == N_FOR && !loop_constant(below, &trips)) trips = -1;
    for (int i = 0; node_kid(below, i); i++) {
        int64_t n = site_short_loops(s, node_kid(below, i), most, out);
        copies = n > copies ? n : copies;
    }
    if (trips < 0 || trips > most) return copies;
    vec_push(s->c->arena, out, below->iter->name);
    return copies * (trips > 1 ? trips : 1);
}

// ---- a recipe's nest -------------------------------------------------------------------------------
// What every kernel gets that can have it: sums in registers, short loops unrolled.
static const Nest *settled(Compile *c, const Nest *n) {
    static const char *const rules[] = {"accumulate", "registers", "unroll"};
    VEC(const char *) names = {0};
    node_each(k, n->root)
        if (k->kind == N_KERNEL) vec_push(c->arena, &names, k->name);
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (int i = 0; i < names.n; i++) {
            const char *line = arena_printf(c->arena, "%s %s", rules[r], names.at[i]);
            const Nest *m = recipe_then(c, n, line, NULL);
            n = m ? m : n;
        }
    return n;
}

static Nest *made(const Site *s, const char *recipe, int number) {
    Compile *c = s->c;
    int diags = c->diags.n, errors = c->errors;
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "automatic"};
    const Nest *n = recipe_follow(c, s->start, recipe, &o);
    const char *close = arena_printf(c->arena, "close as=%s_%d", s->region->name, number);
    n = n ? recipe_then(c, settled(c, n), close, NULL) : NULL;
    c->diags.n = diags, c->errors = errors; // a recipe that does not fit here is no error of the user's
    return (Nest *)n;
}

// What the model counts on the way is many times the nest, and of no use afterwards.
double plan_seconds(const Nest *n, const PlanCall *k) {
    Arena *a = arena_new();
    double t = model_price(model_priced(a, n, k->machine), k->nvals, k->vals).seconds;
    arena_free(a);
    return t;
}

// ---- of all of them ----------------------------------------------------------------------------------
typedef struct Try {
    Nest *nest;
    double seconds;
} Try;

typedef struct Tries {
    int n;
    Try at[STRATEGIES * SITE_RECIPES + PLAN_VARIANTS];
} Tries;

static void consider(const Site *s, Nest *n, double most, Tries *out) {
    if (!n || !plan_is_sound(s->c, n, LEFT_OUT) || (s->call->pick && !plan_may_run(s->c, n, s->call))) return;
    if (plan_needs_scratch(str_eq(n->target, "gpu"), n->root)) return;
    double t = plan_seconds(n, s->call);
    if (!(t < most)) return;
    int at = out->n++;
    for (; at > 0 && out->at[at - 1].seconds > t; at--) out->at[at] = out->at[at - 1];
    out->at[at] = (Try){n, t};
}

// With its cost.
static Nest *finished(const Site *s, const Try *x, double standard) {
    Compile *c = s->c;
    Nest *n = x->nest, *with = NEW(c->arena, Nest);
    *with = *x->nest;
    with->cost = NULL;
    Expr *cost = plan_kernel_cost(c, with);
    if (cost) {
        cost = expr_mul(c->arena, expr_float(c->arena, T_F64, x->seconds / standard), cost);
        n = recipe_then(c, n, arena_printf(c->arena, "pays cost=%s", step_expr(c->arena, with, cost)), NULL);
    }
    return n && plan_confirmed(c, n) ? n : NULL;
}

int plan_candidates(const Site *s, const Nest *standard, int nhave, Nest **out, int max) {
    Tries t = {0};
    double whole = plan_seconds(standard, s->call);
    if (!isfinite(whole) || whole <= 0) return nhave;
    for (int i = 0; i < nhave; i++) consider(s, out[i], PLAN_GAIN * whole, &t);
    for (int i = 0, number = nhave; i < STRATEGIES; i++) {
        const char *recipe[SITE_RECIPES], *why = NULL;
        if (s->product && !strategies[i]->products) continue;
        int n = strategies[i]->recipes(s, recipe, &why);
        for (int k = 0; k < n; k++) consider(s, made(s, recipe[k], ++number), PLAN_GAIN * whole, &t);
    }
    int n = 0;
    for (int i = 0; i < t.n && n < max; i++) {
        Nest *nest = finished(s, &t.at[i], whole);
        if (nest) out[n++] = nest;
    }
    return n;
}
