// SPDX-License-Identifier: MIT
// scaled.c -- the product as BLAS has it, row-major: C = alpha·A·B + beta·C.
void scaled(int n, int m, int p, float alpha, const float *A, const float *B, float beta, float *C) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int k = 0; k < p; k++)
                s += A[i * p + k] * B[k * m + j];
            C[i * m + j] = alpha * s + beta * C[i * m + j];
        }
}
