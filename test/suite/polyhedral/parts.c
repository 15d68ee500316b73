// parts.c -- regions of several loop nests, products among them: each nest is planned by itself.
// device 8
#include "../suite.h"

enum { N = 83, M = 97, P = 71, R = 45 };

static void chain(int n, int m, int p, int r, double alpha, double beta, double a[n][p], double b[p][m],
                  double t[n][m], double c[m][r], double d[n][r]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            t[i][j] = 0;
            for (int k = 0; k < p; k++) t[i][j] += alpha * a[i][k] * b[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < r; j++) {
            d[i][j] *= beta;
            for (int k = 0; k < m; k++) d[i][j] += t[i][k] * c[k][j];
        }
#pragma endscop
}

static void layers(int n, int m, int h, int o, float x[n][m], float w[h][m], float v[h], float y[n][h],
                   float u[h][o], float z[n][o]) {
#pragma scop
    for (int s = 0; s < n; ++s)
        for (int q = 0; q < h; ++q) {
            float sum = v[q];
            for (int i = 0; i < m; ++i) sum += x[s][i] * w[q][i];
            y[s][q] = sum > 0 ? sum : 0;
        }
    for (int s = 0; s < n; ++s)
        for (int q = 0; q < o; ++q) z[s][q] = 0;
    for (int s = 0; s < n; ++s)
        for (int i = 0; i < h; ++i)
            for (int q = 0; q < o; ++q) z[s][q] += y[s][i] * u[i][q];
    for (int s = 0; s < n; ++s)
        for (int q = 0; q < o; ++q) z[s][q] = 1 / (1 + z[s][q] * z[s][q]);
#pragma endscop
}

static void steps(int t, int n, float a[n][n], float x[n][n], float y[n][n]) {
#pragma scop
    for (int l = 0; l < t; l++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int k = 0; k < n; k++) sum += a[i][k] * x[k][j];
                y[i][j] = sum;
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) x[i][j] = 0.25f *
                (y[i - 1][j] + y[i + 1][j] + y[i][j - 1] + y[i][j + 1]) / n;
    }
#pragma endscop
}

static void backwards(int n, int m, int p, double a[n][p], double b[p][m], double c[n][m], double d[m]) {
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; --j)
            for (int k = 0; k < p; k++) c[i][j] += a[i][k] * b[k][j];
    for (int j = m - 1; j >= 0; j -= 2) d[j] = c[0][j];
#pragma endscop
}

static void columns(int n, int m, double d[n][m], double mean[m], double c[m][m]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++) mean[j] += d[i][j];
        mean[j] /= n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) d[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++) c[i][j] += d[k][i] * d[k][j];
            c[i][j] /= n - 1.0;
        }
#pragma endscop
}

static void trailing(int n, int nb, int by, double a[n][n], double l[n][n], double u[n][n]) {
#pragma scop
    for (int b = 0; b < nb; b++) {
        for (int i = by * b; i < n; i++)
            for (int k = 0; k < by; k++) l[i][k] = 0.5 * a[i][k];
        for (int i = by * b; i < n; i++)
            for (int j = by * b; j < n; j++)
                for (int k = 0; k < by; k++) a[i][j] -= l[i][k] * u[k][j];
    }
#pragma endscop
}

static void both_ways(int n, int m, double a[n][m], double x[m], double t[n], double y[m], double g[n][m]) {
#pragma scop
    for (int j = 0; j < m; j++) y[j] = 0;
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        for (int j = 0; j < m; j++) t[i] += a[i][j] * x[j];
        for (int j = 0; j < m; j++) y[j] += a[i][j] * t[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) g[i][j] = a[i][j] + t[i] * y[j];
#pragma endscop
}

static void paths(int n, int m, float a[n][m], float b[m][n], float c[n][n], float least[n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                if (a[i][k] + b[k][j] < c[i][j]) c[i][j] = a[i][k] + b[k][j];
    for (int i = 0; i < n; i++) {
        least[i] = c[i][0];
        for (int j = 1; j < n; j++)
            if (c[i][j] < least[i]) least[i] = c[i][j];
    }
#pragma endscop
}

static double *doubles(long n) { return malloc(sizeof(double) * (size_t)n); }
static float *floats(long n) { return malloc(sizeof(float) * (size_t)n); }

int main(void) {
    enum { MOST = 97 * 97 };
    double *d[6], *v = doubles(M), *w = doubles(M), *x = doubles(M);
    float *f[6], *g = floats(M);
    for (int i = 0; i < 6; i++) fill_doubles(d[i] = doubles(MOST), MOST),
        fill_floats(f[i] = floats(MOST), MOST);
    fill_doubles(v, M), fill_doubles(w, M), fill_doubles(x, M), fill_floats(g, M);
    chain(N, M, P, R, 1.5, 0.5, (void *)d[0], (void *)d[1], (void *)d[2], (void *)d[3], (void *)d[4]);
    show_doubles("chain", d[2], N * M), show_doubles("chain", d[4], N * R);
    layers(N, M, P, R, (void *)f[0], (void *)f[1], g, (void *)f[2], (void *)f[3], (void *)f[4]);
    show_floats("layers", f[2], N * P), show_floats("layers", f[4], N * R);
    steps(4, N, (void *)f[0], (void *)f[1], (void *)f[2]);
    show_floats("steps", f[1], N * N), show_floats("steps", f[2], N * N);
    backwards(N, M, P, (void *)d[0], (void *)d[1], (void *)d[5], v);
    show_doubles("backwards", d[5], N * M), show_doubles("backwards", v, M);
    columns(N, P, (void *)d[0], v, (void *)d[3]);
    show_doubles("columns", v, P), show_doubles("columns", d[3], P * P);
    trailing(M, 3, 32, (void *)d[1], (void *)d[2], (void *)d[4]);
    show_doubles("trailing", d[1], M * M), show_doubles("trailing", d[2], M * M);
    both_ways(N, P, (void *)d[2], v, w, x, (void *)d[5]);
    show_doubles("both ways", w, N), show_doubles("both ways", x, P), show_doubles("both ways", d[5], N * P);
    paths(N, P, (void *)f[3], (void *)f[5], (void *)f[0], g);
    show_floats("paths", f[0], N * N), show_floats("paths", g, N);
    return 0;
}
