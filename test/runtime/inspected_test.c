// SPDX-License-Identifier: MIT
// inspected_test.c -- what an inspection found is known as long as the device has the data that it looked at.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include "sculpt/sculpt.h"
#include <stdlib.h>
#include <string.h>

#define NEST(target, loops)                                                                                  \
    "nest \"" target "\" {\nwhen 1\nfoot y[0 to n - 1] out exact\nfoot x[x_lo to x_hi] in\n"                 \
    "foot col[0 to n - 1] in\ndo { kernel k0 { " loops " } }\n}\n"
#define GATHER(col)                                                                               \
    "sculpt 1\nregion gather_1 @\"g.c\":3:3 scop {\nparam n: i32 = \"n\"\nparam s: f64 = \"s\"\n" \
    "param x_lo: i64\nparam x_hi: i64\n"                                                          \
    "array y[n]: f64 = \"y\" live\narray x[?]: f64 = \"x\"\narray col" col "\n"                   \
    "inspect x dim 0 as x_lo to x_hi for j: i32 = 0 .. n value i64(col[j])\n"                     \
    "do { for i: i32 = 0 .. n { S0[i] } }\nstmt S0[i] @4:5: y[i] = s * x[col[i]]\n}\n"            \
    NEST("gpu", "for b: i32 = 0 .. (n + 31) / 32 block { for t: i32 = 0 .. 32 thread { "          \
                "if (b * 32 + t < n) S0[b * 32 + t] } }")                                         \
    NEST("cpu", "for b: i32 = 0 .. n block { S0[b] }")
static const char text[] = GATHER("[n]: i32 = \"col\" live"),
                  table_text[] = GATHER("[4]: i32 = \"col\" live constant values (6, 1, 3, 2)");
static sculpt_region gather = {SCULPT_ABI, 0, text, "g.c", 3, NULL},
                     from_table = {SCULPT_ABI, 0, table_text, "t.c", 3, NULL};

#define FILL(target, loops)                                                                                  \
    "nest \"" target "\" {\nwhen 1\nfoot y[0 to n - 1] out exact\ndo { kernel k0 { " loops " } }\n}\n"
static const char fill_text[] =
    "sculpt 1\nregion fill_1 @\"f.c\":3:3 scop {\nparam n: i32 = \"n\"\nparam v: i32 = \"v\"\n"
    "array y[n]: i32 = \"y\" live\n"
    "do { for i: i32 = 0 .. n { S0[i] } }\nstmt S0[i] @4:5: y[i] = v\n}\n"
    FILL("gpu", "for b: i32 = 0 .. (n + 31) / 32 block { for t: i32 = 0 .. 32 thread { "
                "if (b * 32 + t < n) S0[b * 32 + t] } }")
    FILL("cpu", "for b: i32 = 0 .. n block { S0[b] }");
static sculpt_region fill_region = {SCULPT_ABI, 0, fill_text, "f.c", 3, NULL};

enum { N = 1000 };
static int col[2 * N];
static double x[N], y[2 * N];

// Was it known? As an inserted call: what is not known is found, and the result is right.
static int known_in(sculpt_region *r, int *c, int n, double s) {
    sculpt_arg a[] = {{.p = y}, {.p = x}, {.p = c}, {.i = n}, {.f = s}, {.i = 0}, {.i = 0}};
    int there = sculpt_recall(r, a, 7);
    if (!there) {
        a[5].i = a[6].i = c[0];
        for (int i = 1; i < n; i++) {
            a[5].i = c[i] < a[5].i ? c[i] : a[5].i;
            a[6].i = c[i] > a[6].i ? c[i] : a[6].i;
        }
    }
    assert_int_equal(sculpt_enter(r, a, 7), 1);
    sculpt_leave(r, a, 7);
    sculpt_update_host(c, n * sizeof *c);
    sculpt_update_host(y, n * sizeof *y);
    for (int i = 0; i < n; i++) assert_true(y[i] == s * x[c[i]]);
    return there;
}

static int known(int *c, int n, double s) { return known_in(&gather, c, n, s); }

static void fill(int *p, int n, int v) {
    sculpt_arg a[] = {{.p = p}, {.i = n}, {.i = v}};
    assert_int_equal(sculpt_enter(&fill_region, a, 3), 1);
    sculpt_leave(&fill_region, a, 3);
}

static int own_memory(void) { return strncmp(sculpt_device_name(), "opencl", 6) == 0; }

static void test_unheld(void **s) { // the program may change them between any two calls
    (void)s;
    for (int i = 0; i < 3; i++) {
        col[7] = 100 * i;
        assert_int_equal(known(col, N, 1), 0);
    }
}

static void test_held(void **s) {
    (void)s;
    if (!own_memory()) skip();
    sculpt_data_enter(col, sizeof col, SCULPT_COPYIN);
    assert_int_equal(known(col, N, 1), 0);
    assert_int_equal(known(col, N, 1), 1);
    assert_int_equal(known(col, N, 2), 1);      // whatever the loops don't name may change
    assert_int_equal(known(col, N - 1, 2), 0);  // what they name may not
    assert_int_equal(known(col + 1, N, 2), 0);
    assert_int_equal(known(col, N, 3), 1);
    fill(col + N, 10, 3);                       // beside what they read
    assert_int_equal(known(col, N, 3), 1);
    fill(col + 20, 10, 998);                    // by a kernel
    assert_int_equal(known(col, N, 3), 0);
    assert_int_equal(known(col, N, 3), 1);
    sculpt_update_host(col, sizeof col);
    for (int i = 0; i < N; i++) col[i] = i / 2 + 17;
    sculpt_update_device(col, sizeof col);
    assert_int_equal(known(col, N, 3), 0);
    assert_int_equal(known(col, N, 3), 1);
    sculpt_data_exit(col, sizeof col, SCULPT_COPYOUT);
    col[3] = 5;
    assert_int_equal(known(col, N, 3), 0);
    assert_int_equal(known(col, N, 3), 0);
    sculpt_data_enter(col, sizeof col, SCULPT_COPYIN);
    assert_int_equal(known(col, N, 3), 0);
    assert_int_equal(known(col, N, 3), 1);
    sculpt_data_exit(col, sizeof col, 0);
}

static void test_scope(void **s) { // which promises that the host leaves them alone
    (void)s;
    if (!own_memory()) skip();
    for (int round = 0; round < 2; round++) {
        col[3] = 11 * round;
        sculpt_data_begin();
        assert_int_equal(known(col, N, 1), 0);
        assert_int_equal(known(col, N, 1), 1);
        sculpt_data_end();
    }
    assert_int_equal(known(col, N, 1), 0);
}

static void test_table(void **s) { // nobody changes it
    (void)s;
    int t[] = {6, 1, 3, 2};
    assert_int_equal(known_in(&from_table, t, 4, 1), 0);
    assert_int_equal(known_in(&from_table, t, 4, 2), 1);
    assert_int_equal(known_in(&from_table, t, 3, 2), 0);
    assert_int_equal(known_in(&from_table, t, 3, 2), 1);
    assert_int_equal(known_in(&from_table, t, 4, 2), 1);
}

int main(void) {
    setenv("SCULPT_OFFLOAD", "always", 1);
    setenv("SCULPT_DEVICE", "opencl", 1);
    int there = strcmp(sculpt_device_name(), "host") != 0;
    for (int i = 0; i < N; i++) x[i] = i % 97;
    for (int i = 0; i < 2 * N; i++) col[i] = i * 7 % 500;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unheld), cmocka_unit_test(test_held),
                                       cmocka_unit_test(test_scope), cmocka_unit_test(test_table)};
    return !there ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
