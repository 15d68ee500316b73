// SPDX-License-Identifier: MIT
// integral.c -- an integral image: of each place the sum of all above and before it, float.
#include "kind.h"

#if SPELLING == 1 // the row's sum in a scalar
static void integral(int n, const float *a, float *s) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        float row = 0;
        for (int j = 0; j < n; j++) {
            row += a[i * n + j];
            s[i * n + j] = i > 0 ? s[(i - 1) * n + j] + row : row;
        }
    }
}
#elif SPELLING == 2 // of three neighbours, where they are there
static void integral(int n, const float *a, float *s) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float v = a[i * n + j];
            if (i > 0) v += s[(i - 1) * n + j];
            if (j > 0) v += s[i * n + j - 1];
            if (i > 0 && j > 0) v -= s[(i - 1) * n + j - 1];
            s[i * n + j] = v;
        }
}
#else // along the rows, then down the columns
static void integral(int n, const float (*a)[n], float (*s)[n]) {
#pragma scop
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        s[i][0] = a[i][0];
        for (int j = 1; j < n; j++) s[i][j] = s[i][j - 1] + a[i][j];
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++) s[i][j] += s[i - 1][j];
#pragma endscop
}
#endif

int main(int argc, char **argv) {
    kind_begin("integral", argc, argv);
    int n = kind_size(16384, 131);
    float *a = kind_floats((size_t)n * n, 1), *s = kind_floats((size_t)n * n, 2);
#pragma acc enter data copyin(a[0 : n * n], s[0 : n * n])
    while (kind_again()) {
        integral(n, (void *)a, (void *)s);
#pragma acc update self(s[0 : 1])
    }
#pragma acc exit data delete(a[0 : n * n]) copyout(s[0 : n * n])
    double *above = kind_array(n * sizeof *above);
    for (int j = 0; j < n; j++) above[j] = 0;
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) {
            row += a[i * n + j];
            above[j] += row;
            if (kind_bits(i + 7u, j) % 1024 == 0) kind_compare(s[i * n + j], above[j], sqrt((double)n * n));
        }
    }
    return kind_end(8.0 * n * n, "GB/s", 1e-4);
}
