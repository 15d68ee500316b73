// SPDX-License-Identifier: MIT
// near.h -- short loops whose sizes are compiled in (near.c, phases.c).
#ifndef SCULPT_PLAN_NEAR_H
#define SCULPT_PLAN_NEAR_H
#include "plan/auto.h"
#include "plan/strategy.h"

enum { MOST_SIZES = 6 };
typedef struct Sizes {
    int n;
    const Sym *sym[MOST_SIZES];  // parameters in bounds of loops
    int64_t value[MOST_SIZES];   // in the call
} Sizes;
enum { SHORT_ROW = 128 };
// Of all loops below but steps that are all alike; false: there are too many, or one is more than `most`.
bool site_sizes(const Site *s, const Node *below, int64_t most, Sizes *out);
// A parameter's value in the call, too, if it is between the two; false: it isn't, or there are too many.
bool site_add_size(const Site *s, const Sym *sym, int64_t least, int64_t most, Sizes *to);
// Appends "define n value=32" for each.
void site_define(const Sizes *x, Text *out);
#endif
