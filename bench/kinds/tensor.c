// SPDX-License-Identifier: MIT
// tensor.c -- c[a][b][c][d] = sum over e, f of x[a][e][b][f] y[f][c][e][d], float.
#include "kind.h"

#if SPELLING == 1
static void contract(int n, const float *x, const float *y, float *z) {
#pragma acc parallel loop collapse(4)
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < n; d++) {
                    float sum = 0;
                    for (int e = 0; e < n; e++)
                        for (int f = 0; f < n; f++)
                            sum += x[((a * n + e) * n + b) * n + f] * y[((f * n + c) * n + e) * n + d];
                    z[((a * n + b) * n + c) * n + d] = sum;
                }
}
#elif SPELLING == 2
static void contract(int n, const float x[n][n][n][n], const float y[n][n][n][n], float z[n][n][n][n]) {
#pragma scop
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < n; d++) {
                    z[a][b][c][d] = 0;
                    for (int e = 0; e < n; e++)
                        for (int f = 0; f < n; f++) z[a][b][c][d] += x[a][e][b][f] * y[f][c][e][d];
                }
#pragma endscop
}
#else // sums outside of the last subscript
static void contract(int n, const float (*x)[n][n][n], const float (*y)[n][n][n], float (*z)[n][n][n]) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++) {
                for (int d = 0; d < n; d++) z[a][b][c][d] = 0;
                for (int f = 0; f < n; f++)
                    for (int e = 0; e < n; e++)
                        for (int d = 0; d < n; d++) z[a][b][c][d] += x[a][e][b][f] * y[f][c][e][d];
            }
}
#endif

int main(int argc, char **argv) {
    kind_begin("tensor", argc, argv);
    int n = kind_size(64, 9);
    size_t all = (size_t)n * n * n * n;
    float *x = kind_floats(all, 1), *y = kind_floats(all, 2), *z = kind_floats(all, 3);
#pragma acc enter data copyin(x[0 : all], y[0 : all], z[0 : all])
    while (kind_again()) {
        contract(n, (void *)x, (void *)y, (void *)z);
#pragma acc update self(z[0 : 1])
    }
#pragma acc exit data delete(x[0 : all], y[0 : all]) copyout(z[0 : all])
    for (int s = 0; s < 500; s++) {
        int a = kind_pick(4 * s, n), b = kind_pick(4 * s + 1, n), c = kind_pick(4 * s + 2, n),
            d = kind_pick(4 * s + 3, n);
        double sum = 0;
        for (int e = 0; e < n; e++)
            for (int f = 0; f < n; f++)
                sum += (double)x[((a * n + e) * n + b) * n + f] * y[((f * n + c) * n + e) * n + d];
        kind_compare(z[((a * n + b) * n + c) * n + d], sum, n);
    }
    return kind_end(2.0 * all * n * n, "GFLOP/s", 1e-5);
}
