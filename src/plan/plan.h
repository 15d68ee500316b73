// SPDX-License-Identifier: MIT
// plan.h -- from a region to a nest that a machine can run.
#ifndef SCULPT_PLAN_H
#define SCULPT_PLAN_H
#include "dep/dep.h"
#include "ir/ir.h"

typedef struct PlanOptions {
    const char *target;     // "gpu" or "cpu"
    bool asserted;          // honour the user's assertions (default true)
} PlanOptions;

// The default nest: parallel loops found, brought outward, mapped. NULL, with a remark at
// the loop and the cure, when the region must stay on the host.
Nest *plan_default(Compile *c, const Region *r, const DepInfo *d, const PlanOptions *o);
#endif
