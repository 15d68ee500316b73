// SPDX-License-Identifier: MIT
// product_abt.c -- c = alpha a b' + beta c, float; c is kept apart so that every call does the same.
#include "kind.h"

#if SPELLING == 1
static void product(int n, float alpha, const float *a, const float *b, float beta, const float *c,
                    float *d) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[j * n + k];
            d[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
}
#elif SPELLING == 2 // scaled first, then added in place
static void product(int n, float alpha, const float a[n][n], const float b[n][n], float beta,
                    const float c[n][n], float d[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            d[i][j] = beta * c[i][j];
            for (int k = 0; k < n; k++) d[i][j] += alpha * a[i][k] * b[j][k];
        }
#pragma endscop
}
#else // column-major: d' = alpha b a' + beta c', rows of pointers to where they begin
static void product(int n, float alpha, const float *a, const float *b, float beta, const float *c,
                    float *d) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        const float *row = a + i * n;
        for (int j = 0; j < n; j++) {
            const float *other = b + j * n;
            float sum = 0;
            for (int k = 0; k < n; k++) sum += row[k] * other[k];
            d[i * n + j] = beta * c[i * n + j] + alpha * sum;
        }
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("product_abt", argc, argv);
    int n = kind_size(4096, 67);
    size_t all = (size_t)n * n;
    float *a = kind_floats(all, 1), *b = kind_floats(all, 2), *c = kind_floats(all, 3),
          *d = kind_floats(all, 4);
#pragma acc enter data copyin(a[0 : all], b[0 : all], c[0 : all], d[0 : all])
    while (kind_again()) {
        product(n, 1.5f, (void *)a, (void *)b, 0.5f, (void *)c, (void *)d);
#pragma acc update self(d[0 : 1])
    }
#pragma acc exit data delete(a[0 : all], b[0 : all], c[0 : all]) copyout(d[0 : all])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double sum = 0;
        for (int k = 0; k < n; k++) sum += (double)a[i * n + k] * b[j * n + k];
        kind_compare(d[i * n + j], 1.5 * sum + 0.5 * c[i * n + j], sqrt(n));
    }
    return kind_end(2.0 * n * n * n, "GFLOP/s", 1e-5);
}
