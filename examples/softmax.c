// SPDX-License-Identifier: MIT
// softmax.c -- each row's exponentials, scaled so that they sum to one: a greatest element, a sum, a quotient.
//
//   softmax [n [m]]     Y(n x m), y[i][j] = exp(x[i][j]) / sum of exp(x[i][k])
#include "example.h"

static void softmax(int n, int m, float *Y, const float *X) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        float most = X[i * m], sum = 0.0f;
        for (int j = 0; j < m; j++)
            if (X[i * m + j] > most) most = X[i * m + j];
        for (int k = 0; k < m; k++)
            sum += expf(X[i * m + k] - most);
        for (int l = 0; l < m; l++)
            Y[i * m + l] = expf(X[i * m + l] - most) / sum;
    }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 1024), m = (int)argument(argc, argv, 2, n);
    float *x = random_floats((size_t)n * m), *y = random_floats((size_t)n * m);
    double start = now();
    softmax(n, m, y, x);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += exp(x[(size_t)i * m + j]);
        for (int j = 0; j < m; j++) worst = fmax(worst, fabs(y[(size_t)i * m + j] * sum / exp(x[(size_t)i * m + j]) - 1));
    }
    free(x), free(y);
    return report("softmax", seconds, 0, 12.0 * n * m, worst, 1e-6 * (m / 16 + 16));
}
