// SPDX-License-Identifier: MIT
// product_double.c -- c = a b in double.
#include "kind.h"

#if SPELLING == 1
static void product(int n, const double *a, const double *b, double *c) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
#elif SPELLING == 2 // the middle loop outermost but one: rows of c are added to
static void product(int n, const double (*a)[n], const double (*b)[n], double (*c)[n]) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) c[i][j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];
    }
}
#else // elements by a function
static inline double at(const double *x, int pitch, int i, int j) { return x[i * pitch + j]; }
static void product(int n, const double *a, const double *b, double *c) {
#pragma acc parallel loop
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++) c[i * n + j] += at(a, n, i, k) * at(b, n, k, j);
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("product_double", argc, argv);
    int n = kind_size(4096, 67);
    size_t all = (size_t)n * n;
    double *a = kind_doubles(all, 1), *b = kind_doubles(all, 2), *c = kind_doubles(all, 3);
#pragma acc enter data copyin(a[0 : all], b[0 : all], c[0 : all])
    while (kind_again()) {
        product(n, (void *)a, (void *)b, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : all], b[0 : all]) copyout(c[0 : all])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        long double sum = 0;
        for (int k = 0; k < n; k++) sum += (long double)a[i * n + k] * b[k * n + j];
        kind_compare(c[i * n + j], (double)sum, sqrt(n));
    }
    return kind_end(2.0 * n * n * n, "GFLOP/s", 1e-13);
}
