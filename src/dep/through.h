// SPDX-License-Identifier: MIT
// through.h -- conditions that see through a local to what was read into it.
#ifndef SCULPT_THROUGH_H
#define SCULPT_THROUGH_H
#include "ir/ir.h"

// A tree over r in which conditions ask memory that r never writes for what a local holds of it. *any: some
// do.
Node *dep_through(Arena *a, const Region *r, const Node *root, bool *any);
#endif
