// SPDX-License-Identifier: MIT
// weights.c -- the gradient of a convolution's weights, float: few results, each a sum over all images.
#include "kind.h"
enum { SIDE = 3 };

#if SPELLING == 1
static void gradient(int n, int ci, int co, int h, int w, const float *x, const float *y, float *g) {
#pragma sculpt reassociate
    for (int o = 0; o < co; o++)
        for (int c = 0; c < ci; c++)
            for (int r = 0; r < SIDE; r++)
                for (int s = 0; s < SIDE; s++) {
                    float sum = 0;
                    for (int b = 0; b < n; b++)
                        for (int i = 0; i < h; i++)
                            for (int j = 0; j < w; j++)
                                sum += x[((b * ci + c) * (h + 2) + i + r) * (w + 2) + j + s] *
                                       y[((b * co + o) * h + i) * w + j];
                    g[((o * ci + c) * SIDE + r) * SIDE + s] = sum;
                }
}
#elif SPELLING == 2 // arrays of four subscripts
static void gradient(int n, int ci, int co, int h, int w, const float (*x)[ci][h + 2][w + 2],
                     const float (*y)[co][h][w], float (*g)[ci][SIDE][SIDE]) {
#pragma sculpt reassociate
    for (int o = 0; o < co; o++)
        for (int c = 0; c < ci; c++)
            for (int r = 0; r < SIDE; r++)
                for (int s = 0; s < SIDE; s++) {
                    g[o][c][r][s] = 0;
                    for (int b = 0; b < n; b++)
                        for (int i = 0; i < h; i++)
                            for (int j = 0; j < w; j++)
                                g[o][c][r][s] += x[b][c][i + r][j + s] * y[b][o][i][j];
                }
}
#else // by the clauses of OpenACC
static void gradient(int n, int ci, int co, int h, int w, const float (*x)[ci][h + 2][w + 2],
                     const float (*y)[co][h][w], float (*g)[ci][SIDE][SIDE]) {
#pragma acc parallel loop collapse(4)
    for (int o = 0; o < co; o++)
        for (int c = 0; c < ci; c++)
            for (int r = 0; r < SIDE; r++)
                for (int s = 0; s < SIDE; s++) {
                    float sum = 0;
#pragma acc loop collapse(3) reduction(+ : sum)
                    for (int b = 0; b < n; b++)
                        for (int i = 0; i < h; i++)
                            for (int j = 0; j < w; j++) sum += x[b][c][i + r][j + s] * y[b][o][i][j];
                    g[o][c][r][s] = sum;
                }
}
#endif

int main(int argc, char **argv) {
    kind_begin("weights", argc, argv);
    int n = kind_size(32, 2), c = kind_size(64, 5), h = kind_size(56, 9);
    size_t nx = (size_t)n * c * (h + 2) * (h + 2), ny = (size_t)n * c * h * h;
    size_t ng = (size_t)c * c * SIDE * SIDE;
    float *x = kind_floats(nx, 1), *y = kind_floats(ny, 2), *g = kind_floats(ng, 3);
#pragma acc enter data copyin(x[0 : nx], y[0 : ny], g[0 : ng])
    while (kind_again()) {
        gradient(n, c, c, h, h, (void *)x, (void *)y, (void *)g);
#pragma acc update self(g[0 : 1])
    }
#pragma acc exit data delete(x[0 : nx], y[0 : ny]) copyout(g[0 : ng])
    for (int t = 0; t < 200; t++) {
        int o = kind_pick(4 * t, c), k = kind_pick(4 * t + 1, c), r = kind_pick(4 * t + 2, SIDE);
        int s = kind_pick(4 * t + 3, SIDE);
        double sum = 0;
        for (int b = 0; b < n; b++)
            for (int i = 0; i < h; i++)
                for (int j = 0; j < h; j++)
                    sum += (double)x[((size_t)(b * c + k) * (h + 2) + i + r) * (h + 2) + j + s] *
                           y[((size_t)(b * c + o) * h + i) * h + j];
        kind_compare(g[((size_t)(o * c + k) * SIDE + r) * SIDE + s], sum, sqrt((double)n * h * h));
    }
    return kind_end(2.0 * ng * n * h * h, "GFLOP/s", 1e-5);
}
