// SPDX-License-Identifier: MIT
// atx.c -- y = a' x, float.
#include "kind.h"

#if SPELLING == 1 // a sum a column
static void multiply(int n, int m, const float *a, const float *x, float *y) {
#pragma acc parallel loop
    for (int j = 0; j < m; j++) {
        float sum = 0;
        for (int i = 0; i < n; i++) sum += a[i * m + j] * x[i];
        y[j] = sum;
    }
}
#elif SPELLING == 2 // rows outside, added to all of y
static void multiply(int n, int m, const float a[n][m], const float x[n], float y[m]) {
#pragma scop
    for (int j = 0; j < m; j++) y[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[j] += a[i][j] * x[i];
#pragma endscop
}
#else // the same under a permission
static void multiply(int n, int m, const float *a, const float *x, float *y) {
#pragma sculpt reassociate
    for (int j = 0; j < m; j++) y[j] = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        const float *row = a + i * m;
        float factor = x[i];
        for (int j = 0; j < m; j++) y[j] += factor * row[j];
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("atx", argc, argv);
    int n = kind_size(16384, 123), m = kind_size(n, 157);
    size_t all = (size_t)n * m;
    float *a = kind_floats(all, 1), *x = kind_floats(n, 2), *y = kind_floats(m, 3);
#pragma acc enter data copyin(a[0 : all], x[0 : n], y[0 : m])
    while (kind_again()) {
        multiply(n, m, (void *)a, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(a[0 : all], x[0 : n]) copyout(y[0 : m])
    for (int s = 0; s < 500; s++) {
        int j = kind_pick(s, m);
        double sum = 0;
        for (int i = 0; i < n; i++) sum += (double)a[(size_t)i * m + j] * x[i];
        kind_compare(y[j], sum, sqrt(n));
    }
    return kind_end(4.0 * n * m, "GB/s", 1e-5);
}
