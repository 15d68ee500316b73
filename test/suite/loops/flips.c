// device 4
// flips.c -- what turns over from one iteration to the next, wherever it begins.
#include "../suite.h"
#include <stdbool.h>
enum { N = 1001 };
static double x[N];
static int a[N], b[N], c[N];
static short s[N];
static unsigned char u[N];

static int alternating(int sign) {
    double sum = 0;
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) {
        sum += sign * x[i];
        sign = -sign;
    }
    printf("alternating %.7e %d\n", sum, sign);
    return sign;
}
static void truths(int even, bool odd, int n) { // !!2 is 1
#pragma sculpt
    for (int i = 0; i < n; i++) {
        a[i] = even ? i : -i;
        b[i] = odd + 2 * even;
        even = !even;
        odd = !odd;
    }
    printf("truths %d %d\n", even, odd);
}
static void others(int begin, int end, int sum) { // -32768 stays, as a short; down, two at a time
    short half = (short)begin;
    unsigned char bits = (unsigned char)begin;
    int cur = begin;
    unsigned all = begin;
#pragma sculpt
    for (int k = N - 1; k > end; k -= 2) {
        s[k] = half;
        u[k] = bits;
        c[k] = cur;
        b[k] = (int)all;
        half = -half;
        bits ^= sum;
        cur = sum - cur;
        all = ~all;
    }
    printf("others %d %d %d %u\n", half, bits, cur, all);
}
static void turned(int m) { // each row begins anew
#pragma sculpt
    for (int i = 0; i < 30; i++) {
        int side = i - m;
        for (int j = 0; j < 30; j++) {
            a[i * 30 + j] = side * j;
            side = -side;
        }
    }
}
int main(void) {
    fill_doubles(x, N);
    alternating(alternating(3));
    truths(2, false, N);
    show_ints("a", a, N), show_ints("b", b, N);
    truths(0, true, 10), truths(5, true, 0);
    show_ints("a", a, N), show_ints("b", b, N);
    others(-32768, 0, 77), others(5, 300, -9), others(7, N, 3);
    turned(11);
    long h = 0;
    for (int i = 0; i < N; i++) h = h * 31 + s[i] + u[i] * 3 + c[i] * 5 + b[i] * 7 + a[i];
    printf("all %ld\n", h);
    return 0;
}
