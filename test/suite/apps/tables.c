// device 10
// tables.c -- subscripts out of tables of constants: permutations, lattices, zigzags, filters, neighbours.
#include "../suite.h"
static const int order[4] = {3, 0, 2, 1};
static const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1},
    back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double weight[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
static const unsigned char zigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
// what is left out is 0
static const short corner[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{1, 1}, {0, 1}, {1}}};
static void permute(int n, float (*x)[4], float (*y)[4]) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) y[i][order[k]] = x[i][k] + x[i][order[3 - k]];
}
static void stream(int n, int m, const double *f, double *g) {
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int q = 0; q < 9; q++) g[(i * m + j) * 9 + q] = f[((i - dy[q]) * m + j - dx[q]) * 9 + q];
}
static void collide(int n, int m, double *f, double omega) {
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            double rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < 9; q++) {
                double v = f[(i * m + j) * 9 + q];
                rho += v, ux += dx[q] * v, uy += dy[q] * v;
            }
            for (int q = 0; q < 9; q++) {
                double cu = dx[q] * ux + dy[q] * uy;
                f[(i * m + j) * 9 + q] += omega * (weight[q] * (rho + 3 * cu) - f[(i * m + j) * 9 + q]);
            }
        }
}
static void bounce(int n, double (*f)[9], double (*g)[9]) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int q = 0; q < 9; q++) g[i][back[q]] = f[i][q];
}
static void scan(int n, const short *in, short *out) {
#pragma sculpt
    for (int b = 0; b < n; b++)
        for (int k = 0; k < 16; k++) out[16 * b + zigzag[k]] = in[16 * b + k];
}
static void triangles(int n, int m, const float *h, float *area) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m - 1; j++)
            for (int t = 0; t < 2; t++) {
                float s = 0;
                for (int c = 0; c < 3; c++) s += h[(i + corner[t][c][0]) * m + j + corner[t][c][1]];
                area[(i * (m - 1) + j) * 2 + t] = s;
            }
}
static void neighbours(int n, int m, const int *cell, int *next) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int alive = 0;
            for (int q = 1; q < 9; q++) {
                int y = i + dy[q], x = j + dx[q];
                if (y >= 0 && y < n && x >= 0 && x < m) alive += cell[y * m + x];
            }
            next[i * m + j] = alive == 3 || (alive == 2 && cell[i * m + j]);
        }
}
// all that a lattice does, around both edges; a filter
static void step(int n, int m, const double *f, double *g, double omega) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double v[9], rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < 9; q++) {
                v[q] = f[(q * n + (i - dy[q] + n) % n) * m + (j - dx[q] + m) % m];
                rho += v[q], ux += dx[q] * v[q], uy += dy[q] * v[q];
            }
            for (int q = 0; q < 9; q++)
                g[(q * n + i) * m + j] =
                    v[q] + omega * (weight[q] * (rho + 3 * (dx[q] * ux + dy[q] * uy)) - v[q]);
        }
}
static void filter(int n, int m, const float *a, float *b) {
    static const float by[3][3] = {{.25f, -1, 1.f / 3}, {2, 0, -.5f}, {1e-3f}};
#pragma sculpt
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float s = 0;
            for (int d = -1; d <= 1; d++)
                for (int e = -1; e <= 1; e++) s += by[d + 1][e + 1] * a[(i + d) * m + j + e];
            b[i * m + j] = s;
        }
}
// a table asked with what the data say
static void shuffle(int n, const int *kind, const float *x, float *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[4 * i + order[kind[i]]];
}
int main(void) {
    enum { N = 37, M = 45 };
    static float a[N][4], b[N][4], h[N * M], area[2 * N * M], four[4 * N], one[N];
    static double f[N * M * 9], g[N * M * 9], p[N][9], r[N][9];
    static short in[16 * N], out[16 * N];
    static int cell[N * M], next[N * M], kind[N];
    fill_floats(a[0], 4 * N), permute(N, a, b), show_floats("permute", b[0], 4 * N);
    fill_doubles(f, N * M * 9);
    for (int t = 0; t < 3; t++) stream(N, M, f, g), stream(N, M, g, f), collide(N, M, f, 0.8);
    show_doubles("lattice", f, N * M * 9);
    fill_doubles(p[0], N * 9), bounce(N, p, r), show_doubles("bounce", r[0], N * 9);
    for (int i = 0; i < 16 * N; i++) in[i] = (short)(i * 7919);
    scan(N, in, out);
    for (int i = 0; i < 16 * N; i++) cell[i] = out[i];
    show_ints("scan", cell, 16 * N);
    fill_floats(h, N * M), triangles(N, M, h, area), show_floats("triangles", area, 2 * (N - 1) * (M - 1));
    fill_ints(cell, N * M, 2), neighbours(N, M, cell, next), show_ints("neighbours", next, N * M);
    fill_ints(kind, N, 4), fill_floats(four, 4 * N), shuffle(N, kind, four, one),
        show_floats("shuffle", one, N);
    step(N, M, f, g, 0.8), show_doubles("step", g, N * M * 9);
    fill_floats(area, N * M), filter(N, M, h, area), show_floats("filter", area, N * M);
    suite_use();
    return 0;
}
