// SPDX-License-Identifier: MIT
// lu.c -- LU factorisation without pivoting, in place.
//
//   lu [n]
#include "example.h"

static void factor(int n, double *a) {
    int i, j, k;
#pragma scop
    for (k = 0; k < n; k++) {
        for (i = k + 1; i < n; i++)
            a[i * n + k] = a[i * n + k] / a[k * n + k];
        for (i = k + 1; i < n; i++)
            for (j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
#pragma endscop
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 256);
    size_t size = (size_t)n * n;
    double *a = allocate(8 * size), *before = allocate(8 * size);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[(size_t)i * n + j] = i == j ? n + 1 : uniform();
    memcpy(before, a, 8 * size);
    double start = now();
    factor(n, a);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i += 1 + n / 64)
        for (int j = 0; j < n; j++) {
            int last = i - 1 < j ? i - 1 : j;
            double sum = i <= j ? a[(size_t)i * n + j] : 0;
            for (int k = 0; k <= last; k++) sum += a[(size_t)i * n + k] * a[(size_t)k * n + j];
            worst = fmax(worst, fabs(sum - before[(size_t)i * n + j]));
        }
    free(a), free(before);
    return report("lu", seconds, 2.0 * n * n * n / 3, 0, worst / (n + 1), 1e-13);
}
