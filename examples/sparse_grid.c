// SPDX-License-Identifier: MIT
// sparse_grid.c -- the Laplace operator on a sparse grid, after a master's thesis on GPU code
// generation (Copenhagen, 2013): for each pair of basis functions a sum over dimensions of
// products of one-dimensional integrals, with local arrays and conditions.
//
//   sparse_grid [n [dim]]     n grid points, dim at most 8
#include "example.h"

#define MAX_DIM 8

// cc -DDOUBLE: in double precision.
#ifdef DOUBLE
typedef double real;
#define ABS fabs
#define MAX fmax
#else
typedef float real;
#define ABS fabsf
#define MAX fmaxf
#endif

// Hat functions at level and index: 2^-level wide on each side of index * 2^-level.
static void apply(int n, int dim, real *restrict out, const real *restrict level, const real *restrict level_int,
                  const real *restrict index, const real *restrict alpha, const real *restrict lambda) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        real gradient[MAX_DIM], dot[MAX_DIM];
        real result = 0;
        for (int j = 0; j < n; j++) {
            for (int d = 0; d < dim; d++) {
                real li = level[i * dim + d], lj = level[j * dim + d];
                real hi = level_int[i * dim + d], hj = level_int[j * dim + d];
                real ii = index[i * dim + d], ij = index[j * dim + d];
                gradient[d] = 0;
                if (li == lj && ii == ij)
                    gradient[d] = 2 * li;
                real temp = 0;
                if (li == lj) {
                    if (ii == ij)
                        temp = (real)(2.0 / 3.0) * hi;
                } else {
                    real wide = li < lj ? li : lj, hw = li < lj ? hi : hj, hn = li < lj ? hj : hi;
                    real iw = li < lj ? ii : ij, in = li < lj ? ij : ii;
                    real left = 1 - ABS(wide * hn * (in - 1) - iw);
                    real mid = 1 - ABS(wide * hn * in - iw);
                    real right = 1 - ABS(wide * hn * (in + 1) - iw);
                    if (ABS(in * hn - iw * hw) < hw + hn)
                        temp = hn * (MAX(left, 0) + 4 * MAX(mid, 0) + MAX(right, 0)) / 6;
                }
                dot[d] = temp;
            }
            for (int d = 0; d < dim; d++) {
                real element = alpha[j];
                for (int e = 0; e < dim; e++) {
                    if (d != e)
                        element *= dot[e];
                    else
                        element *= gradient[e];
                }
                result += lambda[d] * element;
            }
        }
        out[i] = result;
    }
}

static double integral(double li, double lj, double hi, double hj, double ii, double ij) {
    if (li == lj) return ii == ij ? 2.0 / 3.0 * hi : 0.0;
    int i_wide = li < lj;
    double wide = i_wide ? li : lj, hw = i_wide ? hi : hj, hn = i_wide ? hj : hi, iw = i_wide ? ii : ij, in = i_wide ? ij : ii;
    if (!(fabs(in * hn - iw * hw) < hw + hn)) return 0.0;
    double sum = 0;
    for (int k = -1; k <= 1; k++) sum += fmax(1.0 - fabs(wide * hn * (in + k) - iw), 0.0) * (k ? 1 : 4);
    return hn * sum / 6.0;
}

// *size: the same sum of absolute values, which the error is measured by.
static double expected(int i, int n, int dim, const real *level, const real *width, const real *index,
                       const real *alpha, const real *lambda, double *size) {
    double result = 0;
    *size = 0;
    for (int j = 0; j < n; j++)
        for (int d = 0; d < dim; d++) {
            double element = alpha[j];
            for (int e = 0; e < dim && element != 0; e++) {
                int p = i * dim + e, q = j * dim + e, same = level[p] == level[q] && index[p] == index[q];
                element *= d == e ? (same ? 2.0 * level[p] : 0.0) : integral(level[p], level[q], width[p], width[q], index[p], index[q]);
            }
            result += lambda[d] * element;
            *size += fabs(lambda[d] * element);
        }
    return result;
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 512), dim = (int)argument(argc, argv, 2, 5);
    if (dim < 1 || dim > MAX_DIM) return fprintf(stderr, "dim must be 1..%d\n", MAX_DIM), 2;
    size_t size = (size_t)n * dim;
    real *level = allocate(sizeof(real) * size), *width = allocate(sizeof(real) * size);
    real *index = allocate(sizeof(real) * size), *alpha = allocate(sizeof(real) * n);
    real *lambda = allocate(sizeof(real) * dim), *out = allocate(sizeof(real) * n);
    for (size_t k = 0; k < size; k++) {
        int l = 1 + (int)((uniform() + 1) * 2.5);
        level[k] = 1 << l;
        width[k] = 1 / level[k];
        index[k] = 1 + 2 * (int)((uniform() + 1) / 2 * (1 << (l - 1)));
    }
    for (int i = 0; i < n; i++) alpha[i] = (real)uniform();
    for (int d = 0; d < dim; d++) lambda[d] = (real)(1.5 + uniform());
    double start = now();
    apply(n, dim, out, level, width, index, alpha, lambda);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i += 1 + n / 256) {
        double absolute, e = expected(i, n, dim, level, width, index, alpha, lambda, &absolute);
        worst = fmax(worst, fabs(out[i] - e) / (absolute + 1));
    }
    free(level), free(width), free(index), free(alpha), free(lambda), free(out);
    double pair = 30.4 * dim + dim * (dim + 2.0); // 187 at five dimensions
    return report("sparse_grid", seconds, pair * n * n, 0, worst, sizeof(real) == 4 ? 1e-6 + 2e-10 * n : 1e-14);
}
