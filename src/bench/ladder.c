// SPDX-License-Identifier: MIT
// ladder.c -- runs the rungs of a ladder and prints what the documents had beside what is
// had here.
//
// Rungs that stand together and have the same loop, sizes and device share one case; their kernels
// are compiled in parallel. A rung without a figure says why in its place: none is left out.
#include "bench/inclusion.h"
#include "bench/peers.h"
#include "bench/rungs.h"
#include "bench/variants.h"
#include "tune/instances.h"
#include <string.h>

typedef struct Climb {
    Bench *b;
    const Ladder *l;
    Results results;
    const char **nest;       // [rungs] of the first size: recipes need no second judging
} Climb;

static const char *size_of(const Bench *b, const Rung *r, int i, Texts *own) {
    if (b->sizes.n) return i < b->sizes.n ? b->sizes.at[i] : NULL;
    if (!own->n) bench_sizes(b->a, r->sizes, own);
    return i < own->n ? own->at[i] : NULL;
}

static bool has_word(const char *text, const char *word) { return text && strstr(text, word); }

// The recipe of a rung becomes the trial's; false, and why there is none.
static bool set_recipe(Bench *b, const Rung *r, Trial *t, const char **why) {
    if (r->steps) {
        char *s = arena_strdup(b->a, r->steps);
        for (char *p = s; *p; p++)
            if (*p == '|') *p = '\n';
        t->file = arena_printf(b->a, "%s (line %d)", r->name, r->line);
        t->text = s;
    } else if (!r->recipe) {
        return *why = "the ladder names no recipe", false;
    } else if (!variant_chain(b, r->recipe, r->source, t, why)) {
        return false;
    }
    t->text = r->let ? variant_set(b->a, t->text, r->let, why) : t->text;
    return t->text != NULL;
}

// The pattern rules' recipe, and which of its optional steps pay: measured, or remembered.
static bool set_patterns(Climb *c, const Rung *r, Case *k, Trial *t, const char **with) {
    Bench *b = c->b;
    Inclusion x;
    t->text = inclusion_recipe(b, k, t->reassociate, &t->why);
    t->file = r->name;
    if (!t->text || bench_is_late(b)) return t->text != NULL;
    bench_say(b, "%s: optional steps", r->name);
    if (!inclusion_set(b, k, t, &x)) return false;
    *with = inclusion_names(b->a, &x, x.best);
    return true;
}

static void set_trial(Climb *c, const Rung *r, Case *k, Trial *t, const char **with) {
    Bench *b = c->b;
    const char *known = c->nest[r - c->l->rungs.at];
    *with = NULL;
    *t = (Trial){.name = r->name,
                 .judging = b->judging,
                 .as_called = r->automatic,
                 .images = r->cpu ? b->cpu_images : b->images,
                 .reassociate = b->reassociate || has_word(r->permit, "reassociate"),
                 .approximate = b->approximate || has_word(r->permit, "approximate"),
                 .fast_math = b->fast_math || has_word(r->permit, "fast-math")};
    t->one_by_one = r->one_by_one;
    t->travels = r->travels;
    t->pageable = r->memory && str_eq(r->memory, "pageable");
    if (r->library) t->kind = TRIAL_VENDOR;
    else if (known) t->kind = TRIAL_NEST, t->text = known;
    else if (r->automatic) t->kind = TRIAL_AUTOMATIC;
    else if (r->patterns) set_patterns(c, r, k, t, with);
    else set_recipe(b, r, t, &t->why);
    HostKind kind;
    if (r->memory && !host_kind_named(r->memory, &kind))
        t->why = arena_printf(b->a, "there is no memory of the kind '%s'", r->memory);
}

static void keep_result(Climb *c, const Rung *r, const char *size, const Case *k, const Trial *t,
                        const char *with, const char *why) {
    Bench *b = c->b;
    Result out = {.rung = r, .size = size, .with = with, .extra = -1};
    why = t && t->why ? t->why : why;
    out.why = why ? arena_strdup(b->a, why) : NULL;
    if (why) b->failed++;
    if (k && t && !why) {
        out.seconds = t->median_s;
        out.host_s = t->host_s;
        out.serial_s = t->serial_s;
        out.pin_s = t->pin_s;
        out.gflops = bench_rate(k->flops, t->median_s);
        out.host_gflops = bench_rate(k->flops, t->host_s);
        const Ceilings *most = bench_ceilings(b, r->cpu);
        out.ceiling = most->fma; // or what the memory lets through
        if (k->bytes > 0 && most->copy > 0 && most->copy * k->flops / k->bytes < out.ceiling)
            out.ceiling = most->copy * k->flops / k->bytes;
        out.library = bench_rate(k->flops, t->vendor_s);
        double all = instances_region(k->region, k->nvals, k->vals);
        if (all > 0 && t->instances > 0) out.extra = t->instances / all - 1;
        for (int i = 0; i < t->nkernels; i++) {
            if (t->kernels[i].usage.registers > out.registers) out.registers = t->kernels[i].usage.registers;
            if (t->kernels[i].shared > out.shared) out.shared = t->kernels[i].shared;
        }
    }
    vec_push(b->a, &c->results, out);
    ladder_gain(&c->results, c->results.n - 1);
    ladder_json(b, c->l, &c->results.at[c->results.n - 1], k, t);
    int number = (int)(r - c->l->rungs.at);
    if (t && t->text_of_nest && !r->patterns && !c->nest[number])
        c->nest[number] = arena_strdup(b->a, t->text_of_nest);
}

