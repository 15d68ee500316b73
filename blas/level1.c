// SPDX-License-Identifier: MIT
// level1.c -- vectors with vectors.
#include "loops.h"
#include <math.h>

void NAME(swap)(long n, T *x, T *y) {
#pragma sculpt
    for (long i = 0; i < n; i++) {
        T t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

void NAME(scal)(long n, T alpha, T *x) {
#pragma sculpt
    for (long i = 0; i < n; i++) x[i] = alpha * x[i];
}

void NAME(copy)(long n, const T *x, T *y) {
#pragma sculpt
    for (long i = 0; i < n; i++) y[i] = x[i];
}

// A vector with gaps, or one that lies backwards, to one without, and back.
void NAME(gather)(long n, const T *x, long inc, T *w) {
    if (inc > 0) {
#pragma sculpt
        for (long i = 0; i < n; i++) w[i] = x[i * inc];
    } else {
        long back = -inc;
#pragma sculpt
        for (long i = 0; i < n; i++) w[i] = x[(n - 1 - i) * back];
    }
}

void NAME(scatter)(long n, const T *w, T *x, long inc) {
    if (inc > 0) {
#pragma sculpt
        for (long i = 0; i < n; i++) x[i * inc] = w[i];
    } else {
        long back = -inc;
#pragma sculpt
        for (long i = 0; i < n; i++) x[(n - 1 - i) * back] = w[i];
    }
}

void NAME(axpy)(long n, T alpha, const T *x, T *y) {
    if (alpha == 0) return;
#pragma sculpt
    for (long i = 0; i < n; i++) y[i] += alpha * x[i];
}

T NAME(dot)(long n, const T *x, const T *y) {
    T sum = 0;
#pragma sculpt reduction(+: sum)
    for (long i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

T NAME(asum)(long n, const T *x) {
    T sum = 0;
#pragma sculpt reduction(+: sum)
    for (long i = 0; i < n; i++) sum += x[i] < 0 ? -x[i] : x[i];
    return sum;
}

// From 1. Of equal ones the first; what is no number is never greater. The first is read by a loop, for it
// may lie
// where the host can't.
long INDEX(amax)(long n, const T *x) {
    long at = 0;
    T most = 0;
#pragma sculpt
    for (long i = 0; i < 1; i++) most = x[i] < 0 ? -x[i] : x[i];
#pragma sculpt
    for (long i = 1; i < n; i++) {
        T size = x[i] < 0 ? -x[i] : x[i];
        if (size > most) {
            most = size;
            at = i;
        }
    }
    return at + 1;
}

// The same of the least.
long INDEX(amin)(long n, const T *x) {
    long at = 0;
    T least = 0;
#pragma sculpt
    for (long i = 0; i < 1; i++) least = x[i] < 0 ? -x[i] : x[i];
#pragma sculpt
    for (long i = 1; i < n; i++) {
        T size = x[i] < 0 ? -x[i] : x[i];
        if (size < least) {
            least = size;
            at = i;
        }
    }
    return at + 1;
}

static T largest(long n, const T *x) {
    T most = 0;
#pragma sculpt
    for (long i = 0; i < n; i++) {
        T size = x[i] < 0 ? -x[i] : x[i];
        if (size > most) most = size;
    }
    return most;
}

// The squares of floats are doubles. Those of doubles may be too large or too small: then all are divided
// first.
T NAME(nrm2)(long n, const T *x) {
    double sum = 0;
#pragma sculpt reduction(+: sum)
    for (long i = 0; i < n; i++) sum += (double)x[i] * x[i];
    if (sizeof(T) < sizeof sum || isnan(sum) || (sum > 1e-280 && sum < INFINITY)) return sqrt(sum);
    T most = largest(n, x);
    if (most == 0 || isinf(most)) return most;
    sum = 0;
#pragma sculpt reduction(+: sum)
    for (long i = 0; i < n; i++) sum += (double)(x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}

void NAME(rot)(long n, T *x, T *y, T c, T s) {
#pragma sculpt
    for (long i = 0; i < n; i++) {
        T t = c * x[i] + s * y[i];
        y[i] = c * y[i] - s * x[i];
        x[i] = t;
    }
}

void NAME(rotm)(long n, T *x, T *y, const T *param) {
    T flag = param[0];
    if (flag == -2) return;
    T h11 = flag == 0 ? 1 : param[1], h21 = flag == 1 ? -1 : param[2];
    T h12 = flag == 1 ? 1 : param[3], h22 = flag == 0 ? 1 : param[4];
#pragma sculpt
    for (long i = 0; i < n; i++) {
        T t = x[i] * h11 + y[i] * h12;
        y[i] = x[i] * h21 + y[i] * h22;
        x[i] = t;
    }
}

#ifndef DOUBLE
// Products and sums in double.
double blas_dsdot(long n, const float *x, const float *y) {
    double sum = 0;
#pragma sculpt reduction(+: sum)
    for (long i = 0; i < n; i++) sum += (double)x[i] * y[i];
    return sum;
}

float blas_sdsdot(long n, float alpha, const float *x, const float *y) { return alpha + blas_dsdot(n, x, y); }
#endif
