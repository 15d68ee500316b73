// SPDX-License-Identifier: MIT
// covariance.c -- means of columns, data less their means, and the matrix of covariances, float.
#include "kind.h"

#if SPELLING == 1 // everything between two marks, the polyhedral tools' spelling
static void covariance(int n, int m, const float x[m][n], float mean[n], float y[m][n], float v[n][n]) {
#pragma scop
    for (int j = 0; j < n; j++) {
        mean[j] = 0;
        for (int i = 0; i < m; i++) mean[j] += x[i][j];
        mean[j] /= m;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) y[i][j] = x[i][j] - mean[j];
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            v[i][j] = 0;
            for (int k = 0; k < m; k++) v[i][j] += y[k][i] * y[k][j];
            v[i][j] /= m - 1;
            v[j][i] = v[i][j];
        }
#pragma endscop
}
#elif SPELLING == 2 // three marked loops
static void covariance(int n, int m, const float *x, float *mean, float *y, float *v) {
#pragma acc parallel loop
    for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int i = 0; i < m; i++) sum += x[i * n + j];
        mean[j] = sum / m;
    }
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j] - mean[j];
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float sum = 0;
            for (int k = 0; k < m; k++) sum += y[k * n + i] * y[k * n + j];
            v[i * n + j] = v[j * n + i] = sum / (m - 1);
        }
}
#else // means taken away inside the sum
static void covariance(int n, int m, const float (*x)[n], float *mean, float (*y)[n], float (*v)[n]) {
    (void)y;
#pragma omp target teams distribute parallel for
    for (int j = 0; j < n; j++) {
        mean[j] = 0;
        for (int i = 0; i < m; i++) mean[j] += x[i][j] / m;
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < m; k++) sum += (x[k][i] - mean[i]) * (x[k][j] - mean[j]);
            v[i][j] = sum / (m - 1);
            v[j][i] = v[i][j];
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("covariance", argc, argv);
    int n = kind_size(4096, 61), m = kind_size(n, 45);
    size_t in = (size_t)m * n, out = (size_t)n * n;
    float *x = kind_floats(in, 1), *y = kind_floats(in, 2), *v = kind_floats(out, 3),
          *mean = kind_floats(n, 4);
#pragma acc enter data copyin(x[0 : in], y[0 : in], v[0 : out], mean[0 : n])
    while (kind_again()) {
        covariance(n, m, (void *)x, mean, (void *)y, (void *)v);
#pragma acc update self(v[0 : 1])
    }
#pragma acc exit data delete(x[0 : in], y[0 : in]) copyout(v[0 : out], mean[0 : n])
    for (int s = 0; s < 300; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double a = 0, b = 0, sum = 0;
        for (int k = 0; k < m; k++) a += x[k * n + i], b += x[k * n + j];
        for (int k = 0; k < m; k++) sum += (x[k * n + i] - a / m) * (x[k * n + j] - b / m);
        kind_compare(v[i * n + j], sum / (m - 1), 1 / sqrt(m));
    }
    return kind_end((double)n * (n + 1) * m + 3.0 * n * m, "GFLOP/s", 2e-5);
}
