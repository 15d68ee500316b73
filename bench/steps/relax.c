// SPDX-License-Identifier: MIT
// relax.c -- time steps over an array, each of which is little work: what launches cost.
void relax(int steps, int n, float *x, const float *y) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            x[i] = 0.5f * x[i] + y[i];
#pragma endscop
}
