// device 7
// wide.c -- counters of 64 bits, in bounds and subscripts that 32 suffice for, and in values that need them.
#include "../suite.h"
enum { N = 70000, M = 300 };
static long a[N], b[N], t[M][M];
static unsigned long u[N];
static double f[N];
static float g[M * M], h[M], x[M];

int main(void) {
    long n = N, m = M, far = 3000000000;
    size_t k = N, rows = M;
    for (long i = 0; i < n; i++) a[i] = i, b[i] = n - 1 - i;
    for (long i = 0; i < m * m; i++) g[i] = (float)(i % 17);
    for (long i = 0; i < m; i++) x[i] = (float)(i % 5);
#pragma sculpt
    for (long i = 0; i < n; i++) a[i] += i * i * 1000 - (n - 2 * i) * far;
#pragma sculpt
    for (size_t i = 0; i < k; i++) u[i] = i * i > far ? i * k : far - i;
#pragma sculpt
    for (long i = n - 1; i >= 3; i -= 2) f[i] = (double)(i * i) / 3 + (float)i;
#pragma sculpt
    for (long i = 0; i < m; i++)
        for (long j = i + 1; j < m && j < far; j++) t[i][j] = (i - j) * far + b[b[j] % m];
#pragma sculpt reassociate
    for (size_t i = 0; i < rows; i++) {
        float s = 0;
        for (size_t j = 0; j < rows; j++) s += g[i * rows + j] * x[j];
        h[i] = s;
    }
#pragma sculpt
    for (long i = 0; i < n; i++)
        if ((size_t)i < k - 7 && i % 3 == 1) b[i] = a[b[i]] ^ (i << 20);
#pragma sculpt
    for (long i = 0; i < n; i++)
        if (f[i] > 5 && i * far / 1000 % 7 == 3) f[i] += 2; // beyond 32 bits behind a test of data
    long sum = 0;
    for (long i = 0; i < n; i++) sum = sum * 31 + a[i] + b[i] + (long)u[i] + (long)f[i];
    for (long i = 0; i < m; i++) {
        sum = sum * 31 + (long)h[i];
        for (long j = 0; j < m; j++) sum = sum * 31 + t[i][j];
    }
    printf("%ld\n", sum);
    return 0;
}
