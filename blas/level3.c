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
    T *w = blas_room(ROOM_WORK, (size_t)order * order * sizeof *w);
    blas_scope_begin();
    complete(uplo, order, a, lda, w);
    if (side == 'L') NAME(gemm)('N', 'N', m, n, m, alpha, w, m, b, ldb, beta, c, ldc);
    else NAME(gemm)('N', 'N', m, n, n, alpha, b, ldb, w, n, beta, c, ldc);
    blas_scope_end();
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

// ---- triangular ----------------------------------------------------------------------------
// w = alpha b, without gaps.
static void times(long m, long n, T alpha, const T *b, long ldb, T *w) {
#pragma sculpt
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) w[i + j * m] = alpha * B(i, j);
}

void NAME(trmm)(char side, char uplo, char trans, char diag, long m, long n, T alpha, const T *a, long lda,
                T *b, long ldb) {
    bool is_unit = diag == 'U';
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(' ', m, n, 0, b, ldb);
        return;
    }
    long ldw = m;
    T *w = blas_room(ROOM_WORK, (size_t)m * n * sizeof *w);
    blas_scope_begin();
    times(m, n, alpha, b, ldb, w);
    if (side == 'L' && uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? W(i, j) : A(i, i) * W(i, j);
                for (long l = i + 1; l < m; l++) sum += A(i, l) * W(l, j);
                B(i, j) = sum;
            }
    } else if (side == 'L' && uplo == 'U') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? W(i, j) : A(i, i) * W(i, j);
                for (long l = 0; l < i; l++) sum += A(l, i) * W(l, j);
                B(i, j) = sum;
            }
    } else if (side == 'L' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? W(i, j) : A(i, i) * W(i, j);
                for (long l = 0; l < i; l++) sum += A(i, l) * W(l, j);
                B(i, j) = sum;
            }
    } else if (side == 'L') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? W(i, j) : A(i, i) * W(i, j);
                for (long l = i + 1; l < m; l++) sum += A(l, i) * W(l, j);
                B(i, j) = sum;
            }
    } else if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? W(i, j) : A(j, j) * W(i, j);
                for (long l = 0; l < j; l++) sum += W(i, l) * A(l, j);
                B(i, j) = sum;
            }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? W(i, j) : A(j, j) * W(i, j);
                for (long l = j + 1; l < n; l++) sum += W(i, l) * A(j, l);
                B(i, j) = sum;
            }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? W(i, j) : A(j, j) * W(i, j);
                for (long l = j + 1; l < n; l++) sum += W(i, l) * A(l, j);
                B(i, j) = sum;
            }
    } else {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                T sum = is_unit ? W(i, j) : A(j, j) * W(i, j);
                for (long l = 0; l < j; l++) sum += W(i, l) * A(j, l);
                B(i, j) = sum;
            }
    }
    blas_scope_end();
}

