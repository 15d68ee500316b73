// SPDX-License-Identifier: MIT
// findings.h -- what costs a nest its time, where, how much, and what would cure it.
#ifndef SCULPT_MODEL_FINDINGS_H
#define SCULPT_MODEL_FINDINGS_H
#include "model/model.h"

typedef enum FindingKind {
    FIND_COALESCING, FIND_ALIGNMENT, FIND_BANKS, FIND_DIVERGENCE, FIND_OCCUPANCY, FIND_MIX, FIND_LAUNCHES,
    FIND_READ_BACK,
    FIND_IDLE,                // fewer blocks than multiprocessors
    FIND_LOCAL,               // private arrays and values that are no registers
    FIND_CACHE,               // requests that keep the first-level cache and shared memory busy
    FIND_ATOMICS,             // threads that change one word in turn
    FIND_CONSTANT,            // lanes that ask constant memory for different words
    // faults of a kernel that somebody wrote: whoever looks at it adds them
    FIND_RACE, FIND_BOUNDS, FIND_BARRIER,
    FIND_KINDS
} FindingKind;
const char *finding_name(FindingKind k); // "coalescing"

typedef struct Finding {
    FindingKind kind;
    Loc loc;                  // of the user's text
    const char *kernel;       // NULL: of the whole nest
    const char *text;         // one sentence with its figure
    double share;             // of the predicted time of the nest that a cure would save; 0 to 1
    const char *cure;         // a step of a recipe, or advice; NULL: none is known
    bool step;                // cure is a step that the catalogue has
    bool assumed;             // the data decide: the figure rests on an assumption
    DiagCode code;            // of a fault; 0: it costs time, no more
    DiagLevel level;          // …and how bad it is
} Finding;
typedef VEC(Finding) Findings;
// Those that matter, the greatest share first. n->times hold the kernels' times.
Findings model_findings(Arena *a, const Nest *nest, const NestCost *n, const Machine *m);
// One more: the host's loop at `loc` reads `what` each time round, which the nest has written. Keeps the
// order.
void model_looks(Arena *a, Findings *f, const NestCost *n, const Machine *m, Loc loc, const char *what);
// How many blocks fit a multiprocessor up to which value of a knob: "2 to 128, 4 to 64 registers a thread"
const char *model_occupancy_table(Arena *a, const KernelCost *k, const TimeCost *t, const Machine *m,
                                  OccupancyKnob knob);
// cures.c: the same for kernels that somebody wrote by hand, as a change of their text. k: the kernel; c, b,
// pad: the access, the branch and the padding that the kind of finding is about; NULL, 0: none.
bool cure_is_by_hand(const Nest *n);
const char *cure_by_hand(Arena *a, FindingKind kind, const KernelCost *k, const AccessCost *c,
                         const BranchCost *b, int64_t pad);
#endif
