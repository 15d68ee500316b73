// SPDX-License-Identifier: MIT
// batched.c -- many small products, float.
#include "kind.h"

#if SPELLING == 1
static void products(int count, int n, const float *a, const float *b, float *c) {
#pragma acc parallel loop collapse(3)
    for (int t = 0; t < count; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int k = 0; k < n; k++) sum += a[(t * n + i) * n + k] * b[(t * n + k) * n + j];
                c[(t * n + i) * n + j] = sum;
            }
}
#elif SPELLING == 2 // one product a turn, of arrays of three subscripts
static void products(int count, int n, const float (*a)[n][n], const float (*b)[n][n], float (*c)[n][n]) {
#pragma omp target teams distribute parallel for
    for (int t = 0; t < count; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                c[t][i][j] = 0;
                for (int k = 0; k < n; k++) c[t][i][j] += a[t][i][k] * b[t][k][j];
            }
}
#else // by a function for one
static void product(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
static void products(int count, int n, const float *a, const float *b, float *c) {
#pragma omp target teams distribute parallel for
    for (int t = 0; t < count; t++) product(n, a + t * n * n, b + t * n * n, c + t * n * n);
}
#endif

int main(int argc, char **argv) {
    kind_begin("batched", argc, argv);
    int count = kind_size(8192, 5), n = kind_size(64, 64);
    size_t all = (size_t)count * n * n;
    float *a = kind_floats(all, 1), *b = kind_floats(all, 2), *c = kind_floats(all, 3);
#pragma acc enter data copyin(a[0 : all], b[0 : all], c[0 : all])
    while (kind_again()) {
        products(count, n, (void *)a, (void *)b, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : all], b[0 : all]) copyout(c[0 : all])
    for (int s = 0; s < 2000; s++) {
        int t = kind_pick(3 * s, count), i = kind_pick(3 * s + 1, n), j = kind_pick(3 * s + 2, n);
        double sum = 0;
        for (int k = 0; k < n; k++) sum += (double)a[(t * n + i) * n + k] * b[(t * n + k) * n + j];
        kind_compare(c[(t * n + i) * n + j], sum, sqrt(n));
    }
    return kind_end(2.0 * count * n * n * n, "GFLOP/s", 1e-5);
}
