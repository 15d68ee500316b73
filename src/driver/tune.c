// SPDX-License-Identifier: MIT
// tune.c -- `sculpt tune`: what is quickest here, measured, and kept for programs to find.
#include "tune/tuner.h"
#include "driver/driver.h"
#include "driver/explain.h"
#include "driver/tune_formats.h"
#include "driver/tune_hand.h"
#include "report/tuned.h"
#include "tune/worker.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Words {
    Compile *c;
    Arena *a;
    const char *device, *sizes, *log, *replay, *form, *html;
    const Tactic *tactic;
    Effort effort;
    double budget; // seconds
    int most;
    uint64_t seed;
    bool json, again, live;
    Flags *flags;
    Strings nests; // files of regions as text
    HandWords by_hand; // .file: NULL: loops are tuned
    Hand *hand;
    VEC(Tuned) tuned;
    FILE *out;     // the log
    WiseStore *store;
} Words;

// ---- sizes: "n=512,1000; m=n" -------------------------------------------------------------------------
typedef struct Axis {
    const char *name;
    int n;
    const char **value;
} Axis;
typedef VEC(Axis) Axes;

static const char *trimmed(Arena *a, const char *s, size_t n) {
    while (n && strchr(" \t\n", *s)) s++, n--;
    while (n && strchr(" \t\n", s[n - 1])) n--;
    return arena_strndup(a, s, n);
}

static bool read_axis(Arena *a, const char *s, Axis *x) {
    const char *eq = strchr(s, '=');
    if (!eq) return false;
    x->name = trimmed(a, s, (size_t)(eq - s));
    x->value = NEW_N(a, const char *, strlen(eq) + 1);
    for (const char *v = eq + 1; *v; v += strcspn(v, ","), v += *v == ',')
        x->value[x->n++] = trimmed(a, v, strcspn(v, ","));
    for (int i = 0; i < x->n; i++)
        if (!*x->value[i]) return false;
    return *x->name && x->n;
}

static bool read_sizes(Arena *a, const char *s, Axes *out) {
    for (; s && *s; s += strcspn(s, ";"), s += *s == ';') {
        const char *one = trimmed(a, s, strcspn(s, ";"));
        Axis x = {0};
        if (!*one) continue;
        if (!read_axis(a, one, &x)) return false;
        vec_push(a, out, x);
    }
    return true;
}

// Sizes that nobody gives: such as fill a machine's caches a few times, by how deep the loops stand.
static bool is_loop(const Node *n) { return n->kind == N_FOR; }

static bool is_size(const Node *root, const Sym *s) {
    node_each(n, root)
        if (n->kind == N_FOR && (expr_uses_sym(n->lo, s) || expr_uses_sym(n->hi, s))) return true;
    return false;
}

static void assume_sizes(const Words *w, const Region *r, const Axes *given, SettingVec *out) {
    int depth = node_depth(r->root, is_loop);
    const char *v = depth <= 1 ? "4194304" : depth == 2 ? "2048" : "512";
    for (int i = 0; i < r->nparams; i++) {
        const Sym *s = r->params[i];
        bool known = type_is_int(s->type) ? !s->source || !is_size(r->root, s) : !type_is_float(s->type);
        for (int k = 0; k < given->n; k++) known |= str_eq(given->at[k].name, s->name);
        if (!known) vec_push(w->a, out, ((Setting){s->name, type_is_int(s->type) ? v : "1.5"}));
    }
}

// ---- telling ------------------------------------------------------------------------------------------
static void progress(const TuneState *s, void *arg) {
    (void)arg;
    fprintf(stderr, "\r\033[K%s %s: %s, %d of %d, best %.2fx", s->name, s->sizes, s->doing, s->done,
            s->points, s->best);
    if (s->ceiling > 0) fprintf(stderr, ", %.0f %% of the ceiling", 100 * s->ceiling);
    if (s->left >= 0) fprintf(stderr, ", %.0f s left", s->left);
    fflush(stderr);
}

