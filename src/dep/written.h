// SPDX-License-Identifier: MIT
// written.h -- kernels that somebody wrote: are their barriers the ones that they need, and do their
// accesses stay inside their arrays?
#ifndef SCULPT_WRITTEN_H
#define SCULPT_WRITTEN_H
#include "ir/ir.h"

// What was found, most serious first within each kind, in the order of the text.
typedef enum FaultKind {
    FAULT_MISSING,    // x and y of different threads meet on a word and no barrier is between them
    FAULT_MAYBE,      // the same, but only the data tell whether they do
    FAULT_LANES,      // only lanes of one warp meet: __syncwarp, or the lockstep of old machines
    FAULT_IF_SMALL,   // they meet if open parameters are small, not if all of them are large
    FAULT_NEEDLESS,   // a barrier that orders nothing which another does not order too
    FAULT_OUTSIDE,    // an access leaves its array
} FaultKind;
typedef struct Fault {
    FaultKind kind;
    Loc loc, other;          // other: of the access that comes first (FAULT_MISSING and its kin)
    const Array *array;
    const char *text;        // one sentence
} Fault;
typedef VEC(Fault) Faults;

// written: the nest's root with N_BARRIERs where the author has put them. Faults are reported
// with diag() too: errors, warnings for FAULT_MAYBE, remarks for lanes, small parameters and needless
// barriers. What can't be decided within the budget is not reported. lockstep: 1, the author counts on the
// lanes of a warp to walk together (__syncwarp, volatile); else what only they order is an error too; 2,
// who arrives at the barriers is not known, and nothing is said of order. All
// threads of a block agree on the loops and conditions outside of the thread loops. out may be NULL.
void dep_check_written(Compile *c, const Nest *nest, Node *written, int lockstep, Faults *out);
#endif
