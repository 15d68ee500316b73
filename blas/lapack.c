// SPDX-License-Identifier: MIT
// lapack.c -- LAPACK's entry points of what is in factor.c and refine.c: checks, and a scope around each
// call.
#include "entry.h"
#include "lapack.h"
#include "sculpt/sculpt.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void xerbla_(const char *routine, const int *argument, size_t length) __attribute__((weak));

void *blas_given(size_t bytes) { return (void)bytes, NULL; } // no caller gives a workspace

static void wrong(const char *routine, int *info, int argument) {
    *info = -argument;
    if (xerbla_)
        xerbla_(routine, &argument, strlen(routine));
    else
        fprintf(stderr, " ** On entry to %s parameter number %d had an illegal value\n", routine, argument);
}

// So little work, by what gemm goes by, that the program's next LAPACK, if it has one, does it sooner? *next
// is its routine.
static bool is_small(double operations, const char *routine, void **next) {
    const char *like = *routine == 's' ? "sgemm" : "dgemm";
    return operations < blas_crossover(like, 3) && (*next || (*next = dlsym(RTLD_NEXT, routine)));
}

// What a factorisation makes of a matrix replaces all of it: where its columns lie close together it travels
// whole, and once.
static void matrix_begin(void *a, long m, long n, long lda, size_t element) {
    blas_scope_begin();
    if (lda == m) sculpt_data_enter(a, (size_t)(m * n) * element, SCULPT_COPYIN | SCULPT_COPYOUT);
}

static void matrix_end(void *a, long m, long n, long lda, size_t element) {
    if (lda == m) sculpt_data_exit(a, (size_t)(m * n) * element, SCULPT_COPYOUT);
    blas_scope_end();
}

static int atleast(int a) { return a > 1 ? a : 1; }

