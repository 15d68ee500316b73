// device 13
// macros.c -- marks that macros make, whole or in part.
#include "../suite.h"
#define SIZE_OF(x) _Generic((x), int: abs, long: labs, default: abs)(x) // two of its functions are one
#define DO_PRAGMA(x) _Pragma(#x)
#define OMP(...) DO_PRAGMA(omp __VA_ARGS__)
#define PARALLEL_FOR OMP(parallel for) for
#define TARGET_FOR OMP(target teams distribute parallel for) for
#define PARALLEL _Pragma("omp parallel for")
#define COLLAPSED(n) OMP(parallel for collapse(n))
#define SUM_OF(x) reduction(OPERATOR : x)
#define OPERATOR +
#define DEPTH 2
#define THREADS 4
#define FAST schedule(static) num_threads(THREADS)
#define N 60
#define ENTER OMP(target enter data map(to : a[0:N * N]))
#define LEAVE OMP(target exit data map(from : a[0:N * N]))
#define MARK_IF(x) if (x) OMP(parallel for) // stays as it is
#define WHOLE(n, x) OMP(parallel for) for (int i = 0; i < n; i++) x[i] += 3;
static double a[N * N], b[N][N], s[N];
static int lines[3];
static double total(int n) {
    double t = 0;
#pragma omp parallel for FAST SUM_OF(t)
    for (int i = 0; i < n; i++) t += a[i] * 2;
    return t;
}
#undef DEPTH
#define DEPTH 1
static void rows(void) { // the inner loop carries
#pragma omp parallel for collapse(DEPTH)
    for (int i = 0; i < N; i++)
        for (int j = 1; j < N; j++) b[i][j] += b[i][j - 1];
}
static void inside(void) { // macros that the function defines itself, each time anew
    double p = 1, q = 2;
#define WORDS parallel for
#if N < 0
#define VAR r
#else
#define VAR p
#endif
#pragma omp WORDS reduction(+ : VAR)
    for (int i = 0; i < N; i++) p += i;
#undef VAR
#define VAR q
#pragma omp WORDS reduction(+ : VAR)
    for (int i = 0; i < N; i++) q += 2 * i;
    printf("%g %g\n", p, q);
}
int main(void) {
    inside();
    PARALLEL
    for (int i = 0; i < N * N; i++) a[i] = i % 11;
    PARALLEL_FOR (int i = 0; i < N; i++) {
        s[i] = 0;
        for (int j = 0; j < N; j++) s[i] += a[i * N + j];
    }
    COLLAPSED(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) b[i][j] = a[i * N + j] + s[i];
    rows();
    lines[0] = __LINE__;
    ENTER;
    DO_PRAGMA(sculpt)
    for (int i = 0; i < N * N; i++) a[i] += i;
    if (a[1] > 0) {
        TARGET_FOR(int i = 0; i < N * N; i++) a[i] -= 1; // one of the host has a copy of its own
    }
    LEAVE;
    lines[1] = __LINE__;
    OMP(parallel num_threads(2))
    {
        OMP(for)
        for (int i = 0; i < N; i++) s[i] *= 0.5;
        lines[2] = __LINE__;
    }
    WHOLE(N, s)
    MARK_IF(a[0] > 1e9) for (int i = 0; i < N; i++) s[i] = -1;
    printf("%g\n", total(N * N));
    show_doubles("a", a, N * N);
    show_doubles("b", b[0], N * N);
    show_doubles("s", s, N);
    show_ints("lines", lines, 3);
#pragma omp parallel for
    for (int i = 0; i < 3; i++) lines[i] = SIZE_OF(i - 1);
    show_ints("sizes", lines, 3);
}
