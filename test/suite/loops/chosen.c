// chosen.c -- the least and the greatest under conditions that stand beside the choice, and of narrower
// types.
#include "../suite.h"

static int narrow(int n, const unsigned char *a, const signed char *b, int *most) {
    int least = 1000;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] < least) least = a[i];
    int m = -1000;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (m <= b[i]) m = b[i];
    *most = m;
    return least;
}
static short shorts(int n, const signed char *b) {
    short m = 500;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (b[i] < m) m = b[i];
    return m;
}
// The first place with a property, as OpenMP's programs look for it.
static int first(int n, const double *a) {
    int at = n;
#pragma omp parallel for reduction(min : at)
    for (int i = 0; i < n; i++)
        if (a[i] > 0.9 && i < at) at = i;
    return at;
}
static int early(int n, int k) { // the choice stands first
    int at = n;
#pragma omp parallel for reduction(min : at)
    for (int i = 0; i < n; i++)
        if (i < at && i % k == 3) at = i;
    return at;
}
static int among(int n, int k, const double *a) { // and between others
    int at = -1;
#pragma omp parallel for reduction(max : at)
    for (int i = 0; i < n; i++)
        if (a[i] > 0.2 && i % k == 3 && at < i && i < n - 5) at = i;
    return at;
}
// What the choice keeps the condition from is not there.
static int guarded(int n, const double *a, int size) {
    int at = size;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (i < at && a[i] > 0.99) at = i;
    return at;
}
// A wider value is no choice of the narrower type: 65536 - 7 is stored as -7.
static short wrapped(int n, const int *w) {
    short m = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (w[i] > m) m = (short)w[i];
    return m;
}

int main(void) {
    enum { N = 3001 };
    static unsigned char u[N];
    static signed char s[N];
    static int w[N];
    static double a[N];
    for (int i = 0; i < N; i++) {
        u[i] = (unsigned char)(40 + i * 7919 % 200), s[i] = (signed char)(i * 104729 % 251 - 125);
        a[i] = i * 7919 % 997 / 997.0, w[i] = i == 1700 ? 65536 - 7 : i % 11;
    }
    for (int n = 0; n <= N; n = n ? n * 3 + 1 : 1) {
        int most, least = narrow(n, u, s, &most);
        printf("%d: %d %d %d %d %d %d", n, least, most, shorts(n, s), first(n, a), early(n, 13),
               among(n, 7, a));
        printf(" %d %d\n", guarded(n, a, n / 2), wrapped(n, w));
    }
    return 0;
}
// device 6
