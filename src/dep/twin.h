// SPDX-License-Identifier: MIT
// twin.h -- a part of the region's tree beside a part of another tree.
//
//   if (s > 1) { for k S1[i, k] }                      region
//   if (s_x[8*b + t] > 1) { for q S1[8*b + t, q] }     tree: i is 8*b + t, k is q, s lies in s_x[8*b + t]
#ifndef SCULPT_TWIN_H
#define SCULPT_TWIN_H
#include "ir/ir.h"

enum { TWIN_VARS = 8 };
typedef struct Twin {
    Arena *a;
    VEC(const Sym *) from; // the region's counters…
    VEC(Expr *) to;        // …and what they are in the tree
    int nvars;             // variables of the region that may lie elsewhere, each in one element
    const Array *const *var;
    const Array *place[TWIN_VARS]; // where each lies, as the first access says; NULL: it was not met
    Expr *const *sub[TWIN_VARS];
} Twin;

// Do both run the same statements in the same order for the same data? Pushes and pops counters of loops
// below; places are left as found, also where the answer is no.
bool twin_same(Twin *t, const Node *x, const Node *y);
const Node *twin_first(const Node *n); // statement in it; NULL: none
const Node *twin_bare(const Node *n);  // without blocks around it that hold it alone
#endif
