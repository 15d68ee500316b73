// device 9
// tablerows.c -- data directives that name rows of tables of pointers: kept on the device, brought up to
// date, left in another order, by parts; rows at equal distances and anywhere.
#include "../suite.h"

static double **table(int n, int m, int apart) { // rows of n, at distances that differ where apart
    double **t = malloc(n * sizeof *t), *at = malloc(n * (m + 8) * sizeof **t);
    for (int i = 0; i < n; i++) t[i] = at, fill_doubles(at, m), at += m + (apart ? i % 4 * 2 : 0);
    return t;
}
static void drop(double **t) { free(t[0]), free(t); }

static void steps(int n, int m, int times, double **a, double **b) {
#pragma acc data copy(a[0:n][0:m]) create(b[0:n][0:m])
    for (int t = 0; t < times; t++) {
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma acc parallel loop collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) a[i][j] = b[i][j];
        if (t == 2) { // the host's turn
#pragma acc update host(a[2:3][0:m])
            for (int j = 0; j < m; j++) a[3][j] += a[2][j];
#pragma acc update device(a[3:1][0:m])
        }
    }
}
static void begin(int n, int m, double **a) {
#pragma acc enter data copyin(a[0:n][0:m])
    (void)n, (void)m, (void)a;
}
static void end(int n, int m, double **a) {
#pragma acc exit data copyout(a[0:n][0:m])
    (void)n, (void)m, (void)a;
}
static void scale(int n, int m, double **a, double by) {
#pragma acc parallel loop present(a[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = a[i][j] * by + i - j;
}
static void columns(int n, int m, double **a, double **out) { // of each row a part
#pragma acc data copyin(a[0:n][3:m - 3]) copyout(out[1:n - 1][0:m - 3])
    {
#pragma acc parallel loop
        for (int i = 1; i < n; i++)
            for (int j = 3; j < m; j++) out[i][j - 3] = a[i][j] * 2;
#pragma acc parallel loop
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m - 3; j++) out[i][j] += 1;
    }
}
static void swapped(int n, int m, double **a, double **b) { // the names change places inside
#pragma acc data copy(a[0:n][0:m], b[0:n][0:m])
    {
        for (int t = 0; t < 3; t++) {
#pragma acc parallel loop
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) b[i][j] = a[i][m - 1 - j] + t;
            double **c = a;
            a = b, b = c;
        }
    }
}
static void nested(int n, int m, double **a) {
#pragma acc data copyin(a[0:n][0:m])
    {
#pragma acc data copy(a[0:n][0:m])
        {
#pragma acc parallel loop
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) a[i][j] = a[i][j] + 1;
        }
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) a[i][j] = a[i][j] * 2;
    }
}
static void row(int m, double *x) {
#pragma acc parallel loop
    for (int j = 0; j < m; j++) x[j] = x[j] * 3 + 1;
}

int main(void) {
    enum { N = 19, M = 33 };
    for (int apart = 0; apart < 2; apart++) {
        double **a = table(N, M, apart), **b = table(N, M, apart);
        steps(N, M, 5, a, b);
        for (int i = 0; i < N; i += 3) show_doubles("steps", a[i], M);
        begin(N, M, a), scale(N, M, a, 0.5), scale(N, M, a, 0.25), row(M, a[4]), scale(N, M, a, 2);
        end(N, M, a);
        for (int i = 0; i < N; i += 3) show_doubles("scale", a[i], M);
        columns(N, M, a, b);
        for (int i = 0; i < N; i += 3) show_doubles("columns", b[i], M - 3);
        for (int i = 0; i < N; i++) fill_doubles(a[i], M), fill_doubles(b[i], M);
        swapped(N, M, a, b);
        for (int i = 0; i < N; i += 3) show_doubles("swapped", a[i], M), show_doubles("swapped", b[i], M);
        nested(N, M, a);
        for (int i = 0; i < N; i += 3) show_doubles("nested", a[i], M);
        double *first = a[0]; // in another order
        a[0] = a[7], a[7] = first;
        steps(N, M, 4, a, b);
        for (int i = 0; i < N; i += 3) show_doubles("turned", a[i], M);
        a[7] = a[0], a[0] = first;
        drop(a), drop(b);
    }
    return 0;
}
