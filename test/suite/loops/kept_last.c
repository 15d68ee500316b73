// device 7
// kept_last.c -- arrays of the caller that each iteration writes before it reads them; the last one's stay.
#include "../suite.h"

static void contracted(int nr, int nq, int np, double a[nr][nq][np], const double c4[np][np],
                       double sum[np]) {
#pragma scop
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < np; s++) sum[p] += a[r][q][s] * c4[s][p];
            }
            for (int p = 0; p < np; p++) a[r][q][p] = sum[p];
        }
#pragma endscop
}

// The first element is the caller's.
static void inner(int n, int m, const float *x, float *tmp, float *y) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < m; j++) tmp[j] = x[i * m + j] * 2;
        for (int j = 1; j < m; j++) y[i * m + j] = tmp[j] + tmp[m - j];
    }
}

// A table of two dimensions, and a second array that goes with it.
static void tables(int n, int m, const int *x, int (*t)[9], int *few, int *y) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < 9; a++)
            for (int b = 0; b < 9; b++) t[a][b] = x[(i + a * b) % m] + a;
        for (int a = 0; a < 9; a++) few[a] = t[a][8 - a];
        int all = 0;
        for (int a = 0; a < 9; a++) all += few[a] * t[8 - a][a];
        y[i] = all;
    }
}

// Backwards: the last iteration is that of the first row.
static void backwards(int n, int m, const int *x, int *tmp, int *y) {
#pragma sculpt
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < m; j++) tmp[j] = x[i * m + j] + i;
        for (int j = 0; j < m; j++) y[i * m + j] = tmp[m - 1 - j];
    }
}

// Not written in each iteration, or not all of it: what others wrote is seen.
static void sometimes(int n, int m, const int *x, int *tmp, int *y) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (x[i] > 0)
            for (int j = 0; j < m; j++) tmp[j] = x[(i + j) % n];
        for (int j = 0; j < m; j++) y[i * m + j] = tmp[j];
    }
}
static void shrinking(int n, int m, const int *x, int *tmp, int *y) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int upto = m - i > 0 ? m - i : 0;
        for (int j = 0; j < upto; j++) tmp[j] = x[i] + j;
        for (int j = 0; j < upto; j++) y[i * m + j] = tmp[upto - 1 - j];
    }
}

static void only_set(int n, const int *x, int *last) { // by the clause each iteration has its own
    int la[2] = {-1, -1};
#pragma omp parallel for lastprivate(la)
    for (int i = 0; i < n; i++) {
        la[0] = i;
        la[1] = x[i];
    }
    last[0] = n ? la[0] : 0, last[1] = n ? la[1] : 0;
}
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    static const int sizes[][3] = {{3, 4, 5}, {1, 1, 1}, {0, 4, 5}, {3, 0, 5}, {7, 2, 33}};
    for (int s = 0; s < 5; s++) {
        int nr = sizes[s][0], nq = sizes[s][1], np = sizes[s][2];
        double a[7 * 4 * 33 + 1], c4[33 * 33], sum[33];
        for (int i = 0; i < 7 * 4 * 33; i++) a[i] = (i % 13) - 5;
        for (int i = 0; i < 33 * 33; i++) c4[i] = (i % 7) * 0.25 - 0.5;
        for (int i = 0; i < 33; i++) sum[i] = -i;
        contracted(nr, nq, np, (void *)a, (void *)c4, sum);
        double all = 0;
        for (int i = 0; i < 7 * 4 * 33; i++) all += a[i] * (i % 11);
        printf("contracted %g %g %g\n", all, sum[0], sum[np - 1]);
    }
    for (int n = 0; n < 40; n += 13) {
        enum { M = 17 };
        float x[40 * M], y[40 * M], tmp[M];
        int xi[40 * M], yi[40 * M], t[9][9], few[9], ti[M];
        for (int i = 0; i < 40 * M; i++) x[i] = (float)(i % 19), y[i] = -1;
        for (int i = 0; i < 40 * M; i++) xi[i] = (i * 7) % 23 - 9, yi[i] = -1;
        for (int i = 0; i < M; i++) tmp[i] = (float)-i, ti[i] = -i;
        for (int i = 0; i < 81; i++) t[i / 9][i % 9] = i, few[i % 9] = i;
        double all = 0;
        inner(n, M, x, tmp, y);
        for (int i = 0; i < 40 * M; i++) all += y[i] * (i % 5);
        printf("inner %g %g %g %g\n", all, tmp[0], tmp[1], tmp[M - 1]);
        long sum = 0;
        tables(n, 40, xi, t, few, yi);
        for (int i = 0; i < 40; i++) sum += yi[i] * (i % 5 + 1L);
        printf("tables %ld %d %d %d\n", sum, t[0][0], t[8][3], few[4]);
        backwards(n, M, xi, ti, yi);
        for (int i = 0; i < 40 * M; i++) sum += yi[i] * (i % 5 + 1L);
        printf("backwards %ld %d %d\n", sum, ti[0], ti[M - 1]);
        sometimes(n, M, xi, ti, yi);
        for (int i = 0; i < 40 * M; i++) sum += yi[i] * (i % 5 + 1L);
        printf("sometimes %ld %d %d\n", sum, ti[0], ti[M - 1]);
        only_set(n, xi, ti);
        printf("only set %d %d\n", ti[0], ti[1]);
        shrinking(n, M, xi, ti, yi);
        for (int i = 0; i < 40 * M; i++) sum += yi[i] * (i % 5 + 1L);
        printf("shrinking %ld %d %d\n", sum, ti[0], ti[M - 1]);
    }
    return 0;
}
