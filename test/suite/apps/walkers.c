// device 16
// walkers.c -- pointers that walk through arrays.
#include "../suite.h"
#define N 48
typedef struct {
    double x, y;
} Pair;

static void copy(int n, double *to, const double *from) {
    double *d = to;
    const double *s = from;
#pragma scop
    for (int i = 0; i < n; i++) *d++ = *s++ * 2;
#pragma endscop
}
static void sums(int n, int m, double *a, const double *b) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double *s = b + i * m;
        double t = 0;
        for (int j = 0; j < m; j++) {
            t += *s;
            s++;
        }
        a[i] = t;
    }
}
static void whole(int n, int m, double *a, const double *b) {
#pragma scop
    double *d = a;
    const double *s = b;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            *d = *s + 1;
            d++;
            s += 1;
        }
#pragma endscop
}
static void columns(int n, int m, double *a, const double *b) {
#pragma scop
    for (int j = 0; j < m; j++) {
        const double *p = b + j;
        double t = 0;
        for (int i = 0; i < n; i++, p += m) t += *p;
        a[j] = t;
    }
#pragma endscop
}
static void backwards(int n, int *a) {
    int *p = a + n;
#pragma scop
    for (int i = 0; i < n; i++) *--p = i;
#pragma endscop
}
static void pairs(int n, Pair *to, const Pair *from) {
    Pair *q = to;
#pragma scop
    for (int i = 0; i < n; i++) {
        q->x = from[i].y;
        q->y = from[i].x;
        q++;
    }
#pragma endscop
}
static void padded(int n, int m, int pitch, double *a) { // rows with gaps
#pragma scop
    double *row = a;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) row[j] = i - j;
        row = row + pitch;
    }
#pragma endscop
}
static double dot(int n, const double *x, const double *y) {
    double s = 0;
    while (n > 0) {
        s += *x++ * *y++;
        n--;
    }
    return s;
}
static void dots(int n, int m, double *out, const double *a, const double *x) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double t = 0;
        const double *p = &a[i * m], *q = x;
        for (int j = 0; j < m; j++) t += *p++ * *q++;
        out[i] = t;
    }
#pragma endscop
    out[n] = dot(m, a, x);
}
static void shift(int n, int *a) { // each reads what the one before wrote
    int *p = a;
#pragma scop
    for (int i = 0; i < n - 1; i++) {
        p[1] = p[0] + 1;
        p++;
    }
#pragma endscop
}
static int squeeze(int n, int *to, const int *from) { // it depends on the data: the host's
    int *d = to;
#pragma scop
    for (int i = 0; i < n; i++)
        if (from[i] % 3) *d++ = from[i];
#pragma endscop
    return (int)(d - to);
}
static double *fill(int n, double *p) { // where it ends is told: the host's
#pragma scop
    for (int i = 0; i < n; i++) *p++ = i;
#pragma endscop
    return p;
}
static void twice(int n, int *a, int *b) { // set anew, and moved
    int *p;
#pragma scop
    p = a;
    for (int i = 0; i < n; i++) *p++ = i;
    p = b;
    for (int i = 0; i < n; i++) {
        *p = a[i] * 2;
        p += 1;
    }
#pragma endscop
}
static void changing(int n, int *a, int *b) { // another target in each iteration: the host's
    int *p = a, *q = b;
#pragma scop
    for (int i = 0; i < n; i++) {
        *p = i;
        p = q;
        q++;
    }
#pragma endscop
}
static void overlapping(int n, double *a) { copy(n, a + 1, a); }
static void bytes(int n, unsigned char *to, const unsigned char *from) {
    unsigned char *d = to;
    const unsigned char *s = from;
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned char r = *s++, g = *s++, b = *s++;
        *d++ = (unsigned char)((r + 2 * g + b) / 4);
    }
#pragma endscop
}
static void interleave(int n, float *out, const float *a, const float *b) {
    float *o = out;
#pragma scop
    for (int i = 0; i < n; i++) {
        *o++ = a[i];
        *o++ = b[i];
    }
#pragma endscop
}

static void between(int n, double *a, const double *b) {
#pragma scop
    for (double *p = a; p < a + n; p++) *p += 1;
    for (const double *q = b; q != b + n; ++q) a[q - b + 0] += 0;
#pragma endscop
}
static void among(int n, Pair *pairs, double *sum) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (Pair *p = pairs; p != pairs + 7; p++) {
            if (p->x > i) continue;
            s += p->x * i + p->y;
        }
        sum[i] = s;
    }
}
static void ints_of_chars(int n, char *c) { // bytes, not elements: the host's
#pragma scop
    for (int *p = (int *)c; p < (int *)(c + n); p++) *p = 5;
#pragma endscop
}
static void only(int n, double *a) {
#pragma scop
    for (double *p = a; p < a + n; p++) *p = *p * 2 + 1;
#pragma endscop
}

int main(void) {
    double a[N * N], b[N * N];
    int c[N + 1], d[N + 1];
    Pair p[N], q[N];
    unsigned char u[3 * N], v[N];
    float f[N], g[N], h[2 * N];
    fill_doubles(a, N * N), fill_doubles(b, N * N), fill_ints(c, N + 1, 90), fill_ints(d, N + 1, 90);
    fill_floats(f, N), fill_floats(g, N);
    for (int i = 0; i < N; i++) p[i] = (Pair){i, 2 * i}, q[i] = (Pair){0, 0};
    for (int i = 0; i < 3 * N; i++) u[i] = (unsigned char)(i * 37);
    copy(N, a, b), show_doubles("copy", a, N);
    copy(0, a, b), show_doubles("none", a, N);
    sums(9, 13, a, b), show_doubles("sums", a, 9);
    whole(9, 13, a, b), show_doubles("whole", a, 117);
    whole(9, 0, a, b), show_doubles("whole none", a, 117);
    columns(9, 13, a, b), show_doubles("columns", a, 13);
    backwards(N, c), show_ints("backwards", c, N);
    pairs(N, q, p), show_doubles("pairs", &q[0].x, 2 * N);
    padded(7, 5, 9, a), show_doubles("padded", a, 63);
    padded(7, 5, 3, a), show_doubles("padded over", a, 63);
    dots(8, 11, a, b, b + 200), show_doubles("dots", a, 9);
    shift(N, c), show_ints("shift", c, N);
    int n = squeeze(N, d, c);
    printf("%d\n", n), show_ints("squeeze", d, n);
    printf("%d\n", (int)(fill(N, a) - a)), show_doubles("fill", a, N);
    twice(N, c, d), show_ints("twice", c, N), show_ints("twice b", d, N);
    changing(N, c, d), show_ints("changing", c, N), show_ints("changing b", d, N);
    overlapping(N, a), show_doubles("overlapping", a, N + 1);
    bytes(N, v, u), printf("bytes %d %d %d\n", v[0], v[7], v[N - 1]);
    interleave(N, h, f, g), show_floats("interleave", h, 2 * N);
    between(N, a, b), show_doubles("between", a, N);
    among(N, p, a), show_doubles("among", a, N);
    only(N, a), only(0, a), only(-3, a), show_doubles("only", a, N);
    int w[N] = {0};
    ints_of_chars(40, (char *)w), show_ints("ints of chars", w, N);
    return 0;
}
