// SPDX-License-Identifier: MIT
// gram.c -- g = x' x, float: one triangle summed, the other its mirror.
#include "kind.h"

#if SPELLING == 1
static void gram(int n, int m, const float *x, float *g) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float sum = 0;
            for (int k = 0; k < m; k++) sum += x[k * n + i] * x[k * n + j];
            g[i * n + j] = sum;
            g[j * n + i] = sum;
        }
}
#elif SPELLING == 2 // the upper triangle, in place, and a second nest that mirrors
static void gram(int n, int m, const float x[m][n], float g[n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            g[i][j] = 0;
            for (int k = 0; k < m; k++) g[i][j] += x[k][i] * x[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) g[i][j] = g[j][i];
#pragma endscop
}
#else // a condition picks the triangle
static void gram(int n, int m, const float (*x)[n], float (*g)[n]) {
#pragma omp target teams distribute parallel for schedule(dynamic, 8)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j >= i) {
                float sum = 0;
                for (int k = 0; k < m; k++) sum += x[k][i] * x[k][j];
                g[i][j] = g[j][i] = sum;
            }
}
#endif

int main(int argc, char **argv) {
    kind_begin("gram", argc, argv);
    int n = kind_size(4096, 61), m = kind_size(n, 45);
    size_t in = (size_t)m * n, out = (size_t)n * n;
    float *x = kind_floats(in, 1), *g = kind_floats(out, 2);
#pragma acc enter data copyin(x[0 : in], g[0 : out])
    while (kind_again()) {
        gram(n, m, (void *)x, (void *)g);
#pragma acc update self(g[0 : 1])
    }
#pragma acc exit data delete(x[0 : in]) copyout(g[0 : out])
    for (int s = 0; s < 500; s++) {
        int i = kind_pick(2 * s, n), j = kind_pick(2 * s + 1, n);
        double sum = 0;
        for (int k = 0; k < m; k++) sum += (double)x[k * n + i] * x[k * n + j];
        kind_compare(g[i * n + j], sum, sqrt(m));
    }
    return kind_end((double)n * (n + 1) * m, "GFLOP/s", 1e-5);
}
