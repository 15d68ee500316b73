// SPDX-License-Identifier: MIT
// scan.c -- prefix sums, float.
#include "kind.h"

#if SPELLING == 1 // from the element before
static void scan(int n, const float *x, float *y) {
    y[0] = x[0];
#pragma acc update device(y[0 : 1])
#pragma sculpt reassociate
    for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
}
#elif SPELLING == 2 // a sum that runs along
static void scan(int n, const float *x, float *y) {
    float sum = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
}
#else // pointers that walk
static void scan(int n, const float *x, float *y) {
    float sum = 0;
#pragma sculpt reassociate
    for (const float *end = x + n; x < end; x++) *y++ = sum += *x;
}
#endif

int main(int argc, char **argv) {
    kind_begin("scan", argc, argv);
    int n = kind_size(1 << 28, 100003);
    float *x = kind_floats(n, 1), *y = kind_floats(n, 2);
#pragma acc enter data copyin(x[0 : n], y[0 : n])
    while (kind_again()) {
        scan(n, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : n]) copyout(y[0 : n])
    double sum = 0;
    for (int i = 0; i < n; i++) kind_compare(y[i], sum += x[i], sqrt(n));
    return kind_end(8.0 * n, "GB/s", 2e-3); // added one after another, they are off by as much
}
