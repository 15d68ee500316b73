// SPDX-License-Identifier: MIT
// gauss.c -- a Gaussian kernel of all pairs of points and its first three derivatives: one thread a pair.
#include <math.h>

enum { MAX_DIM = 3 };

void gauss(int n, int dim, const float (*x)[dim], float (*k0)[n], float (*k1)[n][dim], float (*k2)[n][dim][dim],
           float (*k3)[n][dim][dim][dim], float scale, float c) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float diff[MAX_DIM];
            float r2 = 0;
            for (int d = 0; d < dim; d++) {
                diff[d] = x[i][d] - x[j][d];
                r2 += diff[d] * diff[d];
            }
            float g = expf(-r2 * scale);
            k0[i][j] = g;
            for (int a = 0; a < dim; a++) {
                k1[i][j][a] = c * diff[a] * g;
                for (int b = 0; b < dim; b++) {
                    float same = a == b ? c : 0;
                    k2[i][j][a][b] = (c * c * diff[a] * diff[b] + same) * g;
                    for (int e = 0; e < dim; e++)
                        k3[i][j][a][b][e] = (c * c * c * diff[a] * diff[b] * diff[e] + c * (same * diff[e] + (a == e ? c * diff[b] : 0) + (b == e ? c * diff[a] : 0))) * g;
                }
            }
        }
}
