// device 10
// readonly.c -- arrays that a region writes for some sizes or some data alone, and reads always: where
// nothing is written their memory can't be.
#include <stdio.h>
#include <sys/mman.h>

enum { N = 5000 };
static int b[N], mask[N], row[N + 1], key[N];

__attribute__((noinline)) static void by_size(int *a, int n, int m) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (m > 0) a[i] = i;
        b[i] = a[i];
    }
}

__attribute__((noinline)) static void by_data(int *a, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (mask[i]) a[i] = i;
        b[i] = a[i];
    }
}

__attribute__((noinline)) static void inner(int *a, int n, int m) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        b[i] = a[i];
        for (int j = 0; j < m; j++) a[i] += i * j;
    }
}

__attribute__((noinline)) static void rows(int *a, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = row[i]; j < row[i + 1]; j++) a[i] += i * j;
}

__attribute__((noinline)) static void corner(int *a, int n, int m) {
#pragma sculpt
    for (int i = 0; i < n; i++) b[i] = a[i];
#pragma sculpt
    for (int i = 0; i < m; i++) a[n - 1 - i] = b[i];
}

__attribute__((noinline)) static void clip(int *a, int n, int most) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] > most) a[i] = most;
}

__attribute__((noinline)) static void least(int *s, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (key[i] < s[3]) s[3] = key[i];
}

__attribute__((noinline)) static void sum(int *a, int n, int m) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (mask[(i + j) % n]) a[i] += j;
}

// The element that is set may be one of those that say to what.
__attribute__((noinline)) static void ways(int n, int a[n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (a[i][k] + a[k][j] < a[i][j]) a[i][j] = a[i][k] + a[k][j];
#pragma endscop
}

static void tell(const char *name, const int *a) {
    unsigned long s = 0;
    for (int i = 0; i < N; i++) s = s * 7 + (unsigned long)(a[i] + b[i]);
    printf("%s %lu\n", name, s);
}

int main(void) {
    int *a = mmap(0, N * sizeof *a, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (a == MAP_FAILED) return 1;
    for (int i = 0; i < N; i++) a[i] = 3 * i;
    for (int writes = 0; writes < 2; writes++) {
        mprotect(a, N * sizeof *a, writes ? PROT_READ | PROT_WRITE : PROT_READ);
        for (int i = 0; i < N; i++) {
            mask[i] = writes && i % 3 == 0, row[i + 1] = row[i] + writes;
            key[i] = writes ? -i : 1 << 30;
        }
        by_size(a, N, writes), tell("by size", a);
        by_data(a, N), tell("by data", a);
        inner(a, N, 2 * writes), tell("inner", a);
        rows(a, N), tell("rows", a);
        corner(a, N, 9 * writes), tell("corner", a);
        clip(a, N, writes ? 1000 : 3 * N), tell("clip", a);
        least(a, N), tell("least", a);
        sum(a, N, 5), tell("sum", a);
        for (int i = 0; i < N && writes; i++) a[i] = i * 37 % 1009 + 1;
        ways(70, (void *)a), tell("ways", a);
    }
    return 0;
}
