// device 5
// halves.c -- half of a symmetric or skew-symmetric matrix is stored: products by a vector; both ways through
// a whole one. All values are small integers, so that sums are exact in any order.
#include <stdio.h>
#include <stdlib.h>

enum { LEAST = 1, MOST = 1500 };

__attribute__((noinline)) static void below(int n, const float (*s)[n], const float *x, float *y) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j <= i; j++) sum += s[i][j] * x[j];
        for (int j = i + 1; j < n; j++) sum += s[j][i] * x[j];
        y[i] = sum;
    }
}

__attribute__((noinline)) static void above(int n, double alpha, double beta, const double (*s)[n],
                                            const double *x, double *y) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += (j < i ? s[j][i] : s[i][j]) * x[j];
        y[i] = alpha * sum + beta * y[i];
    }
}

__attribute__((noinline)) static void skew(int n, const float *s, const float *x, float *y) {
#pragma scop
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            y[i] += s[i * n + j] * x[j];
            y[j] -= s[i * n + j] * x[i];
        }
    }
#pragma endscop
}

__attribute__((noinline)) static void ways(int n, int m, const float (*a)[m], const float *p, const float *r,
                                           float *q, float *s) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < m; j++) {
            s[j] += r[i] * a[i][j];
            q[i] += a[i][j] * p[j];
        }
    }
}

__attribute__((noinline)) static void packed(int n, const float *a, const float *x, float *y) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j <= i; j++) y[i] += a[i * (i + 1) / 2 + j] * x[j];
        for (int j = i + 1; j < n; j++) y[i] += a[j * (j + 1) / 2 + i] * x[j];
    }
}

static int state;
static int next(void) { return (state = (state * 1103 + 12345) & 0xffff) % 7 - 3; }

int main(void) {
    static const int sizes[] = {LEAST, 31, 33, 127, 256, 300, MOST};
    static float a[MOST * MOST], x[MOST], w[MOST], y[MOST], z[MOST];
    static double b[MOST * MOST], u[MOST], v[MOST];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k], m = n / 2 + 1;
        double sum[5] = {0};
        for (int i = 0; i < n * n; i++) b[i] = a[i] = next();
        for (int i = 0; i < n; i++) u[i] = x[i] = next(), w[i] = next(), v[i] = 1;
        below(n, (void *)a, x, y);
        for (int i = 0; i < n; i++) sum[0] += (i % 11 + 1) * y[i];
        above(n, 2, 3, (void *)b, u, v);
        for (int i = 0; i < n; i++) sum[1] += (i % 11 + 1) * v[i];
        skew(n, a, x, y);
        for (int i = 0; i < n; i++) sum[2] += (i % 11 + 1) * y[i], z[i] = 0;
        ways(n, m, (void *)a, w, x, y, z);
        for (int i = 0; i < n; i++) sum[3] += (i % 11 + 1) * (y[i] + 2 * z[i]);
        packed(n, a, x, y);
        for (int i = 0; i < n; i++) sum[4] += (i % 11 + 1) * y[i];
        printf("%d: %.0f %.0f %.0f %.0f %.0f\n", n, sum[0], sum[1], sum[2], sum[3], sum[4]);
    }
    return 0;
}
