// SPDX-License-Identifier: MIT
// blocks.c -- the inverses of the blocks on a triangle's diagonal: those of their halves by substitution,
// then
//   ( A11     )-1   (     X11          )
//   ( A21 A22 )   = ( -X22 A21 X11  X22 )   and its transpose.
#include "loops.h"

enum { HALF = BLOCK / 2 };
#define X(b, i, j) w[((b) * BLOCK + (j)) * BLOCK + (i)]
#define Y(b, i, j) y[((b) * HALF + (j)) * HALF + (i)]

static void invert_lower(bool is_unit, long n, long blocks, const T *a, long lda, T *w, T *y) {
#pragma sculpt
    for (long b = 0; b < blocks; b++)
        for (long h = 0; h < BLOCK; h += HALF)
            for (long j = 0; j < HALF; j++)
                for (long i = 0; i < HALF; i++) {
                    T sum = i == j ? 1 : 0;
                    if (b * BLOCK + h + i < n && j <= i) {
                        for (long l = 0; l < i; l++)
                            sum -= A(b * BLOCK + h + i, b * BLOCK + h + l) * X(b, h + l, h + j);
                        sum = is_unit ? sum : sum / A(b * BLOCK + h + i, b * BLOCK + h + i);
                    }
                    X(b, h + i, h + j) = sum;
                }
#pragma sculpt
    for (long b = 0; b < blocks; b++)
        for (long j = 0; j < HALF; j++)
            for (long i = 0; i < HALF; i++) {
                T sum = 0;
                if (b * BLOCK + HALF + i < n)
                    for (long l = 0; l < HALF; l++)
                        sum -= A(b * BLOCK + HALF + i, b * BLOCK + l) * X(b, l, j);
                Y(b, i, j) = sum;
                X(b, i, HALF + j) = 0;
            }
#pragma sculpt
    for (long b = 0; b < blocks; b++)
        for (long j = 0; j < HALF; j++)
            for (long i = 0; i < HALF; i++) {
                T sum = 0;
                for (long l = 0; l < HALF; l++) sum += X(b, HALF + i, HALF + l) * Y(b, l, j);
                X(b, HALF + i, j) = sum;
            }
}

// The transpose of a block is a lower triangle, and so is that of its inverse.
static void invert_upper(bool is_unit, long n, long blocks, const T *a, long lda, T *w, T *y) {
#pragma sculpt
    for (long b = 0; b < blocks; b++)
        for (long h = 0; h < BLOCK; h += HALF)
            for (long j = 0; j < HALF; j++)
                for (long i = 0; i < HALF; i++) {
                    T sum = i == j ? 1 : 0;
                    if (b * BLOCK + h + i < n && j <= i) {
                        for (long l = 0; l < i; l++)
                            sum -= A(b * BLOCK + h + l, b * BLOCK + h + i) * X(b, h + j, h + l);
                        sum = is_unit ? sum : sum / A(b * BLOCK + h + i, b * BLOCK + h + i);
                    }
                    X(b, h + j, h + i) = sum;
                }
#pragma sculpt
    for (long b = 0; b < blocks; b++)
        for (long j = 0; j < HALF; j++)
            for (long i = 0; i < HALF; i++) {
                T sum = 0;
                if (b * BLOCK + HALF + i < n)
                    for (long l = 0; l < HALF; l++)
                        sum -= A(b * BLOCK + l, b * BLOCK + HALF + i) * X(b, j, l);
                Y(b, i, j) = sum;
                X(b, HALF + j, i) = 0;
            }
#pragma sculpt
    for (long b = 0; b < blocks; b++)
        for (long j = 0; j < HALF; j++)
            for (long i = 0; i < HALF; i++) {
                T sum = 0;
                for (long l = 0; l < HALF; l++) sum += X(b, HALF + l, HALF + i) * Y(b, l, j);
                X(b, j, HALF + i) = sum;
            }
}

void NAME(invert_blocks)(char uplo, bool is_unit, long n, const T *a, long lda, T *w) {
    long blocks = (n + BLOCK - 1) / BLOCK;
    (uplo == 'L' ? invert_lower : invert_upper)(is_unit, n, blocks, a, lda, w, w + blocks * BLOCK * BLOCK);
}

// ---- wide blocks ---------------------------------------------------------------------------
#define V(b, i, j) v[((b) * BLOCK + (j)) * BLOCK + (i)]
#define X_SPAN(b, i, j) w[((b) * SPAN + (j)) * SPAN + (i)]

// Inverses v of the blocks of BLOCK on the diagonal, and between them what the matrix has. Behind its end
// stands a unit matrix. side: 1 of what is stored below the diagonal, -1 above.
static void spread(long side, long n, long blocks, const T *a, long lda, const T *v, T *w) {
#pragma sculpt
    for (long b = 0; b < blocks; b++)
        for (long q = 0; q < SPAN / BLOCK; q++)
            for (long j = 0; j < BLOCK; j++)
                for (long p = 0; p < SPAN / BLOCK; p++)
                    for (long i = 0; i < BLOCK; i++) {
                        long row = b * SPAN + p * BLOCK + i, column = b * SPAN + q * BLOCK + j;
                        T x = row == column ? 1 : 0;
                        if (p == q && b * SPAN + p * BLOCK < n) x = V(b * (SPAN / BLOCK) + p, i, j);
                        if (side * (p - q) > 0 && row < n && column < n) x = A(row, column);
                        X_SPAN(b, p * BLOCK + i, q * BLOCK + j) = x;
                    }
}

// What is written may not lie among what is read.
static void keep(long blocks, long size, const T *w, long rows, long ldw, T *v) {
#pragma sculpt
    for (long b = 0; b < blocks; b++)
        for (long j = 0; j < size; j++)
            for (long i = 0; i < size; i++) v[(b * size + j) * size + i] = w[(b * rows + j) * ldw + i];
}

// Two inverses of a size, from `at` on, become one. v, y: blocks times size x size.
static void join(bool is_lower, long blocks, long at, long size, T *w, T *v, T *y) {
    T *first = w + at * (SPAN + 1), *second = first + size * (SPAN + 1);
    T *between = first + (is_lower ? size : size * SPAN);
    long one = size * size, all = SPAN * SPAN;
    NAME(gemm_strided)('N', 'N', size, size, size, 1, between, SPAN, all, is_lower ? first : second, SPAN,
                       all, 0, y, size, one, blocks);
    keep(blocks, size, is_lower ? second : first, SPAN, SPAN, v);
    NAME(gemm_strided)('N', 'N', size, size, size, -1, v, size, one, y, size, one, 0, between, SPAN, all,
                       blocks);
}

void NAME(invert_spans)(char uplo, bool is_unit, long n, const T *a, long lda, T *w) {
    long blocks = SPANS(n);
    T *y = w + blocks * SPAN * SPAN, *v = y + blocks * (SPAN / 2) * (SPAN / 2);
    NAME(invert_blocks)(uplo, is_unit, n, a, lda, v);
    spread(uplo == 'L' ? 1 : -1, n, blocks, a, lda, v, w);
    for (long size = BLOCK; size < SPAN; size *= 2)
        for (long at = 0; at < SPAN; at += 2 * size) join(uplo == 'L', blocks, at, size, w, v, y);
}
