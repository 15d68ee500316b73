// SPDX-License-Identifier: MIT
// laplace_matrix.c -- the matrix of a Laplace kernel: exp(-|x - y| / sigma), the distance in the 1-norm.
//
//   laplace_matrix [n [dim]]
#include "example.h"

static void kernel_matrix(int n, int m, int dim, float *restrict out, const float *restrict x, const float *restrict y, float scale) {
    int i, j, d;
    float sum;
#pragma omp parallel for private(j, d, sum)
    for (i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            sum = 0;
            for (d = 0; d < dim; d++)
                sum += fabsf(x[i * dim + d] - y[j * dim + d]);
            out[i * m + j] = expf(-sum * scale);
        }
    }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 512), dim = (int)argument(argc, argv, 2, 3);
    float *x = random_floats((size_t)n * dim), *y = random_floats((size_t)n * dim), *out = random_floats((size_t)n * n);
    double start = now();
    kernel_matrix(n, n, dim, out, x, y, 0.5f);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int d = 0; d < dim; d++) sum += fabs((double)x[i * dim + d] - y[j * dim + d]);
            worst = fmax(worst, fabs(out[(size_t)i * n + j] - exp(-0.5 * sum)));
        }
    free(x), free(y), free(out);
    return report("laplace_matrix", seconds, (3.0 * dim + 2) * n * n, 4.0 * n * n, worst, 1e-6 * (dim + 4));
}
