// device 2
// forked.c -- loops on a device, and then a child that has parallel loops of its own. OpenMP's library waits
// in a child for threads that it had before the fork, so the program that began none must have none.
#include "../suite.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>
enum { M = 128, N = M * M };
static double a[N], x[M][M], y[M][M];
static double terms(int k) { // the print keeps it from a device
    double s = 0;
#pragma omp parallel
    {
#pragma omp single
        printf("team\n");
#pragma omp for reduction(+ : s)
        for (int i = 0; i < N; i++) s += a[i] * k;
    }
    return s;
}
static void product(void) {
#pragma sculpt
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < M; k++) a[i * M + j] += x[i][k] * y[k][j];
}
int main(void) {
    suite_use();
    omp_set_num_threads(3);
    fill_doubles(x[0], N), fill_doubles(y[0], N);
    product();
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(60);
        printf("child %.12g\n", terms(1));
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("parent %d\n", status);
    product();
    printf("parent %.12g\n", terms(2));
    return 0;
}
