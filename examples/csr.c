// SPDX-License-Identifier: MIT
// csr.c -- sparse matrix (compressed rows) times vector: indirect reads, data-dependent bounds.
//
//   csr [rows [per_row]]
#include "example.h"

typedef struct Csr {
    int rows;
    int *start, *col;
    double *val;
} Csr;

static void multiply(const Csr *m, const double *restrict x, double *restrict y) {
#pragma omp parallel for
    for (int i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int k = m->start[i]; k < m->start[i + 1]; k++)
            sum += m->val[k] * x[m->col[k]];
        y[i] = sum;
    }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 10000), per_row = (int)argument(argc, argv, 2, 16);
    Csr m = {n, allocate(sizeof(int) * (n + 1)), allocate(sizeof(int) * ((size_t)n * 2 * per_row)), allocate(8 * ((size_t)n * 2 * per_row))};
    int at = 0;
    for (int i = 0; i < n; i++) {
        m.start[i] = at;
        int count = (int)((uniform() + 1) * per_row);
        for (int k = 0; k < count; k++, at++) m.col[at] = (int)((uniform() + 1) / 2 * n), m.val[at] = uniform();
    }
    m.start[n] = at;
    double *x = allocate(8 * n), *y = allocate(8 * n);
    for (int i = 0; i < n; i++) x[i] = uniform(), y[i] = 7;
    double start = now();
    multiply(&m, x, y);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0, size = 1;
        for (int k = m.start[i]; k < m.start[i + 1]; k++) sum += m.val[k] * x[m.col[k]], size += fabs(m.val[k]);
        worst = fmax(worst, fabs(y[i] - sum) / size);
    }
    double bytes = 12.0 * at + 4.0 * n + 16.0 * n;
    free(m.start), free(m.col), free(m.val), free(x), free(y);
    return report("csr", seconds, 2.0 * at, bytes, worst, 1e-13);
}
