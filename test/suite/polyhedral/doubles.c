// doubles.c -- products of doubles at sizes around the tiles of matrix instructions: operands both ways, a
// factor and an addend, a subtraction, a triangle, batches, floats that are summed in double
// device 6
#include "../suite.h"
#define MOST 150
static double A[MOST * MOST], B[MOST * MOST], C[MOST * MOST], D[4 * 40 * 40];
static float F[MOST * MOST];

static void normal(int n, int m, int p, double *restrict c, const double *restrict a,
                   const double *restrict b) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < p; k++) s += a[i * p + k] * b[k * m + j];
            c[i * m + j] = s;
        }
#pragma endscop
}
static void turned(int n, int m, int p, double alpha, double beta, double *restrict c,
                   const double *restrict a, const double *restrict b) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < p; k++) s += a[k * n + i] * b[j * p + k];
            c[i * m + j] = alpha * s + beta * c[i * m + j];
        }
#pragma endscop
}
static void behind(int n, int p, double *restrict c, const double *restrict a, const double *restrict b) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++) c[i * n + j] -= a[i * p + k] * b[j * p + k];
#pragma endscop
}
static void triangle(int n, int p, double *restrict c, const double *restrict a) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0;
            for (int k = 0; k < p; k++) s += a[k * n + i] * a[k * n + j];
            c[i * n + j] = s;
            c[j * n + i] = s;
        }
#pragma endscop
}
static void batch(int q, int n, double *restrict c, const double *restrict a, const double *restrict b) {
#pragma scop
    for (int l = 0; l < q; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    c[(l * n + i) * n + j] += a[(l * n + i) * n + k] * b[(l * n + k) * n + j];
#pragma endscop
}
static void mixed(int n, double *restrict c, const float *restrict f, const double *restrict b) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i * n + j] += (double)f[i * n + k] * b[k * n + j];
#pragma endscop
}

int main(void) {
    fill_doubles(A, MOST * MOST), fill_doubles(B, MOST * MOST), fill_doubles(C, MOST * MOST);
    fill_doubles(D, 4 * 40 * 40), fill_floats(F, MOST * MOST);
    normal(71, 131, 37, C, A, B), show_doubles("odd", C, MOST * MOST);
    turned(130, 66, 50, 0.5, -2, C, A, B), show_doubles("turned", C, MOST * MOST);
    behind(96, 32, C, A, B), show_doubles("behind", C, MOST * MOST);
    triangle(100, 64, C, A), show_doubles("triangle", C, MOST * MOST);
    batch(4, 40, D, A, B), show_doubles("batch", D, 4 * 40 * 40);
    mixed(64, C, F, B), show_doubles("mixed", C, MOST * MOST);
    return 0;
}
