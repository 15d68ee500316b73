// device 13
// breaks.c -- loops that a break ends: by a sum with the counter, by what the loop leaves alone, by what it
// changes.
#include "../suite.h"
#include <limits.h>

enum { N = 1000 };
static double x[N + 1], y[N + 1];
static int a[N], last;

static int beside(int n, int m) { // a bound of its own
    int i;
#pragma sculpt
    for (i = 0; i < n; i++) {
        if (i + 3 > m) break;
        y[i] = x[i] * 2;
    }
    return i;
}
static int below(int n, int m, int k) {
    int i;
#pragma sculpt
    for (i = n - 1; i > 0; i--) {
        if (!(i + k >= m)) break;
        if (k > i + 1) break;
        y[i] = x[i] * 2;
    }
    return i;
}
static int joined(int n, int m, int k) {
    int i;
#pragma sculpt
    for (i = 0; i < n && i + 1 < m && k + i <= 500; i += 3) y[i] = x[i] * 2;
    return i;
}
static int within(int n, int m) {
#pragma sculpt
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < n; j++) {
            if (j + i > m) break;
            y[i * 30 + j] = x[i] + j;
        }
    return 0;
}
static unsigned wraps(unsigned n, unsigned m) { // i + 3 may wrap around
    unsigned i;
#pragma sculpt
    for (i = 0; i < n; i++) {
        if (i + 3 > m) break;
        y[i] = x[i] * 2;
    }
    return i;
}
static int twice(int n, int m) {
    int i;
#pragma sculpt
    for (i = 0; i < n; i++) {
        if (2 * (long)i > m) break;
        y[i] = x[i] * 2;
    }
    return i;
}
static int met(int n, int m) {
    int i;
#pragma sculpt
    for (i = 0; i < n; i++) {
        if (i == m) break;
        y[i] = x[i] * 2;
    }
    return i;
}
static int behind(int n, double v) {
    int i;
#pragma sculpt
    for (i = 0; i < n; i++) {
        y[i] = x[i] * 2;
        if (x[i] == v) break;
    }
    return i;
}
static int downward(int n, double v) {
    int i;
#pragma sculpt
    for (i = n - 1; i >= 0; i--) {
        if (x[i] == v) {
            last = i;
            break;
        }
        y[i] = x[i] + y[i];
    }
    return i;
}
static long other(int n, int v, double *p) { // p may lie in x or not
    int i, sum = 0;
#pragma sculpt
    for (i = 0; i < n; i++) {
        if (a[i] == v) break;
        sum += a[i];
        p[i] = 5;
    }
    return i * 10000L + sum;
}
static int same(int n, double v, double *p) { // asked before: p is x
    int i;
#pragma sculpt
    for (i = 0; i < n; i++) {
        if (x[i] == v) break;
        p[i] = v;
    }
    return i;
}
static int first(int n, int m) { // what else the search finds
    int at = 0;
#pragma scop
    for (int i = 0; i < n; i++) at = a[i] > at ? a[i] : at;
    for (int i = n - 1; i >= 0; i--)
        if (i > at - m) y[i] = x[i];
#pragma endscop
    return at;
}
// These stay: the loop changes what its condition reads, or goes on past the break.
static int own(int n, double v) {
    int i;
#pragma sculpt
    for (i = 0; i < n; i++) {
        x[i + 1] = v;
        if (x[i] == v) break;
    }
    return i;
}
static int pointed(int n, double v) {
    int i;
    double *p = x + 1;
#pragma sculpt
    for (i = 0; i < n; i++) {
        if (x[i] == v) break;
        p[i] = v;
    }
    return i;
}
static int skipped(int n, double v) {
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1) continue;
        k = i;
        if (x[i] == v) break;
    }
    return k;
}
static void show(const char *name, long v) {
    printf("%s %ld %d ", name, v, last);
    show_doubles("y", y, N + 1), show_doubles("x", x, N + 1);
    for (int i = 0; i <= N; i++) x[i] = (i * 37) % 211, y[i] = -i;
    for (int i = 0; i < N; i++) a[i] = (i * 7919) % 1013;
    last = 0;
}
int main(void) {
    static const int ends[] = {INT_MIN, -5, 0, 3, 100, 999, 1002, 1003, INT_MAX};
    show("begin", 0);
    for (int k = 0; k < 9; k++) {
        int m = ends[k];
        show("beside", beside(N, m)), show("nothing", beside(0, m));
        show("below", below(N, m, 5)), show("below", below(N, m, -5));
        show("joined", joined(N, m, 0)), show("joined", joined(N, m, 100));
        show("within", within(30, m)), show("wraps", wraps(N, m < 0 ? UINT_MAX : m));
        show("twice", twice(N, m)), show("met", met(N, m));
    }
    for (int n = 0; n <= N; n = n ? 10 * n : 1) {
        show("behind", behind(n, 111)), show("behind", behind(n, -1));
        show("downward", downward(n, 111)), show("downward", downward(n, -1));
        show("other", other(n, 33, y)), show("other", other(n, 33, x));
        show("same", same(n, 111, y)), show("same", same(n - 1, 111, x + 1));
        show("first", first(n, 900)), show("own", own(n, 111));
        show("pointed", pointed(n, 111)), show("skipped", skipped(n, 111));
    }
}
