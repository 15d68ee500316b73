// SPDX-License-Identifier: MIT
// laplace.c -- the Laplace operator on a sparse grid: one thread a grid point. For each pair of hat
// functions, 2^-level wide on each side of index * 2^-level, a sum over dimensions of products of
// one-dimensional integrals.
#include <math.h>

enum { MAX_DIM = 8 };

void laplace(int n, int dim, float *out, const float (*level)[dim], const float (*width)[dim], const float (*index)[dim],
             const float *alpha, const float *lambda) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float gradient[MAX_DIM], dot[MAX_DIM];
        float result = 0;
        for (int j = 0; j < n; j++) {
            for (int d = 0; d < dim; d++) {
                float li = level[i][d], lj = level[j][d];
                float hi = width[i][d], hj = width[j][d];
                float ii = index[i][d], ij = index[j][d];
                float grad = 0, both = 0;
                if (li == lj) {
                    if (ii == ij) {
                        grad = 2 * li;
                        both = 2.0f / 3.0f * hi;
                    }
                } else {
                    float wide = li < lj ? li : lj, hw = li < lj ? hi : hj, hn = li < lj ? hj : hi;
                    float iw = li < lj ? ii : ij, in = li < lj ? ij : ii;
                    float left = 1 - fabsf(wide * hn * (in - 1) - iw);
                    float mid = 1 - fabsf(wide * hn * in - iw);
                    float right = 1 - fabsf(wide * hn * (in + 1) - iw);
                    if (fabsf(in * hn - iw * hw) < hw + hn)
                        both = hn * (fmaxf(left, 0) + 4 * fmaxf(mid, 0) + fmaxf(right, 0)) / 6;
                }
                gradient[d] = grad;
                dot[d] = both;
            }
            for (int d = 0; d < dim; d++) {
                float element = alpha[j];
                for (int e = 0; e < dim; e++)
                    element *= d == e ? gradient[e] : dot[e];
                result += lambda[d] * element;
            }
        }
        out[i] = result;
    }
}
