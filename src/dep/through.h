// SPDX-License-Identifier: MIT
// through.h -- what locals hold, seen through.
#ifndef SCULPT_THROUGH_H
#define SCULPT_THROUGH_H
#include "ir/ir.h"

// What a local holds, as straight code before tells it; the last that was set comes first.
typedef struct Held {
    const Array *local;
    Expr *value; // over counters and memory that the region never writes; NULL: it can't be told
    const struct Held *before;
} Held;

// Of each statement of a region, what is held where it runs.
typedef struct Holds {
    int n;
    const Stmt **stmt;
    const Held **held;
} Holds;
Holds *dep_holds(Arena *a, const Region *r);
// x, over a tree's counters at n, a statement of the region: locals in it are what they hold there. As it was
// where that can't be told of all of them.
Expr *dep_seen(Arena *a, const Holds *h, const Node *n, Expr *x);

// A tree over r in which conditions and bounds ask memory that r never writes for what locals hold of it.
// *any: some do.
Node *dep_through(Arena *a, const Region *r, const Node *root, bool *any);
#endif
