// device 6
// batched.c -- many small problems side by side: each goes step by step, and in a step much is free.
#include "../suite.h"
#include <math.h>
enum { COUNT = 7, N = 18 };
static double a[COUNT][N][N], inverse[COUNT][N][2 * N], dist[COUNT][N][N];
static float c[COUNT * N * N], x[COUNT][N], next[COUNT][N], rhs[COUNT][N];
static int pivot[COUNT][N];

static void factor(int count) {
#pragma sculpt
    for (int b = 0; b < count; b++)
        for (int k = 0; k < N; k++) {
            for (int i = k + 1; i < N; i++) a[b][i][k] /= a[b][k][k];
            for (int i = k + 1; i < N; i++)
                for (int j = k + 1; j < N; j++) a[b][i][j] -= a[b][i][k] * a[b][k][j];
        }
}

static void pivoted(int count) {
#pragma sculpt
    for (int b = 0; b < count; b++)
        for (int k = 0; k < N; k++) {
            int p = k;
            double most = fabs(a[b][k][k]);
            for (int i = k + 1; i < N; i++)
                if (fabs(a[b][i][k]) > most) most = fabs(a[b][i][k]), p = i;
            pivot[b][k] = p;
            for (int j = 0; j < N; j++) {
                double t = a[b][k][j];
                a[b][k][j] = a[b][p][j];
                a[b][p][j] = t;
            }
            for (int i = k + 1; i < N; i++) {
                a[b][i][k] /= a[b][k][k];
                for (int j = k + 1; j < N; j++) a[b][i][j] -= a[b][i][k] * a[b][k][j];
            }
        }
}

static void cholesky(int count, int n) {
#pragma sculpt
    for (int b = 0; b < count; b++) {
        float *m = c + (long)b * n * n;
        for (int k = 0; k < n; k++) {
            float p = sqrtf(m[k * n + k]);
            m[k * n + k] = p;
            for (int i = k + 1; i < n; i++) m[i * n + k] /= p;
            for (int j = k + 1; j < n; j++)
                for (int i = j; i < n; i++) m[i * n + j] -= m[i * n + k] * m[j * n + k];
        }
    }
}

static void invert(size_t count) {
#pragma sculpt
    for (size_t b = 0; b < count; b++)
        for (int k = 0; k < N; k++) {
            double d = 1 / inverse[b][k][k];
            for (int j = 0; j < 2 * N; j++) inverse[b][k][j] *= d;
            for (int i = 0; i < N; i++) {
                if (i == k) continue;
                double f = inverse[b][i][k];
                for (int j = 0; j < 2 * N; j++) inverse[b][i][j] -= f * inverse[b][k][j];
            }
        }
}

static void relax(unsigned count, int steps) {
#pragma sculpt
    for (unsigned b = 0; b < count; b++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < N; i++) {
                float s = rhs[b][i];
                for (int j = 0; j < N; j++) s -= (float)(i != j) * 0.01f * x[b][j];
                next[b][i] = s;
            }
            for (int i = 0; i < N; i++) x[b][i] = next[b][i];
        }
}

static void paths(int count, int n) {
#pragma sculpt
    for (int b = 0; b < count; b++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    if (dist[b][i][k] + dist[b][k][j] < dist[b][i][j])
                        dist[b][i][j] = dist[b][i][k] + dist[b][k][j];
}

static void fill(void) {
    for (int b = 0; b < COUNT; b++)
        for (int i = 0; i < N; i++) {
            rhs[b][i] = (float)(i + b), x[b][i] = 1;
            for (int j = 0; j < N; j++) {
                a[b][i][j] = (i * 7 + j * 11 + b) % 13 + (i == j ? 30 : 0);
                c[(b * N + i) * N + j] = (float)(i == j ? 25 + b : (i * j + i + j) % 3);
                inverse[b][i][j] = a[b][i][j], inverse[b][i][N + j] = i == j;
                dist[b][i][j] = (i * 5 + j * 3 + b) % 17 + 1;
            }
        }
}

static void show(void) {
    double s = 0, t = 0;
    for (int b = 0; b < COUNT; b++)
        for (int i = 0; i < N; i++) {
            s = s * 0.999 + x[b][i] + pivot[b][i];
            for (int j = 0; j < N; j++)
                s = s * 0.999 + a[b][i][j] + inverse[b][i][N + j] + dist[b][i][j],
                t = t * 0.99 + c[(b * N + i) * N + j];
        }
    printf("%.9g %.6g\n", s, t);
}

int main(void) {
    fill();
    factor(COUNT), cholesky(COUNT, N), invert(COUNT), relax(COUNT, 20), paths(COUNT, N);
    show();
    fill();
    pivoted(COUNT), cholesky(COUNT, N - 1), relax(1, 3), paths(COUNT - 1, 5);
    show();
    factor(0), cholesky(COUNT, 0), invert(0), paths(3, 1);
    show();
    return 0;
}
