// SPDX-License-Identifier: MIT
// row.c -- the product, row-major, in place: C[i][j] += A[i][k] * B[k][j].
void row(int n, int m, int p, float C[n][m], float A[n][p], float B[p][m]) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                C[i][j] += A[i][k] * B[k][j];
}
