// SPDX-License-Identifier: MIT
// slots.h -- arrays of which no element is written twice: that are filled by a counter, one element after the
// other, or of which an inspection finds that their subscripts differ (Inspect.differ).
//
//   for i  if (x[i] > 0) { out[n] = x[i];  n += 1 }
//
// No two iterations write one element of out, whatever the data are: n only grows, and between two writes it
// has grown by more than a write's places. So out may as well be numbered by who writes it.
#ifndef SCULPT_SLOTS_H
#define SCULPT_SLOTS_H
#include "ir/ir.h"

// A statement that writes array `from`, and of a counter n does so at |scale| * n + some number.
typedef struct Slot {
    const Stmt *stmt;
    const Array *from, *to; // to: the array as it is numbered by block, place in the block, loop counters,
                            // and the other subscripts
    int dim;                // the subscript that names the counter, or is looked at
    int block;              // statements that are reached together, between which the counter changes
    int64_t place;          // of the element in what a block writes
    // Of all slots of the array:
    Expr *counter;          // its load; NULL: it is an inspection that tells
    int64_t scale;          // negative: the counter falls
    int64_t first;          // |scale| * counter + first is the first element that can be written, and so many
    Expr *sum;              // (T_F64, over parameters) at most are; NULL: it can't be told
} Slot;

typedef struct Slots {
    int n;
    const Slot *at;
    Expr *fit;              // over parameters: no value is there twice; NULL: it never is
    int nread;              // arrays that a counter fills and the region reads at other places: what it finds
    const Array *const *read; // there hangs on how far the counter has come, so these have no slots
} Slots;
bool slots_are_read(const Slots *s, const Array *x);
Slots slots_of(Arena *a, const Region *r);
#endif
