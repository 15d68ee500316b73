// SPDX-License-Identifier: MIT
// factor.c -- Cholesky, LU, QR and Hessenberg's form of matrices that lie column by column: panels of few
// columns step by step, all else products and triangular systems. The caller holds a scope: nothing moves in
// between.
#include "factor.h"
#include <math.h>

// ---- Cholesky --------------------------------------------------------------------------------
// What is not positive stays on the diagonal, where it is found in the end: nothing waits for it.
static void cholesky_block(char uplo, long n, T *a, long lda) {
    if (uplo == 'L') {
#pragma sculpt
        for (long j = 0; j < n; j++) {
            T d = A(j, j) > 0 ? ROOT(A(j, j)) : A(j, j);
            A(j, j) = d;
            for (long i = j + 1; i < n; i++) A(i, j) = A(i, j) / d;
            for (long c = j + 1; c < n; c++)
                for (long r = c; r < n; r++) A(r, c) -= A(r, j) * A(c, j);
        }
    } else {
#pragma sculpt
        for (long j = 0; j < n; j++) {
            T d = A(j, j) > 0 ? ROOT(A(j, j)) : A(j, j);
            A(j, j) = d;
            for (long i = j + 1; i < n; i++) A(j, i) = A(j, i) / d;
            for (long r = j + 1; r < n; r++)
                for (long c = j + 1; c <= r; c++) A(c, r) -= A(j, r) * A(j, c);
        }
    }
}

// Half of it, what that half gives for the rest, the rest.
static void cholesky(char uplo, long n, T *a, long lda) {
    if (n <= BLOCK) {
        cholesky_block(uplo, n, a, lda);
        return;
    }
    long half = (n + 2 * BLOCK - 1) / (2 * BLOCK) * BLOCK, rest = n - half;
    cholesky(uplo, half, a, lda);
    if (uplo == 'L') {
        NAME(trsm)('R', 'L', 'T', 'N', rest, half, 1, a, lda, &A(half, 0), lda);
        NAME(syrk)('L', 'N', rest, half, -1, &A(half, 0), lda, 1, &A(half, half), lda);
    } else {
        NAME(trsm)('L', 'U', 'T', 'N', half, rest, 1, a, lda, &A(0, half), lda);
        NAME(syrk)('U', 'T', rest, half, -1, &A(0, half), lda, 1, &A(half, half), lda);
    }
    cholesky(uplo, rest, &A(half, half), lda);
}

// Which leading minor is not positive, from 1, or 0.
long NAME(potrf)(char uplo, long n, T *a, long lda) {
    long first = n;
    cholesky(uplo, n, a, lda);
#pragma sculpt
    for (long j = 0; j < n; j++)
        if (!(A(j, j) > 0) && j < first) first = j;
    return first < n ? first + 1 : 0;
}

// ---- LU --------------------------------------------------------------------------------------
enum { STRIP = 128, LEAF = 16 }; // columns of a panel, and of what is done in one launch

// Where rows go, LEAF pivots at a time: of each such stretch 2 LEAF rows, and those that come to them. They
// count from the matrix's first. A row that is there twice gets the same both times.
typedef struct Swaps {
    int *pivot, *to, *from;
} Swaps;

static Swaps swaps_at(const Swaps *s, long first) {
    return (Swaps){s->pivot + first, s->to + 2 * first, s->from + 2 * first};
}

// Of k pivots, or of the same ones backwards; `above` rows stand before the m that they are among. Each row
// looks back from the last swap.
static void swaps_of(bool back, long k, const int *pivot, long above, long m, int *to, int *from) {
#pragma sculpt
    for (long d = 0; d < (k + LEAF - 1) / LEAF * (2 * LEAF); d++) {
        long first = d / (2 * LEAF) * LEAF, few = k - first < LEAF ? k - first : LEAF, s = d % LEAF;
        long step = first + (s < few ? s : 0), i = back ? k - 1 - step : step;
        long at = d % (2 * LEAF) < LEAF ? i : pivot[i] - 1 - above;
        if (at < 0 || at >= m) at = i;
        to[d] = (int)(above + at);
        for (long t = 0; t < LEAF; t++)
            if (t < few) {
                long u = first + few - 1 - t, x = back ? k - 1 - u : u, p = pivot[x] - 1 - above;
                if (p < 0 || p >= m) p = x;
                at = at == x ? p : at == p ? x : at;
            }
        from[d] = (int)(above + at);
    }
}

