// SPDX-License-Identifier: MIT
// Sums of several rows side by side, bands of columns, triangles and lanes of a worker, at sizes with rests.
#include <stdio.h>
#include <stdlib.h>

static float at(int i) { return (float)(i * 37 % 101 - 50) / 8; }

static void rows(int n, int m, const float *a, const float *x, float *y) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
        y[i] = s;
    }
}

static void columns(int n, int m, const float *a, const float *x, float *y) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[j] += a[i * m + j] * x[i];
}

static void triangle(int n, int m, const float *a, float *g) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int k = 0; k < m; k++) s += a[i * m + k] * a[j * m + k];
            g[i * n + j] = s;
        }
}

static void upper(int n, int m, const float *a, float *g) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            float s = 1;
            for (int k = 0; k < m; k++) s -= a[i * m + k] * a[j * m + k];
            g[i * n + j] = s;
        }
}

static void points(int n, const float *u, float *v) {
#pragma sculpt
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float s = 0;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++) s += u[(i + a) * n + j + b] / (1 + a * a + b * b);
            v[i * n + j] = s;
        }
}

static long total(int n, const int *x) {
    long s = 5;
#pragma sculpt
    for (int i = 0; i < n; i++) s += (long)x[i] * x[i];
    return s;
}

static float least(int n, const float *x) {
    float s = 1000;
#pragma sculpt
    for (int i = 3; i < n; i++) s = x[i] < s ? x[i] : s;
    return s;
}

static void show(const char *what, int n, const float *y) {
    double s = 0;
    for (int i = 0; i < n; i++) s += y[i] * (i % 7 + 1);
    printf("%s %d: %.9g\n", what, n, s);
}

int main(void) {
    static const int sizes[][2] = {{1, 1}, {3, 70}, {67, 64}, {70, 129}, {263, 517}, {33, 4100}};
    for (int k = 0; k < 6; k++) {
        int n = sizes[k][0], m = sizes[k][1], all = n * m > n * n ? n * m : n * n;
        float *a = malloc(all * sizeof *a), *x = malloc((n + m) * sizeof *x), *y = calloc(n + m, sizeof *y),
              *g = calloc(all, sizeof *g);
        int *whole = malloc(all * sizeof *whole);
        for (int i = 0; i < all; i++) a[i] = at(i), whole[i] = i % 1009 - 500;
        for (int i = 0; i < n + m; i++) x[i] = at(3 * i + 1);
        rows(n, m, a, x, y);
        show("rows", n, y);
        for (int j = 0; j < m; j++) y[j] = at(j);
        columns(n, m, a, x, y);
        show("columns", m, y);
        triangle(n, m, a, g);
        upper(n, m, a, g);
        show("triangles", n * n, g);
        points(n, a, g);
        show("points", n * n, g);
        printf("%ld %g\n", total(all, whole), least(all, a));
        free(a), free(x), free(y), free(g), free(whole);
    }
    return 0;
}
