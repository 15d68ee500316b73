// SPDX-License-Identifier: MIT
// syr2k.c -- the lower triangle of c = alpha (a b' + b a') + beta c, float.
#include "kind.h"

#if SPELLING == 1
static void syr2k(int n, int m, float alpha, const float a[n][m], const float b[n][m], float beta,
                  float c[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) c[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) c[i][j] += a[j][k] * alpha * b[i][k] + b[j][k] * alpha * a[i][k];
    }
#pragma endscop
}
#elif SPELLING == 2
static void syr2k(int n, int m, float alpha, const float *a, const float *b, float beta, float *c) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float sum = 0;
            for (int k = 0; k < m; k++) sum += a[i * m + k] * b[j * m + k] + b[i * m + k] * a[j * m + k];
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
}
#else // two sums
static void syr2k(int n, int m, float alpha, const float (*a)[m], const float (*b)[m], float beta,
                  float (*c)[n]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float one = 0, other = 0;
            for (int k = 0; k < m; k++) {
                one += a[i][k] * b[j][k];
                other += b[i][k] * a[j][k];
            }
            c[i][j] = beta * c[i][j] + alpha * (one + other);
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("syr2k", argc, argv);
    int n = kind_size(4096, 61), m = kind_size(n, 45);
    size_t in = (size_t)m * n, out = (size_t)n * n;
    float *a = kind_floats(in, 1), *b = kind_floats(in, 2), *c = kind_floats(out, 3);
#pragma acc enter data copyin(a[0 : in], b[0 : in], c[0 : out])
    int calls = 0;
    for (; kind_again(); calls++) {
        syr2k(n, m, 1.5f, (void *)a, (void *)b, 0.25f, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : in], b[0 : in]) copyout(c[0 : out])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double sum = 0, want = (float)kind_value(3, (size_t)i * n + j);
        for (int k = 0; k < m; k++)
            sum += (double)a[i * m + k] * b[j * m + k] + (double)b[i * m + k] * a[j * m + k];
        for (int t = 0; t < calls && j <= i; t++) want = 1.5 * sum + 0.25 * want;
        kind_compare(c[i * n + j], want, sqrt(m));
    }
    return kind_end(2.0 * n * (n + 1) * m, "GFLOP/s", 2e-5);
}
