// SPDX-License-Identifier: MIT
// try.c -- variants of loops against the vendor's library, over sources and sizes.
//
// For each source and size: all variants are compiled (in parallel), then each is checked and
// timed in turns with the library. At the end one table: sizes down, sources across, the best
// variant's speed as a multiple of the library's.
#include "bench/variants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Cell {
    const char *source, *size, *best;
    double ratio, gflops, error;    // error as a multiple of the library's; 0: unknown
} Cell;
typedef struct Grid {
    Bench *b;
    Variants variants;
    VEC(Cell) cells;
    int at[3];           // the numbers of the source, the size and the variant
    int from[3];         // where to begin
} Grid;

static const char *base_name(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

static bool table(const Bench *b) { return !str_eq(b->out, "-"); }

static void put_head(const Bench *b) {
    if (table(b))
        printf("%-6s %-16s %-24s %10s %10s %7s %7s %5s %6s %4s %7s\n", "source", "size", "variant", "GFLOP/s",
               "library", "ratio", "error", "regs", "shared", "occ", "s");
}

static void put_row(const Grid *g, const Cell *c, const Case *k, const Trial *t) {
    const TrialKernel *big = t->nkernels ? &t->kernels[t->nkernels - 1] : NULL;
    for (int i = 0; i < t->nkernels; i++)
        if (t->kernels[i].usage.registers > big->usage.registers) big = &t->kernels[i];
    Text j = json_open(g->b->a);
    json_text(&j, "kind", "try");
    json_text(&j, "device", k->lab->info->name);
    json_text(&j, "source", c->source);
    json_text(&j, "size", c->size);
    json_text(&j, "variant", t->name);
    json_trial(&j, k, t);
    json_close(g->b, &j);
    if (!table(g->b)) return;
    printf("%-6s %-16s %-24s ", base_name(c->source), c->size, t->name);
    if (t->why) return (void)printf("%s\n", t->why);
    printf("%10.1f %10.1f %7.3f %7.2f %5d %6lld %4d %7.1f%s%s%s\n",
           bench_rate(k->flops, t->skipped ? t->first_s : t->median_s), bench_rate(k->flops, t->vendor_s),
           t->ratio, k->vendor_error > 0 ? t->error / k->vendor_error : 0, big ? big->usage.registers : 0,
           big ? (long long)big->shared : 0, big ? big->usage.blocks : 0, t->plan_s + t->compile_s,
           t->link ? arena_printf(g->b->a, " link %d", t->link) : "", t->proved ? "" : " unproved",
           t->skipped ? " skipped" : "");
    fflush(stdout);
}

static void set_trial(Grid *g, const Variant *v, const char *source, Trial *t) {
    *t = (Trial){.name = v->name,
                 .kind = v->kind,
                 .shape = v->shape,
                 .text = v->text,
                 .file = v->file,
                 .judging = g->b->judging,
                 .reassociate = g->b->reassociate,
                 .approximate = g->b->approximate,
                 .fast_math = g->b->fast_math,
                 .images = g->b->images};
    if (v->kind == TRIAL_RECIPE && !v->text) variant_chain(g->b, v->name, source, t, &t->why);
    if (v->kind == TRIAL_RECIPE && v->nest && str_eq(v->nest_of, source))
        t->kind = TRIAL_NEST, t->text = v->nest;
}

// Nests that stand behind the region's text are one more variant.
static const char *own_nests(Bench *b, const char *source) {
    const char *nests = NULL, *why, *text = b->region(b, source, &why);
    if (text) bench_split(b->a, text, &nests);
    return nests;
}

// A kernel that read or wrote where it must not leaves the device useless to this process: the
// rest is measured by another.
static void restart_if_dead(Grid *g, const Case *k) {
    Device *d = k->lab->d;
    if (d->ops->sync(d)) return;
    fprintf(
        stderr,
        "bench: the device is lost (%s); starting anew behind it. The table below lacks what came before.\n",
        d->error);
    bench_restart(g->b, arena_printf(g->b->a, "%d %d %d", g->at[0], g->at[1], g->at[2] + 1));
}

static void run_case(Grid *g, Case *k, Cell *c) {
    Bench *b = g->b;
    const char *nests = own_nests(b, c->source);
    int n = g->variants.n, all = n + (nests != NULL);
    Trial trials[all];
    for (int i = 0; i < n; i++) set_trial(g, &g->variants.at[i], c->source, &trials[i]);
    const Variant own = {.name = "nest", .kind = TRIAL_NEST, .text = nests};
    if (nests) set_trial(g, &own, c->source, &trials[n]);
    n = all;
    double start = time_now();
    trials_build(k, n, trials);
    if (n > 1) bench_say(b, "%s %s: %d variants built in %.1f s", c->source, c->size, n, time_now() - start);
    TrialOptions o = bench_timing(b);
    if (b->keep_ratio <= 0) o.keep = 1;
    for (int i = g->from[2]; i < n; i++) {
        g->at[2] = i;
        Trial *t = &trials[i];
        Variant *v = i < g->variants.n ? &g->variants.at[i] : NULL;
        if (b->keep_ratio <= 0) o.best_s = 0;
        if (!t->why && bench_is_late(b)) t->why = "the time was over";
        bool ok = trial_run(k, t, &o);
        if (v && t->text_of_nest && v->kind == TRIAL_RECIPE && !(v->nest && str_eq(v->nest_of, c->source)))
            v->nest_of = c->source, v->nest = arena_strdup(b->a, t->text_of_nest);
        put_row(g, c, k, t);
        bench_keep(b, t);
        if (!ok) b->failed++, restart_if_dead(g, k);
        if (!ok || t->skipped || t->median_s <= 0) continue;
        if (o.best_s == 0 || t->median_s < o.best_s) {
            o.best_s = t->median_s;
            c->best = t->name;
            c->ratio = t->ratio;
            c->gflops = bench_rate(k->flops, t->median_s);
            c->error = k->vendor_error > 0 ? t->error / k->vendor_error : 0;
        }
    }
    g->from[2] = 0;
    for (int i = 0; i < n; i++) trial_free(&trials[i]);
}

static void one(Grid *g, const char *source, const char *size) {
    Bench *b = g->b;
    const char *why = NULL;
    Cell c = {.source = source, .size = size};
    double start = time_now();
    Case *k = bench_case(b, b->lab, source, size, NULL, &why);
    if (!k) {
        fprintf(stderr, "bench: %s at %s: %s\n", source, size, why);
        b->failed++;
        vec_push(b->a, &g->cells, c);
        return;
    }
    if (k->unsampled) bench_say(b, "%s: no element can be computed alone: %s", source, k->unsampled);
    bench_say(b, "%s %s: data and %d right elements in %.1f s", source, size, k->nsamples,
              time_now() - start);
    run_case(g, k, &c);
    case_free(k);
    vec_push(b->a, &g->cells, c);
}

// ---- the end --------------------------------------------------------------------------------------
static const Cell *cell(const Grid *g, const char *source, const char *size) {
    for (int i = 0; i < g->cells.n; i++)
        if (str_eq(g->cells.at[i].source, source) && str_eq(g->cells.at[i].size, size))
            return &g->cells.at[i];
    return NULL;
}

static void summarize(Grid *g) {
    Bench *b = g->b;
    double product = 0, least = INFINITY, error = 0;
    int n = 0;
    for (int i = 0; i < g->cells.n; i++) {
        const Cell *c = &g->cells.at[i];
        if (c->ratio <= 0) continue;
        product += log(c->ratio), n++;
        least = fmin(least, c->ratio);
        error = fmax(error, c->error);
    }
    Text j = json_open(b->a);
    json_text(&j, "kind", "summary");
    json_number(&j, "cells", n);
    json_number(&j, "without", g->cells.n - n);
    json_number(&j, "geometric_mean", n ? exp(product / n) : -1);
    json_number(&j, "least", n ? least : -1);
    json_number(&j, "greatest_error_ratio", error);
    json_close(b, &j);
    if (table(b) && n)
        printf("\n%d cells with the library: geometric mean %.3f, least %.3f, greatest error %.2f of the "
               "library's; %d without\n",
               n, exp(product / n), least, error, g->cells.n - n);
}

// For each source the slowest over the fastest of what lies close together: sizes within 1 %.
static void put_dips(Grid *g) {
    const Bench *b = g->b;
    for (int s = 0; s < b->sources.n; s++) {
        double low = INFINITY, high = 0;
        int n = 0;
        for (int i = 0; i < b->sizes.n; i++) {
            const Cell *c = cell(g, b->sources.at[s], b->sizes.at[i]);
            double size = strchr(b->sizes.at[i], 'x') ? 0 : strtod(b->sizes.at[i], NULL);
            if (!c || size < 4090 || size > 4102 || c->gflops <= 0) continue;
            low = fmin(low, c->gflops), high = fmax(high, c->gflops), n++;
        }
        if (n > 2 && table(b))
            printf("%s, n = 4090…4102: slowest over fastest %.3f (%d sizes)\n", base_name(b->sources.at[s]),
                   low / high, n);
    }
}

static void put_grid(Grid *g) {
    const Bench *b = g->b;
    if (!table(b) || g->cells.n < 2) return;
    printf("\n%-16s", "size");
    for (int s = 0; s < b->sources.n; s++) printf(" %20s", base_name(b->sources.at[s]));
    for (int i = 0; i < b->sizes.n; i++) {
        printf("\n%-16s", b->sizes.at[i]);
        for (int s = 0; s < b->sources.n; s++) {
            const Cell *c = cell(g, b->sources.at[s], b->sizes.at[i]);
            if (c && c->gflops > 0) printf("   %9.1f × %6.3f", c->gflops, c->ratio);
            else printf(" %20s", "-");
        }
    }
    putchar('\n');
}

static const char gpu_sizes[] = "512,1000,1023,1024,1025,2048,4090..4102,4111,8191,8192,8193,16384,"
                                "4096x64x4096,128x128x65536,10001x128x128";
static const char cpu_sizes[] = "512,768,1000,1023,1024,1025,1536,2000,2048";

static void defaults(Bench *b) {
    bool sgemm = str_eq(b->verb, "sgemm");
    if (!b->sources.n)
        bench_sizes(b->a, sgemm ? "bench/gemm/nn,bench/gemm/nt,bench/gemm/tn,bench/gemm/tt" : "bench/gemm/nn",
                    &b->sources);
    if (!b->sizes.n)
        bench_sizes(b->a, !sgemm ? "4096" : b->lab->info->host_memory ? cpu_sizes : gpu_sizes, &b->sizes);
    if (sgemm) b->reassociate = true;
}

int bench_try(Bench *b) {
    Grid g = {.b = b};
    bool one_core =
        str_eq(b->verb, "sgemm") && b->device && str_eq(b->device, "cpu") && !env_get("OMP_NUM_THREADS");
    if (one_core) setenv("OMP_NUM_THREADS", "1", 1); // read when OpenMP's library is loaded
    if (!variants_read(b, &g.variants)) return 1;
    if (!bench_lab(b, false)) return 1;
    if (one_core) bench_say(b, "one core each; OMP_NUM_THREADS says otherwise");
    defaults(b);
    if (b->resume && sscanf(b->resume, "%d %d %d", &g.from[0], &g.from[1], &g.from[2]) != 3) return 2;
    put_head(b);
    for (g.at[0] = g.from[0]; g.at[0] < b->sources.n; g.at[0]++)
        for (g.at[1] = g.at[0] == g.from[0] ? g.from[1] : 0; g.at[1] < b->sizes.n && !bench_is_late(b);
             g.at[1]++)
            one(&g, b->sources.at[g.at[0]], b->sizes.at[g.at[1]]);
    if (bench_is_late(b))
        printf("the time was over: %d of %d cases begun\n", g.cells.n, b->sources.n * b->sizes.n),
            b->failed++;
    put_grid(&g);
    put_dips(&g);
    summarize(&g);
    return b->failed > 0;
}
