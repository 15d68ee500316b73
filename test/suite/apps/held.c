// device 6
// held.c -- OpenACC as programs write it: a solver in a data region, data that are entered, updated and left
// by their pointers alone, gangs, workers and vectors.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define N 128
static double A[N][N], Anew[N][N];
static void saxpy(int n, float a, float *restrict x, float *restrict y) {
#pragma acc kernels loop independent present_or_copyin(x[0:n]) copy(y[0:n])
    for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
#pragma acc routine seq
static double f(double x) { return x * x + 1; }
int main(void) {
    double err = 1;
    int iter = 0;
    for (int j = 0; j < N; j++) A[j][0] = 1;
#pragma acc data copy(A) create(Anew)
    while (err > 1e-3 && iter < 20) {
        err = 0;
#pragma acc parallel loop gang reduction(max:err) vector_length(128) async(1) wait
        for (int j = 1; j < N - 1; j++) {
#pragma acc loop vector reduction(max:err)
            for (int i = 1; i < N - 1; i++) {
                Anew[j][i] = 0.25 * (A[j][i + 1] + A[j][i - 1] + A[j - 1][i] + A[j + 1][i]);
                err = fmax(err, fabs(Anew[j][i] - A[j][i]));
            }
        }
#pragma acc wait(1)
#pragma acc kernels
        {
#pragma acc loop independent gang(32), vector(16)
            for (int j = 1; j < N - 1; j++)
#pragma acc loop independent worker
                for (int i = 1; i < N - 1; i++) A[j][i] = Anew[j][i];
        }
        iter++;
    }
    int n = 1000;
    float *x = malloc(n * 4), *y = malloc(n * 4);
    for (int i = 0; i < n; i++) x[i] = i, y[i] = 1;
#pragma acc enter data copyin(x[0:n], y[0:n])
    for (int t = 0; t < 3; t++) saxpy(n, 2, x, y);
#pragma acc update self(y[0:n])
    printf("%g\n", y[10]);
    y[10] = 0;
#pragma acc update device(y[10:1])
    saxpy(n, 1, x, y);
#pragma acc exit data copyout(y[0:n]) delete(x)
    double s = 0, m[3] = {0};
#pragma acc parallel num_gangs(8) copyin(A) copy(m)
    {
#pragma acc loop gang worker vector collapse(2) reduction(+:s)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) s += f(A[j][i]);
    }
#pragma acc serial
    { m[0] = 1; }
#pragma acc parallel loop tile(8, 8)
    for (int j = 0; j < N; j++) for (int i = 0; i < N; i++) A[j][i] += j == i;
    int count = 0;
#pragma acc parallel loop copy(count)
    for (int i = 0; i < n; i++) if (y[i] > 10) {
#pragma acc atomic update
        count++;
    }
    printf("%.6g %d %g %.10g %g %d\n", err, iter, y[10], s, A[3][3], count);
}
