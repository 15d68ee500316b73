// SPDX-License-Identifier: MIT
// body.h -- parts of a tree that stand in it as they stand in the region.
//
//   for i { if (m[i]) S0[i] else S1[i] }                               region
//   for ib block  for it thread  if (32*ib + it < n)                   tree
//       { if (m[32*ib + it]) S0[32*ib + it] else S1[32*ib + it] }
//
// What is in the braces is one body, at i = 32*ib + it. It runs the same statements in the same order for the
// same data. So the judge may take it for a single statement that reads and writes what those in it may: if
// dependences between two of its runs stay, and each run is there once, so do all others.
#ifndef SCULPT_BODY_H
#define SCULPT_BODY_H
#include "ir/ir.h"

typedef struct Body {
    const Node *region, *tree; // none of them a single statement
    const Node *first;         // statement of the tree in it
    int depth;                 // loops of the region around it
    Expr **at;                 // [depth]: their counters, over those of the tree
} Body;
typedef VEC(Body) Bodies;

// The largest ones; of the region's nodes in them none is in another.
void find_bodies(Arena *a, const Region *region, const Node *root, Bodies *out);
#endif
