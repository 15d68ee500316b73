// SPDX-License-Identifier: MIT
// choose.h -- what the planner asks about the call that it plans for.
#ifndef SCULPT_PLAN_CHOOSE_H
#define SCULPT_PLAN_CHOOSE_H
#include "plan/plan.h"

// Does the nest's condition hold in that call?
bool plan_may_run(Compile *c, Nest *n, const PlanCall *k);
// plan_variants, but of a contraction's many only the cheapest that may run the call; k without values:
// all of them.
// standard: the nest for all sizes.
int plan_variants_for(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, const Nest *standard,
                      Nest **out, int max);
#endif
