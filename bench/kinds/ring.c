// SPDX-License-Identifier: MIT
// ring.c -- a step of advection against the wind on a grid whose edges meet.
#include "kind.h"

#if SPELLING == 1 // remainders, one subscript
static void step(int n, const float *u, const float *vx, const float *vy, float *w, float dt) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int up = (i + n - 1) % n, down = (i + 1) % n, left = (j + n - 1) % n, right = (j + 1) % n;
            float a = vx[i * n + j], b = vy[i * n + j], c = u[i * n + j];
            float dx = a > 0 ? c - u[i * n + left] : u[i * n + right] - c;
            float dy = b > 0 ? c - u[up * n + j] : u[down * n + j] - c;
            w[i * n + j] = c - dt * (a * dx + b * dy);
        }
}
#elif SPELLING == 2 // two subscripts, of another type
static void step(int size, const float *at, const float *x, const float *y, float *to, float dt) {
    size_t n = size;
    const float(*u)[n] = (void *)at, (*vx)[n] = (void *)x, (*vy)[n] = (void *)y;
    float(*w)[n] = (void *)to;
#pragma acc parallel loop collapse(2)
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float c = u[i][j], dx, dy;
            if (vx[i][j] > 0) dx = c - u[i][(j + n - 1) % n];
            else dx = u[i][(j + 1) % n] - c;
            if (vy[i][j] > 0) dy = c - u[(i + n - 1) % n][j];
            else dy = u[(i + 1) % n][j] - c;
            w[i][j] = c - dt * (vx[i][j] * dx + vy[i][j] * dy);
        }
}
#else // neighbours by conditions
static void step(int n, const float *u, const float *vx, const float *vy, float *w, float dt) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int up = i == 0 ? n - 1 : i - 1, down = i == n - 1 ? 0 : i + 1;
            int left = j == 0 ? n - 1 : j - 1, right = j == n - 1 ? 0 : j + 1;
            float a = vx[i * n + j], b = vy[i * n + j], c = u[i * n + j];
            float dx = a > 0 ? c - u[i * n + left] : u[i * n + right] - c;
            float dy = b > 0 ? c - u[up * n + j] : u[down * n + j] - c;
            w[i * n + j] = c - dt * (a * dx + b * dy);
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("ring", argc, argv);
    int n = kind_size(8192, 301);
    size_t all = (size_t)n * n;
    float *u = kind_floats(all, 1), *vx = kind_floats(all, 2), *vy = kind_floats(all, 3);
    float *w = kind_floats(all, 4), dt = 0.25f;
#pragma acc enter data copyin(u[0 : all], vx[0 : all], vy[0 : all]) create(w[0 : all])
    while (kind_again()) {
        step(n, u, vx, vy, w, dt);
#pragma acc update self(w[0 : 1])
    }
#pragma acc exit data delete(u[0 : all], vx[0 : all], vy[0 : all]) copyout(w[0 : all])
    for (size_t k = 0; k < all; k++) {
        size_t i = k / n, j = k % n;
        double a = vx[k], b = vy[k], c = u[k];
        double dx = a > 0 ? c - u[i * n + (j + n - 1) % n] : u[i * n + (j + 1) % n] - c;
        double dy = b > 0 ? c - u[(i + n - 1) % n * n + j] : u[(i + 1) % n * n + j] - c;
        kind_compare(w[k], c - dt * (a * dx + b * dy), 1);
    }
    return kind_end(16.0 * all, "GB/s", 1e-6);
}
