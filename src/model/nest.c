// SPDX-License-Identifier: MIT
// nest.c -- a whole nest: which kernels it launches, how often, and what waits for what.
//
//   for k = 0 .. n            kernels whose work depends on k are looked at for a few of its values:
//       kernel update         0 .... a ......... middle ......... n-1-a .... n-1
//
// Loops of many iterations have those of a Gauss-Legendre rule with three points, which sums what goes with
// up to the fifth power of the counter (a triangle's rows, its area times its depth) as all of them would;
// the outer two lie evenly about the middle one. The kernel's own figures are those of the middle launch.
#include "model/nest.h"
#include <math.h>

enum { HOST_LOOPS = 16 };

// Rates a microsecond, as run-time facts have them; arrays begin at multiples of 16, data are there.
int64_t model_fact(const Machine *m, FactKind k) {
    double x = k == FACT_PROCESSORS ? (double)m->sms
               : k == FACT_LINK     ? 1e3 * machine_link(m, true)
               : k == FACT_COPY     ? 1e3 * machine_bandwidth(m)
               : k == FACT_FMA      ? 1e3 * machine_flops(m, false)
                                    : 0;
    bool rate = k != FACT_MISALIGN && k != FACT_TRAVELS;
    return rate && x < 1 ? 1 : (int64_t)x;
}

typedef struct Host {
    Arena *a;
    const Nest *nest;
    const Machine *m;
    int requests;               // how closely to look
    KernelsKept *kept;          // of earlier values; NULL: nothing is kept
    int nvals;
    InterpVal *vals;            // parameters, then counters of host loops
    int depth;                  // host loops around
    double times;               // how often what is looked at runs
    double trips[HOST_LOOPS];   // of each of them
    int noted;                  // host loops around whose launches are replayed as a graph
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

// Do launches with different values of a host's counter touch different elements of every array that the
// kernel writes? So it is if one subscript of all accesses is the counter itself, or the same distance from
// it.
typedef struct Apart {
    Arena *a;
    const Sym *counter;
    const Array *array;
    int dims;             // bit d: subscript d is the counter in all accesses seen
    const Expr *sub[8];   // as the first access has it
} Apart;

// i, i + 3, i - 1
static bool is_shifted(const Expr *x, const Sym *i) {
    if (x->kind == E_SYM) return x->sym == i;
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB);
    return sum && x->args[0]->kind == E_SYM && x->args[0]->sym == i && x->args[1]->kind == E_INT;
}

static void look_apart(Apart *p, const Node *n) {
    AccessVec v = node_accesses(p->a, n);
    for (int i = 0; i < v.n; i++) {
        if (!str_eq(object_of(v.at[i].array), object_of(p->array))) continue;
        if (v.at[i].array->rank != p->array->rank) p->dims = 0;
        for (int d = 0; d < p->array->rank && d < 8 && p->dims; d++) {
            const Expr *x = v.at[i].sub[d];
            if (!p->sub[d]) p->sub[d] = x;
            if (!expr_equal(x, p->sub[d]) || !is_shifted(x, p->counter)) p->dims &= ~(1 << d);
        }
    }
}

// How many of the launches in the host's loops around need nothing of each other.
static double times_apart(const Host *h, const Node *kernel, const KernelSig *sig) {
    double times = 1;
    for (int l = 0; l < h->depth; l++) {
        bool apart = true;
        for (int i = 0; i < sig->narrays && apart; i++) {
            if (!sig->written[i]) continue;
            Apart p = {.a = h->a,
                       .counter = h->vals[h->nvals - h->depth + l].sym,
                       .array = sig->arrays[i],
                       .dims = 255};
            if (sig->arrays[i]->rank < 8) p.dims = (1 << sig->arrays[i]->rank) - 1;
            node_each(n, kernel) look_apart(&p, n);
            apart = p.dims != 0;
        }
        if (apart) times *= h->trips[l];
    }
    return times;
}

static Program **kept_of(Host *h, const Node *n) {
    KernelsKept *k = h->kept;
    if (!k) return NULL;
    for (int i = 0; i < k->n; i++)
        if (k->at[i].kernel == n) return &k->at[i].program;
    vec_push(h->a, k, ((KernelKept){.kernel = n}));
    return &k->at[k->n - 1].program;
}

static KernelCost *cost_of(Host *h, const Node *n, int requests) {
    return kernel_cost(h->a, h->nest, n, h->nvals, h->vals, h->m, requests, kept_of(h, n));
}

// The kernel's figures of another launch are added to those of its first, which is the middle one.
static bool add_launches(Host *h, const Node *n) {
    KernelCost *first = NULL;
    for (int i = 0; i < h->kernels.n; i++)
        if (h->kernels.at[i]->kernel == n) first = h->kernels.at[i];
    if (!first) return false;
    KernelCost *k = cost_of(h, n, h->requests / 4);
    k->launches = h->times;
    k->next = first->next;
    first->next = k;
    return true;
}

static void launch(Host *h, const Node *n) {
    h->out->launches += h->times;
    if (add_launches(h, n)) return (void)(h->out->dependent += h->times);
    KernelCost *k = cost_of(h, n, h->requests);
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
    else if (writes && h->times > 1) h->out->dependent += fmax(0, h->times - times_apart(h, n, sig));
    k->launches = h->times;
    k->noted = h->noted > 0 && h->times > 2;
    if (k->noted) h->out->noted += h->times;
    vec_push(h->a, &h->kernels, k);
}

