// SPDX-License-Identifier: MIT
// layernorm.c -- rows less their mean, by their deviation, scaled and shifted, float.
#include "kind.h"

#if SPELLING == 1 // mean, then variance
static void normalize(int n, int m, const float *x, const float *gain, const float *shift, float *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float mean = 0, var = 0;
        for (int j = 0; j < m; j++) mean += x[i * m + j];
        mean /= m;
        for (int j = 0; j < m; j++) {
            float d = x[i * m + j] - mean;
            var += d * d;
        }
        float scale = 1.0f / sqrtf(var / m + 1e-5f);
        for (int j = 0; j < m; j++) y[i * m + j] = (x[i * m + j] - mean) * scale * gain[j] + shift[j];
    }
}
#elif SPELLING == 2 // sums of x and of its squares at once
static void normalize(int n, int m, const float (*x)[m], const float *gain, const float *shift,
                      float (*y)[m]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0, squares = 0;
        for (int j = 0; j < m; j++) {
            sum += x[i][j];
            squares += x[i][j] * x[i][j];
        }
        float mean = sum / m, scale = 1.0f / sqrtf(squares / m - mean * mean + 1e-5f);
        for (int j = 0; j < m; j++) y[i][j] = (x[i][j] - mean) * scale * gain[j] + shift[j];
    }
}
#else // differences kept in y
static void normalize(int n, int m, const float (*x)[m], const float *gain, const float *shift,
                      float (*y)[m]) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        float mean = 0, var = 0;
        for (int j = 0; j < m; j++) mean += x[i][j] / m;
        for (int j = 0; j < m; j++) {
            y[i][j] = x[i][j] - mean;
            var += y[i][j] * y[i][j];
        }
        var = sqrtf(var / m + 1e-5f);
        for (int j = 0; j < m; j++) y[i][j] = y[i][j] / var * gain[j] + shift[j];
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("layernorm", argc, argv);
    int n = kind_size(32768, 37), m = kind_size(2048, 301);
    size_t all = (size_t)n * m;
    float *x = kind_floats(all, 1), *y = kind_floats(all, 2), *gain = kind_floats(m, 3),
          *shift = kind_floats(m, 4);
#pragma acc enter data copyin(x[0 : all], y[0 : all], gain[0 : m], shift[0 : m])
    while (kind_again()) {
        normalize(n, m, (void *)x, gain, shift, (void *)y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : all], gain[0 : m], shift[0 : m]) copyout(y[0 : all])
    for (int s = 0; s < 100; s++) {
        int i = kind_pick(s, n);
        double mean = 0, var = 0;
        for (int j = 0; j < m; j++) mean += (double)x[(size_t)i * m + j] / m;
        for (int j = 0; j < m; j++) var += (x[(size_t)i * m + j] - mean) * (x[(size_t)i * m + j] - mean) / m;
        for (int j = 0; j < m; j++)
            kind_compare(y[(size_t)i * m + j],
                         (x[(size_t)i * m + j] - mean) / sqrt(var + 1e-5) * gain[j] + shift[j], 1);
    }
    return kind_end(8.0 * n * m, "GB/s", 1e-4);
}
