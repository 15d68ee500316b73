// device 13
// multiples.c -- loops that end where a multiple of their counter is large enough, and searches with a rest.
#include "../suite.h"
enum { N = 380 };
static int c[N][160];
static double a[N + 1];
static void ends(int n, int m, int k) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (i * 3 > m * n / 30) break;
        c[i][0] += 1;
    }
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (3 * i - k >= m) break;
        c[i][1] += 2;
    }
#pragma sculpt
    for (int i = n - 1; i >= 0; i--) {
        if (i * 4 < m) break;
        c[i][2] += 3;
    }
#pragma sculpt
    for (int i = n - 1; i >= 0; i--) {
        if (i * 4 + k <= m) break;
        c[i][3] += 3;
    }
#pragma sculpt
    for (int i = -9; i < n - 9 && 5 * i < m && m >= 7 * i; i++) c[i + 9][4] += 7;
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 5; j < 150; j++) {
            if (2 * j > i - k) break;
            c[i][j] += i;
        }
#pragma sculpt
    for (int i = -9; i < n - 9; i += 2) {
        if (m < k + i * 3) break;
        c[i + 9][5] += 9;
    }
}
// What the pointers of the function lead to is compared before the loops run.
static void searches(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (3 * i < 500) c[i][6] = i;
        else break;
    int *x = malloc(sizeof *x * N);
    double *y = calloc(N + 1, sizeof *y), *all = a, *next;
    for (int i = 0; i < N; i++) x[i] = i / 100;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (x[i] > 2) break;
        y[i] += i;
    }
    show_doubles("apart", y, N);
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (a[i] > 33) break;
        all[i + 1] = a[i] + 1;
    }
    show_doubles("one", a, N);
    next = y + 1;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (y[i] > 150) break;
        next[i] = y[i] + 2;
    }
    show_doubles("moved", y, N);
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (x[i] < 3 && i < 333) {
            y[i] += 1;
        } else {
            break;
        }
    }
#pragma sculpt
    for (int i = 0; i < n; i++)
        switch (x[i]) {
        case 1:
            if (i & 1) y[i] = 0;
            else break;
            y[i] += 5;
            break;
        default: y[i] += 1;
        }
    show_doubles("else", y, N), show_ints("third", &c[0][0], N * 160);
    free(x), free(y);
}
int main(void) {
    static const int at[][2] = {{-70, 1}, {-7, 0}, {0, -2}, {1, 9}, {31, -23}, {300, 2}};
    for (int i = 0; i < 6; i++) ends(i == 2 ? 0 : N - 5 * i, at[i][0], at[i][1]);
    show_ints("ends", &c[0][0], N * 160);
    searches(N);
    return 0;
}
