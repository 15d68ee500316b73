// SPDX-License-Identifier: MIT
// heat.c -- the 7-point heat equation in three dimensions, float, some steps a call.
#include "kind.h"

#if SPELLING == 1 // pointers are swapped
static void heat(int n, int steps, float c, float *u, float *v) {
    for (int t = 0; t < steps; t++) {
#pragma acc parallel loop collapse(3)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++) {
                    int at = (i * n + j) * n + k;
                    v[at] = u[at] + c * (u[at - n * n] + u[at + n * n] + u[at - n] + u[at + n] + u[at - 1] +
                                         u[at + 1] - 6 * u[at]);
                }
        float *other = u;
        u = v, v = other;
    }
}
#elif SPELLING == 2 // two steps a turn, there and back
static void step(int n, float c, const float u[n][n][n], float v[n][n][n]) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[i][j][k] =
                    u[i][j][k] + c * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] +
                                      u[i][j][k - 1] + u[i][j][k + 1] - 6.0f * u[i][j][k]);
}
static void heat(int n, int steps, float c, float *u, float *v) {
    for (int t = 0; t < steps; t += 2) {
        step(n, c, (void *)u, (void *)v);
        step(n, c, (void *)v, (void *)u);
    }
}
#else // steps inside, as the polyhedral tools have them
static void heat(int n, int steps, float c, float u[n][n][n], float v[n][n][n]) {
#pragma scop
    for (int t = 0; t < steps / 2; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    v[i][j][k] = c * (u[i + 1][j][k] - 2.0f * u[i][j][k] + u[i - 1][j][k]) +
                                 c * (u[i][j + 1][k] - 2.0f * u[i][j][k] + u[i][j - 1][k]) +
                                 c * (u[i][j][k + 1] - 2.0f * u[i][j][k] + u[i][j][k - 1]) + u[i][j][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    u[i][j][k] = c * (v[i + 1][j][k] - 2.0f * v[i][j][k] + v[i - 1][j][k]) +
                                 c * (v[i][j + 1][k] - 2.0f * v[i][j][k] + v[i][j - 1][k]) +
                                 c * (v[i][j][k + 1] - 2.0f * v[i][j][k] + v[i][j][k - 1]) + v[i][j][k];
    }
#pragma endscop
}
#endif

// What lies within `steps` of a point, in double; one step at a time shrinks the box by one.
static double plain(int n, int steps, double c, const float *u, int i, int j, int k) {
    int r = steps, w = 2 * r + 1;
    double *a = kind_array((size_t)w * w * w * sizeof *a), *b = kind_array((size_t)w * w * w * sizeof *b);
    for (int t = 0; t <= steps; t++) {
        for (int x = 0; x < w; x++)
            for (int y = 0; y < w; y++)
                for (int z = 0; z < w; z++) {
                    int gi = i + x - r, gj = j + y - r, gk = k + z - r, at = (x * w + y) * w + z;
                    if (gi < 0 || gj < 0 || gk < 0 || gi >= n || gj >= n || gk >= n) continue;
                    int fixed = gi == 0 || gj == 0 || gk == 0 || gi == n - 1 || gj == n - 1 || gk == n - 1;
                    int lost = x < t || y < t || z < t || x >= w - t || y >= w - t || z >= w - t;
                    if (!t) b[at] = u[((size_t)gi * n + gj) * n + gk];
                    else if (!fixed && !lost)
                        b[at] = a[at] + c * (a[at - w * w] + a[at + w * w] + a[at - w] + a[at + w] +
                                             a[at - 1] + a[at + 1] - 6 * a[at]);
                }
        memcpy(a, b, (size_t)w * w * w * sizeof *a);
    }
    double found = a[(r * w + r) * w + r];
    free(a), free(b);
    return found;
}

int main(int argc, char **argv) {
    kind_begin("heat", argc, argv);
    int n = kind_size(512, 27), steps = kind_size(20, 4); // an even number
    size_t all = (size_t)n * n * n;
    float *u = kind_floats(all, 1), *v = kind_array(all * sizeof *v), *first = kind_array(all * sizeof *v);
    memcpy(v, u, all * sizeof *v), memcpy(first, u, all * sizeof *v);
#pragma acc enter data copyin(u[0 : all], v[0 : all])
    while (kind_again()) {
        memcpy(u, first, all * sizeof *u);
#pragma acc update device(u[0 : all])
#pragma acc update self(u[0 : 1])
        kind_start();
        heat(n, steps, 0.125f, (void *)u, (void *)v);
#pragma acc update self(u[0 : 1])
    }
#pragma acc exit data copyout(u[0 : all]) delete(v[0 : all])
    for (int s = 0; s < 16; s++) {
        int i = kind_pick(3 * s, n), j = kind_pick(3 * s + 1, n), k = kind_pick(3 * s + 2, n);
        kind_compare(u[((size_t)i * n + j) * n + k], plain(n, steps, 0.125, first, i, j, k), 0.1);
    }
    return kind_end(8.0 * all * steps, "GB/s", 1e-5);
}
