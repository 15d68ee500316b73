// SPDX-License-Identifier: MIT
// prices.c -- `sculpt bench prices --from KEPT…`: today's shapes of a product that were measured once, each
// priced by the model and by its own estimate.
//
//   source and size      shape   measured   model   estimate     all in microseconds
//
// A kept time counts for the shape that launches the same kernels today: as many, with the same grids, blocks
// and shared memory. The regret of a source at a size is the time of what a price would choose there over
// that of the fastest, less 1. Where one time alone was kept, that of the shape chosen then, counts whether
// it would be chosen again.
#include "bench/prices.h"
#include "model/model.h"
#include "plan/variants.h"
#include "run/pick.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Source {
    const char *name;
    Compile *c;
    const Region *region; // NULL: it can't be read
    const DepInfo *dep;
    int n;
    Nest *nest[PLAN_VARIANTS];
    Priced *priced[PLAN_VARIANTS];
    const Machine *m; // of these
} Source;

// Today's shape at the sizes of a cell.
typedef struct Row {
    bool fits;    // its condition holds
    double by[2]; // seconds: the model's, the shape's own estimate
    const NestCost *cost;
    double measured; // <= 0: it was not
} Row;
enum { BY_MODEL, BY_ESTIMATE };

// Bars of the model: the greatest regret, the median error.
static const double MOST_REGRET = 6, MEDIAN_ERROR = 0.055; // times the mean's

typedef struct Regret {
    int cells, right; // with several times; those where the fastest is chosen
    double sum, most;
    int alone, again; // with one time; those where its shape is chosen
} Regret;

typedef VEC(double) Times;
typedef struct Pricing {
    Bench *b;
    KeptTries kept;
    VEC(Source *) sources;
    int tries, found; // kept tries with a time; those of shapes that there still are
    Regret regret[2];
    VEC(double) error;
    Times first, again; // seconds that pricing a nest took, at its first size and at others
} Pricing;

static Source *source_of(Pricing *p, const char *name) {
    const char *why = "", *text;
    for (int i = 0; i < p->sources.n; i++)
        if (str_eq(p->sources.at[i]->name, name)) return p->sources.at[i];
    Source *s = NEW_AS(p->b->a, Source, (Source){.name = name, .c = compile_new()});
    arena_own(p->b->a, s->c, (void (*)(void *))compile_free);
    s->c->reassociate = true; // as `sculpt bench sgemm` permits it
    text = p->b->region(p->b, name, &why);
    const IrFile *f = text ? ir_parse(s->c, name, text) : NULL;
    s->region = f ? f->region : NULL;
    if (f)
        s->dep = dep_analyze(s->c, s->region),
        s->n = plan_shapes(s->c, s->region, s->dep, &(PlanCall){.target = "gpu"}, s->nest, PLAN_VARIANTS);
    if (!f) fprintf(stderr, "bench: %s: %s\n", name, why), p->b->failed++;
    vec_push(p->b->a, &p->sources, s);
    return s;
}

// The region's parameters at a size, and the nest's facts on the machine. How many; -1: one has no value.
static int values(const Source *s, const Nest *n, const char *size, const Machine *m, InterpVal **out) {
    SettingVec set = {0};
    const char *why = NULL;
    Arena *a = s->c->arena;
    Case k = {.a = a, .region = s->region, .dep = s->dep};
    if (!bench_size(a, size, &set) ||
        !case_values(&k, &(CaseOptions){.nsettings = set.n, .settings = set.at}, a, &why))
        return -1;
    *out = NEW_N(a, InterpVal, k.nvals + n->nfacts + 1);
    for (int i = 0; i < k.nvals; i++) (*out)[i] = k.vals[i];
    for (int i = 0; i < n->nfacts; i++)
        (*out)[k.nvals + i] = (InterpVal){.sym = n->facts[i].sym, .i = model_fact(m, n->facts[i].kind)};
    return k.nvals + n->nfacts;
}

