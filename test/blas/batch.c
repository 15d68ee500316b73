// SPDX-License-Identifier: MIT
// batch.c -- strided and batched calls of <sculpt/blas.h>: against gemm and trsm one by one, the same bits
// whatever the batch size, the index and the layout; what they must not read; wrong arguments; workspaces.
#include "sculpt/blas.h"
#include "memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sgemm_(), dgemm_(), strsm_(), dtrsm_();

enum { MOST = 24, COUNT = 13, LD = MOST + 3, ONE = LD * MOST, ALL = ONE * COUNT };
static sculpt_blas *h;

static double value(long i) { return ((i * 7919 + 13) % 1000) / 1000.0 - 0.4; }

// T: float or double. Every matrix has the leading dimension LD and lies ONE elements behind the one before;
// those of `wide` lie ONE + 1 behind each other, where the subscripts don't part.
#define TESTS(T, p)                                                                                          \
    static void try_##p(int m, int n, int k, char ta, char tb, T alpha, T beta) {                            \
        static T a[ALL], b[ALL], c[ALL], want[ALL], got[ALL], alone[ALL], wide[ALL + COUNT];                 \
        for (long i = 0; i < ALL; i++) a[i] = (T)value(i), b[i] = (T)value(3 * i + 1);                       \
        for (long i = 0; i < ALL; i++) c[i] = beta == 0 ? (T)NAN : (T)value(5 * i + 2);                      \
        for (long i = 0; i < ALL && alpha == 0; i++) a[i] = b[i] = (T)NAN;                                   \
        int ld = LD;                                                                                         \
        memcpy(want, c, sizeof c);                                                                           \
        for (int q = 0; q < COUNT; q++)                                                                      \
            p##gemm_(&ta, &tb, &m, &n, &k, &alpha, a + q * ONE, &ld, b + q * ONE, &ld, &beta,                \
                     want + q * ONE, &ld);                                                                   \
        T *pa = array(a, sizeof a), *pb = array(b, sizeof b), *pc = array(c, sizeof c);                      \
        check(sculpt_##p##gemm_strided(h, ta, tb, m, n, k, alpha, pa, LD, ONE, pb, LD, ONE, beta, pc, LD,    \
                                       ONE, COUNT) == 0,                                                     \
              "strided gemm runs");                                                                          \
        fetch(got, pc, sizeof got);                                                                          \
        for (long i = 0; i < ALL; i++) {                                                                     \
            bool is_in = i % ONE / LD < n && i % LD < m;                                                     \
            check(is_in ? fabs((double)(got[i] - want[i])) <= 1e-5 : !memcmp(&got[i], &c[i], sizeof(T)),     \
                  "strided gemm");                                                                           \
        }                                                                                                    \
        T *pd = array(c, sizeof c);                                                                          \
        for (int q = COUNT - 1; q >= 0; q--) /* one by one, the last one first */                            \
            check(sculpt_##p##gemm_strided(h, ta, tb, m, n, k, alpha, pa + q * ONE, LD, 0, pb + q * ONE, LD, \
                                           0, beta, pd + q * ONE, LD, 0, 1) == 0,                            \
                  "a batch of one runs");                                                                    \
        fetch(alone, pd, sizeof alone);                                                                      \
        check(!memcmp(alone, got, sizeof got), "the same bits alone and in a batch");                        \
        T *pe = array(c, sizeof c), *ta_[COUNT], *tb_[COUNT], *tc_[COUNT];                                   \
        for (int q = 0; q < COUNT; q++) { /* tables: some in line, the rest in disorder */                   \
            int at = q < 5 ? q : 5 + (q - 5) * 3 % (COUNT - 5);                                              \
            ta_[q] = pa + at * ONE, tb_[q] = pb + at * ONE, tc_[q] = pe + at * ONE;                          \
        }                                                                                                    \
        check(sculpt_##p##gemm_batched(h, ta, tb, m, n, k, alpha, (const T *const *)ta_, LD,                 \
                                       (const T *const *)tb_, LD, beta, tc_, LD, COUNT) == 0,                \
              "batched gemm runs");                                                                          \
        fetch(alone, pe, sizeof alone);                                                                      \
        check(!memcmp(alone, got, sizeof got), "the same bits by tables of pointers");                       \
        for (long i = 0; i < ALL; i++) wide[i / ONE * (ONE + 1) + i % ONE] = c[i];                           \
        T *pw = array(wide, sizeof wide);                                                                    \
        check(sculpt_##p##gemm_strided(h, ta, tb, m, n, k, alpha, pa, LD, ONE, pb, LD, ONE, beta, pw, LD,    \
                                       ONE + 1, COUNT) == 0,                                                 \
              "any stride runs");                                                                            \
        fetch(wide, pw, sizeof wide);                                                                        \
        for (int q = 0; q < COUNT; q++)                                                                      \
            check(!memcmp(wide + q * (ONE + 1), got + q * ONE, ONE * sizeof(T)), "the same bits elsewhere"); \
        /* one matrix for all */                                                                             \
        T *pf = array(c, sizeof c);                                                                          \
        check(sculpt_##p##gemm_strided(h, ta, tb, m, n, k, alpha, pa, LD, 0, pb, LD, ONE, beta, pf, LD, ONE, \
                                       COUNT) == 0,                                                          \
              "a stride of zero runs");                                                                      \
        fetch(alone, pf, sizeof alone);                                                                      \
        check(!memcmp(alone, got, ONE * sizeof(T)), "the first one of a stride of zero");                    \
    }                                                                                                        \
    static void solve_##p(char side, char uplo, char trans, char diag, int m, int n, T alpha) {              \
        static T a[ALL], b[ALL], want[ALL], got[ALL], alone[ALL];                                            \
        int ld = LD, order = side == 'L' ? m : n;                                                            \
        for (long i = 0; i < ALL; i++) {                                                                     \
            long row = i % LD, column = i % ONE / LD;                                                        \
            bool is_read = alpha != 0 && row < order && column < order &&                                    \
                           (row == column ? diag == 'N' : (row < column) == (uplo == 'U'));                  \
            a[i] = !is_read ? (T)NAN : row == column ? (T)1.5 : (T)(value(i) / MOST);                        \
            b[i] = (T)value(3 * i + 1);                                                                      \
        }                                                                                                    \
        memcpy(want, b, sizeof b);                                                                           \
        for (int q = 0; q < COUNT; q++)                                                                      \
            p##trsm_(&side, &uplo, &trans, &diag, &m, &n, &alpha, a + q * ONE, &ld, want + q * ONE, &ld);    \
        T *pa = array(a, sizeof a), *pb = array(b, sizeof b), *pd = array(b, sizeof b);                      \
        check(sculpt_##p##trsm_strided(h, side, uplo, trans, diag, m, n, alpha, pa, LD, ONE, pb, LD, ONE,    \
                                       COUNT) == 0,                                                          \
              "strided trsm runs");                                                                          \
        fetch(got, pb, sizeof got);                                                                          \
        for (long i = 0; i < ALL; i++) check(fabs((double)(got[i] - want[i])) <= 1e-5, "strided trsm");      \
        T *ta_[COUNT], *tb_[COUNT];                                                                          \
        for (int q = 0; q < COUNT; q++)                                                                      \
            ta_[q] = pa + q * 6 % COUNT * ONE, tb_[q] = pd + q * 6 % COUNT * ONE;                            \
        check(sculpt_##p##trsm_batched(h, side, uplo, trans, diag, m, n, alpha, (const T *const *)ta_, LD,   \
                                       tb_, LD, COUNT) == 0,                                                 \
              "batched trsm runs");                                                                          \
        fetch(alone, pd, sizeof alone);                                                                      \
        check(!memcmp(alone, got, sizeof got), "trsm: the same bits alone and in a batch");                  \
    }
