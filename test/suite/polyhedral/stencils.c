// device 7
// stencils.c -- time steps over grids, forms of all kinds.
#include "../suite.h"
#define N 60
#define T 8
static double A[N][N], B[N][N], ex[N][N], ey[N][N], hz[N][N], fict[T], H[20][20][20], G[20][20][20], a[200],
    b[200];

static void jacobi1(int n, int steps) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
    }
#pragma endscop
}
static void jacobi2(int n, int steps) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
    }
#pragma endscop
}
static void seidel(int n, int steps) {
#pragma scop
    for (int t = 0; t <= steps - 1; t++)
        for (int i = 1; i <= n - 2; i++)
            for (int j = 1; j <= n - 2; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
                           A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
#pragma endscop
}
static void fields(int nx, int ny, int steps) { // fdtd
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < ny; j++)
            ey[0][j] = fict[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
}
static void heat(int n, int steps) {
#pragma scop
    for (int t = 1; t <= steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    G[i][j][k] = 0.125 * (H[i + 1][j][k] - 2.0 * H[i][j][k] + H[i - 1][j][k]) +
                                 0.125 * (H[i][j + 1][k] - 2.0 * H[i][j][k] + H[i][j - 1][k]) +
                                 0.125 * (H[i][j][k + 1] - 2.0 * H[i][j][k] + H[i][j][k - 1]) + H[i][j][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    H[i][j][k] = G[i][j][k];
    }
#pragma endscop
}
static void alternating(int n, int steps) { // adi
    static double u[N][N], v[N][N], p[N][N], q[N][N];
    fill_doubles(&u[0][0], N * N);
    double c = -0.3, d = 1.6;
#pragma scop
    for (int t = 1; t <= steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -c / (c * p[i][j - 1] + d);
                q[i][j] = (c * u[j][i - 1] + (1.0 - 2.0 * c) * u[j][i] + c * u[j][i + 1] - c * q[i][j - 1]) /
                    (c * p[i][j - 1] + d);
            }
            v[n - 1][i] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = 0.5 * v[i][j];
    }
#pragma endscop
    show_doubles("adi", &u[0][0], N * N), show_doubles("v", &v[0][0], N * N);
}
static void buffered(int n, int steps) { // time buffer t % 2
    static double w[2][200];
    fill_doubles(&w[0][0], 400);
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            w[(t + 1) % 2][i] = 0.25 * (w[t % 2][i - 1] + 2 * w[t % 2][i] + w[t % 2][i + 1]);
#pragma endscop
    show_doubles("buffered", &w[0][0], 400);
}
int main(void) {
    fill_doubles(&A[0][0], N * N), fill_doubles(&B[0][0], N * N), fill_doubles(&ex[0][0], N * N),
        fill_doubles(&ey[0][0], N * N);
    fill_doubles(&hz[0][0], N * N), fill_doubles(fict, T), fill_doubles(&H[0][0][0], 8000),
        fill_doubles(a, 200), fill_doubles(b, 200);
    jacobi1(200, T);
    show_doubles("jacobi-1d", a, 200), show_doubles("b", b, 200);
    jacobi2(N, T);
    show_doubles("jacobi-2d", &A[0][0], N * N), show_doubles("B", &B[0][0], N * N);
    seidel(N, T);
    show_doubles("seidel", &A[0][0], N * N);
    fields(N, N, T);
    show_doubles("fdtd", &hz[0][0], N * N), show_doubles("ex", &ex[0][0], N * N),
        show_doubles("ey", &ey[0][0], N * N);
    heat(20, T);
    show_doubles("heat", &H[0][0][0], 8000);
    alternating(N, 3);
    buffered(200, 9);
    return 0;
}
