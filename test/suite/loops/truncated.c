// device 12
// SPDX-License-Identifier: MIT
// truncated.c -- floating-point values that become integers and floating-point values again: what was between
// -1 and 0 is 0 then, never -0. At once, through a variable, a function, a condition and two types.
#include "../suite.h"
#define N 999
static float f[N], x[N];
static double d[N], y[N];

static inline int whole(float v) { return (int)v; }

static void at_once(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = (float)(int)f[i];
}
static void at_once_double(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) y[i] = (double)(int)d[i];
}
static void wide(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) y[i] = (double)(long)d[i];
}
static void narrower(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = (float)(long long)d[i];
}
static void wider(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) y[i] = (int)f[i];
}
static void of_byte(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = (signed char)f[i];
}
static void of_short(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) y[i] = (short)d[i];
}
static void by_variable(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int k = f[i];
        x[i] = k;
    }
}
static void by_function(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = whole(f[i]);
}
static void limited(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = f[i] > -3 && f[i] < 3 ? (int)f[i] : 7;
}
static void divided(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) y[i] = 1 / (double)(int)d[i];
}
static void fraction(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = f[i] - (float)(int)f[i];
}

static void show(const char *name) {
    long signs = 0, bits = 0;
    for (int i = 0; i < N; i++) {
        signs += signbit(x[i]) ? i : 0;
        bits += signbit(y[i]) ? i : 0;
    }
    printf("%s %ld %ld %.6e %.6e\n", name, signs, bits, x[N / 2], y[N / 3]);
    suite_use();
}

int main(void) {
    for (int i = 0; i < N; i++) {
        d[i] = (suite_next() - 0.5) * (i % 3 ? 1.9 : 9);
        if (i % 7 == 0) d[i] = -0.0;
        f[i] = (float)d[i];
    }
    at_once(), show("at once");
    at_once_double(), show("at once, double");
    wide(), show("wide");
    narrower(), show("narrower");
    wider(), show("wider");
    of_byte(), show("of byte");
    of_short(), show("of short");
    by_variable(), show("by variable");
    by_function(), show("by function");
    limited(), show("limited");
    divided(), show("divided");
    fraction(), show("fraction");
    return 0;
}
