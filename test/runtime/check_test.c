// SPDX-License-Identifier: MIT
// check_test.c -- SCULPT_CHECK finds what damaged nests do, in every place where they can do it.
//
// Each case runs in a process of its own, on each device that is present (SCULPT_TEST_DEVICES, default
// "cpu opencl"): settings are read once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sculpt/sculpt.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// a[i] = 2 * b[i] for i < n, as a nest that says `feet` and runs `last` iterations of `body`.
#define TEXT(declared, feet, last, body)                                                  \
    "sculpt 1\nregion twice @\"t.c\":1:1 scop {\nparam n: i32 = \"n\"\narray a[" declared \
    "\narray b[?]: i32 = \"b\" live\ndo { for i: i32 = 0 .. n { S0[i] } }\n"              \
    "stmt S0[i] @1:1: a[i] = 2 * b[i]\n}\n"                                               \
    NEST("gpu", feet, last, body) NEST("cpu", feet, last, body)
#define NEST(target, feet, last, body)                                                             \
    "nest \"" target "\" {\nwhen 1\n" feet "do { kernel k0 { for ib: i32 = 0 .. " last " block { " \
    body " } } }\n}\n"
#define POINTER "?]: i32 = \"a\" live"
#define DECLARED "100]: i32 = \"a\" live constant"
#define FEET "foot a[0 to n - 1] out exact\nfoot b[0 to n - 1] in\n"

typedef struct Case {
    const char *text, *found; // NULL: nothing
    int written;              // elements that the original loops write
} Case;

static const Case right = {TEXT(POINTER, FEET, "n", "S0[ib]"), NULL, 90};
static const Case forgets = {TEXT(POINTER, "foot a[0 to n - 2] out exact\nfoot b[0 to n - 1] in\n", "n - 1",
                                  "S0[ib]"),
                             "4 bytes written by the original loops alone, the first in a, 356 bytes", 90};
static const Case forgets_declared = {TEXT(DECLARED, FEET, "n", "S0[ib]"),
                                      "40 bytes written by the original loops alone", 100};
static const Case forgets_all = {TEXT(POINTER, "foot a[0 to -1] out exact\nfoot b[0 to -1] in\n", "0",
                                      "S0[ib]"),
                                 "written by the original loops alone, the first in a, 0 bytes", 90};
static const Case writes_behind = {TEXT(POINTER, FEET, "n", "{ S0[ib] copy a[ib + 8] = 0 }"),
                                   "bytes written on the device outside", 90};
static const Case writes_before = {TEXT(POINTER, FEET, "n", "{ S0[ib] copy a[ib - 8] = 7 }"),
                                   "bytes written on the device outside", 90};
static const Case writes_input = {TEXT(POINTER, FEET, "n", "{ S0[ib] copy b[ib] = 5 }"),
                                  "bytes written on the device outside", 90};
static const Case computes_else = {TEXT(POINTER, FEET, "n", "copy a[ib] = 3 * b[ib]"),
                                   "a, element 1 of those written: 3 on the device", 90};
static const Case runs_away = {TEXT(POINTER, FEET, "n", "copy a[ib * 20000000] = 1"),
                               "reaches outside of its data", 90};

// ---- a case in its own process ------------------------------------------------------------------
static void call(const Case *k) {
    static int fixed[100];
    int *a = strstr(k->text, DECLARED) ? fixed : malloc(100 * sizeof *a), *b = malloc(100 * sizeof *b),
        n = 90;
    for (int i = 0; i < 100; i++) a[i] = -1, b[i] = i;
    sculpt_region r = {SCULPT_ABI, 0, k->text, "t.c", 1, NULL};
    sculpt_arg g[3] = {{.p = a}, {.p = b}, {.i = n}};
    if (sculpt_enter(&r, g, 3)) exit(9);
    for (int i = 0; i < k->written; i++) a[i] = 2 * b[i];
    sculpt_leave(&r, g, 3);
    exit(0);
}

static void check(const char *device, const Case *k) {
    char path[] = "/tmp/sculpt-check-XXXXXX", told[4096] = "";
    int fd = mkstemp(path), status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(120);
        setenv("SCULPT_DEVICE", device, 1);
        setenv("SCULPT_CACHE_MAX", "0", 1);
        setenv("SCULPT_CHECK", "1", 1);
        setenv("SCULPT_CHECK_FILE", path, 1);
        call(k);
    }
    waitpid(pid, &status, 0);
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (read(fd, told, sizeof told - 1) < 0) told[0] = 0;
    close(fd);
    unlink(path);
    bool good = status == (k->found ? 4 : 0) && strstr(told, k->found ? k->found : "\"mismatches\": 0");
    if (!good) fprintf(stderr, "on %s: status %d, told %s\nwanted: %s\n%s", device, status, told,
                       k->found ? k->found : "", k->text);
    assert_true(good);
}

static void everywhere(const Case *k) {
    const char *all = getenv("SCULPT_TEST_DEVICES");
    char *list = strdup(all ? all : "cpu opencl"), *save = NULL;
    for (char *d = strtok_r(list, " ", &save); d; d = strtok_r(NULL, " ", &save)) check(d, k);
    free(list);
}

// ---- the tests ------------------------------------------------------------------------------------
static void right_test(void **s) { (void)s, everywhere(&right); }
static void forgotten_test(void **s) {
    (void)s;
    everywhere(&forgets);
    everywhere(&forgets_declared);
    everywhere(&forgets_all);
}
static void stray_test(void **s) {
    (void)s;
    everywhere(&writes_behind);
    everywhere(&writes_before);
    everywhere(&writes_input);
}
static void values_test(void **s) { (void)s, everywhere(&computes_else); }
static void deadly_test(void **s) { (void)s, check("cpu", &runs_away); }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(right_test), cmocka_unit_test(forgotten_test),
                                       cmocka_unit_test(stray_test),
                                       cmocka_unit_test(values_test), cmocka_unit_test(deadly_test)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
