// SPDX-License-Identifier: MIT
// variants.h -- the shaped nests of a region that is one contraction, or sums of rows.
#ifndef SCULPT_PLAN_VARIANTS_H
#define SCULPT_PLAN_VARIANTS_H
#include "plan/plan.h"

// At most max; how many, 0: it is none. For a CPU there is one, without a cost. k: see plan_variants_for.
int plan_shapes(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, Nest **out, int max);
#endif
