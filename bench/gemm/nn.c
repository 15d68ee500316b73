// SPDX-License-Identifier: MIT
// nn.c -- the product, column-major with pitches: a(n x m) += b(n x p) * c(p x m).
void nn(float *a, const float *b, const float *c, int pitch_a, int pitch_b, int pitch_c, int n, int m, int p) {
#pragma sculpt
    for (int j = 0; j < m; ++j)
        for (int k = 0; k < p; ++k)
            for (int i = 0; i < n; ++i)
                a[i + pitch_a * j] += b[i + pitch_b * k] * c[k + pitch_c * j];
}
