// SPDX-License-Identifier: MIT
// matmul_sum.c -- matrix product, row-major, each element summed in a scalar.
//
//   matmul_sum [n [m [p]]]     C(n x m) = A(n x p) * B(p x m)
#include "example.h"

static void matmul(int n, int m, int p, float *C, const float *A, const float *B) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0.0f;
            for (int k = 0; k < p; k++)
                sum += A[i * p + k] * B[k * m + j];
            C[i * m + j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 512);
    int m = (int)argument(argc, argv, 2, n), p = (int)argument(argc, argv, 3, n);
    float *a = random_floats((size_t)n * p), *b = random_floats((size_t)p * m), *c = random_floats((size_t)n * m);
    double start = now();
    matmul(n, m, p, c, a, b);
    double seconds = now() - start, worst = 0;
    for (int s = 0; s < 2000; s++) {
        size_t i = (size_t)((uniform() + 1) / 2 * n), j = (size_t)((uniform() + 1) / 2 * m);
        double sum = 0;
        for (int k = 0; k < p; k++) sum += (double)a[i * p + k] * b[(size_t)k * m + j];
        worst = fmax(worst, fabs(c[i * m + j] - sum));
    }
    free(a), free(b), free(c);
    return report("matmul_sum", seconds, 2.0 * n * m * p, 0, worst, 1e-6 * (p + 16));
}
