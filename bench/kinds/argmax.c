// SPDX-License-Identifier: MIT
// argmax.c -- the greatest element of each row, and where it stands.
#include "kind.h"

#if SPELLING == 1 // the value in a variable of its own
static void greatest(int n, int m, const float *x, float *value, int *place) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float best = -INFINITY;
        int at = 0;
        for (int j = 0; j < m; j++) {
            float v = x[i * m + j];
            if (v > best) {
                best = v;
                at = j;
            }
        }
        value[i] = best, place[i] = at;
    }
}
#elif SPELLING == 2 // two subscripts
static void greatest(int n, int m, const float *all, float *value, int *place) {
    const float(*x)[m] = (void *)all;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float best = x[i][0];
        int at = 0;
        for (int j = 1; j < m; j++)
            if (x[i][j] > best) best = x[i][j], at = j;
        value[i] = best, place[i] = at;
    }
}
#else // choices, a pointer to the row
static void greatest(int n, int m, const float *all, float *value, int *place) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        const float *x = all + (size_t)i * m;
        float best = x[0];
        int at = 0;
        for (int j = 1; j < m; j++) {
            int better = x[j] > best;
            at = better ? j : at;
            best = better ? x[j] : best;
        }
        value[i] = best, place[i] = at;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("argmax", argc, argv);
    int n = kind_size(65536, 301), m = kind_size(1024, 77);
    size_t all = (size_t)n * m;
    float *x = kind_floats(all, 1), *value = kind_floats(n, 2);
    int *place = kind_array(n * sizeof *place);
#pragma acc enter data copyin(x[0 : all]) create(value[0 : n], place[0 : n])
    while (kind_again()) {
        greatest(n, m, x, value, place);
#pragma acc update self(value[0 : 1])
    }
#pragma acc exit data delete(x[0 : all]) copyout(value[0 : n], place[0 : n])
    for (int i = 0; i < n; i++) {
        int at = 0;
        for (int j = 1; j < m; j++)
            if (x[(size_t)i * m + j] > x[(size_t)i * m + at]) at = j;
        kind_compare(value[i], x[(size_t)i * m + at], 1);
        kind_compare(place[i], at, 1);
    }
    return kind_end(4.0 * all, "GB/s", 0);
}
