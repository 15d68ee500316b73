// device 10
// packed.c -- bodies written out several times by hand, library functions, mixed types.
#include "loops.h"

static void by_five(void) { // parallel
    float s = 2.0f;
#pragma scop
    for (int i = 0; i < N; i += 5) {
        a[i] += s * b[i];
        a[i + 1] += s * b[i + 1];
        a[i + 2] += s * b[i + 2];
        a[i + 3] += s * b[i + 3];
        a[i + 4] += s * b[i + 4];
    }
#pragma endscop
}
static void by_four_gathered(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i += 4) {
        a[i] += 0.5f * b[ip[i]];
        a[i + 1] += 0.5f * b[ip[i + 1]];
        a[i + 2] += 0.5f * b[ip[i + 2]];
        a[i + 3] += 0.5f * b[ip[i + 3]];
    }
#pragma endscop
}
static void overlapping_pairs(void) { // serial: each turn writes into the next one's places
#pragma sculpt
    for (int i = 0; i < N - 1; i++) {
        a[i] = b[i] + 1.0f;
        a[i + 1] = a[i] * 0.5f;
    }
}
static void functions(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = sinf(b[i]) + expf(-c[i]) * sqrtf(fabsf(d[i])) + powf(fabsf(e[i]) + 1.0f, 1.5f);
#pragma endscop
}
static float twice(float v) { return v + v; }
static float blend(float p, float q, float w) {
    float r = p * (1.0f - w);
    r += q * w;
    return r;
}
static void own_functions(void) { // parallel: inlined
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = blend(twice(b[i]), c[i], 0.25f);
#pragma endscop
}
static void to_ints(void) { // parallel: a conversion towards zero
#pragma scop
    for (int i = 0; i < N; i++)
        ii[i] = (int)(a[i] * 1000.0f) + (int)floorf(b[i] * 10.0f);
#pragma endscop
}
static void from_ints(void) { // parallel
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = (float)ii[i] / 7 + (float)(ii[i] / 7) + (float)(ii[i] % 13);
#pragma endscop
}
static void integers(void) { // parallel: signs of / and %, shifts, bits
#pragma scop
    for (int i = 0; i < N; i++) {
        int v = ii[i] - 500;
        ii[i] = v / 7 * 100 + v % 7 + (v >> 2) + ((v & 15) << 3) - (v ^ 0x55) + ~v + (v < 0) - !v;
    }
#pragma endscop
}
static void wide(void) { // parallel: 64 bits in between
#pragma scop
    for (int i = 0; i < N; i++) {
        long long v = (long long)ii[i] * 3000000000ll;
        ii[i] = (int)(v >> 20) ^ (int)(v % 1000003);
    }
#pragma endscop
}
static void narrow(void) { // parallel: values wrap in 8 and 16 bits
    static unsigned char u8[N];
    static signed char s8[N];
    static short s16[N];
    static unsigned short u16[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        u8[i] = (unsigned char)(ii[i] * 3);
        s8[i] = (signed char)(ii[i] - 500);
        s16[i] = (short)(ii[i] * 77);
        u16[i] = (unsigned short)(u8[i] + s16[i]);
    }
#pragma endscop
    for (int i = 0; i < N; i++) ii[i] = u8[i] + s8[i] * 3 + s16[i] * 5 + u16[i] * 7;
}
static void doubles_between(void) { // parallel: double arithmetic on floats
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = a[i] * 0.1 + b[i] / 3.0;
#pragma endscop
}

int main(void) {
    RUN(by_five), RUN(by_four_gathered), RUN(overlapping_pairs), RUN(functions), RUN(own_functions),
        RUN(to_ints), RUN(from_ints);
    RUN(integers), RUN(wide), RUN(narrow), RUN(doubles_between);
    suite_use();
    return 0;
}
