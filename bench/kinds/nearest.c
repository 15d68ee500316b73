// SPDX-License-Identifier: MIT
// nearest.c -- the nearest of some centres to each point, float.
#include "kind.h"

#if SPELLING == 1
static void nearest(int n, int centres, int d, const float *x, const float *c, int *label) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        int best = 0;
        float least = INFINITY;
        for (int k = 0; k < centres; k++) {
            float sum = 0;
            for (int t = 0; t < d; t++) {
                float diff = x[i * d + t] - c[k * d + t];
                sum += diff * diff;
            }
            if (sum < least) {
                least = sum;
                best = k;
            }
        }
        label[i] = best;
    }
}
#elif SPELLING == 2 // choices, arrays of rows
static void nearest(int n, int centres, int d, const float (*x)[d], const float (*c)[d], int *label) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float least = 1e30f;
        for (int k = 0; k < centres; k++) {
            float sum = 0;
            for (int t = 0; t < d; t++) sum += (x[i][t] - c[k][t]) * (x[i][t] - c[k][t]);
            label[i] = sum < least ? k : label[i];
            least = sum < least ? sum : least;
        }
    }
}
#else // coordinates outermost, a function for the distance
static float distance(int n, int centres, int d, const float *x, const float *c, int i, int k) {
    float sum = 0;
    for (int t = 0; t < d; t++) {
        float diff = x[t * n + i] - c[t * centres + k];
        sum += diff * diff;
    }
    return sum;
}
static void nearest(int n, int centres, int d, const float *x, const float *c, int *label) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        int best = 0;
        float least = distance(n, centres, d, x, c, i, 0);
        for (int k = 1; k < centres; k++) {
            float sum = distance(n, centres, d, x, c, i, k);
            if (sum < least) least = sum, best = k;
        }
        label[i] = best;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("nearest", argc, argv);
    int n = kind_size(1 << 20, 1003), centres = kind_size(256, 37), d = kind_size(32, 16);
    size_t all = (size_t)n * d, cs = (size_t)centres * d;
    float *x = kind_floats(all, 1), *c = kind_floats(cs, 2);
    int *label = kind_array((size_t)n * sizeof *label), last = SPELLING == 3;
    memset(label, 0, (size_t)n * sizeof *label);
#pragma acc enter data copyin(x[0 : all], c[0 : cs], label[0 : n])
    while (kind_again()) {
        nearest(n, centres, d, (void *)x, (void *)c, label);
#pragma acc update self(label[0 : 1])
    }
#pragma acc exit data delete(x[0 : all], c[0 : cs]) copyout(label[0 : n])
    for (int s = 0; s < 1000; s++) {
        int i = kind_pick(s, n);
        double least = INFINITY, got = INFINITY;
        for (int k = 0; k < centres; k++) {
            double sum = 0;
            for (int t = 0; t < d; t++) {
                double diff = (double)x[last ? t * n + i : i * d + t] - c[last ? t * centres + k : k * d + t];
                sum += diff * diff;
            }
            if (sum < least) least = sum;
            if (k == label[i]) got = sum;
        }
        kind_compare(got, least, 1); // which of two that are equally near depends on rounding
    }
    return kind_end(3.0 * n * centres * d, "GFLOP/s", 1e-5);
}
