// device 11
// SPDX-License-Identifier: MIT
// headers.c -- conditions in which the counter stands among other terms, on either side, or times a number.
// Each with no, one and odd lengths.
#include "../suite.h"
enum { ROOM = 400 };
static float a[ROOM], b[ROOM];
static int c[ROOM][ROOM];

static void behind(int n, int w) {
#pragma sculpt
    for (int i = 1; i + w - 1 < n; i++) a[i] = b[i + w - 1] + i;
}
static void before(int n, int w) {
#pragma sculpt
    for (int i = 0; w + i <= n; i++) a[i] += b[w + i - 1];
}
static void both(int n, int v, int w) {
#pragma sculpt
    for (int i = 2; (v + i) - w + 3 <= n; i += 2) a[i] += b[i] * v;
}
static void mirrored(int n, int w) {
#pragma sculpt
    for (int i = 0; n > w + i + 1; ++i) a[i] += b[i + w] * 0.5f;
}
static void doubled(int n) { // children of a heap
#pragma sculpt
    for (int i = 0; 2 * i + 1 < n; i++) a[i] = b[2 * i + 1] - a[i];
}
static void tripled(int n) {
#pragma sculpt
    for (int i = 1; i * 3 <= n; i++) a[i] += b[3 * i];
}
static void down(int n, int w) {
#pragma sculpt
    for (int i = n; i - w + 1 > 0; i--) a[i] += b[i - w];
}
static void down_by_two(int n, int w) {
#pragma sculpt
    for (int i = n; 2 * i - w >= 3; i--) a[i] += i;
}
static void intervals(int n, const float *p) { // which brackets of a product of matrices cost least
#pragma scop
    for (int len = 2; len < n; len++)
        for (int i = 1; i + len - 1 < n; i++) {
            int j = i + len - 1;
            c[i][j] = 1 << 30;
            for (int k = i; k < j; k++) {
                int cost = c[i][k] + c[k + 1][j] + (int)(p[i - 1] * p[k] * p[j]);
                if (cost < c[i][j]) c[i][j] = cost;
            }
        }
#pragma endscop
}

static void inside(int n, int corners, const float *x, const float *y, int *in) { // of a polygon
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int odd = 0;
        for (int k = 0, j = corners - 1; k < corners; j = k++)
            if ((y[k] > b[i]) != (y[j] > b[i]) &&
                a[i] < (x[j] - x[k]) * (b[i] - y[k]) / (y[j] - y[k]) + x[k])
                odd = !odd;
        in[i] = odd;
    }
}
static void steps(int n, float *x) { // a step that another counter takes
    int j = 2;
#pragma sculpt
    for (int i = 0; i < n; j = i++) x[i] = b[j] - b[i];
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 7, 98, 333};
    suite_use();
    for (int k = 0; k < 6; k++) {
        int n = sizes[k];
        fill_floats(a, ROOM), fill_floats(b, ROOM);
        behind(n, 1), behind(n, 5), before(n, 1), before(n, 4), both(n, 3, 2), both(n, 2, 6);
        mirrored(n, 0), mirrored(n, 3), doubled(n), tripled(n), down(n, 1), down(n, 4), down_by_two(n, 1);
        down_by_two(n, 4);
        show_floats("a", a, ROOM);
        fill_floats(a, ROOM);
        static float x[ROOM], y[ROOM];
        static int in[ROOM];
        fill_floats(x, ROOM), fill_floats(y, ROOM), memset(in, 0, sizeof in);
        inside(n, 3 + n % 5, x, y, in), steps(n, x);
        show_ints("inside", in, ROOM), show_floats("x", x, ROOM);
    }
    for (int i = 0; i < ROOM; i++) b[i] = 1 + i * 7 % 11;
    for (int n = 2; n < 90; n += 29) {
        memset(c, 0, sizeof c);
        intervals(n, b);
        show_ints("c", c[0], ROOM * ROOM);
    }
    return 0;
}
