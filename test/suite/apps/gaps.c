// device 5
// flags: -pthread
// gaps.c -- what another thread stores between the elements that a loop writes is still there afterwards.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 300, M = N * N };
static volatile double *mine[M]; // elements that the other thread counts up
static int nmine;
static atomic_int stop, rounds;

static void *count_up(void *arg) {
    long n = 0;
    for (; !stop || n < 2; n++, rounds++)
        for (int i = 0; i < nmine; i++) *mine[i] += 1;
    return (void *)n;
}

static void strided(int n, double *p) {
#pragma sculpt
    for (int i = 0; i < n; i++) p[2 * i] = p[2 * i] * 0.5 + i;
}
static void triangle(int n, double p[n][n]) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) p[i][j] += i - j;
}
static double declared[N][N];
static void columns(int n) { // of an array whose size is declared
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n / 3; j++) declared[i][3 * j] += i + j;
}
struct point { double x, weight; };
static void members(int n, struct point *p) {
#pragma sculpt
    for (int i = 0; i < n; i++) p[i].x = p[i].x * 0.5 + i;
}
static void scattered(int n, const int *at, double *p) {
#pragma sculpt
    for (int i = 0; i < n; i++) p[at[i]] = i;
}

static double *p;
static int at[M / 3];
static void one(int kind) {
    if (kind == 0) strided(M / 2, p);
    if (kind == 1) triangle(N, (double(*)[N])p);
    if (kind == 2) columns(N);
    if (kind == 3) members(M / 2, (struct point *)p);
    if (kind == 4) scattered(M / 3, at, p);
}
static int theirs(int kind, int i) {
    if (kind == 1) return i % N > i / N;
    return i % (kind == 2 || kind == 4 ? 3 : 2) == 1;
}

int main(void) {
    for (int i = 0; i < M / 3; i++) at[i] = 3 * i;
    for (int kind = 0; kind < 5; kind++) {
        pthread_t other;
        void *counted;
        double sum = 0;
        int lost = 0;
        p = calloc(M, sizeof *p);
        double *base = kind == 2 ? &declared[0][0] : p;
        nmine = 0, stop = 0, rounds = 0;
        for (int i = 0; i < M; i++)
            if (theirs(kind, i) && i % 7 == 0) mine[nmine++] = &base[i];
        one(kind); // alone
        pthread_create(&other, NULL, count_up, NULL);
        for (int r = 0; r < 8; r++) {
            one(kind);
            for (int was = rounds; rounds == was;) continue; // it has counted behind each of them
        }
        stop = 1;
        pthread_join(other, &counted);
        for (int i = 0; i < nmine; i++) lost += *mine[i] != (double)(long)counted;
        for (int i = 0; i < M; i++)
            if (!theirs(kind, i)) sum += base[i] * (i % 13);
        printf("%d lost %d sum %.10g\n", kind, lost, sum);
        free(p);
    }
}
