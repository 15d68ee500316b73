// SPDX-License-Identifier: MIT
// trial.c -- a built trial on the device: loaded, run once and checked, then timed in turns with
// the vendor's library.
//
//   ours, vendor, ours, vendor, …     each some launches between two marks of the device, so that
//                                     both see the same clock and the same heat
#include "tune/build.h"
#include "tune/duel.h"
#include "tune/pool.h"
#include "tune/vendor.h"
#include <math.h>
#include <string.h>

enum { WARM = 2, PAIRS_MAX = 400 };
static const double LONG = 0.5; // seconds; what takes longer is not run more often than it must
static const double ENDLESS = 3; // and what takes even longer is timed by its first run

typedef struct Go {
    Case *k;
    Trial *t;
    Launch l;
    DevPtr *ptr;
    int64_t *offset;
    int calls, looks; // see TrialOptions
} Go;

static bool fail(Trial *t, const char *what, const char *why) {
    t->why = arena_printf(t->built->c->arena, "%s%s%s", what, why && *why ? ": " : "", why ? why : "");
    return false;
}

static bool go_vendor(void *arg) {
    Go *g = arg;
    return vendor_product(g->k->lab->vendor, g->k, &g->k->product);
}

static bool go_ours(void *arg) {
    Go *g = arg;
    return g->t->kind == TRIAL_VENDOR ? go_vendor(arg) : launch_nest(&g->l);
}

// As a program calls a region many times, and looks at a result now and then.
static bool go_calls(void *arg) {
    Go *g = arg;
    Device *d = g->k->lab->d;
    uint32_t word;
    bool ok = true;
    for (int i = 0; ok && i < g->calls; i++) {
        ok = go_ours(g);
        if (ok && g->looks < 0) ok = d->ops->sync(d);
        if (ok && g->looks > 0 && (i + 1) % g->looks == 0)
            ok = d->ops->download(d, &word, g->ptr[0], 0, sizeof word);
    }
    return ok;
}

// ---- loading -------------------------------------------------------------------------------------
static bool load(Go *g) {
    Trial *t = g->t;
    Built *b = t->built;
    Device *d = g->k->lab->d;
    if (t->kind == TRIAL_VENDOR) {
        if (!g->k->lab->vendor) return fail(t, g->k->lab->no_vendor, NULL);
        return g->k->is_product || fail(t, "the region is no product that the library has", NULL);
    }
    b->loaded = arena_new();
    b->module = d->ops->load(d, b->loaded, t->image, t->image_size);
    if (!b->module) return fail(t, "loading", d->error);
    b->call->v->general[b->call->wide].module = b->module;
    if (!launch_temps(&b->run, b->call)) return fail(t, "temporaries", d->error);
    g->ptr = NEW_N(b->loaded, DevPtr, g->k->nobjects + 1);
    g->offset = NEW_N(b->loaded, int64_t, g->k->nobjects + 1);
    for (int i = 0; i < g->k->nobjects; i++) g->ptr[i] = g->k->objects[i].ptr;
    g->l = (Launch){&b->run, b->unit, b->call, b->module, g->ptr, g->offset, 0};
    return true;
}

// ---- what the kernels need -------------------------------------------------------------------------
static int64_t trips(const Node *loop, const Call *c) {
    int64_t lo = 0, hi = 0;
    if (!ir_eval(loop->lo, c->nvals, c->vals, &lo) || !ir_eval(loop->hi, c->nvals, c->vals, &hi)) return 0;
    return hi > lo ? hi - lo : 0;
}

static void describe(Go *g) {
    Trial *t = g->t;
    if (t->kind == TRIAL_VENDOR) return;
    const Built *b = t->built;
    Device *d = g->k->lab->d;
    t->nkernels = 0;
    t->kernels = NEW_N(b->c->arena, TrialKernel, b->call->v->nkernels + 1);
    for (int i = 0; i < b->call->v->nkernels; i++) {
        const Kernel *k = &b->call->v->kernels[i];
        if (!sizes_wanted(k->node, &(Wanted){b->call->v, b->binary})) continue;
        TrialKernel *out = &t->kernels[t->nkernels++];
        *out =
            (TrialKernel){.name = k->node->name, .grid = {1, 1, 1}, .block = {1, 1, 1}, .shared = k->shared};
        for (int j = 0; j < k->grid.nblock; j++) out->grid[j] = trips(k->grid.block[j], b->call);
        for (int j = 0; j < k->grid.nthread; j++) out->block[j] = trips(k->grid.thread[j], b->call);
        if (k->grid.phases) out->block[0] = k->grid.threads;
        int threads = (int)(out->block[0] * out->block[1] * out->block[2]);
        if (d->ops->usage) d->ops->usage(d, b->module, out->name, threads, k->at_launch, &out->usage);
    }
}

