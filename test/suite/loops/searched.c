// device 14
// searched.c -- searches that return from their function, over memory of which nobody says how much there is.
#include "../suite.h"
#include <sys/mman.h>

enum { PAGE = 4096, INTS = PAGE / (int)sizeof(int), N = 100003 };
static int seen, table[16], where[N];

__attribute__((noinline)) static int first(const int *a, int n, int key) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] == key) return i;
    return -1;
}
__attribute__((noinline)) static long last(const int *a, long n, int key) {
#pragma sculpt
    for (long i = n - 1; i >= 0; i--)
        if (a[i] == key) return i;
    return -1;
}
__attribute__((noinline)) static _Bool equal(const int *a, const int *b, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            seen = i;
            return 0;
        }
    }
    return 1;
}
__attribute__((noinline)) static double value(const float *a, int n, float over) { // a NaN is never over
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] > over) return a[i] * 2;
    return -1;
}
__attribute__((noinline)) static void note(const int *a, int n, int key) {
    seen = -5;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] > key) {
            seen = a[i] - i;
            return;
        }
    seen = -7;
}
__attribute__((noinline)) static int flag(const int *a, int n, int key) {
    int found = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] == key) {
            found = 1;
            break;
        }
    return found;
}
__attribute__((noinline)) static int sorted(const int *a, int n) {
#pragma sculpt
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i]) return 0;
    return 1;
}
__attribute__((noinline)) static int place(const int *a, int n, int key) {
    int i;
#pragma sculpt
    for (i = 0; i < n && a[i] != key; i++)
        ;
    return i;
}
__attribute__((noinline)) static int walk(const int *a, int i, int n, int key) { // begins where it stands
#pragma sculpt
    while (i < n && a[i] != key) i++;
    return i;
}
static int is_wanted(int v, int key) { return v > 0 && v % 1000 == key; }
__attribute__((noinline)) static int asked(const int *a, int n, int key) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (is_wanted(a[i], key)) return a[i];
    return 0;
}
typedef struct {
    int id;
    float weight;
} Item;
__attribute__((noinline)) static float weight(const Item *items, unsigned n, int id) {
#pragma sculpt
    for (unsigned i = 0; i < n; i++)
        if (items[i].id == id) return items[i].weight;
    return 0;
}
__attribute__((noinline)) static int partner(const int *a, const int *b, int n, int sum) {
    int idx = -1, what = 0;
#pragma sculpt
    for (int i = 0; i < n; i += 2)
        if (a[i] + b[i] == sum) {
            idx = i;
            what = b[i];
            break;
        }
    return idx * 3 + what;
}
// What the condition would find behind the first may be any place, or no divisor: these stay on the host.
__attribute__((noinline)) static int through(int n, int key) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (table[where[i]] == key) return i;
    return -1;
}
__attribute__((noinline)) static int divided(const int *a, int n, int key) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (1000 / a[i] == key) return i;
    return -1;
}
static int at(int i) { return table[where[i]]; }
__attribute__((noinline)) static int called(int n, int key) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (at(i) == key) return i;
    return -1;
}
__attribute__((noinline)) static int count_then(const int *a, int n, int key) { // returns among other work
    int count = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (a[i] == key) return count;
        count += a[i] & 1;
    }
    return -count;
}
__attribute__((noinline)) static int none(const int *a, int n) { // 0 iterations reach no memory
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] < 0) return i;
    return n;
}

int main(void) {
    int *a = malloc(sizeof *a * N), *b = malloc(sizeof *b * N);
    float *f = malloc(sizeof *f * N);
    Item *items = malloc(sizeof *items * N);
    for (int i = 0; i < N; i++) a[i] = b[i] = i * 3 + 1, items[i] = (Item){i * 7, (float)i * 0.5f};
    fill_floats(f, N);
    f[3] = NAN, f[N - 1] = 5, f[N / 2] = 4;
    static const int sizes[] = {0, 1, 31, 32, 33, 1000, N};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k];
        printf("%d %d %d\n", first(a, n, 3 * (n - 1) + 1), first(a, n, 4), first(a, n, 5));
        printf("%ld %ld %ld\n", last(a, n, 1), last(a, n, 3 * (n - 1) + 1), last(a, n, 5));
        printf("%d ", equal(a, b, n)), b[n / 2] ^= 1, printf("%d %d\n", equal(a, b, n), seen), b[n / 2] ^= 1;
        printf("%.4f %.4f\n", value(f, n, 3), value(f, n, 4.5f));
        note(a, n, 3 * n - 90), printf("%d ", seen), note(a, n, 3 * n), printf("%d\n", seen);
        printf("%d %d\n", flag(a, n, 1 + 3 * (n / 3)), flag(a, n, 2));
        printf("%d ", sorted(a, n)), a[n / 2] += 100, printf("%d\n", sorted(a, n)), a[n / 2] -= 100;
        printf("%d %d\n", place(a, n, 1 + 3 * (n / 4)), place(a, n, 2));
        printf("%d %d\n", walk(a, 3, n, 1 + 3 * (n / 4)), walk(a, n / 2, n, 1));
        printf("%d %d\n", asked(a, n, 991), asked(a, n, 5000));
        printf("%.2f %.2f\n", weight(items, (unsigned)n, 7 * (n / 2)), weight(items, (unsigned)n, 8));
        printf("%d\n", partner(a, b, n, 2 * (3 * (n / 4 * 2) + 1)));
        printf("%d\n", count_then(a, n, 1 + 3 * (n / 2))), printf("%d\n", none(a, n));
    }
    for (int i = 0; i < N; i++) where[i] = i < 5000 ? i % 16 : 1 << 28, a[i] = i < 5000 ? 1 + i % 7 : 0;
    for (int i = 0; i < 16; i++) table[i] = i;
    a[4999] = 500;
    printf("%d %d %d\n", through(N, 13), called(N, 14), divided(a, N, 2));
    // The key is in the last page that is there.
    char *memory = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory + 4 * PAGE, 4 * PAGE, PROT_NONE);
    int *p = (int *)memory;
    for (int i = 0; i < 4 * INTS; i++) p[i] = i;
    printf("%d %d\n", first(p, 7 * INTS, 4 * INTS - 1), flag(p, 8 * INTS, 17));
    printf("%d\n", place(p, 8 * INTS, 3 * INTS));
    printf("%d %d\n", first(p, 4 * INTS, -1), none(NULL, 0));
    suite_use();
}
