#pragma once
static inline double twice(double x) { return x + x; }
static void shift(int n, double *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += 1;
}
