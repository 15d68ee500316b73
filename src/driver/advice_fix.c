// SPDX-License-Identifier: MIT
// advice_fix.c -- `sculpt explain --fix`: the recipe that the findings suggest.
//
// It begins with the recipe that was given; else with the one by which the automatic mode made what
// runs, with the one of the pattern rules, and with those that map the region's parallel loops to
// blocks and threads (each of them as x in turn). Then it tries what the findings name as cures: a
// step is kept where the catalogue takes it and the model's time falls. The judge has the last word.
// Each line carries the predicted time behind it, so that one sees what helped; and where the whole
// does not beat what runs without it, the suggestion says why.
#include "driver/explain.h"
#include "plan/patterns.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include <math.h>
#include <string.h>

enum { ROUNDS = 8 };
static const double GAIN = 0.98; // a step must save 2 %

typedef struct Fix {
    Compile *c;
    const Advice *d;
    const Region *r;
    const DepInfo *dep;
    const Nest *start;
    const Advised *before;    // what runs without the recipe, and the sizes; NULL: nothing does
    FactTable *tried;
    const char *text;         // the recipe so far
    double seconds;           // its predicted time; 0: none yet
    Advised *now;
} Fix;

// What a recipe costs at the sizes asked for; NULL: it does not fit, and *why says why.
static Advised *try(Fix *f, const char *text, Judging judging, const char **why) {
    Compile *c = f->c;
    int diags = c->diags.n, errors = c->errors;
    RecipeOptions o = {.judging = judging, .file = "--fix"};
    Nest *n = recipe_apply(c, f->start, text, &o);
    Advised *v = !n          ? NULL
                 : f->before ? advice_at(c, f->d, f->before, n, "with the suggested recipe")
                             : advice_nest(c, f->d, n, "with the suggested recipe");
    *why = !n && c->diags.n > diags ? c->diags.at[c->diags.n - 1].text : v && v->why ? v->why : NULL;
    c->diags.n = diags;
    c->errors = errors;
    if (!v || !v->nest || !v->cost->nkernels) return NULL;
    for (int k = 0; k < v->cost->nkernels; k++)
        if (v->cost->kernels[k]->refused) return *why = v->cost->kernels[k]->refused, NULL;
    return v;
}

// Takes the recipe if it is faster than that so far. step: what is new in it.
static bool keep(Fix *f, const char *text, const char *step) {
    Arena *a = f->c->arena;
    const char *why = NULL;
    Advised *v = try(f, text, JUDGE_NONE, &why);
    bool better = v && (f->seconds <= 0 || v->cost->seconds <= GAIN * f->seconds);
    const char *now = v ? figure_seconds(a, v->cost->seconds) : NULL;
    const char *outcome =
        !v        ? arena_printf(a, "does not fit: %s", why ? why : "nothing would run on the device")
        : !better ? arena_printf(a, "left out: %s with it, %s without", now, figure_seconds(a, f->seconds))
        : f->seconds > 0 ? arena_printf(a, "taken: %s, was %s", now, figure_seconds(a, f->seconds))
                         : arena_printf(a, "begins with %s", now);
    facts_row(a, f->tried, step, outcome, NULL, NULL);
    if (!better) return false;
    f->text = text;
    f->seconds = v->cost->seconds;
    f->now = v;
    return true;
}

// ---- what to try ------------------------------------------------------------------------------------
// The line that stages into an array, with the padding that a finding asks for.
static const char *padded(Arena *a, const char *text, const Finding *x) {
    const char *name = strstr(x->cure, "stages into "), *at = text;
    int pad = 0, len;
    if (!name || sscanf(x->cure, "pad=%d", &pad) != 1) return NULL;
    name += strlen("stages into ");
    len = (int)strcspn(name, ":");
    const char *wanted = arena_printf(a, "as=%.*s", len, name);
    while ((at = strstr(at, wanted))) {
        const char *end = at + strlen(wanted), *line = end + strcspn(end, "\n");
        if (strchr(" \n", *end) && !memmem(at, (size_t)(line - at), "pad=", 4))
            return arena_printf(a, "%.*s pad=%d%s", (int)(line - text), text, pad, line);
        at = end;
    }
    return NULL;
}