static void put_text(const char *from, const TuneResult *x) {
    const char *sizes = x->space->key.sizes;
    printf("%s: %s%s%s on %s\n", from, x->space->name, *sizes ? " at " : "", sizes, x->space->key.device);
    printf("  %d candidates; %d measured in %.1f s", x->points, x->measured, x->seconds);
    if (x->known) printf(", %d known from before", x->known);
    printf("; %d refused by the judge, %d wrong, %d failed\n", x->refused, x->wrong, x->broken);
    printf("  no more was measured because %s", x->ended);
    printf(x->corrected ? "; prices were corrected by what other loops took here\n" : "\n");
    printf(space_by_hand(x->space) ? "  without tuning %.4g ms" : "  the planner's choice %.4g ms",
           1e3 * x->row.base);
    if (!*x->row.recipe) return (void)puts("; nothing beats it, so it stays");
    printf("; tuned %.4g ms, %.2f times as quick (%s)\n", 1e3 * x->row.seconds, x->gain, x->row.verdict);
    for (const char *s = x->row.recipe; *s; s += strcspn(s, "\n"), s += *s == '\n')
        printf("    %.*s\n", (int)strcspn(s, "\n"), s);
}

static json_t *as_json(const TuneResult *x) {
    json_t *all = json_array();
    for (int i = 0; i < x->all.n; i++) {
        const Measured *m = &x->all.at[i];
        json_array_append_new(all, json_pack("{s:i, s:s, s:f, s:f}", "point", m->point, "outcome", m->outcome,
                                             "seconds", m->seconds, "base_seconds", m->base));
    }
    const WiseKey *k = &x->space->key;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, "
        "s:s, s:s, s:s, s:o}",
        "region", x->space->name, "digest", k->region, "device", k->device, "sizes", k->sizes, "points",
        x->points, "measured", x->measured, "known", x->known, "refused", x->refused, "wrong", x->wrong,
        "failed", x->broken, "corrected", x->corrected, "ceiling_seconds", x->space->ceiling,
        "tuning_seconds", x->seconds, "base_seconds", x->row.base, "seconds",
        x->row.seconds, "gain", x->gain, "noise", x->noise, "verdict", x->row.verdict, "ended", x->ended,
        "recipe", x->row.recipe, "trials", all);
}

static void draw(Words *w, const char *from, const TuneResult *x) {
    Tuned t = {x->space->name,
               from,
               x->space->key.sizes,
               x->space->key.device,
               x->points,
               x->all.n,
               NULL,
               x->row.base,
               x->row.seconds,
               x->gain,
               x->space->ceiling,
               x->row.recipe,
               x->row.verdict,
               x->ended};
    Tried *at = NEW_N(w->a, Tried, x->all.n + 1);
    for (int i = 0; i < x->all.n; i++) {
        const Measured *m = &x->all.at[i];
        const Point *p = &x->space->at[m->point];
        at[i] = (Tried){m->outcome, p->form, p->price, m->seconds, m->base};
    }
    t.at = at;
    vec_push(w->a, &w->tuned, t);
}

// ---- one region at one size ---------------------------------------------------------------------------
static bool tuned(Words *w, const char *from, TuneOrder o, json_t *list) {
    o.device = w->device, o.effort = w->effort, o.tactic = w->tactic, o.budget = w->budget, o.most = w->most;
    o.seed = w->seed, o.pair_s = 0.3, o.again = w->again, o.store = w->store, o.log = w->out;
    o.tell = w->live ? progress : NULL;
    TuneResult x;
    const char *why = "";
    bool ok = tune_region(w->a, &o, &x, &why);
    if (w->live) fputs("\r\033[K", stderr);
    if (!ok) return fprintf(stderr, "%s: not tuned: %s\n", from, why), false;
    if (w->html) draw(w, from, &x);
    if (w->json) json_array_append_new(list, as_json(&x));
    else
        put_text(from, &x);
    if (x.kept) fprintf(stderr, "sculpt: warning: not kept: %s [SC%04d]\n", x.kept, SC_WISDOM);
    fflush(stdout);
    return true;
}

