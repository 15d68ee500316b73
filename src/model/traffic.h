// SPDX-License-Identifier: MIT
// traffic.h -- what caches leave of the requests: bytes from the last-level cache and from memory.
#ifndef SCULPT_MODEL_TRAFFIC_H
#define SCULPT_MODEL_TRAFFIC_H
#include "model/model.h"

typedef struct Traffic {
    double l2, dram;        // bytes moved
    double waited;          // bytes whose requests wait for the last-level cache: also those that
                            // another block of the multiprocessor has asked for just before
    double asked;           // bytes of loads, those that threads of a block ask for together once
    double partial, lines;  // sectors of which stores write a part only, and lines of these
    double local_dram;      // of dram: private arrays in local memory
    double compulsory;      // each piece of memory that is touched, once
    double ends_l2, ends_dram; // of l2 and dram: before and behind the kernel's sweep
} Traffic;
enum { TRAFFIC_MOST = 256 }; // accesses of which more is known than their sums
// resident: blocks that run together on a multiprocessor.
Traffic traffic_of(const KernelCost *k, const Machine *m, int64_t resident, const bool *cured);
// Cycles that a load waits beyond a hit in the first-level cache, in the mean over bytes.
double traffic_far(const Traffic *t, const Machine *m);
// Sets past_l1 and past_l2 of the accesses.
Traffic traffic_place(KernelCost *k, const Machine *m, int64_t resident);
#endif
