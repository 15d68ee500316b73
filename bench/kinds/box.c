// SPDX-License-Identifier: MIT
// box.c -- the mean of 7 x 7 pixels, float.
#include "kind.h"

#if SPELLING == 1
static void blur(int n, const float *x, float *y) {
#pragma acc parallel loop collapse(2)
    for (int i = 3; i < n - 3; i++)
        for (int j = 3; j < n - 3; j++) {
            float sum = 0;
            for (int u = -3; u <= 3; u++)
                for (int v = -3; v <= 3; v++) sum += x[(i + u) * n + j + v];
            y[i * n + j] = sum / 49;
        }
}
#elif SPELLING == 2 // in place, a radius that is a variable
static void blur(int n, const float (*x)[n], float (*y)[n]) {
    const int r = 3;
#pragma omp target teams distribute parallel for
    for (int i = r; i < n - r; i++)
        for (int j = r; j < n - r; j++) {
            y[i][j] = 0;
            for (int u = i - r; u <= i + r; u++)
                for (int v = j - r; v <= j + r; v++) y[i][j] += x[u][v];
            y[i][j] *= 1.0f / ((2 * r + 1) * (2 * r + 1));
        }
}
#else // sums along rows first
static void blur(int n, const float *x, float *y) {
    static float *along;
    if (!along) {
        along = malloc((size_t)n * n * sizeof *along);
#pragma acc enter data create(along[0 : n * n])
    }
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int j = 3; j < n - 3; j++) {
            float sum = 0;
            for (int v = -3; v <= 3; v++) sum += x[i * n + j + v];
            along[i * n + j] = sum;
        }
#pragma sculpt reassociate
    for (int i = 3; i < n - 3; i++)
        for (int j = 3; j < n - 3; j++) {
            float sum = 0;
            for (int u = -3; u <= 3; u++) sum += along[(i + u) * n + j];
            y[i * n + j] = sum * (1.0f / 49);
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("box", argc, argv);
    int n = kind_size(16384, 123);
    size_t all = (size_t)n * n;
    float *x = kind_floats(all, 1), *y = kind_floats(all, 2);
#pragma acc enter data copyin(x[0 : all], y[0 : all])
    while (kind_again()) {
        blur(n, (void *)x, (void *)y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : all]) copyout(y[0 : all])
    for (int s = 0; s < 5000; s++) {
        int i = 3 + kind_pick(2 * s, n - 6), j = 3 + kind_pick(2 * s + 1, n - 6);
        double sum = 0;
        for (int u = -3; u <= 3; u++)
            for (int v = -3; v <= 3; v++) sum += x[(i + u) * n + j + v];
        kind_compare(y[i * n + j], sum / 49, 0.1);
    }
    return kind_end(8.0 * all, "GB/s", 1e-5);
}
