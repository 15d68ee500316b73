// SPDX-License-Identifier: MIT
// product_mixed.c -- c = a b of floats, summed in double.
#include "kind.h"

#if SPELLING == 1
static void product(int n, const float *a, const float *b, float *c) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += (double)a[i * n + k] * b[k * n + j];
            c[i * n + j] = (float)sum;
        }
}
#elif SPELLING == 2 // both factors widened
static void product(int n, const float (*a)[n], const float (*b)[n], float (*c)[n]) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += (double)a[i][k] * (double)b[k][j];
            c[i][j] = sum;
        }
}
#else // a pitch of 64 bits
static void product(long n, const float *restrict a, const float *restrict b, float *restrict c) {
#pragma sculpt reassociate
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++) {
                double x = a[i * n + k], y = b[k * n + j];
                sum = sum + x * y;
            }
            c[i * n + j] = (float)sum;
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("product_mixed", argc, argv);
    int n = kind_size(4096, 67);
    size_t all = (size_t)n * n;
    float *a = kind_floats(all, 1), *b = kind_floats(all, 2), *c = kind_floats(all, 3);
#pragma acc enter data copyin(a[0 : all], b[0 : all], c[0 : all])
    while (kind_again()) {
        product(n, (void *)a, (void *)b, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : all], b[0 : all]) copyout(c[0 : all])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double sum = 0;
        for (int k = 0; k < n; k++) sum += (double)a[i * n + k] * b[k * n + j];
        kind_compare(c[i * n + j], sum, 1e-2);
    }
    return kind_end(2.0 * n * n * n, "GFLOP/s", 1e-7);
}
