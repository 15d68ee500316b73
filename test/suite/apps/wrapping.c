// device 19
// wrapping.c -- unsigned sums and products whose results become signed: they wrap, and nothing overflows.
#include "../suite.h"
#define N 1000
static int a[N], b[N], h[32], ix[N];
static unsigned u[N];
static long la[N];
static unsigned long ul[N], g[4000];

static void fill(void) {
    for (int i = 0; i < N; i++) {
        a[i] = i * 2000003;
        u[i] = (unsigned)i * 4000003u;
        la[i] = (long)a[i] * (1l << 32);
        ul[i] = ~(unsigned long)i;
        ix[i] = i % 3;
    }
}
// What wrapped is compared with what was before: a compiler that may count on no overflow knows the answer.
static void statements(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int t = a[i];
        t += 0x7fffffffu;
        b[i] = t < a[i];
    }
    show_ints("+=", b, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int t = a[i];
        t -= 0x80000001u;
        b[i] = t > a[i];
    }
    show_ints("-=", b, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int t = a[i];
        t = (unsigned)t + 0x7fffffffu;
        b[i] = t < a[i];
    }
    show_ints("= +", b, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int t = a[i];
        t = 5u - 1u + (unsigned)t + u[i];
        b[i] = t < a[i];
    }
    show_ints("= + +", b, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int t = a[i];
        t *= 2u;
        b[i] = t / 2 == a[i];
    }
    show_ints("*=", b, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int t = a[i];
        t = u[i] * t;
        t *= 3u;
        b[i] = t / 3 == a[i];
    }
    show_ints("= *", b, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        b[i] = a[i];
        b[i] += 0x7fffffffu;
        b[i] = b[i] < a[i];
    }
    show_ints("element", b, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int t = 0;
        for (int k = 0; k <= i % 5; k++) t += 0x60000000u;
        b[i] = t < 0 ? 1 : t >> 28;
    }
    show_ints("inner", b, N);
}
static void longs(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        long t = la[i];
        t += 0x7fffffffffffffffUL;
        b[i] = t < la[i];
    }
    show_ints("long +=", b, N);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        long t = la[i];
        t -= ul[i];
        b[i] = t > la[i];
        t *= 2ul;
        b[i] += t / 2 == la[i];
    }
    show_ints("long -=", b, N);
    long l = 0;
#pragma sculpt
    for (int i = 0; i < N; i++) l -= ul[i] << 20;
    printf("%ld\n", l);
}
static void narrow(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        unsigned short s = (unsigned short)u[i];
        short t = (short)a[i];
        signed char c = (signed char)a[i];
        s *= u[i] | 65521u;
        t *= 3u, t -= 40000u;
        c += 200u;
        b[i] = s / 2 + t + c * 3;
    }
    show_ints("narrow", b, N);
}
static void reductions(void) {
    int s = 0, t = 7, p = 1;
    unsigned short q = 1;
#pragma sculpt
    for (int i = 0; i < N + 1; i++) s += 0x80000000u;
    printf("%d\n", s);
#pragma sculpt
    for (int i = 0; i < N; i++) t += u[i] * 3;
    printf("%d\n", t);
#pragma sculpt
    for (int i = 0; i < N; i++) p *= u[i] | 1;
    printf("%d\n", p);
#pragma omp parallel for reduction(* : q)
    for (int i = 0; i < N; i++) q *= u[i] | 1;
    printf("%d\n", q);
    t = 7;
#pragma sculpt
    for (int i = 0; i < 99; i++)
        for (int j = 19; j >= (i & 7); j--) {
            if (ix[j]) t += 0x80000000u;
            else g[i * 40 + j * 2] = i;
        }
    printf("%d\n", t);
#pragma sculpt
    for (int i = 0; i < N; i++) h[(i * 7) % 32] -= 0x70000001u;
    show_ints("bins", h, 32);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        h[u[i] % 32] += 0x60000001u;
    }
    show_ints("atomic", h, 32);
    // the order of a parallel sum may leave int where the program's does not
    s = 0;
#pragma sculpt
    for (int i = 0; i < N; i++) s += i & 1 ? -2147483647 : 2147483647;
    printf("%d\n", s);
}
int main(void) {
    fill();
    statements();
    longs();
    narrow();
    reductions();
    return 0;
}
