// SPDX-License-Identifier: MIT
// picked.h -- choices of the host that no polyhedron can hold.
#ifndef SCULPT_PICKED_H
#define SCULPT_PICKED_H
#include "ir/ir.h"

enum { PICKED_MOST = 32 };
// The tree in which one iteration, that new parameters say, takes one arm of each such choice, and all
// others take the other one. If that is right for all values of the parameters syms[*n], so is the tree.
// *n: 0: there is no such choice.
Node *picked_tree(Arena *a, const Node *root, int *n, const Sym **syms);
#endif