static bool one(Words *w, const FrontRegion *r, const SettingVec *set, json_t *list) {
    TuneOrder o = {.name = r->region->name,
                   .text = pipeline_text(w->a, r->region, 0, NULL),
                   .nsettings = set->n,
                   .settings = set->at};
    return tuned(w, show_loc(w->a, r->loc), o, list);
}

// Every combination of the sizes.
static int all_sizes(Words *w, const FrontRegion *r, const Axes *axes, json_t *list) {
    int at[axes->n + 1], failed = 0;
    memset(at, 0, sizeof at);
    for (;;) {
        SettingVec set = {0};
        for (int i = 0; i < axes->n; i++)
            vec_push(w->a, &set, ((Setting){axes->at[i].name, axes->at[i].value[at[i]]}));
        assume_sizes(w, r->region, axes, &set);
        failed += !one(w, r, &set, list);
        int i = axes->n - 1;
        while (i >= 0 && ++at[i] == axes->at[i].n) at[i--] = 0;
        if (i < 0) return failed;
    }
}

// ---- a kernel by hand ---------------------------------------------------------------------------------
static bool open_hand(Words *w) {
    const char *why = "";
    w->hand = hand_of(w->c, &w->by_hand, &why);
    if (w->hand) return true;
    diags_show(w->c, 0, w->flags, true), diag_forget(w->c, 0);
    say_error(SC_USAGE, "%s: %s", w->by_hand.file, why);
    return false;
}

static Space *space_of_hand(Words *w, bool needs_machine) {
    Advice d = {.machine = w->by_hand.machine};
    HandLeft left;
    const char *why = "";
    if ((needs_machine || d.machine) && !advice_begin(w->c, "tune", &d)) return NULL;
    double most = needs_machine ? w->budget : w->budget / 4;
    Space *s = hand_space(w->a, w->hand, w->device, d.m, most, &left, &why);
    if (!s) return say_error(SC_USAGE, "%s: %s", w->by_hand.file, why), NULL;
    if (!w->json)
        printf(
            "%s: %d configurations; %d more are forbidden by conditions, %d fit no block; %d have no price\n",
            w->by_hand.file, s->n, left.forbidden, left.unfit, left.unpriced);
    return s;
}

// A log in which nothing is measured yet.
static int export_space(Words *w) {
    w->json = true; // nothing but the log is printed
    Space *s = open_hand(w) ? space_of_hand(w, true) : NULL;
    return s && tune_export(w->a, "log", s, &(MeasuredVec){0}) ? 0 : 2;
}

static bool tune_hand(Words *w, json_t *list) {
    Space *s = open_hand(w) ? space_of_hand(w, false) : NULL;
    return s && tuned(w, w->by_hand.file,
                      (TuneOrder){.name = s->name, .text = "", .hand = w->hand, .space = s}, list);
}

// What is permitted on the command line counts for regions as text as it does for C.
static FrontRegion granted(const Words *w, const IrFile *f) {
    Region *r = NEW_AS(w->a, Region, *f->region);
    r->reassociate |= w->c->reassociate, r->fast_math |= w->c->fast_math;
    r->approximate |= w->c->approximate || r->fast_math;
    return (FrontRegion){.region = r, .loc = r->loc};
}

typedef VEC(FrontRegion) FrontRegions;

static FrontRegions regions_of(Words *w) {
    FrontRegions all = {0};
    for (int i = 0; i < w->flags->inputs.n; i++) {
        FrontUnit *u = pipeline_front(w->c, w->flags->inputs.at[i].path, w->flags);
        for (int k = 0; u && k < u->nregions; k++)
            if (u->regions[k].region && ir_verify_region(w->c, u->regions[k].region))
                vec_push(w->a, &all, u->regions[k]);
    }
    for (int i = 0; i < w->nests.n; i++) {
        const char *text = file_read(w->a, w->nests.at[i], NULL);
        IrFile *f = text ? ir_parse(w->c, w->nests.at[i], text) : NULL;
        if (!text) diag(w->c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "%s can't be read", w->nests.at[i]);
        if (f) vec_push(w->a, &all, granted(w, f));
    }
    return all;
}

