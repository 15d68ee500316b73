// SPDX-License-Identifier: MIT
// factor.h -- factorisations of one precision, on the device where the caller's scope holds the matrix.
// Internal to blas/.
#ifndef BLAS_FACTOR_H
#define BLAS_FACTOR_H
#include "loops.h"
#include "sculpt/sculpt.h"

#ifdef DOUBLE
#define ROOT(x) sqrt(x)
#else
#define ROOT(x) sqrtf(x)
#endif

// Doubles whose squares might not be normal numbers are scaled by powers of two. Squares of floats are
// doubles.
#define HUGE_ELEMENT ((T)(sizeof(T) == sizeof(double) ? 0x1p+450 : 0x1p+127))
#define TINY_ELEMENT ((T)(sizeof(T) == sizeof(double) ? 0x1p-450 : 0x1p-149))
#define LARGER ((T)(sizeof(T) == sizeof(double) ? 0x1p+500 : 1))
#define SMALLER ((T)(sizeof(T) == sizeof(double) ? 0x1p-500 : 1))
#define TINY_SQUARE (sizeof(T) == sizeof(double) ? 0x1p-960 : 0x1p-300)

// What isn't positive or is zero, from 1; 0: there is no such thing.
long NAME(potrf)(char uplo, long n, T *a, long lda);
long NAME(getrf)(long m, long n, T *a, long lda, int *pivot);
void NAME(getrs)(char trans, long n, long nrhs, const T *a, long lda, const int *pivot, T *b, long ldb);
void NAME(geqrf)(long m, long n, T *a, long lda, T *tau);
// Rows and columns low to high - 1, from 0.
void NAME(gehrd)(long n, long low, long high, T *a, long lda, T *tau);

#endif
