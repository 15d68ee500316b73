// SPDX-License-Identifier: MIT
// trisolve.c -- l x = b, double, l lower triangular.
#include "kind.h"

#if SPELLING == 1 // a sum a row
static void solve(int n, const double *l, const double *b, double *x) {
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= l[i * n + j] * x[j];
        x[i] = x[i] / l[i * n + i];
    }
#pragma endscop
}
#elif SPELLING == 2 // column by column: what is known is taken from all rows that follow
static void solve(int n, const double l[n][n], const double b[n], double x[n]) {
#pragma scop
    for (int i = 0; i < n; i++) x[i] = b[i];
    for (int j = 0; j < n; j++) {
        x[j] /= l[j][j];
        for (int i = j + 1; i < n; i++) x[i] -= l[i][j] * x[j];
    }
#pragma endscop
}
#else // a scalar sum under a permission
static void solve(int n, const double (*l)[n], const double *b, double *x) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < i; j++) sum += l[i][j] * x[j];
        x[i] = (b[i] - sum) / l[i][i];
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("trisolve", argc, argv);
    int n = kind_size(4096, 101);
    size_t all = (size_t)n * n;
    double *l = kind_doubles(all, 1), *b = kind_doubles(n, 2), *x = kind_doubles(n, 3);
    for (int i = 0; i < n; i++) l[(size_t)i * n + i] = 4 * sqrt(n);
#pragma acc enter data copyin(l[0 : all], b[0 : n], x[0 : n])
    while (kind_again()) {
        solve(n, (void *)l, b, x);
#pragma acc update self(x[0 : 1])
    }
#pragma acc exit data delete(l[0 : all], b[0 : n]) copyout(x[0 : n])
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j <= i; j++) sum += l[(size_t)i * n + j] * x[j];
        kind_compare(sum, b[i], 1);
    }
    return kind_end(4.0 * n * n, "GB/s", 1e-11);
}
