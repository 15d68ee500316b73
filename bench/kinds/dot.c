// SPDX-License-Identifier: MIT
// dot.c -- the inner product of two vectors, float.
#include "kind.h"

#if SPELLING == 1
static float dot(int n, const float *x, const float *y) {
    float sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}
#elif SPELLING == 2
static float dot(int n, const float *x, const float *y) {
    float sum = 0;
#pragma omp target teams distribute parallel for simd reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum = sum + x[i] * y[i];
    return sum;
}
#else // pointers that walk, summed in double
static float dot(int n, const float *x, const float *y) {
    double sum = 0;
    const float *p = x, *q = y;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) sum += (double)*p++ * *q++;
    return (float)sum;
}
#endif

int main(int argc, char **argv) {
    kind_begin("dot", argc, argv);
    int n = kind_size(1 << 28, 100003);
    float *x = kind_floats(n, 1), *y = kind_floats(n, 2), got = 0;
    for (int i = 0; i < n; i++)
        y[i] = 0.5f * y[i] + 0.25f * x[i]; // so that the sum is not small beside its terms
#pragma acc enter data copyin(x[0 : n], y[0 : n])
    while (kind_again()) got = dot(n, x, y);
#pragma acc exit data delete(x[0 : n], y[0 : n])
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)x[i] * y[i];
    kind_compare(got, sum, 1);
    // In the order that is written, float sums of so many terms are off themselves.
    return kind_end(8.0 * n, "GB/s", sculpt_device_name ? 1e-4 : 1e-1);
}
