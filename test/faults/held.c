// held.c -- data directives: what is copied out, written back, updated, and dropped.
#include "faults.h"
#include <stdlib.h>

enum { N = 500 };

__attribute__((noinline)) static void scope(int n, int *a, int *b, int *c) {
#pragma acc data copy(a[0 : n]) copyout(b[0 : n]) create(c[0 : n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++) b[i] = a[i] * 2, c[i] = a[i] - 1;
#pragma acc parallel loop
        for (int i = 0; i < n; i++) a[i] = b[i] + c[i];
    }
}
__attribute__((noinline)) static void begun(int n, int *a, int *b) {
#pragma acc enter data copyin(a[0 : n]) create(b[0 : n])
#pragma acc parallel loop present(a[0 : n], b[0 : n])
    for (int i = 0; i < n; i++) b[i] = a[i] + 3, a[i] ^= 5;
#pragma acc update self(a[0 : 10])
    note(a[9]);
    a[3] = 100;
#pragma acc update device(a[3 : 1])
#pragma acc parallel loop present(a[0 : n], b[0 : n])
    for (int i = 0; i < n; i++) b[i] += a[i];
#pragma acc exit data copyout(a[0 : n], b[0 : n])
}
__attribute__((noinline)) static void mapped(int n, int m, int **row) {
#pragma omp target data map(tofrom : row[0 : n][0 : m])
    {
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) row[i][j] += i * j;
    }
}

int main(int argc, char **argv) {
    static int a[N], b[N], c[N], far[9][70], *row[9];
    (void)argv;
    for (int i = 0; i < N; i++) a[i] = i % 100;
    for (int i = 0; i < 9; i++) row[i] = far[i];
    scope_begin(argc);
    scope(N, a, b, c), begun(N, a, b), mapped(9, 60, row);
    scope_end(argc);
    for (int i = 0; i < N; i++) note(a[i]), note(b[i]);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 60; j++) note(far[i][j]);
    return tell();
}
