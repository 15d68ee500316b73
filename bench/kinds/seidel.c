// SPDX-License-Identifier: MIT
// seidel.c -- a sweep after Gauss and Seidel in two dimensions, float: in place.
#include "kind.h"

#if SPELLING == 1
static void sweep(int n, float *u) {
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            u[i * n + j] =
                0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
#pragma endscop
}
#elif SPELLING == 2 // arrays of rows
static void sweep(int n, float (*u)[n]) {
#pragma sculpt
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float around = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
            u[i][j] = around * 0.25f;
        }
}
#else // diagonals on the host, each a marked loop
static void sweep(int n, float (*u)[n]) {
    for (int s = 2; s <= 2 * (n - 2); s++) {
        int from = s - (n - 2) > 1 ? s - (n - 2) : 1, to = s - 1 < n - 2 ? s - 1 : n - 2;
#pragma omp target teams distribute parallel for
        for (int i = from; i <= to; i++) {
            int j = s - i;
            u[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
        }
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("seidel", argc, argv);
    int n = kind_size(4096, 101), calls = 0;
    size_t all = (size_t)n * n;
    float *u = kind_floats(all, 1);
    double *want = kind_array(all * sizeof *want);
    for (size_t i = 0; i < all; i++) want[i] = u[i];
#pragma acc enter data copyin(u[0 : all])
    for (; kind_again(); calls++) {
        sweep(n, (void *)u);
#pragma acc update self(u[0 : 1])
    }
#pragma acc exit data copyout(u[0 : all])
    for (int t = 0; t < calls; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                size_t at = (size_t)i * n + j;
                want[at] = 0.25 * (want[at - n] + want[at + n] + want[at - 1] + want[at + 1]);
            }
    for (size_t i = 0; i < all; i++) kind_compare(u[i], want[i], 1);
    return kind_end(8.0 * n * n, "GB/s", 1e-6);
}
