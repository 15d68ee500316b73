// device 21
// sliding.c -- windows that slide along with their results: filters, boxes, correlations, convolutions with
// strides, padding and dilation in arguments.
#include "../suite.h"
typedef unsigned char u8;
static void fir(int n, int m, const float *restrict h, const float *restrict x, float *restrict y) {
#pragma omp parallel for
    for (int i = 0; i <= n - m; i++) {
        float s = 0;
        for (int k = 0; k < m; k++) s += h[k] * x[i + k];
        y[i] = s;
    }
}
static void causal(int c, int t, int m, const double x[c][t], const double h[c][m], double y[c][t]) {
#pragma omp parallel for
    for (int i = 0; i < c; i++)
        for (int j = m - 1; j < t; j++) {
            y[i][j] = 0;
            for (int k = 0; k < m; k++) y[i][j] += h[i][k] * x[i][j - k];
        }
}
static void channels(int t, int c, int m, const float x[t][c], const float h[m], float y[t][c]) {
#pragma omp parallel for collapse(2)
    for (int i = m - 1; i < t; i++)
        for (int j = 0; j < c; j++) {
            float s = 0;
            for (int k = 0; k < m; k++) s += h[k] * x[i - k][j];
            y[i][j] = s;
        }
}
static void apart(int n, int d, int m, const float *restrict x, const float *restrict h, float *restrict y) {
#pragma omp parallel for
    for (int i = 0; i < n - d * (m - 1); i++) {
        float s = 0;
        for (int k = 0; k < m; k++) s += h[k] * x[i + k * d];
        y[i] = s;
    }
}
static void box(int n, int r, const float *restrict x, float *restrict y) {
#pragma omp parallel for
    for (int i = r; i < n - r; i++) {
        float s = 0;
        for (int k = -r; k <= r; k++) s += x[i + k];
        y[i] = s / (2 * r + 1);
    }
}
static void greatest(int h, int w, int r, const u8 *restrict x, u8 *restrict y) {
#pragma omp parallel for collapse(2)
    for (int i = r; i < h - r; i++)
        for (int j = r; j < w - r; j++) {
            u8 m = 0;
            for (int p = -r; p <= r; p++)
                for (int q = -r; q <= r; q++)
                    if (x[(i + p) * w + j + q] > m) m = x[(i + p) * w + j + q];
            y[i * w + j] = m;
        }
}
static void columns(int n, int m, int r, const float x[n][m], float y[n][m]) {
#pragma omp parallel for collapse(2)
    for (int i = r; i < n - r; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int p = -r; p <= r; p++) s += x[i + p][j];
            y[i][j] = s / (2 * r + 1);
        }
}
static void same(int h, int w, int r, const float *restrict x, const float *restrict g, float *restrict y) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float s = 0;
            for (int p = -r; p <= r; p++)
                for (int q = -r; q <= r; q++)
                    if (i + p >= 0 && i + p < h && j + q >= 0 && j + q < w)
                        s += x[(i + p) * w + j + q] * g[(p + r) * (2 * r + 1) + q + r];
            y[i * w + j] = s;
        }
}
static void toeplitz(int n, const float *restrict t, const float *restrict x, float *restrict y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) s += t[n - 1 + i - j] * x[j];
        y[i] = s;
    }
}
static void differences(int n, int m, const float *restrict x, const float *restrict p, float *restrict d) {
#pragma omp parallel for
    for (int i = 0; i <= n - m; i++) {
        float s = 0;
        for (int k = 0; k < m; k++) s += fabsf(x[i + k] - p[k]);
        d[i] = s;
    }
}
static void lags(int n, int m, const double *restrict x, double *restrict r) {
#pragma sculpt permit(reassociate)
    for (int l = 0; l < m; l++) {
        double s = 0;
        for (int t = 0; t < n - m; t++) s += x[t] * x[t + l];
        r[l] = s;
    }
}
static void padded(int N, int C, int H, int W, int K, int R, int S, int st, int pad, int OH, int OW,
                   const float *restrict in, const float *restrict wt, float *restrict out) {
#pragma omp parallel for collapse(2)
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++)
            for (int oy = 0; oy < OH; oy++)
                for (int ox = 0; ox < OW; ox++) {
                    float s = 0;
                    for (int c = 0; c < C; c++)
                        for (int r = 0; r < R; r++)
                            for (int q = 0; q < S; q++) {
                                int iy = oy * st + r - pad, ix = ox * st + q - pad;
                                if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                                    s += in[((n * C + c) * H + iy) * W + ix] *
                                         wt[((k * C + c) * R + r) * S + q];
                            }
                    out[((n * K + k) * OH + oy) * OW + ox] = s;
                }
}
static void strided(int N, int C, int L, int K, int R, int st, int OL, const float *restrict in,
                    const float *restrict wt, float *restrict out) {
#pragma omp parallel for
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++)
            for (int o = 0; o < OL; o++) {
                float s = 0;
                for (int c = 0; c < C; c++)
                    for (int r = 0; r < R; r++)
                        s += in[(n * C + c) * L + o * st + r] * wt[(k * C + c) * R + r];
                out[(n * K + k) * OL + o] = s;
            }
}
static void pool(int N, int H, int W, int st, int win, int OH, int OW, const float *restrict in,
                 float *restrict out) {
#pragma omp parallel for
    for (int n = 0; n < N; n++)
        for (int oy = 0; oy < OH; oy++)
            for (int ox = 0; ox < OW; ox++) {
                float m = -1e30f;
                for (int r = 0; r < win; r++)
                    for (int q = 0; q < win; q++) {
                        float v = in[(n * H + oy * st + r) * W + ox * st + q];
                        if (v > m) m = v;
                    }
                out[(n * OH + oy) * OW + ox] = m;
            }
}
static void dilated(int K, int C, int H, int W, int d, const float x[C][H][W], const float w[K][C][3][3],
                    float y[K][H][W]) {
#pragma omp parallel for
    for (int k = 0; k < K; k++)
        for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++) {
                float s = 0;
                for (int c = 0; c < C; c++)
                    for (int r = 0; r < 3; r++)
                        for (int q = 0; q < 3; q++) {
                            int ii = i + (r - 1) * d, jj = j + (q - 1) * d;
                            if (ii >= 0 && ii < H && jj >= 0 && jj < W) s += x[c][ii][jj] * w[k][c][r][q];
                        }
                y[k][i][j] = s;
            }
}
static void shrink(int H, int W, int f, const float *restrict in, float *restrict out) {
#pragma omp parallel for
    for (int i = 0; i < H / f; i++)
        for (int j = 0; j < W / f; j++) {
            float s = 0;
            for (int p = 0; p < f; p++)
                for (int q = 0; q < f; q++) s += in[(i * f + p) * W + j * f + q];
            out[i * (W / f) + j] = s / (f * f);
        }
}
static void pairs(int n, int m, const float *restrict hr, const float *restrict hi, const float *restrict xr,
                  const float *restrict xi, float *restrict yr, float *restrict yi) {
#pragma omp parallel for
    for (int i = 0; i <= n - m; i++) {
        float a = 0, b = 0;
        for (int k = 0; k < m; k++) {
            a += hr[k] * xr[i + k] - hi[k] * xi[i + k];
            b += hr[k] * xi[i + k] + hi[k] * xr[i + k];
        }
        yr[i] = a, yi[i] = b;
    }
}
static void both_ends(int h, int w, int r, const float x[h][w], float lo[h][w], float hi[h][w]) {
#pragma omp parallel for collapse(2)
    for (int i = r; i < h - r; i++)
        for (int j = r; j < w - r; j++) {
            float a = x[i][j], b = x[i][j];
            for (int p = -r; p <= r; p++)
                for (int q = -r; q <= r; q++) {
                    if (x[i + p][j + q] < a) a = x[i + p][j + q];
                    if (x[i + p][j + q] > b) b = x[i + p][j + q];
                }
            lo[i][j] = a, hi[i][j] = b;
        }
}
static void mean(int h, int w, int r, const float x[h][w], float y[h][w]) { // of what lies in the picture
#pragma omp parallel for
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float s = 0;
            int n = 0;
            for (int p = -r; p <= r; p++)
                for (int q = -r; q <= r; q++)
                    if (i + p >= 0 && i + p < h && j + q >= 0 && j + q < w) s += x[i + p][j + q], n++;
            y[i][j] = s / n;
        }
}
static void match(int n, int m, const u8 img[n][m], const u8 t[12][12], int out[n][m]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n - 11; i++)
        for (int j = 0; j < m - 11; j++) {
            int s = 0;
            for (int p = 0; p < 12; p++)
                for (int q = 0; q < 12; q++) {
                    int e = img[i + p][j + q] - t[p][q];
                    s += e * e;
                }
            out[i][j] = s;
        }
}
static void bilateral(int h, int w, int r, float far, const float x[h][w], float y[h][w]) {
#pragma omp parallel for
    for (int i = r; i < h - r; i++)
        for (int j = r; j < w - r; j++) {
            float s = 0, z = 0;
            for (int p = -r; p <= r; p++)
                for (int q = -r; q <= r; q++) {
                    float d = x[i + p][j + q] - x[i][j], g = 1 / (1 + far * (p * p + q * q) + d * d);
                    s += g * x[i + p][j + q];
                    z += g;
                }
            y[i][j] = s / z;
        }
}
static float *floats(long n) {
    float *x = malloc((size_t)n * sizeof *x);
    fill_floats(x, n);
    return x;
}
static double *doubles(long n) {
    double *x = malloc((size_t)n * sizeof *x);
    fill_doubles(x, n);
    return x;
}
int main(void) {
    suite_use();
    float *x = floats(5003), *h = floats(977), *y = floats(5003), *z = floats(5003);
    fir(5003, 77, h, x, y); show_floats("fir", y, 5003);
    fir(3001, 8, h, x, y); show_floats("fir", y, 5003);
    double *p = doubles(3 * 1999), *g = doubles(3 * 19), *q = doubles(3 * 1999);
    causal(3, 1999, 19, (void *)p, (void *)g, (void *)q); show_doubles("causal", q, 3 * 1999);
    channels(71, 67, 5, (void *)x, (void *)h, (void *)y); show_floats("channels", y, 5003);
    apart(5003, 3, 9, x, h, y); show_floats("apart", y, 5003);
    apart(4999, 11, 40, x, h, y); show_floats("apart", y, 5003);
    box(5003, 4, x, y); show_floats("box", y, 5003);
    u8 *a = malloc(61 * 83), *b = malloc(61 * 83);
    int bytes[61 * 83];
    for (int i = 0; i < 61 * 83; i++) a[i] = (u8)(suite_next() * 256), b[i] = 1;
    greatest(61, 83, 3, a, b);
    for (int i = 0; i < 61 * 83; i++) bytes[i] = b[i];
    show_ints("greatest", bytes, 61 * 83);
    columns(71, 67, 2, (void *)x, (void *)y); show_floats("columns", y, 5003);
    same(60, 83, 2, x, h, y); show_floats("same", y, 5003);
    float *t = floats(2 * 613 - 1), *u = floats(613), *v = floats(613);
    toeplitz(613, t, u, v); show_floats("toeplitz", v, 613);
    differences(5003, 31, x, h, y); show_floats("differences", y, 5003);
    lags(1999, 37, p, q); show_doubles("lags", q, 37);
    float *in = floats(2 * 5 * 23 * 29), *w = floats(6 * 5 * 3 * 3), *out = floats(2 * 6 * 23 * 29);
    padded(2, 5, 23, 29, 6, 3, 3, 1, 1, 23, 29, in, w, out); show_floats("padded", out, 2 * 6 * 23 * 29);
    padded(2, 5, 23, 29, 6, 3, 3, 2, 0, 11, 14, in, w, out); show_floats("padded", out, 2 * 6 * 11 * 14);
    strided(2, 5, 23 * 29, 6, 9, 2, 330, in, w, out); show_floats("strided", out, 2 * 6 * 330);
    pool(10, 23, 29, 2, 3, 11, 14, in, out); show_floats("pool", out, 10 * 11 * 14);
    dilated(6, 5, 23, 29, 2, (void *)in, (void *)w, (void *)out); show_floats("dilated", out, 6 * 23 * 29);
    shrink(61, 82, 4, x, y); show_floats("shrink", y, 15 * 20);
    pairs(2003, 33, h, h + 100, x, x + 2100, y, z); show_floats("pairs", y, 1971);
    show_floats("pairs", z, 1971);
    both_ends(60, 83, 2, (void *)x, (void *)y, (void *)z); show_floats("least", y, 60 * 83);
    show_floats("greatest", z, 60 * 83);
    mean(60, 83, 3, (void *)x, (void *)y); show_floats("mean", y, 60 * 83);
    match(61, 83, (void *)a, (void *)b, bytes); show_ints("match", bytes, 61 * 83);
    bilateral(60, 83, 2, 0.1f, (void *)x, (void *)y); show_floats("bilateral", y, 60 * 83);
    return 0;
}
