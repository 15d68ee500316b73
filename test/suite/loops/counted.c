// device 9
// counted.c -- pointers that may lead to a loop's counter: what they read is the count, what they set another
// one.
#include "../suite.h"
enum { N = 40 };
static int a[N], b[N], global;
static _Thread_local int own;
static long far;

static void show(const char *name) {
    long h = 0;
    for (int q = 0; q < N; q++) h = (h * 31 + a[q]) % 1000003, a[q] = 0;
    printf("%s %ld\n", name, h);
}

__attribute__((noinline)) static void by_argument(const int *p, int n) {
#pragma sculpt
    for (global = 0; global < n; global++) a[global] = *p;
}

__attribute__((noinline)) static void by_long(const long *p) {
#pragma sculpt
    for (far = N - 1; far >= 0; far -= 7) a[far] = (int)*p;
}

static void set(int *p, int to) { *p = to; }

int main(void) {
    for (int q = 0; q < N; q++) b[q] = 3 * q;
    by_argument(&global, N), show("the global counter");
    by_argument(&b[5], N), show("another place");
    by_long(&far), show("down");
    {
        int i, *p = &i;
#pragma sculpt
        for (i = 0; i < N; i++) a[i] += *p;
        show("a local counter");
#pragma omp parallel for
        for (i = 0; i < N; i++) a[i] += b[i];
        show("the directive's own");
#pragma sculpt
        for (i = 0; i < N; i++) {
            a[i] = 1;
            if (i == 3) *p = 20;
        }
        show("set by a pointer");
        i = 0;
#pragma sculpt
        while (i < N) {
            int *q = p;
            a[i] = *q + 1;
            i++;
        }
        show("while");
    }
    {
        int j, *p = &j;
#pragma sculpt
        for (int i = 0; i < 4; i++)
            for (j = 0; j < 10; j++) a[10 * i + j] = *p;
        show("an inner counter");
    }
    int *p = &own;
#pragma sculpt
    for (own = 0; own < N; own++) a[own] = *p;
    show("a thread's own counter");
    static int held;
    int *h = &held;
#pragma sculpt
    for (held = 0; held < N; held++) {
        a[held] = held;
        if (held == 20) set(h, 30);
    }
    show("set by a function");
    return 0;
}
