// flags: -fopenmp
// device 6
// targets.c -- target constructs: taken whole where they are loops alone, else the compiler's own.
#include "../suite.h"
#define N 700
static double a[N], b[N];

static double square(double x) { return x * x; }
static void helper(double *p, int n) { // called on the compiler's own device
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = square(p[i]);
}
static double lost(int n, double *x) { // s is the construct's own
    double s = 3;
#pragma omp target map(to : x[0 : n])
    {
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += x[i];
    }
    return s;
}
static double kept(int n, double *x) {
    double s = 3;
#pragma omp target map(to : x[0 : n]) map(tofrom : s)
    {
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += x[i];
    }
    return s;
}
static void two(int n, double *x, double *y) {
    int k = 2;
#pragma omp target teams map(tofrom : x[0 : n], y[0 : n]) firstprivate(k)
    {
        double f;
#pragma omp distribute parallel for
        for (int i = 0; i < n; i++)
            x[i] += k;
#pragma omp distribute parallel for private(f)
        for (int i = 0; i < n; i++) {
            f = x[i] * 2;
            y[i] += f;
        }
    }
}
static void serial(int n, double *x) {
#pragma omp target map(tofrom : x[0 : n])
    {
        x[0] = 7;
#pragma omp parallel for
        for (int i = 1; i < n; i++)
            x[i] += x[0];
    }
}
#pragma omp declare target
static void inner(int n, double *x) {
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        x[i] += 1;
}
#pragma omp end declare target
static void listed(int n, double *x) {
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        x[i] += 1;
}
#pragma omp declare target(listed)
static void tasks(int n, double *x, double *y) { // these are the host's, and calls may stand in them
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                x[i] += 2;
        }
#pragma omp task
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] += 3;
    }
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp simd
            for (int i = 0; i < n; i++)
                x[i] += 2;
        }
#pragma omp section
        y[0] += 1;
    }
#pragma omp parallel for ordered
    for (int j = 0; j < 3; j++) {
#pragma omp ordered
        {
#pragma omp simd
            for (int i = 0; i < n; i++)
                x[i] = x[i] * 0.5 + j;
        }
    }
#pragma omp parallel
#pragma omp critical
    {
#pragma omp simd
        for (int i = 0; i < n; i++)
            y[i] = y[i] > 4 ? 4 : y[i];
    }
}
int main(void) {
    for (int i = 0; i < N; i++) {
        a[i] = i * 0.001;
        b[i] = 2 * i;
    }
    printf("%g %g\n", lost(N, a), kept(N, a));
    two(N, a, b);
    serial(N, a);
#pragma omp target map(tofrom : a)
    helper(a, N);
    inner(N, a);
    listed(N, b);
    tasks(N, a, b);
    show_doubles("a", a, N);
    show_doubles("b", b, N);
}
