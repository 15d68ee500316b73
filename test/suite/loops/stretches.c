// device 3
// stretches.c -- rows that lie between the values of an index array: written where these never fall, and as
// the loops are where they do.
#include "../suite.h"

enum { N = 700, M = 9000, D = 8 };
static int row[N + 1], col[M];
static long far[N + 1];
static float v[M + 1], o[M], a[N * D], b[N * D];
static double w[M], y[N];

static void scale(int n, const int *ptr, float *x, const double *f) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int k = ptr[i]; k < ptr[i + 1]; k++) x[k] = x[k] * 0.5f + (float)f[i];
}
static void sampled(int n, const int *ptr, const int *c, const float *p, const float *q, float *out) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int k = ptr[i]; k < ptr[i + 1]; k++) {
            float s = 0;
            for (int j = 0; j < D; j++) s += p[i * D + j] * q[c[k] * D + j];
            out[k] = s;
        }
}
static void softmax(int n, const long *ptr, double *x) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        double most = -1e30, sum = 0;
        for (long k = ptr[i]; k < ptr[i + 1]; k++) most = fmax(most, x[k]);
        for (long k = ptr[i]; k < ptr[i + 1]; k++) {
            x[k] = exp(x[k] - most);
            sum += x[k];
        }
        for (long k = ptr[i]; k < ptr[i + 1]; k++) x[k] /= sum;
    }
}
static void next(int n, const int *ptr, float *x) { // a row's end is the next one's beginning
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int k = ptr[i]; k < ptr[i + 1]; k++) x[k] = x[k + 1] * 0.5f;
}

int main(void) {
    suite_use();
    fill_floats(a, N * D), fill_floats(b, N * D), fill_floats(v, M + 1), fill_doubles(y, N);
    fill_doubles(w, M);
    fill_ints(col, M, N);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < N; i++) {
            int len = (i * 7 + round) % 25;
            if (round == 3) len = i % 3 ? 20 : row[i] < 20 ? 0 : -20; // falls
            if (round == 4) len = i % 2 ? 0 : 24;   // stands still
            row[i + 1] = row[i] + (row[i] + len > M ? 0 : len), far[i + 1] = row[i + 1];
        }
        scale(N, row, v, y);
        show_floats("scaled", v, M);
        sampled(N, row, col, a, b, o);
        show_floats("sampled", o, M);
        softmax(N, far, w);
        show_doubles("softmax", w, M);
        next(N, row, v);
        show_floats("next", v, M);
    }
    return 0;
}
