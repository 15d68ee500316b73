// SPDX-License-Identifier: MIT
// maps.h -- what a picture shows of the model: occupancy over a knob, the banks and sectors of a request.
#ifndef SCULPT_MODEL_MAPS_H
#define SCULPT_MODEL_MAPS_H
#include "model/model.h"

// ---- occupancy over one knob, the others as they are ------------------------------------------------
typedef struct OccupancyPoint {
    int64_t value;              // threads a block, registers a thread or bytes of shared memory
    int64_t blocks, warps;      // that fit a multiprocessor; 0: none
    OccupancyLimit limit;       // what gives out first
} OccupancyPoint;
// Ascending. Returns how many, at most max; 0: the machine's file says nothing of it.
enum { MODEL_CURVE = 256 };     // points that are always enough
int model_curve(const Machine *m, int64_t threads, int64_t registers, int64_t shared, OccupancyKnob knob,
                OccupancyPoint *out, int max);

// ---- banks ---------------------------------------------------------------------------------------------
// One word of shared memory that a request asks for.
typedef struct BankCell {
    int row, bank;              // row: index into BankMap.rows
    int lane, lanes;            // the first that asks for it, and how many do
    int pass;                   // the wavefront that brings it, from 0
} BankCell;
//   bank      0   1   2 …            a row is one word of each bank; rows that no lane
//   row 0    l0       .              touches are left out
//   row 1        l1
typedef struct BankMap {
    int banks, nrows, ncells;
    int64_t *rows;              // [nrows] their numbers from the array's start, ascending
    BankCell *cells;            // [ncells]
    int passes, ideal, ways;    // as SharedCost
    int64_t pad;                // unused elements behind each row of the array that were put in
} BankMap;
// The access's costliest request, as if each row of the array were `pad` elements longer. NULL:
// the access has no example, or (pad > 0) no rows of a fixed length.
BankMap *model_banks(Arena *a, const Machine *m, const AccessCost *c, int64_t pad);
// The least of the usual paddings with which the example has no conflict; 0: none.
int64_t model_padding(const Machine *m, const AccessCost *c);

// ---- sectors -------------------------------------------------------------------------------------------
typedef struct SectorMap {
    int n, lines;
    int64_t *at;                // [n] numbers of sectors, ascending; the first line's first is 0
    int *used;                  // [n] bytes that lanes ask for
    int per_line;               // sectors of a line
} SectorMap;
// Of the access's costliest request; NULL: there is no example.
SectorMap *model_sectors(Arena *a, const Machine *m, const AccessCost *c);
#endif
