// SPDX-License-Identifier: MIT
// cublas.c -- cuBLAS's interface: handles, modes, copies between host and device, rotations of two numbers.
// The routines are written by make_cublas.c. Where the device is no GPU of CUDA's, its memory is the host's.
#include "cublas.h"
#include "sculpt/sculpt.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// ---- CUDA's driver -----------------------------------------------------------------------------
enum { AT_HOST = 1, AT_DEVICE = 2 };

typedef struct Side { // CUDA_MEMCPY2D, one of its two ends
    size_t x, y;
    int kind;
    const void *host;
    uint64_t device;
    void *array;
    size_t pitch;
} Side;

typedef struct Copy {
    Side from, to;
    size_t width, height;
} Copy;

static struct {
    bool is_open;
    void *context;
    int (*push)(void *), (*pop)(void **), (*copy)(const Copy *), (*copy_async)(const Copy *, void *),
        (*sync)(void *), (*capturing)(void *, int *);
} cu;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

static void open_driver(void) {
    int index = 0, device;
    if (sscanf(sculpt_device_name(), "cuda:%d", &index) != 1) return;
    void *l = dlopen("libcuda.so.1", RTLD_NOW);
    if (!l) return;
    int (*get)(int *, int) = dlsym(l, "cuDeviceGet"),
                      (*retain)(void **, int) = dlsym(l, "cuDevicePrimaryCtxRetain");
    cu.push = dlsym(l, "cuCtxPushCurrent_v2"), cu.pop = dlsym(l, "cuCtxPopCurrent_v2");
    cu.copy = dlsym(l, "cuMemcpy2DUnaligned_v2"), cu.copy_async = dlsym(l, "cuMemcpy2DAsync_v2");
    cu.sync = dlsym(l, "cuStreamSynchronize"), cu.capturing = dlsym(l, "cuStreamIsCapturing");
    cu.is_open = get && retain && cu.push && cu.pop && cu.copy && cu.copy_async && cu.sync &&
                 !get(&device, index) && !retain(&cu.context, device);
}

// Columns of so many bytes. With a stream the copy is only begun.
static int copy(int from_kind, const void *from, size_t from_pitch, int to_kind, void *to, size_t to_pitch,
                size_t bytes, size_t columns, void *stream, bool is_async) {
    pthread_once(&opened, open_driver);
    if (!cu.is_open) {
        if (is_async) sculpt_before_stream(stream);
        for (size_t i = 0; i < columns; i++)
            memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, bytes);
        return DONE;
    }
    Copy c = {{0, 0, from_kind, from, (uintptr_t)from, NULL, from_pitch},
              {0, 0, to_kind, to, (uintptr_t)to, NULL, to_pitch},
              bytes,
              columns};
    if (from_pitch == bytes && to_pitch == bytes) // in one piece: pitches have a limit
        c.width = c.from.pitch = c.to.pitch = bytes * columns, c.height = 1;
    void *popped;
    if (cu.push(cu.context)) return NOT_COPIED;
    int failed = is_async ? cu.copy_async(&c, stream) : cu.copy(&c);
    cu.pop(&popped);
    return failed ? NOT_COPIED : DONE;
}

// Numbers on the device are known once what is in the stream is done.
static int across(const Handle *h, bool is_read, void *to, const void *from, size_t bytes) {
    pthread_once(&opened, open_driver);
    int captured = 0;
    if (cu.is_open && cu.capturing && !cu.capturing(h->stream, &captured) && captured) return NOT_SUPPORTED;
    int failed = copy(is_read ? AT_DEVICE : AT_HOST, from, bytes, is_read ? AT_HOST : AT_DEVICE, to, bytes,
                      bytes, 1, h->stream, true);
    void *popped;
    if (failed || !cu.is_open) return failed;
    if (cu.push(cu.context)) return NOT_COPIED;
    failed = cu.sync(h->stream);
    cu.pop(&popped);
    return failed ? NOT_COPIED : DONE;
}

int cublas_get(const Handle *h, void *to, const void *number, size_t bytes) {
    if (!number) return BAD_VALUE;
    if (h->pointers) return across(h, true, to, number, bytes);
    memcpy(to, number, bytes);
    return DONE;
}

