// SPDX-License-Identifier: MIT
// jacobi.c -- Jacobi 5-point relaxation on a square, with time steps.
//
//   jacobi [n [steps]]
#include "example.h"

static void jacobi(int steps, int n, float (*a)[n], float (*b)[n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}

// The same in plain C that no mark touches, on other arrays.
static void reference(int steps, int n, double *a, double *b) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                const double *at = a + (size_t)i * n + j;
                b[(size_t)i * n + j] = 0.2 * (at[0] + at[-1] + at[1] + at[-n] + at[n]);
            }
        for (int i = 1; i < n - 1; i++)
            memcpy(a + (size_t)i * n + 1, b + (size_t)i * n + 1, sizeof(double) * (n - 2));
    }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 512), steps = (int)argument(argc, argv, 2, 10);
    size_t cells = (size_t)n * n;
    float *a = random_floats(cells), *b = random_floats(cells);
    double *ra = allocate(sizeof(double) * cells), *rb = allocate(sizeof(double) * cells);
    for (size_t i = 0; i < cells; i++) ra[i] = a[i], rb[i] = b[i];
    double start = now();
    jacobi(steps, n, (float(*)[n])a, (float(*)[n])b);
    double seconds = now() - start, worst = 0;
    reference(steps, n, ra, rb);
    for (size_t i = 0; i < cells; i++) worst = fmax(worst, fmax(fabs(a[i] - ra[i]), fabs(b[i] - rb[i])));
    free(a), free(b), free(ra), free(rb);
    return report("jacobi", seconds, 5.0 * steps * cells, 16.0 * steps * cells, worst, 1e-6);
}
