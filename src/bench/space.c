// SPDX-License-Identifier: MIT
// space.c -- `bench space`: the candidates of a region at one size, all measured: a log to replay; and `bench
// tuned`: what tuning finds from nothing, beside recipes and the vendor's library.
#include "bench/bench.h"
#include "tune/child.h"
#include "tune/hand.h"
#include "tune/tuner.h"
#include <string.h>

// In a process of its own: drivers don't survive a fork, and workers are forks.
static void name_device(FILE *in, FILE *out, void *arg) {
    Bench *b = arg;
    const char *why = "";
    Lab *l = lab_bare(b->a, b->device, &why);
    WiseKey k;
    (void)in;
    if (!l) return (void)fprintf(out, "\n%s", why);
    wise_device(b->a, l->info, &k);
    fprintf(out, "%s\n%s\n%s\n%s", k.device, k.arch, k.vendor, k.target);
}

// The device that measures is the log's, whatever machine prices are for.
static bool take_device(Bench *b, WiseKey *k, const char **why) {
    const char *text, **part[] = {&k->device, &k->arch, &k->vendor, &k->target};
    if (child_run(b->a, 120, name_device, b, &text) != CHILD_DONE)
        return *why = "the device can't be opened", false;
    if (*text == '\n') return *why = text + 1, false;
    for (int i = 0; i < 4; i++, text += strcspn(text, "\n"), text += *text == '\n')
        *part[i] = arena_strndup(b->a, text, strcspn(text, "\n"));
    return true;
}

// What a space of a kernel by hand needs, which its own text says.
static bool by_hand(Bench *b, const char *text, TuneOrder *o, const char **why) {
    o->space = space_read(b->a, text, NULL, why);
    if (o->space && !space_by_hand(o->space))
        return *why = "of loops the region is needed, not a space", false;
    o->hand = o->space ? hand_read(b->a, o->space->standard, why) : NULL;
    if (o->hand && !take_device(b, &o->space->key, why)) return false;
    o->pair_s = 0.05; // there are many, and each moves and compares its data, too
    return o->hand;
}

static int tune(Bench *b, TuneOrder *o, TuneResult *x, const char **text) {
    const char *why = "one region is needed (--source), and a file for what is found (--out)";
    *text = b->sources.n == 1 && b->json ? b->region(b, b->sources.at[0], &why) : NULL;
    if (!*text) return fprintf(stderr, "bench: %s\n", why), 2;
    if (str_has_prefix(*text, "sculpt tuning ") && !by_hand(b, *text, o, &why))
        return fprintf(stderr, "bench: %s: %s\n", b->sources.at[0], why), 2;
    o->name = b->sources.at[0], o->text = *text, o->device = b->device;
    o->nsettings = b->settings.n, o->settings = b->settings.at;
    o->effort = EFFORT_MEASURE, o->budget = b->budget, o->seed = b->seed;
    if (!tune_region(b->a, o, x, &why)) return fprintf(stderr, "bench: %s\n", why), 1;
    printf("%s at %s on %s: %d candidates, %d measured in %.1f s; %s\n", x->space->name, x->space->key.sizes,
           x->space->key.device, x->points, x->measured, x->seconds, x->ended);
    return 0;
}

int bench_space(Bench *b) {
    TuneResult x;
    const char *text;
    // What time does not suffice for is missing at random.
    TuneOrder o = {.tactic = tactic_named("random"), .pair_s = 0.1, .log = b->json, .only_log = true};
    return tune(b, &o, &x, &text);
}

// ---- tuned from nothing, beside recipes and the library -------------------------------------------------
static Trial trial_of(Bench *b, const char *recipe) {
    Trial t = {.name = recipe, .kind = TRIAL_RECIPE, .file = recipe, .as_called = true, .images = b->images};
    t.text = file_read(b->a, bench_file(b, "%s", recipe), NULL);
    return t;
}

