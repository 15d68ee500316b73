// SPDX-License-Identifier: MIT
// blas.c -- routines of our BLAS beside cuBLAS, and factorisations beside cuSOLVER, on data that stay on the
// device, in alternation.
//
//   blas_bench [--seconds S] ROUTINE LETTERS M N K [LD [COUNT]]   a line of JSON
//   blas_bench [--seconds S] --file CASES   the same, a case a line; --warm: each once, nothing is timed
//
// A factorisation takes a copy of its matrix, ours and cuSOLVER's alike.
// `cmake --build build --target blas_bench` makes build/blas_bench; bench/blas.cases is what we look at. Set
// SCULPT_DEVICE=cuda SCULPT_BLAS_CROSSOVER=0 SCULPT_SYNC=1, and warm the cache first.
//
// LETTERS as the routine has them (NT, U, LUNN), - for none. A leading dimension is as small as it may be, or
// LD more. Of ROUTINE_strided and ROUTINE_batched there are COUNT, one behind the other, called by
// <sculpt/blas.h>. Without cuBLAS our times stand alone.
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "sculpt/blas.h"
#include "sculpt/sculpt.h"

typedef struct Case {
    char routine[20], letters[8];
    int m, n, k, lda, ldb, ldc;
    bool is_double;
    void *host[3];      // a, b, c; vectors in their places
    uint64_t device[3]; // cuBLAS's own
    int count;          // of a batch; 0: it is none
    uint64_t own[3];    // a batch's arrays for us; without CUDA they are the host's
    void **table[3];    // its pointers for us
    uint64_t tables[3]; // and, on the device, for cuBLAS
    int *more;          // pivots
    size_t elements[3];
    int written;         // the array that holds the result
    double flops, bytes; // bytes that must be moved at least
    double result[2];    // of routines that have one
} Case;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// ---- cuBLAS ----------------------------------------------------------------------------------
static struct {
    void *blas, *handle, *solver, *solving;
    uint64_t work, info; // cuSOLVER's
    size_t room;
    int (*alloc)(uint64_t *, size_t), (*free)(uint64_t), (*up)(uint64_t, const void *, size_t),
        (*down)(void *, uint64_t, size_t), (*sync)(void);
} cu;

static sculpt_blas *handle;

static bool is_cuda;

static bool open_driver(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context;
    if (!driver) return false;
    int (*init)(unsigned) = dlsym(driver, "cuInit"),
        (*retain)(void **, int) = dlsym(driver, "cuDevicePrimaryCtxRetain"),
        (*current)(void *) = dlsym(driver, "cuCtxSetCurrent");
    if (init(0) || retain(&context, 0) || current(context)) return false;
    cu.alloc = dlsym(driver, "cuMemAlloc_v2"), cu.free = dlsym(driver, "cuMemFree_v2");
    cu.up = dlsym(driver, "cuMemcpyHtoD_v2"), cu.down = dlsym(driver, "cuMemcpyDtoH_v2");
    cu.sync = dlsym(driver, "cuCtxSynchronize");
    return true;
}

static bool open_peer(void) {
    cu.blas = dlopen("libcublas.so.13", RTLD_NOW);
    if (!cu.blas) cu.blas = dlopen("libcublas.so.12", RTLD_NOW);
    int (*create)(void **) = cu.blas ? dlsym(cu.blas, "cublasCreate_v2") : NULL;
    if (!create || create(&cu.handle)) return false;
    static const char *const solvers[] = {"libcusolver.so.12", "libcusolver.so.11"};
    for (int i = 0; i < 2 && !cu.solver; i++) cu.solver = dlopen(solvers[i], RTLD_NOW);
    int (*solve)(void **) = cu.solver ? dlsym(cu.solver, "cusolverDnCreate") : NULL;
    if (!solve || solve(&cu.solving) || cu.alloc(&cu.info, 64)) cu.solver = NULL;
    return true;
}

