// SPDX-License-Identifier: MIT
// symv.c -- y = s x, float, s symmetric and one triangle of it stored.
#include "kind.h"

#if SPELLING == 1 // two sums a row, below and beyond the diagonal
static void multiply(int n, const float *s, const float *x, float *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j <= i; j++) sum += s[i * n + j] * x[j];
        for (int j = i + 1; j < n; j++) sum += s[j * n + i] * x[j];
        y[i] = sum;
    }
}
#elif SPELLING == 2 // both uses of an element at once
static void multiply(int n, const float s[n][n], const float x[n], float y[n]) {
#pragma scop
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int i = 0; i < n; i++) {
        y[i] += s[i][i] * x[i];
        for (int j = 0; j < i; j++) {
            y[i] += s[i][j] * x[j];
            y[j] += s[i][j] * x[i];
        }
    }
#pragma endscop
}
#else // a choice at each term
static void multiply(int n, const float (*s)[n], const float *x, float *y) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++) sum += (j <= i ? s[i][j] : s[j][i]) * x[j];
        y[i] = sum;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("symv", argc, argv);
    int n = kind_size(16384, 123);
    size_t all = (size_t)n * n;
    float *a = kind_floats(all, 1), *x = kind_floats(n, 2), *y = kind_floats(n, 3);
#pragma acc enter data copyin(a[0 : all], x[0 : n], y[0 : n])
    while (kind_again()) {
        multiply(n, (void *)a, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(a[0 : all], x[0 : n]) copyout(y[0 : n])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(s, n);
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += (double)(j <= i ? a[(size_t)i * n + j] : a[(size_t)j * n + i]) * x[j];
        kind_compare(y[i], sum, sqrt(n));
    }
    return kind_end(2.0 * n * n, "GB/s", 1e-5);
}