int cublas_put(const Handle *h, void *result, const void *from, size_t bytes) {
    if (!result) return BAD_VALUE;
    if (h->pointers) return across(h, false, result, from, bytes);
    memcpy(result, from, bytes);
    return DONE;
}

void *cublas_table(const Handle *h, const void *table, int64_t count, int *failed) {
    size_t bytes = (count > 0 ? count : 1) * sizeof(void *);
    void *copy = malloc(bytes);
    *failed = !copy ? NO_ROOM : count > 0 ? across(h, true, copy, table, bytes) : DONE;
    if (!*failed) return copy;
    free(copy);
    return NULL;
}

char cublas_letter(unsigned which, const char *these) { return which < strlen(these) ? these[which] : 0; }

int cublas_status(int of_ours) {
    return of_ours == 0                       ? DONE
           : of_ours > 0                      ? BAD_VALUE
           : of_ours == SCULPT_BLAS_NO_MEMORY ? NO_ROOM
                                              : FAILED;
}

// ---- handles -------------------------------------------------------------------------------------
enum { VERSION = 120000 };

int cublasCreate_v2(Handle **out) {
    if (!out) return BAD_VALUE;
    Handle *h = *out = calloc(1, sizeof *h);
    if (!h) return NO_ROOM;
    int failed = sculpt_blas_create(&h->blas);
    if (!failed) return h->blas->falls_back = true, DONE;
    free(h);
    *out = NULL;
    return failed == SCULPT_BLAS_NO_MEMORY ? NO_ROOM : NO_HANDLE;
}

int cublasDestroy_v2(Handle *h) {
    if (!h) return NO_HANDLE;
    sculpt_blas_destroy(h->blas);
    free(h);
    return DONE;
}

// Properties of libraries: major, minor, patch level.
int cublasGetProperty(int type, int *value) {
    if (!value || type < 0 || type > 2) return BAD_VALUE;
    *value = type ? 0 : VERSION / 10000;
    return DONE;
}

int cublasGetVersion_v2(const Handle *h, int *version) {
    (void)h;
    if (!version) return BAD_VALUE;
    *version = VERSION;
    return DONE;
}

size_t cublasGetCudartVersion(void) { return 12000; }

// As in cuBLAS, a new stream takes the workspace away.
int cublasSetStream_v2(Handle *h, void *stream) {
    if (!h) return NO_HANDLE;
    h->stream = stream;
    sculpt_blas_set_stream(h->blas, stream);
    sculpt_blas_set_workspace(h->blas, NULL, 0);
    return DONE;
}

int cublasSetWorkspace_v2(Handle *h, void *p, size_t bytes) {
    if (!h) return NO_HANDLE;
    sculpt_blas_set_workspace(h->blas, p, bytes);
    return DONE;
}

int cublasGetStream_v2(const Handle *h, void **stream) {
    if (!h) return NO_HANDLE;
    if (!stream) return BAD_VALUE;
    *stream = h->stream;
    return DONE;
}

// Pointers and atomics are 0 or 1. No mode of mathematics makes our results less precise.
#define MODE(name, suffix, field, most)                                                                      \
    int cublasSet##name##suffix(Handle *h, int mode) {                                                       \
        if (!h) return NO_HANDLE;                                                                            \
        if (mode < 0 || mode > (most)) return BAD_VALUE;                                                     \
        h->field = mode;                                                                                     \
        return DONE;                                                                                         \
    }                                                                                                        \
    int cublasGet##name##suffix(const Handle *h, int *mode) {                                                \
        if (!h) return NO_HANDLE;                                                                            \
        if (!mode) return BAD_VALUE;                                                                         \
        *mode = h->field;                                                                                    \
        return DONE;                                                                                         \
    }
MODE(PointerMode, _v2, pointers, 1)
MODE(AtomicsMode, , atomics, 1)
MODE(MathMode, , math, 0xff)

