// device 3
// chosen.c -- pointers that lead to one of two places: of one array alike, or (on the host) of rows.
#include "../suite.h"
typedef struct Point {
    double at, x, y;
} Point;

static void tables(int n, int m, int g, const Point *grid, const int *place, const double *at, double *out) {
#pragma omp target teams distribute parallel for map(to : grid[0 : m * g], place[0 : n * m], at[0 : n]) \
    map(from : out[0 : n])
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) {
            const Point *low, *high;
            if (place[i * m + k] == g - 1) low = &grid[k * g + place[i * m + k] - 1];
            else {
                low = &grid[k * g + place[i * m + k]];
            }
            high = low + 1;
            double f = (high->at - at[i]) / (high->at - low->at);
            s += high->x - f * (high->x - low->x) + high->y;
        }
        out[i] = s;
    }
}
static void neighbours(int n, const double *a, double *b) {
#pragma sculpt
    for (int i = 1; i < n - 1; i++) {
        const double *p = i % 2 ? &a[i - 1] : a + i + 1;
        b[i] = *p + p[0] * 2;
    }
}
static void rows(int n, double (*m)[8], double *out) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double *r = i < 4 ? m[i] : &m[i - 4][2];
        out[i] = r[1] + r[3];
    }
}
// What the data choose is read ahead of a condition that is computed.
static void donors(int n, const double *flow, const double *width, const double *x, double *out) {
#pragma sculpt
    for (int j = 2; j < n; j++) {
        int up, donor, other;
        if (flow[j] > 0) up = j - 2, donor = j - 1, other = donor;
        else up = j + 1 < n ? j + 1 : n - 1, donor = j, other = up;
        double s = (1 + flow[j]) * (width[j] / (2 + width[other])), by = x[donor] - x[up], limit;
        if (by > 0) limit = by * s;
        else limit = 0;
        out[j] = limit;
    }
}

int main(void) {
    enum { N = 33, M = 5, G = 9 };
    static Point grid[M * G];
    static int place[N * M];
    static double at[N], out[N], a[80], m[10][8];
    for (int i = 0; i < M * G; i++) grid[i] = (Point){i % G * 1.5 + .1 * i, i * .3, i % 4};
    for (int i = 0; i < N * M; i++) place[i] = i * 7 % G;
    fill_doubles(at, N), fill_doubles(a, 80), fill_doubles(&m[0][0], 80);
    tables(N, M, G, grid, place, at, out);
    show_doubles("tables", out, N);
    for (int n = 0; n < 80; n += 1 + n / 3) {
        memset(out, 0, sizeof out);
        neighbours(n < N ? n : N, a, out);
        show_doubles("neighbours", out, N);
    }
    for (int n = 0; n <= N; n += 1 + 3 * n) donors(n, a, a + N, at, out);
    show_doubles("donors", out, N);
    rows(10, m, out);
    show_doubles("rows", out, N);
    suite_use();
    return 0;
}
