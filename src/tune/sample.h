// SPDX-License-Identifier: MIT
// sample.h -- elements of a region's results, computed in double precision.
#ifndef SCULPT_TUNE_SAMPLE_H
#define SCULPT_TUNE_SAMPLE_H
#include "tune/tune.h"

// Chooses at most `n` elements of what the region writes (corners first, then at random, some
// near the far edges) and computes them from the objects' first values. NULL, or why this
// region's results can't be computed one at a time.
const char *sample_make(Case *c, int n, uint64_t seed);
#endif
