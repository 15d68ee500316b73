// SPDX-License-Identifier: MIT
// attention.c -- out = softmax(q k' / sqrt(d)) v, float: scores, softmax and weighted sum a row.
#include "kind.h"

#if SPELLING == 1 // scores of a row in a scratch matrix, everything in one loop over rows
static void attend(int n, int d, const float *q, const float *k, const float *v, float *score, float *out) {
    float scale = 1.0f / sqrtf(d);
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int c = 0; c < d; c++) s += q[i * d + c] * k[j * d + c];
            score[i * n + j] = s * scale;
            most = fmaxf(most, score[i * n + j]);
        }
        for (int j = 0; j < n; j++) {
            score[i * n + j] = expf(score[i * n + j] - most);
            sum += score[i * n + j];
        }
        for (int c = 0; c < d; c++) {
            float o = 0;
            for (int j = 0; j < n; j++) o += score[i * n + j] * v[j * d + c];
            out[i * d + c] = o / sum;
        }
    }
}
#elif SPELLING == 2 // as steps of their own
static void attend(int n, int d, const float (*q)[d], const float (*k)[d], const float (*v)[d],
                   float (*score)[n], float (*out)[d]) {
    float scale = 1.0f / sqrtf(d);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int c = 0; c < d; c++) s += q[i][c] * k[j][c];
            score[i][j] = s * scale;
        }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float most = score[i][0], sum = 0;
        for (int j = 1; j < n; j++)
            if (score[i][j] > most) most = score[i][j];
        for (int j = 0; j < n; j++) sum += expf(score[i][j] - most);
        for (int j = 0; j < n; j++) score[i][j] = expf(score[i][j] - most) / sum;
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++) {
            float o = 0;
            for (int j = 0; j < n; j++) o += score[i][j] * v[j][c];
            out[i][c] = o;
        }
}
#else // the weighted sum in place, a row of it a key
static void attend(int n, int d, const float (*q)[d], const float (*k)[d], const float (*v)[d],
                   float (*score)[n], float (*out)[d]) {
    float scale = 1.0f / sqrtf(d);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < n; j++) {
            score[i][j] = 0;
            for (int c = 0; c < d; c++) score[i][j] += q[i][c] * k[j][c];
            score[i][j] *= scale;
            most = score[i][j] > most ? score[i][j] : most;
        }
        for (int c = 0; c < d; c++) out[i][c] = 0;
        for (int j = 0; j < n; j++) {
            float e = expf(score[i][j] - most);
            sum += e;
            for (int c = 0; c < d; c++) out[i][c] += e * v[j][c];
        }
        for (int c = 0; c < d; c++) out[i][c] /= sum;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("attention", argc, argv);
    int n = kind_size(8192, 61), d = kind_size(64, 16);
    size_t all = (size_t)n * d, pairs = (size_t)n * n;
    float *q = kind_floats(all, 1), *k = kind_floats(all, 2), *v = kind_floats(all, 3),
          *out = kind_floats(all, 4);
    float *score = kind_array(pairs * sizeof *score);
#pragma acc enter data copyin(q[0 : all], k[0 : all], v[0 : all], out[0 : all]) create(score[0 : pairs])
    while (kind_again()) {
        attend(n, d, (void *)q, (void *)k, (void *)v, (void *)score, (void *)out);
#pragma acc update self(out[0 : 1])
    }
#pragma acc exit data delete(q[0 : all], k[0 : all], v[0 : all], score[0 : pairs]) copyout(out[0 : all])
    for (int s = 0; s < 50; s++) {
        int i = kind_pick(2 * s, n), c = kind_pick(2 * s + 1, d);
        double sum = 0, o = 0;
        for (int j = 0; j < n; j++) {
            double x = 0;
            for (int t = 0; t < d; t++) x += (double)q[i * d + t] * k[j * d + t];
            x = exp(x / sqrt(d));
            sum += x, o += x * v[j * d + c];
        }
        kind_compare(out[i * d + c], o / sum, 1 / sqrt(n));
    }
    return kind_end(4.0 * n * n * d, "GFLOP/s", 5e-5);
}