static void hoists(Fix *f, bool *better) {
    Band b = band_of(f->r, f->dep);
    for (int i = 0; i < f->r->nstmts; i++) {
        const Stmt *s = f->r->stmts[i];
        for (int k = 0; k < b.n; k++) {
            if (b.is_free[k] || s->op == OP_SET) continue;
            const char *step =
                arena_printf(f->c->arena, "hoist %s at=%s", s->lhs->name, b.loop[k]->iter->name);
            if (!strstr(f->text, step))
                *better |= keep(f, arena_printf(f->c->arena, "%s%s\n", f->text, step), step);
        }
    }
}

static bool was_tried(const Fix *f, const char *step, int from) {
    for (int i = from; i < f->tried->rows.n; i++)
        if (str_eq(f->tried->rows.at[i].cell[0], step)) return true;
    return false;
}

// from: the first of the rows that were tried since this beginning.
static bool improve(Fix *f, int from) {
    Arena *a = f->c->arena;
    bool better = false;
    Findings all = f->now->findings;
    for (int i = 0; i < all.n; i++) {
        const Finding *x = &all.at[i];
        if (!x->step || was_tried(f, x->cure, from)) continue;
        const char *text =
            x->kind == FIND_BANKS ? padded(a, f->text, x) : arena_printf(a, "%s%s\n", f->text, x->cure);
        if (text && keep(f, text, x->cure)) return true;
    }
    if (!strstr(f->text, "hoist ")) hoists(f, &better);
    return better;
}

typedef VEC(Fix) Fixes;

// One beginning with all that helps it.
static void attempt(const Fix *f, const char *text, const char *what, Fixes *all) {
    Fix g = *f;
    int from = f->tried->rows.n;
    if (!keep(&g, text, what)) return;
    for (int k = 0; k < ROUNDS && improve(&g, from); k++);
    vec_push(f->c->arena, all, g);
}

static const char *pattern_recipe(const Fix *f) {
    Compile *c = f->c;
    int diags = c->diags.n, errors = c->errors;
    Patterns *p = patterns_of(c, f->r, f->dep);
    const char *text = p ? patterns_recipe(c, f->dep, p, f->before ? f->before->nvals : 0,
                                           f->before ? f->before->vals : NULL)
                         : NULL;
    c->diags.n = diags, c->errors = errors;
    return text;
}

static void begin(const Fix *f, Fixes *all) {
    Band b = band_of(f->r, f->dep);
    Arena *a = f->c->arena;
    const Nest *own = f->before ? f->before->nest : NULL;
    if (own && own->recipe && *own->recipe) attempt(f, own->recipe, "the automatic mode's own steps", all);
    const char *patterns = pattern_recipe(f);
    if (patterns && *patterns) attempt(f, patterns, "the steps of the pattern rules", all);
    for (int x = 0; x < b.n; x++) {
        if (!b.is_free[x]) continue;
        const char *xn = b.loop[x]->iter->name;
        attempt(f, band_mapped(a, &b, x, -1, 256, 1), arena_printf(a, "threads along %s", xn), all);
        for (int y = 0; y < b.n; y++)
            if (y != x && b.is_free[y])
                attempt(f, band_mapped(a, &b, x, y, 32, 8),
                        arena_printf(a, "threads along %s, then %s", xn, b.loop[y]->iter->name), all);
    }
}

// The judge's word on all of it: lines are taken back from the end until it agrees.
static bool settle(Fix *f) {
    Advised *v;
    const char *why = NULL;
    while (!(v = try(f, f->text, JUDGE_LAST, &why))) {
        size_t n = strlen(f->text);
        while (n > 1 && f->text[n - 2] != '\n') n--;
        if (n <= 1) return false;
        facts_row(f->c->arena, f->tried,
                  arena_strndup(f->c->arena, f->text + n - 1, strcspn(f->text + n - 1, "\n")),
                  arena_printf(f->c->arena, "taken back: %s", why ? why : "the judge does not agree"), NULL,
                  NULL);
        f->text = arena_strndup(f->c->arena, f->text, n - 1);
    }
    f->now = v;
    f->seconds = v->cost->seconds;
    return true;
}

// The fastest with which the judge agrees. What he leaves of one may be slower than the next.
static bool choose(Fixes *all, Fix *out) {
    bool found = false;
    for (int left = all->n; left > 0; left--) {
        int best = 0;
        for (int k = 1; k < all->n; k++)
            if (all->at[k].seconds < all->at[best].seconds) best = k;
        Fix f = all->at[best];
        all->at[best].seconds = INFINITY;
        if (found && f.seconds >= out->seconds) return true;
        if (settle(&f) && (!found || f.seconds < out->seconds)) *out = f, found = true;
    }
    return found;
}

// ---- telling ------------------------------------------------------------------------------------------
typedef struct Told {
    Fix *f;
    Text out;
    double last;
} Told;

