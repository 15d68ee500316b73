// SPDX-License-Identifier: MIT
// cublas.c -- a program of cuBLAS's: handles, modes, copies, batches, rotations, sums and diagonals. With an
// argument, another BLAS, all routines are compared with that one's, too (compare.c).
#include "cublas_names.h"
#include "memory.h"
#include <math.h>
#include <stdint.h>

int cublasCreate_v2(void **), cublasDestroy_v2(void *), cublasSetPointerMode_v2(void *, int),
    cublasGetPointerMode_v2(void *, int *), cublasSetMathMode(void *, int),
    cublasSetStream_v2(void *, void *), cublasGetStream_v2(void *, void **),
    cublasGetVersion_v2(void *, int *), cublasSetWorkspace_v2(void *, void *, size_t),
    cublasSetMatrix(int, int, int, const void *, int, void *, int),
    cublasGetMatrix(int, int, int, const void *, int, void *, int),
    cublasSetVector(int, int, const void *, int, void *, int),
    cublasGetVector(int, int, const void *, int, void *, int),
    cublasSrotg_v2(void *, float *, float *, float *, float *),
    cublasDrotmg_v2(void *, double *, double *, double *, const double *, double *),
    cublasSgemm_v2(void *, int, int, int, int, int, const float *, const float *, int, const float *, int,
                   const float *, float *, int),
    cublasDdot_v2(void *, int, const double *, int, const double *, int, double *),
    cublasIsamin_v2(void *, int, const float *, int, int *),
    cublasSgeam(void *, int, int, int, int, const float *, const float *, int, const float *, const float *,
                int, float *, int),
    cublasSdgmm(void *, int, int, int, const float *, int, const float *, int, float *, int),
    cublasStrmm_v2(void *, int, int, int, int, int, int, const float *, const float *, int, const float *,
                   int, float *, int),
    cublasSgemmBatched(void *, int, int, int, int, int, const float *, const float *const *, int,
                       const float *const *, int, const float *, float *const *, int, int),
    cublasSgemmStridedBatched(void *, int, int, int, int, int, const float *, const float *, int, long long,
                              const float *, int, long long, const float *, float *, int, long long, int),
    cublasStrsmBatched(void *, int, int, int, int, int, int, const float *, const float *const *, int,
                       float *const *, int, int);
int cublasGemmEx(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int,
                 int, const void *, void *, int, int, int, int),
    cublasGemmStridedBatchedEx(void *, int, int, int, int, int, const void *, const void *, int, int,
                               long long, const void *, int, int, long long, const void *, void *, int, int,
                               long long, int, int, int);
const char *cublasGetStatusName(int), *cublasGetStatusString(int);

void *handle;
static int turn, refused;

int number(char c, const char *these) { return strchr(these, c) - these; }

// Here the device's memory is the host's, so numbers may be said to lie on either.
int is_even(void) {
    if (!cu.is_open) cublasSetPointerMode_v2(handle, turn / 2 % 2);
    return turn++ % 2;
}

void done(int status) {
    if (status && refused++ < 10) printf("WRONG: %s\n", cublasGetStatusName(status));
}

int compare(int argc, char **argv);

enum { N = 20 };
static float a[N * N], b[N * N], c[N * N], got[N * N];
static const float one = 1, zero = 0, two = 2;

static void *up(const float *host) {
    float *p = array(NULL, sizeof a);
    check(cublasSetMatrix(N, N, sizeof *a, host, N, p, N) == 0, "SetMatrix");
    return p;
}

static void handles(void) {
    int mode = 7, version = 0;
    void *stream = &mode;
    check(cublasGetPointerMode_v2(handle, &mode) == 0 && mode == 0, "pointers to the host at first");
    check(cublasSetPointerMode_v2(handle, 5) == 7 && cublasSetMathMode(handle, 3) == 0, "modes");
    check(cublasGetStream_v2(handle, &stream) == 0 && !stream, "the stream at first");
    check(cublasGetVersion_v2(handle, &version) == 0 && version >= 12000, "version");
    check(cublasSgemm_v2(NULL, 0, 0, 1, 1, 1, &one, a, 1, b, 1, &one, c, 1) == 1, "no handle");
    check(cublasSgemm_v2(handle, 9, 0, 1, 1, 1, &one, a, 1, b, 1, &one, c, 1) == 7, "no such operation");
    check(!strcmp(cublasGetStatusName(7), "CUBLAS_STATUS_INVALID_VALUE") && *cublasGetStatusString(7),
          "names");
}

