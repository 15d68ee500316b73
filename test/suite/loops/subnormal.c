// device 1
// subnormal.c -- numbers near zero, which the program may have taken for zero.
#include "../suite.h"
#if defined __SSE__
#include <xmmintrin.h>
static void flush(int on) { _mm_setcsr((_mm_getcsr() & ~0x8040u) | (on ? 0x8040u : 0)); }
#else
static void flush(int on) { (void)on; }
#endif
enum { N = 1000 };
static float f[N], g[N];
static unsigned bits[N];

int main(void) {
    for (int on = 0; on < 3; on++) {
        for (int i = 0; i < N; i++) f[i] = 1e-38f * (1 + i % 7);
        flush(on & 1);
#pragma sculpt
        for (int i = 0; i < N; i++) g[i] = f[i] * .25f;
        flush(0);
        memcpy(bits, g, sizeof bits);
        int more = 0;
        for (int i = 0; i < N; i++) more += bits[i] != 0;
        printf("%d\n", more);
    }
    return 0;
}
