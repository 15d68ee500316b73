// SPDX-License-Identifier: MIT
// level3.c -- matrices with matrices.
#include "loops.h"
#include "sculpt/sculpt.h"

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

// The whole of a symmetric matrix of which one triangle is stored; w: n x n.
static void complete(char uplo, long n, const T *a, long lda, T *w) {
    if (uplo == 'U') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i < n; i++) w[i + j * n] = i <= j ? A(i, j) : A(j, i);
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i < n; i++) w[i + j * n] = i >= j ? A(i, j) : A(j, i);
    }
}

void NAME(symm)(char side, char uplo, long m, long n, T alpha, const T *a, long lda, const T *b, long ldb,
                T beta, T *c, long ldc) {
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(' ', m, n, beta, c, ldc);
        return;
    }
    long order = side == 'L' ? m : n;
    T *w = blas_work((size_t)order * order * sizeof *w);
    sculpt_data_begin();
    complete(uplo, order, a, lda, w);
    if (side == 'L') NAME(gemm)('N', 'N', m, n, m, alpha, w, m, b, ldb, beta, c, ldc);
    else NAME(gemm)('N', 'N', m, n, n, alpha, b, ldb, w, n, beta, c, ldc);
    sculpt_data_end();
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

// ---- solving: by substitution where little is to do, else by blocks
static void substitute(char side, char uplo, char trans, char diag, long m, long n, T alpha, const T *a, long lda,
          T *b,
                long ldb) {
    bool is_unit = diag == 'U';
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

void NAME(invert_blocks)(char uplo, bool is_unit, long n, const T *a, long lda, T *w) {
    long blocks = (n + BLOCK - 1) / BLOCK;
    if (uplo == 'L') {
#pragma sculpt
        for (long b = 0; b < blocks; b++)
            for (long j = 0; j < BLOCK; j++)
                for (long i = 0; i < BLOCK; i++) {
                    T sum = i == j ? 1 : 0;
                    if (b * BLOCK + i < n && j <= i) {
                        for (long l = 0; l < i; l++) sum -= A(b * BLOCK + i, b * BLOCK + l) * w[(b * BLOCK + j) * BLOCK + l];
                        sum = is_unit ? sum : sum / A(b * BLOCK + i, b * BLOCK + i);
                    }
                    w[(b * BLOCK + j) * BLOCK + i] = sum;
                }
    } else {
#pragma sculpt
        for (long b = 0; b < blocks; b++)
            for (long j = 0; j < BLOCK; j++)
                for (long i = BLOCK - 1; i >= 0; i--) {
                    T sum = i == j ? 1 : 0;
                    if (b * BLOCK + j < n && i <= j) {
                        for (long l = i + 1; l <= j; l++) sum -= A(b * BLOCK + i, b * BLOCK + l) * w[(b * BLOCK + j) * BLOCK + l];
                        sum = is_unit ? sum : sum / A(b * BLOCK + i, b * BLOCK + i);
                    }
                    w[(b * BLOCK + j) * BLOCK + i] = sum;
                }
    }
}

static void copy(long m, long n, const T *b, long ldb, T *w) {
#pragma sculpt
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) w[i + j * m] = B(i, j);
}

typedef struct System { // op(A) X = B or X op(A) = B, in place of B
    char side, trans;
    bool goes_up; // the first unknowns are those with the largest indices
    const T *a;
    T *b, *inverse, *w;
    long m, n, lda, ldb;
} System;

// Unknowns low to high - 1: half of them, what they contribute to the others, the other half.
static void solve(const System *s, long low, long high) {
    const T *a = s->a;
    T *b = s->b;
    long lda = s->lda, ldb = s->ldb;
    bool is_left = s->side == 'L';
    if (high - low <= BLOCK) {
        const T *inverse = s->inverse + low * BLOCK;
        long size = high - low;
        if (is_left) {
            copy(size, s->n, &B(low, 0), ldb, s->w);
            NAME(gemm)(s->trans, 'N', size, s->n, size, 1, inverse, BLOCK, s->w, size, 0, &B(low, 0), ldb);
        } else {
            copy(s->m, size, &B(0, low), ldb, s->w);
            NAME(gemm)('N', s->trans, s->m, size, size, 1, s->w, s->m, inverse, BLOCK, 0, &B(0, low), ldb);
        }
        return;
    }
    long middle = low + (high - low + 2 * BLOCK - 1) / (2 * BLOCK) * BLOCK;
    long from = s->goes_up ? middle : low, from_end = s->goes_up ? high : middle;
    long to = s->goes_up ? low : middle, to_end = s->goes_up ? middle : high;
    solve(s, from, from_end);
    long row = is_left ? to : from, column = is_left ? from : to; // of op(A)'s block
    const T *block = s->trans == 'N' ? &A(row, column) : &A(column, row);
    if (is_left)
        NAME(gemm)(s->trans, 'N', to_end - to, s->n, from_end - from, -1, block, lda, &B(from, 0), ldb, 1, &B(to, 0), ldb);
    else
        NAME(gemm)('N', s->trans, s->m, to_end - to, from_end - from, -1, &B(0, from), ldb, block, lda, 1, &B(0, to), ldb);
    solve(s, to, to_end);
}

void NAME(trsm)(char side, char uplo, char trans, char diag, long m, long n, T alpha, const T *a, long lda, T *b,
                long ldb) {
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(' ', m, n, 0, b, ldb);
        return;
    }
    long order = side == 'L' ? m : n, others = side == 'L' ? n : m;
    if (order <= BLOCK) {
        substitute(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
        return;
    }
    long inverses = (order + BLOCK - 1) / BLOCK * BLOCK * BLOCK;
    T *w = blas_work((size_t)(inverses + BLOCK * others) * sizeof *w);
    bool is_upper = (uplo == 'U') == (trans == 'N');
    System s = {side, trans, is_upper == (side == 'L'), a, b, w, w + inverses, m, n, lda, ldb};
    sculpt_data_begin();
    NAME(invert_blocks)(uplo, diag == 'U', order, a, lda, w);
    scale(' ', m, n, alpha, b, ldb);
    solve(&s, 0, order);
    sculpt_data_end();
}
