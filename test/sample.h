// SPDX-License-Identifier: MIT
// sample.h -- what a test looks at where all would take long: samples that a seed chooses, or one slice of
// all cases.
//
// SCULPT_TEST_SEED repeats a sample (test/run gives a fixed one, with --all each commit its own);
// SCULPT_TEST_ALL asks for everything. SCULPT_TEST_SLICE=I/N, I from 0 on: of the cases that would be looked
// at only number I, I + N, I + 2N and so on. N processes, side by side, look at each case once. A program
// that has cases tells at its end how many it met and how many it took. What is no case runs in each slice.
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

static uint64_t test_slice, test_slices, test_met, test_taken;

static inline void test_tell_cases(void) {
    printf("SCULPT_TEST_CASES=%llu of %llu\n", (unsigned long long)test_taken, (unsigned long long)test_met);
}

static inline void test_read_slice(void) {
    const char *given = getenv("SCULPT_TEST_SLICE");
    char *end = NULL;
    test_slice = given ? strtoull(given, &end, 10) : 0;
    test_slices = given && *end == '/' ? strtoull(end + 1, &end, 10) : 1;
    if (given && (*end || test_slice >= test_slices)) {
        fprintf(stderr, "SCULPT_TEST_SLICE=%s is no slice\n", given);
        exit(2);
    }
}

// Is the next case, one of those that would be looked at, in this process's slice? Every process of a set
// asks for the same cases in the same order.
static inline bool test_mine(void) {
    if (!test_slices) test_read_slice(), atexit(test_tell_cases);
    bool mine = test_met++ % test_slices == test_slice;
    test_taken += mine;
    return mine;
}

// Is case k looked at here: one in n of them, all where everything is asked for?
static inline bool test_takes(uint64_t k, unsigned n, uint64_t seed) {
    return (test_all() || k % n == seed % n) && test_mine();
}

// How many changes are tried at random: SCULPT_TEST_COUNT, else `few`, or `many` where everything is asked
// for. A count and no time, so that a busy machine tries as many.
static inline uint64_t test_count(uint64_t few, uint64_t many) {
    const char *given = getenv("SCULPT_TEST_COUNT");
    return given ? strtoull(given, NULL, 0) : test_all() ? many : few;
}
#endif
