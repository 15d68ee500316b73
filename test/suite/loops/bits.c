// device 10
// bits.c -- gcc's functions of bits, what only hints, small constant tables of inlined functions.
#include "../suite.h"
#include <stdatomic.h>
#define N 5000
static unsigned u[N];
static unsigned long w[N];
static int r[N];
static double d[N];

static void counts(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        r[i] = __builtin_popcount(u[i]) + 100 * __builtin_popcountl(w[i]) +
               10000 * __builtin_popcountll((int)u[i]);
}
static void leading(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        r[i] = __builtin_clz(u[i]) + 100 * __builtin_clzl(w[i]) + 10000 * __builtin_clzll(w[i]);
}
static void trailing(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        r[i] = __builtin_ctz(u[i]) + 100 * __builtin_ctzl(w[i]) + 10000 * __builtin_ctzll(w[i]);
}
static void first(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        r[i] = __builtin_ffs((int)u[i] - 1) + 100 * __builtin_ffsl((long)(w[i] & ~1ul) % 5);
}
static void odd(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) r[i] = __builtin_parity(u[i]) + 2 * __builtin_parityl(w[i]);
}
static void likely(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) r[i] = __builtin_expect(u[i] > 1u << 20, 1) ? 1 : (int)__builtin_expect(i, 7);
}
static inline double weight(int i) {
    static const double of[4] = {1, 2.5, -4};
    return of[i & 3];
}
static inline int step(int i) {
    static const short of[2][2] = {{1, -2}, {3, 4}};
    static const int more = 7;
    return of[i & 1][i / 2 & 1] + more;
}
static void tables(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) d[i] = weight(i) * step(i);
}
static void swapped(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        r[i] = (int)(__builtin_bswap32(u[i]) ^ __builtin_bswap64(w[i]) >> 7) - __builtin_bswap16(u[i]);
}
#define SIZE(x) _Generic((x), float : fabsf, double : fabs)(x)
static void selected(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) d[i] = SIZE(d[i]) + SIZE((float)i - 100) + _Generic(i, int : 2, double : 2.5);
}
// Operations on atomic objects keep the loop that holds them on the host, and no other.
static _Atomic int hits;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static void atomics(int n) {
    atomic_flag own = ATOMIC_FLAG_INIT;
    printf("%d%d\n", atomic_flag_test_and_set(&own), atomic_flag_test_and_set(&busy));
#pragma omp parallel for
    for (int i = 0; i < n; i++) d[i] *= 2;
#pragma omp parallel for
    for (int i = 0; i < n; i++) __atomic_fetch_add(&hits, r[i] & 1, __ATOMIC_RELAXED);
    printf("%d\n",
           __atomic_exchange_n(&hits, 3, __ATOMIC_SEQ_CST) + __atomic_load_n(&hits, __ATOMIC_SEQ_CST));
}

int main(void) {
    for (int i = 0; i < N; i++)
        u[i] = (i + 1) * 2654435761u >> i % 32, w[i] = (i + 1) * 0x9E3779B97F4A7C15ul >> i % 64;
    for (int i = 0; i < N; i++) u[i] += !u[i], w[i] += !w[i];
    u[7] = 1u << 31, w[7] = 1ul << 63, w[8] = u[8] = 1, w[9] = -1ul, u[9] = -1u;
    void (*const all[])(int) = {counts, leading, trailing, first, odd, likely, swapped};
    for (int k = 0; k < 7; k++) {
        all[k](N);
        show_ints("bits", r, N);
    }
    tables(N), selected(N), atomics(N);
    show_doubles("tables", d, N);
    suite_use();
}
