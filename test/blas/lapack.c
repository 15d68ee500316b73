// SPDX-License-Identifier: MIT
// lapack.c -- lapack OTHER [LARGEST]: factorisations against another LAPACK's on random matrices, and what
// they give when they are multiplied; failures, wrong arguments, what must not be touched.
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;
static int wrong, compared, complaints;
static unsigned state = 1;

static void *other(const char *name) {
    void *f = dlsym(library, name);
    if (!f) printf("%s: the other library lacks it\n", name), exit(2);
    return f;
}

static double roll(void) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % 20001 / 10000.0 - 1;
}

static void check(bool ok, const char *what, long m, long n, double value) {
    compared++;
    if (!ok && wrong < 30) printf("WRONG %s at %ld x %ld: %g\n", what, m, n, value);
    wrong += !ok;
}

void xerbla_(const char *routine, const int *argument, size_t length) {
    (void)routine, (void)length;
    complaints = *argument;
}

#define A(a, i, j) a[(i) + (size_t)(j)*ld]
#define TESTS(T, p, eps)                                                                                     \
    void p##potrf_(const char *, const int *, T *, const int *, int *);                                      \
    void p##getrf_(const int *, const int *, T *, const int *, int *, int *);                                \
    void p##getrs_(const char *, const int *, const int *, const T *, const int *, const int *, T *,         \
                   const int *, int *);                                                                      \
    void p##geqrf_(const int *, const int *, T *, const int *, T *, T *, const int *, int *);                \
    static T *random_##p(int rows, int columns) {                                                            \
        T *a = malloc(sizeof(T) * rows * (columns + 1));                                                     \
        for (long i = 0; i < (long)rows * columns; i++) a[i] = (T)roll();                                    \
        return a;                                                                                            \
    }                                                                                                        \
    static T *copy_##p(const T *a, int rows, int columns) {                                                  \
        return memcpy(malloc(sizeof(T) * rows * (columns + 1)), a, sizeof(T) * rows * columns);              \
    }                                                                                                        \
    static void cholesky_##p(char uplo, int n, int ld, int spoilt) {                                         \
        T *a = random_##p(ld, n);                                                                            \
        for (int j = 0; j < n; j++)                                                                          \
            for (int i = 0; i < ld; i++)                                                                     \
                if (i == j)                                                                                  \
                    A(a, i, j) = (T)n + 1;                                                                   \
                else if (i >= n || (uplo == 'U' ? i > j : i < j))                                            \
                    A(a, i, j) = (T)NAN;                                                                     \
        if (spoilt) A(a, spoilt - 1, spoilt - 1) = -1;                                                       \
        T *x = copy_##p(a, ld, n), *y = copy_##p(a, ld, n);                                                  \
        int info = 9, theirs = 9;                                                                            \
        p##potrf_(&uplo, &n, x, &ld, &info);                                                                 \
        ((void (*)(const char *, const int *, T *, const int *, int *, size_t))other(#p "potrf_"))(          \
            &uplo, &n, y, &ld, &theirs, 1);                                                                  \
        check(info == theirs, #p "potrf: info", n, n, info);                                                 \
        double worst = 0;                                                                                    \
        bool touched = false;                                                                                \
        for (int j = 0; j < n && !spoilt; j++)                                                               \
            for (int i = 0; i < ld; i++) {                                                                   \
                if (isnan(A(a, i, j)))                                                                       \
                    touched |= !isnan(A(x, i, j));                                                           \
                else                                                                                         \
                    worst = fmax(worst, isnan(A(x, i, j)) ? INFINITY : fabs(A(x, i, j) - A(y, i, j)));       \
            }                                                                                                \
        check(!touched, #p "potrf: what is not its own", n, n, 0);                                           \
        check(worst <= 8 * eps * sqrt(n) * (n + 1), #p "potrf", n, n, worst);                                \
        free(a), free(x), free(y);                                                                           \
    }                                                                                                        \
    static void lu_##p(int m, int n, int ld, int singular) {                                                 \
        T *a = random_##p(ld, n);                                                                            \
        for (int i = 0; i < m && singular; i++) A(a, i, singular - 1) = 0;                                   \
        T *x = copy_##p(a, ld, n);                                                                           \
        int info = 9, least = m < n ? m : n, *pivot = calloc(least + 1, sizeof *pivot);                      \
        p##getrf_(&m, &n, x, &ld, pivot, &info);                                                             \
        check(info == singular, #p "getrf: info", m, n, info);                                               \
        for (int i = 0; i < least; i++) { /* the rows of a as they have been swapped */                      \
            check(pivot[i] > i && pivot[i] <= m, #p "getrf: a pivot", m, n, pivot[i]);                       \
            for (int j = 0; j < n; j++) {                                                                    \
                T t = A(a, i, j);                                                                            \
                A(a, i, j) = A(a, pivot[i] - 1, j), A(a, pivot[i] - 1, j) = t;                               \
            }                                                                                                \
        }                                                                                                    \
        double worst = 0, grown = 0;                                                                         \
        for (int j = 0; j < n; j++)                                                                          \
            for (int i = 0; i < m; i++) {                                                                    \
                double sum = i <= j ? A(x, i, j) : 0;                                                        \
                for (int l = 0; l < (i < j + 1 ? i : j + 1) && l < least; l++)                               \
                    sum += (double)A(x, i, l) * A(x, l, j);                                                  \
                worst = fmax(worst, fabs(sum - A(a, i, j)));                                                 \
                if (i > j) grown = fmax(grown, fabs((double)A(x, i, j)));                                    \
            }                                                                                                \
        check(worst <= 8 * eps * (n + 1), #p "getrf", m, n, worst);                                          \
        check(grown <= 1, #p "getrf: a factor above one", m, n, grown);                                      \
        if (m == n && !singular)                                                                             \
            for (int t = 0; t < 2; t++) {                                                                    \
                int nrhs = 3;                                                                                \
                T *b = random_##p(n, nrhs), *y = copy_##p(b, n, nrhs);                                       \
                p##getrs_(&"NT"[t], &n, &nrhs, x, &ld, pivot, y, &n, &info);                                 \
                T *z = copy_##p(b, n, nrhs);                                                                 \
                ((void (*)(const char *, const int *, const int *, const T *, const int *, const int *, T *, \
                           const int *, int *, size_t))other(#p "getrs_"))(&"NT"[t], &n, &nrhs, x, &ld,      \
                                                                           pivot, z, &n, &info, 1);          \
                double far = 0, most = 0;                                                                    \
                for (int i = 0; i < n * nrhs; i++)                                                           \
                    far = fmax(far, fabs(y[i] - z[i])), most = fmax(most, fabs(z[i]));                       \
                check(far <= 100 * eps * n * most * (1 + most), #p "getrs", n, n, far / most);               \
                free(b), free(y), free(z);                                                                   \
            }                                                                                                \
        free(a), free(x), free(pivot);                                                                       \
    }                                                                                                        \
    static void qr_##p(int m, int n, int ld, double factor, int cleared) {                                   \
        T *a = random_##p(ld, n);                                                                            \
        for (long i = 0; i < (long)ld * n; i++) a[i] = (T)(a[i] * factor);                                   \
        for (int i = 0; i < m && cleared; i++) A(a, i, cleared - 1) = 0;                                     \
        T *x = copy_##p(a, ld, n), *y = copy_##p(a, ld, n);                                                  \
        int info = 9, least = m < n ? m : n, lwork = 64 * n + 64;                                            \
        T *tau = calloc(least + 1, sizeof(T)), *taus = calloc(least + 1, sizeof(T)),                         \
          *work = malloc(sizeof(T) * lwork);                                                                 \
        p##geqrf_(&m, &n, x, &ld, tau, work, &lwork, &info);                                                 \
        check(info == 0, #p "geqrf: info", m, n, info);                                                      \
        ((void (*)(const int *, const int *, T *, const int *, T *, T *, const int *, int *))other(          \
            #p "geqrf_"))(&m, &n, y, &ld, taus, work, &lwork, &info);                                        \
        double worst = 0, most = factor * sqrt(m);                                                           \
        for (int j = 0; j < n; j++)                                                                          \
            for (int i = 0; i < ld; i++) {                                                                   \
                double by = i <= j || i >= m ? most : 1;                                                     \
                double far = fabs((double)A(x, i, j) - A(y, i, j)) / by;                                     \
                if (least == n && m > n + n / 4) worst = fmax(worst, isnan(far) ? INFINITY : far);           \
                if (i >= m) check(A(x, i, j) == A(a, i, j), #p "geqrf: a gap", m, n, 0);                     \
            }                                                                                                \
        check(worst <= 20 * eps * n, #p "geqrf beside the other", m, n, worst);                              \
        /* a - Q R: reflectors on the columns of R, the last one first */                                    \
        double away = 0, *column = malloc(sizeof *column * m);                                               \
        for (int j = 0; j < n; j++) {                                                                        \
            for (int i = 0; i < m; i++) column[i] = i <= j ? A(x, i, j) : 0;                                 \
            for (int k = least - 1; k >= 0; k--) {                                                           \
                double sum = column[k];                                                                      \
                for (int i = k + 1; i < m; i++) sum += A(x, i, k) * column[i];                               \
                column[k] -= tau[k] * sum;                                                                   \
                for (int i = k + 1; i < m; i++) column[i] -= tau[k] * sum * A(x, i, k);                      \
            }                                                                                                \
            for (int i = 0; i < m; i++) away = fmax(away, fabs(column[i] - A(a, i, j)) / most);              \
        }                                                                                                    \
        check(away <= 8 * eps * sqrt(n), #p "geqrf: Q R", m, n, away);                                       \
        /* reflectors are orthogonal: tau (1 + |v|^2) = 2 */                                                 \
        double bent = 0;                                                                                     \
        for (int k = 0; k < least; k++) {                                                                    \
            double sum = 1;                                                                                  \
            for (int i = k + 1; i < m; i++) sum += (double)A(x, i, k) * A(x, i, k);                          \
            if (tau[k] != 0) bent = fmax(bent, fabs(tau[k] * sum - 2));                                      \
        }                                                                                                    \
        check(bent <= (50 + sqrt(m)) * eps, #p "geqrf: a reflector", m, n, bent);                            \
        free(a), free(x), free(y), free(tau), free(taus), free(work), free(column);                          \
    }                                                                                                        \
    void p##gehrd_(const int *, const int *, const int *, T *, const int *, T *, T *, const int *, int *);   \
    static void hessenberg_##p(int n, int ilo, int ihi, int ld, double factor) {                             \
        T *a = random_##p(ld, n);                                                                            \
        for (long i = 0; i < (long)ld * n; i++) a[i] = (T)(a[i] * factor);                                   \
        for (int j = 0; j < n; j++)                                                                          \
            for (int i = j + 1; i < n; i++)                                                                  \
                if (j < ilo - 1 || i >= ihi) A(a, i, j) = 0;                                                 \
        T *x = copy_##p(a, ld, n), *y = copy_##p(a, ld, n);                                                  \
        int info = 9, lwork = 64 * n + 64;                                                                   \
        T *tau = calloc(n + 1, sizeof(T)), *taus = calloc(n + 1, sizeof(T)),                                 \
          *work = malloc(sizeof(T) * lwork);                                                                 \
        tau[0] = tau[n - 1] = 5;                                                                             \
        p##gehrd_(&n, &ilo, &ihi, x, &ld, tau, work, &lwork, &info);                                         \
        check(info == 0 && tau[n - 1] == 5, #p "gehrd: info", n, n, info);                                   \
        ((void (*)(const int *, const int *, const int *, T *, const int *, T *, T *, const int *,           \
                   int *))other(#p "gehrd_"))(&n, &ilo, &ihi, y, &ld, taus, work, &lwork, &info);            \
        double away = 0, most = factor * sqrt(n), *q = calloc((size_t)n * n, sizeof *q);                     \
        for (int j = 0; j < n; j++)                                                                          \
            for (int i = 0; i <= j + 1 && i < n; i++) q[i + (size_t)j * n] = A(x, i, j);                     \
        for (int k = ihi - 3 + 1; k >= ilo - 1; k--)                                                         \
            for (int side = 0; side < 2; side++) /* H of the left, then of the right */                      \
                for (int c = 0; c < n; c++) {                                                                \
                    size_t step = side ? n : 1, at = side ? c : (size_t)c * n;                               \
                    double sum = q[at + (k + 1) * step];                                                     \
                    for (int i = k + 2; i < ihi; i++) sum += A(x, i, k) * q[at + i * step];                  \
                    q[at + (k + 1) * step] -= tau[k] * sum;                                                  \
                    for (int i = k + 2; i < ihi; i++) q[at + i * step] -= tau[k] * sum * A(x, i, k);         \
                }                                                                                            \
        for (int j = 0; j < n; j++)                                                                          \
            for (int i = 0; i < n; i++)                                                                      \
                away = fmax(away, isnan(q[i + (size_t)j * n])                                                \
                                      ? INFINITY                                                             \
                                      : fabs(q[i + (size_t)j * n] - A(a, i, j)) / most);                     \
        check(away <= 10 * eps * sqrt(n), #p "gehrd: Q H Q'", n, n, away);                                   \
        for (int j = 0; j < n && n < 5; j++)                                                                 \
            for (int i = 0; i < n; i++)                                                                      \
                check(fabs((double)A(x, i, j) - A(y, i, j)) <= 100 * eps, #p "gehrd beside the other", n, n, \
                      0);                                                                                    \
        free(a), free(x), free(y), free(tau), free(taus), free(work), free(q);                               \
    }
TESTS(float, s, FLT_EPSILON)
TESTS(double, d, DBL_EPSILON)

void dsgesv_(const int *, const int *, double *, const int *, int *, const double *, const int *, double *,
             const int *, double *, float *, int *, int *);

static void refine(int n, double large, bool is_hard) {
    int nrhs = 2, info = 9, iter = 99, *pivot = calloc(n, sizeof *pivot), ld = n;
    double *a = random_d(n, n), *b = random_d(n, nrhs), *x = random_d(n, nrhs), *work = random_d(n, nrhs);
    for (int i = 0; i < n; i++) A(a, i, i) += is_hard ? 0 : 4;
    for (int i = 0; i < n && is_hard; i++) A(a, i, 1) = A(a, i, 0) + 1e-9 * A(a, i, 1);
    A(a, 0, 0) *= large;
    float *swork = malloc(sizeof *swork * n * (n + nrhs));
    double *y = copy_d(a, n, n);
    dsgesv_(&n, &nrhs, y, &n, pivot, b, &n, x, &n, work, swork, &iter, &info);
    check(info == 0 && (is_hard || (large > 1 ? iter < 0 : iter >= 0)), "dsgesv: steps", n, n, iter);
    double worst = 0, most = 0;
    for (int j = 0; j < nrhs; j++)
        for (int i = 0; i < n; i++) {
            double sum = -b[i + j * n];
            for (int l = 0; l < n; l++) sum += A(a, i, l) * x[l + j * n];
            worst = fmax(worst, fabs(sum)), most = fmax(most, fabs(x[i + j * n]));
        }
    check(worst <= 10 * n * DBL_EPSILON * large * most * n, "dsgesv", n, n, worst);
    free(a), free(b), free(x), free(work), free(swork), free(y), free(pivot);
}

int main(int argc, char **argv) {
    if (argc < 2) return puts("usage: lapack OTHER [LARGEST]"), 2;
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return puts(dlerror()), 2;
    int most = argc > 2 ? atoi(argv[2]) : 300;
    for (int i = 0; i < 4; i++) {
        char uplo = "UL"[i % 2];
        static const int sizes[] = {1, 7, 128, 129};
        cholesky_s(uplo, sizes[i], sizes[i] + i, 0), cholesky_d(uplo, sizes[3 - i], sizes[3 - i] + 2, 0);
        cholesky_s(uplo, most, most + 3, i == 2 ? most - 20 : 0),
            cholesky_d(uplo, most + 1, most + 1, i == 3 ? 5 : 0);
    }
    lu_s(1, 1, 1, 0), lu_s(5, 9, 6, 0), lu_d(9, 5, 9, 0), lu_s(70, 70, 75, 0), lu_d(most, most, most, 0);
    lu_s(most, 40, most + 1, 0), lu_d(40, most, 40, 0), lu_d(20, 20, 20, 7), lu_s(most, most / 2, most, 0);
    qr_s(1, 1, 1, 1, 0), qr_s(9, 5, 10, 1, 0), qr_d(5, 9, 5, 1, 0), qr_d(40, 40, 41, 1, 3);
    qr_s(most, most, most + 1, 1, 0), qr_d(most, most / 2, most, 1, 0), qr_s(3 * most, 64, 3 * most, 1, 17);
    qr_d(most / 2, most, most, 1, 0), qr_d(80, 30, 80, 1e-200, 0), qr_d(80, 30, 80, 1e200, 2);
    qr_s(80, 30, 80, 1e-25, 0), qr_s(200, 140, 200, 1e25, 0);
    qr_s(17000, 12, 17001, 1, 0), qr_d(16400, 9, 16400, 1, 2); // many teams a step
    hessenberg_s(1, 1, 1, 1, 1), hessenberg_d(2, 1, 2, 3, 1), hessenberg_d(4, 1, 4, 4, 1);
    hessenberg_s(33, 1, 33, 34, 1), hessenberg_d(34, 1, 34, 34, 1), hessenberg_s(100, 5, 81, 100, 1);
    hessenberg_d(most / 2, 1, most / 2, most, 1), hessenberg_s(most, 1, most, most, 1);
    hessenberg_d(40, 3, 40, 40, 1e-200);
    refine(most / 2, 1, false), refine(40, 1e60, false), refine(60, 1, true);
    int n = -1, one = 1, info = 0;
    float x[4];
    spotrf_("U", &n, x, &one, &info), check(info == -2 && complaints == 2, "spotrf: n", -1, -1, info);
    spotrf_("Q", &one, x, &one, &info), check(info == -1 && complaints == 1, "spotrf: uplo", 1, 1, info);
    sgeqrf_(&one, &one, x, &one, x, x, &n, &info),
        check(info == 0 && x[0] == 1, "sgeqrf: a query", 1, 1, info);
    printf("%d compared, %d wrong\n", compared, wrong);
    return wrong > 0;
}
