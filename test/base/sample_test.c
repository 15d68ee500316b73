// SPDX-License-Identifier: MIT
// sample_test.c -- the slices of a test together take each case once
#include "../sample.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { CASES = 53 };

static void each_case_once(void **state) {
    (void)state;
    const char *before = getenv("SCULPT_TEST_SLICE");
    char *kept = before ? strdup(before) : NULL, slice[32];
    for (unsigned n = 1; n <= CASES + 2; n++) {
        int taken[CASES] = {0};
        for (unsigned i = 0; i < n; i++) {
            snprintf(slice, sizeof slice, "%u/%u", i, n);
            setenv("SCULPT_TEST_SLICE", slice, 1);
            test_read_slice();
            test_met = test_taken = 0;
            int mine = 0;
            for (int k = 0; k < CASES; k++) {
                bool is = test_mine();
                taken[k] += is, mine += is;
            }
            assert_int_equal(test_met, CASES);
            assert_int_equal(test_taken, mine);
        }
        for (int k = 0; k < CASES; k++) assert_int_equal(taken[k], 1);
    }
    if (kept) setenv("SCULPT_TEST_SLICE", kept, 1);
    else unsetenv("SCULPT_TEST_SLICE");
    free(kept);
    test_slices = 0;
}

// Of a sample, those that are looked at are dealt out; with everything asked for, all are.
static void samples(void **state) {
    (void)state;
    int looked = 0;
    for (uint64_t i = 0; i < 2; i++) {
        test_slice = i, test_slices = 2, test_met = test_taken = 0;
        for (uint64_t k = 0; k < 30; k++) looked += test_takes(k, 3, 1);
    }
    assert_int_equal(looked, test_all() ? 30 : 10);
    test_slices = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_case_once), cmocka_unit_test(samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
