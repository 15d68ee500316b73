// device 5
// updates.c -- members, elements and rows that directives move by themselves.
#include "../suite.h"
#define N 64
struct in {
    float f[N];
    int n;
};
struct whole {
    int k;
    float a[N];
    struct in in;
    float *p;
    struct {
        int deep;
    };
};
static struct whole g, *gp, arr[3];
static float **rows, grid[N][N];
static void kernel(int n) {
#pragma acc parallel loop present(g, gp[0:1])
    for (int i = 0; i < n; i++) { g.a[i] = g.a[i] * 2 + g.k + g.in.n; gp->a[i] += g.in.f[i] + g.deep + gp->k;
        }
}
static void grids(int n) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) grid[i][j] += arr[1].a[j] + arr[1].k;
}
static void pointed(int n) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) g.p[i] = g.p[i] * 3 + g.a[i];
}
static void row_alone(int n, int r) {
    float *row = rows[r];
#pragma acc parallel loop
    for (int i = 0; i < n; i++) row[i] = row[i] * 3 + 1;
}
int main(void) {
    suite_use();
    gp = calloc(1, sizeof *gp); g.p = calloc(N, 4); rows = malloc(8 * N);
    for (int i = 0; i < N; i++) rows[i] = calloc(N, 4);
#pragma acc enter data copyin(g, gp[0:1], arr, grid) copyin(g.p[0:N])
    for (int t = 0; t < 4; t++) {
        g.k = t + 1; g.in.n = 3 * t; g.deep = t; gp->k = 5 * t;
        for (int i = 0; i < N; i++) g.in.f[i] = i * t, arr[1].a[i] = i + t;
        arr[1].k = t;
#pragma acc update device(g.k, g.in.n, g.in.f, g.deep) device(gp->k)
#pragma acc update device(arr[1].a[0:N], arr[1].k)
        kernel(N); grids(N);
#pragma acc update self(g.a[0:N], gp->a, (*gp).k) host(grid[3][0:N], grid[4][2])
        for (int i = 0; i < 4; i++) g.p[i] += t;
#pragma acc update device(g.p[0:4])
        pointed(N);
#pragma acc update self(g.p[0:N])
        printf("%g %g %g %g %g %g %g\n", g.a[1], g.a[N - 1], gp->a[3], grid[3][5], grid[4][2], g.p[2],
               g.p[7]);
    }
#pragma acc exit data copyout(g, gp[0:1], arr, grid, g.p[0:N])
#pragma acc enter data copyin(rows[0:N][0:N])
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < N; i++) rows[2][i] += t;
#pragma acc update device(rows[0:N][0:N])
        row_alone(N, 2); row_alone(N, 3);
#pragma acc update self(rows[2:2][0:N])
        printf("%g %g\n", rows[2][4], rows[3][6]);
    }
#pragma acc exit data copyout(rows[0:N][0:N])
    printf("%g %g\n", rows[2][4], rows[3][6]);
#pragma omp target enter data map(to: g, arr)
    for (int t = 0; t < 3; t++) {
        g.k = t + 1; g.in.n = 3 * t;
#pragma omp target update to(g.k, g.in.n)
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) g.a[i] = g.a[i] * 2 + g.k + g.in.n + g.in.f[i];
#pragma omp target update from(g.a[0:N])
        printf("%g %g\n", g.a[1], g.a[N - 1]);
    }
#pragma omp target exit data map(from: g, arr)
}
