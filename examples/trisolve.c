// SPDX-License-Identifier: MIT
// trisolve.c -- solves L * X = B for lower triangular L and many right-hand sides, in place.
//
//   trisolve [n [columns]]
#include "example.h"

static void solve(int n, int m, double L[n][n], double X[n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            for (int j = 0; j < m; j++)
                X[i][j] -= L[i][k] * X[k][j];
        for (int j = 0; j < m; j++)
            X[i][j] /= L[i][i];
    }
#pragma endscop
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 256), m = (int)argument(argc, argv, 2, n);
    double *l = allocate(8 * (size_t)n * n), *x = allocate(8 * (size_t)n * m), *b = allocate(8 * (size_t)n * m);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) l[(size_t)i * n + k] = k < i ? uniform() / n : k == i ? 2 + uniform() : NAN;
    for (size_t i = 0; i < (size_t)n * m; i++) b[i] = x[i] = uniform();
    double start = now();
    solve(n, m, (double(*)[n])l, (double(*)[m])x);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 1 + m / 128) {
            double sum = 0;
            for (int k = 0; k <= i; k++) sum += l[(size_t)i * n + k] * x[(size_t)k * m + j];
            worst = fmax(worst, fabs(sum - b[(size_t)i * m + j]));
        }
    free(l), free(x), free(b);
    return report("trisolve", seconds, 1.0 * n * n * m, 0, worst, 1e-13);
}