// Does each size that is given belong to a loop?
static bool are_known(Words *w, const Axes *axes, const FrontRegions *all) {
    bool known = true;
    for (int i = 0; i < axes->n; i++) {
        bool found = !all->n;
        for (int k = 0; k < all->n; k++)
            for (int s = 0; s < all->at[k].region->nparams; s++)
                found |= str_eq(all->at[k].region->params[s]->name, axes->at[i].name);
        known &= found;
        if (!found)
            diag(w->c, DIAG_ERROR, SC_USAGE, (Loc){0}, "--sizes %s: no loop has a parameter of that name",
                 axes->at[i].name);
    }
    return known;
}

static int tune_files(Words *w, const Axes *axes) {
    json_t *list = json_array();
    int regions = 0, failed = 0;
    if (w->by_hand.file) regions++, failed += !tune_hand(w, list);
    FrontRegions all = regions_of(w);
    regions += all.n;
    int tuned = are_known(w, axes, &all) ? all.n : 0;
    for (int i = 0; i < tuned; i++) failed += all_sizes(w, &all.at[i], axes, list);
    if (w->json) json_dumpf(list, stdout, JSON_INDENT(2)), putchar('\n');
    json_decref(list);
    const char *page = w->html ? tuned_html(w->a, w->tuned.n, w->tuned.at, "what was tuned") : NULL;
    if (page && !file_write(w->html, page, strlen(page)))
        failed++, say_error(SC_FILE_IO, "cannot write '%s'", w->html);
    if (!regions && !w->c->errors)
        diag(w->c, DIAG_ERROR, SC_NO_REGION, (Loc){0},
             "no loop that can be tuned was found; 'sculpt explain' says why");
    diags_show(w->c, 0, w->flags, true);
    return w->c->errors ? diags_status(w->c) : failed > 0;
}

// ---- from a log
// --------------------------------------------------------------------------------------------
// By the region's text, beside the log of it: what the model says of these candidates by now.
static bool price_anew(Words *w, Space *s, const char **why) {
    SettingVec set = {0};
    const char *text = file_read(w->a, w->nests.at[0], NULL);
    IrFile *f = text ? ir_parse(w->c, w->nests.at[0], text) : NULL;
    if (!f) return *why = "the region can't be read", false;
    settings_read(w->a, s->key.sizes, &set);
    for (int i = 0; i < f->region->nparams; i++)
        if (type_is_float(f->region->params[i]->type))
            vec_push(w->a, &set, ((Setting){f->region->params[i]->name, "1.5"}));
    TuneOrder o = {.name = s->name,
                   .text = text,
                   .device = w->device,
                   .nsettings = set.n,
                   .settings = set.at};
    Case *k = worker_case(&o, w->a, false, why);
    int lost = k ? space_reprice(k, s, why) : -1;
    if (lost > 0) fprintf(stderr, "sculpt: %s: %d recipes no longer fit\n", w->replay, lost);
    return lost >= 0;
}

// By the kernel, beside the log of it. False: they have no configuration in common.
static bool price_by_hand(Space *s, const Space *known) {
    Point *at = (Point *)s->at;
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        at[i].price = 0, at[i].bound = "";
        for (int k = 0; k < known->n; k++)
            if (str_eq(known->at[k].form, at[i].form))
                at[i].price = known->at[k].price, at[i].bound = known->at[k].bound, n++;
    }
    return n > 0;
}

