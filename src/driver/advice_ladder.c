// SPDX-License-Identifier: MIT
// advice_ladder.c -- what a nest is compared with, and the steps from the loops as they are written to it.
//
// The steps are those of the recipe that was given, or those by which the automatic mode made the
// nest. A nest that it made without a recipe is compared with the plain mapping of the outermost
// band: that has steps of its own, and the automatic mode's nest is the last rung.
#include "driver/explain.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include <string.h>

typedef struct Ladder {
    Compile *c;
    const Advice *d;
    Subject *s;
    bool judged;       // the judge was asked after each step
    VEC(const Nest *) nests; // after each rung's step
} Ladder;

const char *verdict_in_short(Arena *a, const Verdict *v) {
    switch (v->answer) {
    case ANSWER_ALWAYS: return "legal for all sizes";
    case ANSWER_WHEN: return arena_printf(a, "legal when %s", show_expr(a, v->when));
    case ANSWER_NEVER: return "refused";
    default:
        return arena_printf(a, "not decided%s%s; it stands on the user's word", v->why ? ": " : "",
                            v->why ? v->why : "");
    }
}

static void put_cost(const NestCost *cost, Rung *r) {
    for (int k = 0; k < cost->nkernels; k++)
        if (cost->kernels[k]->refused) r->why = cost->kernels[k]->refused;
    if (!cost->nkernels) r->why = "nothing runs on the device";
    if (r->why) return;
    r->seconds = cost->seconds;
    r->flops = nest_flops(cost);
    r->bytes = nest_bytes(cost);
}

static void after(const RecipeStep *step, void *arg) {
    Ladder *l = arg;
    Arena *a = l->c->arena;
    Rung r = {.number = step->number,
              .step = !step->number ? "the loops as they are written, in one thread"
                      : str_has_prefix(step->text, "close") ? "the kernels as they run"
                                                            : step->text};
    if (step->number && l->judged) r.verdict = verdict_in_short(a, &step->verdict);
    r.tree = show_tree(a, step->nest->root);
    vec_push(a, &l->s->rungs, r);
    vec_push(a, &l->nests, step->nest);
}

static void price(Ladder *l, int rung) {
    const Advised *now = l->s->now;
    Arena *a = arena_new(); // the kernels of each step are walked anew: only figures are kept
    Rung *r = &l->s->rungs.at[rung];
    put_cost(model_nest_roughly(a, nest_closed(a, l->nests.at[rung]), now->nvals, now->vals, l->d->m), r);
    r->why = arena_strdup(l->c->arena, r->why);
    arena_free(a);
}

// Each step makes a tree, shows and prices it.
static bool is_long(Ladder *l, const Part *p, const char *text) {
    enum { LADDER_WORK = 10000 }; // steps and statements
    int steps = 0, n = p->front->region->nstmts;
    for (const char *s = text; (s = strchr(s, '\n')); s++) steps++;
    if (!n || steps <= LADDER_WORK / n) return false;
    l->s->no_rungs =
        arena_printf(l->c->arena, "%d steps over %d statements are too many to look at each", steps, n);
    return true;
}

// The nest after the recipe; NULL, and no rungs, where it does not fit.
static Nest *climb(Ladder *l, const Part *p, const char *text, const char *what) {
    Compile *c = l->c;
    int diags = c->diags.n;
    if (is_long(l, p, text)) return NULL;
    Nest *start = plan_start(c, p->front->region, p->dep, str_eq(l->d->m->kind, "cpu") ? "cpu" : "gpu");
    RecipeOptions o = {.judging = l->judged ? JUDGE_EACH : JUDGE_NONE,
                       .file = "ladder",
                       .after = after,
                       .arg = l};
    Nest *n = start ? recipe_apply(c, start, text, &o) : NULL;
    if (!n) l->s->rungs.n = 0;
    else l->s->ladder = what;
    if (!n && c->diags.n > diags)
        l->s->no_rungs = arena_printf(c->arena, "%s", c->diags.at[c->diags.n - 1].text);
    diag_forget(c, diags);
    return n;
}

static void add_last(Ladder *l, const Advised *v, const char *step, const char *verdict) {
    Rung r = {.number = l->s->rungs.n, .step = step, .verdict = verdict, .tree = v->tree};
    put_cost(v->cost, &r);
    vec_push(l->c->arena, &l->s->rungs, r);
}

// The figures of the last step are those of the nest that was looked at closely; the others' are rough.
static void settle(Ladder *l, const Advised *v) {
    int last = l->s->rungs.n - 1;
    if (last < 0) return;
    for (int k = 0; k < last; k++) price(l, k);
    if (!v || !v->cost) return price(l, last);
    put_cost(v->cost, &l->s->rungs.at[last]);
    if (v->tree) l->s->rungs.at[last].tree = v->tree;
}

void ladder_of(Compile *c, const Advice *d, const Part *p, Subject *s) {
    Ladder l = {c, d, s, false};
    Advised *now = s->now;
    bool cpu = str_eq(d->m->kind, "cpu");
    if (!now || !now->nest) return;
    const char *given = p->followed ? file_read(c->arena, d->recipe, NULL) : NULL;
    const char *own = now->nest->recipe && *now->nest->recipe ? now->nest->recipe : NULL;
    if (given) {
        l.judged = d->judging == JUDGE_EACH;
        s->before = advice_fill(c, d, advice_of(c, d, p, true, 0));
        if (s->before) s->before->name = "without the recipe";
        climb(&l, p, given, "the recipe's steps");
        settle(&l, now);
    } else if (own) {
        const Nest *general = cpu ? p->cpu : p->gpu;
        climb(&l, p, own, "the automatic mode's steps");
        settle(&l, now);
        if (general != now->nest) s->before = advice_at(c, d, now, general, "the default nest");
    } else {
        Band b = band_of(p->front->region, p->dep);
        const char *plain = band_plain(c->arena, &b);
        Nest *n = plain && !cpu ? climb(&l, p, plain, "mapped plainly, and as it runs") : NULL;
        if (!n && !s->no_rungs)
            s->no_rungs = cpu ? "the automatic mode made the nest as a whole"
                              : "the outermost loops cannot be mapped one thread an element: the automatic "
                                "mode made the nest as a whole";
        if (!n) s->rungs.n = 0;
        if (n) s->before = advice_at(c, d, now, n, "mapped plainly"), settle(&l, s->before);
        if (n) add_last(&l, now, "as the automatic mode makes it", show_proof(now->nest->proof));
    }
}
