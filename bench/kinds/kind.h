// SPDX-License-Identifier: MIT
// kind.h -- what the kinds share: sizes, data, the clock, the check, the line of JSON.
//
//   NAME [small] [size…]
//
// A program sets its data up, has them on the device, and makes its call while kind_again() says so: once to
// warm up, then up to six times, of which the best counts. A call ends by reading one element back. Then it
// compares with a plain computation in double precision, and kind_end prints what was found.
#ifndef KIND_H
#define KIND_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef SPELLING
#define SPELLING 1
#endif

const char *sculpt_device_name(void) __attribute__((weak)); // not there in a plain build

static struct {
    const char *name;
    int argc, next; // sizes that were given; the one to be read next
    char **argv;
    int small;          // sizes are small where they are not given
    char sizes[80];     // "4096x64"
    int calls;          // made so far, the first to warm up
    double started;     // when the call under way began
    double best, spent; // seconds
    double error;       // greatest relative error met
    long compared;
} kind;

static double kind_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void kind_begin(const char *name, int argc, char **argv) {
    kind.name = name, kind.argc = argc, kind.argv = argv, kind.next = 1, kind.best = INFINITY;
    if (argc > 1 && !strcmp(argv[1], "small")) kind.small = 1, kind.next = 2;
}

static int kind_size(int usual, int small) {
    int n = kind.next < kind.argc ? atoi(kind.argv[kind.next++]) : kind.small ? small : usual;
    size_t at = strlen(kind.sizes);
    snprintf(kind.sizes + at, sizeof kind.sizes - at, "%s%d", at ? "x" : "", n);
    return n;
}

// From here on the clock runs; in a body of its own where a call needs its data anew.
static void kind_start(void) { kind.started = kind_now(); }

// Ends the call under way, if there is one. 1: make another.
static int kind_again(void) {
    double took = kind_now() - kind.started;
    if (kind.calls > 1) {
        kind.spent += took;
        if (took < kind.best) kind.best = took;
    }
    int more = kind.calls < (kind.small ? 2 : 7) && (kind.calls < 2 || kind.spent < 3);
    kind.calls += more;
    kind_start();
    return more;
}

// The i-th value of a sequence, in [-1, 1), and in 0 … 2^32 - 1.
static unsigned kind_bits(unsigned seed, size_t i) {
    unsigned long long x = i + 0x9e3779b97f4a7c15ULL * (seed + 1);
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ULL;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ULL;
    return (unsigned)(x >> 32);
}
static double kind_value(unsigned seed, size_t i) { return (int)kind_bits(seed, i) * 0x1p-31; }
static int kind_pick(unsigned seed, int n) {
    return (int)(kind_bits(seed + 1000003u, (size_t)n) % (unsigned)n);
}

static void *kind_array(size_t bytes) {
    void *p = malloc(bytes + 64);
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return p;
}
static float *kind_floats(size_t n, unsigned seed) {
    float *x = kind_array(n * sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = (float)kind_value(seed, i);
    return x;
}
static double *kind_doubles(size_t n, unsigned seed) {
    double *x = kind_array(n * sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = kind_value(seed, i);
    return x;
}

// Relative to what is wanted, or to `least` where that is greater.
static void kind_compare(double got, double want, double least) {
    double by = fabs(want) > least ? fabs(want) : least, e = got == want ? 0 : fabs(got - want) / by;
    if (!(e <= kind.error)) kind.error = e == e ? e : INFINITY;
    kind.compared++;
}

// work: operations or bytes of one call; the exit status says whether the result is right.
static int kind_end(double work, const char *unit, double bound) {
    int right = kind.error <= bound && kind.compared > 0;
    printf("{\"kind\": \"%s\", \"spelling\": %d, \"size\": \"%s\", \"ms\": %.6g, \"rate\": %.6g, \"unit\": "
           "\"%s\", ",
           kind.name, SPELLING, kind.sizes, 1e3 * kind.best, 1e-9 * work / kind.best, unit);
    printf("\"error\": %.3g, \"bound\": %.3g, \"compared\": %ld, \"right\": %s, \"device\": \"%s\"}\n",
           kind.error < 1e300 ? kind.error : 1e300, bound, kind.compared, right ? "true" : "false",
           sculpt_device_name ? sculpt_device_name() : "plain");
    return !right;
}
#endif
