// flags: -fopenacc
// device 4
// constructs.c -- OpenACC's constructs around blocks of loops, with and without marks of their own, where the
// host's compiler follows them, too.
#include <stdio.h>
#define N 777
static double x[N], y[N], z[N], a[N];
static void firstprivates(double *p, int n, double f) {
    double t = 1;
#pragma acc parallel copy(p[0:n])
    {
#pragma acc loop
        for (int i = 0; i < n; i++) p[i] = p[i] * f + t;
    }
}
static double sum_in_kernels(const double *p, int n) {
    double s = 0;
    int most = 0;
#pragma acc kernels copyin(p[0:n])
    {
        for (int i = 0; i < n; i++) most = p[i] > 10 ? i : most;
    }
    return s + most;
}
static double lost(double *p, int n) { // s is the construct's own
    double s = 5;
#pragma acc parallel copy(p[0:n])
    {
#pragma acc loop seq
        for (int i = 0; i < n; i++) s += i;
#pragma acc loop
        for (int i = 0; i < n; i++) p[i] += 1;
    }
    return s;
}
static long counted(const double *p, int n) {
    long s = 0;
#pragma acc parallel copyin(p[0:n]) copy(s)
    {
#pragma acc loop reduction(+:s)
        for (int i = 0; i < n; i++) s += p[i] > 3;
    }
    return s;
}
static void statements(double *p, int n) {
#pragma acc parallel copy(p[0:n])
    {
        int half = n / 2;
#pragma acc loop
        for (int i = 0; i < half; i++) p[i] -= 0.5;
        p[0] = 3;
    }
}
static void nested(double *p, double *q, int n) {
#pragma acc data copy(p[0:n], q[0:n])
    {
        for (int t = 0; t < 3; t++) {
#pragma acc kernels present(p, q)
            {
#pragma acc loop independent
                for (int i = 1; i < n - 1; i++) q[i] = (p[i - 1] + p[i + 1]) / 2;
#pragma acc loop independent
                for (int i = 1; i < n - 1; i++) p[i] = q[i];
            }
        }
#pragma acc update self(p[0:n])
    }
}
int main(void) {
    for (int i = 0; i < N; i++) x[i] = i % 17, y[i] = i % 5 - 2, z[i] = i, a[i] = 0.25 * i;
    firstprivates(x, N, 1.5), nested(y, z, N), statements(a, N);
    double h = sum_in_kernels(x, N), l = 0;
    (void)lost;
    for (int i = 0; i < N; i++) h += x[i] + 2 * y[i] + 3 * z[i] + 4 * a[i];
    printf("%.9g %ld %.9g\n", h, counted(x, N), l);
}
