// SPDX-License-Identifier: MIT
// level3.c -- matrices with matrices.
#include "loops.h"

// c = beta c, of a triangle or of all; not read where beta is 0.
static void scale(char uplo, long m, long n, T beta, T *c, long ldc) {
    if (beta == 1) return;
    if (uplo == 'U') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) C(i, j) = beta == 0 ? 0 : beta * C(i, j);
    } else if (uplo == 'L') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) C(i, j) = beta == 0 ? 0 : beta * C(i, j);
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) C(i, j) = beta == 0 ? 0 : beta * C(i, j);
    }
}

void NAME(gemm)(char transa, char transb, long m, long n, long k, T alpha, const T *a, long lda, const T *b,
          long ldb,
                T beta, T *c, long ldc) {
    if (m == 0 || n == 0) return;
    if (alpha == 0 || k == 0) {
        scale(' ', m, n, beta, c, ldc);
    } else if (transa == 'N' && transb == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(i, l) * B(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else if (transa == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(i, l) * B(j, l);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else if (transb == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(l, i) * B(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(l, i) * B(j, l);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    }
}

void NAME(symm)(char side, char uplo, long m, long n, T alpha, const T *a, long lda, const T *b, long ldb, T
          beta, T *c,
                long ldc) {
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(' ', m, n, beta, c, ldc);
    } else if (side == 'L' && uplo == 'U') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = 0;
                for (long l = 0; l < i; l++) sum += A(l, i) * B(l, j);
                for (long l = i; l < m; l++) sum += A(i, l) * B(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else if (side == 'L') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = 0;
                for (long l = 0; l < i; l++) sum += A(i, l) * B(l, j);
                for (long l = i; l < m; l++) sum += A(l, i) * B(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = 0;
                for (long l = 0; l < j; l++) sum += B(i, l) * A(l, j);
                for (long l = j; l < n; l++) sum += B(i, l) * A(j, l);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = 0;
                for (long l = 0; l < j; l++) sum += B(i, l) * A(j, l);
                for (long l = j; l < n; l++) sum += B(i, l) * A(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    }
}

void NAME(syrk)(char uplo, char trans, long n, long k, T alpha, const T *a, long lda, T beta, T *c, long
          ldc) {
    if (n == 0) return;
    if (alpha == 0 || k == 0) {
        scale(uplo, n, n, beta, c, ldc);
    } else if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(i, l) * A(j, l);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(l, i) * A(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(i, l) * A(j, l);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(l, i) * A(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    }
}

void NAME(syr2k)(char uplo, char trans, long n, long k, T alpha, const T *a, long lda, const T *b, long ldb,
          T beta, T *c, long ldc) {
    if (n == 0) return;
    if (alpha == 0 || k == 0) {
        scale(uplo, n, n, beta, c, ldc);
    } else if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(i, l) * B(j, l) + B(i, l) * A(j, l);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(l, i) * B(l, j) + B(l, i) * A(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(i, l) * B(j, l) + B(i, l) * A(j, l);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    } else {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) {
                T sum = 0;
                for (long l = 0; l < k; l++) sum += A(l, i) * B(l, j) + B(l, i) * A(l, j);
                C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
            }
    }
}

// ---- triangular: in the order in which what is still needed is not yet overwritten
void NAME(trmm)(char side, char uplo, char trans, char diag, long m, long n, T alpha, const T *a, long lda,
          T *b,
                long ldb) {
    bool is_unit = diag == 'U';
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(' ', m, n, 0, b, ldb);
        return;
    }
    if (side == 'L' && uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? B(i, j) : A(i, i) * B(i, j);
                for (long l = i + 1; l < m; l++) sum += A(i, l) * B(l, j);
                B(i, j) = alpha * sum;
            }
    } else if (side == 'L' && uplo == 'U') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = m - 1; i >= 0; i--) {
                T sum = is_unit ? B(i, j) : A(i, i) * B(i, j);
                for (long l = 0; l < i; l++) sum += A(l, i) * B(l, j);
                B(i, j) = alpha * sum;
            }
    } else if (side == 'L' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = m - 1; i >= 0; i--) {
                T sum = is_unit ? B(i, j) : A(i, i) * B(i, j);
                for (long l = 0; l < i; l++) sum += A(i, l) * B(l, j);
                B(i, j) = alpha * sum;
            }
    } else if (side == 'L') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? B(i, j) : A(i, i) * B(i, j);
                for (long l = i + 1; l < m; l++) sum += A(l, i) * B(l, j);
                B(i, j) = alpha * sum;
            }
    } else if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++)
            for (long j = n - 1; j >= 0; j--) {
                T sum = is_unit ? B(i, j) : A(j, j) * B(i, j);
                for (long l = 0; l < j; l++) sum += B(i, l) * A(l, j);
                B(i, j) = alpha * sum;
            }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++) {
                T sum = is_unit ? B(i, j) : A(j, j) * B(i, j);
                for (long l = j + 1; l < n; l++) sum += B(i, l) * A(j, l);
                B(i, j) = alpha * sum;
            }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++) {
                T sum = is_unit ? B(i, j) : A(j, j) * B(i, j);
                for (long l = j + 1; l < n; l++) sum += B(i, l) * A(l, j);
                B(i, j) = alpha * sum;
            }
    } else {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++)
            for (long j = n - 1; j >= 0; j--) {
                T sum = is_unit ? B(i, j) : A(j, j) * B(i, j);
                for (long l = 0; l < j; l++) sum += B(i, l) * A(j, l);
                B(i, j) = alpha * sum;
            }
    }
}

