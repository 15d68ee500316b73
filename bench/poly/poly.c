// SPDX-License-Identifier: MIT
// poly.c -- thirty loops of the polyhedral field: linear algebra, solvers, stencils, data mining, dynamic
// programming, each as a textbook writes it, between the marks that its tools know.
//
//   poly NAME [small]    runs one: data on the device, the best of some calls; prints a line of JSON
//   poly                 the names
//
// Sizes are those of PolyBench's LARGE. "sums" holds for each array that a loop writes the sum of its
// magnitudes and a weighted sum, to be compared with those of the same file compiled by another compiler.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *sculpt_device_name(void) __attribute__((weak)); // not there in a plain build

// ---- data ---------------------------------------------------------------------------------------
enum { MOST_ARRAYS = 12 };

static struct {
    const char *name;
    int small, calls, narrays;
    double started, best, spent; // seconds
    struct {
        double *at;
        size_t n;
        unsigned seed; // 0: only written
        size_t pitch;  // of a matrix whose diagonal outweighs its rows; 0: none
    } array[MOST_ARRAYS];
} poly;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The i-th value of a sequence, in [-1, 1).
static double value(unsigned seed, size_t i) {
    unsigned long long x = i + 0x9e3779b97f4a7c15ULL * (seed + 1);
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ULL;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ULL;
    return (int)(x >> 32) * 0x1p-31;
}

static int size(int large) { return poly.small ? large / 32 + 5 : large; }

static void *array_of(size_t n, unsigned seed, size_t pitch) {
    double *p = calloc(n, sizeof *p);
    if (!p || poly.narrays == MOST_ARRAYS) exit(2);
    poly.array[poly.narrays].at = p, poly.array[poly.narrays].n = n;
    poly.array[poly.narrays].seed = seed, poly.array[poly.narrays].pitch = pitch;
    poly.narrays++;
#pragma acc enter data create(p[0 : n])
    return p;
}
static void *array(size_t n, unsigned seed) { return array_of(n, seed, 0); }
static void *square(size_t n, unsigned seed) { return array_of(n * n, seed, n); }

static void fill(void) {
    for (int k = 0; k < poly.narrays; k++) {
        double *p = poly.array[k].at;
        size_t n = poly.array[k].n, pitch = poly.array[k].pitch;
        for (size_t i = 0; i < n; i++) p[i] = poly.array[k].seed ? value(poly.array[k].seed, i) : 0;
        for (size_t i = 0; i < n && pitch; i += pitch + 1) p[i] = 2 * (double)pitch;
        for (size_t i = 0; i < pitch; i++) // symmetric
            for (size_t j = 0; j < i; j++) p[i * pitch + j] = p[j * pitch + i];
#pragma acc update device(p[0 : n])
    }
}

// Ends the call under way, if there is one. 1: make another, on the data anew.
static int again(void) {
    double *first = poly.array[0].at;
#pragma acc update self(first[0 : 1])
    double took = now() - poly.started;
    if (poly.calls > 1) {
        poly.spent += took;
        if (took < poly.best) poly.best = took;
    }
    int plain = !sculpt_device_name;
    int more = poly.calls < (plain ? 1 : poly.small ? 3 : 6) && (poly.calls < 3 || poly.spent < 4);
    poly.calls += more;
    if (more) {
        fill();
#pragma acc update self(first[0 : 1])
    }
    poly.started = now();
    return more;
}

static void end(void) {
    if (poly.calls == 1) poly.best = 0;
    printf("{\"kind\": \"%s\", \"ms\": %.6g, \"sums\": [", poly.name, 1e3 * poly.best);
    for (int k = 0; k < poly.narrays; k++) {
        double *p = poly.array[k].at, all = 0, some = 0;
        size_t n = poly.array[k].n;
#pragma acc exit data copyout(p[0 : n])
        for (size_t i = 0; i < n; i++) all += fabs(p[i]), some += p[i] * value(77, i);
        printf("%s%.15g, %.15g", k ? ", " : "", all, some);
    }
    printf("], \"device\": \"%s\"}\n", sculpt_device_name ? sculpt_device_name() : "plain");
}