// In n columns of the m rows behind `above`. All columns at once; of each, a stretch's rows are read whole
// before they are written, so that a thread waits for memory once.
static void swap_rows(long k, const int *to, const int *from, long above, long m, long n, T *a, long lda) {
    if (n <= 0) return;
#pragma sculpt
    for (long j = 0; j < n; j++)
        for (long c = 0; c < (k + LEAF - 1) / LEAF; c++) {
            T x[2 * LEAF];
            for (long d = 0; d < 2 * LEAF; d++) {
                long i = from[c * (2 * LEAF) + d] - above;
                x[d] = A(i >= 0 && i < m ? i : 0, j);
            }
            for (long d = 0; d < 2 * LEAF; d++) {
                long i = to[c * (2 * LEAF) + d] - above;
                A(i >= 0 && i < m ? i : 0, j) = x[d];
            }
        }
}

// m x n, n <= LEAF and n <= m. pivot[j]: the row, from 1 and with `above` more. All of it stays on the
// device. Rows are read whole before they are written, so that a thread waits for memory once.
static void lu_leaf(long m, long n, T *a, long lda, int *pivot, long above) {
#pragma sculpt
    for (long q = 0; q < 1; q++)
        for (long j = 0; j < n; j++) {
            T most = 0;
            for (long i = j; i < m; i++) {
                T size = A(i, j) < 0 ? -A(i, j) : A(i, j);
                if (size > most) most = size;
            }
            long at = m; // the first that is as large; none is where there are but NaNs
            for (long k = j; k < m; k++) {
                T size = A(k, j) < 0 ? -A(k, j) : A(k, j);
                if (size == most && k < at) at = k;
            }
            long p = at < m ? at : j;
            pivot[j] = (int)(above + p + 1);
            T top[LEAF];
            for (long c = 0; c < n; c++) {
                top[c] = A(p, c);
                A(p, c) = A(j, c);
                A(j, c) = top[c];
            }
            for (long r = j + 1; r < m; r++) {
                T x[LEAF], f = top[j] != 0 ? A(r, j) / top[j] : A(r, j);
                for (long d = 0; d < LEAF; d++)
                    if (d > j && d < n) x[d] = A(r, d);
                A(r, j) = f;
                for (long d = 0; d < LEAF; d++)
                    if (d > j && d < n) A(r, d) = x[d] - f * top[d];
            }
        }
}

// What k columns and their pivots make of n columns of m rows that stand at b.
static void lu_beside(long m, long k, long n, const T *a, T *b, long lda, const Swaps *s, long above) {
    if (n <= 0) return;
    swap_rows(k, s->to, s->from, above, m, n, b, lda);
    NAME(trsm)('L', 'L', 'N', 'U', k, n, 1, a, lda, b, lda);
    if (m > k) NAME(gemm)('N', 'N', m - k, n, k, -1, &A(k, 0), lda, b, lda, 1, b + k, lda);
}

static void lu_panel(long m, long n, T *a, long lda, const Swaps *s, long above) {
    if (n <= LEAF) {
        lu_leaf(m, n, a, lda, s->pivot, above);
        swaps_of(false, n, s->pivot, above, m, s->to, s->from);
        return;
    }
    long half = (n / LEAF + 1) / 2 * LEAF, rest = n - half;
    Swaps below = swaps_at(s, half);
    lu_panel(m, half, a, lda, s, above);
    lu_beside(m, half, rest, a, &A(0, half), lda, s, above);
    lu_panel(m - half, rest, &A(half, half), lda, &below, above + half);
    swap_rows(rest, below.to, below.from, above + half, m - half, half, &A(half, 0), lda);
}

// The first zero pivot, from 1, or 0.
static long first_zero(long n, const T *a, long lda) {
    long first = n;
#pragma sculpt
    for (long j = 0; j < n; j++)
        if (A(j, j) == 0 && j < first) first = j;
    return first < n ? first + 1 : 0;
}

long NAME(getrf)(long m, long n, T *a, long lda, int *pivot) {
    long least = m < n ? m : n;
    int *rows = blas_room(ROOM_PANEL, (least + 4 * (least + LEAF)) * sizeof *rows), *to = rows + least;
    Swaps all = {rows, to, to + 2 * (least + LEAF)};
    for (long j = 0; j < least; j += STRIP) {
        long k = j + STRIP < least ? STRIP : least - j;
        Swaps s = swaps_at(&all, j);
        lu_panel(m - j, k, &A(j, j), lda, &s, j);
        swap_rows(k, s.to, s.from, j, m - j, j, &A(j, 0), lda);
        lu_beside(m - j, k, n - j - k, &A(j, j), &A(j, j + k), lda, &s, j);
    }
#pragma sculpt
    for (long j = 0; j < least; j++) pivot[j] = rows[j];
    return first_zero(least, a, lda);
}

