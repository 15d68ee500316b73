// SPDX-License-Identifier: MIT
// lapack.h -- the factorisations of both precisions (factor.c, refine.c). Internal to blas/.
#ifndef BLAS_LAPACK_H
#define BLAS_LAPACK_H
#include "core.h"
#include <stdbool.h>
#include <stddef.h>

#define FACTORISATIONS(T, p)                                                                                 \
    long blas_##p##potrf(char uplo, long n, T *a, long lda);                                                 \
    long blas_##p##getrf(long m, long n, T *a, long lda, int *pivot);                                        \
    void blas_##p##getrs(char trans, long n, long nrhs, const T *a, long lda, const int *pivot, T *b,        \
                         long ldb);                                                                          \
    void blas_##p##geqrf(long m, long n, T *a, long lda, T *tau);                                            \
    void blas_##p##gehrd(long n, long low, long high, T *a, long lda, T *tau);
FACTORISATIONS(float, s)
FACTORISATIONS(double, d)
// r: n x nrhs, s: n x (n + nrhs). steps: of the refinement; < 0: why it is in double.
long blas_dsgesv(long n, long nrhs, double *a, long lda, int *pivot, const double *b, long ldb, double *x,
                 long ldx, double *r, float *s, int *steps);

void blas_scope_begin(void);
void blas_scope_end(void);
char blas_letter(char c, const char *these);

#endif
