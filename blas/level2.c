// SPDX-License-Identifier: MIT
// level2.c -- matrices with vectors: full, banded, packed; general, symmetric, triangular.
//
// Of a symmetric or triangular matrix the upper or the lower triangle is stored. A band lies in k + 1 rows,
// its
// diagonal in the last one (upper) or the first (lower). A packed triangle is stored column behind column.
#include "loops.h"

#define BAND(i, j) a[ku + (i) - (j) + (j) * lda]
#define UPPER(i, j) a[k + (i) - (j) + (j) * lda]
#define LOWER(i, j) a[(i) - (j) + (j) * lda]
#define PACKED_UPPER(i, j) ap[(i) + (j) * ((j) + 1) / 2]
#define PACKED_LOWER(i, j) ap[(i) + (j) * (2 * n - (j) - 1) / 2]

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

// y = beta y, which is not read where beta is 0.
static void scale(long n, T beta, T *y) {
    if (beta == 1) return;
#pragma sculpt
    for (long i = 0; i < n; i++) y[i] = beta == 0 ? 0 : beta * y[i];
}

// ---- general -------------------------------------------------------------------------------
void NAME(gemv)(char trans, long m, long n, T alpha, const T *a, long lda, const T *x, T beta, T *y) {
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(trans == 'N' ? m : n, beta, y);
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++) {
            T sum = 0;
            for (long j = 0; j < n; j++) sum += A(i, j) * x[j];
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
        }
    } else {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++) {
            T sum = 0;
            for (long i = 0; i < m; i++) sum += A(i, j) * x[i];
            y[j] = alpha * sum + (beta == 0 ? 0 : beta * y[j]);
        }
    }
}

void NAME(gbmv)(char trans, long m, long n, long kl, long ku, T alpha, const T *a, long lda, const T *x, T
          beta, T *y) {
    if (m == 0 || n == 0) return;
    if (alpha == 0) {
        scale(trans == 'N' ? m : n, beta, y);
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < m; i++) {
            T sum = 0;
            for (long j = MAX(0, i - kl); j < MIN(n, i + ku + 1); j++) sum += BAND(i, j) * x[j];
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
        }
    } else {
#pragma sculpt reassociate
        for (long j = 0; j < n; j++) {
            T sum = 0;
            for (long i = MAX(0, j - ku); i < MIN(m, j + kl + 1); i++) sum += BAND(i, j) * x[i];
            y[j] = alpha * sum + (beta == 0 ? 0 : beta * y[j]);
        }
    }
}

void NAME(ger)(long m, long n, T alpha, const T *x, const T *y, T *a, long lda) {
    if (m == 0 || n == 0 || alpha == 0) return;
#pragma sculpt
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) A(i, j) += alpha * x[i] * y[j];
}

// ---- symmetric -----------------------------------------------------------------------------
void NAME(symv)(char uplo, long n, T alpha, const T *a, long lda, const T *x, T beta, T *y) {
    if (n == 0) return;
    if (alpha == 0) {
        scale(n, beta, y);
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = 0;
            for (long j = 0; j < i; j++) sum += A(j, i) * x[j];
            for (long j = i; j < n; j++) sum += A(i, j) * x[j];
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
        }
    } else {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = 0;
            for (long j = 0; j <= i; j++) sum += A(i, j) * x[j];
            for (long j = i + 1; j < n; j++) sum += A(j, i) * x[j];
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
        }
    }
}

void NAME(sbmv)(char uplo, long n, long k, T alpha, const T *a, long lda, const T *x, T beta, T *y) {
    if (n == 0) return;
    if (alpha == 0) {
        scale(n, beta, y);
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = 0;
            for (long j = MAX(0, i - k); j < i; j++) sum += UPPER(j, i) * x[j];
            for (long j = i; j < MIN(n, i + k + 1); j++) sum += UPPER(i, j) * x[j];
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
        }
    } else {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = 0;
            for (long j = MAX(0, i - k); j <= i; j++) sum += LOWER(i, j) * x[j];
            for (long j = i + 1; j < MIN(n, i + k + 1); j++) sum += LOWER(j, i) * x[j];
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
        }
    }
}

void NAME(spmv)(char uplo, long n, T alpha, const T *ap, const T *x, T beta, T *y) {
    if (n == 0) return;
    if (alpha == 0) {
        scale(n, beta, y);
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = 0;
            for (long j = 0; j < i; j++) sum += PACKED_UPPER(j, i) * x[j];
            for (long j = i; j < n; j++) sum += PACKED_UPPER(i, j) * x[j];
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
        }
    } else {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = 0;
            for (long j = 0; j <= i; j++) sum += PACKED_LOWER(i, j) * x[j];
            for (long j = i + 1; j < n; j++) sum += PACKED_LOWER(j, i) * x[j];
            y[i] = alpha * sum + (beta == 0 ? 0 : beta * y[i]);
        }
    }
}

