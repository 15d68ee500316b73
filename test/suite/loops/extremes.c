// SPDX-License-Identifier: MIT
// extremes.c -- least and greatest floats under a permission, NaN and infinity among the values.
#include "../suite.h"
#define N 5000
static float v[N];

__attribute__((noinline)) static float greatest(const float *a, int n, float x) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        if (a[i] > x) x = a[i];
    return x;
}

__attribute__((noinline)) static float least(const float *a, int n, float x) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) x = a[i] < x ? a[i] : x;
    return x;
}

__attribute__((noinline)) static float farthest(const float *a, int n) {
    float most = fabsf(a[0]);
#pragma sculpt reassociate
    for (int i = 1; i < n; i++)
        if (fabsf(a[i]) > most) most = fabsf(a[i]);
    return most;
}

int main(void) {
    fill_floats(v, N);
    printf("%g %g %g\n", greatest(v, N, v[0]), least(v, N, v[0]), farthest(v, N));
    v[7] = v[4711] = NAN;
    printf("%g %g %g\n", greatest(v, N, v[0]), least(v, N, v[0]), farthest(v, N));
    printf("%d %d\n", isnan(greatest(v, N, NAN)), isnan(least(v, N, NAN)));
    for (int i = 0; i < N; i++) v[i] = -INFINITY;
    printf("%g %g %g\n", greatest(v, N, v[0]), least(v, N, 3), farthest(v, N));
    printf("%g %g\n", greatest(v, 0, 2), least(v, 0, -2));
    suite_use();
}
