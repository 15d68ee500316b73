// SPDX-License-Identifier: MIT
// sobel.c -- how steep an image of bytes is: |gx| + |gy|, at most 255.
#include "kind.h"
typedef unsigned char Byte;

#if SPELLING == 1
static void sobel(int n, const Byte *x, Byte *y) {
#pragma acc parallel loop collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int gx = x[(i - 1) * n + j + 1] + 2 * x[i * n + j + 1] + x[(i + 1) * n + j + 1] -
                     x[(i - 1) * n + j - 1] - 2 * x[i * n + j - 1] - x[(i + 1) * n + j - 1];
            int gy = x[(i + 1) * n + j - 1] + 2 * x[(i + 1) * n + j] + x[(i + 1) * n + j + 1] -
                     x[(i - 1) * n + j - 1] - 2 * x[(i - 1) * n + j] - x[(i - 1) * n + j + 1];
            int g = abs(gx) + abs(gy);
            y[i * n + j] = g > 255 ? 255 : g;
        }
}
#elif SPELLING == 2 // weights in tables
static void sobel(int n, const Byte (*x)[n], Byte (*y)[n]) {
    static const int wx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}},
                     wy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int gx = 0, gy = 0;
            for (int u = 0; u < 3; u++)
                for (int v = 0; v < 3; v++) {
                    gx += wx[u][v] * x[i + u - 1][j + v - 1];
                    gy += wy[u][v] * x[i + u - 1][j + v - 1];
                }
            int g = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
            if (g > 255) g = 255;
            y[i][j] = (Byte)g;
        }
}
#else // three rows by pointers
static void sobel(int n, const Byte *x, Byte *y) {
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++) {
        const Byte *above = x + (i - 1) * n, *here = above + n, *below = here + n;
        Byte *to = y + i * n;
        for (int j = 1; j < n - 1; j++) {
            short gx =
                above[j + 1] - above[j - 1] + 2 * (here[j + 1] - here[j - 1]) + below[j + 1] - below[j - 1];
            short gy = below[j - 1] - above[j - 1] + 2 * (below[j] - above[j]) + below[j + 1] - above[j + 1];
            short g = abs(gx) + abs(gy);
            to[j] = g < 255 ? g : 255;
        }
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("sobel", argc, argv);
    int n = kind_size(16384, 123);
    size_t all = (size_t)n * n;
    Byte *x = kind_array(all), *y = kind_array(all);
    for (size_t i = 0; i < all; i++) x[i] = kind_bits(1, i) % (1 + i % 256);
    memset(y, 0, all);
#pragma acc enter data copyin(x[0 : all], y[0 : all])
    while (kind_again()) {
        sobel(n, (void *)x, (void *)y);
#pragma acc update self(y[0 : 1])
    }
#pragma acc exit data delete(x[0 : all]) copyout(y[0 : all])
    for (int s = 0; s < 20000; s++) {
        int i = 1 + kind_pick(2 * s, n - 2), j = 1 + kind_pick(2 * s + 1, n - 2), gx = 0, gy = 0;
        for (int u = -1; u <= 1; u++)
            for (int v = -1; v <= 1; v++) {
                int p = x[(i + u) * n + j + v];
                gx += p * v * (2 - u * u), gy += p * u * (2 - v * v);
            }
        kind_compare(y[i * n + j], fmin(255, abs(gx) + abs(gy)), 1);
    }
    return kind_end(2.0 * all, "GB/s", 0);
}
