// flags: -Itest/suite/apps/parts
// device 7
// included.c -- marked loops in included files: headers, functions included for several types, a loop's body.
#include "../suite.h"
#include "parts/scale.h"
#include "parts/sub.h"
#include <scale.h>
#define NAME add_floats
#define TYPE float
#define OP +
#include "parts/kernel.inc"
#define NAME times_doubles
#define TYPE double
#define OP *
#include "kernel.inc"
#define N 1000
static double a[N], b[N], c[N];
static float x[N], y[N];
int main(void) {
    int line = 0;
    fill_doubles(a, N), fill_doubles(c, N), fill_floats(y, N);
    scale(N, a);
    shift(N, a);
    add_plain(N, a);
    add_floats(N, x, y);
    times_doubles(N, b, a);
#pragma omp parallel for lastprivate(line)
    for (int i = 0; i < N; i++) {
#include "parts/body.inc"
    }
#pragma sculpt
    for (int i = 0; i < N; i++) a[i] += c[i];
    show_doubles("a", a, N), show_doubles("b", b, N), show_doubles("c", c, N), show_floats("x", x, N);
    printf("%d %d %d\n", line, __LINE__, sub_line());
}
