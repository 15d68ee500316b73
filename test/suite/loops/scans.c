// device 9
// scans.c -- loops that do something with a sum at each term: both ways, in place, under conditions, and with
// the sum of all behind them.
#include "../suite.h"
#define N 70001
static int x[N], y[N];
static float f[N], g[N], w[N];
static double d[N], e[N];

static void inclusive(int n) {
    int s = 5;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}
static int exclusive(int n) {
    int s = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        y[i] = s;
        s += x[i];
    }
    return s;
}
static void greatest(int n) {
    int m = x[0];
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (x[i] * (i % 700) > m) m = x[i] * (i % 700);
        y[i] = m;
    }
}
static void products(int n) {
    double p = 1;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        p *= d[i];
        e[i] = p;
    }
}
static int places(int n) { // of those that are kept
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (x[i] > 4) k++;
        y[i] = k;
    }
    return k;
}
static void backwards(int n) {
    float s = 0;
#pragma sculpt reassociate
    for (int i = n - 1; i >= 0; i--) {
        s += f[i] * w[i];
        g[i] = s;
    }
}
static void in_place(int n) {
    int s = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        s += x[i];
        x[i] = s;
    }
}
static void of_locals(int n) {
    int s = 3;
#pragma sculpt
    for (int i = 2; i < n; i += 3) {
        int t = x[i] * x[i];
        t += 3;
        s += t;
        y[i - 2] = s - t;
    }
}
static long wide(long n) {
    long s = -1;
#pragma sculpt
    for (long i = 0; i < n; i++) {
        s ^= (long)x[i] << i % 40;
        y[i] = (int)(s >> 3);
    }
    return s;
}

int main(void) {
    fill_ints(x, N, 9);
    fill_floats(f, N), fill_floats(w, N);
    for (int i = 0; i < N; i++) d[i] = 1 + (i % 7 - 3) * 1e-4;
    for (int n = 0; n <= N; n = n < 2 ? n + 1 : n * 32 + (n > 2000 ? 4465 : 1), n = n > N &&
         n < 2 * N ? N : n) {
        inclusive(n), show_ints("inclusive", y, n);
        printf("%d\n", exclusive(n)), show_ints("exclusive", y, n);
        greatest(n), show_ints("greatest", y, n);
        products(n), show_doubles("products", e, n);
        printf("%d\n", places(n)), show_ints("places", y, n);
        backwards(n), show_floats("backwards", g, n);
        of_locals(n), show_ints("locals", y, n);
        printf("%ld\n", wide(n)), show_ints("wide", y, n);
        in_place(n), show_ints("in place", x, n);
        for (int i = 0; i < n; i++) x[i] = (x[i] & 0xffff) % 11;
    }
    suite_use();
}
