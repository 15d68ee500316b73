// SPDX-License-Identifier: MIT
// phase.h -- the part of a kernel that all threads of a block walk through together.
//
//   kernel                 place
//     for ib block         place
//       {                  place             gaps
//         coop …           phase 0
//                                            gap 0
//         for kt           place             gap 2: at the end of its body
//           {              place
//             coop …       phase 1
//                                            gap 1
//             thread …     phase 2
//
// A phase is a nest of thread or coop loops (a bare statement counts as one that any thread
// may run). A barrier can stand in a gap: between two children of a sequence, or at the end
// of a serial loop's body. Conditions and bounds that read memory are phases of their own,
// at their loop's or branch's place.
#ifndef SCULPT_PHASE_H
#define SCULPT_PHASE_H
#include "dep/dep.h"
#include "dep/relation.h"

typedef struct Spot Spot;
struct Spot {
    Node *node;
    Spot *up;            // NULL: the kernel
    int index;            // which child of up
    int nkids;
    Spot **kids;         // none below a phase
    int loops;            // loops around it, those outside the kernel too
    bool is_phase;
    bool diverges;        // threads may disagree on a condition or bound around it
    int gap;              // a sequence: the first of its nkids - 1 gaps; a serial loop: its own
};

typedef struct Phase {
    Spot *at;
    bool anyone;          // which thread does what is not known (coop, bare leaves, control)
    int first, end;       // its events are first … end - 1 of the relations
    int ndigits;          // thread loops, outermost first, directly inside each other
    const Node *digit[8];
} Phase;

typedef struct Gap {
    Spot *at;            // the sequence (the gap is before child `before`) or the loop
    int before;           // 0: the end of a loop's body
    bool allowed;         // all threads get there
    int depth;            // serial loops of the kernel around it
    int position;         // in the order of the text
    bool chosen;
    int pending;          // see Node.pending
    bool warp;            // what it orders is between threads of one warp
} Gap;

typedef struct Phases {
    Node *kernel;
    Spot *root;
    VEC(Phase) phases;
    VEC(Gap) gaps;
    const Node *misplaced; // a coop loop or a second thread nest inside a phase; NULL: none
} Phases;

// The kernels of a tree, in text order; r is made from the same tree.
typedef VEC(Phases *) PhasesVec;
void phases_of(Arena *a, const Relations *r, Node *root, PhasesVec *out);
// Does anything below happen in parallel phases that a barrier could order?
bool kernel_has_phases(const Node *kernel);
bool spot_is_serial_loop(const Spot *p);
#endif
