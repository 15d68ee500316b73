// device 2
// hidden.c -- a private copy of a variable of the file, beside functions that use the variable itself.
#include <stdio.h>

enum { N = 500 };
static int x = 9, a[N];
static int same(void) { return x; }
static int other(int i) { return i * 2; }

static void show(const char *what) {
    long s = 0;
    for (int i = 0; i < N; i++) s = s * 31 % 1000003 + a[i];
    printf("%s %ld %d\n", what, s, x);
}

int main(void) {
#pragma omp parallel for private(x)
    for (int i = 0; i < N; i++) {
        x = i;
        a[i] = same() + x * 100;
    }
    show("private");
#pragma omp parallel for firstprivate(x)
    for (int i = 0; i < N; i++) {
        x += i;
        a[i] = same() * 2 + x;
        x -= i;
    }
    show("first");
#pragma omp parallel private(x)
    {
        x = 3;
#pragma omp for
        for (int i = 0; i < N; i++) a[i] = x * 10 + same();
    }
    show("block");
#pragma omp parallel for private(x)
    for (int i = 0; i < N; i++) {
        x = i;
        a[i] = other(x) + x;
    }
    show("other");
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = same() + i;
    show("shared");
    return 0;
}
