// SPDX-License-Identifier: MIT
// matmul_1d.c -- matrix product, column-major, linear subscripts with symbolic pitches:
// the seven lines that "Optimizing GPU kernels" (2008) begins with.
//
//   matmul_1d [n [m [p [gap]]]]     a(n x m) += b(n x p) * c(p x m); gap 0: no words between columns
#include "example.h"

static void matmul(float *a, const float *b, const float *c, int pitch_a, int pitch_b, int pitch_c, int n, int m, int p) {
#pragma sculpt reassociate
    for (int j = 0; j < m; ++j)
        for (int k = 0; k < p; ++k)
            for (int i = 0; i < n; ++i)
                a[i + pitch_a * j] += b[i + pitch_b * k] * c[k + pitch_c * j];
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 512);
    int m = (int)argument(argc, argv, 2, n), p = (int)argument(argc, argv, 3, n);
    int gap = argument(argc, argv, 4, 1) != 0;
    int pitch_a = n + 3 * gap, pitch_b = n + 5 * gap, pitch_c = p + 7 * gap;
    float *a = random_floats((size_t)pitch_a * m), *b = random_floats((size_t)pitch_b * p);
    float *c = random_floats((size_t)pitch_c * m);
    float *before = allocate(sizeof(float) * pitch_a * m);
    memcpy(before, a, sizeof(float) * pitch_a * m);

    double start = now();
    matmul(a, b, c, pitch_a, pitch_b, pitch_c, n, m, p);
    double seconds = now() - start;

    double worst = 0;
    for (int s = 0; s < 2000; s++) { // a sample of the elements, in double precision
        int i = (int)((uniform() + 1) / 2 * n), j = (int)((uniform() + 1) / 2 * m);
        double sum = before[i + pitch_a * j];
        for (int k = 0; k < p; ++k) sum += (double)b[i + pitch_b * k] * c[k + pitch_c * j];
        worst = fmax(worst, fabs(a[i + pitch_a * j] - sum));
    }
    for (int j = 0; j < m; j++) // nothing outside the matrix may change
        for (int i = n; i < pitch_a; i++)
            if (a[i + pitch_a * j] != before[i + pitch_a * j]) worst = INFINITY;
    free(a), free(b), free(c), free(before);
    return report("matmul_1d", seconds, 2.0 * n * m * p, 0, worst, 1e-6 * (p + 16));
}
