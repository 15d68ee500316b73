// device 6
// statistics.c -- means, deviations, correlations, paths, dynamic programming, a filter.
#include "../suite.h"
#define N 70
#define M 50
static double data[N][M], mean[M], dev[M], cov[M][M], corr[M][M];
static int path[M][M], table[M][M];
static char seq[M];

static void covariance(double count) {
    int i, j, k;
#pragma scop
    for (j = 0; j < M; j++) {
        mean[j] = 0.0;
        for (i = 0; i < N; i++)
            mean[j] += data[i][j];
        mean[j] /= count;
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            data[i][j] -= mean[j];
    for (i = 0; i < M; i++)
        for (j = i; j < M; j++) {
            cov[i][j] = 0.0;
            for (k = 0; k < N; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= (count - 1.0);
            cov[j][i] = cov[i][j];
        }
#pragma endscop
}
static void correlation(double count) {
    double eps = 0.1;
#pragma scop
    for (int j = 0; j < M; j++) {
        dev[j] = 0.0;
        for (int i = 0; i < N; i++)
            dev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        dev[j] /= count;
        dev[j] = sqrt(dev[j]);
        dev[j] = dev[j] <= eps ? 1.0 : dev[j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(count) * dev[j];
        }
    for (int i = 0; i < M - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < M; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < N; k++)
                corr[i][j] += (data[k][i] * data[k][j]);
            corr[j][i] = corr[i][j];
        }
    }
    corr[M - 1][M - 1] = 1.0;
#pragma endscop
}
static void floyd(int n) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
#pragma endscop
}
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define MATCH(a, b) ((a) + (b) == 3 ? 1 : 0)
static void fold(int n) { // base pairs
    int i, j, k;
#pragma scop
    for (i = n - 1; i >= 0; i--)
        for (j = i + 1; j < n; j++) {
            if (j - 1 >= 0)
                table[i][j] = MAX2(table[i][j], table[i][j - 1]);
            if (i + 1 < n)
                table[i][j] = MAX2(table[i][j], table[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < n) {
                if (i < j - 1)
                    table[i][j] = MAX2(table[i][j], table[i + 1][j - 1] + MATCH(seq[i], seq[j]));
                else
                    table[i][j] = MAX2(table[i][j], table[i + 1][j - 1]);
            }
            for (k = i + 1; k < j; k++)
                table[i][j] = MAX2(table[i][j], table[i][k] + table[k + 1][j]);
        }
#pragma endscop
}
static void filter(int w, int h) { // recursive filter in rows, then columns
    static float in[M][N], out[M][N], y1[M][N], y2[M][N];
    float a1 = 0.2f, a2 = 0.1f, b1 = 0.5f, b2 = -0.06f;
    fill_floats(&in[0][0], M * N);
    int i, j;
    float xm1, ym1, ym2, xp1, xp2, yp1, yp2;
#pragma scop
    for (i = 0; i < w; i++) {
        ym1 = 0.0f;
        ym2 = 0.0f;
        xm1 = 0.0f;
        for (j = 0; j < h; j++) {
            y1[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = in[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (i = 0; i < w; i++) {
        yp1 = 0.0f;
        yp2 = 0.0f;
        xp1 = 0.0f;
        xp2 = 0.0f;
        for (j = h - 1; j >= 0; j--) {
            y2[i][j] = a1 * xp1 + a2 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = in[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (i = 0; i < w; i++)
        for (j = 0; j < h; j++)
            out[i][j] = 0.7f * (y1[i][j] + y2[i][j]);
#pragma endscop
    show_floats("deriche", &out[0][0], M * N);
}
static void contraction(int nr, int nq, int np) { // doitgen
    static double A[20][18][16], c4[16][16], sum[16];
    fill_doubles(&A[0][0][0], 20 * 18 * 16), fill_doubles(&c4[0][0], 256);
    int r, q, p, s;
#pragma scop
    for (r = 0; r < nr; r++)
        for (q = 0; q < nq; q++) {
            for (p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (s = 0; s < np; s++)
                    sum[p] += A[r][q][s] * c4[s][p];
            }
            for (p = 0; p < np; p++)
                A[r][q][p] = sum[p];
        }
#pragma endscop
    show_doubles("doitgen", &A[0][0][0], 20 * 18 * 16);
}
int main(void) {
    fill_doubles(&data[0][0], N * M);
    covariance(N);
    show_doubles("covariance", &cov[0][0], M * M);
    fill_doubles(&data[0][0], N * M);
    correlation(N);
    show_doubles("correlation", &corr[0][0], M * M), show_doubles("dev", dev, M);
    fill_ints(&path[0][0], M * M, 999);
    floyd(M);
    show_ints("floyd", &path[0][0], M * M);
    for (int i = 0; i < M; i++) seq[i] = (char)(suite_next() * 4);
    fold(M);
    show_ints("nussinov", &table[0][0], M * M);
    filter(M, N);
    contraction(20, 18, 16);
    return 0;
}
