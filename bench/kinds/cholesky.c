// SPDX-License-Identifier: MIT
// cholesky.c -- a = l l', double, in the lower triangle of a.
#include "kind.h"

#if SPELLING == 1 // right-looking: a column, then what lies behind it
static void factor(int n, double *a) {
#pragma scop
    for (int k = 0; k < n; k++) {
        a[k * n + k] = sqrt(a[k * n + k]);
        for (int i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
#pragma endscop
}
#elif SPELLING == 2 // row by row, the polyhedral tools' spelling
static void factor(int n, double a[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
        for (int k = 0; k < i; k++) a[i][i] -= a[i][k] * a[i][k];
        a[i][i] = sqrt(a[i][i]);
    }
#pragma endscop
}
#else // left-looking, a host loop over columns with marked loops in it
static void factor(int n, double (*a)[n]) {
    for (int j = 0; j < n; j++) {
#pragma acc parallel loop
        for (int i = j; i < n; i++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
            a[i][j] = sum;
        }
#pragma acc parallel loop
        for (int i = j + 1; i < n; i++) a[i][j] = a[i][j] / sqrt(a[j][j]);
#pragma acc parallel loop
        for (int i = j; i < j + 1; i++) a[i][i] = sqrt(a[i][i]);
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("cholesky", argc, argv);
    int n = kind_size(4096, 53);
    size_t all = (size_t)n * n;
    double *a = kind_array(all * sizeof *a), *first = kind_doubles(all, 1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) first[(size_t)j * n + i] = first[(size_t)i * n + j];
        first[(size_t)i * n + i] = n;
    }
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
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n), least = i < j ? i : j, most = i < j ? j : i;
        double sum = 0;
        for (int k = 0; k <= least; k++) sum += a[(size_t)most * n + k] * a[(size_t)least * n + k];
        kind_compare(sum, first[(size_t)i * n + j], 1);
    }
    return kind_end((double)n * n * n / 3, "GFLOP/s", 1e-11);
}
