// SPDX-License-Identifier: MIT
// product_int.c -- c = a b in integers of 32 bits.
#include "kind.h"

#if SPELLING == 1
static void product(int n, const int *a, const int *b, int *c) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
#elif SPELLING == 2
static void product(int n, const int a[n][n], const int b[n][n], int c[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
        }
#pragma endscop
}
#else // pointers that walk
static void product(int n, const int *a, const int *b, int *c) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int *x = a + i * n, *y = b + j;
            int sum = 0;
            for (int k = 0; k < n; k++, x++, y += n) sum += *x * *y;
            c[i * n + j] = sum;
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("product_int", argc, argv);
    int n = kind_size(4096, 67);
    size_t all = (size_t)n * n;
    int *a = kind_array(all * 4), *b = kind_array(all * 4), *c = kind_array(all * 4);
    for (size_t i = 0; i < all; i++)
        a[i] = (int)(kind_bits(1, i) % 201) - 100, b[i] = (int)(kind_bits(2, i) % 201) - 100;
#pragma acc enter data copyin(a[0 : all], b[0 : all]) create(c[0 : all])
    while (kind_again()) {
        product(n, (void *)a, (void *)b, (void *)c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : all], b[0 : all]) copyout(c[0 : all])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        long sum = 0;
        for (int k = 0; k < n; k++) sum += (long)a[i * n + k] * b[k * n + j];
        kind_compare(c[i * n + j], sum, 1);
    }
    return kind_end(2.0 * n * n * n, "GOP/s", 0);
}