void NAME(syr)(char uplo, long n, T alpha, const T *x, T *a, long lda) {
    if (n == 0 || alpha == 0) return;
    if (uplo == 'U') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) A(i, j) += alpha * x[i] * x[j];
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) A(i, j) += alpha * x[i] * x[j];
    }
}

void NAME(spr)(char uplo, long n, T alpha, const T *x, T *ap) {
    if (n == 0 || alpha == 0) return;
    if (uplo == 'U') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) PACKED_UPPER(i, j) += alpha * x[i] * x[j];
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) PACKED_LOWER(i, j) += alpha * x[i] * x[j];
    }
}

void NAME(syr2)(char uplo, long n, T alpha, const T *x, const T *y, T *a, long lda) {
    if (n == 0 || alpha == 0) return;
    if (uplo == 'U') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) A(i, j) += alpha * x[i] * y[j] + alpha * y[i] * x[j];
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) A(i, j) += alpha * x[i] * y[j] + alpha * y[i] * x[j];
    }
}

void NAME(spr2)(char uplo, long n, T alpha, const T *x, const T *y, T *ap) {
    if (n == 0 || alpha == 0) return;
    if (uplo == 'U') {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = 0; i <= j; i++) PACKED_UPPER(i, j) += alpha * x[i] * y[j] + alpha * y[i] * x[j];
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++)
            for (long i = j; i < n; i++) PACKED_LOWER(i, j) += alpha * x[i] * y[j] + alpha * y[i] * x[j];
    }
}

// ---- triangular ----------------------------------------------------------------------------
void NAME(trmv)(char uplo, char trans, char diag, long n, const T *a, long lda, T *x) {
    bool is_unit = diag == 'U';
    if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = is_unit ? x[i] : A(i, i) * x[i];
            for (long j = i + 1; j < n; j++) sum += A(i, j) * x[j];
            x[i] = sum;
        }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = is_unit ? x[i] : A(i, i) * x[i];
            for (long j = 0; j < i; j++) sum += A(j, i) * x[j];
            x[i] = sum;
        }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = is_unit ? x[i] : A(i, i) * x[i];
            for (long j = 0; j < i; j++) sum += A(i, j) * x[j];
            x[i] = sum;
        }
    } else {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = is_unit ? x[i] : A(i, i) * x[i];
            for (long j = i + 1; j < n; j++) sum += A(j, i) * x[j];
            x[i] = sum;
        }
    }
}

void NAME(tbmv)(char uplo, char trans, char diag, long n, long k, const T *a, long lda, T *x) {
    bool is_unit = diag == 'U';
    if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = is_unit ? x[i] : UPPER(i, i) * x[i];
            for (long j = i + 1; j < MIN(n, i + k + 1); j++) sum += UPPER(i, j) * x[j];
            x[i] = sum;
        }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = is_unit ? x[i] : UPPER(i, i) * x[i];
            for (long j = MAX(0, i - k); j < i; j++) sum += UPPER(j, i) * x[j];
            x[i] = sum;
        }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = is_unit ? x[i] : LOWER(i, i) * x[i];
            for (long j = MAX(0, i - k); j < i; j++) sum += LOWER(i, j) * x[j];
            x[i] = sum;
        }
    } else {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = is_unit ? x[i] : LOWER(i, i) * x[i];
            for (long j = i + 1; j < MIN(n, i + k + 1); j++) sum += LOWER(j, i) * x[j];
            x[i] = sum;
        }
    }
}

void NAME(tpmv)(char uplo, char trans, char diag, long n, const T *ap, T *x) {
    bool is_unit = diag == 'U';
    if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = is_unit ? x[i] : PACKED_UPPER(i, i) * x[i];
            for (long j = i + 1; j < n; j++) sum += PACKED_UPPER(i, j) * x[j];
            x[i] = sum;
        }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = is_unit ? x[i] : PACKED_UPPER(i, i) * x[i];
            for (long j = 0; j < i; j++) sum += PACKED_UPPER(j, i) * x[j];
            x[i] = sum;
        }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = is_unit ? x[i] : PACKED_LOWER(i, i) * x[i];
            for (long j = 0; j < i; j++) sum += PACKED_LOWER(i, j) * x[j];
            x[i] = sum;
        }
    } else {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = is_unit ? x[i] : PACKED_LOWER(i, i) * x[i];
            for (long j = i + 1; j < n; j++) sum += PACKED_LOWER(j, i) * x[j];
            x[i] = sum;
        }
    }
}

