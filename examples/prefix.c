// SPDX-License-Identifier: MIT
// prefix.c -- a running product-sum: each iteration needs the one before, so the loop must
// stay serial, and sculpt must say so.
//
//   prefix [n]
#include "example.h"

static void scan(int n, double *restrict s, const double *restrict x, double decay) {
#pragma scop
    for (int i = 1; i < n; i++)
        s[i] = decay * s[i - 1] + x[i];
#pragma endscop
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 100000);
    double *x = allocate(8 * n), *s = allocate(8 * n);
    for (int i = 0; i < n; i++) x[i] = uniform(), s[i] = -1;
    double start = now();
    scan(n, s, x, 0.9);
    double seconds = now() - start, worst = 0, last = -1;
    for (int i = 1; i < n; i++) {
        last = 0.9 * last + x[i];
        worst = fmax(worst, fabs(s[i] - last));
    }
    free(x), free(s);
    return report("prefix", seconds, 2.0 * n, 24.0 * n, worst, 1e-12);
}
