// SPDX-License-Identifier: MIT
// symm.c -- c = alpha s b + beta d, float, s symmetric and its lower triangle stored.
#include "kind.h"

#if SPELLING == 1 // both uses of an element at once, the polyhedral tools' spelling
static void symm(int n, int m, float alpha, const float s[n][n], const float b[n][m], float beta,
                 const float d[n][m], float c[n][m]) {
    float t;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) c[i][j] = d[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            t = 0;
            for (int k = 0; k < i; k++) {
                c[k][j] += alpha * b[i][j] * s[i][k];
                t += b[k][j] * s[i][k];
            }
            c[i][j] = beta * c[i][j] + alpha * b[i][j] * s[i][i] + alpha * t;
        }
#pragma endscop
}
#elif SPELLING == 2 // two sums, below and beyond the diagonal
static void symm(int n, int m, float alpha, const float *s, const float *b, float beta, const float *d,
                 float *c) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k <= i; k++) sum += s[i * n + k] * b[k * m + j];
            for (int k = i + 1; k < n; k++) sum += s[k * n + i] * b[k * m + j];
            c[i * m + j] = alpha * sum + beta * d[i * m + j];
        }
}
#else // a choice at each term
static void symm(int n, int m, float alpha, const float (*s)[n], const float (*b)[m], float beta,
                 const float (*d)[m], float (*c)[m]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += (k <= i ? s[i][k] : s[k][i]) * b[k][j];
            c[i][j] = alpha * sum + beta * d[i][j];
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("symm", argc, argv);
    int n = kind_size(4096, 61), m = kind_size(n, 45);
    size_t in = (size_t)n * n, out = (size_t)n * m;
    float *s = kind_floats(in, 1), *b = kind_floats(out, 2), *d = kind_floats(out, 3),
          *c = kind_floats(out, 4);
    const float beta = 0.5f;
#pragma acc enter data copyin(s[0 : in], b[0 : out], d[0 : out], c[0 : out])
    while (kind_again()) {
        symm(n, m, 1.5f, (void *)s, (void *)b, beta, (void *)d, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(s[0 : in], b[0 : out], d[0 : out]) copyout(c[0 : out])
    for (int t = 0; t < 500; t++) {
        int i = kind_pick(2 * t, n), j = kind_pick(2 * t + 1, m);
        double sum = 0;
        for (int k = 0; k < n; k++) sum += (double)(k <= i ? s[i * n + k] : s[k * n + i]) * b[k * m + j];
        kind_compare(c[i * m + j], 1.5 * sum + beta * d[i * m + j], sqrt(n));
    }
    return kind_end(2.0 * n * n * m, "GFLOP/s", 2e-5);
}
