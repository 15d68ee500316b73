// SPDX-License-Identifier: MIT
// pick.c -- which nest of a chain runs: of those that the device can run and whose conditions hold the
// cheapest that knows its cost, else the first.
#include "run/pick.h"
#include "emit/emit.h"
#include "ir/span.h"
#include <math.h>

// Nests in phases are made for threads that run together: where none do (OpenCL on a CPU) another one is
// quicker.
bool pick_has_room(Arena *a, const PickDevice *d, const Nest *n) {
    int64_t shared = 0, threads = 0; // what the largest block of a nest asks for
    bool phases = false;
    if (!str_eq(n->target, d->target)) return false;
    node_each(k, n->root) {
        KernelGrid g;
        if (k->kind != N_KERNEL) continue;
        ir_kernel_grid(k, &g);
        int64_t own = emit_shared(a, k);
        shared = own > shared ? own : shared;
        threads = g.phases && g.threads > threads ? g.threads : threads;
        phases |= g.phases;
    }
    bool together = !phases || d->warp > 1;
    return together && shared <= d->shared && (d->threads <= 0 || threads <= d->threads);
}

bool pick_suits(Arena *a, const PickDevice *d, int n, Nest *const *chain, int at) {
    bool last = true;
    if (!str_eq(chain[at]->target, d->target)) return false;
    for (int i = at + 1; i < n; i++) last = last && !str_eq(chain[i]->target, d->target);
    return last || pick_has_room(a, d, chain[at]); // what the last lacks is told where it is built
}

bool pick_holds(const Nest *n, bool hopeful, int nvals, const InterpVal *vals) {
    SpanEnv e = {.nvals = nvals, .vals = vals};
    int64_t v;
    return !n->when || (span_value(n->when, &e, &v) ? v != 0 : hopeful);
}

bool pick_offer(Pick *p, int at, const double *cost) {
    if (!cost) {
        if (p->at < 0) p->at = at, p->cost = 0;
        return true;
    }
    // A cost that is no number promises nothing.
    bool known = isfinite(*cost) && *cost >= 0, last = !known && p->hopeful && p->at < 0;
    if (last || (known && (p->at < 0 || *cost < p->cost))) p->at = at, p->cost = known ? *cost : INFINITY;
    return false;
}

bool pick_look(Pick *p, int at, const Nest *n, int nvals, const InterpVal *vals) {
    double cost = NAN;
    if (!pick_holds(n, p->hopeful, nvals, vals)) return false;
    if (n->cost && !ir_eval_float(n->cost, nvals, vals, &cost)) cost = NAN;
    return pick_offer(p, at, n->cost ? &cost : NULL);
}

// ---- on a machine ---------------------------------------------------------------------------------
PickDevice pick_machine(const Machine *m) {
    return (PickDevice){m->kind, m->warp, machine_shared(m), m->max_threads};
}

InterpVal *pick_values(Arena *a, const PickCall *k, const Nest *nest, int *n) {
    InterpVal *v = NEW_N(a, InterpVal, k->nvals + nest->nfacts + 1);
    for (*n = 0; *n < k->nvals; ++*n) v[*n] = k->vals[*n];
    for (int f = 0; f < nest->nfacts; f++)
        v[(*n)++] = (InterpVal){.sym = nest->facts[f].sym, .i = model_fact(k->m, nest->facts[f].kind)};
    return v;
}

int pick_for(Compile *c, int n, Nest *const *chain, const void *arg) {
    const PickCall *k = arg;
    PickDevice device = pick_machine(k->m);
    Pick p = {.at = -1, .hopeful = true};
    for (int i = 0, count; i < n; i++) {
        if (!pick_suits(c->arena, &device, n, chain, i)) continue;
        const InterpVal *v = pick_values(c->arena, k, chain[i], &count);
        if (pick_look(&p, i, chain[i], count, v)) break;
    }
    return p.at;
}
