// SPDX-License-Identifier: MIT
// minplus.c -- a neighbour of the product: the shortest way over one more edge.
void minplus(float *a, const float *b, const float *c, int pitch_a, int pitch_b, int pitch_c, int n, int m, int p) {
#pragma sculpt
    for (int j = 0; j < m; ++j)
        for (int k = 0; k < p; ++k)
            for (int i = 0; i < n; ++i)
                if (b[i + pitch_b * k] + c[k + pitch_c * j] < a[i + pitch_a * j])
                    a[i + pitch_a * j] = b[i + pitch_b * k] + c[k + pitch_c * j];
}
