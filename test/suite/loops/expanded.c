// device 11
// expanded.c -- macros that hold whole loops, marks and all.
#include "../suite.h"
#define PRAGMA(x) _Pragma(#x)
#define PARALLEL PRAGMA(omp parallel for)
#define FOR_ALL(i, n) for (int i = 0; i < (n); ++i)
#define APPLY(op, c, a, b, n)                                                                                \
    do {                                                                                                     \
        PARALLEL                                                                                             \
        FOR_ALL(i, n) (c)[i] = (a)[i] op (b)[i];                                                             \
    } while (0)
#define DEFINE(name, type, op)                                                                               \
    static void name(int n, type *x, const type *y) {                                                        \
        _Pragma("omp parallel for") for (int i = 0; i < n; i++) x[i] op y[i];                                \
    }
DEFINE(add_doubles, double, +=)
DEFINE(scale_ints, int, *=)
#define TWICE(n, x, ...)                                                                                     \
    PARALLEL FOR_ALL(i, n) { double t[2] = {__VA_ARGS__}; (x)[i] += t[0] * t[1]; }                           \
    PARALLEL for (int i = (n)-1; i >= 0; i--) { (x)[i] -= 1.0; }
#define CHECKED(text, n, x)                                                                                  \
    { printf("%s; {%d}\n", #text ";", __LINE__); PARALLEL FOR_ALL(i, n) (x)[i] = (x)[i] > 1 ? (x)[i] : 0; }
#define IDENTITY(x) x
#define LOOP PARALLEL for (int i = 0; i < n; i++)
static void starred(int n, double *x) {
    LOOP x[i] = i * 0.5;
    LOOP x[i] += 2;
}

int main(void) {
    enum { M = 1000 };
    static double a[M], b[M], c[M];
    static int u[M], v[M];
    fill_doubles(a, M), fill_doubles(b, M);
    for (int i = 0; i < M; i++) u[i] = i % 5, v[i] = i % 3 + 1;
    APPLY(+, c, a, b, M); APPLY(*, c, c, b, M);
    if (c[0] > 1e30)
        APPLY(/, c, c, b, M);
    else
        APPLY(-,
              c, // over several lines
              c, a,
              M);
    show_doubles("c", c, M);
    add_doubles(M, a, b), scale_ints(M, u, v);
    TWICE(M, c, 1.5, a[i])
    CHECKED(what "is" said, M, c)
    IDENTITY(APPLY(+, c, c, c, M)); // an argument stays where it is
    show_doubles("a", a, M), show_doubles("c", c, M), show_ints("u", u, M);
    starred(M, b);
    show_doubles("b", b, M);
    printf("%d\n", __LINE__);
}
