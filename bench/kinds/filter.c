// SPDX-License-Identifier: MIT
// filter.c -- a recursive filter of two steps along one signal, float.
#include "kind.h"
static const float b0 = 0.2f, a1 = 1.2f, a2 = -0.5f;

#if SPELLING == 1 // from the elements before
static void filter(int n, const float *x, float *y) {
    y[0] = b0 * x[0], y[1] = b0 * x[1] + a1 * y[0];
#pragma acc update device(y[0 : 2])
#pragma sculpt reassociate
    for (int i = 2; i < n; i++) y[i] = b0 * x[i] + a1 * y[i - 1] + a2 * y[i - 2];
}
#elif SPELLING == 2 // scalars that are handed on
static void filter(int n, const float *x, float *y) {
    float y1 = 0, y2 = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        float now = b0 * x[i] + a1 * y1 + a2 * y2;
        y2 = y1;
        y1 = now;
        y[i] = now;
    }
}
#else // what the sum keeps of both steps
static void filter(int n, const float *x, float *y) {
    float s = 0, t = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        y[i] = b0 * x[i] + s;
        s = a1 * y[i] + t;
        t = a2 * y[i];
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("filter", argc, argv);
    int n = kind_size(1 << 27, 100003);
    float *x = kind_floats(n, 1), *y = kind_floats(n, 2);
#pragma acc enter data copyin(x[0 : n], y[0 : n])
    while (kind_again()) {
        filter(n, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : n]) copyout(y[0 : n])
    double y1 = 0, y2 = 0;
    for (int i = 0; i < n; i++) {
        double now = (double)b0 * x[i] + (double)a1 * y1 + (double)a2 * y2;
        kind_compare(y[i], now, 1);
        y2 = y1, y1 = now;
    }
    return kind_end(8.0 * n, "GB/s", 1e-4);
}
