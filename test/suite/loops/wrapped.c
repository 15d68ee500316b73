// device 2
// wrapped.c -- a function that says by itself what signed sums do when they overflow.
#include "../suite.h"
#include <limits.h>
enum { N = 1000 };
__attribute__((optimize("wrapv"))) static void above(int n, const int *v, int *o) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) o[i] = v[i] + INT_MAX > v[i];
}
// How far v reaches is found out before the launch.
__attribute__((optimize("wrapv"))) static void gathered(int n, const int *at, const int *v, int *o) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) o[i] = v[at[i]] + INT_MAX;
}
int main(void) {
    static int v[N], o[N], at[N];
    fill_ints(v, N, 50);
    for (int i = 0; i < N; i++) v[i] -= 25;
    above(N, v, o);
    show_ints("above", o, N);
    fill_ints(at, N, N);
    gathered(N, at, v, o);
    show_ints("gathered", o, N);
    suite_use();
}
