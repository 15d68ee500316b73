// SPDX-License-Identifier: MIT
// request.h -- what one memory instruction of one warp costs, from the addresses of its lanes.
//
//   global   lanes 0…31 at 4 bytes each, side by side:    one line of 128 bytes, four sectors
//            the same, 4 bytes further on:                two lines, five sectors
//            rows apart:                                   32 lines, 32 sectors, 4 of 32 bytes used
//   shared   word w lies in bank w % 32; a bank gives one word a wavefront, to all who ask for it.
//            Two words a lane go in two halves of the warp, four in quarters. Loads join two such
//            parts when every lane in them asks for the same as lane k^1, or every lane for the same
//            as lane k^2 (found by counting wavefronts of 60 patterns on an H200; stores do not).
#ifndef SCULPT_MODEL_REQUEST_H
#define SCULPT_MODEL_REQUEST_H
#include "model/machine.h"

enum { MAX_LANES = 64 };

// Where each lane of a warp goes; lanes whose bit in `mask` is 0 do nothing.
typedef struct Request {
    int64_t at[MAX_LANES];  // bytes: from an aligned base (global), from the array's start (shared)
    uint64_t mask;
    int width;              // bytes a lane: 1, 2, 4, 8 or 16
    bool write;
} Request;

typedef struct GlobalCost {
    int sectors;            // of machine.sector bytes, touched
    int lines;              // of machine.line bytes
    int useful;             // different bytes asked for
    int moved;              // bytes that travel: sectors, whole lines on Fermi, segments before
    int ideal;              // the fewest sectors that could hold the useful bytes
    bool misaligned;        // the useful bytes lie in one piece, and yet touch more than that
} GlobalCost;
GlobalCost request_global(const Machine *m, const Request *r);

typedef struct SharedCost {
    int wavefronts;         // passes that the request takes
    int ideal;              // without conflicts
    int ways;               // the most different words that one bank gives in one part of the request
} SharedCost;
SharedCost request_shared(const Machine *m, const Request *r);
// Passes of an atomic change of shared memory: lanes that meet in a bank go one after another, on one word
// too.
int request_atomic(const Machine *m, const Request *r);
// Lanes lo … returned - 1 are served together: lo is 0 or what was returned before.
// Constant memory: lanes that ask for one element are served at once, others one element after another.
SharedCost request_constant(const Machine *m, const Request *r);
int request_part(const Machine *m, const Request *r, int lo);

// The bytes from lane to lane where they are always the same; false: they aren't, or one lane is
// alone.
bool request_stride(const Machine *m, const Request *r, int64_t *stride);
#endif
