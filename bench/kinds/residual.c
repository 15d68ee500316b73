// SPDX-License-Identifier: MIT
// residual.c -- steps of the 5-point mean that also find the greatest change, float.
#include "kind.h"

#if SPELLING == 1 // a condition
static float steps_of(int n, int steps, float *u, float *v) {
    float most = 0;
#pragma sculpt
    for (int t = 0; t < steps; t++) {
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                float x = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
                x *= 0.25f;
                float d = fabsf(x - u[i * n + j]);
                if (d > most) most = d;
                v[i * n + j] = x;
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) u[i * n + j] = v[i * n + j];
    }
    return most;
}
#elif SPELLING == 2 // a function, from one array to the other and back
static float steps_of(int n, int steps, float u[n][n], float v[n][n]) {
    float most = 0;
#pragma scop
    for (int t = 0; t < steps / 2; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                u[i][j] = 0.25f * (v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1]);
                most = fmaxf(most, fabsf(u[i][j] - v[i][j]));
            }
    }
#pragma endscop
    return most;
}
#else // a macro, in a loop of its own
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static float steps_of(int n, int steps, float (*u)[n], float (*v)[n]) {
    float most = 0;
#pragma sculpt
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        float r = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                float d = v[i][j] - u[i][j];
                r = MAX(r, d < 0 ? -d : d);
            }
        most = r;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) u[i][j] = v[i][j];
    }
    return most;
}
#endif

int main(int argc, char **argv) {
    kind_begin("residual", argc, argv);
    int n = kind_size(8192, 83), steps = kind_size(20, 4); // an even number
    size_t all = (size_t)n * n, bytes = all * sizeof(float);
    float *u = kind_floats(all, 1), *v = kind_array(bytes), *a = kind_array(bytes), *b = kind_array(bytes);
    memcpy(v, u, bytes), memcpy(a, u, bytes), memcpy(b, u, bytes);
    float most = 0, want = 0;
    int calls = 0;
#pragma acc enter data copyin(u[0 : all], v[0 : all])
    while (kind_again()) {
        most = steps_of(n, steps, (void *)u, (void *)v);
        calls++;
    }
#pragma acc exit data delete(v[0 : all]) copyout(u[0 : all])
    for (int t = 0; t < calls * steps; t++) { // in the same order, so that all bits are the same
        want = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                const float *x = a + (size_t)i * n + j;
                float mean = 0.25f * (x[-n] + x[n] + x[-1] + x[1]), d = fabsf(mean - *x);
                want = d > want ? d : want;
                b[(size_t)i * n + j] = mean;
            }
        float *other = a;
        a = b, b = other;
    }
    kind_compare(most, want, 1e-30);
    for (size_t k = 0; k < all; k++) kind_compare(u[k], a[k], 1e-30);
    return kind_end(16.0 * steps * n * n, "GB/s", 0);
}
