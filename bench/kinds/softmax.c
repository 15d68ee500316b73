// SPDX-License-Identifier: MIT
// softmax.c -- of each row, float.
#include "kind.h"

#if SPELLING == 1 // greatest, sum, quotient
static void softmax(int n, int m, const float *x, float *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < m; j++) most = fmaxf(most, x[i * m + j]);
        for (int j = 0; j < m; j++) sum += expf(x[i * m + j] - most);
        for (int j = 0; j < m; j++) y[i * m + j] = expf(x[i * m + j] - most) / sum;
    }
}
#elif SPELLING == 2 // exponentials kept, then scaled in place
static void softmax(int n, int m, const float (*x)[m], float (*y)[m]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float most = x[i][0];
        for (int j = 1; j < m; j++)
            if (x[i][j] > most) most = x[i][j];
        float sum = 0;
        for (int j = 0; j < m; j++) {
            y[i][j] = expf(x[i][j] - most);
            sum += y[i][j];
        }
        for (int j = 0; j < m; j++) y[i][j] /= sum;
    }
}
#else // a function of a row
static void softmax_row(int m, const float *x, float *y) {
    float most = x[0], sum = 0;
    for (int j = 1; j < m; j++) most = x[j] > most ? x[j] : most;
    for (int j = 0; j < m; j++) {
        float e = expf(x[j] - most);
        y[j] = e;
        sum += e;
    }
    float scale = 1.0f / sum;
    for (int j = 0; j < m; j++) y[j] *= scale;
}
static void softmax(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) softmax_row(m, x + i * m, y + i * m);
}
#endif

int main(int argc, char **argv) {
    kind_begin("softmax", argc, argv);
    int n = kind_size(8192, 37), m = kind_size(n, 301);
    size_t all = (size_t)n * m;
    float *x = kind_floats(all, 1), *y = kind_floats(all, 2);
#pragma acc enter data copyin(x[0 : all], y[0 : all])
    while (kind_again()) {
        softmax(n, m, (void *)x, (void *)y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : all]) copyout(y[0 : all])
    for (int s = 0; s < 100; s++) {
        int i = kind_pick(s, n);
        double sum = 0;
        for (int j = 0; j < m; j++) sum += exp(x[(size_t)i * m + j]);
        for (int j = 0; j < m; j++) kind_compare(y[(size_t)i * m + j], exp(x[(size_t)i * m + j]) / sum, 0);
    }
    return kind_end(8.0 * n * m, "GB/s", 2e-4);
}
