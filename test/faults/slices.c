// slices.c -- long arrays, whose data come and go in slices: updated in place, and from one to another.
#include "faults.h"

enum { N = 100000 };
static double a[N], b[N];

__attribute__((noinline)) static void scale(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) a[i] = a[i] * 1.5 + b[i];
}
__attribute__((noinline)) static void blur(int n, const double *restrict x, double *restrict y) {
#pragma sculpt
    for (int i = 1; i < n - 1; i++) y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < N; i++) a[i] = i % 100, b[i] = 1;
    scope_begin(argc);
    for (int k = 0; k < 2; k++) scale(N), blur(N, a, b);
    scope_end(argc);
    for (int i = 0; i < N; i++) note(a[i]), note(b[i]);
    return tell();
}
