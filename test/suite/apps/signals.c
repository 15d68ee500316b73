// device 6
// signals.c -- transforms, random numbers, options, scans and sorting networks.
#include "../suite.h"
typedef struct { double re, im; } cplx;
static void dft(int n, const cplx *in, cplx *out) {
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        cplx s = {0, 0};
        for (int t = 0; t < n; t++) {
            double a = -2 * M_PI * k * t / n, c = cos(a), d = sin(a);
            s.re += in[t].re * c - in[t].im * d;
            s.im += in[t].re * d + in[t].im * c;
        }
        out[k] = s;
    }
}
static void fft(int logn, cplx *x, const cplx *w) {
    int n = 1 << logn;
    for (int i = 0, j = 0; i < n; i++) {
        if (i < j) { cplx t = x[i]; x[i] = x[j]; x[j] = t; }
        int m = n >> 1;
        while (m >= 1 && (j & m)) { j &= ~m; m >>= 1; }
        j |= m;
    }
    for (int s = 1; s <= logn; s++) {
        int len = 1 << s, half = len / 2;
#pragma omp parallel for
        for (int b = 0; b < n / len; b++)
            for (int k = 0; k < half; k++) {
                cplx u = x[b * len + k], v = x[b * len + k + half], f = w[k * (n / len)];
                cplx t = {v.re * f.re - v.im * f.im, v.re * f.im + v.im * f.re};
                x[b * len + k].re = u.re + t.re;
                x[b * len + k].im = u.im + t.im;
                x[b * len + k + half].re = u.re - t.re;
                x[b * len + k + half].im = u.im - t.im;
            }
    }
}
static long pi_hits(int streams, int per) {
    long hits = 0;
#pragma omp parallel for reduction(+:hits)
    for (int s = 0; s < streams; s++) {
        unsigned x = 12345u + 7919u * s;
        for (int i = 0; i < per; i++) {
            x = x * 1664525u + 1013904223u;
            double a = (x >> 8) / 16777216.0;
            x = x * 1664525u + 1013904223u;
            double b = (x >> 8) / 16777216.0;
            if (a * a + b * b < 1.0) hits++;
        }
    }
    return hits;
}
static float cnd(float d) {
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f,
        A5 = 1.330274429f;
    float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228f * expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if (d > 0) c = 1.0f - c;
    return c;
}
static void black_scholes(int n, float *call, float *put, const float *S, const float *X, const float *T,
                          float R, float V) {
#pragma acc parallel loop copyin(S[0:n], X[0:n], T[0:n]) copyout(call[0:n], put[0:n])
    for (int i = 0; i < n; i++) {
        float sq = sqrtf(T[i]);
        float d1 = (logf(S[i] / X[i]) + (R + 0.5f * V * V) * T[i]) / (V * sq);
        float d2 = d1 - V * sq;
        float c1 = cnd(d1), c2 = cnd(d2), e = expf(-R * T[i]);
        call[i] = S[i] * c1 - X[i] * e * c2;
        put[i] = X[i] * e * (1.0f - c2) - S[i] * (1.0f - c1);
    }
}
static void scan(int n, const int *in, int *out) { // Hillis-Steele with two buffers
    int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) a[i] = in[i];
    for (int d = 1; d < n; d *= 2) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) b[i] = i >= d ? a[i] + a[i - d] : a[i];
        int *t = a; a = b; b = t;
    }
    for (int i = 0; i < n; i++) out[i] = a[i];
    free(a); free(b);
}
static void bitonic(int n, int *a) {
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                int l = i ^ j;
                if (l > i && ((i & k) == 0 ? a[i] > a[l] : a[i] < a[l])) { int t = a[i]; a[i] = a[l];
                    a[l] = t; }
            }
        }
}
int main(void) {
    suite_use();
    static cplx in[64], out[64], w[64];
    for (int i = 0; i < 64; i++) in[i].re = suite_next(), in[i].im = suite_next(),
        w[i].re = cos(-2 * M_PI * i / 64), w[i].im = sin(-2 * M_PI * i / 64);
    dft(64, in, out); show_doubles("dft", &out[0].re, 128);
    fft(6, in, w); show_doubles("fft", &in[0].re, 128);
    printf("pi %ld\n", pi_hits(50, 100));
    static float S[200], X[200], T[200], c[200], p[200];
    for (int i = 0; i < 200; i++) S[i] = 5 + 25 * suite_next(), X[i] = 1 + 99 * suite_next(),
        T[i] = 0.25 + 9 * suite_next();
    black_scholes(200, c, p, S, X, T, 0.02f, 0.3f); show_floats("bs", c, 200); show_floats("bs", p, 200);
    static int a[256], b[256];
    fill_ints(a, 256, 1000);
    scan(256, a, b); show_ints("scan", b, 256);
    bitonic(256, a); show_ints("sort", a, 256);
    return 0;
}
