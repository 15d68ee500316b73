// SPDX-License-Identifier: MIT
// swapped.c -- the product with other names, the sum outermost and the factors turned around.
void swapped(int rows, int columns, int inner, int lx, int ly, int lz, float *z, const float *x, const float *y) {
#pragma sculpt
    for (int t = 0; t < inner; t++)
        for (int r = 0; r < rows; r++)
            for (int q = 0; q < columns; q++)
                z[q * lz + r] = z[q * lz + r] + y[q * ly + t] * x[t * lx + r];
}
