// SPDX-License-Identifier: MIT
// coo.c -- y += a x, double, a sparse in coordinates, 16 elements a row on average.
#include "kind.h"

#if SPELLING == 1
static void multiply(int m, const int *row, const int *column, const double *value, const double *x,
                     double *y) {
#pragma acc parallel loop
    for (int k = 0; k < m; k++) {
#pragma acc atomic
        y[row[k]] += value[k] * x[column[k]];
    }
}
#elif SPELLING == 2
static void multiply(int m, const int *row, const int *column, const double *value, const double *x,
                     double *y) {
#pragma omp target teams distribute parallel for
    for (int k = 0; k < m; k++) {
        double term = x[column[k]] * value[k];
#pragma omp atomic
        y[row[k]] += term;
    }
}
#else // records
typedef struct {
    int row, column;
    double value;
} Entry;
static void multiply(int m, const Entry *a, const double *x, double *y) {
#pragma acc parallel loop
    for (int k = 0; k < m; k++) {
#pragma acc atomic
        y[a[k].row] += a[k].value * x[a[k].column];
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("coo", argc, argv);
    int n = kind_size(4000000, 1009), m = 16 * n;
    int *row = kind_array((size_t)m * sizeof *row), *column = kind_array((size_t)m * sizeof *column);
    for (int k = 0; k < m; k++) {
        column[k] = (int)(kind_bits(3, k) % (unsigned)n);
        row[k] = kind_bits(5, k) % 8 ? k / 16 : (int)(kind_bits(7, k) % (unsigned)n);
    }
    double *value = kind_doubles(m, 4), *x = kind_doubles(n, 5), *y = kind_array(n * sizeof *y);
    for (int i = 0; i < n; i++) y[i] = 0;
#if SPELLING == 3
    Entry *a = kind_array((size_t)m * sizeof *a);
    for (int k = 0; k < m; k++) a[k] = (Entry){row[k], column[k], value[k]};
#pragma acc enter data copyin(a[0 : m], x[0 : n], y[0 : n])
#else
#pragma acc enter data copyin(row[0 : m], column[0 : m], value[0 : m], x[0 : n], y[0 : n])
#endif
    while (kind_again()) {
#if SPELLING == 3
        multiply(m, a, x, y);
#else
        multiply(m, row, column, value, x, y);
#endif
#pragma acc update self(y[0 : 1])
    }
#if SPELLING == 3
#pragma acc exit data delete(a[0 : m], x[0 : n]) copyout(y[0 : n])
#else
#pragma acc exit data delete(row[0 : m], column[0 : m], value[0 : m], x[0 : n]) copyout(y[0 : n])
#endif
    double *want = kind_array(n * sizeof *want);
    for (int i = 0; i < n; i++) want[i] = 0;
    for (int k = 0; k < m; k++) want[row[k]] += value[k] * x[column[k]];
    for (int i = 0; i < n; i++) kind_compare(y[i], kind.calls * want[i], 1);
    return kind_end(16.0 * m + 16.0 * n, "GB/s", 1e-12);
}
