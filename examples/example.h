// SPDX-License-Identifier: MIT
// example.h -- what the examples share: arguments, random data, the clock, the verdict.
#ifndef EXAMPLE_H
#define EXAMPLE_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The i-th number on the command line, or a default.
static inline long argument(int argc, char **argv, int i, long otherwise) {
    return argc > i ? strtol(argv[i], NULL, 10) : otherwise;
}

// Uniform in [-1, 1), the same sequence in every run.
static unsigned long long example_seed = 88172645463325252ULL;
static inline double uniform(void) {
    example_seed ^= example_seed << 13;
    example_seed ^= example_seed >> 7;
    example_seed ^= example_seed << 17;
    return (double)(example_seed >> 11) * 0x1p-52 - 1.0;
}

static inline void *allocate(size_t bytes) {
    void *p = malloc(bytes ? bytes : 1);
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return p;
}

static inline float *random_floats(size_t n) {
    float *x = allocate(n * sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = (float)uniform();
    return x;
}

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Prints the rate and the greatest error met; the exit status says whether it is small.
static inline int report(const char *name, double seconds, double flops, double bytes, double error, double bound) {
    printf("%s: %.6f s", name, seconds);
    if (flops > 0) printf("  %.2f GFLOP/s", flops / seconds * 1e-9);
    if (bytes > 0) printf("  %.2f GB/s", bytes / seconds * 1e-9);
    int bad = !(error <= bound);
    printf("  error %.3g (bound %.3g) %s\n", error, bound, bad ? "WRONG" : "ok");
    return bad;
}
#endif
