// SPDX-License-Identifier: MIT
// sample.h -- what a test looks at where all would take long: samples that a seed chooses.
//
// SCULPT_TEST_SEED repeats one (test/run gives a fixed one, with --all each commit its own); SCULPT_TEST_ALL
// asks for everything.
#ifndef TEST_SAMPLE_H
#define TEST_SAMPLE_H
#include "base/base.h"
#include <stdio.h>
#include <stdlib.h>

static inline bool test_all(void) { return getenv("SCULPT_TEST_ALL") != NULL; }

static inline uint64_t test_seed(void) {
    const char *given = getenv("SCULPT_TEST_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)(time_now() * 1e6);
    printf("SCULPT_TEST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

// Is case k looked at: one in n of them, all where everything is asked for?
static inline bool test_takes(uint64_t k, unsigned n, uint64_t seed) {
    return test_all() || k % n == seed % n;
}

// How many changes are tried at random: SCULPT_TEST_COUNT, else `few`, or `many` where everything is asked
// for. A count and no time, so that a busy machine tries as many.
static inline uint64_t test_count(uint64_t few, uint64_t many) {
    const char *given = getenv("SCULPT_TEST_COUNT");
    return given ? strtoull(given, NULL, 0) : test_all() ? many : few;
}
#endif