static void sums(void) {
    float *pa = up(a), *pb = up(b), *pc = up(c);
    check(cublasSgeam(handle, 1, 0, N, N, &two, pa, N, &one, pb, N, pc, N) == 0, "geam runs");
    check(cublasGetMatrix(N, N, sizeof *a, pc, N, got, N) == 0, "GetMatrix");
    for (int i = 0; i < N * N; i++) check(fabsf(got[i] - 2 * a[i / N + i % N * N] - b[i]) < 1e-5f, "geam");
    check(cublasSgeam(handle, 0, 0, N, N, &two, pb, N, &zero, NULL, N, pb, N) == 0, "geam in place runs");
    check(cublasSdgmm(handle, 1, N, N, pa, N, pb, N, pc, N) == 0, "dgmm runs");
    cublasGetMatrix(N, N, sizeof *a, pc, N, got, N);
    for (int i = 0; i < N * N; i++) check(fabsf(got[i] - a[i] * 2 * b[i / N * N]) < 1e-5f, "dgmm");
    check(cublasStrmm_v2(handle, 0, 1, 0, 0, N, N, &one, pa, N, pb, N, pc, N) == 0, "trmm runs");
    cublasGetMatrix(N, N, sizeof *a, pc, N, got, N);
    for (int i = 0; i < N * N; i++) {
        float sum = 0;
        for (int l = i % N; l < N; l++) sum += a[i % N + l * N] * 2 * b[l + i / N * N];
        check(fabsf(got[i] - sum) < 1e-4f, "trmm to another matrix");
    }
    int at = 0, least = 0;
    for (int i = 1; i < N; i++)
        if (fabsf(a[i]) < fabsf(a[least])) least = i;
    check(cublasIsamin_v2(handle, N, pa, 1, &at) == 0 && at == least + 1, "amin");
    check(cublasIsamin_v2(handle, 0, pa, 1, &at) == 0 && at == 0, "amin of nothing");
}

static void batches(void) {
    float *pa = up(a), *pb = up(b), *pc = up(c), *pd = up(c), *table[3][4], **t[3];
    for (int q = 0; q < 4; q++)
        table[0][q] = pa + 25 * q, table[1][q] = pb + 25 * (q * 3 % 4), table[2][q] = pc + 25 * q;
    for (int i = 0; i < 3; i++) t[i] = array(table[i], sizeof table[i]);
    check(cublasSgemmBatched(handle, 0, 1, 5, 5, 5, &one, (const float *const *)t[0], 5,
                             (const float *const *)t[1], 5, &zero, t[2], 5, 4) == 0,
          "gemmBatched runs");
    check(cublasSgemmStridedBatched(handle, 0, 1, 5, 5, 5, &one, pa, 5, 25, pb, 5, 75, &zero, pd, 5, 25, 1) ==
              0,
          "gemmStridedBatched runs");
    static float other[N * N];
    cublasGetMatrix(N, N, sizeof *a, pc, N, got, N), cublasGetMatrix(N, N, sizeof *a, pd, N, other, N);
    check(!memcmp(got, other, 25 * sizeof *got), "the same bits");
    enum { SINGLES = 0, HALVES = 2, BY_SINGLES = 68, BY_TF32 = 77 };
    float *pe = up(c);
    for (int q = 0; q < 2; q++)
        check(cublasGemmEx(handle, 0, 1, 5, 5, 5, &one, pa + 25 * q, SINGLES, 5, pb + 75 * q, SINGLES, 5,
                           &zero, pe + 25 * q, SINGLES, 5, q ? BY_TF32 : BY_SINGLES, -1) == 0,
              "GemmEx runs");
    check(cublasGemmStridedBatchedEx(handle, 0, 1, 5, 5, 5, &one, pa + 50, SINGLES, 5, 25, pb + 50, SINGLES,
                                     5, -25, &zero, pe + 50, SINGLES, 5, 25, 2, BY_SINGLES, -1) == 0,
          "GemmStridedBatchedEx runs");
    check(cublasGemmEx(handle, 0, 1, 5, 5, 5, &one, pa, HALVES, 5, pb, HALVES, 5, &zero, pe, HALVES, 5,
                       BY_SINGLES, -1) == 15,
          "halves are told");
    static float by_type[N * N];
    cublasGetMatrix(N, N, sizeof *a, pe, N, by_type, N);
    for (int q = 0; q < 4; q++)
        for (int i = 0; i < 25; i++) {
            float sum = 0;
            int p = (int[]){0, 3, 2, 1}[q];
            for (int l = 0; l < 5; l++) sum += a[25 * q + i % 5 + 5 * l] * b[25 * p + i / 5 + 5 * l];
            check(fabsf(by_type[25 * q + i] - sum) < 1e-5f, "products by types");
        }
    for (int q = 0; q < 4; q++)
        for (int i = 0; i < 25; i++) {
            float sum = 0;
            for (int l = 0; l < 5; l++)
                sum += a[25 * q + i % 5 + 5 * l] * b[25 * (q * 3 % 4) + i / 5 + 5 * l];
            check(fabsf(got[25 * q + i] - sum) < 1e-5f, "gemmBatched");
        }
    check(cublasStrsmBatched(handle, 0, 0, 0, 0, 5, 5, &one, (const float *const *)t[0], 5, t[2], 5, 4) == 0,
          "trsmBatched runs");
    cublasGetMatrix(N, N, sizeof *a, pc, N, other, N);
    for (int q = 0; q < 4; q++)
        for (int i = 0; i < 25; i++) {
            float sum = 0;
            for (int l = 0; l <= i % 5; l++) sum += a[25 * q + i % 5 + 5 * l] * other[25 * q + l + i / 5 * 5];
            check(fabsf(got[25 * q + i] - sum) < 1e-3f, "trsmBatched");
        }
}

