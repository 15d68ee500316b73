// SPDX-License-Identifier: MIT
// suite.h -- filling and printing for programs whose output must not change with sculpt.
#ifndef SUITE_H
#define SUITE_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned suite_state = 12345;
static double suite_next(void) { // in [0, 1)
    suite_state = suite_state * 1664525u + 1013904223u;
    return (suite_state >> 8) / 16777216.0;
}
static void fill_doubles(double *x, long n) {
    for (long i = 0; i < n; i++) x[i] = suite_next() - 0.25;
}
static void fill_floats(float *x, long n) {
    for (long i = 0; i < n; i++) x[i] = (float)(suite_next() - 0.25);
}
static void fill_ints(int *x, long n, int below) {
    for (long i = 0; i < n; i++) x[i] = (int)(suite_next() * below);
}
// A digest that sees each element and its place.
static void show_doubles(const char *name, const double *x, long n) {
    double sum = 0, moment = 0;
    for (long i = 0; i < n; i++) sum += x[i], moment += x[i] * (1 + i % 17);
    printf("%s %.7e %.7e %.7e %.7e\n", name, sum, moment, n ? x[0] : 0, n ? x[n - 1] : 0);
}
static void show_floats(const char *name, const float *x, long n) {
    double sum = 0, moment = 0;
    for (long i = 0; i < n; i++) sum += x[i], moment += (double)x[i] * (1 + i % 17);
    printf("%s %.4e %.4e %.4e %.4e\n", name, sum, moment, n ? x[0] : 0, n ? x[n - 1] : 0);
}
static void show_ints(const char *name, const int *x, long n) {
    unsigned long hash = 14695981039346656037ul;
    for (long i = 0; i < n; i++) hash = (hash ^ (unsigned)x[i]) * 1099511628211ul;
    printf("%s %lx\n", name, hash);
}
static void suite_use(void) {
    (void)suite_use, (void)fill_doubles, (void)fill_floats, (void)fill_ints, (void)show_doubles,
        (void)show_floats, (void)show_ints;
}
#endif
