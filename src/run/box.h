// SPDX-License-Identifier: MIT
// box.h -- footprints as bytes: a run of bytes, repeated at pitches.
//
//     first                       a box of two dimensions, the run and one repetition:
//       ▒▒▒▒▒▒ . . . .            run = 6, n[0] = 3, pitch[0] = 10
//       ▒▒▒▒▒▒ . . . .
//       ▒▒▒▒▒▒
//             last
//
// A box may be cut: then its first byte lies behind its origin, or its last before box_end, and
// what lies outside of first..last is not part of it.
#ifndef SCULPT_RUN_BOX_H
#define SCULPT_RUN_BOX_H
#include "base/base.h"

enum { BOX_DIMS = 8 };

typedef struct Box {
    uintptr_t first, last;   // its least byte and one past its greatest; equal: empty
    uintptr_t origin;        // the beginning of the first run; first, unless the box is cut
    int64_t run;             // bytes that stand together; 0: there never was a run
    int ndims;               // repetitions, the widest pitch first; each n > 1
    int64_t n[BOX_DIMS], pitch[BOX_DIMS];
    bool loose;              // what lies in it may not be there, or be somebody else's
    bool gaps;               // somebody else may be storing between its elements
} Box;

Box box_interval(uintptr_t first, uintptr_t last);
// The elements of `size` bytes at first + sum of k[d] * pitch[d], 0 <= k[d] < n[d]. Pitches
// are positive; dimensions without gaps are merged. False: it cannot be expressed.
bool box_make(Box *b, uintptr_t first, int64_t size, int ndims, const int64_t *n,
              const int64_t *pitch);
// The part of b from first to last.
void box_cut(Box *b, uintptr_t first, uintptr_t last);
// One past the greatest byte of its runs, those that were cut off too.
uintptr_t box_end(const Box *b);
// Makes b the union of both where that is a box itself. False: it isn't, or that can't be told.
bool box_join(Box *b, const Box *other);
bool box_is_empty(const Box *b);
bool box_contains(const Box *outer, const Box *inner);  // false when it cannot be told
bool box_disjoint(const Box *x, const Box *y);          // false when it cannot be told
int64_t box_bytes(const Box *b); // in its runs
int64_t box_runs(const Box *b);
uintptr_t box_run_end(const Box *b, uintptr_t at); // of the run that has the byte at `at`; none does: at
// Calls visit for each run, or, with rows, for each innermost repetition of runs.
typedef bool BoxVisit(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg);
bool box_each(const Box *b, bool rows, BoxVisit *visit, void *arg);
// Is there memory to read wherever it has bytes? (present.c)
bool present_box(const Box *b);
#endif
