// SPDX-License-Identifier: MIT
// skips.c -- places in a ring that steps of several elements reach, from a place that only a call tells, or
// two counters together: how far they reach is told by an inspection. From below zero, too.
// device 6
#include "../suite.h"

static void from(int m, int n, const float *restrict u, float *restrict b) {
#pragma scop
    for (int i = m; i < n; i += 7) b[i] = u[i % 200] + i % 5;
#pragma endscop
}
static void down(int n, const float *restrict u, float *restrict b) {
#pragma scop
    for (int i = n; i > 0; i -= 3) b[i] = u[i % 32];
#pragma endscop
}
static void moved(int m, int n, const float *restrict u, float *restrict b) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = u[(7 * i + m) % 200];
#pragma endscop
}
static void both(int n, int m, const float *restrict u, float *restrict b) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i * m + j] = u[(7 * i + 3 * j) % 200] + u[(2 * i + j) % 200];
#pragma endscop
}
static void there(int m, int n, float *restrict u, const float *restrict b) {
#pragma omp parallel for
    for (int i = m; i < n; i += 7) u[i % 200] = b[i];
}
static void below(int m, int n, const float *restrict u, float *restrict b) {
#pragma scop
    for (int i = m; i < n; i += 7) b[i + 100] = u[(i % 20 + 20) % 20] + u[20 + i % 20];
#pragma endscop
}

static float u[200], b[3000];
int main(void) {
    suite_use();
    fill_floats(u, 200);
    from(11, 1500, u, b), show_floats("from", b, 1500);
    from(4, 25, u, b), show_floats("a few", b, 1500);
    down(1000, u, b), show_floats("down", b, 1001);
    moved(33, 1000, u, b), show_floats("moved", b, 1000);
    both(37, 53, u, b), show_floats("both", b, 37 * 53);
    there(5, 1400, u, b), show_floats("there", u, 200);
    below(-90, 400, u, b), show_floats("below", b, 600);
    return 0;
}
