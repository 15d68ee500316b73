// SPDX-License-Identifier: MIT
// blocked.c -- c = a b, float, row-major, in tiles for a processor's cache.
#include "kind.h"

enum { TILE = 64 };
#define LESS(x, y) ((x) < (y) ? (x) : (y))

static void cleared(int n, float *c) {
#pragma acc parallel loop
    for (int i = 0; i < n * n; i++) c[i] = 0;
}

#if SPELLING == 1 // six loops, ends by a macro
static void product(int n, const float *a, const float *b, float *c) {
    cleared(n, c);
#pragma sculpt reassociate
    for (int ii = 0; ii < n; ii += TILE)
        for (int jj = 0; jj < n; jj += TILE)
            for (int kk = 0; kk < n; kk += TILE)
                for (int i = ii; i < LESS(ii + TILE, n); i++)
                    for (int j = jj; j < LESS(jj + TILE, n); j++)
                        for (int k = kk; k < LESS(kk + TILE, n); k++)
                            c[i * n + j] += a[i * n + k] * b[k * n + j];
}
#elif SPELLING == 2 // a step that is a variable, a sum in a scalar
static void product(int n, const float *a, const float *b, float *c) {
    int step = TILE;
    cleared(n, c);
#pragma sculpt reassociate
    for (int ii = 0; ii < n; ii += step)
        for (int jj = 0; jj < n; jj += step)
            for (int kk = 0; kk < n; kk += step) {
                int ie = ii + step, je = jj + step, ke = kk + step;
                if (ie > n) ie = n;
                if (je > n) je = n;
                if (ke > n) ke = n;
                for (int i = ii; i < ie; i++)
                    for (int j = jj; j < je; j++) {
                        float sum = c[i * n + j];
                        for (int k = kk; k < ke; k++) sum += a[i * n + k] * b[k * n + j];
                        c[i * n + j] = sum;
                    }
            }
}
#elif SPELLING == 3 // a tile is cleared where its sums begin; the mark is on the tiles
static void product(int n, const float *a, const float *b, float *c) {
#pragma acc parallel loop collapse(2)
    for (int ii = 0; ii < n; ii += TILE)
        for (int jj = 0; jj < n; jj += TILE) {
            for (int i = ii; i < ii + TILE && i < n; i++)
                for (int j = jj; j < jj + TILE && j < n; j++) c[i * n + j] = 0;
            for (int kk = 0; kk < n; kk += TILE)
                for (int i = ii; i < ii + TILE && i < n; i++)
                    for (int k = kk; k < kk + TILE && k < n; k++)
                        for (int j = jj; j < jj + TILE && j < n; j++)
                            c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}
#else // numbers of tiles, counters that begin at 0 in each
static void product(int n, const float *a, const float *b, float *c) {
    cleared(n, c);
#pragma sculpt reassociate
    for (int p = 0; p < (n + TILE - 1) / TILE; p++)
        for (int r = 0; r < (n + TILE - 1) / TILE; r++)
            for (int q = 0; q < (n + TILE - 1) / TILE; q++)
                for (int i = 0; i < TILE && p * TILE + i < n; i++)
                    for (int k = 0; k < TILE && r * TILE + k < n; k++)
                        for (int j = 0; j < TILE && q * TILE + j < n; j++)
                            c[(p * TILE + i) * n + q * TILE + j] +=
                                a[(p * TILE + i) * n + r * TILE + k] * b[(r * TILE + k) * n + q * TILE + j];
}
#endif

int main(int argc, char **argv) {
    kind_begin("blocked", argc, argv);
    int n = kind_size(4096, 67);
    float *a = kind_floats((size_t)n * n, 1), *b = kind_floats((size_t)n * n, 2),
          *c = kind_floats((size_t)n * n, 3);
#pragma acc enter data copyin(a[0 : n * n], b[0 : n * n], c[0 : n * n])
    while (kind_again()) {
        product(n, a, b, c);
#pragma acc update self(c[0 : 1])
    }
#pragma acc exit data delete(a[0 : n * n], b[0 : n * n]) copyout(c[0 : n * n])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double sum = 0;
        for (int k = 0; k < n; k++) sum += (double)a[i * n + k] * b[k * n + j];
        kind_compare(c[i * n + j], sum, sqrt(n));
    }
    return kind_end(2.0 * n * n * n, "GFLOP/s", 1e-5);
}
