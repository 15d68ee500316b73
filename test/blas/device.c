// SPDX-License-Identifier: MIT
// device.c -- <sculpt/blas.h> on arrays of the device's own memory: results against Fortran's entry points,
// wrong arguments, row-major matrices, vectors with gaps, a stream. With CUDA the arrays are the driver's,
// else the host's.
#include "sculpt/blas.h"
#include "memory.h"
#include <math.h>

void sgemm_(), dgemv_(), strsm_(), ssyr_(), dtrsv_();
double dnrm2_();
int isamax_();

static double value(int i) { return ((i * 7919L + 13) % 1000) / 1000.0 - 0.4; }

#define SAME(T, n, ours, theirs, what)                                                                       \
    do {                                                                                                     \
        double most = 0;                                                                                     \
        for (int i_ = 0; i_ < (n); i_++)                                                                     \
            most = fmax(most, fabs((double)((T *)ours)[i_] - ((T *)theirs)[i_]));                            \
        check(most <= 1e-3, what);                                                                           \
    } while (0)

enum { M = 150, MOST = 200 * 200 };

int main(void) {
    static float a[MOST], b[MOST], c[MOST], got[MOST];
    static double da[MOST], dx[MOST], dy[MOST], dgot[MOST];
    for (int i = 0; i < MOST; i++)
        a[i] = value(i), b[i] = value(3 * i), c[i] = value(5 * i), da[i] = a[i], dx[i] = b[i], dy[i] = c[i];
    for (int i = 0; i < M; i++) a[i + i * 160] = 5, da[i + i * 160] = 5;
    for (int i = 0; i < MOST; i++)
        if (i % 160 != i / 160) a[i] /= M, da[i] /= M;
    sculpt_blas *h;
    if (sculpt_blas_create(&h)) return puts("there is no device"), 1;
    open_driver();
    void *stream = NULL;
    if (cu.is_open) cu.stream(&stream, 1), sculpt_blas_set_stream(h, stream);
    float alpha = 0.5f, beta = 0.25f;
    double dalpha = 0.5, dbeta = 0.25;
    int m = M, n = 90, k = 70, ld = 160, one = 1, two = 2, back = -3;
    float *pa = array(a, sizeof a), *pb = array(b, sizeof b), *pc = array(c, sizeof c);
    double *pda = array(da, sizeof da), *pdx = array(dx, sizeof dx), *pdy = array(dy, sizeof dy);

    check(sculpt_sgemm(h, 'n', 'T', m, n, k, alpha, pa, ld, pb, ld, beta, pc, ld) == 0, "gemm runs");
    sgemm_("N", "T", &m, &n, &k, &alpha, a, &ld, b, &ld, &beta, c, &ld);
    if (stream) cu.sync(stream);
    fetch(got, pc, sizeof got);
    SAME(float, MOST, got, c, "gemm");

    check(sculpt_dgemv(h, 'T', m, n, dalpha, pda, ld, pdx, 2, dbeta, pdy, -3) == 0, "gemv runs");
    dgemv_("T", &m, &n, &dalpha, da, &ld, dx, &two, &dbeta, dy, &back);
    if (stream) cu.sync(stream);
    fetch(dgot, pdy, sizeof dgot);
    SAME(double, MOST, dgot, dy, "gemv of vectors with gaps");

    check(sculpt_strsm(h, 'L', 'U', 'N', 'N', m, n, alpha, pa, ld, pc, ld) == 0, "trsm runs");
    strsm_("L", "U", "N", "N", &m, &n, &alpha, a, &ld, c, &ld);
    if (stream) cu.sync(stream);
    fetch(got, pc, sizeof got);
    SAME(float, MOST, got, c, "trsm");

    double norm = 0;
    int64_t at = 0;
    check(sculpt_dnrm2(h, MOST / 2, pdx, 2, &norm) == 0 && sculpt_isamax(h, MOST, pb, 1, &at) == 0,
          "results");
    int half = MOST / 2, all = MOST;
    check(fabs(norm - dnrm2_(&half, dx, &two)) < 1e-9 * norm, "nrm2");
    check(at == isamax_(&all, b, &one), "amax");

    // Row-major: the transpose of what Fortran has.
    sculpt_blas_set_order(h, SCULPT_ROW_MAJOR);
    check(sculpt_sgemm(h, 'N', 'N', n, m, k, alpha, pb, ld, pa, ld, beta, pc, ld) == 0,
          "row-major gemm runs");
    sgemm_("N", "N", &m, &n, &k, &alpha, a, &ld, b, &ld, &beta, c, &ld);
    if (stream) cu.sync(stream);
    fetch(got, pc, sizeof got);
    SAME(float, MOST, got, c, "row-major gemm");
    check(sculpt_sgemm(h, 'N', 'N', n, -1, k, alpha, pb, ld, pa, ld, beta, pc, ld) == 4,
          "the second size is wrong");
    check(sculpt_sgemm(h, 'N', 'N', n, m, k, alpha, pb, 3, pa, ld, beta, pc, ld) == 8, "lda is wrong");
    sculpt_blas_set_order(h, SCULPT_COLUMN_MAJOR);
    check(sculpt_sgemm(h, 'x', 'N', n, m, k, alpha, pb, ld, pa, ld, beta, pc, ld) == 1, "a letter is wrong");
    check(sculpt_ssyr(h, 'U', 0, alpha, NULL, 1, NULL, 1) == 0, "nothing to do");
    // Operands that cover what is written: loops could not run on the device, and the host has no such
    // memory.
    if (cu.is_open) {
        check(sculpt_sgemm(h, 'N', 'N', m, n, k, alpha, pc, ld, pb, ld, beta, pc, ld) == SCULPT_BLAS_FAILED &&
                  *sculpt_blas_why(h),
              "what can't be is told");
        check(sculpt_sgemm(h, 'N', 'N', m, n, k, alpha, pa, ld, pb, ld, beta, pc, ld) == 0, "and it goes on");
    }
    sculpt_blas_destroy(h);
    return said();
}
