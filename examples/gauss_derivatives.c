// SPDX-License-Identifier: MIT
// gauss_derivatives.c -- a Gaussian kernel of all pairs of points and its first three
// derivatives: outputs of rank 2 to 5, linearised.
//
//   gauss_derivatives [n [dim]]     dim at most 3
#include "example.h"

static inline float gauss(float r2, float scale) { return expf(-r2 * scale); }
static inline int same(int a, int b) { return a == b ? 1 : 0; }

static void derivatives(int n, int dim, const float *restrict x, float *restrict k0, float *restrict k1,
                        float *restrict k2, float *restrict k3, float scale) {
    float c = -2.0f * scale;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float diff[3];
            float r2 = 0;
            for (int d = 0; d < dim; d++) {
                diff[d] = x[i * dim + d] - x[j * dim + d];
                r2 += diff[d] * diff[d];
            }
            float g = gauss(r2, scale);
            k0[i * n + j] = g;
            for (int a = 0; a < dim; a++) {
                k1[(i * n + j) * dim + a] = c * diff[a] * g;
                for (int b = 0; b < dim; b++) {
                    k2[((i * n + j) * dim + a) * dim + b] = (c * c * diff[a] * diff[b] + c * same(a, b)) * g;
                    for (int e = 0; e < dim; e++)
                        k3[(((i * n + j) * dim + a) * dim + b) * dim + e] =
                            (c * c * c * diff[a] * diff[b] * diff[e] +
                             c * c * (same(a, b) * diff[e] + same(a, e) * diff[b] + same(b, e) * diff[a])) * g;
                }
            }
        }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 256), dim = (int)argument(argc, argv, 2, 3);
    if (dim < 1 || dim > 3) return fputs("dim must be 1..3\n", stderr), 2;
    size_t pairs = (size_t)n * n, per = (size_t)dim;
    float *x = random_floats((size_t)n * dim), *k0 = random_floats(pairs), *k1 = random_floats(pairs * per);
    float *k2 = random_floats(pairs * per * per), *k3 = random_floats(pairs * per * per * per);
    double start = now();
    derivatives(n, dim, x, k0, k1, k2, k3, 0.3f);
    double seconds = now() - start, worst = 0, c = -2.0 * (double)0.3f;
    for (size_t q = 0; q < pairs; q++) {
        double diff[3], r2 = 0;
        for (int d = 0; d < dim; d++) diff[d] = (double)x[q / n * dim + d] - x[q % n * dim + d], r2 += diff[d] * diff[d];
        double g = exp(-r2 * (double)0.3f);
        worst = fmax(worst, fabs(k0[q] - g));
        for (int a = 0; a < dim; a++) {
            worst = fmax(worst, fabs(k1[q * dim + a] - c * diff[a] * g));
            for (int b = 0; b < dim; b++) {
                worst = fmax(worst, fabs(k2[(q * dim + a) * dim + b] - (c * c * diff[a] * diff[b] + c * (a == b)) * g));
                for (int e = 0; e < dim; e++) {
                    double d3 = c * c * c * diff[a] * diff[b] * diff[e] +
                                c * c * ((a == b) * diff[e] + (a == e) * diff[b] + (b == e) * diff[a]);
                    worst = fmax(worst, fabs(k3[((q * dim + a) * dim + b) * dim + e] - d3 * g));
                }
            }
        }
    }
    free(x), free(k0), free(k1), free(k2), free(k3);
    double outputs = 1 + dim + (double)dim * dim + (double)dim * dim * dim;
    return report("gauss_derivatives", seconds, 0, 4.0 * outputs * pairs, worst, 1e-5);
}