void NAME(trsm)(char side, char uplo, char trans, char diag, long m, long n, T alpha, const T *a, long lda,
          T *b,
                long ldb) {
    bool is_unit = diag == 'U';
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(' ', m, n, 0, b, ldb);
        return;
    }
    if (side == 'L' && uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = m - 1; i >= 0; i--) {
                T sum = alpha * B(i, j);
                for (long l = i + 1; l < m; l++) sum -= A(i, l) * B(l, j);
                B(i, j) = is_unit ? sum : sum / A(i, i);
            }
    } else if (side == 'L' && uplo == 'U') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = alpha * B(i, j);
                for (long l = 0; l < i; l++) sum -= A(l, i) * B(l, j);
                B(i, j) = is_unit ? sum : sum / A(i, i);
            }
    } else if (side == 'L' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = alpha * B(i, j);
                for (long l = 0; l < i; l++) sum -= A(i, l) * B(l, j);
                B(i, j) = is_unit ? sum : sum / A(i, i);
            }
    } else if (side == 'L') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = m - 1; i >= 0; i--) {
                T sum = alpha * B(i, j);
                for (long l = i + 1; l < m; l++) sum -= A(l, i) * B(l, j);
                B(i, j) = is_unit ? sum : sum / A(i, i);
            }
    } else if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++) {
                T sum = alpha * B(i, j);
                for (long l = 0; l < j; l++) sum -= B(i, l) * A(l, j);
                B(i, j) = is_unit ? sum : sum / A(j, j);
            }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++)
            for (long j = n - 1; j >= 0; j--) {
                T sum = alpha * B(i, j);
                for (long l = j + 1; l < n; l++) sum -= B(i, l) * A(j, l);
                B(i, j) = is_unit ? sum : sum / A(j, j);
            }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++)
            for (long j = n - 1; j >= 0; j--) {
                T sum = alpha * B(i, j);
                for (long l = j + 1; l < n; l++) sum -= B(i, l) * A(l, j);
                B(i, j) = is_unit ? sum : sum / A(j, j);
            }
    } else {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++) {
                T sum = alpha * B(i, j);
                for (long l = 0; l < j; l++) sum -= B(i, l) * A(j, l);
                B(i, j) = is_unit ? sum : sum / A(j, j);
            }
    }
}
