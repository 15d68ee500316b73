// SPDX-License-Identifier: MIT
// columns.h -- what strategies share that make kernels of sums along columns.
#ifndef SCULPT_PLAN_COLUMNS_H
#define SCULPT_PLAN_COLUMNS_H
#include "plan/recipe.h"
#include "plan/strategy.h"

enum { COLUMN_WARP = 32 };

typedef struct Way {
    int threads;       // of a block
    int stretch;       // 0: none; else of several lengths the first, the second, …
    bool whole;        // nothing is cut off
} Way;

// A recipe step by step.
typedef struct Build {
    const Site *s;
    const Nest *n;     // after the steps so far
    Way way;
    int nrows;         // loops that begin the region's nest and are rows
    Text steps;
    int nnames, nsums; // pieces so far; of these sums of columns
    bool failed;       // a step did not fit; no other is taken then
} Build;

void column_step(Build *b, const char *line);
// Cuts a loop of the start whose only condition asks on which side of something its counter is: half of a
// matrix that is stored.
void column_split(Build *b);
// The first loop that is in no kernel yet; NULL: there is none.
Node *column_loop(Node *root);
#endif
