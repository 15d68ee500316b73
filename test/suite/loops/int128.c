// device 8
// int128.c -- numbers of 128 bits: products, remainders, shifts, sums with carries, comparisons.
#include "../suite.h"
#include <stdint.h>
enum { N = 700 };
typedef unsigned __int128 u128;
typedef __int128 i128;
static uint64_t a[N], b[N], c[N], carry[N];
static int64_t d[N];
static i128 w[N];
static u128 v[N];
static int k[N];
static void show(const char *name, const void *p, size_t n) {
    unsigned long h = 5;
    for (size_t i = 0; i < n; i++) h = h * 31 + ((const unsigned char *)p)[i];
    printf("%s x%lx\n", name, h);
}
#define SHOW(x) show(#x, &x, sizeof x)
static inline uint64_t high(uint64_t x, uint64_t y) { return (u128)x * y >> 64; }
static inline uint64_t reduced(u128 t, uint64_t n, uint64_t inverse) { // Montgomery's
    uint64_t m = (uint64_t)t * inverse;
    u128 u = t + (u128)m * n;
    uint64_t r = u >> 64;
    return u < t || r >= n ? r - n : r;
}
static uint64_t power(uint64_t x, unsigned e, uint64_t m) {
    uint64_t r = 1;
    x %= m;
    for (int i = 0; i < 12; i++) {
        if (e >> i & 1) r = (u128)r * x % m;
        x = (u128)x * x % m;
    }
    return r;
}
int main(void) {
    const uint64_t n = 0xfffffffffffffc5u;
    uint64_t inverse = 1;
    for (int i = 0; i < N; i++) a[i] = i * 0x9e3779b97f4a7c15u, b[i] = ~a[i] * 3;
    for (int i = 0; i < 6; i++) inverse *= 2 - n * inverse;
    inverse = -inverse;
#pragma sculpt
    for (int i = 0; i < N; i++) c[i] = high(a[i], b[i]);
    SHOW(c);
#pragma sculpt
    for (int i = 0; i < N; i++) d[i] = (i128)(int64_t)a[i] * (int64_t)b[i] >> 64;
    SHOW(d);
#pragma sculpt
    for (int i = 0; i < N; i++) c[i] = reduced((u128)(a[i] % n) * (b[i] % n), n, inverse);
    SHOW(c);
#pragma sculpt
    for (int i = 0; i < N; i++) c[i] = power(a[i], i + 5, i % 3 ? (b[i] >> 1) + 3 : b[i] | 1);
    SHOW(c);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        w[i] = (i128)(int64_t)a[i] * (int64_t)b[i], v[i] = (u128)a[i] << 67 | b[i];
        w[i] -= 7, w[i]++, v[i] >>= 3, v[i] ^= ~(u128)i;
    }
    SHOW(w), SHOW(v);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        i128 x = w[i] >> 5, y = -x;
        if (y < 0) y = ~y;
        k[i] = (x < y) + 2 * (x == w[i]) + 4 * (v[i] >= (u128)b[i]) + 8 * !x + 16 * (x <= -y) + 32 * (x != y);
        d[i] = (int64_t)(y >> 70) + (int64_t)(w[i] << 64 >> 67);
    }
    SHOW(k), SHOW(d);
#pragma sculpt
    for (int i = 0; i < N; i++) carry[i] += (u128)a[i] + b[i] >> 64, v[i] += w[i] & 0xffff, w[i] += v[i];
    SHOW(carry), SHOW(v), SHOW(w);
#pragma sculpt
    for (int i = 0; i < N; i++) c[i] = i & 1 ? (uint64_t)(v[i] - (u128)w[i]) : (uint64_t)(i128)-i;
    SHOW(c);
    i128 sum = 0; // each iteration needs the one before
#pragma sculpt
    for (int i = 0; i < N; i++) sum += w[i];
    SHOW(sum);
    return 0;
}
