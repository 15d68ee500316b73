// SPDX-License-Identifier: MIT
// prices.h -- tries that were measured and kept, priced anew: what choosing by a price would lose.
#ifndef SCULPT_BENCH_PRICES_H
#define SCULPT_BENCH_PRICES_H
#include "bench/bench.h"

typedef struct KeptKernel {
    int64_t grid[3], threads, shared; // shared: bytes a block
} KeptKernel;

// One line of bench/results/sgemm-*.json.
typedef struct KeptTry {
    const char *source, *size, *variant, *device;
    double seconds;          // of the kernels; <= 0: there is none
    VEC(KeptKernel) kernels; // that were launched
} KeptTry;
typedef struct KeptTries {
    KeptTry *at;
    int n, cap;
} KeptTries;
bool kept_tries(Bench *b, KeptTries *out); // driver/kept_rows.c: those of b->from; false after a message
#endif