// Numbers and results on the device.
static void pointers(void) {
    float *pa = up(a), *pb = up(b), *pc = up(c), *number_ = array(&two, sizeof two), *none = array(&zero, 4);
    double x[3] = {1, 2, 3}, sum = 0, *px = array(x, sizeof x), *result = array(&sum, sizeof sum);
    check(cublasSetPointerMode_v2(handle, 1) == 0, "pointers to the device");
    check(cublasSgemm_v2(handle, 0, 0, N, N, N, number_, pa, N, pb, N, none, pc, N) == 0, "gemm runs");
    check(cublasDdot_v2(handle, 3, px, 1, px, 1, result) == 0, "dot runs");
    fetch(&sum, result, sizeof sum), fetch(got, pc, sizeof got);
    check(sum == 14, "dot on the device");
    for (int i = 0; i < N * N; i++) {
        float of = 0;
        for (int l = 0; l < N; l++) of += 2 * a[i % N + l * N] * b[l + i / N * N];
        check(fabsf(got[i] - of) < 1e-4f, "gemm with numbers on the device");
    }
    cublasSetPointerMode_v2(handle, 0);
    float p = 3, q = 4, cosine, sine;
    check(cublasSrotg_v2(handle, &p, &q, &cosine, &sine) == 0 && fabsf(fabsf(p) - 5) < 1e-5f, "rotg");
    double d1 = 1, d2 = 1, x1 = 1, y1 = 1, param[5];
    check(cublasDrotmg_v2(handle, &d1, &d2, &x1, &y1, param) == 0, "rotmg");
    float v[8] = {0}, w[8];
    float *pv = array(v, sizeof v);
    check(cublasSetVector(3, sizeof *a, a, 2, pv, 3) == 0 && cublasGetVector(3, sizeof *a, pv, 3, w, 1) == 0,
          "vectors");
    check(w[0] == a[0] && w[1] == a[2] && w[2] == a[4], "a vector with gaps");
}

int main(int argc, char **argv) {
    for (int i = 0; i < N * N; i++) {
        a[i] = (i * 7919 % 1000) / 1000.0f - 0.4f, b[i] = (i * 104729 % 1000) / 1000.0f - 0.6f;
        if (i % 25 % 6 == 0) a[i] = 2; // the diagonals of a batch
    }
    int failed = cublasCreate_v2(&handle);
    if (failed) return printf("no handle: %s\n", cublasGetStatusString(failed)), 1;
    open_driver();
    handles(), sums(), batches(), pointers();
    int differs = argc > 3 && !cu.is_open ? compare(argc, argv) : 0;
    check(!refused, "all calls run");
    check(cublasDestroy_v2(handle) == 0, "destroy");
    return said() + differs;
}
