// SPDX-License-Identifier: MIT
// bins.c -- a histogram of each image.
#include "kind.h"
enum { BINS = 256 };

#if SPELLING == 1
static void count(int images, int n, const unsigned char (*x)[n], int (*h)[BINS]) {
#pragma acc parallel loop
    for (int k = 0; k < images; k++) {
        for (int b = 0; b < BINS; b++) h[k][b] = 0;
        for (int i = 0; i < n; i++) h[k][x[k][i]]++;
    }
}
#elif SPELLING == 2 // one subscript; bins are set to zero before
static void count(int images, int n, const unsigned char *x, int *h) {
#pragma sculpt
    for (int b = 0; b < images * BINS; b++) h[b] = 0;
#pragma sculpt
    for (int k = 0; k < images; k++)
        for (int i = 0; i < n; i++) h[k * BINS + x[k * n + i]] += 1;
}
#else // threads that share a row
static void count(int images, int n, const unsigned char *x, int *h) {
#pragma omp target teams distribute parallel for
    for (int b = 0; b < images * BINS; b++) h[b] = 0;
#pragma omp target teams distribute parallel for collapse(2)
    for (int k = 0; k < images; k++)
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            h[k * BINS + x[k * n + i]]++;
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("bins", argc, argv);
    int images = kind_size(256, 7), n = kind_size(1 << 20, 10007);
    size_t all = (size_t)images * n, bins = (size_t)images * BINS;
    unsigned char *x = kind_array(all);
    int *h = kind_array(bins * sizeof *h), *want = calloc(bins, sizeof *want);
    for (size_t i = 0; i < all; i++) {
        unsigned r = kind_bits(1, i);
        x[i] = (unsigned char)((r & 255) * (r >> 8 & 255) / 256); // more often small than great
        want[i / n * BINS + x[i]]++;
    }
#pragma acc enter data copyin(x[0 : all]) create(h[0 : bins])
    while (kind_again()) {
        count(images, n, (void *)x, (void *)h);
#pragma acc update self(h[0 : 1])
    }
#pragma acc exit data delete(x[0 : all]) copyout(h[0 : bins])
    for (size_t b = 0; b < bins; b++) kind_compare(h[b], want[b], 1);
    return kind_end((double)all, "GB/s", 0);
}
