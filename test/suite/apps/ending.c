// What a program has beside its loops: errno, a rounding mode, and functions that run at its end.
// flags: -frounding-math
#include "../suite.h"
#include <errno.h>
#include <fenv.h>

enum { N = 3000 };
static unsigned long long bits(double x) {
    unsigned long long u;
    memcpy(&u, &x, sizeof u);
    return u;
}
static double a[N], b[N];

static void work(double f) {
#pragma sculpt
    for (int i = 0; i < N; i++) a[i] = b[i] * f + 1.0 / 3.0;
}

static double sum(void) {
    double s = 0;
    for (int i = 0; i < N; i++) s += a[i];
    return s;
}

// Registered ahead of any loop, so behind all that a driver takes down.
static void at_end(void) {
    work(2.0);
    printf("at the end %.17g\n", sum());
}

static void before_end(void) {
    work(5.0);
    printf("before it %.17g\n", sum());
}

int main(void) {
    atexit(at_end);
    for (int i = 0; i < N; i++) b[i] = i / 8.0;
    errno = ERANGE;
    work(1.0);
    printf("%d %.17g\n", errno == ERANGE, sum());
    fesetround(FE_UPWARD);
    work(1.1);
    fesetround(FE_TONEAREST);
    printf("upward %llx %llx\n", bits(a[7]), bits(a[2991]));
    atexit(before_end);
    work(3.0);
    printf("%.17g\n", sum());
    return 0;
}
