// SPDX-License-Identifier: MIT
// product.c -- c = a b, float, row-major.
#include "kind.h"

#if SPELLING == 1 // a sum in a scalar, index arithmetic
static void product(int n, const float *a, const float *b, float *c) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
#elif SPELLING == 2 // in place, arrays of rows, a mark on the rows alone
static void product(int n, const float (*a)[n], const float (*b)[n], float (*c)[n]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
        }
}
#elif SPELLING == 3 // cleared first, the inner loop along rows
static void product(int n, const float a[n][n], const float b[n][n], float c[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) c[i][j] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
#else // matrices as structs
typedef struct {
    int rows, columns;
    float *at;
} Matrix;
static void multiply(const Matrix *a, const Matrix *b, Matrix *c) {
#pragma sculpt reassociate
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->columns; j++) {
            float sum = 0.0f;
            for (int k = 0; k < a->columns; k++) sum += a->at[i * a->columns + k] * b->at[k * b->columns + j];
            c->at[i * c->columns + j] = sum;
        }
}
static void product(int n, float *a, float *b, float *c) {
    Matrix x = {n, n, a}, y = {n, n, b}, z = {n, n, c};
    multiply(&x, &y, &z);
}
#endif

int main(int argc, char **argv) {
    kind_begin("product", argc, argv);
    int n = kind_size(4096, 67);
    float *a = kind_floats((size_t)n * n, 1), *b = kind_floats((size_t)n * n, 2),
          *c = kind_floats((size_t)n * n, 3);
#pragma acc enter data copyin(a[0 : n * n], b[0 : n * n], c[0 : n * n])
    while (kind_again()) {
        product(n, (void *)a, (void *)b, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : n * n], b[0 : n * n]) copyout(c[0 : n * n])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double sum = 0;
        for (int k = 0; k < n; k++) sum += (double)a[i * n + k] * b[k * n + j];
        kind_compare(c[i * n + j], sum, sqrt(n));
    }
    return kind_end(2.0 * n * n * n, "GFLOP/s", 1e-5);
}
