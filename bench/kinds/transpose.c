// SPDX-License-Identifier: MIT
// transpose.c -- b = a', float.
#include "kind.h"

#if SPELLING == 1
static void transpose(int n, int m, const float *a, float *b) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j * n + i] = a[i * m + j];
}
#elif SPELLING == 2
static void transpose(int n, int m, const float a[n][m], float b[m][n]) {
#pragma scop
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) b[j][i] = a[i][j];
#pragma endscop
}
#else // a pointer walks along rows of b
static void transpose(int n, int m, const float *a, float *b) {
#pragma omp target teams distribute parallel for
    for (int j = 0; j < m; j++) {
        float *to = b + j * n;
        for (int i = 0; i < n; i++) *to++ = a[i * m + j];
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("transpose", argc, argv);
    int n = kind_size(16384, 123), m = kind_size(n, 157);
    size_t all = (size_t)n * m;
    float *a = kind_floats(all, 1), *b = kind_floats(all, 2);
#pragma acc enter data copyin(a[0 : all], b[0 : all])
    while (kind_again()) {
        transpose(n, m, (void *)a, (void *)b);
#pragma acc update self(b[0 : 1])
    }
#pragma acc exit data delete(a[0 : all]) copyout(b[0 : all])
    for (int i = 0; i < n; i += 1 + n / 1000)
        for (int j = 0; j < m; j++) kind_compare(b[(size_t)j * n + i], a[(size_t)i * m + j], 1);
    return kind_end(8.0 * n * m, "GB/s", 0);
}
