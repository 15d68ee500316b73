// device 0
// flags: -fwrapv -fpack-struct=2 -mms-bitfields -mlong-double-64
// layouts.c -- members where gcc has them, and signed arithmetic that wraps around because an option says so.
#include "../suite.h"
#define N 100
struct __attribute__((scalar_storage_order("big-endian"))) swapped { int x, y; };
struct { int x, y; } __attribute__((scalar_storage_order("little-endian"))) own[N];
typedef struct { char c; double d; short s; int x; } Mixed;
typedef struct { int a : 3; char b : 4; long long c : 20; char d; int x; } Bits;
typedef struct { char c; long double l; int x; } Long;
static struct swapped other[N]; // stays on the host
static Mixed mixed[N];
static Bits bits[N];
static Long longs[N];
static int v[N];
static unsigned sum_of(const void *p, size_t n) {
    unsigned h = 0;
    for (size_t k = 0; k < n; k++) h = h * 31 + ((const unsigned char *)p)[k];
    return h;
}
int main(void) {
    int factor = 1103515245, total = 0x7fffffff;
#pragma omp parallel for
    for (int i = 0; i < N; i++) own[i].x = i;
#pragma omp parallel for
    for (int i = 0; i < N; i++) other[i].x = i;
#pragma omp parallel for
    for (int i = 0; i < N; i++) mixed[i].x = i ^ 3;
#pragma omp parallel for
    for (int i = 0; i < N; i++) bits[i].x = i ^ 5;
#pragma omp parallel for
    for (int i = 0; i < N; i++) longs[i].x = i ^ 7;
#pragma omp parallel for
    for (int i = 0; i < N; i++) v[i] = i * factor + 12345;
#pragma omp parallel for
    for (int i = 0; i < N; i++) v[i] = v[i] + factor < v[i] ? -v[i] : v[i] * 77777;
#pragma omp parallel for reduction(+ : total) // stays on the host
    for (int i = 0; i < N; i++) total += v[i];
    printf("%x %x %x\n", sum_of(own, sizeof own), sum_of(other, sizeof other), sum_of(mixed, sizeof mixed));
    printf("%x %x %d\n", sum_of(bits, sizeof bits), sum_of(longs, sizeof longs), total);
    show_ints("v", v, N);
}
