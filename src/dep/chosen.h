// SPDX-License-Identifier: MIT
// chosen.h -- arrays of which the data choose elements, taken out of a region and a tree. Internal to dep/.
#ifndef SCULPT_CHOSEN_H
#define SCULPT_CHOSEN_H
#include "ir/ir.h"

typedef VEC(const Array *) ChosenArrays;

// Arrays of the program's that statements alone touch, each where the program has it, and of which some
// subscript reads what the region writes. In their places *region and *root then have arrays of which each
// instance reads and writes elements of its own: what is proved of these, and by order of those, holds
// together. False: there are none, or something else in the tree touches one.
bool dep_chosen(Arena *a, const Region **region, const Node **root, ChosenArrays *out);

#endif
