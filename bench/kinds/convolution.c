// SPDX-License-Identifier: MIT
// convolution.c -- 3 x 3 weights over images with channels, no padding, float.
#include "kind.h"

#if SPELLING == 1 // images, channels, rows, columns
static void convolve(int images, int in, int out, int h, int w, const float *x, const float *weight,
                     float *y) {
#pragma acc parallel loop collapse(4)
    for (int b = 0; b < images; b++)
        for (int o = 0; o < out; o++)
            for (int i = 0; i < h - 2; i++)
                for (int j = 0; j < w - 2; j++) {
                    float sum = 0;
                    for (int c = 0; c < in; c++)
                        for (int u = 0; u < 3; u++)
                            for (int v = 0; v < 3; v++)
                                sum += x[((b * in + c) * h + i + u) * w + j + v] *
                                       weight[((o * in + c) * 3 + u) * 3 + v];
                    y[((b * out + o) * (h - 2) + i) * (w - 2) + j] = sum;
                }
}
#elif SPELLING == 2 // the same, in place
static void convolve(int images, int in, int out, int h, int w, const float (*x)[in][h][w],
                     const float (*weight)[in][3][3], float (*y)[out][h - 2][w - 2]) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int b = 0; b < images; b++)
        for (int o = 0; o < out; o++)
            for (int i = 0; i < h - 2; i++)
                for (int j = 0; j < w - 2; j++) {
                    y[b][o][i][j] = 0;
                    for (int c = 0; c < in; c++)
                        for (int u = 0; u < 3; u++)
                            for (int v = 0; v < 3; v++)
                                y[b][o][i][j] += x[b][c][i + u][j + v] * weight[o][c][u][v];
                }
}
#else // channels last
static void convolve(int images, int in, int out, int h, int w, const float (*x)[h][w][in],
                     const float (*weight)[3][in][out], float (*y)[h - 2][w - 2][out]) {
#pragma omp target teams distribute parallel for collapse(3)
    for (int b = 0; b < images; b++)
        for (int i = 0; i < h - 2; i++)
            for (int j = 0; j < w - 2; j++)
                for (int o = 0; o < out; o++) {
                    float sum = 0;
                    for (int u = 0; u < 3; u++)
                        for (int v = 0; v < 3; v++)
                            for (int c = 0; c < in; c++) sum += x[b][i + u][j + v][c] * weight[u][v][c][o];
                    y[b][i][j][o] = sum;
                }
}
#endif

int main(int argc, char **argv) {
    kind_begin("convolution", argc, argv);
    int images = kind_size(16, 2), in = kind_size(64, 5), out = kind_size(64, 6), h = kind_size(130, 19),
        w = kind_size(130, 22);
    size_t nx = (size_t)images * in * h * w, nw = (size_t)in * out * 9,
           ny = (size_t)images * out * (h - 2) * (w - 2);
    float *x = kind_floats(nx, 1), *weight = kind_floats(nw, 2), *y = kind_floats(ny, 3);
#pragma acc enter data copyin(x[0 : nx], weight[0 : nw], y[0 : ny])
    while (kind_again()) {
        convolve(images, in, out, h, w, (void *)x, (void *)weight, (void *)y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : nx], weight[0 : nw]) copyout(y[0 : ny])
    int last = SPELLING == 3;
    for (int s = 0; s < 2000; s++) {
        int b = kind_pick(4 * s, images), o = kind_pick(4 * s + 1, out), i = kind_pick(4 * s + 2, h - 2),
            j = kind_pick(4 * s + 3, w - 2);
        double sum = 0;
        for (int c = 0; c < in; c++)
            for (int u = 0; u < 3; u++)
                for (int v = 0; v < 3; v++)
                    sum += (double)x[last ? ((b * h + i + u) * w + j + v) * in + c
                                          : ((b * in + c) * h + i + u) * w + j + v] *
                           weight[last ? ((u * 3 + v) * in + c) * out + o : ((o * in + c) * 3 + u) * 3 + v];
        kind_compare(y[last ? ((b * (h - 2) + i) * (w - 2) + j) * out + o
                            : ((b * out + o) * (h - 2) + i) * (w - 2) + j],
                     sum, sqrt(9 * in));
    }
    return kind_end(18.0 * ny * in, "GFLOP/s", 1e-5);
}
