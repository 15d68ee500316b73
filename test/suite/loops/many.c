// many.c -- more of everything than anybody writes by hand: statements, loops in each other; bodies of
// nothing.
// device 6
#include "../suite.h"

#define TEN(s, k) s(k) s(k + 1) s(k + 2) s(k + 3) s(k + 4) s(k + 5) s(k + 6) s(k + 7) s(k + 8) s(k + 9)
#define HUNDRED(s, k)                                                                 \
    TEN(s, k) TEN(s, k + 10) TEN(s, k + 20) TEN(s, k + 30) TEN(s, k + 40)             \
    TEN(s, k + 50) TEN(s, k + 60) TEN(s, k + 70) TEN(s, k + 80) TEN(s, k + 90)
#define PUT(k) a[(k) * 40 + i] = b[i] + (k);

static void statements(int n, double *restrict a, const double *restrict b) {
#pragma sculpt
    for (int i = 0; i < n; i++) { HUNDRED(PUT, 0) HUNDRED(PUT, 100) TEN(PUT, 200) TEN(PUT, 210) TEN(PUT,
        220) TEN(PUT, 230) TEN(PUT, 240) TEN(PUT, 250) }
}
#define TWO(i) for (int i = 0; i < 2; i++)
static void deep(int n, double *restrict a) {
#pragma sculpt
    TWO(p) TWO(q) TWO(r) TWO(s) TWO(t) TWO(u) TWO(v) for (int i = 0; i < n; i++)
        a[((((((p * 2 + q) * 2 + r) * 2 + s) * 2 + t) * 2 + u) * 2 + v) * 8 + i] += i;
}
// More than forty loops around an update of one element.
#define ONCE(i) for (int i = 0; i < 1; i++)
#define FIVE_LOOPS(x) ONCE(x##0) ONCE(x##1) ONCE(x##2) ONCE(x##3) ONCE(x##4)
#define TEN_LOOPS(x) FIVE_LOOPS(x) FIVE_LOOPS(x##_)
static void deeper(int n, int *sum) {
#pragma sculpt
    for (int i = 0; i < n; i++) TWO(k) TEN_LOOPS(p) TEN_LOOPS(q) TEN_LOOPS(r) TEN_LOOPS(s)
        sum[0] += i + k + p3 + s_4;
}
// A counter and an end of unlike signs.
static int table[400];
static void unlike(unsigned n, int m) {
#pragma sculpt
    for (int i = m; i < n; i++) table[i + 200] = i;
}
static void empty(int n, double *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
    }
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (i < 3) {
        } else {
        }
        for (int j = 0; j < i; j++);
        a[i] *= 2;
    }
}
// A sum of the iterations of a serial loop: its temporary's registers.
static void sums(int n, double *restrict y, const double *restrict r) {
#pragma sculpt reassociate
    for (int k = 1; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += r[i] * y[i];
        y[k] = sum;
    }
}
int main(void) {
    static double a[40 * 300], b[300];
    fill_doubles(b, 300);
    statements(40, a, b), show_doubles("statements", a, 40 * 260);
    deep(7, a), show_doubles("deep", a, 40 * 300);
    int sum[1] = {5};
    deeper(11, sum), show_ints("deeper", sum, 1);
    unlike(150, 20), show_ints("unlike", table, 400);
    empty(100, a), show_doubles("empty", a, 100);
    sums(20, a, b), show_doubles("sums", a, 20);
    return 0;
}