// ---- linear algebra -----------------------------------------------------------------------------
static void gemm(int ni, int nj, int nk, double alpha, double beta, double c[ni][nj], const double a[ni][nk],
                 const double b[nk][nj]) {
#pragma scop
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++) c[i][j] *= beta;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++) c[i][j] += alpha * a[i][k] * b[k][j];
    }
#pragma endscop
}
static void run_gemm(void) {
    int ni = size(1000), nj = size(1100), nk = size(1200);
    void *c = array(ni * nj, 1), *a = array(ni * nk, 2), *b = array(nk * nj, 3);
    while (again()) gemm(ni, nj, nk, 1.5, 1.2, c, a, b);
}

static void two(int ni, int nj, int nk, int nl, double alpha, double beta, double t[ni][nj],
                const double a[ni][nk], const double b[nk][nj], const double c[nj][nl], double d[ni][nl]) {
#pragma scop
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            t[i][j] = 0.0;
            for (int k = 0; k < nk; ++k) t[i][j] += alpha * a[i][k] * b[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            d[i][j] *= beta;
            for (int k = 0; k < nj; ++k) d[i][j] += t[i][k] * c[k][j];
        }
#pragma endscop
}
static void run_2mm(void) {
    int ni = size(800), nj = size(900), nk = size(1100), nl = size(1200);
    void *t = array(ni * nj, 0), *a = array(ni * nk, 1), *b = array(nk * nj, 2), *c = array(nj * nl, 3);
    void *d = array(ni * nl, 4);
    while (again()) two(ni, nj, nk, nl, 1.5, 1.2, t, a, b, c, d);
}

static void three(int ni, int nj, int nk, int nl, int nm, double e[ni][nj], const double a[ni][nk],
                  const double b[nk][nj], double f[nj][nl], const double c[nj][nm], const double d[nm][nl],
                  double g[ni][nl]) {
#pragma scop
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            e[i][j] = 0.0;
            for (int k = 0; k < nk; ++k) e[i][j] += a[i][k] * b[k][j];
        }
    for (int i = 0; i < nj; i++)
        for (int j = 0; j < nl; j++) {
            f[i][j] = 0.0;
            for (int k = 0; k < nm; ++k) f[i][j] += c[i][k] * d[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            g[i][j] = 0.0;
            for (int k = 0; k < nj; ++k) g[i][j] += e[i][k] * f[k][j];
        }
#pragma endscop
}
static void run_3mm(void) {
    int ni = size(800), nj = size(900), nk = size(1000), nl = size(1100), nm = size(1200);
    void *e = array(ni * nj, 0), *a = array(ni * nk, 1), *b = array(nk * nj, 2), *f = array(nj * nl, 0);
    void *c = array(nj * nm, 3), *d = array(nm * nl, 4), *g = array(ni * nl, 0);
    while (again()) three(ni, nj, nk, nl, nm, e, a, b, f, c, d, g);
}

static void atax(int m, int n, const double a[m][n], const double x[n], double y[n], double t[m]) {
#pragma scop
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int i = 0; i < m; i++) {
        t[i] = 0.0;
        for (int j = 0; j < n; j++) t[i] = t[i] + a[i][j] * x[j];
        for (int j = 0; j < n; j++) y[j] = y[j] + a[i][j] * t[i];
    }
#pragma endscop
}
static void run_atax(void) {
    int m = size(1900), n = size(2100);
    void *a = array(m * n, 1), *x = array(n, 2), *y = array(n, 0), *t = array(m, 0);
    while (again()) atax(m, n, a, x, y, t);
}

static void bicg(int m, int n, const double a[n][m], double s[m], double q[n], const double p[m],
                 const double r[n]) {
#pragma scop
    for (int i = 0; i < m; i++) s[i] = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0.0;
        for (int j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * a[i][j];
            q[i] = q[i] + a[i][j] * p[j];
        }
    }
