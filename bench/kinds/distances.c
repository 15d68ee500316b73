// SPDX-License-Identifier: MIT
// distances.c -- pairs of points in a periodic box, counted by how far they lie apart.
#include "kind.h"

#if SPELLING == 1 // each pair once, a reduction of bins
static void count(int n, int bins, float box, float width, const float *x, const float *y, const float *z,
                  int *h) {
#pragma omp target teams distribute parallel for
    for (int b = 0; b < bins; b++) h[b] = 0;
#pragma omp target teams distribute parallel for reduction(+ : h[ : bins])
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            dx -= box * roundf(dx / box), dy -= box * roundf(dy / box), dz -= box * roundf(dz / box);
            float r = sqrtf(dx * dx + dy * dy + dz * dz);
            int b = (int)(r / width);
            if (b < bins) h[b] += 1;
        }
}
#elif SPELLING == 2 // all pairs, atomic, half of what is found
static void count(int n, int bins, float box, float width, const float *x, const float *y, const float *z,
                  int *h) {
    float inverse = 1 / width, most = width * bins * width * bins, half = box / 2;
#pragma acc parallel loop present(h[0 : bins])
    for (int b = 0; b < bins; b++) h[b] = 0;
#pragma acc parallel loop collapse(2) present(h[0 : bins])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float dx = fabsf(x[i] - x[j]), dy = fabsf(y[i] - y[j]), dz = fabsf(z[i] - z[j]);
            if (dx > half) dx = box - dx;
            if (dy > half) dy = box - dy;
            if (dz > half) dz = box - dz;
            float r2 = dx * dx + dy * dy + dz * dz;
            if (j != i && r2 < most) {
                int b = (int)(sqrtf(r2) * inverse);
#pragma acc atomic
                h[b]++;
            }
        }
#pragma acc parallel loop present(h[0 : bins])
    for (int b = 0; b < bins; b++) h[b] /= 2;
}
#else // points in a table, the last bin for all that are farther
static void count(int n, int bins, float box, float width, const float (*at)[4], int h[bins + 1]) {
#pragma sculpt
    for (int b = 0; b <= bins; b++) h[b] = 0;
#pragma sculpt
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            float s = 0;
            for (int c = 0; c < 3; c++) {
                float d = at[i][c] - at[j][c];
                d = d - box * rintf(d / box);
                s += d * d;
            }
            int b = (int)(sqrtf(s) / width);
            h[b < bins ? b : bins] += 1;
        }
}
#endif

int main(int argc, char **argv) {
    kind_begin("distances", argc, argv);
    int n = kind_size(65536, 700), bins = kind_size(1000, 100);
    float box = 2, width = 1.0f / bins;
    float *x = kind_floats(n, 1), *y = kind_floats(n, 2), *z = kind_floats(n, 3);
    float *at = kind_array(n * 4 * sizeof *at);
    int *h = kind_array((bins + 1) * sizeof *h);
    for (int i = 0; i < n; i++)
        at[4 * i] = x[i], at[4 * i + 1] = y[i], at[4 * i + 2] = z[i], at[4 * i + 3] = 0;
#pragma acc enter data copyin(x[0 : n], y[0 : n], z[0 : n], at[0 : 4 * n]) create(h[0 : bins + 1])
    while (kind_again()) {
#if SPELLING < 3
        count(n, bins, box, width, x, y, z, h);
#else
        count(n, bins, box, width, (void *)at, h);
#endif
#pragma acc update self(h[0 : 1])
    }
#pragma acc exit data delete(x[0 : n], y[0 : n], z[0 : n], at[0 : 4 * n]) copyout(h[0 : bins + 1])
    // Of many points some stand for all: what they find is compared by tens of bins.
    int step = n > 4096 ? n / 2048 : 1, tens = bins / 10;
    double *want = calloc(tens + 1, sizeof *want), most = 0;
    for (int i = 0; i < n; i += step)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int c = 0; c < 3; c++) {
                double d = fabs((double)at[4 * i + c] - at[4 * j + c]);
                s += d > 1 ? (2 - d) * (2 - d) : d * d;
            }
            int b = (int)(sqrt(s) * bins) / 10;
            if (i != j && b < tens) want[b] += 0.5 * step;
        }
    for (int b = 0; b < tens; b++) most = want[b] > most ? want[b] : most;
    for (int b = 0; b < tens; b++) {
        double got = 0;
        for (int k = 10 * b; k < 10 * b + 10; k++) got += h[k];
        kind_compare(got, want[b], most);
    }
    return kind_end(0.5 * n * (n - 1.0), "Gpairs/s", 2e-2);
}
