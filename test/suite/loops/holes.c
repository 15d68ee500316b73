// device 14
// holes.c -- arrays with pages between their elements that nobody may read or write: subscripts from a table,
// wide strides, squares, rows with guards behind them.
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { PAGE = 4096, INTS = PAGE / 4, PAGES = 4096, N = 1000 };
static int idx[N];
static char *memory;

static void guard(int first, int n) { mprotect(memory + (size_t)first * PAGE, (size_t)n * PAGE, PROT_NONE); }
static int *fresh(void) {
    mprotect(memory, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE);
    return (int *)memory;
}

__attribute__((noinline)) static long table(int *a) {
    long s = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[idx[i]] += i;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[idx[i]];
    return s;
}

__attribute__((noinline)) static long stride(int *a, int n, int wide) {
    long s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i * wide] += i;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += a[i * wide] * 3L;
    return s;
}

__attribute__((noinline)) static long squares(int *a, int n) {
    long s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i * i * INTS] = i;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += a[i * i * INTS] * 3L;
    return s;
}

__attribute__((noinline)) static long ends(int *a, int n) {
    long s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = i, a[60 * INTS + i] = 2 * i;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += a[i] * 3L + a[60 * INTS + i];
    return s;
}

__attribute__((noinline)) static long far_rows(int *a, int n) {
    long s = 0;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) a[i * 12 * INTS + j * INTS] = i;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) s += a[i * 12 * INTS + j * INTS] * 3L;
    return s;
}

// What is left out may be read, but not written.
__attribute__((noinline)) static void left_out(int *a, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i < 2 * INTS || i >= 6 * INTS) a[i] = i;
}

__attribute__((noinline)) static long triangle(int *a, int n) {
    long s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i * 50; j++) a[i * 4 * INTS + j] = i;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i * 50; j++) s += a[i * 4 * INTS + j] * 3L;
    return s;
}

// A few bytes of a gigabyte that nobody else uses: it must not come to be there.
__attribute__((noinline)) static void few(int *a) {
#pragma omp parallel for
    for (int i = 0; i < 64; i++) a[i * (1 << 22)] += i;
}

static int small(void) {
    struct rusage u;
    return !getrusage(RUSAGE_SELF, &u) && u.ru_maxrss < 1 << 19;
}

int main(void) {
    memory = mmap(0, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    int *a = fresh();
    for (int i = 0; i < N; i++) idx[i] = i % 2 ? i : 64 * INTS - 1 - i;
    guard(8, 40), printf("table %ld\n", table(a)), fresh();
    for (int i = 1; i < PAGES; i += 2) guard(i, 1);
    printf("stride %ld\n", stride(a, 50, 2 * INTS)), fresh();
    guard(2, 1), guard(5, 1), printf("squares %ld\n", squares(a, 60)), fresh();
    guard(3, 50), printf("ends %ld\n", ends(a, N)), fresh();
    for (int i = 0; i < 20; i++) guard(12 * i + 11, 1);
    printf("rows %ld\n", far_rows(a, 20)), fresh();
    mprotect(memory + 2 * PAGE, 4 * PAGE, PROT_READ);
    left_out(a, 8 * INTS), printf("left out %d %d\n", a[INTS], a[7 * INTS]), fresh();
    for (int i = 0; i < 40; i++) guard(4 * i + 3, 1);
    printf("triangle %ld\n", triangle(a, 40)), fresh();
    int *far = mmap(0, 1ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (far != MAP_FAILED) few(far), printf("few %d %d\n", far[7 << 22], small());
    return 0;
}
