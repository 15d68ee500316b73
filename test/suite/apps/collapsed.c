// SPDX-License-Identifier: MIT
// collapsed.c -- loops that one mark joins, of which not all can be read: nothing stands between their heads.
// Variables that begin with the value from before and keep the last one, in loops inside of each other.
// device 6
#include "../suite.h"
#define N 12
static int grid[N][N][N];
static volatile int least = 2, most = 9;

static void three(void) {
    int i, j, k;
#pragma omp parallel for collapse(3) private(i, j, k)
    for (i = 0; i < N; i++)
        for (j = least; j < most; j++)
            for (k = 0; k < N; k += 2) grid[i][j][k] += i + 2 * j - k;
}
static void two(int n) {
#pragma omp parallel for schedule(static) collapse(2)
    for (int i = 0; i < n; i++)
        for (unsigned long long j = __LONG_LONG_MAX__ + 8ULL; j > __LONG_LONG_MAX__ - 1ULL; j -= 3) {
            for (int k = 0; k < n; k++) grid[i][(j - __LONG_LONG_MAX__ + 1) / 3][k] ^= i + k;
        }
}
static void orphan(int n) {
#pragma omp for collapse(2) nowait
    for (int i = 0; i < n; i++)
        for (int j = least; j < n; j++)
            for (int k = 0; k < n; k++) grid[i][j][k] += 3 * k + i;
}
static void waiting(int n) {
#pragma omp parallel for ordered(2)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            for (int k = 0; k < n; k++) grid[i][j][k] += grid[i - 1][j][k] + grid[i][j - 1][k];
#pragma omp ordered depend(source)
        }
}

static void kept(int n) {
    int x = 5, y = 6, sum = 0;
#pragma omp parallel for firstprivate(x) lastprivate(x)
    for (int i = 0; i < n; i++) x = i * i, grid[i][0][0] = x;
    printf("kept %d\n", x);
#pragma omp parallel for reduction(+ : sum) firstprivate(x) lastprivate(x, y)
    for (int i = 0; i < n; i++) {
        x = i;
        y = 0;
#pragma omp parallel for reduction(+ : sum) firstprivate(y) lastprivate(y)
        for (int j = 0; j < n; j++) y = j, sum += y + x;
    }
    printf("kept %d %d %d\n", x, y, sum);
}
static void begun(int n) {
    int x = 7, y = 1;
#pragma omp parallel for lastprivate(y) firstprivate(x, y)
    for (int i = 0; i < n; i++) {
        y = x + i;
        grid[0][i][1] = y;
    }
    printf("begun %d %d\n", x, y);
}

int main(void) {
    three();
    show_ints("three", &grid[0][0][0], N * N * N);
    two(N);
    show_ints("two", &grid[0][0][0], N * N * N);
    orphan(N);
    show_ints("orphan", &grid[0][0][0], N * N * N);
    waiting(N);
    show_ints("waiting", &grid[0][0][0], N * N * N);
    kept(N);
    begun(N);
    show_ints("end", &grid[0][0][0], N * N * N);
    suite_use();
    return 0;
}
