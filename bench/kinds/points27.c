// SPDX-License-Identifier: MIT
// points27.c -- 27 points with weights that fall with their distance, float.
#include "kind.h"

#if SPELLING == 1 // weights computed where they are used
static void filter(int n, const float *u, float *v) {
#pragma acc parallel loop collapse(3)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                float sum = 0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        for (int dk = -1; dk <= 1; dk++)
                            sum +=
                                u[((i + di) * n + j + dj) * n + k + dk] / (1 + di * di + dj * dj + dk * dk);
                v[(i * n + j) * n + k] = sum;
            }
}
#elif SPELLING == 2 // written out by groups
static void filter(int n, const float u[n][n][n], float v[n][n][n]) {
    const float a = 1.0f, b = 1.0f / 2, c = 1.0f / 3, d = 1.0f / 4;
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[i][j][k] =
                    a * u[i][j][k] +
                    b * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] +
                         u[i][j][k + 1]) +
                    c * (u[i - 1][j - 1][k] + u[i - 1][j + 1][k] + u[i + 1][j - 1][k] + u[i + 1][j + 1][k] +
                         u[i - 1][j][k - 1] + u[i - 1][j][k + 1] + u[i + 1][j][k - 1] + u[i + 1][j][k + 1] +
                         u[i][j - 1][k - 1] + u[i][j - 1][k + 1] + u[i][j + 1][k - 1] + u[i][j + 1][k + 1]) +
                    d * (u[i - 1][j - 1][k - 1] + u[i - 1][j - 1][k + 1] + u[i - 1][j + 1][k - 1] +
                         u[i - 1][j + 1][k + 1] + u[i + 1][j - 1][k - 1] + u[i + 1][j - 1][k + 1] +
                         u[i + 1][j + 1][k - 1] + u[i + 1][j + 1][k + 1]);
#pragma endscop
}
#else // weights in a table
static const float weight[3][3][3] = {
    {{1.0f / 4, 1.0f / 3, 1.0f / 4}, {1.0f / 3, 1.0f / 2, 1.0f / 3}, {1.0f / 4, 1.0f / 3, 1.0f / 4}},
    {{1.0f / 3, 1.0f / 2, 1.0f / 3}, {1.0f / 2, 1.0f, 1.0f / 2}, {1.0f / 3, 1.0f / 2, 1.0f / 3}},
    {{1.0f / 4, 1.0f / 3, 1.0f / 4}, {1.0f / 3, 1.0f / 2, 1.0f / 3}, {1.0f / 4, 1.0f / 3, 1.0f / 4}},
};
static void filter(int n, const float (*u)[n][n], float (*v)[n][n]) {
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                float sum = 0;
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++)
                        for (int c = 0; c < 3; c++)
                            sum += weight[a][b][c] * u[i + a - 1][j + b - 1][k + c - 1];
                v[i][j][k] = sum;
            }
}
#endif

int main(int argc, char **argv) {
    kind_begin("points27", argc, argv);
    int n = kind_size(512, 27);
    size_t all = (size_t)n * n * n;
    float *u = kind_floats(all, 1), *v = kind_floats(all, 2);
#pragma acc enter data copyin(u[0 : all], v[0 : all])
    while (kind_again()) {
        filter(n, (void *)u, (void *)v);
#pragma acc update self(v[0 : 1])
    }
#pragma acc exit data delete(u[0 : all]) copyout(v[0 : all])
    for (int s = 0; s < 5000; s++) {
        int i = 1 + kind_pick(3 * s, n - 2), j = 1 + kind_pick(3 * s + 1, n - 2),
            k = 1 + kind_pick(3 * s + 2, n - 2);
        double sum = 0;
        for (int a = -1; a <= 1; a++)
            for (int b = -1; b <= 1; b++)
                for (int c = -1; c <= 1; c++)
                    sum += (double)u[((i + a) * n + j + b) * n + k + c] / (1 + a * a + b * b + c * c);
        kind_compare(v[(i * n + j) * n + k], sum, 1);
    }
    return kind_end(8.0 * all, "GB/s", 5e-6);
}
