// device 10
// sections.c -- memory of which only clauses and declarations say how far it reaches: tables asked with
// computed places, lists that are walked, one-based arrays, data regions around, rows, records, members.
#include "../suite.h"
#define KNOTS 65
typedef struct { float value, slope; int next; } Knot;
static void table(int n, int m, const float *x, const float *t, float *y, int *at) {
#pragma acc parallel loop copyin(x[0:n], t[0:m]) copyout(y[:n], at[0:n])
    for (int i = 0; i < n; i++) {
        at[i] = (int)(x[i] * (m - 1));
        y[i] = t[at[i]] + x[i];
    }
}
static void walk(int n, int m, const int *next, int *out) {
#pragma omp target teams distribute parallel for map(to: next[0:m]) map(from: out[0:n])
    for (int i = 0; i < n; i++) {
        int k = i % m;
        for (int s = 0; s < 5; s++) k = next[k];
        out[i] = k;
    }
}
static void one_based(int n, int m, const int *next, int *out) { // next[1] … next[m]
#pragma omp target teams distribute parallel for map(always, to: next[1:m]) map(from: out[0:n])
    for (int i = 0; i < n; i++) {
        int k = i % m + 1;
        for (int s = 0; s < 3; s++) k = next[k] + 1;
        out[i] = k;
    }
}
static void declared(int n, int m, const int next[m], int *out) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = i % m;
        for (int s = 0; s < 7; s++) k = next[k];
        out[i] = k;
    }
}
static void least(int n, const int next[static KNOTS], int *out) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        int k = i % KNOTS;
        for (int s = 0; s < 2; s++) k = next[k];
        out[i] = k;
    }
}
static void around(int n, int m, const float *t, const float *x, float *y, int *at) {
#pragma acc data copyin(t[0:2 * m]) copyin(x[0:n]) copyout(y[0:n]) create(at[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            at[i] = (int)(x[i] * (m - 1));
            y[i] = t[2 * at[i]] - t[2 * at[i] + 1];
        }
    }
}
static void records(int n, const Knot *k, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to: k[0:KNOTS]) map(to: x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; i++) {
        int at = (int)(x[i] * (KNOTS - 1));
        for (int s = 0; s < 3; s++) at = k[at].next;
        y[i] = k[at].value + k[at].slope * x[i];
    }
}
static void rows(int n, int m, const float (*p)[3], const int *next, float *y) {
#pragma acc parallel loop copyin(p[0:m][0:3], next[0:m]) copyout(y[0:n])
    for (int i = 0; i < n; i++) {
        int at = i % m;
        for (int s = 0; s < 4; s++) at = next[at];
        y[i] = p[at][0] + 2 * p[at][1] - p[at][2];
    }
}
typedef struct { int n; float *x; Knot *knots; } Spline;
static void members(int n, const Spline *s, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to: s->x[0:s->n], s->knots[0:s->n])
    for (int i = 0; i < n; i++) {
        int lo = 0, hi = s->n;
        while (hi - lo > 1) {
            int mid = (lo + hi) / 2;
            if (s->x[mid] > x[i] * 10) hi = mid; else lo = mid;
        }
        y[i] = s->knots[lo].value + s->knots[lo].slope * x[i];
    }
}
static void member(int n, Spline s, const int *at, float *y) {
#pragma acc parallel loop copyin(s.x[:KNOTS], s.knots[:s.n])
    for (int i = 0; i < n; i++) {
        int k = at[i];
        for (int j = 0; j < 3; j++) k = s.knots[k].next;
        y[i] = s.x[k];
    }
}
int main(void) {
    enum { N = 1000, M = KNOTS };
    float *x = malloc(N * sizeof *x), *t = malloc(2 * M * sizeof *t), *y = malloc(N * sizeof *y),
        (*p)[3] = malloc(M * sizeof *p);
    int *next = malloc(M * sizeof *next), *out = malloc(N * sizeof *out), *at = malloc(N * sizeof *at);
    Knot *k = malloc(M * sizeof *k);
    for (int i = 0; i < N; i++) x[i] = (float)suite_next();
    fill_floats(t, 2 * M), fill_floats(p[0], 3 * M);
    for (int i = 0; i < M; i++) next[i] = (i * 29 + 3) % M, k[i] = (Knot){t[i], t[M + i], (i * 7 + 1) % M};
    table(N, M, x, t, y, at), show_floats("table", y, N), show_ints("at", at, N);
    walk(N, M, next, out), show_ints("walk", out, N);
    one_based(N, M, next - 1, out), show_ints("one_based", out, N);
    declared(N, M, next, out), show_ints("declared", out, N);
    least(N, next, out), show_ints("least", out, N);
    around(N, M, t, x, y, at), show_floats("around", y, N);
    records(N, k, x, y), show_floats("records", y, N);
    rows(N, M, (const float (*)[3])p, next, y), show_floats("rows", y, N);
    Spline spline = {M, t, k};
    for (int i = 0; i < M; i++) t[i] = i * 10.0f / M;
    for (int i = 0; i < N; i++) at[i] = i * 31 % M;
    members(N, &spline, x, y), show_floats("members", y, N);
    member(N, spline, at, y), show_floats("member", y, N);
    free(x), free(t), free(y), free(p), free(next), free(out), free(at), free(k);
    suite_use();
    return 0;
}
