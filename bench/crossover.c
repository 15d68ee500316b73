// SPDX-License-Identifier: MIT
// crossover.c -- from which work on our BLAS is quicker than the processor's for arrays on the host, their
// way to the device and back counted in. What is found is kept in the cache's folder, for this host and this
// setting of SCULPT_DEVICE and SCULPT_CPU_BLAS; libblas.so.3 goes by it from its next start on.
//
//   blas_crossover [--try] [--most SECONDS]   --try: nothing is kept; SECONDS: of one call (1)
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUTINES(T, p)                                                                                       \
    void p##axpy_(const int *, const T *, const T *, const int *, T *, const int *);                         \
    void p##gemv_(const char *, const int *, const int *, const T *, const T *, const int *, const T *,      \
                  const int *, const T *, T *, const int *);                                                 \
    void p##gemm_(const char *, const char *, const int *, const int *, const int *, const T *, const T *,   \
                  const int *, const T *, const int *, const T *, T *, const int *);                         \
    void p##symm_(const char *, const char *, const int *, const int *, const T *, const T *, const int *,   \
                  const T *, const int *, const T *, T *, const int *);                                      \
    void p##syrk_(const char *, const char *, const int *, const int *, const T *, const T *, const int *,   \
                  const T *, T *, const int *);                                                              \
    void p##trmm_(const char *, const char *, const char *, const char *, const int *, const int *,          \
                  const T *, const T *, const int *, T *, const int *);                                      \
    void p##trsm_(const char *, const char *, const char *, const char *, const int *, const int *,          \
                  const T *, const T *, const int *, T *, const int *);                                      \
    static void call_##p(int which, int n, T *a, T *b, T *c) {                                               \
        T one = 1, half = (T)0.5;                                                                            \
        int step = 1;                                                                                        \
        switch (which) {                                                                                     \
        case AXPY:                                                                                           \
            p##axpy_(&n, &half, a, &step, b, &step);                                                         \
            break;                                                                                           \
        case GEMV:                                                                                           \
            p##gemv_("N", &n, &n, &half, a, &n, b, &step, &half, c, &step);                                  \
            break;                                                                                           \
        case GEMM:                                                                                           \
            p##gemm_("N", "N", &n, &n, &n, &half, a, &n, b, &n, &half, c, &n);                               \
            break;                                                                                           \
        case SYMM:                                                                                           \
            p##symm_("L", "U", &n, &n, &half, a, &n, b, &n, &half, c, &n);                                   \
            break;                                                                                           \
        case SYRK:                                                                                           \
            p##syrk_("U", "N", &n, &n, &half, a, &n, &half, c, &n);                                          \
            break;                                                                                           \
        case TRMM:                                                                                           \
            p##trmm_("L", "U", "N", "N", &n, &n, &one, a, &n, b, &n);                                        \
            break;                                                                                           \
        case TRSM:                                                                                           \
            p##trsm_("L", "U", "N", "N", &n, &n, &one, a, &n, b, &n);                                        \
            break;                                                                                           \
        }                                                                                                    \
    }                                                                                                        \
    static void fill_##p(T *a, size_t elements, int n) { /* triangles with small solutions */                \
        for (size_t i = 0; i < elements; i++) a[i] = (T)((double)(i * 7919 % 1000) / 1000 - 0.5) / n;        \
        for (size_t i = 0; i < elements; i += n + 1) a[i] = 1;                                               \
    }

enum { AXPY, GEMV, GEMM, SYMM, SYRK, TRMM, TRSM, ALL };
static const char *const names[] = {"axpy", "gemv", "gemm", "symm", "syrk", "trmm", "trsm"};
ROUTINES(float, s)
ROUTINES(double, d)

void blas_crossover_is(double operations);
bool blas_crossover_keep(int n, const char *const *routine, const double *from);
const char *sculpt_device_name(void);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double operations(int which, double n) {
    return which == AXPY ? 2 * n : which == GEMV ? 2 * n * n : (which < SYRK ? 2 : 1) * n * n * n;
}

// The best of some calls, behind one that makes ready.
static double seconds(int which, int n, bool is_double, void *const *of) {
    double best = INFINITY;
    for (int i = 0; i < 4; i++) {
        double t = now();
        if (is_double)
            call_d(which, n, of[0], of[1], of[2]);
        else
            call_s(which, n, of[0], of[1], of[2]);
        t = now() - t;
        if (i && t < best) best = t;
        if (i && t > 0.3) break;
    }
    return best;
}

// The least work at which we are quicker, and at the next size, too. INFINITY: at none that was tried.
static double measure(int which, bool is_double, double most) {
    double found = INFINITY;
    size_t w = is_double ? sizeof(double) : sizeof(float);
    for (int step = 0; step < (which == AXPY ? 12 : 14); step++) {
        int n = which == AXPY ? 1 << (14 + step) : (int)((step % 2 ? 96 : 64) * pow(2, step / 2));
        size_t all = which == AXPY ? (size_t)n : (size_t)n * n;
        void *of[3];
        for (int i = 0; i < 3; i++) {
            of[i] = malloc(all * w);
            if (!of[i]) return found;
            if (is_double)
                fill_d(of[i], all, n);
            else
                fill_s(of[i], all, n);
        }
        double time[2];
        for (int ours = 0; ours < 2; ours++) {
            blas_crossover_is(ours ? 0 : INFINITY);
            time[ours] = seconds(which, n, is_double, of);
        }
        for (int i = 0; i < 3; i++) free(of[i]);
        bool is_quicker = time[1] < time[0], was = found < INFINITY;
        printf("  %c%s %d: processor %.4f ms, ours %.4f ms\n", is_double ? 'd' : 's', names[which], n,
               1e3 * time[0], 1e3 * time[1]);
        fflush(stdout);
        if (is_quicker && was) return found;
        found = is_quicker ? operations(which, n) : INFINITY;
        if (time[0] > most || time[1] > most) break;
    }
    return found;
}

int main(int argc, char **argv) {
    bool is_kept = true;
    double most = 1;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--try"))
            is_kept = false;
        else if (!strcmp(argv[i], "--most") && i + 1 < argc)
            most = atof(argv[++i]);
        else
            return puts("usage: blas_crossover [--try] [--most SECONDS]"), 2;
    }
    setenv("SCULPT_SYNC", "1", 1);
    const char *routine[2 * ALL];
    char name[2 * ALL][8];
    double from[2 * ALL];
    printf("on %s\n", sculpt_device_name());
    for (int i = 0; i < 2 * ALL; i++) {
        snprintf(name[i], sizeof name[i], "%c%s", i % 2 ? 'd' : 's', names[i / 2]);
        routine[i] = name[i];
        from[i] = measure(i / 2, i % 2, most);
        printf("%s: from %g operations on\n", name[i], from[i]);
    }
    if (is_kept && !blas_crossover_keep(2 * ALL, routine, from)) return puts("it could not be kept"), 1;
    return 0;
}