// op(A) X = B by the factors of A.
void NAME(getrs)(char trans, long n, long nrhs, const T *a, long lda, const int *pivot, T *b, long ldb) {
    int *to = blas_room(ROOM_PANEL, 4 * (n + LEAF) * sizeof *to), *from = to + 2 * (n + LEAF);
    swaps_of(trans != 'N', n, pivot, 0, n, to, from);
    if (trans == 'N') {
        swap_rows(n, to, from, 0, n, nrhs, b, ldb);
        NAME(trsm)('L', 'L', 'N', 'U', n, nrhs, 1, a, lda, b, ldb);
        NAME(trsm)('L', 'U', 'N', 'N', n, nrhs, 1, a, lda, b, ldb);
        return;
    }
    NAME(trsm)('L', 'U', 'T', 'N', n, nrhs, 1, a, lda, b, ldb);
    NAME(trsm)('L', 'L', 'T', 'U', n, nrhs, 1, a, lda, b, ldb);
    swap_rows(n, to, from, 0, n, nrhs, b, ldb);
}

// ---- QR --------------------------------------------------------------------------------------
enum { WIDE = 128, NARROW = 8 }; // columns of a panel, and of what is done in one launch
enum { TALL = 16384, ROWS = 1024 }; // rows for which many teams are quicker than one, and those of each

// Reflectors of a panel: V, with ones on its diagonal and zeros above, and of V'V what is above the diagonal.
// That with 1 / tau on the diagonal is the inverse of T.
typedef struct Reflectors {
    long rows; // of V
    T *v, *u, *tau, *product;
} Reflectors;

#define V(i, j) v[(i) + (j) * rows]
#define U(i, j) u[(i) + (j) * WIDE]

// At most NARROW columns in one launch. Step j goes through the rows once: it applies the reflector before it
// to them, and adds up the products of column j below the diagonal with itself and with the other columns,
// which tell the next reflector, what it makes of row j, and a column of V'V. Sums are doubles, which hold
// the squares of all floats; what a square may not hold has been scaled before. Rows are read whole before
// they are written, so that a thread waits for memory once.
static void qr_leaf(long m, long n, T *a, long lda, T *tau, T *v, long rows, T *u) {
#pragma sculpt reassociate
    for (long q = 0; q < 1; q++) {
        double s[NARROW], scale = 0;
        T w[NARROW];
        for (long c = 0; c < NARROW; c++) w[c] = 0;
        for (long j = 0; j <= n; j++) {
            for (long c = 0; c < NARROW; c++) s[c] = 0;
            for (long i = j; i < m; i++) {
                T x[NARROW], y = 0, z = 0;
                if (j > 0) z = (T)(A(i, j - 1) * scale);
                for (long c = 0; c < NARROW; c++) {
                    x[c] = 0;
                    if (c < n) x[c] = A(i, c);
                }
                for (long c = 0; c < NARROW; c++) {
                    x[c] = c >= j ? x[c] - z * w[c] : c == j - 1 ? z : x[c];
                    if (c == j) y = x[c];
                }
                for (long c = 0; c < NARROW; c++)
                    if (i > j) s[c] += (double)y * x[c];
                if (j > 0) A(i, j - 1) = z, V(i, j - 1) = z;
                for (long c = 0; c < NARROW; c++)
                    if (j > 0 && c >= j && c < n) A(i, c) = x[c];
            }
            if (j < n) {
                T row[NARROW];
                for (long c = 0; c < NARROW; c++) {
                    row[c] = 0;
                    if (c < n) row[c] = A(j, c);
                }
                double first = row[j], norm = sqrt(first * first + s[j]), beta = first < 0 ? norm : -norm;
                bool is_none = s[j] < TINY_SQUARE;
                double t = is_none ? 0 : (beta - first) / beta;
                scale = is_none ? 0 : 1 / (first - beta);
                tau[j] = (T)t;
                for (long c = 0; c < NARROW; c++) {
                    double with = row[c] + scale * s[c];
                    w[c] = c > j ? (T)(t * with) : 0;
                    if (c < j) U(c, j) = (T)with;
                }
                A(j, j) = is_none ? (T)first : (T)beta;
                for (long c = 0; c < NARROW; c++)
                    if (c > j && c < n) A(j, c) = row[c] - w[c];
            }
        }
    }
}