static int replay(Words *w) {
    MeasuredVec log = {0};
    const char *why = "it can't be read", *text = file_read(w->a, w->replay, NULL);
    bool own = text && str_has_prefix(text, "sculpt ");
    Space *known = NULL;
    if (w->by_hand.file && !(open_hand(w) && (known = space_of_hand(w, true)))) return 2;
    Space *s = !text ? NULL
               : own ? space_read(w->a, text, &log, &why)
                     : tune_foreign(w->a, text, known, &log, &why);
    if (!s) return say_error(SC_FILE_IO, "%s: %s", w->replay, why), 2;
    if (own && known && !price_by_hand(s, known))
        return say_error(SC_FILE_IO, "%s: no configuration of it is one of this kernel", w->replay), 2;
    if (w->nests.n && !price_anew(w, s, &why)) return say_error(SC_FILE_IO, "%s: %s", w->replay, why), 2;
    if (w->form && tune_export(w->a, w->form, s, &log)) return 0;
    if (w->form) return usage_error("tune", "--export takes kernel-tuner, t4 or log, not '%s'", w->form);
    double *best = NEW_N(w->a, double, s->n + 1);
    double alone;
    int n = tune_replay(w->a, s, &log, w->tactic, w->seed, w->most, best, &alone);
    TuneRank rank = tune_rank(w->a, s, &log);
    if (w->json) {
        json_t *all = json_array(), *o = json_pack("{s:f, s:i, s:f, s:i, s:i, s:o}", "model_alone", alone,
                                                   "priced", rank.n, "rank_correlation", rank.correlation,
                                                   "priced_before_best", rank.first,
                                                   "quicker_than_predicted", rank.quicker, "best", all);
        for (int i = 0; i < n; i++) json_array_append_new(all, json_real(best[i]));
        json_dumpf(o, stdout, 0), putchar('\n');
        json_decref(o);
        return 0;
    }
    printf("%s at %s, %s: %d points, %d measured in the log\n", s->name, s->key.sizes, w->tactic->name, s->n,
           log.n);
    printf("  the first alone: %.3f of the best\n", alone);
    if (rank.n > 1)
        printf("  %d have a price and a time: their orders correlate by %.3f (Spearman); %d prices are less "
               "than that of the quickest, and %d are quicker than that of the least price\n",
               rank.n, rank.correlation, rank.first, rank.quicker);
    for (int i = 1; i <= n; i = i < n && 2 * i > n ? n : 2 * i)
        if (printf("  after %4d: %.3f of the best\n", i, best[i - 1]) && i == n) break;
    return 0;
}

// ---- the verb
// ------------------------------------------------------------------------------------------------
static bool read_budget(const char *s, double *out) {
    char *end;
    double v = strtod(s, &end);
    double unit = str_eq(end, "m") ? 60 : str_eq(end, "h") ? 3600 : !*end || str_eq(end, "s") ? 1 : -1;
    *out = v * unit;
    return end != s && *out > 0 && *out < 1e7;
}

static bool read_effort(const char *s, Effort *out) {
    static const char *const words[] = {"measure", "patient", "exhaustive"};
    for (int i = 0; i < 3; i++)
        if (str_eq(s, words[i])) return *out = (Effort)i, true;
    return false;
}

