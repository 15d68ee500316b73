// device 11
// flags: -ffp-contract=off
// infinite.c -- products, quotients and functions of complex numbers with infinities, NaN, zeros of both
// signs and numbers near the ends of their types; sums that are computed once more because of them.
#include "../suite.h"
#include <complex.h>
enum { N = 15, ALL = N * N };
static double word(double x) { return x != x ? 0.125 : x; } // NaN, whatever its sign
static double sign(double x) { return x != x ? 0 : signbit(x) ? -1 : 1; }
static void show(const char *name, const double complex *z, int n) {
    for (int i = 0; i < n; i++) {
        double x = creal(z[i]), y = cimag(z[i]);
        printf("%s %d %d%d%d %g %g %g %g\n", name, i, x != x, y != y, isinf(x) || isinf(y), word(x), word(y),
               sign(x), sign(y));
    }
}
static double complex z[ALL], w[ALL], p[ALL], q[ALL], r[ALL];
static float complex fz[ALL], fw[ALL], fp[ALL], fq[ALL];
static double complex a[N][N], b[N][N], c[N][N], d[N][N];
static float complex fc[N][N];
static void products(void) {
#pragma omp parallel for
    for (int i = 0; i < ALL; i++) p[i] = z[i] * w[i];
#pragma omp parallel for
    for (int i = 0; i < ALL; i++) q[i] = z[i] / w[i];
    show("product", p, ALL), show("quotient", q, ALL);
#pragma omp parallel for
    for (int i = 0; i < ALL; i++) fp[i] = fz[i] * fw[i], fq[i] = fz[i] / fw[i];
    for (int i = 0; i < ALL; i++) p[i] = fp[i], q[i] = fq[i];
    show("product of floats", p, ALL), show("quotient of floats", q, ALL);
}
// A real operand is not made complex.
static void mixed(void) {
#pragma omp parallel for
    for (int i = 0; i < ALL; i++) {
        double x = creal(w[i]);
        p[i] = x * z[i], q[i] = z[i] / x, r[i] = x - z[i] + I;
    }
    show("scaled", p, ALL), show("divided", q, ALL), show("less", r, ALL);
#pragma omp parallel for
    for (int i = 0; i < ALL; i++) p[i] = 1 / z[i], q[i] = I * z[i], r[i] = cproj(z[i]) + (z[i] == w[i]);
    show("inverse", p, ALL), show("turned", q, ALL), show("projected", r, ALL);
}
static void functions(void) {
#pragma omp parallel for
    for (int i = 0; i < ALL; i++) p[i] = cexp(z[i] / 4), q[i] = csqrt(z[i]), r[i] = clog(z[i]);
    show("cexp", p, ALL), show("csqrt", q, ALL), show("clog", r, ALL);
}
static void sums(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double complex s = 0;
            for (int k = 0; k < n; k++) s += a[i][k] * conj(b[j][k]);
            d[i][j] = 2 * s;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float complex s = fc[i][j];
            for (int k = 0; k < n; k++) s -= (float complex)a[i][k] * fz[k * n + j];
            fc[i][j] = s;
        }
    show("sum", c[0], ALL), show("conjugate", d[0], ALL);
    for (int i = 0; i < ALL; i++) p[i] = fc[0][i];
    show("sum of floats", p, ALL);
}
// Sums in a variable, and of each row, of which some terms are infinite in the end.
static void dots(int n) {
    double complex s = 1, t[2] = {0, 0};
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += p[i] * q[i];
#pragma omp parallel for
    for (int j = 0; j < 2; j++)
        for (int i = j * n / 2; i < (j + 1) * n / 2; i++) t[j] += conj(p[i]) * q[i];
    show("dot", &s, 1), show("halves", t, 2);
}
int main(void) {
    static const double v[N] = {0,     -0.0,    1,        -2,        3.5, 1e-310, 1e-300, -1e160,
                                1e300, 1.7e308, INFINITY, -INFINITY, NAN, 0.75,   -1e-20};
    static const float f[N] = {0,     -0.0f,   1,        -2,        3.5f, 1e-40f, 1e-37f, -1e20f,
                               1e38f, 3.3e38f, INFINITY, -INFINITY, NAN,  0.75f,  -1e-20f};
    for (int i = 0; i < ALL; i++) {
        z[i] = CMPLX(v[i / N], v[i % N]), w[i] = CMPLX(v[(i * 7 + 3) % N], v[(i * 11 + i / N) % N]);
        fz[i] = CMPLXF(f[i / N], f[i % N]), fw[i] = CMPLXF(f[(i * 7 + 3) % N], f[(i * 11 + i / N) % N]);
        a[0][i] = CMPLX(i % 7 - 3, i % 5 - 2), b[0][i] = CMPLX(i % 3 - 1, i % 11 - 5);
        c[0][i] = CMPLX(i, -i), fc[0][i] = CMPLXF(i % 9, 1);
    }
    products(), mixed(), functions();
    for (int i = 0; i < ALL; i++) fz[i] = CMPLXF(i % 4, i % 6 - 2);
    a[3][4] = CMPLX(INFINITY, NAN), a[6][6] = CMPLX(1e300, 1e300), b[6][12] = CMPLX(1e300, -1e300);
    b[8][9] = CMPLX(INFINITY, INFINITY), a[10][1] = NAN, c[1][2] = CMPLX(NAN, NAN), c[2][2] = CMPLX(NAN, 1);
    b[5][5] = 0, a[9][5] = INFINITY, a[11][2] = CMPLX(NAN, NAN), fz[20] = CMPLXF(INFINITY, NAN);
    sums(N);
    for (int i = 0; i < ALL; i++) p[i] = CMPLX(i % 5, -i % 3), q[i] = CMPLX(i % 7, 2);
    dots(ALL);
    p[30] = CMPLX(INFINITY, NAN), q[30] = CMPLX(1, -1);
    dots(ALL);
    p[31] = CMPLX(NAN, NAN);
    dots(ALL);
    return 0;
}