// kept: what was counted of the nest at other sizes.
static Row price(Pricing *p, Source *s, const Nest *n, Priced **kept, const char *size, const Machine *m) {
    InterpVal *v;
    int64_t fits;
    Row r = {0};
    int count = values(s, n, size, m, &v);
    r.fits = count >= 0 && (!n->when || (ir_eval(n->when, count, v, &fits) && fits));
    if (!r.fits) return r;
    bool first = !*kept;
    if (first) *kept = model_priced(s->c->arena, n, m);
    double from = time_used();
    Price by = model_price(*kept, n->region->nparams, v);
    vec_push(p->b->a, first ? &p->first : &p->again, time_used() - from);
    r.cost = by.cost;
    r.by[BY_MODEL] = by.seconds;
    if (n->cost && ir_eval_float(n->cost, count, v, &r.by[BY_ESTIMATE])) r.by[BY_ESTIMATE] *= 1e-6;
    return r;
}

static bool launches_the_same(const NestCost *c, const KeptTry *t) {
    enum { ROUNDED = 16 }; // bytes of shared memory, for each variable
    bool same = c->nkernels == t->kernels.n;
    for (int i = 0; same && i < c->nkernels; i++) {
        const KernelCost *k = c->kernels[i];
        const KeptKernel *o = &t->kernels.at[i];
        same = k->threads == o->threads && llabs(k->shared - o->shared) <= 4 * ROUNDED;
        for (int d = 0; d < 3; d++) same = same && k->grid[d] == o->grid[d];
    }
    return same;
}

static void count_regret(Regret *r, int n, const Row *x, int by) {
    int first = -1, chosen = -1, best = -1, timed = 0;
    for (int i = 0; i < n; i++) {
        if (x[i].fits && (first < 0 || x[i].by[by] < x[first].by[by])) first = i;
        if (x[i].measured <= 0) continue;
        timed++;
        if (chosen < 0 || x[i].by[by] < x[chosen].by[by]) chosen = i;
        if (best < 0 || x[i].measured < x[best].measured) best = i;
    }
    if (!timed) return;
    if (timed == 1) return (void)(r->alone++, r->again += first == chosen);
    double lost = x[chosen].measured / x[best].measured - 1;
    r->cells++, r->right += chosen == best, r->sum += lost, r->most = fmax(r->most, lost);
}

static void put_cell(Pricing *p, const KeptTry *of, int n, const Row *x) {
    for (int i = 0; i < n; i++) {
        if (x[i].measured <= 0) continue;
        const double *by = x[i].by, took = x[i].measured;
        vec_push(p->b->a, &p->error, fabs(by[BY_MODEL] / took - 1));
        printf("%-16s %-14s %02d %12.2f %12.2f %6.2f %12.2f %6.2f\n", of->source, of->size, i + 1, 1e6 * took,
               1e6 * by[BY_MODEL], by[BY_MODEL] / took, 1e6 * by[BY_ESTIMATE], by[BY_ESTIMATE] / took);
    }
    for (int by = 0; by < 2; by++) count_regret(&p->regret[by], n, x, by);
}

static bool same_cell(const KeptTry *x, const KeptTry *y) {
    return str_eq(x->source, y->source) && str_eq(x->size, y->size);
}

static bool is_first(const KeptTries *k, int i) {
    for (int j = 0; j < i; j++)
        if (same_cell(&k->at[j], &k->at[i])) return false;
    return true;
}

// Shapes that launch the same stand in the order in which they were tried. False: none launches so.
static bool find(const KeptTry *t, int n, Row *x) {
    int at = -1;
    for (int i = n; i-- > 0;)
        if (x[i].fits && launches_the_same(x[i].cost, t) && (at < 0 || x[i].measured <= 0)) at = i;
    if (at >= 0 && x[at].measured <= 0) x[at].measured = t->seconds;
    return at >= 0;
}

static int find_all(Pricing *p, const KeptTry *of, int n, Row *x) {
    int found = 0;
    for (int k = 0; k < p->kept.n; k++)
        if (same_cell(&p->kept.at[k], of) && p->kept.at[k].seconds > 0) found += find(&p->kept.at[k], n, x);
    return found;
}

static int tries_of(const Pricing *p, const KeptTry *of) {
    int n = 0;
    for (int k = 0; k < p->kept.n; k++) n += same_cell(&p->kept.at[k], of) && p->kept.at[k].seconds > 0;
    return n;
}

