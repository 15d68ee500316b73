// SPDX-License-Identifier: MIT
// box.h -- footprints as bytes: a run of bytes, repeated at pitches.
//
//     first                       a box of two dimensions, the run and one repetition:
//       ▒▒▒▒▒▒ . . . .            run = 6, n[0] = 3, pitch[0] = 10
//       ▒▒▒▒▒▒ . . . .
//       ▒▒▒▒▒▒
//             last
#ifndef SCULPT_RUN_BOX_H
#define SCULPT_RUN_BOX_H
#include "base/base.h"

enum { BOX_DIMS = 8 };

typedef struct Box {
    uintptr_t first, last;   // its least byte and one past its greatest; equal: empty
    int64_t run;             // bytes that stand together
    int ndims;               // repetitions, the widest pitch first; each n > 1
    int64_t n[BOX_DIMS], pitch[BOX_DIMS];
} Box;

Box box_interval(uintptr_t first, uintptr_t last);
// The elements of `size` bytes at first + sum of k[d] * pitch[d], 0 <= k[d] < n[d]. Pitches
// are positive; dimensions without gaps are merged. False: it cannot be expressed.
bool box_make(Box *b, uintptr_t first, int64_t size, int ndims, const int64_t *n,
              const int64_t *pitch);
bool box_is_empty(const Box *b);
bool box_contains(const Box *outer, const Box *inner);  // false when it cannot be told
bool box_disjoint(const Box *x, const Box *y);          // false when it cannot be told
int64_t box_bytes(const Box *b);
int64_t box_runs(const Box *b);
// Calls visit for each run, or, with rows, for each innermost repetition of runs.
typedef bool BoxVisit(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg);
bool box_each(const Box *b, bool rows, BoxVisit *visit, void *arg);
#endif
