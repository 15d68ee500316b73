// planned.c -- a product that is called while its nests are planned: by threads, before and behind a
// fork, and by a process that ends meanwhile.   planned CALLS [fork | threads | end | shift APART]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 96 };

static void product(int n, float *restrict c, const float *restrict a, const float *restrict b) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// Small whole numbers: every order of the sums is exact. 0: all are right.
static int call(int n) {
    static const int big = N * N;
    float *a = malloc(3 * big * sizeof *a), *b = a + big, *c = b + big;
    int wrong = 0;
    for (int i = 0; i < n * n; i++) a[i] = (float)(i % 5), b[i] = (float)(i % 7), c[i] = 1;
    product(n, c, a, b);
    for (int i = 0; i < n * n; i++) {
        float sum = 1;
        for (int k = 0; k < n; k++) sum += a[i / n * n + k] * b[k * n + i % n];
        wrong += c[i] != sum;
    }
    free(a);
    return wrong;
}

static int calls;

static void *repeat(void *arg) {
    long wrong = 0;
    for (int i = 0; i < calls; i++) wrong += call(*(int *)arg);
    return (void *)wrong;
}

static long in_threads(void) {
    static int n[4] = {96, 64, 33, 80};
    pthread_t t[4];
    long wrong = 0;
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, repeat, &n[i]);
    for (int i = 0; i < 4; i++) {
        void *one;
        pthread_join(t[i], &one);
        wrong += (long)one;
    }
    return wrong;
}

static long in_both(int *n) {
    int status = 1;
    long wrong = (long)repeat(n);
    pid_t child = fork();
    wrong += (long)repeat(n);
    if (child == 0) exit(wrong != 0);
    if (waitpid(child, &status, 0) != child || status) wrong++;
    return wrong;
}

static void shift(int n, float *x, const float *y) {
#pragma sculpt
    for (int i = 0; i < n; i++) x[i] = y[i] + 1;
}

// y stands `apart` floats ahead of x.
static long shifted(int apart) {
    enum { LONG = 1 << 16 };
    float *y = malloc(2 * LONG * sizeof *y);
    long wrong = 0;
    for (int i = 0; i < 2 * LONG; i++) y[i] = (float)(i % 64);
    shift(LONG, y + apart, y);
    for (int i = 0; i < LONG; i++)
        wrong +=
            y[i + apart] != (float)((apart < LONG ? i % apart : i % 64) + 1 + (apart < LONG ? i / apart : 0));
    free(y);
    return wrong;
}

int main(int argc, char **argv) {
    int n = N;
    const char *how = argc > 2 ? argv[2] : "";
    calls = argc > 1 ? atoi(argv[1]) : 1;
    long wrong = !strcmp(how, "threads") ? in_threads()
                 : !strcmp(how, "fork")  ? in_both(&n)
                 : !strcmp(how, "shift") ? shifted(atoi(argv[3]))
                                         : (long)repeat(&n);
    printf("%ld wrong\n", wrong);
    return wrong ? 1 : !strcmp(how, "end") ? 7 : 0;
}
