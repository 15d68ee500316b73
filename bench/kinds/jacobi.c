// SPDX-License-Identifier: MIT
// jacobi.c -- the 5-point mean in two dimensions, float, some steps a call.
#include "kind.h"

#if SPELLING == 1 // pointers are swapped
static void jacobi(int n, int steps, float *u, float *v) {
    for (int t = 0; t < steps; t++) {
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] =
                    0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
        float *other = u;
        u = v, v = other;
    }
}
#elif SPELLING == 2 // steps inside
static void jacobi(int n, int steps, float u[n][n], float v[n][n]) {
#pragma scop
    for (int t = 0; t < steps / 2; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.25f * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = 0.25f * (v[i][j - 1] + v[i][j + 1] + v[i - 1][j] + v[i + 1][j]);
    }
#pragma endscop
}
#else // copied back after each step
static void jacobi(int n, int steps, float (*u)[n], float (*v)[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) * 0.25f;
#pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) u[i][j] = v[i][j];
    }
}
#endif

// What lies within `steps` of a point, in double.
static double plain(int n, int steps, const float *u, int i, int j) {
    int r = steps, w = 2 * r + 1;
    double *a = kind_array((size_t)w * w * sizeof *a), *b = kind_array((size_t)w * w * sizeof *b);
    for (int t = 0; t <= steps; t++) {
        for (int x = t; x < w - t; x++)
            for (int y = t; y < w - t; y++) {
                int gi = i + x - r, gj = j + y - r, at = x * w + y;
                if (gi < 0 || gj < 0 || gi >= n || gj >= n) continue;
                if (!t) b[at] = u[(size_t)gi * n + gj];
                else if (gi && gj && gi < n - 1 && gj < n - 1)
                    b[at] = 0.25 * (a[at - w] + a[at + w] + a[at - 1] + a[at + 1]);
            }
        memcpy(a, b, (size_t)w * w * sizeof *a);
    }
    double found = a[r * w + r];
    free(a), free(b);
    return found;
}

int main(int argc, char **argv) {
    kind_begin("jacobi", argc, argv);
    int n = kind_size(16384, 83), steps = kind_size(12, 4); // an even number
    size_t all = (size_t)n * n;
    float *u = kind_floats(all, 1), *v = kind_array(all * sizeof *v), *first = kind_array(all * sizeof *v);
    memcpy(v, u, all * sizeof *v), memcpy(first, u, all * sizeof *v);
#pragma acc enter data copyin(u[0 : all], v[0 : all])
    while (kind_again()) {
        memcpy(u, first, all * sizeof *u);
#pragma acc update device(u[0 : all])
#pragma acc update self(u[0 : 1])
        kind_start();
        jacobi(n, steps, (void *)u, (void *)v);
#pragma acc update self(u[0 : 1])
    }
#pragma acc exit data copyout(u[0 : all]) delete(v[0 : all])
    for (int s = 0; s < 200; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        kind_compare(u[(size_t)i * n + j], plain(n, steps, first, i, j), 0.1);
    }
    return kind_end(8.0 * all * steps, "GB/s", 1e-5);
}
