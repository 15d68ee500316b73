// SPDX-License-Identifier: MIT
// batch.c -- many products or triangular systems of one size, at equal distances: textbook loops with a loop
// over the batch around.
//
// Sums are made in their order, with or without a batch: what a matrix becomes depends neither on how many
// there are nor on where it stands. A distance is told as so many columns of the matrix, with which the three
// subscripts part. Where it is none (matrices that interleave, one matrix for all), they come one by one.
#include "loops.h"

#define IN_A(i, j) a[(q * ra + (j)) * lda + (i)]
#define IN_B(i, j) b[(q * rb + (j)) * ldb + (i)]
#define IN_C(i, j) c[(q * rc + (j)) * ldc + (i)]

static void product(char transa, char transb, long m, long n, long k, T alpha, const T *a, long lda, long ra,
                    const T *b, long ldb, long rb, T beta, T *c, long ldc, long rc, long count) {
    if (alpha == 0 || k == 0) {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = 0; i < m; i++) IN_C(i, j) = beta == 0 ? 0 : beta * IN_C(i, j);
    } else if (transa == 'N' && transb == 'N') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = 0; i < m; i++) {
                    T sum = 0;
                    for (long l = 0; l < k; l++) sum += IN_A(i, l) * IN_B(l, j);
                    IN_C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * IN_C(i, j));
                }
    } else if (transa == 'N') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = 0; i < m; i++) {
                    T sum = 0;
                    for (long l = 0; l < k; l++) sum += IN_A(i, l) * IN_B(j, l);
                    IN_C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * IN_C(i, j));
                }
    } else if (transb == 'N') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = 0; i < m; i++) {
                    T sum = 0;
                    for (long l = 0; l < k; l++) sum += IN_A(l, i) * IN_B(l, j);
                    IN_C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * IN_C(i, j));
                }
    } else {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = 0; i < m; i++) {
                    T sum = 0;
                    for (long l = 0; l < k; l++) sum += IN_A(l, i) * IN_B(j, l);
                    IN_C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * IN_C(i, j));
                }
    }
}

// By substitution, whatever the triangle's order.
static void systems(char side, char uplo, char trans, bool is_unit, long m, long n, T alpha, const T *a,
                    long lda, long ra, T *b, long ldb, long rb, long count) {
    if (alpha == 0) {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = 0; i < m; i++) IN_B(i, j) = 0;
    } else if (side == 'L' && uplo == 'U' && trans == 'N') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = m - 1; i >= 0; i--) {
                    T sum = alpha * IN_B(i, j);
                    for (long l = i + 1; l < m; l++) sum -= IN_A(i, l) * IN_B(l, j);
                    IN_B(i, j) = is_unit ? sum : sum / IN_A(i, i);
                }
    } else if (side == 'L' && uplo == 'U') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = 0; i < m; i++) {
                    T sum = alpha * IN_B(i, j);
                    for (long l = 0; l < i; l++) sum -= IN_A(l, i) * IN_B(l, j);
                    IN_B(i, j) = is_unit ? sum : sum / IN_A(i, i);
                }
    } else if (side == 'L' && trans == 'N') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = 0; i < m; i++) {
                    T sum = alpha * IN_B(i, j);
                    for (long l = 0; l < i; l++) sum -= IN_A(i, l) * IN_B(l, j);
                    IN_B(i, j) = is_unit ? sum : sum / IN_A(i, i);
                }
    } else if (side == 'L') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long j = 0; j < n; j++)
                for (long i = m - 1; i >= 0; i--) {
                    T sum = alpha * IN_B(i, j);
                    for (long l = i + 1; l < m; l++) sum -= IN_A(l, i) * IN_B(l, j);
                    IN_B(i, j) = is_unit ? sum : sum / IN_A(i, i);
                }
    } else if (uplo == 'U' && trans == 'N') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long i = 0; i < m; i++)
                for (long j = 0; j < n; j++) {
                    T sum = alpha * IN_B(i, j);
                    for (long l = 0; l < j; l++) sum -= IN_B(i, l) * IN_A(l, j);
                    IN_B(i, j) = is_unit ? sum : sum / IN_A(j, j);
                }
    } else if (uplo == 'U') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long i = 0; i < m; i++)
                for (long j = n - 1; j >= 0; j--) {
                    T sum = alpha * IN_B(i, j);
                    for (long l = j + 1; l < n; l++) sum -= IN_B(i, l) * IN_A(j, l);
                    IN_B(i, j) = is_unit ? sum : sum / IN_A(j, j);
                }
    } else if (trans == 'N') {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long i = 0; i < m; i++)
                for (long j = n - 1; j >= 0; j--) {
                    T sum = alpha * IN_B(i, j);
                    for (long l = j + 1; l < n; l++) sum -= IN_B(i, l) * IN_A(l, j);
                    IN_B(i, j) = is_unit ? sum : sum / IN_A(j, j);
                }
    } else {
#pragma sculpt
        for (long q = 0; q < count; q++)
            for (long i = 0; i < m; i++)
                for (long j = 0; j < n; j++) {
                    T sum = alpha * IN_B(i, j);
                    for (long l = 0; l < j; l++) sum -= IN_B(i, l) * IN_A(j, l);
                    IN_B(i, j) = is_unit ? sum : sum / IN_A(j, j);
                }
    }
}

// A distance in columns; 0: it is none. What is alone may be any columns away from the next.
static long columns_of(long stride, long ld, long columns, long count) {
    if (count == 1) return columns > 0 ? columns : 1;
    return stride % ld == 0 && stride / ld >= columns ? stride / ld : 0;
}

void NAME(gemm_strided)(char transa, char transb, long m, long n, long k, T alpha, const T *a, long lda,
                        long stridea, const T *b, long ldb, long strideb, T beta, T *c, long ldc,
                        long stridec, long count) {
    if (m == 0 || n == 0) return;
    long ra = columns_of(stridea, lda, transa == 'N' ? k : m, count), rc = columns_of(stridec, ldc, n, count);
    long rb = columns_of(strideb, ldb, transb == 'N' ? n : k, count);
    if (ra && rb && rc) {
        product(transa, transb, m, n, k, alpha, a, lda, ra, b, ldb, rb, beta, c, ldc, rc, count);
        return;
    }
    for (long q = 0; q < count; q++)
        NAME(gemm_strided)(transa, transb, m, n, k, alpha, a + q * stridea, lda, 0, b + q * strideb, ldb, 0,
                           beta, c + q * stridec, ldc, 0, 1);
}

void NAME(trsm_strided)(char side, char uplo, char trans, char diag, long m, long n, T alpha, const T *a,
                        long lda, long stridea, T *b, long ldb, long strideb, long count) {
    if (m == 0 || n == 0) return;
    long ra = columns_of(stridea, lda, side == 'L' ? m : n, count), rb = columns_of(strideb, ldb, n, count);
    if (ra && rb) {
        systems(side, uplo, trans, diag == 'U', m, n, alpha, a, lda, ra, b, ldb, rb, count);
        return;
    }
    for (long q = 0; q < count; q++)
        NAME(trsm_strided)(side, uplo, trans, diag, m, n, alpha, a + q * stridea, lda, 0, b + q * strideb,
                           ldb, 0, 1);
}
