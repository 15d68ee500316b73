// SPDX-License-Identifier: MIT
// lattice.c -- lattice Boltzmann D2Q9, float: streaming and collision, around the edges.
#include "kind.h"

static const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const float wt[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                            1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

#if SPELLING == 1 // a plane a direction, loops over directions
static void step(int n, float omega, const float *f, float *g) {
#pragma acc parallel loop collapse(2)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float h[9], rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < 9; q++) {
                int fx = (x - ex[q] + n) % n, fy = (y - ey[q] + n) % n;
                h[q] = f[(q * n + fy) * n + fx];
                rho += h[q];
                ux += ex[q] * h[q];
                uy += ey[q] * h[q];
            }
            ux /= rho, uy /= rho;
            for (int q = 0; q < 9; q++) {
                float eu = ex[q] * ux + ey[q] * uy;
                float equal = wt[q] * rho * (1 + 3 * eu + 4.5f * eu * eu - 1.5f * (ux * ux + uy * uy));
                g[(q * n + y) * n + x] = h[q] + omega * (equal - h[q]);
            }
        }
}
#elif SPELLING == 2 // written out, neighbours chosen
static void step(int n, float omega, const float (*f)[n][n], float (*g)[n][n]) {
#pragma omp target teams distribute parallel for
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int w = x > 0 ? x - 1 : n - 1, e = x < n - 1 ? x + 1 : 0, s = y > 0 ? y - 1 : n - 1,
                o = y < n - 1 ? y + 1 : 0;
            float f0 = f[0][y][x], f1 = f[1][y][w], f2 = f[2][s][x], f3 = f[3][y][e], f4 = f[4][o][x];
            float f5 = f[5][s][w], f6 = f[6][s][e], f7 = f[7][o][e], f8 = f[8][o][w];
            float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
            float ux = (f1 - f3 + f5 - f6 - f7 + f8) / rho, uy = (f2 - f4 + f5 + f6 - f7 - f8) / rho;
            float base = 1 - 1.5f * (ux * ux + uy * uy), p = ux + uy, m = ux - uy;
            float a = rho * (4.0f / 9), b = rho * (1.0f / 9), c = rho * (1.0f / 36);
            g[0][y][x] = f0 + omega * (a * base - f0);
            g[1][y][x] = f1 + omega * (b * (base + 3 * ux + 4.5f * ux * ux) - f1);
            g[2][y][x] = f2 + omega * (b * (base + 3 * uy + 4.5f * uy * uy) - f2);
            g[3][y][x] = f3 + omega * (b * (base - 3 * ux + 4.5f * ux * ux) - f3);
            g[4][y][x] = f4 + omega * (b * (base - 3 * uy + 4.5f * uy * uy) - f4);
            g[5][y][x] = f5 + omega * (c * (base + 3 * p + 4.5f * p * p) - f5);
            g[6][y][x] = f6 + omega * (c * (base - 3 * m + 4.5f * m * m) - f6);
            g[7][y][x] = f7 + omega * (c * (base - 3 * p + 4.5f * p * p) - f7);
            g[8][y][x] = f8 + omega * (c * (base + 3 * m + 4.5f * m * m) - f8);
        }
}
#else // a struct of nine a cell
typedef struct {
    float f[9];
} Cell;
static void step(int n, float omega, const Cell *from, Cell *to) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float h[9], rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < 9; q++) {
                int fx = (x - ex[q] + n) % n, fy = (y - ey[q] + n) % n;
                h[q] = from[fy * n + fx].f[q];
            }
            for (int q = 0; q < 9; q++) rho += h[q];
            ux = (h[1] - h[3] + h[5] - h[6] - h[7] + h[8]) / rho;
            uy = (h[2] - h[4] + h[5] + h[6] - h[7] - h[8]) / rho;
            for (int q = 0; q < 9; q++) {
                float eu = ex[q] * ux + ey[q] * uy;
                to[y * n + x].f[q] =
                    h[q] +
                    omega * (wt[q] * rho * (1 + 3 * eu + 4.5f * eu * eu - 1.5f * (ux * ux + uy * uy)) - h[q]);
            }
        }
}
#endif

static size_t place(int n, int q, int y, int x) {
    return SPELLING == 3 ? ((size_t)y * n + x) * 9 + q : ((size_t)q * n + y) * n + x;
}

int main(int argc, char **argv) {
    kind_begin("lattice", argc, argv);
    int n = kind_size(4096, 61);
    size_t all = (size_t)n * n * 9;
    float *f = kind_floats(all, 1), *g = kind_floats(all, 2);
    for (int q = 0; q < 9; q++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) f[place(n, q, y, x)] = wt[q] * (1 + 0.1f * f[place(n, q, y, x)]);
#pragma acc enter data copyin(f[0 : all], g[0 : all])
    while (kind_again()) {
        step(n, 1.2f, (void *)f, (void *)g);
#pragma acc update self(g[0 : 1])
    }
#pragma acc exit data delete(f[0 : all]) copyout(g[0 : all])
    for (int s = 0; s < 2000; s++) {
        int x = kind_pick(2 * s, n), y = kind_pick(2 * s + 1, n);
        double h[9], rho = 0, ux = 0, uy = 0;
        for (int q = 0; q < 9; q++) {
            h[q] = f[place(n, q, (y - ey[q] + n) % n, (x - ex[q] + n) % n)];
            rho += h[q], ux += ex[q] * h[q], uy += ey[q] * h[q];
        }
        ux /= rho, uy /= rho;
        for (int q = 0; q < 9; q++) {
            double eu = ex[q] * ux + ey[q] * uy,
                   equal = wt[q] * rho * (1 + 3 * eu + 4.5 * eu * eu - 1.5 * (ux * ux + uy * uy));
            kind_compare(g[place(n, q, y, x)], h[q] + 1.2 * (equal - h[q]), wt[q]);
        }
    }
    return kind_end(8.0 * all, "GB/s", 1e-5);
}