#define STATUSES(X)                                                                                          \
    X(0, "SUCCESS", "success")                                                                               \
    X(1, "NOT_INITIALIZED", "there is no handle, or no device")                                              \
    X(3, "ALLOC_FAILED", "no memory")                                                                        \
    X(7, "INVALID_VALUE", "a wrong argument")                                                                \
    X(8, "ARCH_MISMATCH", "the device lacks what it takes")                                                  \
    X(11, "MAPPING_ERROR", "memory of the device could not be reached")                                      \
    X(13, "EXECUTION_FAILED", "it could not run on the device")                                              \
    X(14, "INTERNAL_ERROR", "an internal error")                                                             \
    X(15, "NOT_SUPPORTED", "not supported")                                                                  \
    X(16, "LICENSE_ERROR", "a license is missing")

const char *cublasGetStatusName(int status) {
#define STATUS(number, name, text)                                                                          \
    if (status == (number)) return "CUBLAS_STATUS_" name;
    STATUSES(STATUS)
#undef STATUS
    return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(int status) {
#define STATUS(number, name, text)                                                                          \
    if (status == (number)) return text;
    STATUSES(STATUS)
#undef STATUS
    return "an unknown status";
}

// ---- copies ----------------------------------------------------------------------------------------
#define COPIES(I, suffix, direction, from_kind, to_kind)                                                     \
    static int matrix_##direction##suffix(I rows, I columns, I size, const void *a, I lda, void *b, I ldb,   \
                                          void *stream, bool is_async) {                                     \
        if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows || lda < 1 || ldb < 1)          \
            return BAD_VALUE;                                                                                \
        if (!rows || !columns) return DONE;                                                                  \
        return copy(from_kind, a, (size_t)lda * size, to_kind, b, (size_t)ldb * size, (size_t)rows * size,   \
                    columns, stream, is_async);                                                              \
    }                                                                                                        \
    int cublas##direction##Matrix##suffix(I rows, I columns, I size, const void *a, I lda, void *b, I ldb) { \
        return matrix_##direction##suffix(rows, columns, size, a, lda, b, ldb, NULL, false);                 \
    }                                                                                                        \
    int cublas##direction##MatrixAsync##suffix(I rows, I columns, I size, const void *a, I lda, void *b,     \
                                               I ldb, void *stream) {                                        \
        return matrix_##direction##suffix(rows, columns, size, a, lda, b, ldb, stream, true);                \
    }                                                                                                        \
    int cublas##direction##Vector##suffix(I n, I size, const void *x, I incx, void *y, I incy) {             \
        return matrix_##direction##suffix(1, n, size, x, incx, y, incy, NULL, false);                        \
    }                                                                                                        \
    int cublas##direction##VectorAsync##suffix(I n, I size, const void *x, I incx, void *y, I incy,          \
                                               void *stream) {                                               \
        return matrix_##direction##suffix(1, n, size, x, incx, y, incy, stream, true);                       \
    }
COPIES(int, , Set, AT_HOST, AT_DEVICE)
COPIES(int, , Get, AT_DEVICE, AT_HOST)
COPIES(int64_t, _64, Set, AT_HOST, AT_DEVICE)
COPIES(int64_t, _64, Get, AT_DEVICE, AT_HOST)

// ---- rotations -------------------------------------------------------------------------------------
#define ROTATIONS(T, P, p)                                                                                   \
    int cublas##P##rotg_v2(Handle *h, T *a, T *b, T *c, T *s) {                                              \
        T x, y, cosine, sine;                                                                                \
        int failed = !h ? NO_HANDLE : cublas_get(h, &x, a, sizeof x);                                        \
        if (failed || (failed = cublas_get(h, &y, b, sizeof y))) return failed;                              \
        cblas_##p##rotg(&x, &y, &cosine, &sine);                                                             \
        if ((failed = cublas_put(h, a, &x, sizeof x)) || (failed = cublas_put(h, b, &y, sizeof y)) ||        \
            (failed = cublas_put(h, c, &cosine, sizeof x)))                                                  \
            return failed;                                                                                   \
        return cublas_put(h, s, &sine, sizeof x);                                                            \
    }                                                                                                        \
    int cublas##P##rotmg_v2(Handle *h, T *d1, T *d2, T *x1, const T *y1, T *param) {                         \
        T d[2], x, y, of[5];                                                                                 \
        int failed = !h ? NO_HANDLE : cublas_get(h, &d[0], d1, sizeof x);                                    \
        if (failed || (failed = cublas_get(h, &d[1], d2, sizeof x)) ||                                       \
            (failed = cublas_get(h, &x, x1, sizeof x)) || (failed = cublas_get(h, &y, y1, sizeof y)) ||      \
            (failed = cublas_get(h, of, param, sizeof of)))                                                  \
            return failed;                                                                                   \
        cblas_##p##rotmg(&d[0], &d[1], &x, y, of);                                                           \
        if ((failed = cublas_put(h, d1, &d[0], sizeof x)) ||                                                 \
            (failed = cublas_put(h, d2, &d[1], sizeof x)) || (failed = cublas_put(h, x1, &x, sizeof x)))     \
            return failed;                                                                                   \
        return cublas_put(h, param, of, sizeof of);                                                          \
    }