// ---- solving: by substitution where little is to do, else by blocks
static void substitute(char side, char uplo, char trans, char diag, long m, long n, T alpha, const T *a,
    long lda,
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

typedef struct System { // op(A) X = w or X op(A) = w; X goes to b
    char side, trans;
    bool goes_up; // the first unknowns are those with the largest indices
    const T *a;
    T *b, *inverse, *w; // w: m x n
    long m, n, lda, ldb;
} System;

// Unknowns low to high - 1: half of them, what they contribute to the others, the other half.
static void solve(const System *s, long low, long high) {
    const T *a = s->a;
    T *b = s->b, *w = s->w;
    long lda = s->lda, ldb = s->ldb, ldw = s->m;
    bool is_left = s->side == 'L';
    if (high - low <= BLOCK) {
        const T *inverse = s->inverse + low * BLOCK;
        long size = high - low;
        if (is_left)
            NAME(gemm)(s->trans, 'N', size, s->n, size, 1, inverse, BLOCK, &W(low, 0), ldw, 0, &B(low, 0),
                ldb);
        else
            NAME(gemm)('N', s->trans, s->m, size, size, 1, &W(0, low), ldw, inverse, BLOCK, 0, &B(0, low),
                ldb);
        return;
    }
    long middle = low + (high - low + 2 * BLOCK - 1) / (2 * BLOCK) * BLOCK;
    long from = s->goes_up ? middle : low, known = s->goes_up ? high - middle : middle - low;
    long to = s->goes_up ? low : middle, wanted = high - low - known;
    solve(s, from, from + known);
    long row = is_left ? to : from, column = is_left ? from : to; // of op(A)'s block
    const T *block = s->trans == 'N' ? &A(row, column) : &A(column, row);
    if (is_left)
        NAME(gemm)(s->trans, 'N', wanted, s->n, known, -1, block, lda, &B(from, 0), ldb, 1, &W(to, 0), ldw);
    else
        NAME(gemm)('N', s->trans, s->m, wanted, known, -1, &B(0, from), ldb, block, lda, 1, &W(0, to), ldw);
    solve(s, to, to + wanted);
}

void NAME(trsm)(char side, char uplo, char trans, char diag, long m, long n, T alpha, const T *a, long lda,
                T *b, long ldb) {
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(' ', m, n, 0, b, ldb);
        return;
    }
    long order = side == 'L' ? m : n;
    if (order <= BLOCK) {
        substitute(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
        return;
    }
    T *inverse = blas_room(ROOM_WORK, (size_t)(INVERSES(order) + m * n) * sizeof *inverse);
    bool is_upper = (uplo == 'U') == (trans == 'N');
    System s = {side, trans, is_upper == (side == 'L'), a, b, inverse, inverse + INVERSES(order), m, n, lda,
        ldb};
    blas_scope_begin();
    NAME(invert_blocks)(uplo, diag == 'U', order, a, lda, inverse);
    times(m, n, alpha, b, ldb, s.w);
    solve(&s, 0, order);
    blas_scope_end();
}

// ---- sums of matrices, products with a diagonal: not of the reference, but of cuBLAS -------------
// c = alpha op(a) + beta c
static void add_to(char trans, long m, long n, T alpha, const T *a, long lda, T beta, T *c, long ldc) {
    if (alpha == 0) {
        scale(' ', m, n, beta, c, ldc);
    } else if (trans == 'N') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) C(i, j) = alpha * A(i, j) + (beta == 0 ? 0 : beta * C(i, j));
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) C(i, j) = alpha * A(j, i) + (beta == 0 ? 0 : beta * C(i, j));
    }
}

// c may be a or b, where that one is not transposed.
void NAME(geam)(char transa, char transb, long m, long n, T alpha, const T *a, long lda, T beta, const T *b,
                long ldb, T *c, long ldc) {
    if (m == 0 || n == 0) return;
    if (c == b && c == a) {
        scale(' ', m, n, alpha + beta, c, ldc);
    } else if (c == b) {
        add_to(transa, m, n, alpha, a, lda, beta, c, ldc);
    } else if (c == a) {
        add_to(transb, m, n, beta, b, ldb, alpha, c, ldc);
    } else if (alpha == 0) {
        add_to(transb, m, n, beta, b, ldb, 0, c, ldc);
    } else {
        add_to(transa, m, n, alpha, a, lda, 0, c, ldc);
        if (beta != 0) add_to(transb, m, n, beta, b, ldb, 1, c, ldc);
    }
}

// c = diag(x) a or a diag(x); c may be a.
void NAME(dgmm)(char side, long m, long n, const T *a, long lda, const T *x, T *c, long ldc) {
    if (m == 0 || n == 0) return;
    if (c != a) add_to('N', m, n, 1, a, lda, 0, c, ldc);
    if (side == 'L') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) C(i, j) = x[i] * C(i, j);
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) C(i, j) = x[j] * C(i, j);
    }
}
