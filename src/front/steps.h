// SPDX-License-Identifier: MIT
// steps.h -- loops of the host that look at what a region in them wrote.
#ifndef SCULPT_FRONT_STEPS_H
#define SCULPT_FRONT_STEPS_H
#include "front/passes.h"

// Fills looks_at and looks of all regions of the unit.
void steps_find(const AstUnit *a, FrontUnit *u);
#endif
