// SPDX-License-Identifier: MIT
// segments.c -- sums so far that begin anew where a flag stands, float.
#include "kind.h"

#if SPELLING == 1 // a choice
static void segments(int n, const unsigned char *head, const float *x, float *y) {
    float sum = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        sum = head[i] ? x[i] : sum + x[i];
        y[i] = sum;
    }
}
#elif SPELLING == 2 // a condition
static void segments(int n, const unsigned char *head, const float *x, float *y) {
    float sum = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        if (head[i]) sum = 0;
        sum += x[i];
        y[i] = sum;
    }
}
#else // from the element before
static void segments(int n, const unsigned char *head, const float *x, float *y) {
    y[0] = x[0];
#pragma acc update device(y[0 : 1])
#pragma sculpt reassociate
    for (int i = 1; i < n; i++) {
        if (head[i]) y[i] = x[i];
        else y[i] = y[i - 1] + x[i];
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("segments", argc, argv);
    int n = kind_size(1 << 27, 100003);
    float *x = kind_floats(n, 1), *y = kind_floats(n, 2);
    unsigned char *head = kind_array(n);
    for (int i = 0; i < n; i++) head[i] = kind_bits(3, i) % 1000 == 0;
#pragma acc enter data copyin(x[0 : n], head[0 : n], y[0 : n])
    while (kind_again()) {
        segments(n, head, x, y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : n], head[0 : n]) copyout(y[0 : n])
    double sum = 0;
    for (int i = 0; i < n; i++) kind_compare(y[i], sum = (head[i] ? 0 : sum) + x[i], 30);
    return kind_end(9.0 * n, "GB/s", 1e-4);
}