// The same of many rows: each step is a launch of many teams, whose sums a launch of one adds up.
static void qr_pass(long j, long m, long n, T *a, long lda, T *v, long rows, const double *w, double *part) {
#pragma sculpt reassociate
    for (long b = 0; b < (m + ROWS - 1) / ROWS; b++) {
        double s[NARROW];
        for (long c = 0; c < NARROW; c++) s[c] = 0;
        for (long i = b * ROWS; i < (b + 1) * ROWS; i++)
            if (i >= j && i < m) {
                T x[NARROW], y = 0, z = 0;
                if (j > 0) z = (T)(A(i, j - 1) * w[NARROW]);
                for (long c = 0; c < NARROW; c++) {
                    x[c] = 0;
                    if (c < n) x[c] = A(i, c);
                }
                for (long c = 0; c < NARROW; c++) {
                    x[c] = j > 0 && c >= j ? x[c] - z * (T)w[c] : c == j - 1 ? z : x[c];
                    if (c == j) y = x[c];
                }
                for (long c = 0; c < NARROW; c++)
                    if (i > j) s[c] += (double)y * x[c];
                if (j > 0) A(i, j - 1) = z, V(i, j - 1) = z;
                for (long c = 0; c < NARROW; c++)
                    if (j > 0 && c >= j && c < n) A(i, c) = x[c];
            }
        for (long c = 0; c < NARROW; c++) part[b * NARROW + c] = s[c];
    }
}

static void qr_turn(long j, long m, long n, T *a, long lda, T *tau, T *u, double *w, const double *part) {
#pragma sculpt reassociate
    for (long q = 0; q < 1; q++) {
        double s[NARROW];
        for (long c = 0; c < NARROW; c++) s[c] = 0;
        for (long b = 0; b < (m + ROWS - 1) / ROWS; b++)
            for (long c = 0; c < NARROW; c++) s[c] += part[b * NARROW + c];
        T row[NARROW];
        for (long c = 0; c < NARROW; c++) {
            row[c] = 0;
            if (c < n) row[c] = A(j, c);
        }
        double first = row[j], norm = sqrt(first * first + s[j]), beta = first < 0 ? norm : -norm;
        bool is_none = s[j] < TINY_SQUARE;
        double t = is_none ? 0 : (beta - first) / beta, scale = is_none ? 0 : 1 / (first - beta);
        tau[j] = (T)t;
        w[NARROW] = scale;
        for (long c = 0; c < NARROW; c++) {
            double with = row[c] + scale * s[c];
            w[c] = c > j ? (T)(t * with) : 0;
            if (c < j) U(c, j) = (T)with;
        }
        A(j, j) = is_none ? (T)first : (T)beta;
        for (long c = 0; c < NARROW; c++)
            if (c > j && c < n) A(j, c) = (T)(row[c] - w[c]);
    }
}

static void qr_tall_leaf(long m, long n, T *a, long lda, T *tau, T *v, long rows, T *u) {
    double *w = blas_room(ROOM_X, (NARROW + 1 + (m + ROWS - 1) / ROWS * NARROW) * sizeof *w);
    for (long j = 0; j <= n; j++) {
        qr_pass(j, m, n, a, lda, v, rows, w, w + NARROW + 1);
        if (j < n) qr_turn(j, m, n, a, lda, tau, u, w, w + NARROW + 1);
    }
}

// k reflectors on n columns of m rows that stand at b: (I - V T' V') of these.
static void reflect(const Reflectors *f, long m, long k, long n, T *b, long ldb) {
    T *product = f->product, *u = f->u, *tau = f->tau;
    NAME(gemm)('T', 'N', k, n, m, 1, f->v, f->rows, b, ldb, 0, product, k);
#pragma sculpt reassociate
    for (long c = 0; c < n; c++)
        for (long l = 0; l < k; l++) {
            T sum = product[l + c * k];
            for (long q = 0; q < l; q++) sum -= U(q, l) * product[q + c * k];
            product[l + c * k] = tau[l] * sum;
        }
    NAME(gemm)('N', 'N', m, n, k, -1, f->v, f->rows, product, k, 1, b, ldb);
}

