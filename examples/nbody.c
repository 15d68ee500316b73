// SPDX-License-Identifier: MIT
// nbody.c -- gravitational forces of n bodies on each other, softened; positions as structs.
//
//   nbody [n]
#include "example.h"

typedef struct Body {
    float x, y, z, mass;
} Body;

static void forces(int n, const Body *body, float *fx, float *fy, float *fz, float soft) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float ax = 0, ay = 0, az = 0;
        float px = body[i].x, py = body[i].y, pz = body[i].z;
        for (int j = 0; j < n; j++) {
            float dx = body[j].x - px, dy = body[j].y - py, dz = body[j].z - pz;
            float r2 = dx * dx + dy * dy + dz * dz + soft;
            float inv = 1.0f / sqrtf(r2);
            float f = body[j].mass * inv * inv * inv;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        fx[i] = ax;
        fy[i] = ay;
        fz[i] = az;
    }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 2048);
    Body *body = allocate(sizeof(Body) * n);
    for (int i = 0; i < n; i++)
        body[i] = (Body){(float)uniform(), (float)uniform(), (float)uniform(), (float)(1 + uniform())};
    float *f[3] = {random_floats(n), random_floats(n), random_floats(n)};
    double start = now();
    forces(n, body, f[0], f[1], f[2], 0.01f);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i += 1 + n / 512) {
        double a[3] = {0, 0, 0}, size = 1;
        for (int j = 0; j < n; j++) {
            double d[3] = {(double)body[j].x - body[i].x, (double)body[j].y - body[i].y, (double)body[j].z - body[i].z};
            double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + (double)0.01f;
            double w = body[j].mass / (r2 * sqrt(r2));
            for (int k = 0; k < 3; k++) a[k] += w * d[k], size += fabs(w * d[k]);
        }
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(f[k][i] - a[k]) / size);
    }
    free(body), free(f[0]), free(f[1]), free(f[2]);
    return report("nbody", seconds, 20.0 * n * n, 0, worst, 1e-6 + 1e-10 * n);
}
