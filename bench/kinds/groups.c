// SPDX-License-Identifier: MIT
// groups.c -- images normalised in groups of channels, each channel with a weight and an offset.
#include "kind.h"

#if SPELLING == 1 // one subscript
static void normalise(int n, int c, int s, int groups, const float *x, float *y, const float *w,
                      const float *b) {
    int each = c / groups;
#pragma acc parallel loop gang collapse(2)
    for (int i = 0; i < n; i++)
        for (int q = 0; q < groups; q++) {
            float sum = 0, squares = 0;
#pragma acc loop vector collapse(2) reduction(+ : sum, squares)
            for (int j = 0; j < each; j++)
                for (int k = 0; k < s; k++) {
                    float t = x[((i * c) + q * each + j) * s + k];
                    sum += t;
                    squares += t * t;
                }
            float mean = sum / (each * s), r = 1 / sqrtf(squares / (each * s) - mean * mean + 1e-5f);
#pragma acc loop vector collapse(2)
            for (int j = 0; j < each; j++)
                for (int k = 0; k < s; k++) {
                    int at = q * each + j;
                    y[(i * c + at) * s + k] = (x[(i * c + at) * s + k] - mean) * r * w[at] + b[at];
                }
        }
}
#elif SPELLING == 2 // a channel's subscript
static void normalise(int n, int c, int s, int groups, const float *from, float *to, const float *w,
                      const float *b) {
    int each = c / groups;
    const float(*x)[c][s] = (void *)from;
    float(*y)[c][s] = (void *)to;
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int q = 0; q < groups; q++) {
            float mean = 0, square = 0;
            for (int j = q * each; j < (q + 1) * each; j++)
                for (int k = 0; k < s; k++) mean += x[i][j][k];
            mean /= each * s;
            for (int j = q * each; j < (q + 1) * each; j++)
                for (int k = 0; k < s; k++) square += (x[i][j][k] - mean) * (x[i][j][k] - mean);
            float r = 1 / sqrtf(square / (each * s) + 1e-5f);
            for (int j = q * each; j < (q + 1) * each; j++)
                for (int k = 0; k < s; k++) y[i][j][k] = (x[i][j][k] - mean) * r * w[j] + b[j];
        }
}
#else // groups have a subscript of their own
static void normalise(int n, int c, int s, int groups, const float *from, float *to, const float *weight,
                      const float *offset) {
    int each = c / groups;
    const float(*x)[groups][each][s] = (void *)from, (*w)[each] = (void *)weight, (*b)[each] = (void *)offset;
    float(*y)[groups][each][s] = (void *)to;
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int q = 0; q < groups; q++) {
            float sum = 0, squares = 0;
            for (int j = 0; j < each; j++)
                for (int k = 0; k < s; k++) sum += x[i][q][j][k], squares += x[i][q][j][k] * x[i][q][j][k];
            float mean = sum / (each * s), r = 1 / sqrtf(squares / (each * s) - mean * mean + 1e-5f);
            for (int j = 0; j < each; j++)
                for (int k = 0; k < s; k++) y[i][q][j][k] = (x[i][q][j][k] - mean) * r * w[q][j] + b[q][j];
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("groups", argc, argv);
    int n = kind_size(32, 3), c = kind_size(256, 12), s = kind_size(4096, 77), groups = kind_size(32, 4);
    int each = c / groups;
    size_t all = (size_t)n * c * s;
    float *x = kind_floats(all, 1), *y = kind_floats(all, 2), *w = kind_floats(c, 3), *b = kind_floats(c, 4);
#pragma acc enter data copyin(x[0 : all], w[0 : c], b[0 : c]) create(y[0 : all])
    while (kind_again()) {
        normalise(n, c, s, groups, x, y, w, b);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : all], w[0 : c], b[0 : c]) copyout(y[0 : all])
    for (int t = 0; t < 100; t++) {
        int i = kind_pick(3 * t, n), q = kind_pick(3 * t + 1, groups);
        size_t first = ((size_t)i * c + (size_t)q * each) * s, size = (size_t)each * s;
        double mean = 0, square = 0;
        for (size_t k = 0; k < size; k++) mean += x[first + k];
        mean /= size;
        for (size_t k = 0; k < size; k++) square += (x[first + k] - mean) * (x[first + k] - mean);
        double r = 1 / sqrt(square / size + 1e-5);
        for (size_t k = t; k < size; k += 97) {
            int at = q * each + (int)(k / s);
            kind_compare(y[first + k], (x[first + k] - mean) * r * w[at] + b[at], 1);
        }
    }
    return kind_end(8.0 * all, "GB/s", 1e-4);
}
