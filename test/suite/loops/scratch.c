// device 17
// scratch.c -- arrays that each iteration has for itself: of run-time size, declared outside, named by a
// clause, walked through by pointers.
#include "../suite.h"
static void sized(int n, int dim, double in[n][dim], double *out) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double t[dim];
        for (int d = 0; d < dim; d++) t[d] = in[i][d] * in[i][d];
        double s = 0;
        for (int d = 0; d < dim; d++) s = 0.5 * s + t[dim - 1 - d];
        out[i] = s;
    }
}
// What stands beside is read where there is something.
static void beside(int n, int m, const float *x, float *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float t[m];
        for (int j = 0; j < m; j++) t[j] = x[i * m + j] * 2;
        for (int j = 0; j < m; j++)
            y[i * m + j] = t[m - 1 - j] + (j ? t[j - 1] : 0) * (j + 1 < m ? t[j + 1] : 1);
    }
}
static void two_dims(int n, int m, int k, double *x, double *out) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double t[m][k + 1], sum = 0;
            for (int a = 0; a < m; a++)
                for (int b = 0; b <= k; b++) t[a][b] = x[i * n + j] * a + b;
            for (int b = 0; b <= k; b++)
                for (int a = 0; a < m; a++) sum = sum * 0.75 + t[a][b];
            out[i * n + j] = sum;
        }
}
static void clause(int n, int m, double a[n][m], double *out) {
    double t[m];
#pragma omp parallel for private(t)
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < m; d++) t[d] = a[i][d] * 2;
        double s = 0;
        for (int d = 0; d < m; d++) s = s * 0.5 + t[m - 1 - d];
        out[i] = s;
    }
}
static void clause_fixed(int n, int m, double a[n][m], double *out) {
    double t[64];
#pragma omp parallel for private(t)
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 64; d++) t[d] = a[i][d % m];
        out[i] = t[i % 64];
    }
}
static void outside(int n, int m, double a[n][m], double *out) {
    double work[100], more[m], pair[8][2];
    for (int j = 0; j < 2; j++) pair[7][j] = j;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < m; d++) work[d] = a[i][d] + 1;
        for (int d = 0; d < m; d++) more[d] = work[m - 1 - d] * 2;
        for (int d = 0; d < 8; d++) pair[d][0] = work[d % m], pair[d][1] = more[d % m];
        double s = 0;
        for (int d = 0; d < m; d++) s += work[d] * more[d];
        for (int d = 0; d < 8; d++) s -= pair[d][0] * pair[7 - d][1];
        out[i] = s;
    }
}
static double over_time(int n, int m, double a[n][m], double *out) { // the region runs again and again
    double work[64], last = 0;
    for (int t = 0; t < 3; t++) {
#pragma sculpt
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < m; d++) work[d] = a[i][d] + t;
            double s = 0;
            for (int d = 0; d < m; d++) s = s / 2 + work[m - 1 - d];
            out[i] += s;
        }
    }
    return last;
}
static double kept(int n, int m, double a[n][m], double *out) { // what the last iteration left is read
    double work[64];
#pragma sculpt
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < m; d++) work[d] = a[i][d] + 1;
        double s = 0;
        for (int d = 0; d < m; d++) s = s / 2 + work[m - 1 - d];
        out[i] = s;
    }
    double s = 0;
    for (int d = 0; d < m; d++) s += work[d];
    return s;
}
// each iteration needs what the one before left
static void carried(int n, int m, double a[n][m], double *out) {
    double work[64];
    for (int d = 0; d < 64; d++) work[d] = d;
    for (int t = 0; t < 2; t++) {
#pragma sculpt
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int d = 0; d < m; d++) s += work[d] * a[i][d];
            for (int d = 0; d < m; d++) work[d] = a[i][d];
            out[i] = s;
        }
    }
}
static double escaped(int n, double *a) { // the array has another name
    double work[4], *other = work;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 4; d++) work[d] = a[i] * d;
        a[i] = work[3] + work[1];
    }
    return other[2];
}
static void batched(int nr, int nq, int np, double A[nr][nq][np], double C4[np][np], double *out) {
    double sum[np];
#pragma scop
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0;
                for (int s = 0; s < np; s++) sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < np; p++) A[r][q][p] = sum[p];
        }