static void substitute(char uplo, char trans, char diag, long n, const T *a, long lda, T *x) {
    bool is_unit = diag == 'U';
    if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = x[i];
            for (long j = i + 1; j < n; j++) sum -= A(i, j) * x[j];
            x[i] = is_unit ? sum : sum / A(i, i);
        }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = x[i];
            for (long j = 0; j < i; j++) sum -= A(j, i) * x[j];
            x[i] = is_unit ? sum : sum / A(i, i);
        }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = x[i];
            for (long j = 0; j < i; j++) sum -= A(i, j) * x[j];
            x[i] = is_unit ? sum : sum / A(i, i);
        }
    } else {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = x[i];
            for (long j = i + 1; j < n; j++) sum -= A(j, i) * x[j];
            x[i] = is_unit ? sum : sum / A(i, i);
        }
    }
}

typedef struct System { // op(A) x = w
    char trans;
    bool goes_up; // the first unknowns are those with the largest indices
    const T *a, *inverse;
    T *x, *w;
    long lda, span; // span: of the blocks that are inverted
} System;

// Unknowns low to high - 1: half of them, what they contribute to the others, the other half.
static void solve(const System *s, long low, long high) {
    const T *a = s->a;
    long lda = s->lda, size = high - low, span = s->span;
    if (size <= span) {
        NAME(gemv)(s->trans, size, size, 1, s->inverse + low * span, span, s->w + low, 0, s->x + low);
        return;
    }
    long middle = low + (size + 2 * span - 1) / (2 * span) * span;
    long from = s->goes_up ? middle : low, known = s->goes_up ? high - middle : middle - low;
    long to = s->goes_up ? low : middle, wanted = size - known;
    solve(s, from, from + known);
    if (s->trans == 'N') NAME(gemv)('N', wanted, known, -1, &A(to, from), lda, s->x + from, 1, s->w + to);
    else NAME(gemv)('T', known, wanted, -1, &A(from, to), lda, s->x + from, 1, s->w + to);
    solve(s, to, to + wanted);
}

void NAME(trsv)(char uplo, char trans, char diag, long n, const T *a, long lda, T *x) {
    if (n <= BLOCK) {
        substitute(uplo, trans, diag, n, a, lda, x);
        return;
    }
    bool is_wide = IS_WIDE(n);
    T *inverse = blas_room(ROOM_WORK, (size_t)SPAN_INVERTED(n, n) * sizeof *inverse);
    T *w = inverse + SPAN_INVERTED(n, 0);
    System s = {trans, (uplo == 'U') == (trans == 'N'), a, inverse, x, w, lda, is_wide ? SPAN : BLOCK};
    blas_scope_begin();
    (is_wide ? NAME(invert_spans) : NAME(invert_blocks))(uplo, diag == 'U', n, a, lda, inverse);
    NAME(copy)(n, x, s.w);
    solve(&s, 0, n);
    blas_scope_end();
}

void NAME(tbsv)(char uplo, char trans, char diag, long n, long k, const T *a, long lda, T *x) {
    bool is_unit = diag == 'U';
    if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = x[i];
            for (long j = i + 1; j < MIN(n, i + k + 1); j++) sum -= UPPER(i, j) * x[j];
            x[i] = is_unit ? sum : sum / UPPER(i, i);
        }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = x[i];
            for (long j = MAX(0, i - k); j < i; j++) sum -= UPPER(j, i) * x[j];
            x[i] = is_unit ? sum : sum / UPPER(i, i);
        }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = x[i];
            for (long j = MAX(0, i - k); j < i; j++) sum -= LOWER(i, j) * x[j];
            x[i] = is_unit ? sum : sum / LOWER(i, i);
        }
    } else {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = x[i];
            for (long j = i + 1; j < MIN(n, i + k + 1); j++) sum -= LOWER(j, i) * x[j];
            x[i] = is_unit ? sum : sum / LOWER(i, i);
        }
    }
}

void NAME(tpsv)(char uplo, char trans, char diag, long n, const T *ap, T *x) {
    bool is_unit = diag == 'U';
    if (uplo == 'U' && trans == 'N') {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = x[i];
            for (long j = i + 1; j < n; j++) sum -= PACKED_UPPER(i, j) * x[j];
            x[i] = is_unit ? sum : sum / PACKED_UPPER(i, i);
        }
    } else if (uplo == 'U') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = x[i];
            for (long j = 0; j < i; j++) sum -= PACKED_UPPER(j, i) * x[j];
            x[i] = is_unit ? sum : sum / PACKED_UPPER(i, i);
        }
    } else if (trans == 'N') {
#pragma sculpt reassociate
        for (long i = 0; i < n; i++) {
            T sum = x[i];
            for (long j = 0; j < i; j++) sum -= PACKED_LOWER(i, j) * x[j];
            x[i] = is_unit ? sum : sum / PACKED_LOWER(i, i);
        }
    } else {
#pragma sculpt reassociate
        for (long i = n - 1; i >= 0; i--) {
            T sum = x[i];
            for (long j = i + 1; j < n; j++) sum -= PACKED_LOWER(j, i) * x[j];
            x[i] = is_unit ? sum : sum / PACKED_LOWER(i, i);
        }
    }
}
