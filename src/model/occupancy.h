// SPDX-License-Identifier: MIT
// occupancy.h -- how many blocks of a kernel fit one multiprocessor together, and what limits them.
//
// Registers and shared memory are given out in units; the rules are those of NVIDIA's occupancy
// calculator: from Fermi on registers go to warps, in each part of the multiprocessor; before,
// to whole blocks.
#ifndef SCULPT_MODEL_OCCUPANCY_H
#define SCULPT_MODEL_OCCUPANCY_H
#include "model/machine.h"

typedef enum OccupancyLimit {
    LIMIT_NONE,      // no block fits: see `why`
    LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED,
    LIMIT_COUNT
} OccupancyLimit;

typedef struct Occupancy {
    int64_t blocks;              // that fit one multiprocessor
    int64_t warps;               // of theirs
    double share;                // warps over the multiprocessor's; 0 to 1
    OccupancyLimit limit;        // the resource that gives out first (the earliest in the enum)
    int64_t by[LIMIT_COUNT];     // blocks that each resource alone would let in; INT64_MAX: any
    const char *why;             // with no block: which demand is too much for any
} Occupancy;

// threads a block, registers a thread (0: not known, and no limit), bytes of shared memory a block.
Occupancy occupancy_of(const Machine *m, int64_t threads, int64_t registers, int64_t shared);
const char *occupancy_limit_name(OccupancyLimit l); // "registers"

// What another choice would give: one line of the table of alternatives.
typedef struct OccupancyStep {
    int64_t value;               // threads a block, registers a thread or bytes of shared memory:
                                 // the most that still lets `blocks` in
    int64_t blocks, warps;
} OccupancyStep;
typedef enum OccupancyKnob { KNOB_THREADS, KNOB_REGISTERS, KNOB_SHARED } OccupancyKnob;
// The steps of one knob, the others as they are, fewest warps first. Returns how many.
int occupancy_steps(const Machine *m, int64_t threads, int64_t registers, int64_t shared, OccupancyKnob knob,
                    OccupancyStep *out, int max);
#endif
