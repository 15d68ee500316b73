// device 8
// marks.c -- OpenMP as programs write it: simd, for inside parallel, sums by clauses, labels that nothing
// jumps to, and its header. A loop with a carried dependence stays.
#include <stdio.h>
#include <omp.h>
static double a[4096], b[4096], s[64];
static double dot(int n, const double *x, const double *y) {
    double t = 0;
#pragma omp simd reduction(+:t) aligned(x, y: 8) simdlen(4)
    for (int i = 0; i < n; i++) t += x[i] * y[i];
    return t;
}
static double marked_sum(int n) {
    double t = 0;
#pragma sculpt reduction(+ : t)
    for (int i = 0; i < n; i++) { each: t += a[i]; }
    return t;
}
// The last iteration sets it, and others race where they share it.
static int lasting(int n) {
    static int v[100000];
    int last = -1;
    for (int i = 0; i < n; i++) v[i] = i % 1000;
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++)
        if (v[i] >= 0) last = v[i] + i;
    return last;
}
int main(void) {
    double sum = 0, last = 0, t0 = omp_get_wtime();
    int n = 4096;
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++) a[i] = i % 7;
#pragma omp for simd lastprivate(last)
        for (int i = 0; i < n; i++) { last = i * 0.5; b[i] = last; }
    }
#pragma omp simd safelen(8)
    for (int i = 8; i < n; i++) a[i] = a[i - 8] + 1;
#pragma omp parallel for default(none) shared(a, b, n) reduction(+:sum) if(n > 10)
    for (int i = 0; i < n; i++) sum += a[i] + b[i];
#pragma omp target teams distribute parallel for simd map(tofrom: a[0:4096]) map(to: b) \
    device(0) collapse(2) num_teams(4) thread_limit(32)
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++) a[i * 64 + j] += b[i * 64 + j];
#pragma omp parallel
    {
        int id = omp_get_thread_num(), nt = omp_get_num_threads();
#pragma omp simd
        for (int i = 0; i < 32; i++) s[i] = i + 1;
        if (id == 0 && nt < 1) printf("never\n");
    }
    printf("%g %g %g %g %g %g %d\n", sum, last, dot(n, a, b), a[77], s[31], marked_sum(n), lasting(100000));
    return t0 < 0;
}
