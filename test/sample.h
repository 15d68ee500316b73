// SPDX-License-Identifier: MIT
// sample.h -- what a test looks at where all would take long: samples that a seed chooses.
//
// SCULPT_TEST_SEED repeats one (test/run gives each commit its own); SCULPT_TEST_ALL asks for everything.
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

// For how long changes are tried at random: SCULPT_TEST_SECONDS, or as many as the test is content with.
static inline double test_seconds(double usual) {
    const char *given = getenv("SCULPT_TEST_SECONDS");
    return given ? atof(given) : usual;
}
#endif