TESTS(float, s)
TESTS(double, d)

// A long table whose pointers lie in line up to one of them, and again behind it.
static void long_table(void) {
    enum { N = 700, EACH = 16, BREAK = 405 };
    static float a[N * EACH], got[N * EACH], want[N * EACH];
    const float *of[N];
    float *to[N];
    for (int i = 0; i < N * EACH; i++) a[i] = value(i);
    float *pa = array(a, sizeof a), *pc = array(a, sizeof a);
    for (int q = 0; q < N; q++) of[q] = pa + (q == BREAK ? 0 : q) * EACH, to[q] = pc + q * EACH;
    check(sculpt_sgemm_batched(h, 'N', 'N', 4, 4, 4, 1, of, 4, of, 4, 0, to, 4, N) == 0, "a long table runs");
    fetch(got, pc, sizeof got);
    check(sculpt_sgemm_strided(h, 'N', 'N', 4, 4, 4, 1, pa, 4, EACH, pa, 4, EACH, 0, pc, 4, EACH, N) == 0,
          "the same strided");
    fetch(want, pc, sizeof want);
    memcpy(want + BREAK * EACH, want, EACH * sizeof *want);
    check(!memcmp(got, want, sizeof got), "a long table");
}

// A triangle so large that its inverted blocks are wide; the last one is not full. x: all ones.
static void large_triangle(char uplo, char trans) {
    enum { N = 2085 };
    double *a = calloc(N * N, sizeof *a), *b = calloc(N, sizeof *b);
    for (long j = 0; j < N; j++)
        for (long i = 0; i < N; i++) {
            bool is_stored = i == j || (i < j) == (uplo == 'U');
            double x = i == j ? 2 : is_stored ? value(i + 3 * j) / N : NAN;
            a[i + j * N] = x;
            if (is_stored) b[trans == 'N' ? i : j] += x;
        }
    double *pa = array(a, N * N * sizeof *a), *pb = array(b, N * sizeof *b);
    check(sculpt_dtrsv(h, uplo, trans, 'N', N, pa, N, pb, 1) == 0, "a large triangle runs");
    fetch(b, pb, N * sizeof *b);
    bool is_right = true;
    for (int i = 0; i < N; i++) is_right &= fabs(b[i] - 1) <= 1e-10;
    check(is_right, "a large triangle");
    free(a), free(b);
}

