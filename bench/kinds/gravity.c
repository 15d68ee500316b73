// SPDX-License-Identifier: MIT
// gravity.c -- what all bodies do to each, float: m / (r sqrt(r)) times the distance.
#include "kind.h"

typedef struct {
    float x, y, z, m;
} Body;
typedef struct {
    float x, y, z;
} Force;

#if SPELLING == 1 // structs
static void pull(int n, const Body *b, Force *f) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0;
        for (int j = 0; j < n; j++) {
            float dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
            float r = dx * dx + dy * dy + dz * dz + 1e-4f;
            float s = b[j].m / (r * sqrtf(r));
            fx += s * dx;
            fy += s * dy;
            fz += s * dz;
        }
        f[i].x = fx, f[i].y = fy, f[i].z = fz;
    }
}
#elif SPELLING == 2 // in place, copies of structs, 1 / sqrt
static void pull(int n, const Body *b, Force *f) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        Body me = b[i];
        f[i] = (Force){0, 0, 0};
        for (int j = 0; j < n; j++) {
            Body you = b[j];
            Force d = {you.x - me.x, you.y - me.y, you.z - me.z};
            float inverse = 1.0f / sqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 1e-4f);
            float s = you.m * inverse * inverse * inverse;
            f[i].x += s * d.x;
            f[i].y += s * d.y;
            f[i].z += s * d.z;
        }
    }
}
#else // coordinates as a row of four, those of a pair under a condition
static void pull(int n, const float (*b)[4], float (*f)[3]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float sum[3] = {0, 0, 0};
        for (int j = 0; j < n; j++)
            if (j != i) {
                float d[3], r = 1e-4f;
                for (int c = 0; c < 3; c++) {
                    d[c] = b[j][c] - b[i][c];
                    r += d[c] * d[c];
                }
                float s = b[j][3] / (r * sqrtf(r));
                for (int c = 0; c < 3; c++) sum[c] += s * d[c];
            }
        for (int c = 0; c < 3; c++) f[i][c] = sum[c];
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("gravity", argc, argv);
    int n = kind_size(262144, 333);
    float *b = kind_floats((size_t)n * 4, 1), *f = kind_floats((size_t)n * 3, 2);
    for (int i = 0; i < n; i++) b[4 * i + 3] = 0.5f + 0.5f * fabsf(b[4 * i + 3]);
#pragma acc enter data copyin(b[0 : 4 * n], f[0 : 3 * n])
    while (kind_again()) {
        pull(n, (void *)b, (void *)f);
#pragma acc update self(f[0 : 1])
    }
#pragma acc exit data delete(b[0 : 4 * n]) copyout(f[0 : 3 * n])
    for (int s = 0; s < 100; s++) {
        int i = kind_pick(s, n);
        double sum[3] = {0}, all = 0;
        for (int j = 0; j < n; j++) {
            double d[3], r = 1e-4f;
            for (int c = 0; c < 3; c++) d[c] = (double)b[4 * j + c] - b[4 * i + c], r += d[c] * d[c];
            for (int c = 0; c < 3; c++) sum[c] += b[4 * j + 3] / (r * sqrt(r)) * d[c];
            all += b[4 * j + 3] / r;
        }
        for (int c = 0; c < 3; c++) kind_compare(f[3 * i + c], sum[c], sqrt(n) + 0.01 * all);
    }
    return kind_end(20.0 * n * n, "GFLOP/s", 1e-4);
}
