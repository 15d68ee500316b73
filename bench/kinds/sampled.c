// SPDX-License-Identifier: MIT
// sampled.c -- x = v * (a b^T) where a sparse matrix in compressed rows has elements, float.
#include "kind.h"

#if SPELLING == 1
static void sample(int n, int m, const int *row, const int *column, const float *v, const float *a,
                   const float *b, float *x) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++) {
            float sum = 0;
            for (int j = 0; j < m; j++) sum += a[i * m + j] * b[column[k] * m + j];
            x[k] = v[k] * sum;
        }
}
#elif SPELLING == 2 // rows of two subscripts, in place
static void rows(int n, int m, const int *row, const int *column, const float *v, const float (*a)[m],
                 const float (*b)[m], float *x) {
#pragma sculpt reassociate
    for (int i = 0; i < n; ++i) {
        int begin = row[i], end = row[i + 1];
        for (int k = begin; k < end; ++k) {
            x[k] = 0;
            for (int j = 0; j < m; ++j) x[k] += b[column[k]][j] * a[i][j];
            x[k] *= v[k];
        }
    }
}
static void sample(int n, int m, const int *row, const int *column, const float *v, const float *a,
                   const float *b, float *x) {
    rows(n, m, row, column, v, (const float (*)[m])a, (const float (*)[m])b, x);
}
#else // by the clauses of OpenACC
static void sample(int n, int m, const int *row, const int *column, const float *v, const float *a,
                   const float *b, float *x) {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
#pragma acc loop worker
        for (int k = row[i]; k < row[i + 1]; k++) {
            const float *other = b + column[k] * m;
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int j = 0; j < m; j++) sum += a[i * m + j] * other[j];
            x[k] = v[k] * sum;
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("sampled", argc, argv);
    int n = kind_size(1000000, 509), m = kind_size(64, 21);
    int *row = kind_array((size_t)(n + 1) * sizeof *row);
    row[0] = 0;
    for (int i = 0; i < n; i++) row[i + 1] = row[i] + (int)(kind_bits(1, (size_t)i) % 32);
    int all = row[n], *column = kind_array((size_t)all * sizeof *column);
    for (int k = 0; k < all; k++) column[k] = (int)(kind_bits(2, (size_t)k) % (unsigned)n);
    size_t size = (size_t)n * (size_t)m;
    float *v = kind_floats((size_t)all, 3), *a = kind_floats(size, 4), *b = kind_floats(size, 5);
    float *x = kind_floats((size_t)all, 6);
    int n1 = n + 1;
#pragma acc enter data copyin(row[0 : n1], column[0 : all], v[0 : all], a[0 : size], b[0 : size], x[0 : all])
    while (kind_again()) {
        sample(n, m, row, column, v, a, b, x);
#pragma acc update self(x[0 : 1])
    }
#pragma acc exit data delete(row[0 : n1], column[0 : all], v[0 : all], a[0 : size], b[0 : size]) \
    copyout(x[0 : all])
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++) {
            double sum = 0;
            for (int j = 0; j < m; j++)
                sum += (double)a[(size_t)i * m + j] * b[(size_t)column[k] * m + j];
            kind_compare(x[k], v[k] * sum, 1);
        }
    return kind_end(4.0 * (size_t)all * (m + 3), "GB/s", 1e-4);
}
