// device 8
// processor.c -- what a processor does in its own ways: rows side by side of which one loop is free, copies
// of what data choose, rows of an index array that have gaps or go backwards, members of records, tables.
#include "../suite.h"
#include <math.h>
#define ROWS 37
#define COLS 61
#define N 200003
static float x[ROWS][COLS], g[COLS], y[ROWS][COLS];
static unsigned key[N];
static double v[N];
static int bins[300], some[256], first[ROWS + 1], last[ROWS], column[400];
static double value[400], sums[ROWS];
static unsigned char byte[N], turned[N], table[256];
struct particle {
    float at[2], speed;
    unsigned char kind;
};
static struct particle p[1000];

static void norm(int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i][j] * x[i][j];
        float q = 1.0f / sqrtf(s / m + 1e-5f);
        for (int j = 0; j < m; j++) y[i][j] = x[i][j] * q * g[j];
    }
}
static void digits(int n, int shift, const unsigned *k, int *h) {
#pragma omp parallel for reduction(+ : h[:256])
    for (int i = 0; i < n; i++) h[(k[i] >> shift) & 255]++;
}
static void spread(int n, const double *w, int *h) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int b = (int)(w[i] * 97) + 50;
#pragma omp atomic
        h[b]++;
    }
}
static void chained(int n, const int *row, const int *col, const double *a, double *s) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int e = row[i]; e < row[i + 1]; e++) s[i] += a[col[e]];
    }
}
static void apart(int n, const int *from, const int *to, const int *col, const double *a, double *s) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int e = from[i]; e < to[i]; e++) s[i] += a[col[e]];
}
static void look_up(int n, const unsigned char *b, const unsigned char *t, unsigned char *o) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) o[i] = t[b[i]];
}
static void move(int n, struct particle *q, float dt) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        q[i].at[0] += dt * q[i].speed;
        if (q[i].at[0] < 0) {
            q[i].at[0] = -q[i].at[0];
            q[i].speed *= -0.5f;
            q[i].kind = 7;
        }
    }
}
static double around(int n) {
    static const int step[4] = {1, -1, 2, -2};
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 2; i < n - 2; i++)
        for (int k = 0; k < 4; k++) s += step[k] * v[i + step[k]];
    return s;
}

int main(void) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) x[i][j] = (float)((i * 7 + j * 3) % 19) - 8, g[j] = (float)(j % 5);
    for (int i = 0; i < N; i++) {
        key[i] = (unsigned)i * 2654435761u, v[i] = (double)(i % 991) / 991 - 0.5;
        byte[i] = (unsigned char)(i * 31 % 200);
    }
    for (int i = 0; i < 256; i++) table[i] = (unsigned char)(i ^ 0x5a);
    for (int i = 0; i < 400; i++) column[i] = i * 37 % 400, value[i] = i * 0.25;
    for (int i = 0; i < 1000; i++) p[i] = (struct particle){{(float)(i % 11) - 5, 1}, (float)(i % 7) - 3, 1};
    norm(ROWS, COLS);
    digits(N, 8, key, some), digits(1000, 0, key, some), digits(N, 24, key, some);
    spread(N, v, bins), spread(70000, v, bins);
    for (int i = 0; i <= ROWS; i++) first[i] = i * 9 + i % 3;
    chained(ROWS, first, column, value, sums);
    first[5] = 390, first[6] = 20; // a row that ends before it begins
    chained(ROWS, first, column, value, sums);
    for (int i = 0; i < ROWS; i++) first[i] = 390 - 10 * i, last[i] = first[i] + i % 8;
    apart(ROWS, first, last, column, value, sums);
    look_up(N, byte, table, turned), look_up(N, byte, byte, turned);
    move(1000, p, 0.5f), move(1000, p, 0.5f);
    double all = around(N), all_y = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) all_y += y[i][j] * (i + 2 * j);
    printf("%.5g %.9g\n", all_y, all);
    for (int i = 0; i < 300; i++) printf("%d ", bins[i]);
    for (int i = 0; i < 256; i++) printf("%d ", some[i]);
    for (int i = 0; i < ROWS; i++) printf("%.9g ", sums[i]);
    long bytes = 0;
    for (int i = 0; i < N; i++) bytes += turned[i] * (i % 13);
    for (int i = 0; i < 1000; i++) bytes += p[i].kind * i + (long)(4 * p[i].at[0]) + (long)(8 * p[i].speed);
    printf("%ld\n", bytes);
    return 0;
}
