// device 13
// flags: -ffp-contract=off
// buffers.c -- steps of time over two buffers that change places, rings of them, colours, rows of which the
// data choose the columns: what a step reads, another iteration of the step before has written. Sizes are
// known, so that a planner has the whole loop before it.
#include "../suite.h"

enum { N = 1000, T = 12, S = 48 };
static int two[2][N], ring[4][N], rows[T + 1][N], chosen[N], weight[T], worth[T];
static double plane[S][S], heat[2][S][S];

static void ping_pong(void) {
#pragma sculpt
    for (int t = 0; t < T; t++)
        for (int i = 0; i < N; i++) two[(t + 1) & 1][i] = two[t & 1][(i + 1) % N] * 3 - two[t & 1][i];
}
static void change_places(void) {
#pragma sculpt
    for (int t = 0; t < T; t++)
        for (int i = 1; i < S - 1; i++)
            for (int j = 1; j < S - 1; j++)
                heat[(t + 1) % 2][i][j] = 0.25 * (heat[t % 2][i - 1][j] + heat[t % 2][i + 1][j] +
                                                  heat[t % 2][i][j - 1] + heat[t % 2][i][j + 1]);
}
static void levels(void) {
#pragma sculpt
    for (int t = 2; t < T; t++)
        for (int i = 1; i < N - 1; i++)
            ring[t % 3][i] = ring[(t - 1) % 3][i - 1] + ring[(t - 1) % 3][i + 1] - ring[(t - 2) % 3][i];
}
static void turning(void) {
    int from = 0, to = 1;
#pragma sculpt
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < N; i++) ring[to][i] = ring[from][N - 1 - i] + t;
        from = to;
        to = (to + 1) % 4;
    }
}
static void colours(void) {
#pragma sculpt
    for (int t = 0; t < 4; t++)
        for (int c = 0; c < 2; c++)
            for (int i = 1; i < S - 1; i++)
                for (int j = 1; j < S - 1; j++)
                    if ((i + j) % 2 == c) {
                        double beside = plane[i][j - 1] + plane[i][j + 1];
                        plane[i][j] = 0.25 * (plane[i - 1][j] + plane[i + 1][j] + beside);
                    }
}
static void odd_even(void) {
#pragma sculpt
    for (int t = 0; t < N; t++)
        for (int i = 0; i < N / 2 - 1; i++) {
            int k = 2 * i + t % 2, x = two[0][k], y = two[0][k + 1];
            two[0][k] = x < y ? x : y;
            two[0][k + 1] = x < y ? y : x;
        }
}
static void by_index(void) {
#pragma sculpt
    for (int t = 1; t <= T; t++)
        for (int i = 0; i < N; i++) rows[t][i] = rows[t - 1][chosen[i]] + i;
}
static void where_the_data_say(void) {
#pragma sculpt
    for (int t = 1; t <= T; t++)
        for (int i = 0; i < N; i++)
            if (rows[t - 1][i] > 5) rows[t][i] = rows[t - 1][N - 1 - i] + 1;
}
static void shifted(void) {
#pragma sculpt
    for (int t = 1; t <= T; t++)
        for (int i = 0; i < N; i++) {
            int s = t % 3;
            rows[t][i] = rows[t - 1][i] + 1;
            if (i >= s) rows[t][i] += rows[t - 1][i - s] & 7;
        }
}
static void knapsack(void) {
#pragma sculpt
    for (int t = 1; t <= T; t++)
        for (int w = 0; w < N; w++) {
            rows[t][w] = rows[t - 1][w];
            if (w >= weight[t - 1] && rows[t - 1][w - weight[t - 1]] + worth[t - 1] > rows[t][w])
                rows[t][w] = rows[t - 1][w - weight[t - 1]] + worth[t - 1];
        }
}
static void upwind(void) {
#pragma sculpt
    for (int t = 1; t <= T; t++)
        for (int i = 1; i < N - 1; i++) {
            int v = rows[t - 1][i] % 5 - 2;
            rows[t][i] = rows[t - 1][i] - (v > 0 ? v * (rows[t - 1][i] - rows[t - 1][i - 1])
                                                 : v * (rows[t - 1][i + 1] - rows[t - 1][i])) % 100;
        }
}
static void best_before(void) {
#pragma sculpt
    for (int t = 1; t <= T; t++)
        for (int i = 0; i < S; i++) {
            int best = -1000000;
            for (int k = 0; k < S; k++) {
                int v = rows[t - 1][k] - (i * k + t) % 11;
                if (v > best) best = v;
            }
            rows[t][i] = best + chosen[i] % 7;
        }
}

static float series[2][33 * 33], cost[33]; // two rows of a table
static void warped(int pairs, int n, int m, const float *a, const float *b, float *out) {
#pragma omp parallel for
    for (int p = 0; p < pairs; p++) {
        float before[64], now[64];
        for (int j = 0; j <= m; j++) before[j] = j ? 1e30f : 0;
        for (int i = 1; i <= n; i++) {
            now[0] = 1e30f;
            for (int j = 1; j <= m; j++) {
                float d = fabsf(a[p * n + i - 1] - b[p * m + j - 1]);
                float q = before[j] < now[j - 1] ? before[j] : now[j - 1];
                if (before[j - 1] < q) q = before[j - 1];
                now[j] = d + q;
            }
            for (int j = 0; j <= m; j++) before[j] = now[j];
        }
        out[p] = before[m];
    }
}
static void warps(void) {
    fill_floats(series[0], 33 * 33), fill_floats(series[1], 33 * 33);
    for (int n = 1; n <= 33; n += 16) warped(n, n, n, series[0], series[1], cost);
    show_floats("cost", cost, 33);
}

static void begin(void) {
    for (int i = 0; i < N; i++) {
        two[0][i] = two[1][i] = i * i % 57;
        chosen[i] = (i * 7 + 3) % N;
        for (int k = 0; k < 4; k++) ring[k][i] = (i + 3 * k) % 23;
        for (int t = 0; t <= T; t++) rows[t][i] = (i * t + 3 * i) % 11;
    }
    for (int t = 0; t < T; t++) weight[t] = t * 37 % 211 + 5, worth[t] = t * 53 % 97 + 1;
    for (int k = 0; k < S * S; k++) {
        int i = k / S, j = k % S;
        plane[i][j] = heat[0][i][j] = heat[1][i][j] = k % 29;
    }
}
#define RUN(f)                                                                                              \
    begin(), f(), puts(#f), show_ints("two", *two, 2 * N), show_ints("ring", *ring, 4 * N),                 \
        show_ints("rows", *rows, (T + 1) * N), show_doubles("plane", *plane, S * S),                        \
        show_doubles("heat", **heat, 2 * S * S)

int main(void) {
    RUN(ping_pong), RUN(change_places), RUN(levels), RUN(turning), RUN(colours), RUN(odd_even), RUN(by_index);
    RUN(where_the_data_say), RUN(shifted), RUN(knapsack), RUN(upwind), RUN(best_before);
    warps();
    return 0;
}
