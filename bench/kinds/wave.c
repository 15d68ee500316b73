// SPDX-License-Identifier: MIT
// wave.c -- the wave equation in two dimensions, float: three arrays change places, some steps a call.
#include "kind.h"

#if SPELLING == 1 // pointers change places
static void wave(int n, int steps, float c, float *before, float *now, float *next) {
    for (int t = 0; t < steps; t++) {
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                float around =
                    now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1];
                next[i * n + j] = 2 * now[i * n + j] - before[i * n + j] + c * (around - 4 * now[i * n + j]);
            }
        float *oldest = before;
        before = now, now = next, next = oldest;
    }
}
#elif SPELLING == 2 // a table of three, by the step's number
static void step(int n, float c, const float (*before)[n], const float (*now)[n], float (*next)[n]) {
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            next[i][j] =
                2.0f * now[i][j] - before[i][j] +
                c * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4.0f * now[i][j]);
}
static void wave(int n, int steps, float c, float *before, float *now, float *next) {
    float *u[3] = {before, now, next};
    for (int t = 0; t < steps; t++)
        step(n, c, (void *)u[t % 3], (void *)u[(t + 1) % 3], (void *)u[(t + 2) % 3]);
}
#else // a struct of three
typedef struct {
    int n;
    float *before, *now, *next;
} Field;
static void advance(Field *f, float c) {
    int n = f->n;
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            f->next[at] =
                2.0f * f->now[at] - f->before[at] +
                c * (f->now[at - n] + f->now[at + n] + f->now[at - 1] + f->now[at + 1] - 4.0f * f->now[at]);
        }
    float *oldest = f->before;
    f->before = f->now;
    f->now = f->next;
    f->next = oldest;
}
static void wave(int n, int steps, float c, float *before, float *now, float *next) {
    Field f = {n, before, now, next};
    for (int t = 0; t < steps; t++) advance(&f, c);
}
#endif

// What lies within `steps` of a point, in double.
static double plain(int n, int steps, double c, const float *u, int i, int j) {
    int r = steps, w = 2 * r + 1;
    double *a[3];
    for (int k = 0; k < 3; k++) a[k] = calloc((size_t)w * w, sizeof(double));
    for (int t = 0; t <= steps; t++) {
        double *before = a[(t + 1) % 3], *now = a[(t + 2) % 3], *next = a[t % 3];
        for (int x = t; x < w - t; x++)
            for (int y = t; y < w - t; y++) {
                int gi = i + x - r, gj = j + y - r, at = x * w + y;
                if (gi < 0 || gj < 0 || gi >= n || gj >= n) continue;
                int fixed = !gi || !gj || gi == n - 1 || gj == n - 1;
                if (!t) a[2][at] = a[1][at] = a[0][at] = u[(size_t)gi * n + gj];
                else if (!fixed)
                    next[at] = 2 * now[at] - before[at] +
                               c * (now[at - w] + now[at + w] + now[at - 1] + now[at + 1] - 4 * now[at]);
            }
    }
    double found = a[steps % 3][r * w + r];
    for (int k = 0; k < 3; k++) free(a[k]);
    return found;
}

int main(int argc, char **argv) {
    kind_begin("wave", argc, argv);
    int n = kind_size(8192, 83), steps = kind_size(30, 6); // a multiple of three
    size_t all = (size_t)n * n;
    float *u = kind_array(3 * all * sizeof *u), *v = u + all, *w = v + all, *first = kind_floats(all, 1);
#pragma acc enter data create(u[0 : 3 * all])
    while (kind_again()) {
        for (int k = 0; k < 3; k++) memcpy(u + k * all, first, all * sizeof *u);
#pragma acc update device(u[0 : 3 * all])
#pragma acc update self(u[0 : 1])
        kind_start();
        wave(n, steps, 0.25f, u, v, w);
#pragma acc update self(v[0 : 1])
    }
#pragma acc exit data copyout(u[0 : 3 * all])
    for (int s = 0; s < 100; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        kind_compare(v[(size_t)i * n + j], plain(n, steps, 0.25, first, i, j), 1);
    }
    return kind_end(12.0 * all * steps, "GB/s", 1e-4);
}
