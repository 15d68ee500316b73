// device 7
// earliest.c -- the first iteration that fulfils a condition, kept by a value that no counter has.
#include "../suite.h"

enum { N = 3000 };
static int a[N], b[40][50];
static float x[N];

static int by_sign(int n, int what, int first) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (first < 0 && a[i] == what) first = i;
    return first;
}
static int by_value(int n, float than, int first) {
#pragma sculpt
    for (int i = 3; i < n; i++)
        if (first == -1 && x[i] > than) first = i;
    return first;
}
static long wide(int n, int what, long first) {
#pragma sculpt
    for (long i = 0; i < n; i++)
        if (a[i] == what && first <= -1) first = i;
    return first;
}
static int nested(int n, int what, int first) {
#pragma sculpt
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < n; j++)
            if (first < 0 && b[i][j] == what) first = j;
    return first;
}
static int by_remainder(int n, int what, int first) { // of a division that C defines for all values
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (first < 0 && a[i] % 50 == what) first = i;
    return first;
}
// These stay: the mark can come again, or the memory may end behind the first.
static int below(int n, int what, int first) {
#pragma sculpt
    for (int i = -5; i < n; i++)
        if (first < 0 && a[i + 5] == what) first = i;
    return first;
}
static int any_end(const int *p, int n, int first) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (first < 0 && p[i] == 7) first = i;
    return first;
}
static int largest(int n, int first) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (first < 0) first = i;
    return first;
}
static int last(int n, int what) {
    int at = -1;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] == what) at = i;
    return at;
}

int main(void) {
    fill_ints(a, N, 50), fill_ints(&b[0][0], 2000, 300), fill_floats(x, N);
    for (int k = 0; k < 3; k++) {
        int w = 7 * k + 40, f = k == 2 ? 5 : -1;
        printf("%d %d %ld %d\n", by_sign(N, w, f), by_value(N, .5f + .2f * (float)k, f), wide(N, w, f),
               nested(50, w, f));
        printf("%d %d %d %d\n", below(N - 5, w, f), any_end(a, N, f), largest(N, f), last(N, w));
        printf("%d %d\n", by_remainder(N, w % 50, f), by_remainder(N, 77, f));
        printf("%d %d %ld\n", by_sign(0, w, f), by_sign(N, 77, -7), wide(2, w, -3));
    }
    return 0;
}