#pragma endscop
}
static void run_bicg(void) {
    int m = size(1900), n = size(2100);
    void *a = array(m * n, 1), *s = array(m, 0), *q = array(n, 0), *p = array(m, 2), *r = array(n, 3);
    while (again()) bicg(m, n, a, s, q, p, r);
}

static void mvt(int n, double x1[n], double x2[n], const double y1[n], const double y2[n],
                const double a[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x1[i] = x1[i] + a[i][j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x2[i] = x2[i] + a[j][i] * y2[j];
#pragma endscop
}
static void run_mvt(void) {
    int n = size(2000);
    void *x1 = array(n, 1), *x2 = array(n, 2), *y1 = array(n, 3), *y2 = array(n, 4), *a = array(n * n, 5);
    while (again()) mvt(n, x1, x2, y1, y2, a);
}

static void gemver(int n, double alpha, double beta, double a[n][n], const double u1[n], const double v1[n],
                   const double u2[n], const double v2[n], double w[n], double x[n], const double y[n],
                   const double z[n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] = a[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] = x[i] + beta * a[j][i] * y[j];
    for (int i = 0; i < n; i++) x[i] = x[i] + z[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) w[i] = w[i] + alpha * a[i][j] * x[j];
#pragma endscop
}
static void run_gemver(void) {
    int n = size(2000);
    void *a = array(n * n, 1), *u1 = array(n, 2), *v1 = array(n, 3), *u2 = array(n, 4), *v2 = array(n, 5);
    void *w = array(n, 0), *x = array(n, 0), *y = array(n, 6), *z = array(n, 7);
    while (again()) gemver(n, 1.5, 1.2, a, u1, v1, u2, v2, w, x, y, z);
}

static void gesummv(int n, double alpha, double beta, const double a[n][n], const double b[n][n], double t[n],
                    const double x[n], double y[n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        t[i] = 0.0;
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            t[i] = a[i][j] * x[j] + t[i];
            y[i] = b[i][j] * x[j] + y[i];
        }
        y[i] = alpha * t[i] + beta * y[i];
    }
#pragma endscop
}
static void run_gesummv(void) {
    int n = size(1300);
    void *a = array(n * n, 1), *b = array(n * n, 2), *t = array(n, 0), *x = array(n, 3), *y = array(n, 0);
    while (again()) gesummv(n, 1.5, 1.2, a, b, t, x, y);
}

static void doitgen(int nr, int nq, int np, double a[nr][nq][np], const double c4[np][np], double sum[np]) {
#pragma scop
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < np; s++) sum[p] += a[r][q][s] * c4[s][p];
            }
            for (int p = 0; p < np; p++) a[r][q][p] = sum[p];
        }
#pragma endscop
}
static void run_doitgen(void) {
    int nr = size(150), nq = size(140), np = size(160);
    void *a = array(nr * nq * np, 1), *c4 = array(np * np, 2), *sum = array(np, 0);
    while (again()) doitgen(nr, nq, np, a, c4, sum);
}

static void syrk(int n, int m, double alpha, double beta, double c[n][n], const double a[n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) c[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) c[i][j] += alpha * a[i][k] * a[j][k];
    }
#pragma endscop
}
static void run_syrk(void) {
    int m = size(1000), n = size(1200);
    void *c = array(n * n, 1), *a = array(n * m, 2);
    while (again()) syrk(n, m, 1.5, 1.2, c, a);
}

static void syr2k(int n, int m, double alpha, double beta, double c[n][n], const double a[n][m],
                  const double b[n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) c[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) c[i][j] += a[j][k] * alpha * b[i][k] + b[j][k] * alpha * a[i][k];
    }
#pragma endscop
}
static void run_syr2k(void) {
    int m = size(1000), n = size(1200);
    void *c = array(n * n, 1), *a = array(n * m, 2), *b = array(n * m, 3);
    while (again()) syr2k(n, m, 1.5, 1.2, c, a, b);
}

