// SPDX-License-Identifier: MIT
// sum.c -- the product, row-major, each element summed in a scalar.
void sum(int n, int m, int p, float *C, const float *A, const float *B) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int k = 0; k < p; k++)
                s += A[i * p + k] * B[k * m + j];
            C[i * m + j] = s;
        }
}
