// SPDX-License-Identifier: MIT
// matmul.c -- matrix product, row-major, in place: C[i][j] += A[i][k] * B[k][j].
//
//   matmul [n]
#include "example.h"

static void matmul(int n, float C[n][n], float A[n][n], float B[n][n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 512);
    float *a = random_floats((size_t)n * n), *b = random_floats((size_t)n * n), *c = random_floats((size_t)n * n);
    float *before = allocate(sizeof(float) * n * n);
    memcpy(before, c, sizeof(float) * n * n);
    double start = now();
    matmul(n, (float(*)[n])c, (float(*)[n])a, (float(*)[n])b);
    double seconds = now() - start, worst = 0;
    for (int s = 0; s < 2000; s++) {
        size_t i = (size_t)((uniform() + 1) / 2 * n), j = (size_t)((uniform() + 1) / 2 * n);
        double sum = before[i * n + j];
        for (int k = 0; k < n; k++) sum += (double)a[i * n + k] * b[(size_t)k * n + j];
        worst = fmax(worst, fabs(c[i * n + j] - sum));
    }
    free(a), free(b), free(c), free(before);
    return report("matmul", seconds, 2.0 * n * n * n, 0, worst, 1e-6 * (n + 16));
}