// Half of the columns, what their reflectors make of the others, these, and the products of both halves' V.
static void qr_panel(const Reflectors *f, long m, long n, T *a, long lda) {
    long half = (n / NARROW + 1) / 2 * NARROW, rest = n - half, rows = f->rows;
    T *v = f->v, *u = f->u;
    if (n <= NARROW) {
        (m > TALL ? qr_tall_leaf : qr_leaf)(m, n, a, lda, f->tau, v, rows, u);
        return;
    }
    Reflectors g = {rows, &V(half, half), &U(half, half), f->tau + half, f->product};
    qr_panel(f, m, half, a, lda);
    reflect(f, m, half, rest, &A(0, half), lda);
    qr_panel(&g, m - half, rest, &A(half, half), lda);
    NAME(gemm)('T', 'N', half, rest, m - half, 1, &V(half, 0), rows, g.v, rows, 0, &U(0, half), WIDE);
}

static void times(long m, long n, T factor, T *a, long lda) {
#pragma sculpt
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) A(i, j) = factor * A(i, j);
}

static T largest(long m, long n, const T *a, long lda) {
    T most = 0;
#pragma sculpt reassociate
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) {
            T size = A(i, j) < 0 ? -A(i, j) : A(i, j);
            if (size > most) most = size;
        }
    return most;
}

// The upper triangle and so many diagonals below it.
static void times_upper(long m, long n, long below, T factor, T *a, long lda) {
#pragma sculpt
    for (long j = 0; j < n; j++)
        for (long i = 0; i < (j + 1 + below < m ? j + 1 + below : m); i++) A(i, j) = factor * A(i, j);
}

static T scale_of(long m, long n, const T *a, long lda) {
    T most = sizeof(T) == sizeof(double) ? largest(m, n, a, lda) : 1;
    return most > HUGE_ELEMENT ? SMALLER : most > 0 && most < TINY_ELEMENT ? LARGER : 1;
}

void NAME(geqrf)(long m, long n, T *a, long lda, T *tau) {
    long least = m < n ? m : n, wide = least < WIDE ? least : WIDE;
    T *w = blas_room(ROOM_PANEL, (m * wide + WIDE * wide + wide * n) * sizeof *w), *u = w + m * wide;
    T factor = scale_of(m, n, a, lda);
    if (factor != 1) times(m, n, factor, a, lda);
    for (long j = 0; j < least; j += wide) {
        long k = j + wide < least ? wide : least - j, rows = m - j;
        Reflectors f = {rows, w, u, tau + j, u + WIDE * wide};
#pragma sculpt
        for (long c = 0; c < k; c++)
            for (long i = 0; i < k; i++) w[i + c * rows] = i == c ? 1 : 0;
        qr_panel(&f, rows, k, &A(j, j), lda);
        if (j + k < n) reflect(&f, rows, k, n - j - k, &A(j, j + k), lda);
    }
    if (factor != 1) times_upper(m, n, 0, 1 / factor, a, lda);
}

// ---- Hessenberg's form -----------------------------------------------------------------------
// One step: the reflector that clears column j below the diagonal, and what it makes of the columns behind.
// All stays on the device; s has 2 elements. What a square may not hold has been scaled before.
static void clear_column(long j, long m, T *a, long lda, T *tau, double *s) {
#pragma sculpt reassociate
    for (long q = 0; q < 1; q++) {
        double sum = 0;
        for (long i = j + 1; i < m; i++) sum += (double)A(i, j) * A(i, j);
        s[0] = sum;
    }
#pragma sculpt
    for (long q = 0; q < 1; q++) {
        double first = A(j, j), norm = sqrt(first * first + s[0]), beta = first < 0 ? norm : -norm;
        bool is_none = s[0] < TINY_SQUARE;
        tau[j] = is_none ? 0 : (T)((beta - first) / beta);
        s[1] = is_none ? 0 : 1 / (first - beta);
        A(j, j) = is_none ? (T)first : (T)beta;
    }
#pragma sculpt
    for (long i = j + 1; i < m; i++) A(i, j) = (T)(A(i, j) * s[1]);
}

// Q' A Q for the reflectors of a few columns at once: Q = I - V T V', Y = A V T. Rows and columns from 0;
// those of the reflectors are from `from` on, `high` of them with what stands above; v has high - from rows.
typedef struct Few {
    long from, high, n, lda;
    T *a, *tau, *v, *y, *t, *w, *product; // w: twice so many numbers as there are reflectors
    double *s;
} Few;

#define Y(i, j) y[(i) + (j) * high]
#define OF_T(i, j) t[(i) + (j) * FEW]
enum { FEW = 32 };

