// SPDX-License-Identifier: MIT
// lu.c -- a = l u without pivots, double, in place.
#include "kind.h"

#if SPELLING == 1 // right-looking
static void factor(int n, double *a) {
#pragma scop
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
#pragma endscop
}
#elif SPELLING == 2 // row by row, the polyhedral tools' spelling
static void factor(int n, double a[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++) a[i][j] -= a[i][k] * a[k][j];
    }
#pragma endscop
}
#else // a host loop over pivots with one marked loop in it
static void factor(int n, double (*a)[n]) {
    for (int k = 0; k < n; k++) {
#pragma omp target teams distribute parallel for
        for (int i = k + 1; i < n; i++) {
            a[i][k] = a[i][k] / a[k][k];
            for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
        }
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("lu", argc, argv);
    int n = kind_size(4096, 53);
    size_t all = (size_t)n * n;
    double *a = kind_array(all * sizeof *a), *first = kind_doubles(all, 1);
    for (int i = 0; i < n; i++) first[(size_t)i * n + i] = n;
#pragma acc enter data create(a[0 : all])
    while (kind_again()) {
        memcpy(a, first, all * sizeof *a);
#pragma acc update device(a[0 : all])
#pragma acc update self(a[0 : 1])
        kind_start();
        factor(n, (void *)a);
#pragma acc update self(a[0 : 1])
    }
#pragma acc exit data copyout(a[0 : all])
    for (int s = 0; s < 2000; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double sum = i <= j ? a[(size_t)i * n + j] : 0;
        for (int k = 0; k < i && k <= j; k++) sum += a[(size_t)i * n + k] * a[(size_t)k * n + j];
        kind_compare(sum, first[(size_t)i * n + j], 1);
    }
    return kind_end(2.0 * n * n * n / 3, "GFLOP/s", 1e-11);
}
