// device 2
// dropped.c -- a program that drops its environment behind its first loop: compilers find no programs then.
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000 };
static int p[N];
static double d[N];

int main(void) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) p[i] = i;
    unsetenv("PATH");
#pragma omp parallel for
    for (int i = 0; i < N; i++) d[i] = i * .5 + p[i];
    printf("%d %g\n", p[N - 1], d[N - 1]);
    return 0;
}
