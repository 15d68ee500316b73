// device 11
// reread.c -- the bits of a number as one of another type.
#include "../suite.h"
#include <stdint.h>

enum { N = 3000 };
static float x[N], y[N];
static double d[N];
static int a[N];
static unsigned u[N];
static uint64_t w[N];

typedef union {
    float f;
    uint32_t u;
    int32_t i;
} Bits;
typedef union {
    double d;
    uint64_t u;
} Wide;
static inline float root(float v) {
    Bits b = {v};
    b.i = 0x5f3759df - (b.i >> 1);
    return b.f * (1.5f - .5f * v * b.f * b.f);
}
static inline unsigned bits(float v) { return ((Bits){.f = v}).u; }

static void unions(void) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) y[i] = root(x[i] * x[i] + 1);
    show_floats("root", y, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) u[i] = bits(x[i]) >> 23 & 255;
    show_ints("exponent", (int *)u, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        Wide v;
        v.d = d[i];
        v.u ^= UINT64_C(1) << 63;
        v.d += 1;
        v.u++;
        d[i] = v.d;
    }
    show_doubles("minus", d, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        Bits b, c = {.i = 5}, t[4];
        b.f = x[i];
        if (b.i < 0) b.f = -b.f;
        c = b;
        y[i] = c.f;
        for (int k = 0; k < 4; k++) t[k].f = x[(i + k) % N];
        u[i] = 0;
        for (int k = 0; k < 4; k++) u[i] += t[k].u;
    }
    show_floats("positive", y, N), show_ints("four", (int *)u, N);
    Bits p;
#pragma omp parallel for private(p)
    for (int i = 0; i < N; i++) p.f = x[i] * 2, u[i] = p.u;
    show_ints("private", (int *)u, N);
}

int main(void) {
    fill_floats(x, N), fill_doubles(d, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        unsigned t;
        memcpy(&t, &x[i], sizeof t);
        u[i] = t >> 23 & 255;
    }
    show_ints("exponent", (int *)u, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) { // the first guess of 1 / sqrt(x)
        float z = x[i] * x[i] + 1, half = 0.5f * z;
        int32_t t;
        memcpy(&t, &z, sizeof t);
        t = 0x5f3759df - (t >> 1);
        memcpy(&z, &t, sizeof z);
        y[i] = z * (1.5f - half * z * z);
    }
    show_floats("root", y, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        uint64_t t;
        double z;
        memcpy(&t, d + i, sizeof t);
        w[i] = t >> 52;
        t ^= UINT64_C(1) << 63;
        __builtin_memcpy(&z, &t, sizeof z);
        d[i] = z;
    }
    show_doubles("minus", d, N);
    for (int i = 0; i < N; i++) a[i] = (int)w[i];
    show_ints("wide", a, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) memcpy(&y[i], &u[i], sizeof(float)), memcpy(&a[i], &x[i], 4);
    show_ints("elements", a, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        float t;
        memcpy(&t, &x[i], sizeof t);
        y[i] = t * 2;
    }
    show_floats("same", y, N);
    unsigned all = 0;
#pragma omp parallel for reduction(^ : all)
    for (int i = 0; i < N; i++) {
        unsigned t;
        memcpy(&t, &x[i], sizeof t);
        all ^= t;
    }
    printf("all %u\n", all);
    unions();
    return 0;
}
