// SPDX-License-Identifier: MIT
// inclusion.c -- trials of a recipe with some of its optional steps left out; the fastest is kept.
#include "tune/inclusion.h"
#include "run/wise.h"
#include <string.h>
#include <time.h>

enum { ALL_UP_TO = 3, MOST_TRIED = 64, MOST_AT_ONCE = 16 };
static const double worth = 0.99; // a change must save a hundredth, or it is noise

typedef struct Decide {
    Case *k;
    Arena *a;
    const Trial *like;
    TrialOptions o;
    Inclusion *out;
    VEC(const char *) nests;   // of each way tried
    const char *best_nest;
    double first;              // seconds of the first way that ran
} Decide;

// The names that `with` leaves out, separated by commas.
static const char *inclusion_without(Arena *a, const Inclusion *x, uint32_t with) {
    Text t = text_new(a);
    for (int i = 0; i < x->n; i++)
        if (!(with >> i & 1)) text_printf(&t, "%s%s", t.n ? "," : "", x->name[i]);
    return arena_strdup(a, text_str(&t));
}

static bool is_tried(const Decide *d, uint32_t with) {
    for (int i = 0; i < d->out->tried.n; i++)
        if (d->out->tried.at[i].with == with) return true;
    return false;
}

// ---- one way ---------------------------------------------------------------------------------------
static int same_nest(const Decide *d, const char *nest) {
    for (int i = 0; nest && i < d->nests.n; i++)
        if (str_eq(d->nests.at[i], nest)) return i;
    return -1;
}

static void measure(Decide *d, Trial *t, uint32_t with) {
    Inclusion *x = d->out;
    Included r = {.with = with, .same = same_nest(d, t->text_of_nest)};
    d->o.best_s = x->seconds;
    if (r.same < 0 && !trial_run(d->k, t, &d->o))
        r.why = arena_strdup(d->a, t->why ? t->why : "it does not run");
    if (r.same < 0 && !r.why && t->kind == TRIAL_RECIPE && !t->right) r.why = "its results are not right";
    r.skipped = t->skipped;
    r.seconds = r.why || r.same >= 0 || t->skipped ? 0 : t->median_s;
    vec_push(d->a, &d->nests, t->text_of_nest ? arena_strdup(d->a, t->text_of_nest) : NULL);
    vec_push(d->a, &x->tried, r);
    if (d->first <= 0) d->first = r.seconds;
    if (r.seconds <= 0 || (x->seconds > 0 && r.seconds > worth * x->seconds)) return;
    x->seconds = r.seconds;
    x->best = with;
    d->best_nest = d->nests.at[d->nests.n - 1];
}

static void measure_all(Decide *d, int n, const uint32_t *with) {
    Trial trials[MOST_AT_ONCE];
    for (int from = 0; from < n; from += MOST_AT_ONCE) {
        int count = n - from < MOST_AT_ONCE ? n - from : MOST_AT_ONCE;
        for (int i = 0; i < count; i++) {
            trials[i] = *d->like;
            trials[i].without = inclusion_without(d->a, d->out, with[from + i]);
        }
        trials_build(d->k, count, trials);
        for (int i = 0; i < count; i++) measure(d, &trials[i], with[from + i]);
        for (int i = 0; i < count; i++) trial_free(&trials[i]);
    }
}

// ---- which ways -----------------------------------------------------------------------------------
static void add(const Decide *d, uint32_t with, uint32_t *out, int *n) {
    for (int i = 0; i < *n; i++)
        if (out[i] == with) return;
    if (!is_tried(d, with) && d->out->tried.n + *n < MOST_TRIED) out[(*n)++] = with;
}

static void search(Decide *d) {
    const Inclusion *x = d->out;
    uint32_t all = (1u << x->n) - 1, list[MOST_TRIED];
    int n = 0;
    add(d, all, list, &n);
    add(d, 0, list, &n);
    if (x->n <= ALL_UP_TO)
        for (uint32_t with = 0; with < all; with++) add(d, with, list, &n);
    else
        for (int i = 0; i < x->n; i++) add(d, all ^ 1u << i, list, &n);
    while (n > 0) {
        uint32_t before = x->best;
        bool first = x->seconds <= 0;
        measure_all(d, n, list);
        n = 0;
        if (x->seconds <= 0 || (!first && x->best == before)) return;
        for (int i = 0; i < x->n; i++) add(d, x->best ^ 1u << i, list, &n);
    }
}

