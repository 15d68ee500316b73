// SPDX-License-Identifier: MIT
// paths.c -- the best sum of a path through the layers of a graph, layer by layer: each step is a product of
// a matrix and a vector in which sums are maxima, float.
#include "kind.h"

#if SPELLING == 1 // rows of a table, a condition; the matrix by columns
static void paths(int t, int s, const float *w, const float *e, float *v) {
#pragma sculpt
    for (int k = 1; k < t; k++)
        for (int j = 0; j < s; j++) {
            float best = -INFINITY;
            for (int i = 0; i < s; i++) {
                float p = v[(k - 1) * s + i] + w[i * s + j];
                if (p > best) best = p;
            }
            v[k * s + j] = best + e[k * s + j];
        }
}
#elif SPELLING == 2 // a function, begun with the first
static void paths(int t, int s, const float *w, const float *e, float *table) {
    float(*v)[s] = (void *)table;
    for (int k = 1; k < t; k++) {
#pragma omp target teams distribute parallel for
        for (int j = 0; j < s; j++) {
            v[k][j] = v[k - 1][0] + w[j];
            for (int i = 1; i < s; i++) v[k][j] = fmaxf(v[k][j], v[k - 1][i] + w[i * s + j]);
            v[k][j] += e[k * s + j];
        }
    }
}
#else // two rows by turns, which are copied
static void paths(int t, int s, const float *w, const float *e, float *v) {
    float *now = kind_array(s * sizeof *now), *next = kind_array(s * sizeof *next);
#pragma acc data create(now[0 : s], next[0 : s])
    {
#pragma acc parallel loop
        for (int j = 0; j < s; j++) now[j] = v[j];
#pragma sculpt
        for (int k = 1; k < t; k++) {
            for (int j = 0; j < s; j++) {
                float best = -1e30f;
                for (int i = 0; i < s; i++)
                    best = now[i] + w[i * s + j] > best ? now[i] + w[i * s + j] : best;
                next[j] = best + e[k * s + j];
            }
            for (int j = 0; j < s; j++) {
                now[j] = next[j];
                v[k * s + j] = next[j];
            }
        }
    }
    free(now), free(next);
}
#endif

int main(int argc, char **argv) {
    kind_begin("paths", argc, argv);
    int t = kind_size(512, 9), s = kind_size(4096, 101);
    size_t all = (size_t)t * s, square = (size_t)s * s;
    float *w = kind_floats(square, 1), *e = kind_floats(all, 2), *v = kind_floats(all, 3);
    float *want = kind_floats(all, 3);
#pragma acc enter data copyin(w[0 : square], e[0 : all], v[0 : all])
    while (kind_again()) {
        paths(t, s, w, e, v);
#pragma acc update self(v[0 : 1])
    }
#pragma acc exit data delete(w[0 : square], e[0 : all]) copyout(v[0 : all])
    for (int k = 1; k < t; k++)
        for (int j = 0; j < s; j++) {
            float best = -INFINITY; // in floats, too, so that all bits are the same
            for (int i = 0; i < s; i++) {
                float p = want[(k - 1) * s + i] + w[(size_t)i * s + j];
                if (p > best) best = p;
            }
            want[k * s + j] = best + e[k * s + j];
            kind_compare(v[k * s + j], want[k * s + j], 1e-30);
        }
    return kind_end(2.0 * t * s * s, "GFLOP/s", 0);
}
