// SPDX-License-Identifier: MIT
// trmm.c -- c = alpha l b, float, l lower triangular: its upper half must not be read as numbers.
#include "kind.h"

#if SPELLING == 1
static void trmm(int n, int m, float alpha, const float *l, const float *b, float *c) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k <= i; k++) sum += l[i * n + k] * b[k * m + j];
            c[i * m + j] = alpha * sum;
        }
}
#elif SPELLING == 2 // terms under a condition
static void trmm(int n, int m, float alpha, const float (*l)[n], const float (*b)[m], float (*c)[m]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                if (k <= i) sum += l[i][k] * b[k][j];
            c[i][j] = alpha * sum;
        }
}
#else // in place: rows from the last, so that a row of b is read before it is overwritten
static void trmm(int n, int m, float alpha, const float l[n][n], const float b[n][m], float c[n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) c[i][j] = b[i][j];
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++) {
            c[i][j] *= l[i][i];
            for (int k = 0; k < i; k++) c[i][j] += l[i][k] * c[k][j];
            c[i][j] *= alpha;
        }
#pragma endscop
}
#endif

int main(int argc, char **argv) {
    kind_begin("trmm", argc, argv);
    int n = kind_size(4096, 61), m = kind_size(n, 45);
    size_t in = (size_t)n * n, out = (size_t)n * m;
    float *l = kind_floats(in, 1), *b = kind_floats(out, 2), *c = kind_floats(out, 3);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) l[i * n + k] = NAN;
#pragma acc enter data copyin(l[0 : in], b[0 : out], c[0 : out])
    while (kind_again()) {
        trmm(n, m, 1.5f, (void *)l, (void *)b, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(l[0 : in], b[0 : out]) copyout(c[0 : out])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, m);
        double sum = 0;
        for (int k = 0; k <= i; k++) sum += (double)l[i * n + k] * b[k * m + j];
        kind_compare(c[i * m + j], 1.5 * sum, sqrt(n));
    }
    return kind_end((double)n * (n + 1) * m, "GFLOP/s", 2e-5);
}