static void symm(int m, int n, double alpha, double beta, double c[m][n], const double a[m][m],
                 const double b[m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double t = 0;
            for (int k = 0; k < i; k++) {
                c[k][j] += alpha * b[i][j] * a[i][k];
                t += b[k][j] * a[i][k];
            }
            c[i][j] = beta * c[i][j] + alpha * b[i][j] * a[i][i] + alpha * t;
        }
#pragma endscop
}
static void run_symm(void) {
    int m = size(1000), n = size(1200);
    void *c = array(m * n, 1), *a = array(m * m, 2), *b = array(m * n, 3);
    while (again()) symm(m, n, 1.5, 1.2, c, a, b);
}

static void trmm(int m, int n, double alpha, const double a[m][m], double b[m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++) b[i][j] += a[k][i] * b[k][j];
            b[i][j] = alpha * b[i][j];
        }
#pragma endscop
}
static void run_trmm(void) {
    int m = size(1000), n = size(1200);
    void *a = array(m * m, 1), *b = array(m * n, 2);
    while (again()) trmm(m, n, 1.5, a, b);
}

// ---- solvers ------------------------------------------------------------------------------------
static void cholesky(int n, double a[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
        for (int k = 0; k < i; k++) a[i][i] -= a[i][k] * a[i][k];
        a[i][i] = sqrt(a[i][i]);
    }
#pragma endscop
}
static void run_cholesky(void) {
    int n = size(2000);
    void *a = square(n, 1);
    while (again()) cholesky(n, a);
}

static void durbin(int n, const double r[n], double y[n]) {
    double z[n];
    double alpha, beta, sum;
#pragma scop
    y[0] = -r[0];
    beta = 1.0;
    alpha = -r[0];
    for (int k = 1; k < n; k++) {
        beta = (1 - alpha * alpha) * beta;
        sum = 0.0;
        for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++) y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}
static void scaled(int n, double *r, double by) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) r[i] *= by;
}
static void run_durbin(void) {
    int n = size(2000);
    void *r = array(n, 1), *y = array(n, 0);
    while (again()) {
        scaled(n, r, 1e-3);
        durbin(n, r, y);
    }
}

static void gramschmidt(int m, int n, double a[m][n], double r[n][n], double q[m][n]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        double norm = 0.0;
        for (int i = 0; i < m; i++) norm += a[i][k] * a[i][k];
        r[k][k] = sqrt(norm);
        for (int i = 0; i < m; i++) q[i][k] = a[i][k] / r[k][k];
        for (int j = k + 1; j < n; j++) {
            r[k][j] = 0.0;
            for (int i = 0; i < m; i++) r[k][j] += q[i][k] * a[i][j];
            for (int i = 0; i < m; i++) a[i][j] = a[i][j] - q[i][k] * r[k][j];
        }
    }
#pragma endscop
}
static void run_gramschmidt(void) {
    int m = size(1200), n = size(1000);
    void *a = array(m * n, 1), *r = array(n * n, 0), *q = array(m * n, 0);
    while (again()) gramschmidt(m, n, a, r, q);
}

static void lu(int n, double a[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++) a[i][j] -= a[i][k] * a[k][j];
    }
#pragma endscop
}
static void run_lu(void) {
    int n = size(2000);
    void *a = square(n, 1);
    while (again()) lu(n, a);
}

static void ludcmp(int n, double a[n][n], const double b[n], double x[n], double y[n]) {
    double w;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            w = a[i][j];
            for (int k = 0; k < j; k++) w -= a[i][k] * a[k][j];
            a[i][j] = w / a[j][j];
        }
        for (int j = i; j < n; j++) {
            w = a[i][j];
            for (int k = 0; k < i; k++) w -= a[i][k] * a[k][j];
            a[i][j] = w;
        }
    }
    for (int i = 0; i < n; i++) {
        w = b[i];
        for (int j = 0; j < i; j++) w -= a[i][j] * y[j];
        y[i] = w;
    }
    for (int i = n - 1; i >= 0; i--) {
        w = y[i];
        for (int j = i + 1; j < n; j++) w -= a[i][j] * x[j];
        x[i] = w / a[i][i];
    }
#pragma endscop
}
static void run_ludcmp(void) {
    int n = size(2000);
    void *a = square(n, 1), *b = array(n, 2), *x = array(n, 0), *y = array(n, 0);
    while (again()) ludcmp(n, a, b, x, y);
}