#define ENTRIES(T, p, P)                                                                                     \
    void p##potrf_(const char *uplo, const int *n, T *a, const int *lda, int *info) {                        \
        char of = blas_letter(*uplo, "UL");                                                                  \
        int bad = !of ? 1 : *n < 0 ? 2 : *lda < atleast(*n) ? 4 : (*info = 0);                               \
        if (bad) return wrong(P "POTRF", info, bad);                                                         \
        if (!*n) return;                                                                                     \
        static void *next;                                                                                   \
        if (is_small(1.0 / 3 * *n * *n * *n, #p "potrf_", &next)) {                                          \
            ((void (*)(const char *, const int *, T *, const int *, int *, size_t))next)(uplo, n, a, lda,    \
                                                                                         info, 1);           \
            return;                                                                                          \
        }                                                                                                    \
        blas_scope_begin();                                                                                  \
        *info = (int)blas_##p##potrf(of, *n, a, *lda);                                                       \
        blas_scope_end();                                                                                    \
    }                                                                                                        \
    void p##getrf_(const int *m, const int *n, T *a, const int *lda, int *pivot, int *info) {                \
        int bad = *m < 0 ? 1 : *n < 0 ? 2 : *lda < atleast(*m) ? 4 : (*info = 0);                            \
        if (bad) return wrong(P "GETRF", info, bad);                                                         \
        if (!*m || !*n) return;                                                                              \
        static void *next;                                                                                   \
        if (is_small(2.0 / 3 * *n * *n * *m, #p "getrf_", &next)) {                                          \
            ((void (*)(const int *, const int *, T *, const int *, int *, int *))next)(m, n, a, lda, pivot,  \
                                                                                       info);                \
            return;                                                                                          \
        }                                                                                                    \
        matrix_begin(a, *m, *n, *lda, sizeof *a);                                                            \
        *info = (int)blas_##p##getrf(*m, *n, a, *lda, pivot);                                                \
        matrix_end(a, *m, *n, *lda, sizeof *a);                                                              \
    }                                                                                                        \
    void p##getrs_(const char *trans, const int *n, const int *nrhs, const T *a, const int *lda,             \
                   const int *pivot, T *b, const int *ldb, int *info) {                                      \
        char of = blas_letter(*trans, "NTC");                                                                \
        int bad = !of                  ? 1                                                                   \
                  : *n < 0             ? 2                                                                   \
                  : *nrhs < 0          ? 3                                                                   \
                  : *lda < atleast(*n) ? 5                                                                   \
                  : *ldb < atleast(*n) ? 8                                                                   \
                                       : (*info = 0);                                                        \
        if (bad) return wrong(P "GETRS", info, bad);                                                         \
        if (!*n || !*nrhs) return;                                                                           \
        static void *next;                                                                                   \
        if (is_small(2.0 * *n * *n * *nrhs, #p "getrs_", &next)) {                                           \
            ((void (*)(const char *, const int *, const int *, const T *, const int *, const int *, T *,     \
                       const int *, int *, size_t))next)(trans, n, nrhs, a, lda, pivot, b, ldb, info, 1);    \
            return;                                                                                          \
        }                                                                                                    \
        blas_scope_begin();                                                                                  \
        blas_##p##getrs(of, *n, *nrhs, a, *lda, pivot, b, *ldb);                                             \
        blas_scope_end();                                                                                    \
    }                                                                                                        \
    /* The workspace is asked for as LAPACK does; we have our own, on the device. */                         \
    void p##geqrf_(const int *m, const int *n, T *a, const int *lda, T *tau, T *work, const int *lwork,      \
                   int *info) {                                                                              \
        bool is_query = *lwork == -1, is_short = *lwork < 1 || (*m > 0 && *lwork < *n);                      \
        int bad = *m < 0                  ? 1                                                                \
                  : *n < 0                ? 2                                                                \
                  : *lda < atleast(*m)    ? 4                                                                \
                  : is_short && !is_query ? 7                                                                \
                                          : (*info = 0);                                                     \
        if (bad) return wrong(P "GEQRF", info, bad);                                                         \
        work[0] = *m && *n ? (T)*n : 1;                                                                      \
        if (is_query || !*m || !*n) return;                                                                  \
        static void *next;                                                                                   \
        if (is_small(2.0 * *n * *n * *m, #p "geqrf_", &next)) {                                              \
            ((void (*)(const int *, const int *, T *, const int *, T *, T *, const int *, int *))next)(      \
                m, n, a, lda, tau, work, lwork, info);                                                       \
            return;                                                                                          \
        }                                                                                                    \
        size_t taus = (size_t)(*m < *n ? *m : *n) * sizeof *tau;                                             \
        matrix_begin(a, *m, *n, *lda, sizeof *a);                                                            \
        sculpt_data_enter(tau, taus, SCULPT_COPYIN | SCULPT_COPYOUT);                                        \
        blas_##p##geqrf(*m, *n, a, *lda, tau);                                                               \
        sculpt_data_exit(tau, taus, SCULPT_COPYOUT);                                                         \
        matrix_end(a, *m, *n, *lda, sizeof *a);                                                              \
    }                                                                                                        \
    void p##gehrd_(const int *n, const int *ilo, const int *ihi, T *a, const int *lda, T *tau, T *work,      \
                   const int *lwork, int *info) {                                                            \
        bool is_query = *lwork == -1, is_short = *lwork < atleast(*n);                                       \
        int bad = *n < 0                                        ? 1                                          \
                  : *ilo < 1 || *ilo > atleast(*n)              ? 2                                          \
                  : *ihi < (*ilo < *n ? *ilo : *n) || *ihi > *n ? 3                                          \
                  : *lda < atleast(*n)                          ? 5                                          \
                  : is_short && !is_query                       ? 8                                          \
                                                                : (*info = 0);                               \
        if (bad) return wrong(P "GEHRD", info, bad);                                                         \
        work[0] = (T)atleast(*n);                                                                            \
        if (is_query) return;                                                                                \
        for (int i = 0; i < *n - 1; i++)                                                                     \
            if (i < *ilo - 1 || i >= *ihi - 1) tau[i] = 0;                                                   \
        if (*ihi - *ilo < 1) return;                                                                         \
        static void *next;                                                                                   \
        if (is_small(10.0 / 3 * *n * *n * *n, #p "gehrd_", &next)) {                                         \
            ((void (*)(const int *, const int *, const int *, T *, const int *, T *, T *, const int *,       \
                       int *))next)(n, ilo, ihi, a, lda, tau, work, lwork, info);                            \
            return;                                                                                          \
        }                                                                                                    \
        size_t taus = (size_t)(*n - 1) * sizeof *tau;                                                        \
        matrix_begin(a, *n, *n, *lda, sizeof *a);                                                            \
        sculpt_data_enter(tau, taus, SCULPT_COPYIN | SCULPT_COPYOUT);                                        \
        blas_##p##gehrd(*n, *ilo - 1, *ihi, a, *lda, tau);                                                   \
        sculpt_data_exit(tau, taus, SCULPT_COPYOUT);                                                         \
        matrix_end(a, *n, *n, *lda, sizeof *a);                                                              \
    }
ENTRIES(float, s, "S")
ENTRIES(double, d, "D")

void dsgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivot, const double *b,
             const int *ldb, double *x, const int *ldx, double *work, float *swork, int *iter, int *info) {
    *iter = 0;
    int bad = *n < 0               ? 1
              : *nrhs < 0          ? 2
              : *lda < atleast(*n) ? 4
              : *ldb < atleast(*n) ? 7
              : *ldx < atleast(*n) ? 9
                                   : (*info = 0);
    if (bad) return wrong("DSGESV", info, bad);
    if (!*n || !*nrhs) return;
    blas_scope_begin();
    *info = (int)blas_dsgesv(*n, *nrhs, a, *lda, pivot, b, *ldb, x, *ldx, work, swork, iter);
    blas_scope_end();
}
