// SPDX-License-Identifier: MIT
// digits.c -- one loop over all elements of a grid, whose counter a division and a remainder take apart: of
// two and three dimensions, with counters of several types, with sizes that are products and that are none.
// device 16
#include "../suite.h"

static void transposed(int n, int m, const float *restrict a, float *restrict b) {
#pragma scop
    for (int k = 0; k < n * m; k++) {
        int i = k / m, j = k % m;
        b[j * n + i] = a[k] * 2 + k;
    }
#pragma endscop
}
static void in_rows(size_t n, size_t m, const float *restrict a, float *restrict b) {
#pragma scop
    for (size_t k = 0; k < n * m; k++) b[(k % m) * n + k / m] = a[k] - k % m;
#pragma endscop
}
static void of_32_bits(unsigned n, unsigned m, const float *restrict a, float *restrict b) {
#pragma scop
    for (unsigned k = 0; k < n * m; k++) b[(k % m) * n + k / m] = a[k] + (k * 2654435761u >> 24);
#pragma endscop
}
static void of_two_types(long n, long m, const float *restrict a, float *restrict b) {
#pragma scop
    for (int k = 0; k < n * m; k++) b[k] = a[(k % m) * n + k / m];
#pragma endscop
}
static void planes(int n, int m, int l, const float *restrict a, float *restrict b) {
#pragma scop
    for (int k = 0; k < n * m * l; k++) {
        int i = k / (n * m), j = k / m % n, q = k % m;
        b[(q * n + j) * l + i] = a[k] * 2 + j;
    }
#pragma endscop
}
static void in_turn(int n, int m, int l, const float *restrict a, float *restrict b) {
#pragma scop
    for (int k = 0; k < n * m * l; k++) {
        int q = k % m, rest = k / m, j = rest % n, i = rest / n, same = k % (n * m) / m;
        b[(q * n + j) * l + i] = a[k] + same;
    }
#pragma endscop
}
static void channels(int w, int h, const unsigned char *restrict a, unsigned char *restrict b) {
#pragma scop
    for (int k = 0; k < w * h * 3; k++) {
        int c = k % 3, x = k / 3 % w, y = k / (3 * w);
        b[(c * h + y) * w + x] = a[k];
    }
#pragma endscop
}
static void smoothed(int n, int m, const float *restrict a, float *restrict b) {
#pragma omp parallel for
    for (int k = 0; k < n * m; k++) {
        int y = k / m, x = k % m;
        if (x == 0 || x == m - 1 || y == 0 || y == n - 1) {
            b[k] = a[k];
            continue;
        }
        b[k] = 0.25f * (a[k - 1] + a[k + 1] + a[k - m] + a[k + m]);
    }
}
// The host divides; what is left over by `m` stays with it.
static void of_all(int total, int m, int ld, const float *restrict a, float *restrict b) {
#pragma scop
    for (int k = 0; k < total; k++) b[k / m * ld + k % m] = a[k] * 3;
#pragma endscop
}
static void sums(int n, int m, const int *restrict a, int *restrict rows, int *restrict columns) {
#pragma scop
    for (int k = 0; k < n * m; k++) rows[k / m] += a[k];
#pragma endscop
#pragma scop
    for (int k = 0; k < n * m; k++) columns[k % m] += a[k] * (k / m + 1);
#pragma endscop
}
static void product(int n, int m, int p, const double *restrict a, const double *restrict b,
                    double *restrict c) {
#pragma scop
    for (int k = 0; k < n * m; k++) {
        int i = k / m, j = k % m;
        double s = 0;
        for (int q = 0; q < p; q++) s += a[i * p + q] * b[q * m + j];
        c[i * m + j] = s;
    }
#pragma endscop
}
static void table(int n, int m, float a[n][m], float b[m][n]) {
#pragma omp parallel for
    for (int k = 0; k < n * m; k++) b[k % m][k / m] = a[k / m][k % m];
}
// Both sizes below 0: the product is above, k / m is below 0 and k % m is not.
static void below(int n, int m, const int *restrict a, int *restrict b) {
#pragma scop
    for (int k = 0; k < n * m; k++) b[k % m - 4 * (k / m)] = a[k] + k / m;
#pragma endscop
}
static void below_deep(int n, int m, int l, const int *restrict a, int *restrict b) {
#pragma scop
    for (int k = 0; k < n * m * l; k++) b[k % m + (k / m % n) * 8 + (k / m / n) * 100 + 500] = a[k];
#pragma endscop
}
static void below_all(int total, int m, const int *restrict a, int *restrict b) {
#pragma scop
    for (int k = 0; k < total; k++) b[k % m - 8 * (k / m)] = a[k];
#pragma endscop
}

enum { N = 37, M = 53, L = 5 };
static float a[N * M * L + 100], b[N * M * L + 100];
static int x[2000], y[2000];
static unsigned char from[N * M * 3], to[N * M * 3];
static double da[N * M], db[N * M], dc[N * M];

int main(void) {
    suite_use();
    fill_floats(a, N * M * L);
    transposed(N, M, a, b), show_floats("transposed", b, N * M);
    transposed(N, 0, a, b), transposed(0, M, a, b), transposed(-3, 5, a, b), transposed(3, -5, a, b);
    show_floats("nothing", b, N * M);
    in_rows(N, M, a, b), show_floats("rows", b, N * M);
    of_32_bits(N, M, a, b), show_floats("32 bits", b, N * M);
    of_two_types(N, M, a, b), show_floats("two types", b, N * M);
    planes(N, M, L, a, b), show_floats("planes", b, N * M * L);
    in_turn(M, L, N, a, b), show_floats("in turn", b, N * M * L);
    smoothed(N, M, a, b), show_floats("smoothed", b, N * M);
    smoothed(1, M, a, b), show_floats("one row", b, N * M);
    of_all(N * M, M, M + 2, a, b), show_floats("all", b, N * M + 2 * N);
    of_all(N * M + 11, M, M + 1, a, b), show_floats("and some", b, N * M + 2 * N);
    of_all(N * M, N, N - 5, a, b), show_floats("over each other", b, N * M);
    for (int k = 0; k < N * M * 3; k++) from[k] = (unsigned char)(k * 7 + k / 100);
    channels(N, M, from, to);
    for (int k = 0; k < 2000; k++) x[k] = to[k];
    show_ints("channels", x, 2000);
    fill_ints(x, 2000, 1000);
    sums(36, 50, x, y, y + 100), show_ints("sums", y, 200);
    below(-10, -4, x, y), show_ints("below", y, 200);
    below_deep(-5, -7, 3, x, y), show_ints("two below", y, 1000);
    below_deep(-5, 7, -3, x, y), show_ints("others below", y, 1000);
    below_deep(5, -7, -3, x, y), show_ints("the last below", y, 1000);
    below_all(91, -7, x, y), show_ints("divided below", y, 200);
    below_all(91, 7, x, y + 200), show_ints("and above", y, 500);
    fill_doubles(da, N * M), fill_doubles(db, N * M);
    product(30, 23, 41, da, db, dc), show_doubles("product", dc, 30 * 23);
    float(*p)[N][M] = (void *)a;
    float(*q)[M][N] = (void *)b;
    table(N, M, *p, *q), show_floats("table", b, N * M);
    return 0;
}
