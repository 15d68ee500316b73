// SPDX-License-Identifier: MIT
// ell.c -- y = a x, double, a sparse with as many elements in each row.
#include "kind.h"

#if SPELLING == 1 // rows side by side
#define AT(i, k) ((size_t)(k) * n + (i))
static void multiply(int n, int w, const int *column, const double *value, const double *x, double *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < w; k++) sum += value[(size_t)k * n + i] * x[column[(size_t)k * n + i]];
        y[i] = sum;
    }
}
#elif SPELLING == 2 // a row's elements side by side
#define AT(i, k) ((size_t)(i) * w + (k))
static void multiply(int n, int w, const int *column, const double *value, const double *x, double *y) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        const double *a = value + (size_t)i * w;
        const int *c = column + (size_t)i * w;
        y[i] = 0;
        for (int k = 0; k < w; k++) y[i] += a[k] * x[c[k]];
    }
}
#else // the same, sums that may be reordered
#define AT(i, k) ((size_t)(i) * w + (k))
static void multiply(int n, int w, const int *column, const double *value, const double *x, double *y) {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k < w; k++) sum += value[(size_t)i * w + k] * x[column[(size_t)i * w + k]];
        y[i] = sum;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("ell", argc, argv);
    int n = kind_size(4000000, 1009), w = kind_size(16, 7);
    size_t all = (size_t)n * w;
    int *column = kind_array(all * sizeof *column);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < w; k++) {
            unsigned r = kind_bits(2, AT(i, k));
            long near = (long)i + (int)(r / 8 % 2048) - 1024;
            column[AT(i, k)] = r % 8 && near >= 0 && near < n ? (int)near : kind_pick(3, n);
        }
    double *value = kind_doubles(all, 4), *x = kind_doubles(n, 5), *y = kind_doubles(n, 6);
#pragma acc enter data copyin(column[0 : all], value[0 : all], x[0 : n], y[0 : n])
    while (kind_again()) {
        multiply(n, w, column, value, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(column[0 : all], value[0 : all], x[0 : n]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < w; k++) sum += value[AT(i, k)] * x[column[AT(i, k)]];
        kind_compare(y[i], sum, 1);
    }
    return kind_end(12.0 * (double)all + 16.0 * n, "GB/s", 1e-13);
}