// The shapes that are made for a call of the cell's sizes.
static int for_call(Pricing *p, Source *s, const char *size, const Machine *m, Row *x) {
    enum { MOST = 12 };
    Nest *nest[MOST];
    InterpVal *v;
    int n = values(s, s->nest[0], size, m, &v) < 0 ? 0 : s->region->nparams;
    PickCall known = {m, n, v};
    PlanCall call = {.target = "gpu",
                     .nvals = n,
                     .vals = v,
                     .processors = m->sms,
                     .machine = m,
                     .most = MOST,
                     .pick = pick_for,
                     .arg = &known};
    n = n ? plan_shapes(s->c, s->region, s->dep, &call, nest, MOST) : 0;
    for (int i = 0; i < n; i++) {
        Priced *mine = NULL;
        x[i] = price(p, s, nest[i], &mine, size, m);
    }
    return n;
}

// The shapes of any call; where tries are of others, those of this one.
static void one_cell(Pricing *p, int first) {
    const KeptTry *of = &p->kept.at[first];
    Source *s = source_of(p, of->source);
    const char *why = "";
    const Machine *m = machine_find(p->b->a, of->device, &why);
    Row x[PLAN_VARIANTS];
    if (!m) return (void)(fprintf(stderr, "bench: %s: %s\n", of->device, why), p->b->failed++);
    if (!s->n) return;
    if (s->m && !str_eq(s->m->name, m->name)) memset(s->priced, 0, sizeof s->priced);
    s->m = m;
    int n = s->n, tries = tries_of(p, of), found;
    for (int i = 0; i < n; i++) x[i] = price(p, s, s->nest[i], &s->priced[i], of->size, m);
    if ((found = find_all(p, of, n, x)) < tries) {
        Row y[PLAN_VARIANTS];
        int more = for_call(p, s, of->size, m, y), those = find_all(p, of, more, y);
        if (those > found) found = those, n = more, memcpy(x, y, sizeof *x * (size_t)n);
    }
    p->tries += tries, p->found += found;
    put_cell(p, of, n, x);
}

// ---- all ----------------------------------------------------------------------------------------------
static void put_regret(const char *name, const Regret *r) {
    if (r->cells)
        printf("%s: regret %.2f %% in the mean, %.2f %% at most; the fastest in %d of %d cells\n", name,
               100 * r->sum / r->cells, 100 * r->most, r->right, r->cells);
    if (r->alone)
        printf("%s: in %d of %d cells with one time its shape is chosen\n", name, r->again, r->alone);
}

static void put_times(const char *when, Times *t) {
    double sum = 0;
    for (int i = 0; i < t->n; i++) sum += t->at[i];
    if (t->n)
        printf("a nest's price takes %.2f ms %s, %.2f in the median\n", 1e3 * sum / t->n, when,
               1e3 * median(t->n, t->at));
}

static bool held(const char *what, double x, double bar) {
    if (x > bar) fprintf(stderr, "bench: %s is %.2f %%, above %.2f %%\n", what, 100 * x, 100 * bar);
    return x <= bar;
}

int bench_prices(Bench *b) {
    Pricing *p = NEW(b->a, Pricing);
    const Regret *r = &p->regret[BY_MODEL];
    p->b = b;
    if (!b->kept_tries) return fprintf(stderr, "bench: kept results are read by sculpt, not here\n"), 1;
    if (!b->kept_tries(b, &p->kept)) return 1;
    for (int i = 0; i < p->kept.n; i++)
        if (is_first(&p->kept, i)) one_cell(p, i);
    if (!p->found) return fprintf(stderr, "bench: no kept try is of a shape that there is\n"), 1;
    double error = median(p->error.n, p->error.at);
    put_regret("the model", r);
    put_regret("the estimates", &p->regret[BY_ESTIMATE]);
    printf("%d of %d kept tries are of shapes that there are; the model errs by %.1f %% in the median\n",
           p->found, p->tries, 100 * error);
    put_times("at its first size", &p->first);
    put_times("at another", &p->again);
    bool ok = held("the model's median error", error, MEDIAN_ERROR);
    ok &= held("the model's mean regret", r->cells ? r->sum / r->cells : 0, b->regret);
    return !(held("the model's greatest regret", r->most, MOST_REGRET * b->regret) && ok) || b->failed > 0;
}
