// SPDX-License-Identifier: MIT
// diag.c -- a neighbour of the product: a += b * diag(d) * c, column-major.
void diag(float *a, const float *b, const float *c, const float *d, int pitch_a, int pitch_b, int pitch_c, int n, int m, int p) {
#pragma sculpt
    for (int j = 0; j < m; ++j)
        for (int k = 0; k < p; ++k)
            for (int i = 0; i < n; ++i)
                a[i + pitch_a * j] += b[i + pitch_b * k] * d[k] * c[k + pitch_c * j];
}
