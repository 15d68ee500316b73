// SPDX-License-Identifier: MIT
// price.c -- what a nest costs beside others that do the same.
//
// A kernel of which nothing can be said has no price, and neither has one whose blocks don't fit the machine:
// such a nest is never the cheapest. One that has nothing to do costs nothing.
#include "model/nest.h"
#include <math.h>

struct Priced {
    Arena *a;
    const Nest *nest;
    const Machine *m;
    KernelsKept kept;
};

Priced *model_priced(Arena *a, const Nest *n, const Machine *m) {
    Priced *p = NEW_AS(a, Priced, (Priced){.a = a, .nest = n, .m = m});
    return p;
}

// Why the kernel can't have a price; NULL: it has one.
static const char *lacks(const KernelCost *k, const TimeCost *t) {
    if (k->refused) return k->blocks ? k->refused : NULL;
    return t->occupancy.blocks ? NULL
           : t->occupancy.why  ? t->occupancy.why
                               : "no block fits a multiprocessor";
}

Price model_price(Priced *p, int nvals, const InterpVal *vals) {
    NestCost *cost = nest_cost(p->a, p->nest, nvals, vals, p->m, MODEL_CLOSELY, &p->kept);
    Price out = {.cost = cost, .seconds = cost->seconds, .assumed = cost->assumed};
    double most = 0;
    for (int k = 0; k < cost->nkernels && !out.why; k++) {
        out.why = lacks(cost->kernels[k], &cost->times[k]);
        if (cost->times[k].all > most)
            most = cost->times[k].all, out.most = cost->kernels[k], out.bound = cost->times[k].limit;
    }
    if (out.why) out.seconds = INFINITY;
    return out;
}
