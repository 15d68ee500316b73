// SPDX-License-Identifier: MIT
// histogram.c -- how often each of 256 values occurs.
#include "kind.h"

#if SPELLING == 1
typedef int Value;
static void count(int n, int bins, const Value *x, int *h) {
#pragma acc parallel loop
    for (int b = 0; b < bins; b++) h[b] = 0;
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        int bin = x[i];
#pragma acc atomic update
        h[bin]++;
    }
}
#elif SPELLING == 2 // another word for atomic updates, unsigned
typedef unsigned Value;
static void count(int n, int bins, const Value *x, int *h) {
#pragma omp target teams distribute parallel for
    for (int b = 0; b < bins; b++) h[b] = 0;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        h[x[i]] += 1;
    }
}
#else // as a plain loop
typedef int Value;
static void count(int n, int bins, const Value *x, int *h) {
#pragma sculpt
    for (int b = 0; b < bins; b++) h[b] = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) h[x[i]] = h[x[i]] + 1;
}
#endif

int main(int argc, char **argv) {
    kind_begin("histogram", argc, argv);
    int n = kind_size(1 << 28, 100003), bins = kind_size(256, 256);
    Value *x = kind_array((size_t)n * sizeof *x);
    int *h = kind_array((size_t)bins * sizeof *h), *want = calloc(bins, sizeof *want);
    for (int i = 0; i < n; i++) {
        unsigned r = kind_bits(1, i);
        unsigned small = (r & 65535) * (r >> 16) / 65536; // more often than great
        want[x[i] = (Value)(small * (unsigned)bins / 65536)]++;
    }
#pragma acc enter data copyin(x[0 : n]) create(h[0 : bins])
    while (kind_again()) {
        count(n, bins, x, h);
#pragma acc update self(h[0 : 1])
    }
#pragma acc exit data delete(x[0 : n]) copyout(h[0 : bins])
    for (int b = 0; b < bins; b++) kind_compare(h[b], want[b], 1);
    return kind_end((double)sizeof *x * n, "GB/s", 0);
}