static void workspaces(void) {
    enum { N = 200 };
    static float a[N * N], b[N * N], want[N * N], got[N * N];
    for (int i = 0; i < N * N; i++) a[i] = i % (N + 1) ? (float)value(i) / N : 2, b[i] = (float)value(3L * i);
    memcpy(want, b, sizeof b);
    int n = N;
    float one = 1;
    strsm_("L", "L", "N", "N", &n, &n, &one, a, &n, want, &n);
    float *pa = array(a, sizeof a), *pb = array(b, sizeof b);
    size_t bytes = sculpt_strsm_workspace('l', 'L', 'N', 'N', N, N);
    check(bytes > N * N * sizeof *a && !sculpt_strsm_workspace('R', 'L', 'N', 'N', N, 5), "workspace query");
    char *w = array(NULL, bytes);
    sculpt_blas_set_workspace(h, w, bytes - 512);
    check(sculpt_strsm(h, 'L', 'L', 'N', 'N', N, N, 1, pa, N, pb, N) == SCULPT_BLAS_FAILED &&
              strstr(sculpt_blas_why(h), "workspace"),
          "a workspace that is too small is told");
    sculpt_blas_set_workspace(h, w, bytes);
    check(sculpt_strsm(h, 'L', 'L', 'N', 'N', N, N, 1, pa, N, pb, N) == 0, "trsm in a workspace runs");
    fetch(got, pb, sizeof got);
    for (int i = 0; i < N * N; i++) check(fabsf(got[i] - want[i]) < 1e-4f, "trsm in a workspace");
    check(sculpt_sgemv_workspace('N', N, 7, 1, 2) == 1280 && sculpt_sgemv_workspace('T', N, 7, 1, 1) == 0,
          "workspace of a vector with gaps");
    sculpt_blas_set_workspace(h, NULL, 0);
}

int main(void) {
    if (sculpt_blas_create(&h)) return puts("there is no device"), 1;
    open_driver();
    for (int i = 0; i < 4; i++) {
        char ta = "NTNT"[i], tb = "NNTT"[i];
        try_s(17, 9, 23, ta, tb, 0.5f, 0.25f);
        try_d(8, 8, 8, ta, tb, 0.5, i % 2);
        try_s(24, 24, 24, ta, tb, 1, 0);
    }
    try_s(5, 6, 7, 'N', 'T', 0, 0.5f);
    try_d(5, 6, 0, 'N', 'N', 2, 0.5);
    for (int i = 0; i < 16; i++) {
        solve_s("LR"[i & 1], "UL"[i >> 1 & 1], "NT"[i >> 2 & 1], "NU"[i >> 3], 16, 11, 1);
        if (i % 3 == 0) solve_d("LR"[i & 1], "UL"[i >> 1 & 1], "NT"[i >> 2 & 1], "NU"[i >> 3], 9, 24, 0.5);
    }
    solve_s('L', 'U', 'N', 'N', 7, 7, 0);
    long_table();
    for (int i = 0; i < 4; i++) large_triangle("UL"[i & 1], "NT"[i >> 1]);
    check(sculpt_sgemm_strided(h, 'N', 'N', 4, 4, 4, 1, NULL, 3, 0, NULL, 4, 0, 0, NULL, 4, 0, 1) == 8,
          "lda");
    check(sculpt_sgemm_strided(h, 'N', 'N', 4, 4, 4, 1, NULL, 4, 0, NULL, 3, 0, 0, NULL, 4, 0, 1) == 11,
          "ldb");
    check(sculpt_sgemm_strided(h, 'N', 'N', 4, 4, 4, 1, NULL, 4, 0, NULL, 4, 0, 0, NULL, 4, 0, -1) == 17,
          "count");
    check(sculpt_sgemm_batched(h, 'N', 'N', 4, 4, 4, 1, NULL, 4, NULL, 4, 0, NULL, 4, -1) == 14, "count");
    float *p = NULL;
    check(sculpt_sgemm_batched(h, 'N', 'N', 4, 4, 4, 1, (const float *const *)&p, 4, (const float *const *)&p,
                               3, 0, &p, 4, 1) == 10,
          "ldb of a batch");
    sculpt_blas_set_order(h, SCULPT_ROW_MAJOR);
    check(sculpt_sgemm_strided(h, 'N', 'N', 4, 5, 6, 1, NULL, 6, 0, NULL, 4, 0, 0, NULL, 5, 0, 1) == 11,
          "row-major ldb");
    sculpt_blas_set_order(h, SCULPT_COLUMN_MAJOR);
    workspaces();
    sculpt_blas_destroy(h);
    return said();
}
