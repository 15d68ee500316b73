// device 4
// hosted.c -- the host's loops beside data that directives hold on the device: two copies, until an update.
#include "../suite.h"
#define N 3000
static float a[N], b[N];
static void device(float *x, int n, float s) {
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++) x[i] = x[i] * s + 1;
}
static void host(float *x, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] += i % 3;
}
int main(void) {
    for (int i = 0; i < N; i++) a[i] = i, b[i] = i % 7;
#pragma omp target data map(tofrom: a, b)
    {
        device(a, N, 0.5f);
        device(b, N, 0.75f);
#pragma omp target update from(a)
        host(a, N);
#pragma omp target update to(a[0:N/2])
#pragma omp target update to(a[N/2:N/2])
        device(a, N, 0.25f);
        for (int i = 0; i < N; i++) b[i] = 2 * i; // never read from the device
        host(b, N);
#pragma omp target update to(b)
        device(b, N, 3);
        for (int t = 0; t < 3; t++) { // steps of both are no single region
#pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++) a[i] = a[i] * 0.5f + b[i];
#pragma omp target update from(a)
#pragma omp parallel for
            for (int i = 0; i < N; i++) a[i] += i % 5;
#pragma omp target update to(a)
        }
    }
    double s = 0;
    for (int i = 0; i < N; i++) s += a[i] * (i % 11) + b[i] * (i % 13);
    printf("%.9g\n", s);
    host(a, N); // nothing holds it any more
    show_floats("a", a, N);
}