static void trisolv(int n, const double l[n][n], double x[n], const double b[n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= l[i][j] * x[j];
        x[i] = x[i] / l[i][i];
    }
#pragma endscop
}
static void run_trisolv(void) {
    int n = size(2000);
    void *l = square(n, 1), *x = array(n, 0), *b = array(n, 2);
    while (again()) trisolv(n, l, x, b);
}

// ---- data mining --------------------------------------------------------------------------------
static void covariance(int m, int n, double d[n][m], double cov[m][m], double mean[m]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++) mean[j] += d[i][j];
        mean[j] /= n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) d[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (int k = 0; k < n; k++) cov[i][j] += d[k][i] * d[k][j];
            cov[i][j] /= n - 1.0;
            cov[j][i] = cov[i][j];
        }
#pragma endscop
}
static void run_covariance(void) {
    int m = size(1200), n = size(1400);
    void *d = array(n * m, 1), *cov = array(m * m, 0), *mean = array(m, 0);
    while (again()) covariance(m, n, d, cov, mean);
}

static void correlation(int m, int n, double d[n][m], double corr[m][m], double mean[m], double dev[m]) {
    double eps = 0.1;
#pragma scop
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++) mean[j] += d[i][j];
        mean[j] /= n;
    }
    for (int j = 0; j < m; j++) {
        dev[j] = 0.0;
        for (int i = 0; i < n; i++) dev[j] += (d[i][j] - mean[j]) * (d[i][j] - mean[j]);
        dev[j] /= n;
        dev[j] = sqrt(dev[j]);
        dev[j] = dev[j] <= eps ? 1.0 : dev[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            d[i][j] -= mean[j];
            d[i][j] /= sqrt((double)n) * dev[j];
        }
    for (int i = 0; i < m - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < m; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < n; k++) corr[i][j] += d[k][i] * d[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[m - 1][m - 1] = 1.0;
#pragma endscop
}
static void run_correlation(void) {
    int m = size(1200), n = size(1400);
    void *d = array(n * m, 1), *corr = array(m * m, 0), *mean = array(m, 0), *dev = array(m, 0);
    while (again()) correlation(m, n, d, corr, mean, dev);
}

// ---- images and dynamic programming -------------------------------------------------------------
static void deriche(int w, int h, float alpha, const float in[w][h], float out[w][h], float y1[w][h],
                    float y2[w][h]) {
    float xm1, tm1, ym1, ym2, xp1, xp2, tp1, tp2, yp1, yp2, k, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2;
#pragma scop
    k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) /
        (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
    a1 = a5 = k;
    a2 = a6 = k * expf(-alpha) * (alpha - 1.0f);
    a3 = a7 = k * expf(-alpha) * (alpha + 1.0f);
    a4 = a8 = -k * expf(-2.0f * alpha);
    b1 = powf(2.0f, -alpha);
    b2 = -expf(-2.0f * alpha);
    c1 = c2 = 1;
    for (int i = 0; i < w; i++) {
        ym1 = 0.0f;
        ym2 = 0.0f;
        xm1 = 0.0f;
        for (int j = 0; j < h; j++) {
            y1[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = in[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int i = 0; i < w; i++) {
        yp1 = 0.0f;
        yp2 = 0.0f;
        xp1 = 0.0f;
        xp2 = 0.0f;
        for (int j = h - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = in[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++) out[i][j] = c1 * (y1[i][j] + y2[i][j]);
    for (int j = 0; j < h; j++) {
        tm1 = 0.0f;
        ym1 = 0.0f;
        ym2 = 0.0f;
        for (int i = 0; i < w; i++) {
            y1[i][j] = a5 * out[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = out[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int j = 0; j < h; j++) {
        tp1 = 0.0f;
        tp2 = 0.0f;
        yp1 = 0.0f;
        yp2 = 0.0f;
        for (int i = w - 1; i >= 0; i--) {
            y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = out[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++) out[i][j] = c2 * (y1[i][j] + y2[i][j]);
#pragma endscop
}
static void narrowed(int n, const double *x, float *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) y[i] = (float)(i % 2 ? x[i] : -x[i]);
}
static void widened(int n, const float *x, double *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) y[i] = x[i];
}
static void run_deriche(void) {
    int w = size(4096), h = size(2160);
    void *x = array(w * h, 1), *in = array(w * h / 2 + 1, 0), *out = array(w * h / 2 + 1, 0);
    void *y1 = array(w * h / 2 + 1, 0), *y2 = array(w * h / 2 + 1, 0);
    while (again()) {
        narrowed(w * h, x, in);
        poly.started = now();
        deriche(w, h, 0.25f, in, out, y1, y2);
    }
    widened(w * h, out, x);
    poly.narrays = 1;
}

static void floyd(int n, int path[n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] =
                    path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
#pragma endscop
}
static void lengths(int n, const double *x, int *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) y[i] = 1 + (int)(1000 * fabs(x[i]));
}
static void numbers(int n, const int *x, double *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) y[i] = x[i];
}
static void run_floyd(void) {
    int n = size(2800);
    void *x = array(n * n, 1), *path = array(n * n / 2 + 1, 0);
    while (again()) {
        lengths(n * n, x, path);
        poly.started = now();
        floyd(n, path);
    }
    numbers(n * n, path, x);
    poly.narrays = 1;
}

#define MAX(a, b) ((a) > (b) ? (a) : (b))
static void nussinov(int n, const int seq[n], int t[n][n]) {
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (j - 1 >= 0) t[i][j] = MAX(t[i][j], t[i][j - 1]);
            if (i + 1 < n) t[i][j] = MAX(t[i][j], t[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < n) {
                if (i < j - 1) t[i][j] = MAX(t[i][j], t[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? 1 : 0));
                else t[i][j] = MAX(t[i][j], t[i + 1][j - 1]);
            }
            for (int k = i + 1; k < j; k++) t[i][j] = MAX(t[i][j], t[i][k] + t[k + 1][j]);
        }
#pragma endscop
}
static void bases(int n, const double *x, int *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) y[i] = (int)(3.999 * fabs(x[i]));
}
static void cleared(int n, int *y) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) y[i] = 0;
}
static void run_nussinov(void) {
    int n = size(2500);
    void *x = array(n * n, 1), *seq = array(n, 0), *t = array(n * n / 2 + 1, 0);
    while (again()) {
        bases(n, x, seq);
        cleared(n * n, t);
        poly.started = now();
        nussinov(n, seq, t);
    }
    numbers(n * n, t, x);
    poly.narrays = 1;
}

// ---- stencils -----------------------------------------------------------------------------------
static void adi(int steps, int n, double u[n][n], double v[n][n], double p[n][n], double q[n][n]) {
    double dx, dy, dt, b1, b2, mul1, mul2, a, b, c, d, e, f;
#pragma scop
    dx = 1.0 / n;
    dy = 1.0 / n;
    dt = 1.0 / steps;
    b1 = 2.0;
    b2 = 1.0;
    mul1 = b1 * dt / (dx * dx);
    mul2 = b2 * dt / (dy * dy);
    a = -mul1 / 2.0;
    b = 1.0 + mul1;
    c = a;
    d = -mul2 / 2.0;
    e = 1.0 + mul2;
    f = d;
    for (int t = 1; t <= steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
                          (a * p[i][j - 1] + b);
            }
            v[n - 1][i] = 1.0;
            for (int j = n - 2; j >= 1; j--) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        for (int i = 1; i < n - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
                          (d * p[i][j - 1] + e);
            }
            u[i][n - 1] = 1.0;
            for (int j = n - 2; j >= 1; j--) u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
#pragma endscop
}
static void run_adi(void) {
    int steps = size(500), n = size(1000);
    void *u = array(n * n, 1), *v = array(n * n, 0), *p = array(n * n, 0), *q = array(n * n, 0);
    while (again()) adi(steps, n, u, v, p, q);
}

static void fdtd(int steps, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
                 const double fict[steps]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < ny; j++) ey[0][j] = fict[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
}
static void run_fdtd(void) {
    int steps = size(500), nx = size(1000), ny = size(1200);
    void *ex = array(nx * ny, 1), *ey = array(nx * ny, 2), *hz = array(nx * ny, 3), *f = array(steps, 4);
    while (again()) fdtd(steps, nx, ny, ex, ey, hz, f);
}

static void heat3(int steps, int n, double a[n][n][n], double b[n][n][n]) {
#pragma scop
    for (int t = 1; t <= steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    b[i][j][k] = 0.125 * (a[i + 1][j][k] - 2.0 * a[i][j][k] + a[i - 1][j][k]) +
                                 0.125 * (a[i][j + 1][k] - 2.0 * a[i][j][k] + a[i][j - 1][k]) +
                                 0.125 * (a[i][j][k + 1] - 2.0 * a[i][j][k] + a[i][j][k - 1]) + a[i][j][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    a[i][j][k] = 0.125 * (b[i + 1][j][k] - 2.0 * b[i][j][k] + b[i - 1][j][k]) +
                                 0.125 * (b[i][j + 1][k] - 2.0 * b[i][j][k] + b[i][j - 1][k]) +
                                 0.125 * (b[i][j][k + 1] - 2.0 * b[i][j][k] + b[i][j][k - 1]) + b[i][j][k];
    }
#pragma endscop
}
static void run_heat(void) {
    int steps = size(500), n = size(120);
    void *a = array(n * n * n, 1), *b = array(n * n * n, 1);
    while (again()) heat3(steps, n, a, b);
}

static void jacobi1(int steps, int n, double a[n], double b[n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++) a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
    }
#pragma endscop
}
static void run_jacobi1(void) {
    int steps = size(500), n = size(2000);
    void *a = array(n, 1), *b = array(n, 1);
    while (again()) jacobi1(steps, n, a, b);
}

static void jacobi2(int steps, int n, double a[n][n], double b[n][n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][1 + j] + b[1 + i][j] + b[i - 1][j]);
    }
#pragma endscop
}
static void run_jacobi2(void) {
    int steps = size(500), n = size(1300);
    void *a = array(n * n, 1), *b = array(n * n, 1);
    while (again()) jacobi2(steps, n, a, b);
}

static void seidel(int steps, int n, double a[n][n]) {
#pragma scop
    for (int t = 0; t <= steps - 1; t++)
        for (int i = 1; i <= n - 2; i++)
            for (int j = 1; j <= n - 2; j++)
                a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] +
                           a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) /
                          9.0;
#pragma endscop
}
static void run_seidel(void) {
    int steps = size(500), n = size(2000);
    void *a = array(n * n, 1);
    while (again()) seidel(steps, n, a);
}

