// SPDX-License-Identifier: MIT
// small_lu.c -- many small matrices factored, float, without pivots.
#include "kind.h"

#if SPELLING == 1
static void factor(int count, int n, float (*a)[n][n]) {
#pragma acc parallel loop
    for (int b = 0; b < count; b++)
        for (int k = 0; k < n; k++) {
            for (int i = k + 1; i < n; i++) a[b][i][k] /= a[b][k][k];
            for (int i = k + 1; i < n; i++)
                for (int j = k + 1; j < n; j++) a[b][i][j] -= a[b][i][k] * a[b][k][j];
        }
}
#elif SPELLING == 2 // row by row, one subscript
static void factor(int count, int n, float *a) {
#pragma sculpt
    for (int b = 0; b < count; b++) {
        float *m = a + (size_t)b * n * n;
        for (int k = 0; k < n; k++) {
            float d = 1 / m[k * n + k];
            for (int i = k + 1; i < n; i++) {
                m[i * n + k] *= d;
                for (int j = k + 1; j < n; j++) m[i * n + j] -= m[i * n + k] * m[k * n + j];
            }
        }
    }
}
#else // by a function for one
static void factor_one(int n, float *m) {
    for (int k = 0; k < n - 1; k++)
        for (int i = k + 1; i < n; i++) {
            float f = m[i * n + k] / m[k * n + k];
            m[i * n + k] = f;
            for (int j = k + 1; j < n; j++) m[i * n + j] -= f * m[k * n + j];
        }
}
static void factor(int count, int n, float *a) {
#pragma omp target teams distribute parallel for
    for (int b = 0; b < count; b++) factor_one(n, a + (size_t)b * n * n);
}
#endif

int main(int argc, char **argv) {
    kind_begin("small_lu", argc, argv);
    int count = kind_size(10000, 9), n = kind_size(32, 21);
    size_t all = (size_t)count * n * n;
    float *a = kind_floats(all, 1), *was = malloc(all * sizeof *was);
    for (size_t i = 0; i < (size_t)count * n; i++) a[i * n + i % n] += (float)n;
    memcpy(was, a, all * sizeof *was);
#pragma acc enter data create(a[0 : all])
    while (kind_again()) {
        memcpy(a, was, all * sizeof *was);
#pragma acc update device(a[0 : all])
        kind_start();
        factor(count, n, (void *)a);
#pragma acc update self(a[0 : 1])
    }
#pragma acc exit data copyout(a[0 : all])
    for (int s = 0; s < 2000; s++) {
        int b = kind_pick(3 * s, count), i = kind_pick(3 * s + 1, n), j = kind_pick(3 * s + 2, n);
        const float *m = a + (size_t)b * n * n;
        double sum = i <= j ? m[i * n + j] : 0;
        for (int k = 0; k < i && k <= j; k++) sum += (double)m[i * n + k] * m[k * n + j];
        kind_compare(sum, was[((size_t)b * n + i) * n + j], 1);
    }
    return kind_end(2.0 / 3 * count * n * n * n, "GFLOP/s", 1e-5);
}
