// SPDX-License-Identifier: MIT
// called.h -- the nests that the planner makes for a call on an H200.
#ifndef SCULPT_TEST_CALLED_H
#define SCULPT_TEST_CALLED_H
#include "model/machine.h"
#include "plan/choose.h"
#include "shaped.h"

// All may run, and they come with the quickest first.
static inline int nests_first(Compile *c, int n, Nest *const *chain, const void *arg) {
    (void)c, (void)chain, (void)arg;
    return n ? 0 : -1;
}

// Those that the model takes to be quicker than the standard nest, the quickest first, in
// nest[PLAN_VARIANTS]; how many. Sizes as in set_sizes. standard: that nest; NULL: nobody asks.
static inline int nests_for(Compile *c, const Region *r, const int64_t sizes[3], Nest **nest,
                            const Nest **standard) {
    const char *why;
    InterpVal vals[8];
    set_sizes(r, sizes, vals);
    PlanCall call = {.target = "gpu", .nvals = r->nparams, .vals = vals, .processors = 132,
                     .pick = nests_first, .machine = machine_find(c->arena, "H200", &why)};
    const DepInfo *d = dep_analyze(c, r);
    Nest *plain = plan_default(c, r, d, &(PlanOptions){"gpu", .asserted = true});
    if (standard) *standard = plain;
    return plain ? plan_variants_for(c, r, d, &call, plain, nest, PLAN_VARIANTS) : 0;
}

// The quickest; NULL: the standard nest.
static inline const Nest *nest_for(Compile *c, const Region *r, const int64_t sizes[3]) {
    Nest *nest[PLAN_VARIANTS];
    return nests_for(c, r, sizes, nest, NULL) ? nest[0] : NULL;
}
#endif