ROTATIONS(float, S, s)
ROTATIONS(double, D, d)

// ---- products by the types of their operands ---------------------------------------------------------
// Those of singles in single precision, and of doubles in double. How imprecise the caller allows it to be
// (TF32, halves inside) changes nothing.
enum { SINGLES = 0, DOUBLES = 1 };
int cublasSgemm_v2(Handle *h, int transa, int transb, int m, int n, int k, const float *alpha, const float *a,
                   int lda, const float *b, int ldb, const float *beta, float *c, int ldc);
int cublasDgemm_v2(Handle *h, int transa, int transb, int m, int n, int k, const double *alpha,
                   const double *a, int lda, const double *b, int ldb, const double *beta, double *c,
                   int ldc);
int cublasSgemmStridedBatched(Handle *h, int transa, int transb, int m, int n, int k, const float *alpha,
                              const float *a, int lda, long long stridea, const float *b, int ldb,
                              long long strideb, const float *beta, float *c, int ldc, long long stridec,
                              int count);
int cublasDgemmStridedBatched(Handle *h, int transa, int transb, int m, int n, int k, const double *alpha,
                              const double *a, int lda, long long stridea, const double *b, int ldb,
                              long long strideb, const double *beta, double *c, int ldc, long long stridec,
                              int count);

// compute: a cublasComputeType_t, or in older programs the type itself. 0: no product of ours.
static char precision_of(int a, int b, int c, int compute) {
    static const int single[] = {SINGLES, 68, 69, 74, 75, 77}, twice[] = {DOUBLES, 70, 71};
    if (a != b || b != c) return 0;
    for (int i = 0; i < 6; i++)
        if (a == SINGLES && compute == single[i]) return 's';
    for (int i = 0; i < 3; i++)
        if (a == DOUBLES && compute == twice[i]) return 'd';
    return 0;
}

int cublasGemmEx(Handle *h, int transa, int transb, int m, int n, int k, const void *alpha, const void *a,
                 int of_a, int lda, const void *b, int of_b, int ldb, const void *beta, void *c, int of_c,
                 int ldc, int compute, int algorithm) {
    (void)algorithm;
    switch (precision_of(of_a, of_b, of_c, compute)) {
    case 's': return cublasSgemm_v2(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    case 'd': return cublasDgemm_v2(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    default: return NOT_SUPPORTED;
    }
}

int cublasGemmStridedBatchedEx(Handle *h, int transa, int transb, int m, int n, int k, const void *alpha,
                               const void *a, int of_a, int lda, long long stridea, const void *b, int of_b,
                               int ldb, long long strideb, const void *beta, void *c, int of_c, int ldc,
                               long long stridec, int count, int compute, int algorithm) {
    (void)algorithm;
    switch (precision_of(of_a, of_b, of_c, compute)) {
    case 's':
        return cublasSgemmStridedBatched(h, transa, transb, m, n, k, alpha, a, lda, stridea, b, ldb, strideb,
                                         beta, c, ldc, stridec, count);
    case 'd':
        return cublasDgemmStridedBatched(h, transa, transb, m, n, k, alpha, a, lda, stridea, b, ldb, strideb,
                                         beta, c, ldc, stridec, count);
    default: return NOT_SUPPORTED;
    }
}
