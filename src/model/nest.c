// SPDX-License-Identifier: MIT
// nest.c -- a whole nest: which kernels it launches, how often, and what waits for what.
#include "model/model.h"

enum { HOST_LOOPS = 16 };

typedef struct Host {
    Arena *a;
    const Nest *nest;
    const Machine *m;
    int requests;               // how closely to look
    int nvals;
    InterpVal *vals;            // parameters, then counters of host loops
    int depth;                  // host loops around
    double times;               // how often what is looked at runs
    NestCost *out;
    VEC(KernelCost *) kernels;
    VEC(const char *) written;  // objects that a kernel before has written
} Host;

static const char *object_of(const Array *x) { return x->object ? x->object : x->name; }

static bool was_written(const Host *h, const char *name) {
    for (int k = 0; k < h->written.n; k++)
        if (str_eq(h->written.at[k], name)) return true;
    return false;
}

static void launch(Host *h, const Node *n) {
    KernelCost *k = model_kernel_within(h->a, h->nest, n, h->nvals, h->vals, h->m, h->requests);
    KernelSig *sig = ir_kernel_sig(h->a, n);
    bool waits = false, writes = false;
    for (int i = 0; i < sig->narrays; i++) waits = waits || was_written(h, object_of(sig->arrays[i]));
    for (int i = 0; i < sig->narrays; i++) {
        if (!sig->written[i]) continue;
        vec_push(h->a, &h->written, object_of(sig->arrays[i]));
        writes = true;
    }
    // A host loop's later iterations see what the earlier ones wrote.
    if (waits) h->out->dependent += h->times;
    else if (writes && h->times > 1) h->out->dependent += h->times - 1;
    k->launches = h->times;
    h->out->launches += h->times;
    vec_push(h->a, &h->kernels, k);
}

static bool reads_device(const Expr *x) { return x && expr_has_load(x); }

static void visit(Host *h, Node *n);

static void loop(Host *h, Node *n) {
    int64_t lo = 0, hi = 0;
    double old = h->times, trips = MODEL_TRIPS;
    if (reads_device(n->lo) || reads_device(n->hi)) h->out->read_backs += h->times;
    if (ir_eval(n->lo, h->nvals, h->vals, &lo) && ir_eval(n->hi, h->nvals, h->vals, &hi)) {
        double step = n->step > 0 ? (double)n->step : -(double)n->step;
        trips = n->step > 0 ? (double)(hi - lo) / step : (double)(lo - hi) / step;
        if (trips < 0) trips = 0;
    } else {
        h->out->assumed = true;
    }
    h->times *= trips;
    h->vals[h->nvals++] = (InterpVal){.sym = n->iter, .i = lo + (int64_t)(trips / 2) * n->step};
    h->depth++;
    if (trips > 0 && h->depth < HOST_LOOPS) visit(h, n->body);
    h->depth--;
    h->nvals--;
    h->times = old;
}

static void visit(Host *h, Node *n) {
    int64_t c = 1;
    if (!n) return;
    switch (n->kind) {
    case N_KERNEL: launch(h, n); break;
    case N_FOR: loop(h, n); break;
    case N_IF:
        if (reads_device(n->cond)) h->out->read_backs += h->times;
        if (!ir_eval(n->cond, h->nvals, h->vals, &c)) c = 1;
        visit(h, c ? n->then : n->other);
        break;
    default:
        for (int k = 0; k < n->nkids; k++) visit(h, n->kids[k]);
    }
}

static NestCost *cost_of(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m, int requests) {
    NestCost *out = NEW(a, NestCost);
    Host h = {.a = a, .nest = n, .m = m, .requests = requests, .nvals = nvals, .times = 1, .out = out};
    h.vals = NEW_N(a, InterpVal, nvals + HOST_LOOPS + 1);
    for (int k = 0; k < nvals; k++) h.vals[k] = vals[k];
    visit(&h, n->root);
    out->nkernels = h.kernels.n;
    out->kernels = h.kernels.at;
    out->times = NEW_N(a, TimeCost, h.kernels.n + 1);
    for (int k = 0; k < h.kernels.n; k++) {
        out->times[k] = model_time(h.kernels.at[k], m, 0, NULL);
        out->seconds += out->times[k].seconds * h.kernels.at[k]->launches;
        out->assumed = out->assumed || h.kernels.at[k]->assumed;
    }
    return out;
}

NestCost *model_nest(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m) {
    return cost_of(a, n, nvals, vals, m, MODEL_CLOSELY);
}

NestCost *model_nest_roughly(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m) {
    return cost_of(a, n, nvals, vals, m, MODEL_ROUGHLY);
}
