// device 18
// chunks.c -- linear recurrences: sums that begin anew, lengths of runs, smoothing, filters of two steps,
// hashes, several that hang on each other; forwards, backwards, in place, of all types, with infinities and
// NaN.
#include "../suite.h"
#define N 130001
static int c[N], x[N], y[N];
static float f[N], g[N];
static double d[N], e[N], h[N];
static long l[N], m[N];
static unsigned char text[N];

static void segments(int n) {
    float s = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        s = c[i] == 3 ? 0 : s + f[i];
        g[i] = s;
    }
}
static int segments_if(int n) {
    int s = 5;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (c[i] > 3) s = 0;
        s += x[i];
        y[i] = s;
    }
    return s;
}
static void before(int n) { // what the sum was
    int s = 1;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        y[i] = s;
        if (c[i] == 1) s = x[i];
        else s -= 3 * x[i];
    }
}
static void runs(int n) {
    if (n) y[0] = 1;
#pragma sculpt
    for (int i = 1; i < n; i++) y[i] = c[i] == c[i - 1] ? y[i - 1] + 1 : 1;
}
static int runs_scalar(int n) {
    int r = 1;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        if (c[i] == c[i - 1]) r++;
        else r = 1;
        y[i] = r;
    }
    return r;
}
static void runs_branch(int n) {
    if (n) y[0] = 1;
#pragma sculpt
    for (int i = 1; i < n; i++) {
        if (c[i] == c[i - 1]) y[i] = y[i - 1] + 1;
        else y[i] = 1;
    }
}
static void linear(int n) {
    double s = 1;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        s = d[i] * s + e[i];
        h[i] = s;
    }
}
static void linear_back(int n) {
#pragma sculpt reassociate
    for (int i = n - 2; i >= 0; i--) h[i] = e[i] - d[i] * h[i + 1];
}
static double in_place(int n) {
    double s = 2;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        double t = d[i] * 0.5;
        s = s * t + h[i] / 3;
        h[i] = s - h[i];
    }
    return s;
}
static void smooth(int n, float alpha) {
#pragma sculpt reassociate
    for (int i = 1; i < n; i++) g[i] = alpha * f[i] + (1 - alpha) * g[i - 1];
}
static void smooth_step(int n, float alpha) {
    float s = f[0];
#pragma sculpt reassociate
    for (int i = 0; i < n; i += 3) {
        s += alpha * (f[i] - s);
        g[i] = s;
    }
}
static void filter(int n) {
#pragma sculpt reassociate
    for (int i = 2; i < n; i++) h[i] = 0.2 * d[i] + 1.3 * h[i - 1] - 0.5 * h[i - 2];
}
static void filter_states(int n) {
    double w1 = 0, w2 = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        double w = d[i] - 0.4 * w1 - 0.3 * w2;
        h[i] = w + 2 * w1 + w2;
        w2 = w1;
        w1 = w;
    }
}
static void two(int n) { // each hangs on both
    long a = 1, b = -2;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        long t = a;
        a = 3 * a + b - l[i];
        if (l[i] & 1) b = t - b;
        m[i] = a ^ b;
    }
}
static unsigned hash(int n) {
    unsigned v = 5381;
#pragma sculpt
    for (int i = 0; i < n; i++) v = ((v << 5) + v) + text[i];
    return v;
}
static unsigned long polynomial(int n) {
    unsigned long v = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) v = v * 1000003 + text[i] * (i + 1UL);
    return v;
}
static void infinite(int n) { // an infinity ends where the sum begins anew, NaN too
    float s = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        s = c[i] == 3 ? f[i] : 0.5f * s + (x[i] == 4 && i % 61 == 7 ? 1 / (f[i] - f[i]) : f[i]);
        g[i] = s;
    }
}
static void never(int n) { // it grows without end, but from 0
    double s = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        s = 2.5 * s + (i > n - 40 ? 1 : 0);
        h[i] = s;
    }
}
static void squares(int n) { // not linear
    unsigned s = 3;
    for (int i = 0; i < n; i++) y[i] = s = s * s + x[i];
}
static void strict(int n) { // in their order
    float s = 3;
    for (int i = 0; i < n; i++) g[i] = s = 0.3f * s + f[i];
}

static void fill(int n) {
    fill_ints(c, N, 7), fill_ints(x, N, 9);
    for (int i = 0; i < N; i++) {
        y[i] = i % 5, f[i] = (i * 37 % 101 - 20) / 64.f, g[i] = f[(i + 1) % N];
        d[i] = (i * 13 % 61) / 64.0, e[i] = (i % 17) / 4.0 - 2, h[i] = e[(i + 3) % N];
        l[i] = i * 7 % 23 - 11, m[i] = 0, text[i] = i * 31 % 251;
    }
    (void)n;
}
#define RUN(call, show, y)                                                                        \
    do {                                                                                          \
        fill(n);                                                                                  \
        call;                                                                                     \
        show(#call, y, n);                                                                        \
    } while (0)
static int many[N];
static void show_longs(const char *name, const long *v, int n) {
    for (int i = 0; i < n; i++) many[i] = (int)(v[i] ^ v[i] >> 32);
    show_ints(name, many, n);
}
static void show_bits(const char *name, const float *v, int n) { // infinities and NaN
    for (int i = 0; i < n; i++) many[i] = isnan(v[i]) ? 7 : isinf(v[i]) ? 8 : (int)(v[i] * 16);
    show_ints(name, many, n);
}

int main(void) {
    static const int sizes[] = {33, N};
    for (int k = 0; k < 2; k++) {
        int n = sizes[k];
        RUN(segments(n), show_floats, g);
        RUN(printf("%d\n", segments_if(n)), show_ints, y);
        RUN(before(n), show_ints, y);
        RUN(runs(n), show_ints, y);
        RUN(printf("%d\n", runs_scalar(n)), show_ints, y);
        RUN(runs_branch(n), show_ints, y);
        RUN(linear(n), show_doubles, h);
        RUN(linear_back(n), show_doubles, h);
        RUN(printf("%.6f\n", in_place(n)), show_doubles, h);
        RUN(smooth(n, 0.1f), show_floats, g);
        RUN(smooth_step(n, 0.1f), show_floats, g);
        RUN(filter(n), show_doubles, h);
        RUN(filter_states(n), show_doubles, h);
        RUN(two(n), show_longs, m);
        RUN(printf("%u\n", hash(n)), show_ints, y);
        RUN(printf("%lu\n", polynomial(n)), show_ints, y);
        RUN(infinite(n), show_bits, g);
        RUN(never(n), show_doubles, h);
        RUN(squares(n), show_ints, y);
        RUN(strict(n), show_floats, g);
    }
    suite_use();
}
