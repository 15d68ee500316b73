// SPDX-License-Identifier: MIT
// cost.c -- is a call worth the device? One table and a few divisions.
#include "ir/span.h"
#include "run/state.h"
#include <math.h>
#include <string.h>

// Rough and on the safe side: they only decide between two right answers.
typedef struct Rate {
    const char *kind;
    double launch;             // seconds a launch
    double link, link_latency; // bytes a second between host and device; seconds a transfer
    double flops, bytes;       // a second and a multiprocessor or core
    double step;               // seconds a statement of a thread that runs alone
} Rate;

static const Rate rates[] = {
    {"cuda", 8e-6, 1e10, 2e-5, 2e10, 1e10, 1e-8},
    {"opencl", 3e-5, 5e9, 3e-5, 2e9, 3e9, 1e-8},
    {"cpu", 1e-5, 0, 0, 3e9, 8e9, 1e-9},
};
// Of the original loops, a second: operations on real numbers, of any kind, bytes.
static const double HOST_FLOPS = 2e9, HOST_OPERATIONS = 8e9, HOST_BYTES = 8e9;
static const double TINY = LITTLE_WORK / HOST_FLOPS;    // seconds; no device starts faster
// of index arrays, to see that no value is there twice
static const double LOOK_BYTES = 1e9;

static const Rate *rate_of(const char *kind) {
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (str_eq(rates[i].kind, kind)) return &rates[i];
    return &rates[1];
}

static double seconds(double flops, double bytes, double flop_rate, double byte_rate) {
    double f = flops > 0 ? flops / flop_rate : 0, b = bytes > 0 ? bytes / byte_rate : 0;
    return f > b ? f : b;
}

static double host_seconds(double flops, double operations, double bytes) {
    return fmax(seconds(flops, bytes, HOST_FLOPS, HOST_BYTES), operations / HOST_OPERATIONS);
}

// ---- launches, and what threads do one after another -------------------------------------------
static Work work(const Node *n, SpanEnv *e);

static Work most_of(Work x, Work y) {
    return (Work){x.launches > y.launches ? x.launches : y.launches, x.steps > y.steps ? x.steps : y.steps};
}

// The iterations of a thread or of the host, counted where loops around are halfway through; what can't be
// counted, or ends by its data, is one. Iterations of different threads run at once.
static Work loop_work(const Node *n, SpanEnv *e) {
    int64_t lo, hi;
    bool known = span_value(n->lo, e, &lo) && span_value(n->hi, e, &hi) && !loop_is_unbounded(n);
    double step = (double)(n->step > 0 ? n->step : -n->step), trips = 1;
    if (known) {
        trips = ceil((n->step > 0 ? (double)hi - (double)lo : (double)lo - (double)hi) / step);
        int64_t middle = lo / 2 + hi / 2;
        if (trips <= 0 || !span_push(e, n->iter, (Span){middle, middle})) return (Work){0};
    }
    Work w = work(n->body, e);
    e->n -= known;
    if (n->how != HOW_SERIAL && n->how != HOW_UNROLL) return w;
    return (Work){w.launches * trips, w.steps * trips};
}

static Work work(const Node *n, SpanEnv *e) {
    Work sum = {0}, one;
    if (!n) return sum;
    switch (n->kind) {
    case N_KERNEL: return (Work){1, work(n->body, e).steps};
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) {
            one = work(n->kids[i], e);
            sum = (Work){sum.launches + one.launches, sum.steps + one.steps};
        }
        return sum;
    case N_IF:
        if (expr_asks_nan(n->cond)) return work(n->other, e);
        return most_of(work(n->then, e), work(n->other, e));
    case N_FOR: return loop_work(n, e);
    case N_STMT:
    case N_COPY: return (Work){0, 1};
    default: return sum;
    }
}

Work cost_work(Call *c) {
    SpanEnv e = {.nvals = c->nvals, .vals = c->vals};
    if (!c->weighed) c->work = work(c->v->nest->root, &e);
    c->weighed = true;
    return c->work;
}

// Whoever asks for a device asks for his loops' data to be moved, not for a thousand times as much, which the
// host may not even have. Where nothing moves pages are made when it is asked whether they may be written.
bool cost_is_sparse(const Run *r, const Call *c) {
    enum { MUCH = 64 << 20, TIMES = 1000 };
    double moved = 0;
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Foot *f = &c->v->nest->feet[i];
        const Box *b = &c->boxes[i];
        if (!f->sparse || (r->info->host_memory && !(f->out && b->loose))) continue;
        moved += r->memory ? memory_missing(r->memory, b) : (double)box_bytes(b);
    }
    return c->bytes >= 0 && moved > MUCH && moved > TIMES * c->bytes;
}

