// product.c -- a product, what data choose to write, and rows of a sparse matrix.
#include "faults.h"

enum { N = 70, M = 500 };
static float a[N][N], b[N][N], c[N][N];
static double x[M], y[M], value[3 * M];
static int row[M + 1], column[3 * M];

__attribute__((noinline)) static void product(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
__attribute__((noinline)) static void choose(int n, double *restrict to, const double *restrict from) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (from[i] > 4) to[i] = 3;
}
__attribute__((noinline)) static void sparse(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++) y[i] += value[k] * x[column[k]];
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = (float)((i + 2 * j) % 8), b[i][j] = (float)((3 * i + j) % 4),
            c[i][j] = 1;
    for (int i = 0; i < M; i++) x[i] = i % 9, y[i] = 1, row[i + 1] = row[i] + i % 3;
    for (int k = 0; k < 3 * M; k++) value[k] = k % 5, column[k] = k * 7 % M;
    scope_begin(argc);
    for (int k = 0; k < 2; k++) product(N), choose(M, x, y), sparse(M);
    scope_end(argc);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) note(c[i][j]);
    for (int i = 0; i < M; i++) note(x[i]), note(y[i]);
    return tell();
}
