// always.c -- map(always, …): the host's values go in, and the device's come back, though the data are held.
#include "../suite.h"
enum { N = 1000 };
static double a[N], b[N], c[N];
static double sum(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (i % 7);
    return s;
}
static void always_in_target(int n, double *x, double *y) {
#pragma omp target data map(to : x [0:n]) map(tofrom : y [0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) y[i] = x[i] + 1;
        for (int i = 0; i < n; i++) x[i] = 100 + i;
            // without always, the device keeps its old x
#pragma omp target teams distribute parallel for map(always, to : x [0:n]) map(always, from : y [0:n])
        for (int i = 0; i < n; i++) y[i] += x[i];
        printf("inside\n");
        for (int i = 0; i < n; i++) x[i] = 2 * i;
        if (n > 3)
#pragma omp target teams distribute parallel for map(always to : x [0:n]) map(close, tofrom : y [0:n])
            for (int i = 0; i < n; i++) y[i] += x[i] * 2;
        else printf("small\n");
    }
    printf("target %.3f\n", sum(y, n));
}
static void always_in_data(int n) {
#pragma omp target enter data map(to : a) map(alloc : b [0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) b[i] = a[i] * 3;
    for (int i = 0; i < n; i++) a[i] = i * 0.5;
#pragma omp target data map(always, tofrom : a [0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) b[i] += a[i], a[i] = a[i] + 1;
    }
    printf("a %.3f\n", sum(a, n));
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(always, to : a [0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) b[i] += a[i];
#pragma omp target exit data map(always, from : b [0:n]) map(release : a)
    printf("b %.3f\n", sum(b, n));
#pragma omp target exit data map(delete : a)
}
int main(void) {
    for (int i = 0; i < N; i++) a[i] = i, b[i] = 1;
    always_in_target(N, a, c);
    always_in_data(N);
    return 0;
}