static void after(const RecipeStep *s, void *arg) {
    Told *t = arg;
    Compile *c = t->f->c;
    if (!s->number) return;
    const Advised *at = t->f->now;
    NestCost *cost =
        model_nest_roughly(c->arena, nest_closed(c->arena, s->nest), at->nvals, at->vals, t->f->d->m);
    double now = cost->nkernels ? cost->seconds : 0;
    text_printf(&t->out, "%s", s->text);
    if (now > 0 && now != t->last) text_printf(&t->out, "   # %.4g ms on %s", 1e3 * now, t->f->d->m->name);
    text_put(&t->out, "\n");
    if (now > 0) t->last = now;
}

// Why what was found is no faster than what runs without it.
static const char *why_not(const Fix *f) {
    Arena *a = f->c->arena;
    const Advised *v = f->before;
    int steps = 0;
    for (int i = 0; i < v->findings.n; i++) steps += v->findings.at[i].step;
    const char *had = !v->findings.n ? "nothing was found wrong with it"
                      : !steps ? "none of its findings has a step of the catalogue as its cure"
                      : "no step that its findings name saves 2 % and keeps the meaning";
    if (f->seconds <= v->cost->seconds * 1.02)
        return arena_printf(a, "what runs without it is as fast: %s", had);
    return arena_printf(
        a, "what runs without it is faster (%s against %s), because it is made of more than these steps; %s",
        figure_seconds(a, v->cost->seconds), figure_seconds(a, f->seconds), had);
}

static const char *recipe_of(Fix *f, const Suggestion *s) {
    Arena *a = f->c->arena;
    Told t = {.f = f, .out = text_new(a)};
    const char *sizes = f->now->sizes;
    text_printf(&t.out, "# What the findings suggest for %s:%d%s%s.\n", f->r->loc.file, f->r->loc.line,
                *sizes ? " at " : "", sizes);
    text_printf(&t.out, "# Predicted on %s: %.4g ms%s.\n", f->d->m->name, 1e3 * f->seconds,
                s->before > 0 ? arena_printf(a, "; without it %.4g ms (%.2f times that)", 1e3 * s->before,
                                             s->before / f->seconds)
                              : "");
    if (!s->helps) text_printf(&t.out, "# It does not help: %s.\n", s->why);
    text_put(&t.out, "target gpu\n");
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "--fix", .after = after, .arg = &t};
    int diags = f->c->diags.n, errors = f->c->errors;
    recipe_apply(f->c, f->start, f->text, &o);
    f->c->diags.n = diags, f->c->errors = errors;
    for (int i = 0; i < f->now->findings.n; i++)
        text_printf(&t.out, "# left: %s: %s (%.0f %% of the time)\n",
                    finding_name(f->now->findings.at[i].kind), f->now->findings.at[i].text,
                    100 * f->now->findings.at[i].share);
    return text_str(&t.out);
}

Suggestion *advice_fix(Compile *c, const Advice *d, const Part *p, const Advised *before,
                       const char *recipe) {
    static const char *const heads[] = {"step", "outcome"};
    Suggestion *s = NEW(c->arena, Suggestion);
    Fix f = {.c = c,
             .d = d,
             .r = p->front->region,
             .dep = p->dep,
             .before = before && before->nest ? before : NULL};
    Subject rows = {0};
    f.tried = facts_table(c->arena, &rows, "what was tried", 2, heads);
    f.start = plan_start(c, f.r, p->dep, "gpu");
    const char *given = recipe ? file_read(c->arena, recipe, NULL) : NULL;
    Fixes all = {0};
    if (f.start && given) attempt(&f, given, "the recipe that was given", &all);
    else if (f.start) begin(&f, &all);
    bool some = all.n > 0;
    s->tried = f.tried;
    s->before = f.before ? f.before->cost->seconds : 0;
    if (!choose(&all, &f)) {
        s->why = some ? "the judge refuses what the model likes"
                      : "no loop of its outermost band can be mapped, or not at these sizes";
        diag(c, DIAG_REMARK, SC_RECIPE, f.r->loc, "no recipe is suggested: %s", s->why);
        return s;
    }
    s->after = f.seconds;
    s->flops = nest_flops(f.now->cost);
    s->bytes = nest_bytes(f.now->cost);
    s->helps = s->before <= 0 || s->after < s->before * GAIN;
    if (!s->helps) s->why = why_not(&f);
    s->recipe = recipe_of(&f, s);
    return s;
}
