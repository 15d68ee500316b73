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
