// SPDX-License-Identifier: MIT
// jacobi.c -- one sweep of the five-point stencil, from one array to the other.
void jacobi(int n, const float (*a)[n], float (*b)[n]) {
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
#pragma endscop
}
