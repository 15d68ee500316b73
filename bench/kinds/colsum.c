// SPDX-License-Identifier: MIT
// colsum.c -- the sum of each column, float.
#include "kind.h"

#if SPELLING == 1 // a sum a column
static void sums(int n, int m, const float *a, float *sum) {
#pragma acc parallel loop
    for (int j = 0; j < m; j++) {
        float s = 0;
        for (int i = 0; i < n; i++) s += a[i * m + j];
        sum[j] = s;
    }
}
#elif SPELLING == 2 // rows outside
static void sums(int n, int m, const float a[n][m], float sum[m]) {
#pragma scop
    for (int j = 0; j < m; j++) sum[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum[j] += a[i][j];
#pragma endscop
}
#else // rows shared among threads, an array is reduced
static void sums(int n, int m, const float (*a)[m], float *sum) {
    for (int j = 0; j < m; j++) sum[j] = 0;
#pragma acc update device(sum[0 : m])
#pragma omp target teams distribute parallel for reduction(+ : sum[0 : m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum[j] += a[i][j];
}
#endif

int main(int argc, char **argv) {
    kind_begin("colsum", argc, argv);
    int n = kind_size(16384, 123), m = kind_size(n, 157);
    size_t all = (size_t)n * m;
    float *a = kind_floats(all, 1), *sum = kind_floats(m, 2);
#pragma acc enter data copyin(a[0 : all], sum[0 : m])
    while (kind_again()) {
        sums(n, m, (void *)a, sum);
#pragma acc update self(sum[0 : 1])
    }
#pragma acc exit data delete(a[0 : all]) copyout(sum[0 : m])
    for (int s = 0; s < 500; s++) {
        int j = kind_pick(s, m);
        double want = 0;
        for (int i = 0; i < n; i++) want += a[(size_t)i * m + j];
        kind_compare(sum[j], want, sqrt(n));
    }
    return kind_end(4.0 * n * m, "GB/s", 1e-5);
}
