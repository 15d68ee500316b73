// device 16
// anywhere.c -- tables of pointers to rows that lie anywhere: in another order, of other lengths, between
// pages that can't be read, sharing memory; tables of tables, rows of records, rows of index arrays.
#include "../suite.h"
#include <sys/mman.h>
#include <unistd.h>

enum { N = 23, M = 37 };

static void *taken[2048];
static int ntaken;
static void *take(size_t bytes) { return taken[ntaken++] = malloc(bytes); }

// n doubles in front of a page that can't be read.
static double *fenced(int n, int prot) {
    size_t page = sysconf(_SC_PAGESIZE), bytes = n * sizeof(double), room = (bytes + page - 1) / page * page;
    char *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + room, page, PROT_NONE);
    double *x = (double *)(p + room - bytes);
    for (int i = 0; i < n; i++) x[i] = (i * 37 + 11) % 64 * 0.25;
    if (prot != (PROT_READ | PROT_WRITE)) mprotect(p, room, prot);
    return x;
}
// n rows of m at distances that differ, the first behind the last.
static double **table(int n, int m) {
    double **t = take(n * sizeof *t), *pool = take(n * (m + 9) * sizeof **t), *at = pool;
    for (int i = n - 1; i >= 0; i--) t[i] = at, fill_doubles(at, m), at += m + i % 4 * 3;
    return t;
}
static void show(const char *name, int n, int m, double **t) {
    for (int i = 0; i < n; i += 5) show_doubles(name, t[i], m);
}

static void product(int n, int m, int k, double **restrict a, double **restrict b, double **restrict c) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int l = 0; l < k; l++) s += a[i][l] * b[l][j];
            c[i][j] = s;
        }
}
static void mean(int n, int m, double **a, double **b) {
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma endscop
}
static void grow(int n, int m, double **a) { // rows that share memory must not run at once
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = a[i][j] * 0.5 + i;
#pragma endscop
}
static void lower(int n, double **a) { // each row as long as it is used
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) a[i][j] = a[i][j] * 0.5 + j;
#pragma endscop
}
static void ragged(int n, const int *len, double **a, double *s) { // there is no row where it is empty
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int j = 0; j < len[i]; j++) t += a[i][j];
        s[i] = t;
    }
}
static void some(int n, int few, int m, double **a) { // the table ends before the loop
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i < few)
            for (int j = 0; j < m; j++) a[i][j] += 1;
}
static void masked(int n, int m, const int *on, double **a) { // some rows may not be written
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (on[i]) a[i][j] = a[i][j] * 3 - j;
}
struct line {
    int tag;
    double *row;
};
static void fields(int n, int m, struct line *p, const double *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) p[i].row[j] += x[j];
}
struct point {
    double x, y;
};
static void halves(int n, int m, struct point **p) { // x is written, y is not
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) p[i][j].x = p[i][j].y * 2 + j;
}
static void cube(int n, double ***restrict u, double ***restrict t) {
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) u[i][j][k] = t[i - 1][j][k] + t[i][j + 1][k] - t[i][j][k - 1];
}
static void neighbours(int n, int m, int **at, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) s += x[at[i][k]];
        y[i] = s;
    }
}
static void scoped(int n, int m, double **a, double *x) { // a row by itself, and in the table
#pragma sculpt data
    {
#pragma sculpt
        for (int j = 0; j < m; j++) x[j] = x[j] * 2 + 1;
#pragma sculpt
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) a[i][j] = a[i][j] * 3 + j;
#pragma sculpt
        for (int j = 0; j < m; j++) x[j] = x[j] - j;
    }
}
static void team(int n, int m, double **a) {
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) a[i][j] = a[i][j] * 0.25 + i - j;
    }
}
static void corner(double **a) { // of rows that have one element
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i][0] = 2 * i;
}

int main(void) {
    double **a = table(N, M), **b = table(M, M), **c = table(N, M), **d = table(N, M);
    product(N, M, M, a, b, c), show("product", N, M, c);
    mean(N, M, c, d), show("mean", N, M, d);
    mean(N, M, d, d), show("in place", N, M, d);
    double *own = d[4];
    d[4] = d[9] + 3; // two rows share memory
    grow(N, M, d), show("shared", N, M, d);
    mean(N, M, c, d), show("shared", N, M, d);
    d[4] = c[7];
    mean(N, M, c, d), show("of the other", N, M, d);
    d[4] = own;

    double *rows[N], s[N];
    for (int i = 0; i < N; i++) rows[i] = fenced(i + 1, PROT_READ | PROT_WRITE);
    lower(N, rows);
    for (int i = 0; i < N; i++) show_doubles("lower", rows[i], i + 1);
    int len[N], on[N];
    for (int i = 0; i < N; i++) {
        len[i] = i * 7 % 11;
        on[i] = i % 3 == 1;
        rows[i] = len[i] ? fenced(len[i], PROT_READ) : i % 2 ? NULL : (double *)8;
    }
    ragged(N, len, rows, s), show_doubles("ragged", s, N);
    double **few = (double **)fenced(5, PROT_READ | PROT_WRITE);
    for (int i = 0; i < 5; i++) few[i] = b[i * 3 % 5];
    some(N, 5, M, few), show("some", M, M, b);
    for (int i = 0; i < N; i++) rows[i] = fenced(M, on[i] ? PROT_READ | PROT_WRITE : PROT_READ);
    masked(N, M, on, rows), show("masked", N, M, rows);

    struct line lines[N];
    for (int i = 0; i < N; i++) lines[i] = (struct line){i, a[i * 5 % N]};
    fields(N, M, lines, b[0]), show("fields", N, M, a);
    struct point *points[N];
    for (int i = 0; i < N; i++) {
        points[i] = take((M + i % 3 * 40) * sizeof(struct point));
        for (int j = 0; j < M; j++) points[i][j] = (struct point){i, j};
    }
    halves(N, M, points);
    for (int i = 0; i < N; i += 5) show_doubles("halves", &points[i][0].x, 2 * M);
    double **t[N], **u[N];
    for (int i = 0; i < N; i++) t[i] = table(N, N), u[i] = table(N, N);
    cube(N, u, t);
    for (int i = 0; i < N; i += 5) show("cube", N, N, u[i]);
    int *at[N];
    for (int i = 0; i < N; i++) at[i] = take((9 + i % 4 * 40) * sizeof(int)), fill_ints(at[i], 9, M);
    neighbours(N, 9, at, a[3], s), show_doubles("neighbours", s, N);
    scoped(N, M, a, a[6]), show("scoped", N, M, a);
    scoped(N, M, a, b[6]), show("scoped", N, M, a), show("scoped", M, M, b);
    team(N, M, a), show("team", N, M, a);
    for (int i = 0; i < N; i++) rows[(i * 5 + 2) % N] = fenced(1, PROT_READ | PROT_WRITE);
    corner(rows);
    for (int i = 0; i < N; i++) show_doubles("corner", rows[i], 1);
    while (ntaken) free(taken[--ntaken]);
    return 0;
}
