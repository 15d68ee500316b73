// device 5
// eliminations.c -- Gauss and Jordan's elimination: each step changes all rows but the pivot's, those before
// it too; and the least distances between all pairs, where a step changes the pivot's row and column as well.
#include "../suite.h"

static void solve(int n, int m, double a[n][n], double b[n][m]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        for (int j = k + 1; j < n; j++) a[k][j] /= a[k][k];
        for (int j = 0; j < m; j++) b[k][j] /= a[k][k];
        for (int i = 0; i < n; i++)
            if (i != k) {
                for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
                for (int j = 0; j < m; j++) b[i][j] -= a[i][k] * b[k][j];
            }
    }
#pragma endscop
}

static void invert(int n, double a[n][n]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        double p = 1.0 / a[k][k];
        a[k][k] = 1.0;
        for (int j = 0; j < n; j++) a[k][j] *= p;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            double f = a[i][k];
            a[i][k] = 0.0;
            for (int j = 0; j < n; j++) a[i][j] -= f * a[k][j];
        }
    }
#pragma endscop
}

// One vector: each step changes all of it.
static void relax(int n, int d[n], int w[n][n]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        int from = d[k];
        for (int i = 0; i < n; i++)
            if (i != k) d[i] = d[i] < from + w[k][i] ? d[i] : from + w[k][i];
    }
#pragma endscop
}

static void distances(int n, int d[n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            int to = d[i][k];
            for (int j = 0; j < n; j++) {
                int way = to + d[k][j];
                d[i][j] = way < d[i][j] ? way : d[i][j];
            }
        }
#pragma endscop
}

// Set only where that is less; in whole numbers as doubles, so that no order of sums shows.
static void ways(int n, double d[n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
#pragma endscop
}

int main(void) {
    static const int sizes[][2] = {{0, 3}, {1, 1}, {31, 5}, {32, 40}, {33, 1}, {70, 9}, {97, 33}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s][0], m = sizes[s][1];
        double *a = malloc(sizeof(double) * (size_t)(n * n + 1));
        double *b = malloc(sizeof(double) * (size_t)(n * m + 1));
        int *w = malloc(sizeof(int) * (size_t)(n * n + 1)), *d = malloc(sizeof(int) * (size_t)(n + 1));
        fill_doubles(a, n * n);
        fill_doubles(b, n * m);
        fill_ints(w, n * n, 1000);
        fill_ints(d, n, 5000);
        for (int i = 0; i < n; i++) a[i * n + i] += n;
        solve(n, m, (void *)a, (void *)b);
        show_doubles("solved", b, n * m);
        show_doubles("rest", a, n * n);
        for (int i = 0; i < n; i++) a[i * n + i] += 2 * n;
        invert(n, (void *)a);
        show_doubles("inverse", a, n * n);
        relax(n, d, (void *)w);
        show_ints("relaxed", d, n);
        distances(n, (void *)w);
        show_ints("distances", w, n * n);
        for (int i = 0; i < n * n; i++) a[i] = (i * 37) % 1009 - 2;
        ways(n, (void *)a);
        show_doubles("ways", a, n * n);
        free(a), free(b), free(w), free(d);
    }
    suite_use();
    return 0;
}
