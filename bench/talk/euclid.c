// SPDX-License-Identifier: MIT
// euclid.c -- squared Euclidean distances of all pairs of points: one thread a row of the matrix.
void euclid(int n, int dim, float (*out)[n], const float (*x)[dim], const float (*y)[dim]) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int d = 0; d < dim; d++) {
                float diff = x[i][d] - y[j][d];
                sum += diff * diff;
            }
            out[i][j] = sum;
        }
}
