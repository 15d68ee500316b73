// products.c -- chains of matrix products and vector products, row-major, scop marks.
// device 9
#include "../suite.h"
#define N 90
#define M 70
#define P 80
static double A[N][P], B[P][M], C[N][M], D[M][N], E[N][N], x[N], y[N], z[P], w[M], t[N];

static void gemm(int ni, int nj, int nk, double alpha, double beta) {
#pragma scop
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] *= beta;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}
static void two_products(double alpha, double tmp[N][M]) {
    int i, j, k;
#pragma scop
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            tmp[i][j] = 0.0;
            for (k = 0; k < P; ++k)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            E[i][j] *= 0.5;
            for (k = 0; k < M; ++k)
                E[i][j] += tmp[i][k] * D[k][j];
        }
#pragma endscop
}
static void normal(void) { // y = A' (A x)
#pragma scop
    for (int i = 0; i < P; i++)
        z[i] = 0;
    for (int i = 0; i < N; i++) {
        t[i] = 0.0;
        for (int j = 0; j < P; j++)
            t[i] = t[i] + A[i][j] * w[j % M];
        for (int j = 0; j < P; j++)
            z[j] = z[j] + A[i][j] * t[i];
    }
#pragma endscop
}
static void both_ways(void) { // mvt
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            x[i] = x[i] + E[i][j] * t[j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            y[i] = y[i] + E[j][i] * t[j];
#pragma endscop
}
static void bi(double s[M], double q[N]) { // bicg
#pragma scop
    for (int i = 0; i < M; i++)
        s[i] = 0;
    for (int i = 0; i < N; i++) {
        q[i] = 0.0;
        for (int j = 0; j < M; j++) {
            s[j] = s[j] + x[i] * C[i][j];
            q[i] = q[i] + C[i][j] * w[j];
        }
    }
#pragma endscop
}
static void rank_two(double alpha, double beta) { // gemver
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            E[i][j] = E[i][j] + x[i] * y[j] + t[i] * x[j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            x[i] = x[i] + beta * E[j][i] * y[j];
    for (int i = 0; i < N; i++)
        x[i] = x[i] + t[i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            y[i] = y[i] + alpha * E[i][j] * x[j];
#pragma endscop
}
static void scaled(double alpha, double beta) { // gesummv
    int i, j;
#pragma scop
    for (i = 0; i < N; i++) {
        t[i] = 0.0;
        y[i] = 0.0;
        for (j = 0; j < N; j++) {
            t[i] = E[i][j] * x[j] + t[i];
            y[i] = C[i][j % M] * x[j] + y[i];
        }
        y[i] = alpha * t[i] + beta * y[i];
    }
#pragma endscop
}
static void rank_k(int n, int m, double alpha, double beta) { // syrk and syr2k
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            E[i][j] *= beta;
        for (k = 0; k < m; k++)
            for (j = 0; j <= i; j++)
                E[i][j] += alpha * C[i][k] * C[j][k] + A[j][k] * C[i][k];
    }
#pragma endscop
}
static void triangular(int m, int n, double alpha) { // trmm
    int i, j, k;
#pragma scop
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            for (k = i + 1; k < m; k++)
                B[i][j] += E[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
#pragma endscop
}
int main(void) {
    static double tmp[N][M], s[M], q[N];
    fill_doubles(&A[0][0], N * P), fill_doubles(&B[0][0], P * M), fill_doubles(&C[0][0], N * M),
        fill_doubles(&D[0][0], M * N);
    fill_doubles(&E[0][0], N * N), fill_doubles(x, N), fill_doubles(y, N), fill_doubles(w, M),
        fill_doubles(t, N);
    gemm(N, M, P, 1.5, 1.2);
    show_doubles("gemm", &C[0][0], N * M);
    two_products(0.3, tmp);
    show_doubles("2mm", &E[0][0], N * N), show_doubles("tmp", &tmp[0][0], N * M);
    normal();
    show_doubles("atax", z, P), show_doubles("t", t, N);
    both_ways();
    show_doubles("mvt", x, N), show_doubles("y", y, N);
    bi(s, q);
    show_doubles("bicg", s, M), show_doubles("q", q, N);
    for (int i = 0; i < N; i++) x[i] *= 1e-3, y[i] *= 1e-3, t[i] *= 1e-2;
    rank_two(0.01, 0.02);
    show_doubles("gemver", &E[0][0], N * N), show_doubles("x", x, N), show_doubles("y", y, N);
    scaled(0.1, 0.2);
    show_doubles("gesummv", y, N);
    rank_k(N, M, 1.1, 0.9);
    show_doubles("syrk", &E[0][0], N * N);
    triangular(M, M, 0.001);
    show_doubles("trmm", &B[0][0], P * M);
    return 0;
}