static bool is_factor(const Case *x) {
    const char *r = x->routine + 1;
    return !strcmp(r, "potrf") || !strcmp(r, "getrf") || !strcmp(r, "geqrf") || !strcmp(r, "gehrd");
}
// cuSOLVER has no Hessenberg form.
static bool has_peer(const Case *x) {
    return cu.handle && (!is_factor(x) || (cu.solver && x->routine[3] != 'h'));
}

static void *room(size_t bytes) {
    if (bytes > cu.room) {
        if (cu.work) cu.free(cu.work);
        if (cu.alloc(&cu.work, bytes)) exit(printf("no memory on the device\n"));
        cu.room = bytes;
    }
    return (void *)cu.work;
}

static int op(char c) { return c == 'N' ? 0 : 1; }
static int fill(char c) { return c == 'L' ? 0 : 1; }
static int side(char c) { return c == 'L' ? 0 : 1; }
static int unit(char c) { return c == 'N' ? 0 : 1; }

// ---- the routines ----------------------------------------------------------------------------
// Each: shape (sizes of arrays, work), ours, and cuBLAS's. L: the letters; a, b, c: the arrays.
#define PEER(name, ...) ((int (*)())dlsym(cu.blas, name))(cu.handle, __VA_ARGS__)
static void *array_of(const Case *x, int i, bool is_peer) {
    return is_peer ? (void *)x->device[i] : x->own[i] ? (void *)x->own[i] : x->host[i];
}
#define EACH(i) ((long long)x->elements[i])
#define SOLVER(name, ...) ((int (*)())dlsym(cu.solver, name))(cu.solving, __VA_ARGS__)
#define ROUTINES(T, p, P)                                                                                    \
    extern void p##gemm_(), p##symm_(), p##syrk_(), p##syr2k_(), p##trmm_(), p##trsm_(), p##gemv_(),         \
        p##symv_(), p##trmv_(), p##trsv_(), p##ger_(), p##syr_(), p##syr2_(), p##axpy_(), p##scal_(),        \
        p##copy_(), p##swap_(), p##potrf_(), p##getrf_(), p##geqrf_(), p##gehrd_();                          \
    extern T p##dot_(), p##nrm2_(), p##asum_();                                                              \
    extern int i##p##amax_();                                                                                \
    static bool call_##p(Case *x, bool is_peer) {                                                            \
        const char *r = x->routine + 1, *L = x->letters;                                                     \
        T alpha = (T)0.5, beta = (T)0.25, value = 0;                                                         \
        int one = 1, index = 0;                                                                              \
        T *a = array_of(x, 0, is_peer), *b = array_of(x, 1, is_peer), *c = array_of(x, 2, is_peer);          \
        int *m = &x->m, *n = &x->n, *k = &x->k, *lda = &x->lda, *ldb = &x->ldb, *ldc = &x->ldc;              \
        if (is_factor(x)) {                                                                                  \
            int all = (int)x->elements[0], size = -1;                                                        \
            if (is_peer) PEER("cublas" #P "copy_v2", all, b, 1, a, 1);                                       \
            else p##copy_(&all, b, &one, a, &one);                                                           \
            if (*r == 'p' && is_peer) {                                                                      \
                SOLVER("cusolverDn" #P "potrf_bufferSize", fill(L[0]), *n, a, *lda, &size);                  \
                SOLVER("cusolverDn" #P "potrf", fill(L[0]), *n, a, *lda, room(size * sizeof(T)), size,       \
                       (void *)cu.info);                                                                     \
            } else if (*r == 'p') {                                                                          \
                p##potrf_(L, n, a, lda, &index);                                                             \
            } else if (r[2] == 't' && is_peer) {                                                             \
                SOLVER("cusolverDn" #P "getrf_bufferSize", *m, *n, a, *lda, &size);                          \
                SOLVER("cusolverDn" #P "getrf", *m, *n, a, *lda, room(size * sizeof(T)), c,                  \
                       (void *)cu.info);                                                                     \
            } else if (r[2] == 't') {                                                                        \
                p##getrf_(m, n, a, lda, x->more, &index);                                                    \
            } else if (r[2] == 'h') {                                                                        \
                p##gehrd_(n, &one, n, a, lda, c, &value, n, &index);                                         \
                value = 0;                                                                                   \
            } else if (is_peer) {                                                                            \
                SOLVER("cusolverDn" #P "geqrf_bufferSize", *m, *n, a, *lda, &size);                          \
                SOLVER("cusolverDn" #P "geqrf", *m, *n, a, *lda, c, room(size * sizeof(T)), size,            \
                       (void *)cu.info);                                                                     \
            } else {                                                                                         \
                p##geqrf_(m, n, a, lda, c, &value, n, &index);                                               \
                value = 0;                                                                                   \
            }                                                                                                \
        } else if (!strcmp(r, "gemm")) {                                                                     \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "gemm_v2", op(L[0]), op(L[1]), *m, *n, *k, &alpha, a, *lda, b, *ldb, &beta, \
                     c, *ldc);                                                                               \
            else p##gemm_(L, L + 1, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);                         \
        } else if (!strcmp(r, "gemm_strided")) {                                                             \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "gemmStridedBatched", op(L[0]), op(L[1]), *m, *n, *k, &alpha, a, *lda,      \
                     EACH(0), b, *ldb, EACH(1), &beta, c, *ldc, EACH(2), x->count);                          \
            else                                                                                             \
                sculpt_##p##gemm_strided(handle, L[0], L[1], *m, *n, *k, alpha, a, *lda, EACH(0), b, *ldb,   \
                                         EACH(1), beta, c, *ldc, EACH(2), x->count);                         \
        } else if (!strcmp(r, "gemm_batched")) {                                                             \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "gemmBatched", op(L[0]), op(L[1]), *m, *n, *k, &alpha,                      \
                     (void *)x->tables[0], *lda, (void *)x->tables[1], *ldb, &beta, (void *)x->tables[2],    \
                     *ldc, x->count);                                                                        \
            else                                                                                             \
                sculpt_##p##gemm_batched(handle, L[0], L[1], *m, *n, *k, alpha, (const void *)x->table[0],   \
                                         *lda, (const void *)x->table[1], *ldb, beta, (void *)x->table[2],   \
                                         *ldc, x->count);                                                    \
        } else if (!strcmp(r, "trsm_batched")) {                                                             \
            alpha = 1;                                                                                       \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "trsmBatched", side(L[0]), fill(L[1]), op(L[2]), unit(L[3]), *m, *n,        \
                     &alpha, (void *)x->tables[0], *lda, (void *)x->tables[1], *ldb, x->count);              \
            else                                                                                             \
                sculpt_##p##trsm_batched(handle, L[0], L[1], L[2], L[3], *m, *n, alpha,                      \
                                         (const void *)x->table[0], *lda, (void *)x->table[1], *ldb,         \
                                         x->count);                                                          \
        } else if (!strcmp(r, "symm")) {                                                                     \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "symm_v2", side(L[0]), fill(L[1]), *m, *n, &alpha, a, *lda, b, *ldb, &beta, \
                     c, *ldc);                                                                               \
            else p##symm_(L, L + 1, m, n, &alpha, a, lda, b, ldb, &beta, c, ldc);                            \
        } else if (!strcmp(r, "syrk")) {                                                                     \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "syrk_v2", fill(L[0]), op(L[1]), *n, *k, &alpha, a, *lda, &beta, c, *ldc);  \
            else p##syrk_(L, L + 1, n, k, &alpha, a, lda, &beta, c, ldc);                                    \
        } else if (!strcmp(r, "syr2k")) {                                                                    \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "syr2k_v2", fill(L[0]), op(L[1]), *n, *k, &alpha, a, *lda, b, *ldb, &beta,  \
                     c, *ldc);                                                                               \
            else p##syr2k_(L, L + 1, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);                           \
        } else if (!strcmp(r, "trmm")) {                                                                     \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "trmm_v2", side(L[0]), fill(L[1]), op(L[2]), unit(L[3]), *m, *n, &alpha, a, \
                     *lda, b, *ldb, b, *ldb);                                                                \
            else p##trmm_(L, L + 1, L + 2, L + 3, m, n, &alpha, a, lda, b, ldb);                             \
        } else if (!strcmp(r, "trsm")) {                                                                     \
            alpha = 1;                                                                                       \
            if (is_peer)                                                                                     \
                PEER("cublas" #P "trsm_v2", side(L[0]), fill(L[1]), op(L[2]), unit(L[3]), *m, *n, &alpha, a, \
                     *lda, b, *ldb);                                                                         \
            else p##trsm_(L, L + 1, L + 2, L + 3, m, n, &alpha, a, lda, b, ldb);                             \
        } else if (!strcmp(r, "gemv")) {                                                                     \
            if (is_peer) PEER("cublas" #P "gemv_v2", op(L[0]), *m, *n, &alpha, a, *lda, b, 1, &beta, c, 1);  \
            else p##gemv_(L, m, n, &alpha, a, lda, b, &one, &beta, c, &one);                                 \
        } else if (!strcmp(r, "symv")) {                                                                     \
            if (is_peer) PEER("cublas" #P "symv_v2", fill(L[0]), *n, &alpha, a, *lda, b, 1, &beta, c, 1);    \
            else p##symv_(L, n, &alpha, a, lda, b, &one, &beta, c, &one);                                    \
        } else if (!strcmp(r, "trmv")) {                                                                     \
            if (is_peer) PEER("cublas" #P "trmv_v2", fill(L[0]), op(L[1]), unit(L[2]), *n, a, *lda, b, 1);   \
            else p##trmv_(L, L + 1, L + 2, n, a, lda, b, &one);                                              \
        } else if (!strcmp(r, "trsv")) {                                                                     \
            if (is_peer) PEER("cublas" #P "trsv_v2", fill(L[0]), op(L[1]), unit(L[2]), *n, a, *lda, b, 1);   \
            else p##trsv_(L, L + 1, L + 2, n, a, lda, b, &one);                                              \
        } else if (!strcmp(r, "ger")) {                                                                      \
            if (is_peer) PEER("cublas" #P "ger_v2", *m, *n, &alpha, b, 1, c, 1, a, *lda);                    \
            else p##ger_(m, n, &alpha, b, &one, c, &one, a, lda);                                            \
        } else if (!strcmp(r, "syr")) {                                                                      \
            if (is_peer) PEER("cublas" #P "syr_v2", fill(L[0]), *n, &alpha, b, 1, a, *lda);                  \
            else p##syr_(L, n, &alpha, b, &one, a, lda);                                                     \
        } else if (!strcmp(r, "syr2")) {                                                                     \
            if (is_peer) PEER("cublas" #P "syr2_v2", fill(L[0]), *n, &alpha, b, 1, c, 1, a, *lda);           \
            else p##syr2_(L, n, &alpha, b, &one, c, &one, a, lda);                                           \
        } else if (!strcmp(r, "axpy")) {                                                                     \
            if (is_peer) PEER("cublas" #P "axpy_v2", *n, &alpha, b, 1, c, 1);                                \
            else p##axpy_(n, &alpha, b, &one, c, &one);                                                      \
        } else if (!strcmp(r, "scal")) {                                                                     \
            alpha = (T)0.999;                                                                                \
            if (is_peer) PEER("cublas" #P "scal_v2", *n, &alpha, c, 1);                                      \
            else p##scal_(n, &alpha, c, &one);                                                               \
        } else if (!strcmp(r, "copy")) {                                                                     \
            if (is_peer) PEER("cublas" #P "copy_v2", *n, b, 1, c, 1);                                        \
            else p##copy_(n, b, &one, c, &one);                                                              \
        } else if (!strcmp(r, "swap")) {                                                                     \
            if (is_peer) PEER("cublas" #P "swap_v2", *n, b, 1, c, 1);                                        \
            else p##swap_(n, b, &one, c, &one);                                                              \
        } else if (!strcmp(r, "dot")) {                                                                      \
            if (is_peer) PEER("cublas" #P "dot_v2", *n, b, 1, c, 1, &value);                                 \
            else value = p##dot_(n, b, &one, c, &one);                                                       \
        } else if (!strcmp(r, "nrm2")) {                                                                     \
            if (is_peer) PEER("cublas" #P "nrm2_v2", *n, b, 1, &value);                                      \
            else value = p##nrm2_(n, b, &one);                                                               \
        } else if (!strcmp(r, "asum")) {                                                                     \
            if (is_peer) PEER("cublas" #P "asum_v2", *n, b, 1, &value);                                      \
            else value = p##asum_(n, b, &one);                                                               \
        } else if (!strcmp(r, "amax")) {                                                                     \
            if (is_peer) PEER("cublasI" #p "amax_v2", *n, b, 1, &index), value = index;                      \
            else value = i##p##amax_(n, b, &one);                                                            \
        } else return false;                                                                                 \
        x->result[is_peer] = value;                                                                          \
        return true;                                                                                         \
    }
ROUTINES(float, s, S)
ROUTINES(double, d, D)

static bool call(Case *x, bool is_peer) { return x->is_double ? call_d(x, is_peer) : call_s(x, is_peer); }

// Sizes of arrays, work, and which array is written.
static void shape(Case *x, int more) {
    char r[20];
    const char *L = x->letters;
    snprintf(r, sizeof r, "%s", x->routine + 1);
    if (strchr(r, '_')) *strchr(r, '_') = 0;
    double m = x->m, n = x->n, k = x->k, w = x->is_double ? 8 : 4;
    int order = L[0] == 'R' ? x->n : x->m;
    int a_rows = x->m, a_columns = x->n, b_rows = x->m, b_columns = x->n, c_rows = x->m, c_columns = x->n;
    x->written = 2;
    if (is_factor(x)) { // a: what is factored; b: the matrix; c: tau, cuSOLVER's pivots
        if (*r == 'p') x->m = x->n, a_rows = b_rows = x->n, m = n;
        c_rows = x->n > x->m ? x->n : x->m, c_columns = 1, x->written = 0;
        x->flops = *r == 'p' ? n * n * n / 3 : (r[2] == 't' ? 1 : 2) * n * n * (m - n / 3);
        if (r[2] == 'h') x->flops = 10.0 / 3 * n * n * n;
        x->bytes = w * 2 * m * n;
    } else if (!strcmp(r, "gemm")) {
        bool ta = L[0] != 'N', tb = L[1] != 'N';
        a_rows = ta ? x->k : x->m, a_columns = ta ? x->m : x->k, b_rows = tb ? x->n : x->k,
        b_columns = tb ? x->k : x->n;
        x->flops = 2 * m * n * k, x->bytes = w * (m * k + k * n + 2 * m * n);
    } else if (!strcmp(r, "symm") || !strcmp(r, "trmm") || !strcmp(r, "trsm")) {
        a_rows = a_columns = order;
        x->flops = m * n * order * (*r == 's' ? 2 : 1),
        x->bytes = w * (order * (double)order / 2 + 2 * m * n);
        if (*r == 't') x->written = 1;
    } else if (!strcmp(r, "syrk") || !strcmp(r, "syr2k")) {
        a_rows = b_rows = L[1] == 'N' ? x->n : x->k, a_columns = b_columns = L[1] == 'N' ? x->k : x->n;
        c_rows = c_columns = x->n;
        x->flops = n * n * k * (r[3] == '2' ? 2 : 1), x->bytes = w * (n * k + n * n);
    } else if (!strcmp(r, "gemv")) {
        b_rows = c_rows = x->m > x->n ? x->m : x->n, b_columns = c_columns = 1;
        x->flops = 2 * m * n, x->bytes = w * m * n;
    } else if (!strcmp(r, "ger")) {
        b_rows = x->m, c_rows = x->n, b_columns = c_columns = 1, x->written = 0;
        x->flops = 2 * m * n, x->bytes = 2 * w * m * n;
    } else if (strchr("st", *r) && (r[1] == 'y' || r[1] == 'r')) { // symv, syr, syr2, trmv, trsv
        a_rows = b_rows = c_rows = x->n, b_columns = c_columns = 1;
        bool is_update = r[2] == 'r' && r[1] == 'y';
        x->written = is_update ? 0 : *r == 't' ? 1 : 2;
        x->flops = n * n * (*r == 's' && !is_update ? 2 : 1), x->bytes = w * n * n / 2 * (is_update ? 2 : 1);
    } else {
        static const struct {
            const char *name;
            double moves;
        } moves[] = {{"axpy", 3}, {"scal", 2}, {"copy", 2}, {"swap", 4},
                     {"dot", 2},  {"nrm2", 1}, {"asum", 1}, {"amax", 1}};
        for (int i = 0; i < 8; i++)
            if (!strcmp(r, moves[i].name)) x->bytes = moves[i].moves * w * n;
        a_rows = a_columns = 1, b_rows = c_rows = x->n, b_columns = c_columns = 1;
        x->flops = 2 * n;
    }
    x->lda = a_rows + more, x->ldb = b_rows + more, x->ldc = c_rows + more;
    x->elements[0] = (size_t)x->lda * a_columns, x->elements[1] = (size_t)x->ldb * b_columns;
    x->elements[2] = (size_t)x->ldc * c_columns;
    if (x->count) x->flops *= x->count, x->bytes *= x->count;
}

static size_t all_of(const Case *x, int i) { return x->elements[i] * (x->count ? x->count : 1); }

static void to_device(uint64_t *p, const void *host, size_t bytes) {
    if (cu.alloc(p, bytes) || cu.up(*p, host, bytes)) exit(printf("no memory on the device\n"));
}

// A batch's pointers.
static void fill_tables(Case *x, int i, size_t w) {
    size_t bytes = x->count * sizeof(void *);
    void **theirs = malloc(bytes);
    x->table[i] = malloc(bytes);
    for (int q = 0; q < x->count; q++) {
        x->table[i][q] = (char *)array_of(x, i, false) + q * x->elements[i] * w;
        theirs[q] = (char *)x->device[i] + q * x->elements[i] * w;
    }
    if (has_peer(x)) to_device(&x->tables[i], theirs, bytes);
    free(theirs);
}

// Small numbers with a strong diagonal in a: solutions neither grow nor vanish.
static void fill_arrays(Case *x) {
    for (int i = 0; i < 3; i++) {
        uint32_t state = 12345 + i;
        size_t w = x->is_double ? 8 : 4;
        size_t all = all_of(x, i);
        x->host[i] = malloc(all * w);
        double scale = i == 0 && x->routine[1] == 't' ? 1.0 / x->lda : 1;
        for (size_t j = 0; j < all; j++) {
            state = state * 1664525 + 1013904223;
            double v = ((state >> 8) % 2001 / 1000.0 - 1) * scale;
            if (i == 1 && x->routine[1] == 'p' && j % (x->ldb + 1) == 0) v = x->n;
            if (i == 0 && x->routine[1] == 't' && j % x->elements[0] % (x->lda + 1) == 0) v = 1;
            if (x->is_double) ((double *)x->host[i])[j] = v;
            else ((float *)x->host[i])[j] = (float)v;
        }
        if (!x->count) sculpt_data_enter(x->host[i], all * w, SCULPT_COPYIN);
        if (has_peer(x)) to_device(&x->device[i], x->host[i], all * w);
        if (x->count && is_cuda) to_device(&x->own[i], x->host[i], all * w);
        if (x->count) fill_tables(x, i, w);
    }
}

static void drop_arrays(Case *x) {
    for (int i = 0; i < 3; i++) {
        if (!x->count) sculpt_data_exit(x->host[i], x->elements[i] * (x->is_double ? 8 : 4), 0);
        free(x->host[i]);
        free(x->table[i]);
        if (x->device[i]) cu.free(x->device[i]);
        if (x->tables[i]) cu.free(x->tables[i]);
        if (x->own[i]) cu.free(x->own[i]);
    }
}

static void settle(Case *x, bool is_peer) {
    if (is_peer || x->own[0]) cu.sync();
    else sculpt_update_host(x->host[x->written], x->is_double ? 8 : 4);
}

// The largest difference of a result, by the largest of its elements.
static double difference(Case *x) {
    size_t n = all_of(x, x->written), w = x->is_double ? 8 : 4;
    void *peer = malloc(n * w);
    cu.down(peer, x->device[x->written], n * w);
    if (x->own[0]) cu.down(x->host[x->written], x->own[x->written], n * w);
    else sculpt_update_host(x->host[x->written], n * w);
    double worst = 0, most = fabs(x->result[1]);
    for (size_t i = 0; i < n; i++) {
        double p = x->is_double ? ((double *)peer)[i] : ((float *)peer)[i];
        double o = x->is_double ? ((double *)x->host[x->written])[i] : ((float *)x->host[x->written])[i];
        worst = fmax(worst, fabs(p - o)), most = fmax(most, fabs(p));
        if (isnan(o) != isnan(p)) worst = INFINITY;
    }
    free(peer);
    return fmax(worst, fabs(x->result[0] - x->result[1])) / (most > 0 ? most : 1);
}

static double element(const Case *x, int i, long row, long column) {
    size_t at = (size_t)row + (size_t)column * (i ? x->ldb : x->lda);
    return x->is_double ? ((double *)x->host[i])[at] : ((float *)x->host[i])[at];
}

// What our LU factors make of a vector of ones, beside what the matrix makes of it: the largest difference, by
// the largest element. Factors whose pivots differ are no worse than these.
static double residual_of(Case *x) {
    sculpt_update_host(x->host[0], x->elements[0] * (x->is_double ? 8 : 4));
    long n = x->n;
    double *want = calloc(n, sizeof *want), *upper = calloc(n, sizeof *upper), *is = calloc(n, sizeof *is);
    double worst = 0, most = 0;
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) want[i] += element(x, 1, i, j);
    for (long j = 0; j < n; j++)
        for (long i = 0; i <= j; i++) upper[i] += element(x, 0, i, j);
    for (long j = 0; j < n; j++) {
        is[j] += upper[j];
        for (long i = j + 1; i < n; i++) is[i] += element(x, 0, i, j) * upper[j];
    }
    for (long i = 0; i < n; i++) {
        double t = want[i];
        want[i] = want[x->more[i] - 1], want[x->more[i] - 1] = t;
        worst = fmax(worst, fabs(want[i] - is[i])), most = fmax(most, fabs(want[i]));
    }
    free(want), free(upper), free(is);
    return worst / most;
}

static double seconds_of(Case *x, bool is_peer, int repeats) {
    double t = now();
    for (int i = 0; i < repeats; i++) call(x, is_peer);
    settle(x, is_peer);
    return (now() - t) / repeats;
}

static void measure(Case *x, int more, double seconds, bool is_warm) {
    x->is_double = x->routine[0] == 'd';
    shape(x, more);
    fill_arrays(x);
    x->more = calloc((x->m > x->n ? x->m : x->n) + 1, sizeof *x->more);
    double first = now();
    if (!call(x, false)) exit(printf("%s: not known\n", x->routine));
    settle(x, false);
    first = now() - first;
    if (!is_warm) {
        bool is_lu = is_factor(x) && x->routine[1] == 'g' && x->routine[3] == 't';
        double error = -1, residual = is_lu ? residual_of(x) : 0, best[2] = {INFINITY, INFINITY};
        if (has_peer(x)) {
            call(x, true);
            settle(x, true);
            error = difference(x);
        }
        double each = fmax(seconds_of(x, false, 2), has_peer(x) ? seconds_of(x, true, 2) : 0);
        int repeats = (int)fmin(fmax(seconds / 10 / each, 1), 200);
        for (int round = 0; round < 5; round++)
            for (int peer = 0; peer <= has_peer(x); peer++)
                best[peer] = fmin(best[peer], seconds_of(x, peer, repeats));
        printf("{\"routine\": \"%s\", \"letters\": \"%s\", \"m\": %d, \"n\": %d, \"k\": %d, \"lda\": %d, "
               "\"count\": %d, \"ms\": %.5f, "
               "\"gflops\": %.1f, \"gbps\": %.1f",
               x->routine, x->letters, x->m, x->n, x->k, x->lda, x->count, 1e3 * best[0],
               1e-9 * x->flops / best[0], 1e-9 * x->bytes / best[0]);
        if (has_peer(x))
            printf(", \"cublas_ms\": %.5f, \"cublas_over_ours\": %.3f, \"difference\": %.2e", 1e3 * best[1],
                   best[1] / best[0], error);
        if (is_lu) printf(", \"residual\": %.2e", residual);
        printf(", \"first_s\": %.3f, \"device\": \"%s\"}\n", first, sculpt_device_name());
        fflush(stdout);
    }
    free(x->more);
    drop_arrays(x);
}

static bool read_case(Case *x, int *more, int n, char **word) {
    if (n < 5) return false;
    snprintf(x->routine, sizeof x->routine, "%s", word[0]);
    snprintf(x->letters, sizeof x->letters, "%s", word[1]);
    x->m = atoi(word[2]), x->n = atoi(word[3]), x->k = atoi(word[4]);
    *more = n > 5 ? atoi(word[5]) : 0;
    x->count = n > 6 ? atoi(word[6]) : 0;
    return true;
}

int main(int argc, char **argv) {
    double seconds = 0.5;
    const char *file = NULL;
    bool is_warm = false;
    int at = 1, more;
    for (; at < argc && !strncmp(argv[at], "--", 2); at++) {
        if (!strcmp(argv[at], "--warm")) is_warm = true;
        else if (!strcmp(argv[at], "--seconds") && at + 1 < argc) seconds = atof(argv[++at]);
        else if (!strcmp(argv[at], "--file") && at + 1 < argc) file = argv[++at];
    }
    is_cuda = !strncmp(sculpt_device_name(), "cuda", 4) && open_driver();
    if (!is_warm && !(is_cuda && open_peer())) fprintf(stderr, "blas: cuBLAS is not here\n");
    if (sculpt_blas_create(&handle)) return puts("there is no device"), 1;
    Case x = {0};
    if (!file) {
        if (!read_case(&x, &more, argc - at, argv + at))
            return puts("usage: blas [--seconds S] ROUTINE LETTERS M N K [LD] | --file CASES"), 2;
        measure(&x, more, seconds, is_warm);
        return 0;
    }
    FILE *f = fopen(file, "r");
    if (!f) return perror(file), 2;
    for (char line[200]; fgets(line, sizeof line, f);) {
        char *word[8], *save;
        int n = 0;
        for (char *w = strtok_r(line, " \t\n", &save); w && n < 8; w = strtok_r(NULL, " \t\n", &save))
            word[n++] = w;
        x = (Case){0};
        if (n && *word[0] != '#' && read_case(&x, &more, n, word)) measure(&x, more, seconds, is_warm);
    }
    return fclose(f), 0;
}
