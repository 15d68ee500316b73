// SPDX-License-Identifier: MIT
// complex.c -- the product of complex matrices, float.
#include "kind.h"

typedef struct {
    float re, im;
} Complex;

#if SPELLING == 1 // real and imaginary parts in arrays of their own
static void product(int n, const float *ar, const float *ai, const float *br, const float *bi, float *cr,
                    float *ci) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float re = 0, im = 0;
            for (int k = 0; k < n; k++) {
                re += ar[i * n + k] * br[k * n + j] - ai[i * n + k] * bi[k * n + j];
                im += ar[i * n + k] * bi[k * n + j] + ai[i * n + k] * br[k * n + j];
            }
            cr[i * n + j] = re;
            ci[i * n + j] = im;
        }
}
#elif SPELLING == 2 // the same, in place
static void product(int n, const float (*ar)[n], const float (*ai)[n], const float (*br)[n],
                    const float (*bi)[n], float (*cr)[n], float (*ci)[n]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            cr[i][j] = ci[i][j] = 0;
            for (int k = 0; k < n; k++) {
                cr[i][j] += ar[i][k] * br[k][j];
                cr[i][j] -= ai[i][k] * bi[k][j];
                ci[i][j] += ar[i][k] * bi[k][j];
                ci[i][j] += ai[i][k] * br[k][j];
            }
        }
}
#elif SPELLING == 3 // structs, members one by one
static void product(int n, const Complex *a, const Complex *b, Complex *c) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float re = 0, im = 0;
            for (int k = 0; k < n; k++) {
                re += a[i * n + k].re * b[k * n + j].re - a[i * n + k].im * b[k * n + j].im;
                im += a[i * n + k].re * b[k * n + j].im + a[i * n + k].im * b[k * n + j].re;
            }
            c[i * n + j].re = re;
            c[i * n + j].im = im;
        }
}
#else // structs and functions of them
static Complex times(Complex x, Complex y) {
    return (Complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
static Complex plus(Complex x, Complex y) { return (Complex){x.re + y.re, x.im + y.im}; }
static void product(int n, const Complex (*a)[n], const Complex (*b)[n], Complex (*c)[n]) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Complex sum = {0, 0};
            for (int k = 0; k < n; k++) sum = plus(sum, times(a[i][k], b[k][j]));
            c[i][j] = sum;
        }
}
#endif

#if SPELLING <= 2
enum { APART = 1 };
#else
enum { APART = 0 };
#endif
// Element i of a matrix of all elements: the parts one behind the other, or in turns.
static double re(const float *x, size_t all, size_t i) { return APART ? x[i + 0 * all] : x[2 * i]; }
static double im(const float *x, size_t all, size_t i) { return APART ? x[i + all] : x[2 * i + 1]; }

int main(int argc, char **argv) {
    kind_begin("complex", argc, argv);
    int n = kind_size(4096, 53);
    size_t all = (size_t)n * n;
    float *a = kind_floats(2 * all, 1), *b = kind_floats(2 * all, 2), *c = kind_floats(2 * all, 3);
#pragma acc enter data copyin(a[0 : 2 * all], b[0 : 2 * all], c[0 : 2 * all])
    while (kind_again()) {
#if SPELLING <= 2
        product(n, (void *)a, (void *)(a + all), (void *)b, (void *)(b + all), (void *)c, (void *)(c + all));
#else
        product(n, (void *)a, (void *)b, (void *)c);
#endif
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : 2 * all], b[0 : 2 * all]) copyout(c[0 : 2 * all])
    for (int s = 0; s < 300; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double r = 0, m = 0;
        for (int k = 0; k < n; k++) {
            size_t x = (size_t)i * n + k, y = (size_t)k * n + j;
            r += re(a, all, x) * re(b, all, y) - im(a, all, x) * im(b, all, y);
            m += re(a, all, x) * im(b, all, y) + im(a, all, x) * re(b, all, y);
        }
        kind_compare(re(c, all, (size_t)i * n + j), r, sqrt(n));
        kind_compare(im(c, all, (size_t)i * n + j), m, sqrt(n));
    }
    return kind_end(8.0 * n * n * n, "GFLOP/s", 2e-5);
}
