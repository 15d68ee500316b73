// SPDX-License-Identifier: MIT
// gauss_sums.c -- sums of Gaussians: at each of n targets the sum over n weighted sources.
//
//   gauss_sums [n]
#include "example.h"

typedef struct Cloud {
    int n;
    float *x, *y, *z, *weight;
} Cloud;

static void gauss(const Cloud *source, const Cloud *target, float *restrict out, float inv) {
#pragma omp parallel for
    for (int i = 0; i < target->n; i++) {
        float sum = 0;
        for (int j = 0; j < source->n; j++) {
            float dx = target->x[i] - source->x[j];
            float dy = target->y[i] - source->y[j];
            float dz = target->z[i] - source->z[j];
            sum += source->weight[j] * expf(-(dx * dx + dy * dy + dz * dz) * inv);
        }
        out[i] = sum;
    }
}

static Cloud cloud(int n) { return (Cloud){n, random_floats(n), random_floats(n), random_floats(n), random_floats(n)}; }

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 2048);
    Cloud s = cloud(n), t = cloud(n);
    float *out = random_floats(n);
    double start = now();
    gauss(&s, &t, out, 0.7f);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i += 1 + n / 512) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            double dx = (double)t.x[i] - s.x[j], dy = (double)t.y[i] - s.y[j], dz = (double)t.z[i] - s.z[j];
            sum += s.weight[j] * exp(-(dx * dx + dy * dy + dz * dz) * (double)0.7f);
        }
        worst = fmax(worst, fabs(out[i] - sum) / (n + 1));
    }
    Cloud c[2] = {s, t};
    for (int k = 0; k < 2; k++) free(c[k].x), free(c[k].y), free(c[k].z), free(c[k].weight);
    free(out);
    return report("gauss_sums", seconds, 11.0 * n * n, 0, worst, 1e-6);
}
