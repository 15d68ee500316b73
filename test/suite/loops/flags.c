// device 6
// flags.c -- numbers that an iteration sets where a condition holds, under marks that name them.
#include "../suite.h"
#include <stdbool.h>
#define MOST 1000
static double x[MOST];
__attribute__((noinline)) static int any(int n, int found) {
#pragma omp parallel for reduction(|| : found)
    for (int i = 0; i < n; i++)
        if (x[i] > 0.74) found = 1;
    return found;
}
__attribute__((noinline)) static bool all(int n) {
    bool fine = true;
#pragma omp parallel for reduction(&& : fine)
    for (int i = 0; i < n; i++)
        if (!(x[i] < 10)) fine = false;
    return fine;
}
__attribute__((noinline)) static unsigned bits(int n) {
    unsigned seen = 4;
#pragma acc parallel loop reduction(| : seen)
    for (int i = 0; i < n; i++)
        if (isnan(x[i])) seen |= 1;
    return seen;
}
__attribute__((noinline)) static double nearest(int n, double y, long *at) {
    double least = 1e300;
    long k = -1;
#pragma omp parallel for reduction(min : least) reduction(max : k)
    for (long i = 0; i < n; i++)
        if (fabs(x[i] - y) < least) least = fabs(x[i] - y), k = i;
    *at = k;
    return least;
}
__attribute__((noinline)) static int numbers(int n) {
    int fine = 1;
    bool none = true;
#pragma omp parallel for reduction(&& : fine)
    for (int i = 0; i < n; i++) fine = fine && isfinite(x[i]);
#pragma omp parallel for reduction(&& : none)
    for (int i = 0; i < n; i++) none = none && !isnan(x[i]);
    return fine * 2 + none;
}
int main(void) {
    static const int sizes[] = {0, 1, 33, 1000};
    for (int k = 0; k < 8; k++) {
        int n = sizes[k % 4];
        long at;
        fill_doubles(x, MOST);
        if (k == 6) x[20] = NAN;
        if (k == 7) x[500] = INFINITY, x[700] = NAN;
        double d = nearest(n, 0.3, &at);
        printf("%d: %d %d %d %u %.9g %ld %d\n", n, any(n, 0), any(n, 1), all(n), bits(n), d, at, numbers(n));
    }
    return 0;
}