void ladder_gain(const Results *all, int of) {
    Result *r = &all->at[of];
    for (int i = of - 1; !r->rung->base && i >= 0 && r->gain == 0; i--) {
        const Result *before = &all->at[i];
        if (!str_eq(before->size, r->size) || before->rung->cpu != r->rung->cpu) continue;
        if (before->gflops > 0 && r->gflops > 0) r->gain = r->gflops / before->gflops;
        if (before->rung->base) break;
    }
}

static bool wanted(const Bench *b, const Rung *r) {
    return (!b->only || strstr(r->name, b->only)) &&
           (!b->target || str_eq(b->target, r->cpu ? "cpu" : "gpu"));
}

static bool same_case(const Rung *x, const Rung *y) {
    return str_eq(x->source, y->source) && str_eq(x->set ? x->set : "", y->set ? y->set : "") &&
           x->cpu == y->cpu;
}

// Rungs from..to-1 over one case at one size.
static void run_group(Climb *c, int from, int to, const char *size) {
    Bench *b = c->b;
    const Rung *first = &c->l->rungs.at[from];
    const char *why = NULL;
    Lab *l = bench_lab(b, first->cpu);
    SettingVec more = {0};
    if (first->set && !str_eq(first->set, "-") && !settings_read(b->a, first->set, &more))
        why = "its settings are no NAME=VALUE";
    Case *k = l && !why ? bench_case(b, l, first->source, size, &more, &why) : NULL;
    if (!k) {
        for (int i = from; i < to; i++)
            keep_result(c, &c->l->rungs.at[i], size, NULL, NULL, NULL, l ? why : "there is no such device");
        return;
    }
    bench_ceilings(b, first->cpu);
    int n = to - from;
    Trial trials[n];
    const char *with[n];
    for (int i = 0; i < n; i++) set_trial(c, &c->l->rungs.at[from + i], k, &trials[i], &with[i]);
    trials_build(k, n, trials);
    for (int i = 0; i < n; i++) {
        const Rung *r = &c->l->rungs.at[from + i];
        TrialOptions o = bench_timing(b);
        o.host_to_host = true;
        if (r->memory) host_kind_named(r->memory, &o.host);
        if (o.budget_s <= 0) o.budget_s = 2;
        bench_say(b, "%s, n = %s", r->name, size);
        if (!trials[i].why && bench_is_late(b)) trials[i].why = "the time was over";
        trial_run(k, &trials[i], &o);
        bench_keep(b, &trials[i]);
        keep_result(c, r, size, k, &trials[i], with[i], NULL);
        trial_free(&trials[i]);
    }
    case_free(k);
}

bool ladder_has(const Bench *b, const Rung *r, const char *size) {
    Texts own = {0};
    const char *s;
    for (int i = 0; (s = size_of(b, r, i, &own)); i++)
        if (str_eq(s, size)) return true;
    return false;
}

static void climb(Climb *c, const char *size) {
    const Ladder *l = c->l;
    for (int i = 0; i < l->rungs.n;) {
        int to = i;
        while (to < l->rungs.n && wanted(c->b, &l->rungs.at[to]) &&
               ladder_has(c->b, &l->rungs.at[to], size) && same_case(&l->rungs.at[i], &l->rungs.at[to]))
            to++;
        if (to > i) run_group(c, i, to, size);
        i = to > i ? to : i + 1;
    }
}

// All sizes of all rungs, in the order in which they are met.
void ladder_sizes(const Bench *b, const Ladder *l, Texts *out) {
    for (int i = 0; i < l->rungs.n; i++) {
        Texts own = {0};
        const char *s;
        for (int k = 0; (s = size_of(b, &l->rungs.at[i], k, &own)); k++) {
            bool known = false;
            for (int j = 0; j < out->n; j++) known = known || str_eq(out->at[j], s);
            if (!known) vec_push(b->a, out, s);
        }
    }
}

// Many sizes of the same rungs are a grid.
static bool is_grid(const Bench *b, const Ladder *l, const Texts *sizes) {
    int most = 0;
    for (int i = 0; i < l->rungs.n; i++) {
        int own = 0;
        for (int k = 0; k < sizes->n; k++) own += ladder_has(b, &l->rungs.at[i], sizes->at[k]);
        most = own > most ? own : most;
    }
    return most > 6;
}

static void put_tables(Bench *b, const Ladder *l, const Results *all, const Texts *sizes) {
    if (is_grid(b, l, sizes)) ladder_grid(b, l, all);
    else ladder_table(b, l, all);
    ladder_remarks(l, all);
    ladder_hosts(b, all);
    ladder_ratios(b, all);
    ladder_matrix(b, l, all);
    ladder_patterns(b, l);
    ladder_peers(b, l, all);
}

int bench_ladder(Bench *b) {
    const char *name = str_eq(b->verb, "ladder") ? (b->words.n ? b->words.at[0] : NULL) : b->verb;
    if (!name) return fprintf(stderr, "bench: which ladder? bench/ladders/ has them\n"), 2;
    Climb c = {.b = b, .l = ladder_read(b, name)};
    if (!c.l) return 1;
    Texts sizes = {0};
    ladder_sizes(b, c.l, &sizes);
    c.nest = NEW_N(b->a, const char *, c.l->rungs.n + 1);
    if (b->from.n) {
        if (!b->kept) return fprintf(stderr, "bench: only sculpt bench reads kept results\n"), 2;
        if (!b->kept(b, c.l, &c.results)) return 1;
    } else {
        if (!bench_lab(b, false)) return 1;
        b->machine = b->lab->info->name;
        for (int i = 0; i < sizes.n; i++) climb(&c, sizes.at[i]);
    }
    if (!str_eq(b->out, "-")) put_tables(b, c.l, &c.results, &sizes);
    return !b->from.n && b->failed > 0; // what failed when it was measured is in the table
}
