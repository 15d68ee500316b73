// device 4
// scaled.c -- rows that are scaled, shifted or bounded by what is found of them first, without sums.
#include <math.h>
#include "../suite.h"
enum { N = 37, C = 12, M = 90 };
static float x[N][C][M], mean[C], var[C], gain[C];
static double a[N][M], b[N][M], s[N];
static int t[N][M], low[N];

int main(void) {
    for (int i = 0; i < N; i++) {
        s[i] = 1 + i % 7, low[i] = i % 5 * 20;
        for (int j = 0; j < M; j++) a[i][j] = (i * j) % 23, b[i][j] = j, t[i][j] = (i * 31 + j * 7) % 113;
        for (int j = 0; j < C; j++)
            for (int k = 0; k < M; k++) x[i][j][k] = (float)((i + j * k) % 19);
    }
    for (int j = 0; j < C; j++) mean[j] = (float)j / 3, var[j] = 1 + (float)j, gain[j] = 2 - (float)j / 9;
    int n = N, c = C, m = M;
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < c; j++) {
            float scale = gain[j] / sqrtf(var[j] + 1e-5f);
            for (int k = 0; k < m; k++) x[i][j][k] = (x[i][j][k] - mean[j]) * scale;
        }
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double f = 1 / s[i], g = f * f;
        for (int j = 0; j < m; j++) a[i][j] *= f;
        for (int j = 1; j < m; j++) b[i][j] = a[i][j - 1] * g;
    }
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int least = low[i] * low[i] % 60, most = least + 9;
        for (int j = 0; j < m; j++) t[i][j] = t[i][j] < least ? least : t[i][j] > most ? most : t[i][j];
        t[i][0] = most; // behind the loop
    }
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        double f = sqrt(s[i]);
        if (f > 1.5)
            for (int j = 0; j < m; j++) a[i][j] += f;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) sum = sum * 1.0001 + a[i][j] + b[i][j] + t[i][j];
        for (int j = 0; j < c; j++)
            for (int k = 0; k < m; k++) sum += x[i][j][k] * (k + 1);
    }
    printf("%.17g\n", sum);
    return 0;
}
