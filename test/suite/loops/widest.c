// device 6
// widest.c -- least and greatest of 64-bit integers, among them the ends of their types.
#include "../suite.h"
#include <limits.h>
#include <stdint.h>
enum { N = 1000 };
static long long x[N];
static unsigned long long y[N];
static size_t z[N];

static long long ll_greatest(const long long *x, int n) {
    long long m = LLONG_MIN;
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = x[i] > m ? x[i] : m;
    return m;
}
static long long ll_least(const long long *x, int n) {
    long long m = LLONG_MAX;
#pragma omp target teams distribute parallel for reduction(min : m) map(tofrom : m)
    for (int i = 0; i < n; i++)
        if (x[i] < m) m = x[i];
    return m;
}
static unsigned long long ull_greatest(const unsigned long long *x, int n) {
    unsigned long long m = 0;
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = x[i] > m ? x[i] : m;
    return m;
}
static unsigned long long ull_least(const unsigned long long *x, int n) {
    unsigned long long m = ULLONG_MAX;
#pragma omp target teams distribute parallel for reduction(min : m) map(tofrom : m)
    for (int i = 0; i < n; i++)
        if (x[i] < m) m = x[i];
    return m;
}
static size_t size_greatest(const size_t *x, int n) {
    size_t m = 0;
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) m = x[i] > m ? x[i] : m;
    return m;
}
static size_t size_least(const size_t *x, int n) {
    size_t m = SIZE_MAX;
#pragma omp target teams distribute parallel for reduction(min : m) map(tofrom : m)
    for (int i = 0; i < n; i++)
        if (x[i] < m) m = x[i];
    return m;
}

int main(void) {
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < N; i++) {
            unsigned long long v[] = {LLONG_MIN,
                                      LLONG_MAX,
                                      -1ull,
                                      0,
                                      i * 6364136223846793005ull + 1442695040888963407ull,
                                      LLONG_MIN + (unsigned long long)i,
                                      -1ull - i,
                                      i == 700 ? -2ull : -1ull};
            x[i] = (long long)v[k], y[i] = v[k], z[i] = v[k];
        }
        printf("%lld %lld %llu %llu %zu %zu\n", ll_greatest(x, N), ll_least(x, N), ull_greatest(y, N),
               ull_least(y, N), size_greatest(z, N), size_least(z, N));
    }
    suite_use();
}
