// device 9
// SPDX-License-Identifier: MIT
// changes.c -- the greatest change of each of some steps that go over the same elements: bit for bit, with
// NaN and both zeros, as conditions, choices, macros and functions write it; and loops that only look like
// steps.
#include "../suite.h"
#define N 70
#define MAX(x, y) ((x) > (y) ? (x) : (y))

static float u[N][N], v[N][N], change[8];

static void show(const char *name, float x) { // its bits, but of a NaN
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) printf("%s nan\n", name);
    else printf("%s %x\n", name, bits);
}

// What a step finds of one point, and what becomes of the greatest.
#define RELAXED(name, begin, ...)                                                                            \
    __attribute__((noinline)) static float name(int n, int steps) {                                          \
        float r = 0;                                                                                         \
        _Pragma("sculpt") for (int t = 0; t < steps; t++) {                                                  \
            r = begin;                                                                                       \
            for (int i = 1; i < n - 1; i++)                                                                  \
                for (int j = 1; j < n - 1; j++) {                                                            \
                    float x = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);               \
                    float d = x - u[i][j];                                                                   \
                    __VA_ARGS__;                                                                             \
                    v[i][j] = x;                                                                             \
                }                                                                                            \
            for (int i = 1; i < n - 1; i++)                                                                  \
                for (int j = 1; j < n - 1; j++) u[i][j] = v[i][j];                                           \
        }                                                                                                    \
        return r;                                                                                            \
    }
RELAXED(asked, -INFINITY, if (d > r) r = d)
RELAXED(least, u[0][0], if (d <= r) r = d)
RELAXED(chosen, 0, r = d > r ? d : r)
RELAXED(macro, -1, r = MAX(r, d))
RELAXED(denied, -1, if (!(d <= r)) r = d)
RELAXED(called, NAN, r = fmaxf(r, fabsf(d)))
#define PLACED(i, j) ((i)*1000 + (j))
RELAXED(placed, -1, if (fabsf(d) > r) { r = fabsf(d), change[7] = PLACED(i, j); })

// The greatest of each row, and of each column: rows that are free, which stay.
__attribute__((noinline)) static void of_rows(int n, float *most) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        float m = -1;
        for (int j = 0; j < n; j++) m = MAX(m, u[i][j]);
        most[i] = m;
    }
}

// The nearest of some, whose counts grow: no step sets them anew.
__attribute__((noinline)) static void counted(int n, int k, const float *x, const float *y, int *count) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        float m = INFINITY;
        int at = 0;
        for (int j = 0; j < k; j++)
            if (fabsf(x[i] - y[j]) < m) m = fabsf(x[i] - y[j]), at = j;
        count[at & 7]++;
    }
}

static void set(int how) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float x = (float)((i * 37 + j * 101) % 64) / 32 - 1;
            if (how == 1) x = (i + j) % 2 ? -0.0f : 0.0f;
            if (how == 2 && i == 30 && j == 41) x = NAN;
            if (how == 3) x = NAN;
            u[i][j] = x, v[i][j] = 0;
        }
}

int main(void) {
    static const struct {
        const char *name;
        float (*of)(int, int);
    } all[] = {{"asked", asked}, {"least", least}, {"chosen", chosen}, {"macro", macro},
               {"denied", denied}, {"called", called}, {"placed", placed}};
    for (int how = 0; how < 4; how++)
        for (int n = 2; n <= N; n += 34)
            for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
                set(how);
                float r = all[k].of(n, 3);
                show(all[k].name, all[k].of == called ? r + 0.0f : r); // of which zero C says nothing
                printf("%d\n", (int)change[7]);
            }
    float most[N], x[N], y[N];
    int count[8] = {0};
    set(0);
    of_rows(N, most);
    show_floats("rows", most, N);
    for (int i = 0; i < N; i++) x[i] = u[3][i], y[i] = u[i][5];
    counted(N, 9, x, y, count);
    show_ints("counts", count, 8);
    suite_use();
    return 0;
}
