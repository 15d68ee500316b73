// SPDX-License-Identifier: MIT
// matmul.c -- C = A B, row-major, each element summed in a scalar: one thread an element of C.
void matmul(int n, int m, int p, float (*C)[m], const float (*A)[p], const float (*B)[m]) {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float C_sub = 0;
            for (int k = 0; k < p; k++)
                C_sub += A[i][k] * B[k][j];
            C[i][j] = C_sub;
        }
}
