// SPDX-License-Identifier: MIT
// csr.c -- y = a x, double, a sparse in compressed rows of 1 to 31 elements.
#include "kind.h"

#if SPELLING == 1
static void multiply(int n, const int *row, const int *column, const double *value, const double *x,
                     double *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
#elif SPELLING == 2 // in place
static void multiply(int n, const int *row, const int *column, const double *value, const double *x,
                     double *y) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        int begin = row[i], end = row[i + 1];
        y[i] = 0;
        for (int k = begin; k < end; ++k) y[i] += x[column[k]] * value[k];
    }
}
#elif SPELLING == 4 // sums that may be reordered
static void multiply(int n, const int *row, const int *column, const double *value, const double *x,
                     double *y) {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
#else // a struct
typedef struct {
    int rows;
    const int *start, *column;
    const double *value;
} Sparse;
static void product(const Sparse *a, const double *x, double *y) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < a->rows; i++) {
        double sum = 0.0;
        int count = a->start[i + 1] - a->start[i];
        for (int k = 0; k < count; k++) {
            int at = a->start[i] + k;
            sum += a->value[at] * x[a->column[at]];
        }
        y[i] = sum;
    }
}
static void multiply(int n, const int *row, const int *column, const double *value, const double *x,
                     double *y) {
    Sparse a = {n, row, column, value};
    product(&a, x, y);
}
#endif

int main(int argc, char **argv) {
    kind_begin("csr", argc, argv);
    int n = kind_size(4000000, 1009), *row = kind_array((size_t)(n + 1) * sizeof *row), m = n;
    row[0] = 0;
    for (int i = 0; i < n; i++) row[i + 1] = row[i] + 1 + (int)(kind_bits(1, i) % 31);
    int all = row[n], *column = kind_array((size_t)all * sizeof *column);
    for (int i = 0; i < n; i++) // around the diagonal, and some anywhere
        for (int k = row[i]; k < row[i + 1]; k++) {
            unsigned r = kind_bits(2, k);
            long near = (long)i + (int)(r / 8 % 2048) - 1024;
            column[k] = r % 8 && near >= 0 && near < m ? (int)near : (int)(kind_bits(3, k) % (unsigned)m);
        }
    double *value = kind_doubles(all, 4), *x = kind_doubles(m, 5), *y = kind_doubles(n, 6);
    int n1 = n + 1;
#pragma acc enter data copyin(row[0 : n1], column[0 : all], value[0 : all], x[0 : m], y[0 : n])
    while (kind_again()) {
        multiply(n, row, column, value, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(row[0 : n1], column[0 : all], value[0 : all], x[0 : m]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
        kind_compare(y[i], sum, 1);
    }
    return kind_end(12.0 * all + 20.0 * n, "GB/s", 1e-13);
}
