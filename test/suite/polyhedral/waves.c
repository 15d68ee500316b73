// device 7
// waves.c -- loops that all carry dependences: their iterations are parallel along diagonals.
#include "../suite.h"
#define N 61
#define M 47
static double A[N][N], B[N][M];
static float u[N * N];
static int d[N + 1][M + 1], table[N][N], h[N + 1][M + 1];
static char a[N], b[M];

static void sweep(int n, float *u) {
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            u[i * n + j] = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                    u[i * n + j + 1]);
#pragma endscop
}
static void nine(int steps, int n) {
    int t, i, j;
#pragma scop
    for (t = 0; t <= steps - 1; t++)
        for (i = 1; i <= n - 2; i++)
            for (j = 1; j <= n - 2; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
                           A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
#pragma endscop
}
// From the last row and the first column on.
static void backward(int n, int m, double (*x)[M]) {
#pragma sculpt
    for (long i = n - 2; i >= 0; i--)
        for (long j = 1; j < m; j++) x[i][j] += 0.5 * x[i + 1][j] - 0.25 * x[i][j - 1] + x[i + 1][j - 1] *
            0.125;
}
static void distance(int n, int m) {
#pragma sculpt
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0) d[i][j] = j;
            else if (j == 0) d[i][j] = i;
            else if (a[i - 1] == b[j - 1]) d[i][j] = d[i - 1][j - 1];
            else {
                int least = d[i - 1][j - 1];
                if (d[i - 1][j] < least) least = d[i - 1][j];
                if (d[i][j - 1] < least) least = d[i][j - 1];
                d[i][j] = least + 1;
            }
        }
}
static void align(int n, int m) { // Smith and Waterman
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int x = h[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -3);
            int y = (h[i - 1][j] > h[i][j - 1] ? h[i - 1][j] : h[i][j - 1]) - 2;
            int z = x > y ? x : y;
            h[i][j] = z > 0 ? z : 0;
        }
#pragma endscop
}
// Diagonals whose loops are marked each: one region, with the loop of the host.
static void diagonals(int n, float (*u)[n]) {
    for (int s = 2; s <= 2 * (n - 2); s++) {
        int from = s - (n - 2) > 1 ? s - (n - 2) : 1, to = s - 1 < n - 2 ? s - 1 : n - 2;
#pragma omp parallel for
        for (int i = from; i <= to; i++) {
            int j = s - i;
            u[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
        }
    }
}
#define match(x, y) (((x) + (y)) == 3 ? 1 : 0)
#define max_score(x, y) (((x) >= (y)) ? (x) : (y))
static void fold(int n, const char *seq) { // Nussinov
    int i, j, k;
#pragma scop
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++) {
            if (j - 1 >= 0) table[i][j] = max_score(table[i][j], table[i][j - 1]);
            if (i + 1 < n) table[i][j] = max_score(table[i][j], table[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < n) {
                if (i < j - 1) table[i][j] = max_score(table[i][j],
                                                       table[i + 1][j - 1] + match(seq[i], seq[j]));
                else table[i][j] = max_score(table[i][j], table[i + 1][j - 1]);
            }
            for (k = i + 1; k < j; k++) table[i][j] = max_score(table[i][j], table[i][k] + table[k + 1][j]);
        }
    }
#pragma endscop
}
int main(void) {
    fill_floats(u, N * N), fill_doubles(&A[0][0], N * N), fill_doubles(&B[0][0], N * M);
    for (int i = 0; i < N; i++) a[i] = (char)(suite_next() * 4);
    for (int i = 0; i < M; i++) b[i] = (char)(suite_next() * 4);
    sweep(N, u);
    show_floats("sweep", u, N * N);
    diagonals(N, (float(*)[N])u);
    show_floats("diagonals", u, N * N);
    nine(7, N);
    show_doubles("nine", &A[0][0], N * N);
    backward(N, M, B);
    show_doubles("backward", &B[0][0], N * M);
    distance(N, M);
    show_ints("distance", &d[0][0], (N + 1) * (M + 1));
    align(N, M);
    show_ints("align", &h[0][0], (N + 1) * (M + 1));
    fold(N, a);
    show_ints("fold", &table[0][0], N * N);
    return 0;
}
