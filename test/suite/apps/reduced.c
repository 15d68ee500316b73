// device 11
// reduced.c -- rows that are reduced, with the permission to do it in any order: sums, norms, softmax, sparse
// rows.
#include "../suite.h"
enum { N = 200, M = 333, B = 3 };

static void matvec(int n, int m, const float *restrict a, const float *restrict x, float *restrict y) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++) y[i] += a[i * m + j] * x[j];
    }
}
static void swapped(int n, int m, const double *restrict a, const double *restrict x, double *restrict y) {
#pragma sculpt reassociate
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) y[i] += a[i * m + j] * x[j];
}
static void softmax(int n, int m, const double *restrict x, double *restrict y) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        double most = x[i * m], sum = 0;
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > most) most = x[i * m + j];
        for (int j = 0; j < m; j++) sum += exp(x[i * m + j] - most);
        for (int j = 0; j < m; j++) y[i * m + j] = exp(x[i * m + j] - most) / sum;
    }
}
static void normalise(int n, int m, double eps, double *x) { // in place, by mean and deviation
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        double s = 0, q = 0;
        for (int j = 0; j < m; j++) {
            double v = x[i * m + j];
            s += v;
            q += v * v;
        }
        double mean = s / m, r = 1 / sqrt(q / m - mean * mean + eps);
        for (int j = 0; j < m; j++) x[i * m + j] = 1 + (x[i * m + j] - mean) * r;
    }
}
static void greatest(int n, int m, const int *restrict a, int *restrict y) { // no permission is asked for
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = a[i * m];
        for (int j = 1; j < m; j++)
            if (a[i * m + j] > t) t = a[i * m + j];
        y[i] = t;
    }
#pragma endscop
}
static void sparse(int n, const int *restrict start, const int *restrict col, const double *restrict val,
                   const double *restrict x, double *restrict y) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = start[i]; k < start[i + 1]; k++) s += val[k] * x[col[k]];
        y[i] = s;
    }
}
static void batches(int b, int n, int m, const float *restrict a, float *restrict y) {
#pragma sculpt reassociate
    for (int c = 0; c < b; c++)
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = 0; j < m; j++) s += a[(c * n + i) * m + j] * a[(c * n + i) * m + j];
            y[c * n + i] = sqrt(s);
        }
}
static void triangle(int n, const double *restrict a, double *restrict y) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) y[i] += a[i * n + j];
}
// two such sums
static void chained(int n, int m, const double *restrict a, const double *restrict x, double *restrict y,
                    double *restrict z) {
#pragma sculpt reassociate
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < n; i++) {
            double s = t;
            for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
            y[i] = s;
        }
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = 0; j < m; j++) s += fabs(a[i * m + j]) * y[n - 1 - i];
            z[i] = s;
        }
    }
}
static void logical(int n, int m, const int *restrict a, int *restrict any) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int found = 0, bits = 0;
        for (int j = 0; j < m; j++) {
            found = found || a[i * m + j] == 7;
            bits |= a[i * m + j];
        }
        any[i] = found * 1000 + bits;
    }
#pragma endscop
}

// w ends where c's rows do
static void weighted(int n, const float *restrict a, const float *restrict b, const float *restrict w,
                     float *restrict c) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j] * w[j];
}
int main(void) {
    static float a[B * N * M], x[M], y[B * N];
    static double d[N * M], e[N * M], u[M], v[N], w[N];
    static int q[N * M], r[N], start[N + 1], col[N * M];
    suite_use();
    fill_floats(a, B * N * M), fill_floats(x, M), fill_doubles(d, N * M), fill_doubles(u, M),
        fill_ints(q, N * M, 1000);
    matvec(N, M, a, x, y), show_floats("matvec", y, N);
    fill_doubles(v, N), swapped(N, M, d, u, v), show_doubles("swapped", v, N);
    softmax(N, M, d, e), show_doubles("softmax", e, N * M);
    normalise(N, M, 1e-5, e), show_doubles("normalise", e, N * M);
    greatest(N, M, q, r), show_ints("greatest", r, N);
    for (int i = 0; i < N; i++) start[i + 1] = start[i] + (i * 37) % 90;
    fill_ints(col, N * M, M), sparse(N, start, col, d, u, v), show_doubles("sparse", v, N);
    batches(B, N, M, a, y), show_floats("batches", y, B * N);
    triangle(N, d, v), show_doubles("triangle", v, N);
    chained(N, M, d, u, v, w), show_doubles("chained", w, N);
    logical(N, M, q, r), show_ints("logical", r, N);
    static float c[70 * 70];
    weighted(70, a, a + 70 * 70, x, c), show_floats("weighted", c, 70 * 70);
    return 0;
}