static bool reads_device(const Expr *x) { return x && expr_has_load(x); }

static void visit(Host *h, Node *n);

// Iterations 0 to n - 1 of a loop that stand for all of them, the middle one first; how many they are.
static int representatives(int64_t n, int64_t at[4], double weight[4]) {
    enum { FEW = 3 };
    int64_t outer = (int64_t)(0.1127017 * (double)(n - 1) + 0.5), low = (n - 1) / 2;
    at[0] = low + (n - 1) % 2, at[1] = low, at[2] = outer, at[3] = n - 1 - outer;
    weight[0] = weight[1] = 4.0 / 18 * (double)n, weight[2] = weight[3] = 5.0 / 18 * (double)n;
    if (n > FEW) return 4;
    for (int64_t k = 0; k < n; k++) at[k] = (n / 2 + k) % n, weight[k] = 1;
    return (int)n;
}

static void iterate(Host *h, Node *n, int64_t at, double times) {
    double old = h->times;
    if (times <= 0 || h->depth >= HOST_LOOPS) return;
    h->times *= times;
    h->vals[h->nvals++] = (InterpVal){.sym = n->iter, .i = at};
    h->depth++;
    h->noted += n->graph;
    visit(h, n->body);
    h->noted -= n->graph;
    h->depth--;
    h->nvals--;
    h->times = old;
}

static void loop(Host *h, Node *n) {
    int64_t lo = 0, hi = 0, at[4], trips = MODEL_TRIPS, step = n->step > 0 ? n->step : -n->step;
    double weight[4];
    if (reads_device(n->lo) || reads_device(n->hi)) h->out->read_backs += h->times;
    if (ir_eval(n->lo, h->nvals, h->vals, &lo) && ir_eval(n->hi, h->nvals, h->vals, &hi))
        trips = ((n->step > 0 ? hi - lo : lo - hi) + step - 1) / step;
    else h->out->assumed = true, h->out->guessed = n;
    if (trips <= 0) return;
    if (h->depth < HOST_LOOPS) h->trips[h->depth] = (double)trips;
    if (!tree_asks(n->body, n->iter)) return iterate(h, n, lo + trips / 2 * n->step, (double)trips);
    int some = representatives(trips, at, weight);
    for (int k = 0; k < some; k++) iterate(h, n, lo + at[k] * n->step, weight[k]);
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

NestCost *nest_cost(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m, int requests,
                    KernelsKept *kept) {
    NestCost *out = NEW(a, NestCost);
    Host h = {.a = a,
              .nest = n,
              .m = m,
              .requests = requests,
              .kept = kept,
              .nvals = nvals,
              .times = 1,
              .out = out};
    h.vals = NEW_N(a, InterpVal, nvals + n->nfacts + HOST_LOOPS + 1);
    for (int k = 0; k < nvals; k++) h.vals[k] = vals[k];
    for (int k = 0; k < n->nfacts; k++)
        h.vals[h.nvals++] = (InterpVal){.sym = n->facts[k].sym, .i = model_fact(m, n->facts[k].kind)};
    visit(&h, n->root);
    out->nkernels = h.kernels.n;
    out->kernels = h.kernels.at;
    out->times = NEW_N(a, TimeCost, h.kernels.n + 1);
    bool chain = out->launches <= MODEL_CHAIN && !out->read_backs;
    for (int k = 0; k < h.kernels.n; k++) {
        h.kernels.at[k]->chained = chain && k > 0;
        out->times[k] = model_time(h.kernels.at[k], m, 0, NULL);
        out->seconds += out->times[k].all;
        out->assumed = out->assumed || h.kernels.at[k]->assumed;
    }
    out->seconds += out->read_backs * model_wait(m);
    return out;
}

static NestCost *model_nest_within(Arena *a, const Nest *n, int nvals, const InterpVal *vals,
                                   const Machine *m, int requests) {
    return nest_cost(a, n, nvals, vals, m, requests, NULL);
}

NestCost *model_nest(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m) {
    return model_nest_within(a, n, nvals, vals, m, MODEL_CLOSELY);
}

NestCost *model_nest_roughly(Arena *a, const Nest *n, int nvals, const InterpVal *vals, const Machine *m) {
    return model_nest_within(a, n, nvals, vals, m, MODEL_ROUGHLY);
}

// A launch that is waited for is not hidden behind the one before it.
double model_wait(const Machine *m) {
    double whole = m->read_back > 0 ? m->read_back : m->launch_wait;
    return 1e-6 * (whole > m->launch ? whole - m->launch : m->launch);
}

void model_calls(NestCost *n, double calls, double looks, const Machine *m) {
    for (int k = 0; k < n->nkernels; k++)
        for (KernelCost *x = n->kernels[k]; x; x = x->next) x->launches *= calls;
    n->dependent = n->dependent * calls + (calls > 1 && n->nkernels ? calls - 1 : 0);
    n->launches *= calls;
    n->noted *= calls;
    n->read_backs = n->read_backs * calls + (looks > 0 ? calls / looks : 0);
    n->seconds = n->read_backs * model_wait(m);
    for (int k = 0; k < n->nkernels; k++) {
        n->times[k] = model_time(n->kernels[k], m, n->times[k].registers, NULL);
        n->seconds += n->times[k].all;
    }
}
