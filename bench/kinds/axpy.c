// SPDX-License-Identifier: MIT
// axpy.c -- y = a x + y, float.
#include "kind.h"

#if SPELLING == 1
static void axpy(int n, float a, const float *x, float *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
#elif SPELLING == 2
static void axpy(int n, float a, const float *restrict x, float *restrict y) {
#pragma omp target teams distribute parallel for simd
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}
#else
static void axpy(int n, float a, const float *x, float *y) {
#pragma sculpt
    for (int i = n; i > 0; i--) {
        *y += a * *x;
        x++, y++;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("axpy", argc, argv);
    int n = kind_size(1 << 28, 100003), calls = 0;
    float *x = kind_floats(n, 1), *y = kind_floats(n, 2);
#pragma acc enter data copyin(x[0 : n], y[0 : n])
    for (; kind_again(); calls++) {
        axpy(n, 0.5f, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : n]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) kind_compare(y[i], (float)kind_value(2, i) + 0.5 * calls * x[i], 1);
    return kind_end(12.0 * n, "GB/s", 1e-6);
}
