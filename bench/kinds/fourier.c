// SPDX-License-Identifier: MIT
// fourier.c -- Fourier's sum by its definition, float.
#include "kind.h"

#if SPELLING == 1 // the angle from a remainder, so that it stays small
static void fourier(int n, const float *x, float *re, float *im) {
    const float unit = 6.2831853f / n;
#pragma acc parallel loop
    for (int k = 0; k < n; k++) {
        float a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            int turn = (int)((long)k * j % n);
            a += x[j] * cosf(unit * turn);
            b -= x[j] * sinf(unit * turn);
        }
        re[k] = a;
        im[k] = b;
    }
}
#elif SPELLING == 2 // in place, angles in double
static void fourier(int n, const float *x, float *re, float *im) {
#pragma omp target teams distribute parallel for
    for (int k = 0; k < n; k++) {
        re[k] = im[k] = 0;
        for (int j = 0; j < n; j++) {
            float angle = (float)(6.283185307179586 * (((long long)j * k) % n) / n);
            re[k] += x[j] * cosf(angle);
            im[k] -= x[j] * sinf(angle);
        }
    }
}
#else // the factor turned on from term to term
static void fourier(int n, const float *x, float *re, float *im) {
#pragma omp target teams distribute parallel for
    for (int k = 0; k < n; k++) {
        double cs = cos(6.283185307179586 * k / n), sn = -sin(6.283185307179586 * k / n), c = 1, s = 0;
        float a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            a += x[j] * (float)c;
            b += x[j] * (float)s;
            double next = c * cs - s * sn;
            s = c * sn + s * cs;
            c = next;
        }
        re[k] = a, im[k] = b;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("fourier", argc, argv);
    int n = kind_size(32768, 357);
    float *x = kind_floats(n, 1), *re = kind_floats(n, 2), *im = kind_floats(n, 3);
#pragma acc enter data copyin(x[0 : n], re[0 : n], im[0 : n])
    while (kind_again()) {
        fourier(n, x, re, im);
#pragma acc update self(re[0 : 1])
    }
#pragma acc exit data delete(x[0 : n]) copyout(re[0 : n], im[0 : n])
    for (int s = 0; s < 60; s++) {
        int k = kind_pick(s, n);
        double a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            double angle = 2 * M_PI * (double)((long)j * k % n) / n;
            a += x[j] * cos(angle), b -= x[j] * sin(angle);
        }
        kind_compare(re[k], a, sqrt(n));
        kind_compare(im[k], b, sqrt(n));
    }
    return kind_end(4.0 * n * n, "GFLOP/s", 1e-4);
}
