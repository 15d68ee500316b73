// device 5
// solvers.c -- factorisations and triangular systems: serial outer loops, parallel inner ones.
#include "../suite.h"
#define N 64
static double A[N][N], L[N][N], b[N], x[N], y[N], R[N][N], Q[N][N];

static void cholesky(int n) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
#pragma endscop
}
static void lu(int n) {
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                L[i][j] -= L[i][k] * L[k][j];
            L[i][j] /= L[j][j];
        }
        for (j = i; j < n; j++)
            for (k = 0; k < i; k++)
                L[i][j] -= L[i][k] * L[k][j];
    }
#pragma endscop
}
static void substitute(int n) {
    double w;
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        w = b[i];
        for (j = 0; j < i; j++)
            w -= L[i][j] * y[j];
        y[i] = w;
    }
    for (i = n - 1; i >= 0; i--) {
        w = y[i];
        for (j = i + 1; j < n; j++)
            w -= L[i][j] * x[j];
        x[i] = w / L[i][i];
    }
#pragma endscop
}
static void gram_schmidt(int m, int n) {
    int i, j, k;
    double nrm;
#pragma scop
    for (k = 0; k < n; k++) {
        nrm = 0.0;
        for (i = 0; i < m; i++)
            nrm += Q[i][k] * Q[i][k];
        R[k][k] = sqrt(nrm);
        for (i = 0; i < m; i++)
            A[i][k] = Q[i][k] / R[k][k];
        for (j = k + 1; j < n; j++) {
            R[k][j] = 0.0;
            for (i = 0; i < m; i++)
                R[k][j] += A[i][k] * Q[i][j];
            for (i = 0; i < m; i++)
                Q[i][j] = Q[i][j] - A[i][k] * R[k][j];
        }
    }
#pragma endscop
}
static void toeplitz(int n, const double r[N], double out[N]) { // Durbin's recursion
    double z[N], alpha, beta, sum;
    int i, k;
#pragma scop
    out[0] = -r[0];
    beta = 1.0;
    alpha = -r[0];
    for (k = 1; k < n; k++) {
        beta = (1 - alpha * alpha) * beta;
        sum = 0.0;
        for (i = 0; i < k; i++)
            sum += r[k - i - 1] * out[i];
        alpha = -(r[k] + sum) / beta;
        for (i = 0; i < k; i++)
            z[i] = out[i] + alpha * out[k - i - 1];
        for (i = 0; i < k; i++)
            out[i] = z[i];
        out[k] = alpha;
    }
#pragma endscop
}
static void spd(double M[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) M[i][j] = M[j][i] = i == j ? N + suite_next() : suite_next() - 0.5;
}
int main(void) {
    static double r[N], out[N];
    spd(A), spd(L);
    fill_doubles(b, N);
    cholesky(N);
    show_doubles("cholesky", &A[0][0], N * N);
    lu(N);
    show_doubles("lu", &L[0][0], N * N);
    substitute(N);
    show_doubles("ludcmp", x, N), show_doubles("y", y, N);
    fill_doubles(&Q[0][0], N * N), memset(A, 0, sizeof A);
    for (int i = 0; i < N; i++) Q[i][i] += 4;
    gram_schmidt(N, N);
    show_doubles("gramschmidt", &R[0][0], N * N), show_doubles("q", &Q[0][0], N * N),
        show_doubles("a", &A[0][0], N * N);
    for (int i = 0; i < N; i++) r[i] = 1.0 / (i + 2);
    toeplitz(N, r, out);
    show_doubles("durbin", out, N);
    return 0;
}
