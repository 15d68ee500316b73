// SPDX-License-Identifier: MIT
// refine.c -- systems solved in single precision and refined in double, as LAPACK's dsgesv; in double where
// that does not come to an end. The caller holds a scope.
#include "lapack.h"
#include <float.h>
#include <math.h>

enum { STEPS_MOST = 30 };
#define A(i, j) a[(i) + (j)*lda]
#define B(i, j) b[(i) + (j)*ldb]
#define X(i, j) x[(i) + (j)*ldx]
#define R(i, j) r[(i) + (j)*n]
#define S(i, j) s[(i) + (j)*n]

// The largest sum of a row's absolute values; r: room for n of them.
static double norm_of(long n, const double *a, long lda, double *r) {
#pragma sculpt reassociate
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (long j = 0; j < n; j++) sum += fabs(A(i, j));
        r[i] = sum;
    }
    double most = 0;
#pragma sculpt
    for (long i = 0; i < n; i++)
        if (r[i] > most) most = r[i];
    return most;
}

// s = a, and the largest absolute value: false where that is too large for a float.
static bool to_single(long m, long n, const double *a, long lda, float *s) {
    double most = 0;
#pragma sculpt reassociate
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++)
            if (fabs(A(i, j)) > most) most = fabs(A(i, j));
    if (most > FLT_MAX) return false;
#pragma sculpt
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) s[i + j * m] = (float)A(i, j);
    return true;
}

// r = b - a x
static void residual(long n, long nrhs, const double *a, long lda, const double *b, long ldb, const double *x,
                     long ldx, double *r) {
#pragma sculpt
    for (long j = 0; j < nrhs; j++)
        for (long i = 0; i < n; i++) R(i, j) = B(i, j);
    blas_dgemm('N', 'N', n, nrhs, n, -1, a, lda, x, ldx, 1, r, n);
}

static double largest(long n, const double *x) {
    double most = 0;
#pragma sculpt
    for (long i = 0; i < n; i++)
        if (fabs(x[i]) > most) most = fabs(x[i]);
    return most;
}

// Is each column as good as double precision would have made it?
static bool is_good(long n, long nrhs, const double *x, long ldx, const double *r, double bound) {
    for (long j = 0; j < nrhs; j++)
        if (!(largest(n, r + j * n) <= largest(n, x + j * ldx) * bound)) return false;
    return true;
}

long blas_dsgesv(long n, long nrhs, double *a, long lda, int *pivot, const double *b, long ldb, double *x,
                 long ldx, double *r, float *s, int *steps) {
    float *right = s + n * n;
    double bound = norm_of(n, a, lda, r) * (DBL_EPSILON / 2) * sqrt((double)n);
    *steps = 0;
    bool fits = to_single(n, nrhs, b, ldb, right) && to_single(n, n, a, lda, s);
    if (!fits)
        *steps = -2;
    else if (blas_sgetrf(n, n, s, n, pivot))
        *steps = -3;
    for (int step = 0; *steps == 0 && step <= STEPS_MOST; step++) {
        blas_sgetrs('N', n, nrhs, s, n, pivot, right, n);
        if (step == 0) {
#pragma sculpt
            for (long j = 0; j < nrhs; j++)
                for (long i = 0; i < n; i++) X(i, j) = right[i + j * n];
        } else {
#pragma sculpt
            for (long j = 0; j < nrhs; j++)
                for (long i = 0; i < n; i++) X(i, j) += right[i + j * n];
        }
        residual(n, nrhs, a, lda, b, ldb, x, ldx, r);
        if (is_good(n, nrhs, x, ldx, r, bound)) {
            *steps = step;
            return 0;
        }
        if (step == STEPS_MOST)
            *steps = -STEPS_MOST - 1;
        else if (!to_single(n, nrhs, r, n, right))
            *steps = -2;
    }
    long info = blas_dgetrf(n, n, a, lda, pivot);
    if (info) return info;
#pragma sculpt
    for (long j = 0; j < nrhs; j++)
        for (long i = 0; i < n; i++) X(i, j) = B(i, j);
    blas_dgetrs('N', n, nrhs, a, lda, pivot, x, ldx);
    return 0;
}
