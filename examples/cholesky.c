// SPDX-License-Identifier: MIT
// cholesky.c -- Cholesky factorisation of a symmetric positive definite matrix, in place.
//
//   cholesky [n]
#include "example.h"

static void factor(int n, double A[n][n]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        A[k][k] = sqrt(A[k][k]);
        for (int i = k + 1; i < n; i++)
            A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                A[i][j] -= A[i][k] * A[j][k];
    }
#pragma endscop
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 256);
    size_t size = (size_t)n * n;
    double *a = allocate(8 * size), *before = allocate(8 * size);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) a[(size_t)i * n + j] = a[(size_t)j * n + i] = i == j ? n + 1 : uniform();
    memcpy(before, a, 8 * size);
    double start = now();
    factor(n, (double(*)[n])a);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i += 1 + n / 64)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            int last = i < j ? i : j;
            for (int k = 0; k <= last; k++) sum += a[(size_t)i * n + k] * a[(size_t)j * n + k];
            worst = fmax(worst, j <= i ? fabs(sum - before[(size_t)i * n + j]) : fabs(a[(size_t)i * n + j] - before[(size_t)i * n + j]));
        }
    free(a), free(before);
    return report("cholesky", seconds, n * (double)n * n / 3, 0, worst / (n + 1), 1e-13);
}
