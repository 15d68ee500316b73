// device 9
// pivots.c -- loops whose iterations meet at one of them alone: those before, that one, those behind.
#include "../suite.h"
#define N 40

static int far[N][N], near[N];
static double m[N][N], v[N];

static void fill(void) {
    suite_state = 4242;
    fill_ints(&far[0][0], N * N, 1000);
    fill_ints(near, N, 100);
    fill_doubles(&m[0][0], N * N);
    fill_doubles(v, N);
    for (int i = 0; i < N; i++) m[i][i] += 3.0;
}
static void shortest_ways(int n) { // Floyd and Warshall
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                far[i][j] = far[i][j] < far[i][k] + far[k][j] ? far[i][j] : far[i][k] + far[k][j];
#pragma endscop
}
static void ways_on(int n) { // what leads to the pivot is handed on in a scalar, steps on the host
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int to = far[i][k] - 300;
            for (int j = 0; j < n; j++) {
                int way = to + far[k][j];
                far[i][j] = way < far[i][j] ? way : far[i][j];
            }
        }
    }
}
static void reached(int n) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                far[i][j] = (far[i][j] > 900) | ((far[i][k] > 900) & (far[k][j] > 900)) ? 1000 : far[i][j];
#pragma endscop
}
static void all_by_one(int n, int at) { // the others see the old one before it and the new one behind it
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = v[i] * 0.5 + v[at];
#pragma endscop
}
static void by_the_first(int n) {
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = v[i] / v[0];
#pragma endscop
}
static void eliminate(int n) { // rows and columns from the first on, whatever they need: no Gauss
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 1; i < n; i++)
            for (int j = 2; j < n; j++)
                m[i][j] -= m[i][k] * m[k][j] * 0.01;
#pragma endscop
}
static void mirrored(int n) { // the second half reads what the first wrote
#pragma scop
    for (int i = 0; i < n; i++) {
        double x = v[n - 1 - i] + m[0][i] * m[1][i];
        v[i] = x - 1.0;
        m[0][i] = x;
    }
#pragma endscop
}
static void mirrored_rows(int n) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = m[n - 1 - i][j] * 0.5 + m[i][n - 1 - j];
#pragma endscop
}
static void two_pivots(int n, int p, int q) { // serial: two of them
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = v[i] * 0.5 + v[p] - v[q];
#pragma endscop
}
static void prefix(int n) { // serial: iterations meet everywhere
#pragma scop
    for (int i = 1; i < n; i++)
        v[i] += v[i - 1];
#pragma endscop
}
#define RUN(f, ...)                                                                \
    (fill(), f(__VA_ARGS__), show_ints(#f " far", &far[0][0], N * N),              \
     show_doubles(#f " m", &m[0][0], N * N), show_doubles(#f " v", v, N))

int main(void) {
    RUN(shortest_ways, N), RUN(shortest_ways, 1), RUN(shortest_ways, 2), RUN(reached, N), RUN(ways_on, N);
    RUN(all_by_one, N, 7), RUN(all_by_one, N, 0), RUN(all_by_one, N, N - 1), RUN(all_by_one, 5, 9),
        RUN(by_the_first, N), RUN(by_the_first, 1);
    RUN(eliminate, N), RUN(eliminate, 2), RUN(mirrored, N), RUN(mirrored, N - 1), RUN(mirrored, 1),
        RUN(mirrored_rows, N), RUN(mirrored_rows, 3),
    RUN(two_pivots, N, 3, 5), RUN(prefix, N);
    suite_use();
    return 0;
}