// ---- checking ----------------------------------------------------------------------------------------
static bool check(Go *g) {
    Case *k = g->k;
    Trial *t = g->t;
    Device *d = k->lab->d;
    if (!case_reset(k)) return fail(t, "sending the data", d->error);
    double start = time_now();
    if (!go_ours(g) || !d->ops->sync(d)) return fail(t, "running", d->error);
    if (time_now() - start > LONG) t->first_s = time_now() - start; // no other first run is needed
    if (!case_fetch(k, false)) return fail(t, "bringing the results", d->error);
    if (k->nsamples) t->error = case_error(k, false);
    if (k->vendor_error >= 0) t->difference = case_difference(k);
    t->right =
        (k->nsamples > 0 || t->difference >= 0) && t->error <= k->bound && t->difference <= 2 * k->bound;
    if (t->right) return true;
    if (!k->nsamples && t->difference < 0) return fail(t, "unchecked", k->unsampled);
    t->why = arena_printf(t->built->c->arena,
                          "wrong results: error %.3g, from the library's %.3g, where %.3g is the bound",
                          t->error, t->difference, k->bound);
    return false;
}

// ---- timing -------------------------------------------------------------------------------------------
static bool time_pairs(Go *g, const TrialOptions *o) {
    Trial *t = g->t;
    Lab *l = g->k->lab;
    bool both = g->k->vendor_error >= 0 && t->kind != TRIAL_VENDOR;
    for (int i = 0; i < WARM && t->first_s < LONG; i++)
        if ((t->first_s = lab_time(l, 1, go_calls, g)) < 0) return fail(t, "running", l->d->error);
    if (o->best_s > 0 && t->first_s > o->best_s / o->keep) {
        t->skipped = true;
        return true;
    }
    // Short kernels are launched often enough between two marks that these don't count.
    int repeat = t->first_s > 1e-3 ? 1 : t->first_s < 1e-5 ? 100 : (int)(1e-3 / t->first_s);
    if (both && lab_time(l, WARM, go_vendor, g) < 0) return fail(t, "the library", l->d->error);
    double ours[PAIRS_MAX], theirs[PAIRS_MAX], ratio[PAIRS_MAX], start = time_now();
    int n = 0;
    if (t->first_s > ENDLESS) {
        ours[n] = t->first_s;
        theirs[n] = both ? lab_time(l, 1, go_vendor, g) : 0;
        if (theirs[n] < 0) return fail(t, "the library", l->d->error);
        ratio[n] = theirs[n] / ours[n];
        n++;
    }
    while (n < PAIRS_MAX && n < o->pairs && t->first_s <= ENDLESS) {
        if (o->budget_s > 0 && (n >= 3 || t->first_s > LONG) && n > 0 && time_now() - start > o->budget_s)
            break;
        ours[n] = lab_time(l, repeat, go_calls, g);
        theirs[n] = both ? lab_time(l, repeat, go_vendor, g) : 0;
        if (ours[n] < 0 || theirs[n] < 0) return fail(t, "running", l->d->error);
        ratio[n] = ours[n] > 0 ? theirs[n] / ours[n] : 0;
        n++;
    }
    t->pairs = n;
    t->median_s = median(n, ours);
    t->vendor_s = both ? median(n, theirs) : 0;
    t->ratio = both ? median(n, ratio) : 0;
    return true;
}

bool trial_run(Case *k, Trial *t, const TrialOptions *o) {
    Go g = {.k = k, .t = t, .calls = o->calls > 0 ? o->calls : 1, .looks = o->looks};
    if (t->why || !t->built) return false;
    if (!load(&g)) return false;
    describe(&g);
    bool right = check(&g);
    if (!right && o->unchecked && k->unsampled) t->why = NULL, right = true;
    if (!right || !time_pairs(&g, o)) return false;
    if (o->host_to_host && !t->skipped && t->first_s <= ENDLESS) {
        if (k->lab->info->host_memory) t->host_s = t->median_s; // nothing travels
        else if (!host_time(k, t, t->kind == TRIAL_VENDOR ? NULL : &g.l, g.ptr, o->host))
            return fail(t, "host to host", k->lab->d->error);
    }
    return true;
}

