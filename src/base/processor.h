// SPDX-License-Identifier: MIT
// processor.h -- what a tile's size depends on, of the processor that plans.
#ifndef SCULPT_BASE_PROCESSOR_H
#define SCULPT_BASE_PROCESSOR_H
#include <stdint.h>

typedef struct Processor {
    int vector;            // bytes of a vector
    int registers;         // vectors
    int64_t first, second; // bytes of a core's data caches
    int cores;
} Processor;
// Asked of the instruction set and the system; caches that nobody tells of are 32 and 512 KiB.
Processor processor_here(void);
#endif
