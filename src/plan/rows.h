// SPDX-License-Identifier: MIT
// rows.h -- sums along the rows of a matrix, each by one thread: y[i] += A[i][k] * x[k].
#ifndef SCULPT_PLAN_ROWS_H
#define SCULPT_PLAN_ROWS_H
#include "plan/plan.h"

// A region that is one loop over rows around one loop over their elements.
typedef struct Rows {
    const Region *region;
    const Node *row, *sum;         // the two loops
    bool alone;                    // nothing stands beside the inner loop
    int nsums, nlocals, noperands;
    // something else is read at the row itself: only rows that exist may be computed
    bool beside;
    const Array *sums[4];          // what is summed
    bool local[4];                 // it is a local of the row
    const Array *operand[8];       // is read in the inner loop with its counter,
    Expr *const *place[8];         // there,
    bool walks[8];                 // and names the row: neighbouring threads would read a row apart
} Rows;

// Is the region that, with parallel rows and at least one operand that walks?
bool rows_find(Arena *a, const Region *r, const DepInfo *d, Rows *out);
// The steps that make its kernel: operands come by in shared memory, a stretch of the loop at a time. Sums
// keep their order.
char *rows_recipe(Arena *a, const Rows *k);
// Enough rows and terms.
Expr *rows_pays(Arena *a, const Rows *k);
// Microseconds, over the region's parameters, bytes a microsecond that kernels read, and multiprocessors.
Expr *rows_cost(Arena *a, const Rows *k, const Sym *copying, const Sym *processors);
#endif
