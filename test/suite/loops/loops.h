// SPDX-License-Identifier: MIT
// loops.h -- the arrays that small loops work on; each loop gets them afresh and what it changed
// is printed.
#ifndef LOOPS_H
#define LOOPS_H
#include "../suite.h"
#define N 500
#define M 36
static float a[N], b[N], c[N], d[N], e[N], x[N], aa[M][M], bb[M][M], cc[M][M], flat[2 * M * M];
static int ip[N], jp[N], ii[N]; // a permutation, any places, numbers
static struct {
    float *at;
    long n;
    float before[2 * M * M];
    const char *name;
} loops_array[] = {{a, N, {0}, "a"}, {b, N, {0}, "b"}, {c, N, {0}, "c"}, {d, N, {0}, "d"}, {e, N, {0}, "e"},
                   {x, N, {0}, "x"},
                   {&aa[0][0], M * M, {0}, "aa"}, {&bb[0][0], M * M, {0}, "bb"},
                   {&cc[0][0], M * M, {0}, "cc"},
                   {flat, 2 * M * M, {0}, "flat"}};
#define LOOPS_ARRAYS ((int)(sizeof loops_array / sizeof *loops_array))
static int loops_before[N];

static void loops_reset(void) {
    suite_state = 777;
    for (int k = 0; k < LOOPS_ARRAYS; k++) {
        fill_floats(loops_array[k].at, loops_array[k].n);
        memcpy(loops_array[k].before, loops_array[k].at, sizeof(float) * (size_t)loops_array[k].n);
    }
    for (int i = 0; i < N; i++) ip[i] = (i * 7 + 3) % N; // 7 and 500 have no common factor
    fill_ints(jp, N, N);
    fill_ints(ii, N, 1000);
    memcpy(loops_before, ii, sizeof ii);
}
static void loops_show(const char *name) {
    for (int k = 0; k < LOOPS_ARRAYS; k++) {
        long n = loops_array[k].n;
        if (memcmp(loops_array[k].before, loops_array[k].at, sizeof(float) * (size_t)n) == 0) continue;
        printf("%s ", name);
        show_floats(loops_array[k].name, loops_array[k].at, n);
    }
    if (memcmp(loops_before, ii, sizeof ii) != 0) {
        printf("%s ", name);
        show_ints("ii", ii, N);
    }
}
#define RUN(f, ...) (loops_reset(), f(__VA_ARGS__), loops_show(#f))
#define VALUE(f, ...) (loops_reset(), printf("%s = %.4e\n", #f, (double)f(__VA_ARGS__)), loops_show(#f))
#define COUNT(f, ...) (loops_reset(), printf("%s = %ld\n", #f, (long)f(__VA_ARGS__)), loops_show(#f))
#endif