// What is wrong; NULL: nothing. What is none of ours goes to rest.
static const char *read_words(Words *w, int argc, char **argv, int *n, char **rest) {
    bool by_hand = false;
    for (int i = 0; i < argc; i++) // words of options come before the file, too
        by_hand |= argv[i][0] != '-' && hand_is_file(argv[i]) &&
                   (!i || !str_among(argv[i - 1], "--replay --log --html"));
    for (int i = 0; i < argc; i++) {
        const char *v = NULL;
        int used;
        bool ok = true;
        if ((used = word_valued("--device", i, argc, argv, &w->device))) {
        } else if ((used = word_valued("--sizes", i, argc, argv, &w->sizes))) {
        } else if ((used = word_valued("--log", i, argc, argv, &w->log))) {
        } else if ((used = word_valued("--html", i, argc, argv, &w->html))) {
        } else if ((used = word_valued("--replay", i, argc, argv, &w->replay))) {
        } else if ((used = word_valued("--export", i, argc, argv, &w->form))) {
        } else if ((used = word_valued("--budget", i, argc, argv, &v))) {
            ok = used < 0 || read_budget(v, &w->budget);
        } else if ((used = word_valued("--effort", i, argc, argv, &v))) {
            ok = used < 0 || read_effort(v, &w->effort);
        } else if ((used = word_valued("--strategy", i, argc, argv, &v))) {
            ok = used < 0 || (w->tactic = tactic_named(v));
        } else if ((used = word_valued("--most", i, argc, argv, &v))) {
            ok = used < 0 || (w->most = atoi(v)) > 0;
        } else if ((used = word_valued("--seed", i, argc, argv, &v))) {
            if (used > 0) w->seed = strtoull(v, NULL, 10);
        } else if (by_hand) {
            used = hand_word(w->a, &w->by_hand, i, argc, argv);
        }
        if (used < 0) return arena_printf(w->a, "%s needs a value", argv[i]);
        if (!ok)
            return arena_printf(w->a, "'%s' is no value of %.*s", v, (int)strcspn(argv[i], "="), argv[i]);
        if (used) i += used - 1;
        else if (str_eq(argv[i], "--json")) w->json = true;
        else if (str_eq(argv[i], "--again")) w->again = true;
        else if (by_hand && hand_is_file(argv[i]))
            w->by_hand.file = argv[i];
        else if (by_hand && (str_has_prefix(argv[i], "-D") || str_has_prefix(argv[i], "-I")))
            vec_push(w->a, &w->by_hand.flags, (const char *)argv[i]);
        else if (str_has_suffix(argv[i], ".nest")) vec_push(w->a, &w->nests, (const char *)argv[i]);
        else rest[(*n)++] = argv[i];
    }
    return NULL;
}

static bool open_store(Words *w) {
    const char *wrong, *why = "";
    WiseUse use = wise_use(&wrong);
    if (wrong)
        return usage_error("tune", "SCULPT_TUNE takes off, read or write, not '%s'%s", wrong,
                           word_meant(w->a, wrong, wise_words)), false;
    const char *path = use == WISE_WRITE ? wise_path(w->a, &why) : NULL;
    if (path) w->store = wise_open(w->a, path, true, &why);
    if (use == WISE_WRITE && !w->store) say_error(SC_WISDOM, "%s", why);
    return use != WISE_WRITE || w->store;
}

int tune_main(int argc, char **argv) {
    Compile *c = compile_new();
    Words w = {.c = c, .a = c->arena, .tactic = tactics[0], .budget = 60, .seed = 1, .live = isatty(2)};
    Axes axes = {0};
    char **rest = NEW_N(c->arena, char *, argc + 1);
    int n = 0, status = 2;
    const char *wrong = read_words(&w, argc, argv, &n, rest), *why = "a C file is needed", *stray;
    if (!wrong && !read_sizes(c->arena, w.sizes, &axes)) wrong = "--sizes takes NAME=N,…; NAME=N,…";
    w.flags = wrong ? NULL : flags_parse(c->arena, n, rest, &why);
    if (w.flags) flags_grant(w.flags, c);
    if (wrong) usage_error("tune", "%s", wrong);
    else if (w.replay) status = replay(&w);
    else if (w.form && w.by_hand.file && str_eq(w.form, "t1"))
        status = open_hand(&w) ? t1_print(c->arena, w.hand), 0 : 2;
    else if (w.form && w.by_hand.file && str_eq(w.form, "log"))
        status = export_space(&w);
    else if (w.form)
        usage_error("tune", "--export %s needs a log: --replay LOG", w.form);
    else if (w.flags && (stray = flags_stray(c->arena, w.flags, "tune"))) usage_stray("tune", stray);
    else if (!w.flags || (!w.flags->inputs.n && !w.nests.n && !w.by_hand.file))
        usage_error("tune", "%s", why);
    else if (w.log && !(w.out = fopen(w.log, "w")))
        say_error(SC_FILE_IO, "%s can't be written", w.log), status = 2;
    else if (!open_store(&w)) status = 1;
    else status = tune_files(&w, &axes);
    if (w.out) fclose(w.out);
    compile_free(c);
    return status;
}