// ---- remembering ------------------------------------------------------------------------------------
// "n=4096 m=64": every parameter of the case.
static const char *sizes_of(const Decide *d) {
    Text t = text_new(d->a);
    for (int i = 0; i < d->k->nvals; i++) {
        const InterpVal *v = &d->k->vals[i];
        if (type_is_float(v->sym->type)) text_printf(&t, "%s%s=%g", i ? " " : "", v->sym->name, v->f);
        else text_printf(&t, "%s%s=%lld", i ? " " : "", v->sym->name, (long long)v->i);
    }
    return text_str(&t);
}

static const char *key_of(const Decide *d) {
    const Trial *t = d->like;
    const char *what =
        arena_printf(d->a, "inclusion|%s|%d%d|%s", sizes_of(d), t->reassociate, t->fast_math, t->text);
    return wisdom_key(d->a, what, wisdom_region(d->k->text), d->k->lab->info);
}

static bool recall(Decide *d, Cache *cache) {
    void *bytes;
    size_t size;
    const char *part[RECIPE_OPTIONAL];
    if (!cache_look(cache, d->a, key_of(d), &bytes, &size)) return false;
    Inclusion *x = d->out;
    x->without = arena_strndup(d->a, bytes, size);
    x->best = (1u << x->n) - 1;
    if (str_eq(x->without, "-")) x->without = ""; // nothing is left out
    int n = 0;
    for (const char *s = x->without; *s && n < RECIPE_OPTIONAL; s += strcspn(s, ","), s += *s == ',')
        part[n++] = arena_strndup(d->a, s, strcspn(s, ","));
    for (int i = 0; i < n; i++) {
        int at = -1;
        for (int j = 0; j < x->n; j++)
            if (str_eq(x->name[j], part[i])) at = j;
        if (at < 0) return false;
        x->best &= ~(1u << at);
    }
    return x->remembered = true;
}

// The winner's steps, for programs to find.
static void keep_wisdom(const Decide *d) {
    const char *why;
    Compile *c = compile_new();
    const char *path = wise_use(&why) == WISE_WRITE ? wise_path(c->arena, &why) : NULL;
    WiseStore *s = path ? wise_open(c->arena, path, true, &why) : NULL;
    const char *text = arena_printf(c->arena, "%s%s", d->k->text, d->best_nest);
    IrFile *f = s ? ir_parse(c, "inclusion", text) : NULL;
    if (f && f->nnests == 1) {
        Wise w = {.name = f->region->name,
                  .recipe = f->nests[0]->recipe,
                  .verdict = f->nests[0]->proof == PROOF_PROVED ? "proved" : "tested",
                  .catalogue = plan_catalogue(c->arena),
                  .seconds = d->out->seconds,
                  .base = d->first > 0 ? d->first : d->out->seconds,
                  .made = (int64_t)time(NULL)};
        wise_device(c->arena, d->k->lab->info, &w.key);
        w.key.region = digest_text(c->arena, wisdom_region(d->k->text));
        w.key.sizes = wise_sizes(c->arena, d->k->nvals, d->k->vals);
        w.key.align = 16;
        if (*w.recipe) wise_put(s, &w, &why);
    }
    compile_free(c);
}

static void remember(Decide *d, Cache *cache) {
    const char *text = *d->out->without ? d->out->without : "-";
    cache_put(cache, key_of(d), text, strlen(text));
    // A nest made under a permission is for programs that were given it: they carry that in the region.
    bool own = (d->like->reassociate && !d->k->region->reassociate) ||
               (d->like->fast_math && !d->k->region->fast_math);
    if (d->best_nest && !own) keep_wisdom(d);
}

bool inclusion_decide(Case *k, const Trial *like, const TrialOptions *o, Cache *cache, bool again,
                      Inclusion *out) {
    Decide d = {.k = k, .a = k->a, .like = like, .o = *o, .out = out};
    *out = (Inclusion){.without = ""};
    if (d.o.keep <= 0) d.o.keep = 0.7;
    d.o.host_to_host = false;
    out->n = recipe_optional(k->a, like->text, out->name);
    if (cache && !again && recall(&d, cache)) return true;
    out->best = 0;
    out->remembered = false;
    search(&d);
    out->without = inclusion_without(k->a, out, out->best);
    if (cache && out->seconds > 0) remember(&d, cache);
    return out->seconds > 0;
}
