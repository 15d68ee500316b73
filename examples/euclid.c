// SPDX-License-Identifier: MIT
// euclid.c -- squared Euclidean distances of all pairs of n points in `dim` dimensions.
//
//   euclid [n [dim]]
#include "example.h"

static void distances(int n, int m, int dim, float *out, const float *x, const float *y) {
#pragma acc parallel loop independent
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int d = 0; d < dim; d++) {
                float diff = x[i * dim + d] - y[j * dim + d];
                sum += diff * diff;
            }
            out[i * m + j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 512), dim = (int)argument(argc, argv, 2, 3);
    float *x = random_floats((size_t)n * dim), *y = random_floats((size_t)n * dim), *out = random_floats((size_t)n * n);
    double start = now();
    distances(n, n, dim, out, x, y);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int d = 0; d < dim; d++) {
                double diff = (double)x[i * dim + d] - y[j * dim + d];
                sum += diff * diff;
            }
            worst = fmax(worst, fabs(out[(size_t)i * n + j] - sum) / (sum + 1));
        }
    free(x), free(y), free(out);
    return report("euclid", seconds, 3.0 * n * n * dim, 4.0 * n * n, worst, 1e-6 * (dim + 4));
}
