// device 8
// rows.c -- tables of pointers to rows, lying evenly or not.
#include "../suite.h"
#define N 24
#define M 31
typedef struct {
    double re, im;
} Complex;
typedef struct {
    int rows, cols;
    double **at;
} Matrix;

static void stencil(int n, int m, double **to, double **from) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}
static void in_place(int n, int m, double **to, double **from) { // where they are one, in order
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][j] = 0.5 * (from[i - 1][j] + from[i][j]);
#pragma endscop
}
static void product(const Matrix *a, const Matrix *b, Matrix *c) {
#pragma scop
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->cols; j++) {
            double s = 0;
            for (int k = 0; k < a->cols; k++)
                s += a->at[i][k] * b->at[k][j];
            c->at[i][j] = s;
        }
#pragma endscop
}
static void triangle(int n, double **a) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i][j] = a[j][i] * 2.0;
#pragma endscop
}
static void backwards(int n, int m, double **a, double *v) {
#pragma scop
    for (int j = 0; j < m; j++)
        for (int i = n - 1; i >= 1; i--)
            a[i][j] = a[i - 1][j] + v[j];
#pragma endscop
}
static void columns(int n, double **a, double *v) { // one column
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = a[i][3];
#pragma endscop
}
static void complexes(int n, int m, Complex **c) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double t = c[i][j].re;
            c[i][j].re = c[i][j].re * t - c[i][j].im * c[i][j].im;
            c[i][j].im *= 2 * t;
        }
#pragma endscop
}
static double dot_rows(const double *p, const double *q, int m) {
    double s = 0;
    for (int j = 0; j < m; j++)
        s += p[j] * q[j];
    return s;
}
static void gram(int n, int m, double **a, double **g) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            g[i][k] = dot_rows(a[i], a[k], m);
}

static double *row_of[6][N];
static void show_rows(const char *name, double **a, int n, int m) {
    double all[N * M];
    for (int i = 0; i < n; i++) memcpy(all + i * m, a[i], sizeof(double) * (size_t)m);
    show_doubles(name, all, (long)n * m);
}
// how: 0 one block, 1 one block with gaps, 2 each row by itself, 3 from the end, 4 in disorder,
// 5 two rows are the same
static double **table(int which, int how) {
    static double block[6][N * (M + 9)];
    for (int i = 0; i < N; i++) {
        int k = how == 3 ? N - 1 - i : how == 4 ? (i * 5) % N : how == 5 && i == 7 ? 6 : i;
        row_of[which][i] = block[which] + k * (how == 0 ? M : M + 7);
        if (how == 2) row_of[which][i] = malloc(sizeof(double) * (M + (size_t)(i % 3) * 8));
        fill_doubles(row_of[which][i], M);
    }
    return row_of[which];
}
int main(void) {
    static double v[M];
    static Complex block[N * M];
    Complex *c[N];
    fill_doubles(v, M), fill_doubles(&block[0].re, 2 * N * M);
    for (int how = 0; how < 6; how++) {
        double **a = table(0, how), **b = table(1, how), **g = table(2, how == 5 ? 0 : how);
        stencil(N, M, g, a), stencil(2, M, g, a), stencil(0, 0, NULL, NULL);
        show_rows("stencil", g, N, M);
        Matrix x = {N, N, a}, y = {N, M, b}, z = {N, M, g};
        product(&x, &y, &z);
        show_rows("product", g, N, M);
        triangle(N, a), triangle(1, a), triangle(0, NULL);
        show_rows("triangle", a, N, M);
        backwards(N, M, b, v), backwards(1, M, b, v);
        show_rows("backwards", b, N, M);
        columns(N, a, v);
        show_doubles("columns", v, M);
        gram(N, M, a, g), gram(1, M, a, g);
        show_rows("gram", g, N, N);
        in_place(N, M, a, a);
        show_rows("in place", a, N, M);
        for (int i = 0; how == 2 && i < N; i++) free(a[i]), free(b[i]), free(g[i]);
    }
    for (int i = 0; i < N; i++) c[i] = block + i * M;
    complexes(N, M, c), complexes(N, 0, c);
    show_doubles("complexes", &block[0].re, 2 * N * M);
    suite_use();
    return 0;
}
