// SPDX-License-Identifier: MIT
// kmeans.c -- a step of k-means: each point is added to the sums of its nearest centre, float.
#include "kind.h"

#if SPELLING == 1
static void step(int n, int centres, int d, const float *x, const float *c, float *s, int *count) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        int best = 0;
        float least = INFINITY;
        for (int k = 0; k < centres; k++) {
            float sum = 0;
            for (int t = 0; t < d; t++) {
                float diff = x[i * d + t] - c[k * d + t];
                sum += diff * diff;
            }
            if (sum < least) {
                least = sum;
                best = k;
            }
        }
        count[best]++;
        for (int t = 0; t < d; t++) s[best * d + t] += x[i * d + t];
    }
}
#elif SPELLING == 2 // choices, arrays of rows
static void step(int n, int centres, int d, const float (*x)[d], const float (*c)[d], float (*s)[d],
                 int *count) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        float least = 1e30f;
        int best = 0;
        for (int k = 0; k < centres; k++) {
            float sum = 0;
            for (int t = 0; t < d; t++) sum += (x[i][t] - c[k][t]) * (x[i][t] - c[k][t]);
            best = sum < least ? k : best;
            least = sum < least ? sum : least;
        }
        for (int t = 0; t < d; t++) s[best][t] += x[i][t];
        count[best] += 1;
    }
}
#else // a function for the distance, the sums before the count
static float distance(int d, const float *x, const float *c, int i, int k) {
    float sum = 0;
    for (int t = 0; t < d; t++) sum += (c[k * d + t] - x[i * d + t]) * (c[k * d + t] - x[i * d + t]);
    return sum;
}
static void step(int n, int centres, int d, const float *x, const float *c, float *s, int *count) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        int best = 0;
        float least = distance(d, x, c, i, 0);
        for (int k = 1; k < centres; k++) {
            float sum = distance(d, x, c, i, k);
            if (sum < least) least = sum, best = k;
        }
        for (int t = 0; t < d; t++) s[best * d + t] += x[i * d + t];
        count[best] += 1;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("kmeans", argc, argv);
    int n = kind_size(1 << 20, 1003), centres = kind_size(256, 37), d = kind_size(32, 16);
    size_t all = (size_t)n * d, cs = (size_t)centres * d;
    float *x = kind_floats(all, 1), *c = kind_floats(cs, 2), *s = kind_array(cs * sizeof *s);
    int *count = kind_array((size_t)centres * sizeof *count), calls = 0;
    for (size_t i = 0; i < all; i++) x[i] = c[i / d % centres * d + i % d] + x[i] / 64; // one is nearest
    memset(s, 0, cs * sizeof *s), memset(count, 0, (size_t)centres * sizeof *count);
#pragma acc enter data copyin(x[0 : all], c[0 : cs], s[0 : cs], count[0 : centres])
    for (; kind_again(); calls++) {
        step(n, centres, d, (void *)x, (void *)c, (void *)s, count);
#pragma acc update self(s[0 : 1])
    }
#pragma acc exit data delete(x[0 : all], c[0 : cs]) copyout(s[0 : cs], count[0 : centres])
    double *want = calloc(cs, sizeof *want);
    int *each = calloc(centres, sizeof *each);
    for (int i = 0; i < n; i++) {
        double least = INFINITY;
        int best = 0;
        for (int k = 0; k < centres; k++) {
            double sum = 0;
            for (int t = 0; t < d; t++) {
                double diff = (double)x[(size_t)i * d + t] - c[(size_t)k * d + t];
                sum += diff * diff;
            }
            if (sum < least) least = sum, best = k;
        }
        each[best]++;
        for (int t = 0; t < d; t++) want[best * d + t] += x[(size_t)i * d + t];
    }
    for (int k = 0; k < centres; k++) kind_compare(count[k], (double)calls * each[k], 1);
    for (size_t i = 0; i < cs; i++) kind_compare(s[i], calls * want[i], calls * (1.0 + n / centres));
    return kind_end(3.0 * n * centres * d, "GFLOP/s", 1e-5);
}
