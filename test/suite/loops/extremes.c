// device 18
// SPDX-License-Identifier: MIT
// extremes.c -- least and greatest floats under a permission, NaN and infinity among the values; and of other
// types as macros, inlined functions and temporaries that hold what was there write them.
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

// ---- by way of temporaries --------------------------------------------------------------------------
#define MAX(a, b)                                                                                            \
    ({                                                                                                       \
        __typeof__(a) _a = (a);                                                                              \
        __typeof__(b) _b = (b);                                                                              \
        _a > _b ? _a : _b;                                                                                   \
    })
static inline short s_of(short x, short y) {
    if (x > y) return x;
    return y;
}
static short s_macro(const short *a, int n, short m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = MAX(m, a[i]);
    return m;
}
static short s_turned(const short *a, int n, short m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = MAX(a[i], m);
    return m;
}
static short s_called(const short *a, int n, short m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = s_of(m, a[i]);
    return m;
}
static short s_held(const short *a, int n, short m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) {
        short old = m, x = a[i];
        if (x > old) m = x;
    }
    return m;
}
static short s_denied(const short *a, int n, short m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++)
        if (!(a[i] <= m)) m = a[i];
    return m;
}
static short s_moved(const short *a, int n, short m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) {
        short x = m;
        if (a[i] > x) x = a[i];
        m = x;
    }
    return m;
}
static inline double d_of(double x, double y) {
    if (x > y) return x;
    return y;
}
static double d_macro(const double *a, int n, double m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = MAX(m, a[i]);
    return m;
}
static double d_turned(const double *a, int n, double m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = MAX(a[i], m);
    return m;
}
static double d_called(const double *a, int n, double m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = d_of(m, a[i]);
    return m;
}
static double d_held(const double *a, int n, double m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) {
        double old = m, x = a[i];
        if (x > old) m = x;
    }
    return m;
}
static double d_denied(const double *a, int n, double m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++)
        if (!(a[i] <= m)) m = a[i];
    return m;
}
static double d_moved(const double *a, int n, double m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) {
        double x = m;
        if (a[i] > x) x = a[i];
        m = x;
    }
    return m;
}
// What is kept goes on being used.
static void counted(int *h, const int *a, int *was, int n) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int old = h[a[i] % 5], more = old + 1;
        h[a[i] % 5] = more;
        was[i] = old;
    }
#pragma endscop
}
static double running(double *a, int n, double m) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double old = m;
        m = a[i] > old ? a[i] : old;
        a[i] = old;
    }
#pragma endscop
    return m;
}

// Integers by way of fmax and fmin: a NaN is passed over, what can't be an int never counts.
static int i_greatest(const float *a, int n, int m) {
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = fmaxf(m, a[i]);
    return m;
}
static unsigned u_least(const double *a, int n, unsigned m) {
#pragma omp parallel for reduction(min : m)
    for (int i = 0; i < n; i++) m = fmin(a[i], m);
    return m;
}
static int i_least(const int *a, int n, int m) {
#pragma omp parallel for reduction(min : m)
    for (int i = 0; i < n; i++) m = fmin(m, a[i]);
    return m;
}
static void integers(void) {
    static float f[N];
    static double d[N];
    static int a[N];
    for (int i = 0; i < N; i++) {
        f[i] = i % 11 == 3 ? NAN : i == 70 ? -1e30f : (float)(i * 7919 % 10007) * 0.37f - 4000;
        d[i] = i % 5 == 1 ? 1e300 : i % 7 == 2 ? NAN : 3e9 + i;
        a[i] = 2147483647 - i * 7919 % 10007;
    }
    printf("%d %d %d\n", i_greatest(f, N, -9), i_greatest(f, N, 5000), i_greatest(f + 3, 1, -7));
    printf("%u %u %u\n", u_least(d, N, 4294967295u), u_least(d, N, 7), u_least(d, 0, 4294967295u));
    printf("%d %d\n", i_least(a, N, 2147483647), i_least(a, N, -2147483647));
}

int main(void) {
    integers();
    fill_floats(v, N);
    printf("%g %g %g\n", greatest(v, N, v[0]), least(v, N, v[0]), farthest(v, N));
    v[7] = v[4711] = NAN;
    printf("%g %g %g\n", greatest(v, N, v[0]), least(v, N, v[0]), farthest(v, N));
    printf("%d %d\n", isnan(greatest(v, N, NAN)), isnan(least(v, N, NAN)));
    for (int i = 0; i < N; i++) v[i] = -INFINITY;
    printf("%g %g %g\n", greatest(v, N, v[0]), least(v, N, 3), farthest(v, N));
    printf("%g %g\n", greatest(v, 0, 2), least(v, 0, -2));
    static short s[N];
    for (int i = 0; i < N; i++) s[i] = (short)(i * 7919 % 10007 - 20000);
    printf("%d %d %d %d %d %d\n", s_macro(s, N, -30000), s_turned(s, N, -30000), s_called(s, N, -30000),
           s_held(s, N, -30000), s_denied(s, N, -30000), s_moved(s, N, -30000));
    static double d[N];
    for (int i = 0; i < N; i++) d[i] = (double)(i * 7919 % 10007 - 20000);
    printf("%g %g %g %g %g %g\n", d_macro(d, N, -30000), d_turned(d, N, -30000), d_called(d, N, -30000),
           d_held(d, N, -30000), d_denied(d, N, -30000), d_moved(d, N, -30000));
    static int h[5], was[N], a[N];
    for (int i = 0; i < N; i++) a[i] = i % 13;
    counted(h, a, was, N);
    show_ints("counted", was, N);
    printf("%g\n", running(d, N, -1));
    show_doubles("running", d, N);
    suite_use();
}