// What i reflectors make of column c: A - Y V' and then that without V T' V' of it.
static void bring_up(const Few *f, long i, long c) {
    long from = f->from, high = f->high, lda = f->lda, rows = high - from;
    T *a = f->a, *v = f->v, *y = f->y, *t = f->t, *w = f->w, *x = f->w + FEW;
#pragma sculpt reassociate
    for (long r = 0; r < high; r++) {
        T sum = 0;
        for (long l = 0; l < i; l++) sum += Y(r, l) * V(c - from, l);
        A(r, c) -= sum;
    }
#pragma sculpt reassociate
    for (long l = 0; l < i; l++) {
        T sum = 0;
        for (long r = 0; r < rows; r++) sum += V(r, l) * A(from + r, c);
        w[l] = sum;
    }
#pragma sculpt reassociate
    for (long l = 0; l < i; l++) {
        T sum = 0;
        for (long q = 0; q <= l; q++) sum += OF_T(q, l) * w[q];
        x[l] = sum;
    }
#pragma sculpt reassociate
    for (long r = 0; r < rows; r++) {
        T sum = 0;
        for (long l = 0; l < i; l++) sum += V(r, l) * x[l];
        A(from + r, c) -= sum;
    }
}

// The i-th reflector, which stands in column c, to V, T and Y.
static void take(const Few *f, long i, long c) {
    long from = f->from, high = f->high, lda = f->lda, rows = high - from;
    T *a = f->a, *v = f->v, *y = f->y, *t = f->t, *w = f->w, *tau = f->tau;
#pragma sculpt
    for (long r = 0; r < rows; r++) V(r, i) = r < i ? 0 : r == i ? 1 : A(from + r, c);
    NAME(gemv)('N', high, rows - i, 1, &A(0, from + i), lda, &V(i, i), 0, &Y(0, i));
#pragma sculpt reassociate
    for (long l = 0; l < i; l++) {
        T sum = 0;
        for (long r = 0; r < rows; r++) sum += V(r, l) * V(r, i);
        w[l] = sum;
    }
#pragma sculpt reassociate
    for (long r = 0; r < high; r++) {
        T sum = 0;
        for (long l = 0; l < i; l++) sum += Y(r, l) * w[l];
        Y(r, i) = tau[c] * (Y(r, i) - sum);
    }
#pragma sculpt reassociate
    for (long l = 0; l < FEW; l++) {
        T sum = 0;
        for (long q = l; q < i; q++) sum += OF_T(l, q) * w[q];
        OF_T(l, i) = l < i ? -tau[c] * sum : l == i ? tau[c] : 0;
    }
}

// Columns from j on, k of which hold reflectors by now.
static void both_sides(const Few *f, long j, long k) {
    long high = f->high, lda = f->lda, rows = high - f->from, behind = f->n - j - k;
    T *a = f->a, *v = f->v, *other = f->product + FEW * f->n;
    if (high > j + k)
        NAME(gemm)('N', 'T', high, high - j - k, k, -1, f->y, high, &V(k - 1, 0), rows, 1, &A(0, j + k), lda);
    if (behind <= 0) return;
    NAME(gemm)('T', 'N', k, behind, rows, 1, v, rows, &A(f->from, j + k), lda, 0, f->product, FEW);
    NAME(gemm)('T', 'N', k, behind, k, 1, f->t, FEW, f->product, FEW, 0, other, FEW);
    NAME(gemm)('N', 'N', rows, behind, k, -1, v, rows, other, FEW, 1, &A(f->from, j + k), lda);
}

void NAME(gehrd)(long n, long low, long high, T *a, long lda, T *tau) {
    double *s = blas_room(ROOM_X, 2 * sizeof *s);
    T *w = blas_room(ROOM_PANEL, (2 * high * FEW + FEW * FEW + 2 * FEW + 2 * FEW * n) * sizeof *w);
    T factor = scale_of(n, n, a, lda);
    if (factor != 1) times(n, n, factor, a, lda);
    for (long j = low; j < high - 1; j += FEW) {
        long k = j + FEW < high - 1 ? FEW : high - 1 - j;
        T *y = w + high * FEW, *t = y + high * FEW, *x = t + FEW * FEW;
        Few f = {j + 1, high, n, lda, a, tau, w, y, t, x, x + 2 * FEW, s};
        for (long i = 0; i < k; i++) {
            if (i) bring_up(&f, i, j + i);
            clear_column(j + i, high - 1, a + 1, lda, tau, s);
            take(&f, i, j + i);
        }
        both_sides(&f, j, k);
    }
    if (factor != 1) times_upper(n, n, 1, 1 / factor, a, lda);
}
