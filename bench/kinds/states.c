// SPDX-License-Identifier: MIT
// states.c -- the likeliest way through the states of a hidden Markov model, step by step (Viterbi).
#include "kind.h"

#if SPELLING == 1
static void ways(int t, int s, const float *change, const float *seen, float *v, int *from) {
    for (int k = 1; k < t; k++) {
#pragma acc parallel loop
        for (int j = 0; j < s; j++) {
            float best = -INFINITY;
            int at = 0;
            for (int i = 0; i < s; i++) {
                float p = v[(k - 1) * s + i] + change[i * s + j];
                if (p > best) best = p, at = i;
            }
            v[k * s + j] = best + seen[k * s + j];
            from[k * s + j] = at;
        }
    }
}
#elif SPELLING == 2 // two subscripts, no variable for what is compared
static void ways(int t, int s, const float *all, const float *obs, float *to, int *places) {
    const float(*change)[s] = (void *)all, (*seen)[s] = (void *)obs;
    float(*v)[s] = (void *)to;
    int(*from)[s] = (void *)places;
    for (int k = 1; k < t; k++) {
#pragma omp target teams distribute parallel for
        for (int j = 0; j < s; j++) {
            float best = v[k - 1][0] + change[0][j];
            int at = 0;
            for (int i = 1; i < s; i++)
                if (v[k - 1][i] + change[i][j] > best) best = v[k - 1][i] + change[i][j], at = i;
            v[k][j] = best + seen[k][j];
            from[k][j] = at;
        }
    }
}
#else // pointers to the rows
static void ways(int t, int s, const float *change, const float *seen, float *v, int *from) {
#pragma sculpt
    for (int k = 1; k < t; k++) {
        const float *before = v + (k - 1) * s;
        for (int j = 0; j < s; j++) {
            float best = -1e30f;
            int at = 0;
            for (int i = 0; i < s; i++) {
                float p = before[i] + change[i * s + j];
                if (p > best) {
                    best = p;
                    at = i;
                }
            }
            v[k * s + j] = best + seen[k * s + j];
            from[k * s + j] = at;
        }
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("states", argc, argv);
    int t = kind_size(512, 9), s = kind_size(1024, 101);
    size_t all = (size_t)t * s, square = (size_t)s * s;
    float *change = kind_floats(square, 1), *seen = kind_floats(all, 2), *v = kind_floats(all, 3);
    float *want = kind_floats(all, 3);
    int *from = kind_array(all * sizeof *from);
    for (size_t i = 0; i < all; i++) from[i] = 0;
#pragma acc enter data copyin(change[0 : square], seen[0 : all], v[0 : all], from[0 : all])
    while (kind_again()) {
        ways(t, s, change, seen, v, from);
#pragma acc update self(v[0 : 1])
    }
#pragma acc exit data delete(change[0 : square], seen[0 : all]) copyout(v[0 : all], from[0 : all])
    for (int k = 1; k < t; k++)
        for (int j = 0; j < s; j++) {
            int at = 0; // in floats, too, so that equal ones are
            float best = want[(k - 1) * s] + change[j];
            for (int i = 1; i < s; i++) {
                float p = want[(k - 1) * s + i] + change[i * s + j];
                if (p > best) best = p, at = i;
            }
            want[k * s + j] = best + seen[k * s + j];
            kind_compare(v[k * s + j], want[k * s + j], 1);
            kind_compare(from[k * s + j], at, 1);
        }
    return kind_end(3.0 * t * s * s, "GFLOP/s", 0);
}
