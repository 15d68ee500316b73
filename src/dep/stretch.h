// SPDX-License-Identifier: MIT
// stretch.h -- loops dealt in equal stretches as loops over all, of which each iteration has an owner.
#ifndef SCULPT_STRETCH_H
#define SCULPT_STRETCH_H
#include "dep/dep.h"
#include "ir/poly.h"

// What is proved of the region and the tree that come back holds for those given. False: there is no such
// loop.
bool dep_stretches(Compile *c, const Region **region, const Node **root);
#endif
