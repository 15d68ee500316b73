// idle.c -- loops that may not run at all: elements that they would update need not exist.
// device 3
#include "../suite.h"

static void one(int n, int pitch, int *a, const int *b) {
#pragma sculpt
    for (int i = 0; i < n; i++) a[7 * pitch + 3] += b[i];
}
static void two(int n, int from, int *a, const int *b) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (i > from) a[5] += b[i] & 7;
        a[5] += b[i];
    }
}
static void inner(int n, int m, int *a, const int *b) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[9] |= b[i + j];
}
int main(void) {
    static int a[100], b[200];
    fill_ints(a, 100, 50), fill_ints(b, 200, 1000);
    one(0, 1 << 20, a, b), one(50, 10, a, b);
    two(0, 3, a, b), two(40, 1000, a, b), two(40, 3, a, b);
    inner(30, 0, a, b), inner(0, 30, a, b), inner(20, 30, a, b);
    show_ints("a", a, 100);
    return 0;
}
