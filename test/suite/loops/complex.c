// device 19
// complex.c -- complex numbers wherever C has them: elements, variables, members, arguments, tables, sums.
#include "../suite.h"
#include <complex.h>
#include <tgmath.h>
enum { N = 300 };
typedef double complex number;
typedef struct { number a[2]; float complex f; double w; } Site;
typedef struct { number *data; int n; number scale; } Vector;
typedef struct { number m[2][2]; } Gate;
static number G[N], H[N], K[4][N];
static const number twiddle[4] = {1, 2, 3, 4};
static void show(const char *name, const number *z, int n) { show_doubles(name, (const double *)z, 2L * n); }
static number half(number z) { z /= 2; return z; }
static void turn(number *z, number by) { *z *= by; }
static inline number pick(int k, number a, number b) {
    if (k & 1) return a;
    return b - 1;
}
static inline number times(number a, number b) { return a * b; }
static void scale(Vector *v, number by) {
#pragma sculpt
    for (int i = 0; i < v->n; i++) v->data[i] *= by * v->scale;
}
static void sums(const number *x, const number *y, const float complex *f) {
    number sum = 0, dot = 0;
    float complex fs = 0;
    double norm = 0;
#pragma omp parallel for reduction(+ : sum, norm) reduction(- : fs)
    for (int i = 0; i < N; i++) sum += x[i], norm += creal(x[i] * conj(x[i])), fs -= f[i];
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) dot += x[i] * ~y[i];
    printf("%.9e %.9e %.9e %.3e %.3e %.9e %.9e\n",
           creal(sum), cimag(sum), norm, crealf(fs), cimagf(fs), creal(dot), cimag(dot));
}
static void clauses(const number *a, number *b) {
    number t, last = 0, first = 2 + I;
#pragma omp parallel for private(t) firstprivate(first) lastprivate(last)
    for (int i = 0; i < N; i++) t = a[i] * first, b[i] = t + twiddle[i & 3], last = b[i];
    printf("%.9e %.9e\n", creal(last), cimag(last));
#pragma sculpt
    for (int i = 0; i < N; i++) {
        t = half(a[i]);
        turn(&t, I);
        b[i] += pick(i, t, a[i]);
        last = t;
    }
    printf("%.9e %.9e %.9e %.9e\n", creal(last), cimag(last), creal(t), cimag(t));
}
static void records(Site *s, number *x) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        s[i].a[0] += s[i].a[1] * s[i].w;
        s[i].a[1] = s[i].w > 50 ? s[i].a[0] : conj(s[i].a[1]);
        s[i].f /= 2;
        s[i].w = fabs(s[i].a[0]);
    }
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = s[i].a[1] + s[i].f;
    show("records", x, N);
    Gate g = {{{1, I}, {-I, 2}}};
#pragma sculpt
    for (int i = 0; i < N / 2; i++) {
        number u = x[2 * i], v = x[2 * i + 1];
        x[2 * i] = g.m[0][0] * u + g.m[0][1] * v;
        x[2 * i + 1] = g.m[1][0] * u + g.m[1][1] * v;
    }
    show("gate", x, N);
}
static void parts(number *y, double *re, double *im) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        y[i] = re[i] + im[i] * I;
        number q = exp(I * re[i] * 0.01);
        y[i] *= q;
        y[i] -= sqrt(G[i]);
    }
    show("y", y, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        __real__ y[i] += 1;
        __imag__ y[i] *= 2;
        re[i] = __real__(y[i] * y[i]);
        im[i] = y[i];
        y[i] = 3i - y[i];
        y[i]++;
    }
    show("y", y, N), show_doubles("re", re, N), show_doubles("im", im, N);
}
static void choices(const number *a, number *b, const int *k, const double *r) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        switch (k[i]) {
        case 0: K[0][i] = a[i]; break;
        case 1: K[0][i] = -a[i]; break;
        default: K[0][i] = (k[i] > 1 ? a[i] : b[i]) * 1i;
        }
        K[1][i] = a[N - 1 - i];
        K[2][i] = 0;
        for (int j = 0; j <= i; j++) K[2][i] += b[j] * r[i - j];
    }
    show("K", K[0], 3 * N);
#pragma sculpt
    for (int i = 0; i < N; i++)
        if (cabs(a[i]) > 30 && a[i] != 7 + I) b[i] = 1 / a[i];
        else b[i]--;
    show("b", b, N);
}
static void escapes(number *x, double *steps) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        number z = 0, c = CMPLX(-2 + 3.0 * i / N, 0.3);
        int k = 0;
        while (k < 50 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) z = z * z + c, k++;
        steps[i] = k;
        x[i] = k < 50 ? z : 0;
    }
    show("escapes", x, N), show_doubles("steps", steps, N);
}
static void waves(void) {
    number *p = G, *q = H;
    for (int t = 0; t < 6; t++) {
#pragma sculpt
        for (int i = 1; i < N - 1; i++) q[i] = p[i] + 0.1 * I * (p[i - 1] - 2 * p[i] + p[i + 1]);
        number *r = p;
        p = q;
        q = r;
    }
    show("waves", G, N);
}
static void transform(int n, int half, number *x, const number *w) {
#pragma omp parallel for
    for (int b = 0; b < n / (2 * half); b++)
        for (int k = 0; k < half; k++) {
            number u = x[2 * b * half + k], v = times(x[(2 * b + 1) * half + k], w[k]);
            x[2 * b * half + k] = u + v;
            x[(2 * b + 1) * half + k] = u - v;
        }
}
static void planes(int n, int m, number z[n][m], float complex w[restrict n][m], const number t[m]) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            z[i][j] -= w[i][j] * t[j];
            w[i][j] = z[i][j];
        }
    show("planes", z[0], n * m);
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            number s = 0;
            for (int k = 0; k < m; k++) s += z[i][k] * conj(z[j % n][k]);
            w[i][j] = s / m;
        }
    number sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum += w[i][j] * (i + j % 5);
    printf("%.3e %.3e\n", creal(sum), cimag(sum));
}
static void copies(number *x) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        number t[2] = {x[i], G[i]}, u = t[0];
        t[0] = t[1];
        t[1] = u;
        memcpy(&H[i], &t[0], sizeof t[0]);
        K[i % 4][i] += t[0] - I * t[1];
    }
    show("copies", H, N), show("copies", K[2], N);
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = log(H[i] + 3) + pow(G[i] / 8, 2 + 0.5 * I) + carg(x[i]) + cproj(x[i]);
    show("functions", x, N);
}
int main(void) {
    static number x[N], y[N], w[N];
    static double re[N], im[N];
    static Site s[N];
    static float complex f[N];
    int k[N];
    for (int i = 0; i < N; i++) {
        x[i] = cexp(I * 0.1 * i) * (1 + i * 0.01), y[i] = i - I * (i % 5), f[i] = x[i];
        w[i] = cexp(-I * 0.2 * i);
        re[i] = i, im[i] = -i, k[i] = i % 3, G[i] = x[i] * 2, H[i] = 0;
        for (int j = 0; j < 4; j++) K[j][i] = j + I * i;
        s[i].a[0] = i, s[i].a[1] = I * i, s[i].f = 1 + I, s[i].w = i;
    }
    sums(x, y, f), clauses(y, x), records(s, x), choices(y, x, k, re), parts(y, re, im), copies(x);
    Vector v = {y, N, 2 + I};
    scale(&v, 1 - 2 * I), show("scale", y, N);
    escapes(x, re), waves(), transform(256, 4, y, w), show("transform", y, N);
    planes(15, 20, (number(*)[20])y, (float complex(*)[20])f, x);
    return 0;
}
