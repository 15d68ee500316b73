// SPDX-License-Identifier: MIT
// contract_shapes.h -- how a contraction's kernels may be cut, and which of these cuts are worth a nest.
#ifndef SCULPT_PLAN_CONTRACT_SHAPES_H
#define SCULPT_PLAN_CONTRACT_SHAPES_H
#include "plan/contract.h"

// A shape that fits.
typedef struct Candidate {
    Tile tile;
    Shape shape; // of that tile
    double cost; // its estimate in a call, in microseconds
} Candidate;
typedef VEC(Candidate *) Candidates;

// Those that the structure allows. k without values: the shapes of the table, in its order. Of a call also
// tiles that lie across and sums in other numbers of parts, as far as its sizes suit; the least estimate
// first.
void contraction_candidates(Compile *c, const Contraction *k, const PlanCall *call, Candidates *out);
// Is there enough of everything for the shape, and no sum too long? Over the region's parameters and
// `processors`.
Expr *contraction_suits(Arena *a, const Contraction *k, const Shape *s, const Sym *processors);
#endif