// What was chosen. It and the point of the space live as long as b->a.
static Trial winner_of(Bench *b, const TuneResult *x) {
    Trial t = {.name = "tuned", .kind = TRIAL_NEST, .text = x->space->standard, .as_called = true};
    for (int i = 0; i < x->space->n && *x->row.recipe; i++) {
        const Point *p = &x->space->at[i];
        if (!str_eq(p->form, x->row.recipe)) continue;
        t.text = p->nest ? p->nest : p->form;
        t.kind = p->nest ? TRIAL_NEST : TRIAL_RECIPE;
    }
    t.images = b->images;
    return t;
}

static void put_beside(Bench *b, const Case *k, const char *size, const Trial *t, const Duel *d) {
    Text j = json_open(b->a);
    json_text(&j, "kind", "tuned beside");
    json_text(&j, "source", k->name);
    json_text(&j, "size", size);
    json_text(&j, "variant", t->name);
    json_text(&j, "why", t->why);
    json_number(&j, "tuned_s", d->base);
    json_number(&j, "seconds", d->seconds);
    json_number(&j, "ratio", d->gain > 0 ? 1 / d->gain : -1);
    json_close(b, &j);
    if (t->why) return (void)printf("  beside %s: %s\n", t->name, t->why);
    printf("  beside %s: %.4g ms against %.4g ms, %.1f GFLOP/s: what tuning found is %.3f times as quick\n",
           t->name, 1e3 * d->base, 1e3 * d->seconds, bench_rate(k->flops, d->base), 1 / d->gain);
}

static int beside(Bench *b, const TuneResult *x, const char *text) {
    const char *why = "";
    Lab *l = bench_lab(b, false);
    CaseOptions o = {.seed = b->seed, .samples = 16, .vendor = true, .poison = true,
                     .nsettings = b->settings.n, .settings = b->settings.at};
    Case *k = l ? case_new(l, b->sources.at[0], text, &o, &why) : NULL;
    if (!k) return fprintf(stderr, "bench: %s\n", why), 1;
    int n = b->recipes.n + 2;
    Trial all[n];
    for (int i = 0; i < b->recipes.n; i++) all[i + 1] = trial_of(b, b->recipes.at[i]);
    all[0] = winner_of(b, x);
    all[n - 1] = (Trial){.name = "the library", .kind = TRIAL_VENDOR};
    trials_build(k, n, all);
    Standard *s = trial_standard(k, &all[0]);
    if (!s) fprintf(stderr, "bench: what tuning found does not run: %s\n", all[0].why), b->failed++;
    TrialOptions timing = {.pairs = b->pairs, .budget_s = 2};
    for (int i = 1; s && i < n; i++) {
        Duel d = {0};
        trial_duel(s, &all[i], &timing, &d);
        put_beside(b, k, x->space->key.sizes, &all[i], &d);
        b->failed += all[i].why && i < n - 1;
    }
    for (int i = n - 1; i >= 0; i--) trial_free(&all[i]);
    case_free(k);
    return b->failed > 0;
}

int bench_tuned(Bench *b) {
    TuneResult x;
    TuneOrder o = {.tactic = tactics[0], .pair_s = 0.3};
    const char *text = NULL;
    int status = tune(b, &o, &x, &text);
    if (status) return status;
    if (o.hand) return fprintf(stderr, "bench: a kernel by hand has no recipes beside it: bench space\n"), 2;
    Text j = json_open(b->a);
    json_text(&j, "kind", "tuned");
    json_text(&j, "device", x.space->key.device);
    json_text(&j, "source", b->sources.at[0]);
    json_text(&j, "size", x.space->key.sizes);
    json_text(&j, "recipe", x.row.recipe);
    json_text(&j, "verdict", x.row.verdict);
    json_text(&j, "ended", x.ended);
    json_number(&j, "candidates", x.points);
    json_number(&j, "measured", x.measured);
    json_number(&j, "tuning_s", x.seconds);
    json_number(&j, "default_s", x.row.base);
    json_number(&j, "tuned_s", x.row.seconds);
    json_close(b, &j);
    printf("  the planner's choice %.4g ms; %s, %.3f times as quick (%s)\n", 1e3 * x.row.base,
           *x.row.recipe ? "another is taken" : "it stays", x.gain, x.row.verdict);
    return beside(b, &x, text);
}