// ---- which --------------------------------------------------------------------------------------
#define LINE(x) {#x, run_##x}
static const struct {
    const char *name;
    void (*run)(void);
} all[] = {
    LINE(gemm),    LINE(2mm),      LINE(3mm),         LINE(atax),        LINE(bicg),        LINE(mvt),
    LINE(gemver),  LINE(gesummv),  LINE(doitgen),     LINE(syrk),        LINE(syr2k),       LINE(symm),
    LINE(trmm),    LINE(cholesky), LINE(durbin),      LINE(gramschmidt), LINE(lu),          LINE(ludcmp),
    LINE(trisolv), LINE(covariance), LINE(correlation), LINE(deriche),   LINE(floyd),       LINE(nussinov),
    LINE(adi),     LINE(fdtd),     LINE(heat),        LINE(jacobi1),     LINE(jacobi2),     LINE(seidel),
};

int main(int argc, char **argv) {
    enum { ALL = sizeof all / sizeof *all };
    poly.small = argc > 2 && !strcmp(argv[2], "small");
    poly.best = INFINITY;
    for (int k = 0; k < ALL; k++) {
        if (argc < 2) puts(all[k].name);
        else if (!strcmp(argv[1], all[k].name)) {
            poly.name = all[k].name;
            all[k].run();
            end();
            return 0;
        }
    }
    return argc > 1;
}
