// device 7
// leave_by_set.c -- loops that a break ends by what a scalar has been set to in the iteration.
#include "../suite.h"
static int front(int n, const double *a, double *b) {
    int i;
#pragma sculpt
    for (i = 0; i < n; i++) {
        double t = a[i];
        if (t > 3) break;
        b[i] = t * 2;
    }
    return i;
}
static int search(int n, const float *a, const float *c, float *out) {
    int at = -1;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        float t = a[i] - c[i], u = t * t;
        if (u > 3) {
            at = i;
            *out = t;
            break;
        }
    }
    return at;
}
static double behind(int n, const double *a, double *b) {
    double last = -1;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double t = a[i];
        b[i] = t + 1;
        if (t > 3) {
            last = t;
            break;
        }
    }
    return last;
}
static double outer(int n, const double *a, double *b) {
    double t = 7;
    int k = 5;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        t = a[i];
        k = 2 * i;
        if (t > 3) break;
        b[i] += t;
    }
    return t + k;
}
static int narrow(int n, const int *a, int *b) {
    int i;
#pragma sculpt
    for (i = n - 1; i >= 0; i--) {
        const signed char t = a[i];
        if (t == 5) break;
        b[i] = t;
    }
    return i;
}
static double old(int n, const double *a, double *b) { // what the iteration before has set
    double t = 0, u = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        u = t;
        t = a[i];
        if (t > 3) break;
        b[i] = t;
    }
    return u + 2 * t;
}
// Stays: the condition asks for what the rest of the body has set.
static double later(int n, const double *a, double *b) {
    double r = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double t = a[i];
        b[i] = t;
        t = t + b[i];
        if (t > 3) { r = t; break; }
    }
    return r;
}
// Stays: what the break leaves behind is there no more.
static double reset(int n, double *a) {
    double r = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double t = a[i], v = t + 1;
        a[i] = t + 1;
        if (i > 40) { r = v; break; }
    }
    return r;
}
static double twice(int n, const double *a, double *b) {
    double r = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double t, u;
        u = a[i];
        t = u * 3;
        u = 1 + t;
        t = u - 1;
        b[i] = t;
        if (t > 3) { r = t + u; break; }
    }
    return r;
}
static double sum(int n, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (i + 1);
    return s;
}
int main(void) {
    for (int n = 0; n < 200; n += 33) {
        double *a = malloc(8 * n + 8), *b = calloc(8, n + 1);
        float *f = malloc(4 * n + 4), *g = calloc(4, n + 1), out = 0;
        int *x = malloc(4 * n + 4), *y = calloc(4, n + 1);
        for (int i = 0; i < n; i++) a[i] = i / 20.0, f[i] = i / 30.0f, x[i] = 256 - i;
        printf("%d %d", front(n, a, b), search(n, f, g, &out));
        printf(" %g %g", out, sum(n, b));
        printf(" %g", behind(n, a, b)), printf(" %g", sum(n, b));
        printf(" %g", outer(n, a, b)), printf(" %g", sum(n, b));
        printf(" %d", narrow(n, x, y)), show_ints(" y", y, n);
        printf(" %g", old(n, a, b)), printf(" %g", sum(n, b));
        printf(" %g", later(n, a, b)), printf(" %g", sum(n, b));
        printf(" %g", twice(n, a, b)), printf(" %g", sum(n, b));
        printf(" %g", reset(n, a)), printf(" %g\n", sum(n, a));
        free(a), free(b), free(f), free(g), free(x), free(y);
    }
    return 0;
}