#pragma endscop
    out[0] = nr;
}
// ---- memset, memcpy ----
static void histograms(int n, int m, const int *keys, int *out) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int h[16];
        memset(h, 0, sizeof h);
        for (int j = 0; j < m; j++) h[keys[i * m + j] & 15]++;
        int best = 0;
        for (int k = 1; k < 16; k++) best = h[k] > best ? h[k] : best;
        out[i] = best;
    }
}
static void copies(int n, int m, double a[n][m], double b[n][m], float *f, short (*s)[5]) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double row[m];
        memcpy(row, a[i], m * sizeof(double));
        memcpy(b[i], row, sizeof(double) * m);
        memset(&f[4 * i], 0, 3 * sizeof *f);
        memset(s[i], -1, sizeof *s);
    }
}
static void large(int n, int *out) { // more than the threads of a device have room for
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int work[20000], sum = 0;
        for (int k = 0; k < 20000; k++) work[k] = k ^ i;
        for (int k = 19999; k >= 0; k -= 101) sum += work[k] % 5;
        out[i] = sum;
    }
}
enum { N = 300, M = 24 };
static double a[N][M], b[N][M], out[N], x[N * N], big[N * N], cube[12][9][M], c4[M][M];
static float f[4 * N], g[N];
static short s[N][5];
static int keys[N * M], best[N];
// Rows and one row of all: by subscripts and by a pointer to an element, whichever comes first.
static void move(double *p, double *q, double by) { *p += by, *q -= by; }
static void rise(double *p, int n, double by) { for (int i = 0; i < n; i++) p[i] += by * i; }
static void fill(double *p, double by) { for (int i = 0; i < 24; i++) p[i] = by + i; }
static void rows_first(int n, const double *x, double *out) {
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        double t[3][8];
        for (int i = 0; i < 8; i++) t[0][i] = t[1][i] = t[2][i] = 0;
        move(&t[0][0], &t[2][7], x[k]);
        rise(t[1], 8, x[k]);
        rise(&t[0][0], 8, x[k]);
        for (int i = 0; i < 24; i++) out[k * 24 + i] = t[i / 8][i % 8];
    }
}
static void row_first(int n, const double *x, double *out) {
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        double t[3][8];
        fill(&t[0][0], x[k]);
        for (int r = 0; r < 3; r++)
            for (int i = 0; i < 8; i++) out[k * 24 + r * 8 + i] = t[r][i] * 2;
    }
}
static void three_dims(int n, const double *x, double *out) {
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        double t[2][3][4], *p = &t[0][0][0], sum = 0;
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++)
                for (int c = 0; c < 4; c++) t[a][b][c] = x[k] * a + b - c;
        for (int i = 0; i < 24; i++) sum = sum * 0.5 + p[i];
        out[k] = sum;
    }
}
int main(void) {
    fill_doubles(a[0], N * M), fill_doubles(x, N * N), fill_doubles(cube[0][0], 12 * 9 * M),
        fill_doubles(c4[0], M * M);
    fill_floats(f, 4 * N), fill_ints(keys, N * M, 1000);
    sized(N, M, a, out), show_doubles("sized", out, N);
    sized(N, 0, a, out), show_doubles("sized", out, N);
    beside(N / 4, 4, f, g), beside(1, 3, f, g + N / 2), show_floats("beside", g, N);
    two_dims(20, 3, 5, x, big), show_doubles("two", big, 400);
    clause(N, M, a, out), show_doubles("clause", out, N);
    clause_fixed(N, M, a, out), show_doubles("fixed", out, N);
    outside(N, M, a, out), show_doubles("outside", out, N);
    over_time(N, M, a, out), show_doubles("time", out, N);
    printf("%.7e %.7e\n", kept(N, M, a, out), kept(2, M, a, out)), show_doubles("kept", out, N);
    carried(N, M, a, out), show_doubles("carried", out, N);
    printf("%.7e\n", escaped(N, out)), show_doubles("escaped", out, N);
    batched(12, 9, M, cube, c4, out), show_doubles("batched", cube[0][0], 12 * 9 * M);
    large(N, best), show_ints("large", best, N);
    histograms(N, M, keys, best), show_ints("histograms", best, N);
    copies(N, M, a, b, f, s), show_doubles("copies", b[0], N * M), show_floats("set", f, 4 * N);
    for (int i = 0; i < N; i++) best[i] = s[i][0] + 10 * s[i][4];
    show_ints("shorts", best, N);
    rows_first(16, x, big), show_doubles("rows", big, 16 * 24);
    row_first(16, x, big), show_doubles("row", big, 16 * 24);
    three_dims(16, x, big), show_doubles("three", big, 16);
    return 0;
}
