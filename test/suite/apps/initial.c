// device 7
// initial.c -- initialisers of all forms, and private copies that begin with a value.
#include "../suite.h"
#define N 50
typedef struct {
    double x, y;
    int t[3];
} Point;
typedef struct {
    Point from, to;
    int kind;
} Line;

static void firstprivate_array(int n, double *a) {
    double w[4] = {1, 2, 3, 4};
    Point p = {1, 2, {3, 4, 5}};
#pragma omp parallel for firstprivate(w, p)
    for (int i = 0; i < n; i++) {
        w[i % 4] = i;
        p.y = w[3] + i;
        p.t[1] = i;
        a[i] = w[0] + w[1] * 2 + p.x + p.y + p.t[0] + p.t[1];
    }
    a[0] += w[1] + p.y;
}
static void named(int n, double *a) {
#pragma scop
    for (int i = 0; i < n; i++) {
        Point p = {.y = i, .t = {[1] = 5}};
        int w[4] = {[2] = i}, v[5] = {1, [3] = 7, 8};
        a[i] = p.x + p.y + p.t[1] + p.t[0] + w[2] + w[3] + v[0] * 100 + v[1] + v[3] * 10 + v[4];
    }
#pragma endscop
}
static void flat(int n, double *a) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double w[2][2] = {1, 2, i, 4};
        Point p = {i, 2, 3, 4};
        int v[2][3] = {{1}, 2, 3};
        a[i] = w[1][0] + w[0][1] + p.t[0] * 10 + p.t[1] + p.t[2] + v[0][0] + v[1][0] * 5 + v[1][1] + v[1][2];
    }
#pragma endscop
}
static void nested(int n, double *a) {
#pragma scop
    for (int i = 0; i < n; i++) {
        Line l = {.to = {.x = i, .t = {1, 2, 3}}, .kind = 2};
        Line m = {{1, 2, {3}}, {4, 5, 6, i}, 7};
        Line z = {0};
        a[i] = l.to.x + l.to.t[2] + l.from.y + l.kind + m.to.t[1] + m.to.t[0] + m.from.t[1] + m.kind +
            z.to.x + z.kind;
    }
#pragma endscop
}
static void path(int n, double *a) {
#pragma scop
    for (int i = 0; i < n; i++) {
        Line l = {.to.t[1] = i, .from.x = 3, .kind = 1};
        a[i] = l.to.t[1] + l.from.x * 2 + l.kind + l.to.t[0];
    }
#pragma endscop
}
static void copies(int n, double *a) {
#pragma scop
    for (int i = 0; i < n; i++) {
        Point p[2] = {{1, 2, {3, 4, 5}}, {.x = i}};
        Line l = {p[1], p[0], i};
        a[i] = l.from.x + l.to.t[2] + l.kind + l.from.y;
    }
#pragma endscop
}
static void twice(int n, double *a) { // the last one counts
#pragma scop
    for (int i = 0; i < n; i++) {
        int w[3] = {[0] = 1, 2, [0] = i};
        a[i] = w[0] + 10 * w[1] + 100 * w[2];
    }
#pragma endscop
}

int main(void) {
    double a[N] = {0};
    firstprivate_array(1, a), show_doubles("one", a, N);
    firstprivate_array(N, a), printf("firstprivate %g\n", a[0]);
    named(N, a), show_doubles("named", a, N);
    flat(N, a), show_doubles("flat", a, N);
    nested(N, a), show_doubles("nested", a, N);
    path(N, a), show_doubles("path", a, N);
    copies(N, a), show_doubles("copies", a, N);
    twice(N, a), show_doubles("twice", a, N);
    return 0;
}
