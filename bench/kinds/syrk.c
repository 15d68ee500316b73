// SPDX-License-Identifier: MIT
// syrk.c -- the lower triangle of c = alpha a a' + beta c, float; what lies above stays.
#include "kind.h"

#if SPELLING == 1 // the polyhedral tools' own spelling
static void syrk(int n, int m, float alpha, const float a[n][m], float beta, float c[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) c[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) c[i][j] += alpha * a[i][k] * a[j][k];
    }
#pragma endscop
}
#elif SPELLING == 2 // the library's spelling
static void syrk(int n, int m, float alpha, const float *a, float beta, float *c) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float sum = 0;
            for (int k = 0; k < m; k++) sum += a[i * m + k] * a[j * m + k];
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
}
#else
static void syrk(int n, int m, float alpha, const float (*a)[m], float beta, float (*c)[n]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i + 1; j++) {
            c[i][j] *= beta;
            for (int k = 0; k < m; k++) c[i][j] += alpha * a[i][k] * a[j][k];
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("syrk", argc, argv);
    int n = kind_size(4096, 61), m = kind_size(n, 45);
    size_t in = (size_t)m * n, out = (size_t)n * n;
    float *a = kind_floats(in, 1), *c = kind_floats(out, 2);
#pragma acc enter data copyin(a[0 : in], c[0 : out])
    int calls = 0;
    for (; kind_again(); calls++) {
        syrk(n, m, 1.5f, (void *)a, 0.25f, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : in]) copyout(c[0 : out])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double sum = 0, want = (float)kind_value(2, (size_t)i * n + j);
        for (int k = 0; k < m; k++) sum += (double)a[i * m + k] * a[j * m + k];
        for (int t = 0; t < calls && j <= i; t++) want = 1.5 * sum + 0.25 * want;
        kind_compare(c[i * n + j], want, sqrt(m));
    }
    return kind_end((double)n * (n + 1) * m, "GFLOP/s", 2e-5);
}
