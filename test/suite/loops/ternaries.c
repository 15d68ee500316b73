// device 7
// ternaries.c -- the greatest or least with its place, each chosen by an expression of its own.
#include "../suite.h"
#include <stdbool.h>

enum { N = 2000 };
static double x[N];
static int a[N];
static double kept; // the value beside the place

static int least(int n) {
    int k = 0;
    double m = x[0];
#pragma sculpt
    for (int i = 1; i < n; i++) {
        k = x[i] < m ? i : k;
        m = x[i] < m ? x[i] : m;
    }
    kept = m;
    return k;
}
static int latest(int n) { // of equal values the last, by a local
    int k = 0;
    double m = x[0];
#pragma sculpt
    for (int i = 1; i < n; i++) {
        bool better = x[i] <= m;
        k = better ? i : k;
        m = better ? x[i] : m;
    }
    kept = m;
    return k;
}
static int denied(int n) { // takes a NaN
    int k = -1;
    double m = -1e30;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        const double v = fabs(x[i]);
        k = m >= v ? k : i;
        m = m >= v ? m : v;
    }
    kept = m;
    return k;
}
static int conditions(int n) {
    int k = -1, flag = 0;
    double m = -1e30;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int c = x[i] > m;
        if (c) k = 2 * i;
        flag = c ? 5 : flag;
        if (c) m = x[i];
    }
    kept = m + flag;
    return k;
}
static int integers(int n) {
    int k = -1, m = -5000;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        k = a[i] >= m ? i : k;
        m = a[i] >= m ? a[i] : m;
    }
    kept = m;
    return k;
}
static int whole(int n) {
    int k = -1, m = 5000;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        bool stays = m <= a[i];
        k = stays ? k : i;
        m = stays ? m : a[i];
    }
    kept = m;
    return k;
}
static int guarded(int n) {
    int k = -1;
    double m = 1e30;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        bool c = a[i] % 3 == 1 && x[i] < m;
        k = c ? i : k;
        m = c ? x[i] : m;
    }
    kept = m;
    return k;
}
// These are not by one condition.
static int behind(int n) { // the value is chosen first, so the place never moves
    int k = 0;
    double m = x[0];
#pragma sculpt
    for (int i = 1; i < n; i++) {
        m = x[i] < m ? x[i] : m;
        k = x[i] < m ? i : k;
    }
    kept = m;
    return k;
}
static int others(int n) {
    int k = 0;
    double m = x[0];
#pragma sculpt
    for (int i = 1; i < n; i++) {
        k = x[i] <= m ? i : k;
        m = x[i] < m ? x[i] : m;
    }
    kept = m;
    return k;
}
static int shifted(int n) { // asked before the value changes, chosen by the negation
    int k = 0;
    double m = x[0];
#pragma sculpt
    for (int i = 1; i < n; i++) {
        bool c = x[i] < m;
        k = c ? k : i;
        m = c ? x[i] : m;
    }
    kept = m;
    return k;
}
static void all(const char *name) {
    printf("%s\n", name);
    for (int n = 1; n <= N; n = n == 1 ? 2 : n == 2 ? N : n + 1) {
        int (*const f[])(int) = {least, latest,  denied, conditions, integers,
                                 whole, guarded, behind, others,     shifted};
        for (int k = 0; k < 10; k++) {
            int at = f[k](n);
            printf("%d %d %g %d\n", k, at, isnan(kept) ? 0 : kept, !isnan(kept) && signbit(kept));
        }
    }
}
int main(void) {
    for (int i = 0; i < N; i++) x[i] = (i * 37) % 101 - 50, a[i] = (i * 7919) % 1013;
    all("numbers");
    x[500] = x[N - 1] = NAN, x[900] = 1000;
    all("some are none");
    x[0] = NAN;
    all("the first is none");
    for (int i = 0; i < N; i++) x[i] = i & 1 ? -0.0 : 0.0;
    all("zeros");
    for (int i = 0; i < N; i++) x[i] = i & 1 ? 0.0 : -0.0;
    all("zeros, turned");
    for (int i = 0; i < N; i++) x[i] = NAN;
    all("none");
    suite_use();
}
