// tiled.c -- loops that a tool has already tiled: bounds computed in double with floor and ceil.
#include "../suite.h"
#define N 75
#define down(n, d) floor(((double)(n)) / ((double)(d)))
#define up(n, d) ceil(((double)(n)) / ((double)(d)))
#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
static double A[N][N], B[N][N], C[N][N];
static int grid[N][N];

static void product(int n) {
    int ti, tj, tk, i, j, k;
#pragma scop
    for (ti = 0; ti <= down(n - 1, 16); ti++)
        for (tj = 0; tj <= down(n - 1, 16); tj++)
            for (tk = 0; tk <= down(n - 1, 16); tk++)
                for (i = 16 * ti; i <= min(n - 1, 16 * ti + 15); i++)
                    for (k = 16 * tk; k <= min(n - 1, 16 * tk + 15); k++)
                        for (j = 16 * tj; j <= min(n - 1, 16 * tj + 15); j++)
                            C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
// Diagonals of a grid: each depends on the one before it.
static void wavefront(long n, int shift) {
    for (int d = 2; d <= 2 * n - 2; d++) {
        int from = max(up(2 * (d - n + 1) - 1, 2), 1), to = min(down(2 * d - 1, 2), n - 1);
#pragma omp parallel for
        for (int i = from; i <= to; i++)
            grid[i][d - i] = (grid[i][d - i] + grid[i - 1][d - i] + grid[i][d - i - 1] + shift) % 1009;
    }
#pragma scop
    for (int b = up(shift - 9, 4); b < up(shift + 9, 4); b++) // from below zero
        grid[0][b + 20] = 7 * b;
#pragma endscop
}
int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (i * 3 + j) % 7;
            B[i][j] = (i + j * 5) % 9;
            grid[i][j] = (i + 2 * j) % 3;
        }
    product(N);
    product(33);
    wavefront(40, -3);
    double sum = 0;
    unsigned mix = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            sum += C[i][j] * (i - j + 1);
            mix = mix * 31 + (unsigned)grid[i][j];
        }
    printf("%.0f %u\n", sum, mix);
    return 0;
}
