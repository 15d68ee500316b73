// device 9
// arms.c -- one element set or updated on every way through conditions.
#include "../suite.h"
#define N 3000
static int t[N], u[N], out[N];
static unsigned char c[N];
static float x[N], y[N];

static int chain(int n) {
    int v = 5;
#pragma omp parallel for reduction(+ : v)
    for (int i = 0; i < n; i++) {
        if (t[i] == 1) v++;
        else if (t[i] == 2) v += 2;
        else v -= 1000;
    }
    return v;
}
static int cases(int n) {
    int v = 0;
#pragma omp parallel for reduction(+ : v)
    for (int i = 0; i < n; i++)
        switch (c[i]) {
        case 'A': v++; break;
        case 'B': v += 2; // falls through
        case 'C': v += 10; break;
        case 'D': v += t[i]; break;
        default: v -= 7;
        }
    return v;
}
static unsigned bits(int n) {
    unsigned m = 1;
#pragma omp parallel for reduction(| : m)
    for (int i = 0; i < n; i++) {
        if (t[i] > 3) m |= 1u << (t[i] & 15);
        if (u[i] < 2) m |= 1u << (16 + (u[i] & 7));
    }
    return m;
}
static long twice(int n) {
    long s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s += t[i];
        if (u[i] & 1) {
            s -= u[i];
            if (c[i] > 'B') s += 3L * c[i];
        }
    }
    return s;
}
static int greatest(int n) {
    int m = -1;
#pragma omp parallel for reduction(max : m)
    for (int i = 0; i < n; i++) {
        if (t[i] > m) m = t[i];
        if (u[i] > m) m = u[i];
    }
    return m;
}
static int wraps(int n) { // a sum of two that would leave int
    int s = -5;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        s += 2000000000 * (i & 1);
        s += 2000000000 * (i & 1);
        s -= 2000000000 * (i & 1);
        s -= 2000000000 * (i & 1);
        if (t[i]) s++;
    }
    return s;
}
static int steps(int n) { // the condition asks for what the update changes
    int v = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (t[i] * 300 > v) v++;
    return v;
}
static int sides(int n) {
    int v = 100;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (u[i] * 50 > v) v += 3;
        else v -= 2;
    }
    return v;
}
static void both(int n) { // what an arm reads exists where it is taken
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (u[i] > 2) out[i] = t[u[i] - 3];
        else out[i] = -u[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (c[i] == 'A') y[i] += x[i] * 0.5f;
        else if (i > 0 && c[i - 1] == 'B') y[i] += x[i - 1];
        else y[i] += 1;
    }
}
static float rounded(int n) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        if (u[i] > 4) s += x[i];
        else s += 2;
    }
    return s;
}
int main(void) {
    for (int i = 0; i < N; i++) {
        t[i] = i * 7 % 5, u[i] = i * 11 % 9, c[i] = (unsigned char)('A' + i * 13 % 6);
        x[i] = (float)(i % 17), y[i] = (float)(i % 3);
    }
    for (int n = 0; n <= N; n += 1000) {
        both(n);
        printf("%d %d\n", steps(n), sides(n));
        printf("%d %d %u %ld %d %d %g\n", chain(n), cases(n), bits(n), twice(n), greatest(n), wraps(n),
               rounded(n));
    }
    int sum = 0;
    for (int i = 0; i < N; i++) sum = sum * 31 + out[i];
    printf("%d\n", sum & 0xffffff);
    show_floats("y", y, N);
}