// Seconds to bring home what is newer on the device, which loops on the host would need first, and to send
// what they write there again.
static double homeward(const Run *r, const Call *c) {
    const Rate *k = rate_of(r->device->ops->kind);
    double sum = 0;
    if (!r->memory || r->info->host_memory || k->link <= 0) return 0;
    for (int i = 0; i < c->v->nest->nfeet; i++)
        if (memory_is_dirty(r->memory, &c->boxes[i])) {
            int ways = c->v->nest->feet[i].out ? 2 : 1;
            sum += ways * (k->link_latency + (double)box_bytes(&c->boxes[i]) / k->link);
        }
    return sum;
}

// By how many seconds the device is quicker, for data that lie where they are now.
static double gain_of(const Run *r, Call *c, const Thread *t, bool scoped) {
    Work done = cost_work(c);
    const Rate *k = rate_of(r->device->ops->kind);
    double touched = 0, moved = 0, packed = 0, transfers = 0, cores = r->info->sms > 0 ? r->info->sms : 1;
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Foot *f = &c->v->nest->feet[i];
        double all = (double)box_bytes(&c->boxes[i]);
        touched += all;
        bool comes_and_goes = tables_have(t, &c->boxes[i]);
        if (comes_and_goes) packed += (f->in || !f->exact ? all : 0) + (f->out ? all : 0);
        if (r->info->host_memory) continue;
        double in = f->in || (f->out && !f->exact) ? memory_missing(r->memory, &c->boxes[i]) : 0;
        double out = f->out && (!scoped || comes_and_goes) ? all : 0;
        moved += in + out;
        transfers += (in > 0) + (out > 0);
    }
    double looked = 0; // bytes of index arrays, value by value
    for (int i = 0; i < c->v->nest->nfeet; i++)
        for (int k = 0; k < c->v->nest->npromised; k++)
            if (c->v->nest->feet[i].array == c->v->nest->promised[k].array)
                looked += (double)box_bytes(&c->boxes[i]);
    if (scoped) looked *= 0.1; // the answer serves later calls, too
    double bytes = c->bytes < 0 && c->flops < 0 ? 8 * touched : c->bytes;
    double host = host_seconds(c->flops, c->operations, bytes);
    double device = seconds(c->operations, bytes, k->flops * cores, k->bytes * cores);
    device += done.launches * k->launch + done.steps * k->step + transfers * k->link_latency;
    device += looked / LOOK_BYTES + packed / HOST_BYTES;
    if (k->link > 0) device += moved / k->link;
    // Inside a data scope what moves now serves later calls too.
    if (scoped && moved > packed) device -= 0.9 * (moved - packed) / k->link;
    return host - device;
}

bool cost_decide(Run *r, Call *c, const Thread *t) {
    if (r->set.offload == OFFLOAD_ALWAYS || r->set.check) return true;
    bool scoped = t->depth > 0 || (r->memory && r->memory->holds);
    uint64_t epoch = r->memory ? r->memory->epoch : 0;
    bool same = c->decided && c->scoped == scoped && (!scoped || c->epoch == epoch);
    if (!same) c->gain = gain_of(r, c, t, scoped);
    c->decided = true;
    c->scoped = scoped;
    c->epoch = epoch;
    return c->gain + (scoped ? homeward(r, c) : 0) > 0;
}

// Before any device is opened: a call so short that none would pay. Only counted work tells.
bool cost_is_tiny(const Unit *u, const sculpt_arg *args) {
    const Region *r = u->region;
    const Nest *n = u->ir->nnests ? u->ir->nests[0] : NULL;
    if (!n || !n->flops || !n->bytes || r->nparams > 64) return false;
    InterpVal vals[64];
    for (int i = 0; i < r->nparams; i++) {
        const sculpt_arg *a = &args[u->nobjects + i];
        vals[i] = (InterpVal){.sym = r->params[i]};
        if (type_is_float(r->params[i]->type)) vals[i].f = a->f;
        else vals[i].i = a->i;
    }
    double flops, bytes, operations = 0;
    if (!ir_eval_float(n->flops, r->nparams, vals, &flops)) return false;
    if (!ir_eval_float(n->bytes, r->nparams, vals, &bytes)) return false;
    if (n->work && !ir_eval_float(n->work, r->nparams, vals, &operations)) return false;
    return host_seconds(flops, operations, bytes) < TINY;
}