// ---- two ways side by side ------------------------------------------------------------------------------
struct Standard {
    Go go;
    char **left;           // [nobjects]: what it wrote; NULL: nothing
    double *apart;         // [narrays]: how far floating-point elements may lie from those
};

static void keep_results(Standard *s) {
    const Case *k = s->go.k;
    for (int i = 0; i < k->nobjects; i++) {
        const Object *o = &k->objects[i];
        if (!o->out) continue;
        s->left[i] = arena_alloc(s->go.t->built->loaded, o->bytes);
        memcpy(s->left[i], o->result, o->bytes);
    }
}

static const char *compare_array(Arena *a, const Standard *s, int x, int object) {
    const Case *k = s->go.k;
    const Object *o = &k->objects[object];
    const Array *y = k->region->arrays[x];
    int64_t bytes = (int64_t)o->bytes - y->offset - type_size(y->elem);
    if (!s->left[object] || y->stride <= 0 || bytes < 0 || !str_eq(y->object, o->name)) return NULL;
    Elements e = {y->elem, bytes / y->stride + 1, y->stride};
    int64_t at = elements_differ(k->lab->threads, &e, s->left[object] + y->offset, o->result + y->offset,
                                 s->apart[x]);
    return at < 0 ? NULL
                  : arena_printf(a, "wrong results: %s differs at byte %lld", y->name,
                                 (long long)(y->offset + at * y->stride));
}

static const char *compare(Arena *a, const Standard *s) {
    const char *why = NULL;
    for (int i = 0; i < s->go.k->nobjects; i++)
        for (int x = 0; x < s->go.k->region->narrays && !why; x++) why = compare_array(a, s, x, i);
    return why;
}

static bool run_anew(Go *g) {
    Device *d = g->k->lab->d;
    return case_reset(g->k) && go_ours(g) && d->ops->sync(d) && case_fetch(g->k, false);
}

static bool agrees(Go *g, const Standard *s) {
    Trial *t = g->t;
    for (int round = 0; round < 2; round++) { // threads that race may be lucky once
        if (!run_anew(g)) return fail(t, "running", g->k->lab->d->error);
        const char *why = compare(t->built->c->arena, s);
        if (!why && g->k->nsamples && !(case_error(g->k, false) <= g->k->bound))
            why = "wrong results: samples differ";
        if (why) return t->why = why, false;
    }
    return t->right = true;
}

static bool time_both(Go *base, Go *mine, const TrialOptions *o, Duel *out) {
    Lab *l = mine->k->lab;
    if (!duel_time(l, &(Timed){go_ours, base}, &(Timed){go_ours, mine}, o, out))
        return fail(mine->t, "running", l->d->error);
    mine->t->first_s = out->first, mine->t->skipped = out->slow;
    return true;
}

Standard *trial_standard(Case *k, Trial *t) {
    Go g = {.k = k, .t = t, .calls = 1};
    if (t->why || !t->built || !load(&g)) return NULL;
    Standard *s = NEW(t->built->loaded, Standard);
    *s = (Standard){g, NEW_N(t->built->loaded, char *, k->nobjects + 1),
                    NEW_N(t->built->loaded, double, k->region->narrays + 1)};
    if (!run_anew(&g)) return fail(t, "running", k->lab->d->error), NULL;
    if (k->nsamples && !(case_error(k, false) <= k->bound)) return fail(t, "wrong results", NULL), NULL;
    keep_results(s);
    for (int i = 0; i < k->nobjects; i++)
        for (int x = 0; x < k->region->narrays && s->left[i]; x++) {
            const Array *y = k->region->arrays[x];
            int64_t bytes = (int64_t)k->objects[i].bytes - y->offset - type_size(y->elem);
            if (!str_eq(y->object, k->objects[i].name) || y->stride <= 0 || bytes < 0) continue;
            Elements e = {y->elem, bytes / y->stride + 1, y->stride};
            double terms = k->flops > (double)e.n ? k->flops / (double)e.n : 1;
            s->apart[x] = elements_apart(&e, s->left[i] + y->offset, terms);
        }
    return s;
}

void trial_duel(Standard *s, Trial *t, const TrialOptions *o, Duel *out) {
    Go g = {.k = s->go.k, .t = t, .calls = 1};
    *out = (Duel){0};
    if (!t->why && t->built && load(&g) && agrees(&g, s)) time_both(&s->go, &g, o, out);
}
