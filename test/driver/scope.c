// scope.c -- data that move between the calls of a region, in a data scope.
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 22 };

static void next(int n, float *x) {
#pragma sculpt
    for (int i = 0; i < n; i++) x[i] = x[i] + 1;
}

int main(void) {
    float *x = malloc(N * sizeof *x);
    long wrong = 0;
    for (int i = 0; i < N; i++) x[i] = (float)(i % 8);
#pragma acc data copy(x [0:N])
    for (int k = 0; k < 3; k++) {
        next(N, x);
#pragma acc update host(x [0:N])
        for (int i = 0; i < N; i++) wrong += x[i] != (float)(i % 8 + k + 1);
    }
    printf("%ld wrong\n", wrong);
    return wrong != 0;
}
