// device 5
// beside.c -- what directives give to the device beside loops runs on the host, between kernels on the same
// data.
#include <stdio.h>
static double A[64], B[64]; static int c;
static void acc_serial(void) {
#pragma acc data copy(A)
    {
#pragma acc parallel loop
        for (int i = 0; i < 64; i++) A[i] = i;
#pragma acc serial
        { A[0] += A[5]; }
#pragma acc parallel loop
        for (int i = 0; i < 64; i++) A[i] += 1;
    }
}
static void acc_block(void) {
#pragma acc data copy(B)
    {
#pragma acc parallel loop
        for (int i = 0; i < 64; i++) B[i] = i;
#pragma acc kernels
        {
            B[0] += B[7];
            for (int i = 0; i < 64; i++) B[i] += 1;
            B[1] += B[3];
        }
#pragma acc parallel
        { B[2] = B[1] + 1; }
    }
}
static void omp_target(void) {
#pragma omp target data map(tofrom: A)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 64; i++) A[i] *= 2;
#pragma omp target map(from: c)
        { A[3] += A[4]; c = 1; }
#pragma omp target
        for (int i = 1; i < 64; i++) A[i] += A[i - 1];
    }
}
int main(void) {
    acc_serial(); acc_block(); omp_target();
    double s = 0, t = 0;
    for (int i = 0; i < 64; i++) s += A[i] * i, t += B[i] * i;
    printf("%g %g %g %g %d\n", s, t, A[0], B[2], c);
}
