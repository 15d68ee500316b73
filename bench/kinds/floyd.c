// SPDX-License-Identifier: MIT
// floyd.c -- the least distances between all pairs, after Floyd and Warshall.
#include "kind.h"

#if SPELLING == 1 // the polyhedral tools' spelling
static void least(int n, int *d) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i * n + j] =
                    d[i * n + j] < d[i * n + k] + d[k * n + j] ? d[i * n + j] : d[i * n + k] + d[k * n + j];
#pragma endscop
}
#elif SPELLING == 2 // under a condition, a host loop over pivots
static void least(int n, int (*d)[n]) {
    for (int k = 0; k < n; k++) {
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
    }
}
#else // what leads to the pivot in a scalar
static void least(int n, int (*d)[n]) {
    for (int k = 0; k < n; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) {
            int to = d[i][k];
            for (int j = 0; j < n; j++) {
                int way = to + d[k][j];
                d[i][j] = way < d[i][j] ? way : d[i][j];
            }
        }
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("floyd", argc, argv);
    int n = kind_size(1024, 53);
    size_t all = (size_t)n * n;
    int *d = kind_array(all * sizeof *d), *want = kind_array(all * sizeof *d);
#pragma acc enter data create(d[0 : all])
    while (kind_again()) {
        for (size_t i = 0; i < all; i++) d[i] = i % (n + 1) ? 1 + (int)(kind_bits(1, i) % 10000) : 0;
#pragma acc update device(d[0 : all])
#pragma acc update self(d[0 : 1])
        kind_start();
        least(n, (void *)d);
#pragma acc update self(d[0 : 1])
    }
#pragma acc exit data copyout(d[0 : all])
    for (size_t i = 0; i < all; i++) want[i] = i % (n + 1) ? 1 + (int)(kind_bits(1, i) % 10000) : 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (want[i * n + k] + want[k * n + j] < want[i * n + j])
                    want[i * n + j] = want[i * n + k] + want[k * n + j];
    for (size_t i = 0; i < all; i++) kind_compare(d[i], want[i], 1);
    return kind_end(2.0 * n * n * n, "GOP/s", 0);
}
