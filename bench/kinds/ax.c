// SPDX-License-Identifier: MIT
// ax.c -- y = a x, float.
#include "kind.h"

#if SPELLING == 1
static void multiply(int n, int m, const float *a, const float *x, float *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}
#elif SPELLING == 2
static void multiply(int n, int m, const float (*a)[m], const float *x, float *y) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++) y[i] += a[i][j] * x[j];
    }
}
#else
static void multiply(int n, int m, const float a[n][m], const float x[m], float y[n]) {
#pragma scop
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] = y[i] + a[i][j] * x[j];
#pragma endscop
}
#endif

int main(int argc, char **argv) {
    kind_begin("ax", argc, argv);
    int n = kind_size(16384, 123), m = kind_size(n, 157);
    size_t all = (size_t)n * m;
    float *a = kind_floats(all, 1), *x = kind_floats(m, 2), *y = kind_floats(n, 3);
#pragma acc enter data copyin(a[0 : all], x[0 : m], y[0 : n])
    while (kind_again()) {
        multiply(n, m, (void *)a, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(a[0 : all], x[0 : m]) copyout(y[0 : n])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(s, n);
        double sum = 0;
        for (int j = 0; j < m; j++) sum += (double)a[(size_t)i * m + j] * x[j];
        kind_compare(y[i], sum, sqrt(m));
    }
    return kind_end(4.0 * n * m, "GB/s", 1e-5);
}
