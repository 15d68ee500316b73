// device 27
// unions.c -- members of unions in memory: of one type, of several, in structs, without a name, as bits.
#include "../suite.h"
#include <stdbool.h>
#include <stdint.h>
#define N 900
typedef union { float f; uint32_t u; int32_t i; } Bits;
typedef union { double d; uint64_t q; struct { uint32_t lo, hi; } w; uint8_t b[8]; } Wide;
typedef union { float v[4]; struct { float x, y, z, w; }; struct { float lo[2], hi[2]; } h; } Vec4;
typedef union { float m[16]; float a[4][4]; Vec4 row[4]; } Mat4;
typedef union { uint16_t v; struct { uint16_t b : 5, g : 6, r : 5; } p; } Rgb;
typedef union { float f; struct { unsigned m : 23, e : 8, s : 1; } p; } Ieee;
typedef union { uint32_t u; uint8_t b[4]; uint16_t h[2]; } Bytes;
typedef union { int i; float f; char *p; } Value;
typedef union { struct { char a; short b; } __attribute__((packed)) s; unsigned u; } Packed;
struct tagged { int tag; Value v; };
struct shape { char kind; union { struct { float r; } circle; struct { float w, h; } box; } s; };
struct two {
    short k;
    union { int i; float f; };
    struct { union { double d; uint64_t q; struct { unsigned lo, hi; }; }; char c; };
};
struct sized { int kind; union { int n; float f; } u; };
static Bits bits[N], one;
static struct { int k; Bits b; } in;
static Wide wide[N];
static Vec4 vec[N], vec2[N];
static Mat4 mat;
static Rgb rgb[N];
static Ieee ieee[N];
static Bytes bytes[N];
static struct tagged tagged[N], tagged2[N];
static struct shape shapes[N];
static struct two two[N], two2[N];
static struct sized sized[N];
static Packed packed[N];
static union { bool b; int i; } truth[N];
static float x[N], y[N];
static double d[N];
static int k[N];
static void show(const char *name, const void *p, size_t n) {
    unsigned long h = 5;
    for (size_t i = 0; i < n; i++) h = h * 31 + ((const unsigned char *)p)[i];
    printf("%s x%lx\n", name, h);
}
#define SHOW(x) show(#x, &x, sizeof x)
static Vec4 times(const Mat4 *m, Vec4 v) {
    Vec4 r;
    for (int i = 0; i < 4; i++) {
        r.v[i] = 0;
        for (int j = 0; j < 4; j++) r.v[i] += m->a[i][j] * v.v[j];
    }
    return r;
}
static float dot(const float *a, const float *b) {
    float s = 0;
    for (int j = 0; j < 4; j++) s += a[j] * b[j];
    return s;
}
static void up_to(const struct sized *c, float *out, const float *in) {
#pragma sculpt
    for (int i = 0; i < c->u.n; i++) out[i] = in[i] + c->kind;
}
// c may be one of to, and is.
static void filled(const struct sized *c, struct sized *to, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) to[i].u.f = c->u.n + 1;
}
static void negated(float *a, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) *(unsigned *)&a[i] ^= 0x80000000u;
}
static void cut(double *a, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int64_t t = *(const int64_t *)(a + i);
        t &= ~INT64_C(0xffff);
        a[i] = *(double *)&t;
    }
}
static void before(float *a, const int *b, int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) ((unsigned *)a)[i - 1] = b[i] + (*(unsigned *)&a[i] & 15);
}
int main(void) {
    for (int i = 0; i < N; i++) bits[i].f = 1 + i * 0.375f, wide[i].d = i * 0.25 + 1, rgb[i].v = i * 37;
    for (int i = 0; i < N; i++) bytes[i].u = i * 2654435761u, k[i] = i * 7 % 13;
    for (int i = 0; i < N; i++) x[i] = i * 0.5f - 7, d[i] = i / 3.;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 4; j++) vec[i].v[j] = i % 50 + j;
    for (int j = 0; j < 16; j++) mat.m[j] = j - 4;
#pragma sculpt
    for (int i = 0; i < N; i++) bits[i].u = 0x5f3759df - (bits[i].u >> 1), y[i] = bits[i].f;
    SHOW(bits), SHOW(y);
#pragma sculpt
    for (int i = 0; i < N; i++) wide[i].d += 0.5;
    SHOW(wide);
#pragma sculpt
    for (int i = 0; i < N; i++) wide[i].q ^= 7, wide[i].w.hi += 1 << 20, y[i] = wide[i].d, wide[i].b[6] ^= 1;
    SHOW(wide), SHOW(y);
    double sum = 0;
#pragma sculpt reassociate
    for (int i = 0; i < N; i++) sum += vec[i].y;
    printf("sum %.9g\n", sum);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        vec2[i].x = vec[i].y * 2, vec2[i].y = vec[i].x;
        vec2[i].h.hi[1] = vec[i].z + 1;
    }
    SHOW(vec2);
#pragma sculpt
    for (int i = 0; i < N; i++) vec2[i] = times(&mat, vec[i]);
    SHOW(vec2);
#pragma sculpt
    for (int i = 0; i < N; i++) y[i] = dot(vec[i].v, vec2[i].v), vec2[i].z = y[i];
    SHOW(vec2), SHOW(y);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        int r = rgb[i].p.r, b = rgb[i].p.b;
        rgb[i].p.r = b, rgb[i].p.b = r, rgb[i].p.g /= 2, rgb[i].v ^= 1;
    }
    SHOW(rgb);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        Ieee t;
        t.f = x[i];
        k[i] = (int)t.p.e - 127;
        t.p.e = 127, t.p.s = i & 1;
        ieee[i] = t;
    }
    SHOW(ieee), SHOW(k);
#pragma sculpt
    for (int i = 0; i < N; i++) k[i] = (bytes[i].b[0] * 77 + bytes[i].b[1] * 150 + bytes[i].b[2] * 29) >> 8;
    SHOW(k);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        Bytes t;
        for (int j = 0; j < 4; j++) t.b[j] = i + j;
        bytes[i].h[1] = t.u >> 5;
        for (int j = 3; j >= 0; j--) bytes[i].b[3 - j] ^= t.b[j];
        k[i] = bytes[i].u;
    }
    SHOW(bytes), SHOW(k);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        tagged[i].tag = i & 1;
        if (i & 1) tagged[i].v.f = x[i];
        else tagged[i].v.i = i * 3;
    }
    SHOW(tagged);
#pragma sculpt
    for (int i = 0; i < N; i++) tagged2[i] = tagged[N - 1 - i];
    SHOW(tagged2);
#pragma sculpt
    for (int i = 0; i < N; i++) memset(&tagged2[i], 0, sizeof tagged2[i]), tagged2[i].v.i--;
    SHOW(tagged2);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        struct shape t = {.kind = i % 3 == 0};
        t.s.box.w = i, t.s.box.h = t.kind ? 0 : 3;
        shapes[i] = t;
        y[i] = shapes[i].kind ? 3.f * shapes[i].s.circle.r : shapes[i].s.box.w * shapes[i].s.box.h;
    }
    SHOW(y);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        two[i].k = i, two[i].c = i, two[i].f = x[i], two[i].i ^= 3;
        two[i].d = i + 0.25, two[i].lo += i, two[i].hi -= 1;
    }
    for (int i = 0; i < N; i++) printf("%s%d %d %.9g", i ? ", " : "", two[i].i, two[i].c, two[i].d);
#pragma sculpt
    for (int i = 0; i < N; i++) two2[i] = two[i], two2[i].q++;
    for (int i = 0; i < N; i++) printf("%s%d %d %.17g", i ? ", " : "\n", two2[i].k, two2[i].i, two2[i].d);
#pragma sculpt
    for (int i = 0; i < N; i++) truth[i].b = !truth[i].b;
    SHOW(truth);
#pragma sculpt
    for (int i = 0; i < N; i++) packed[i].s.b += i;
    SHOW(packed);
    struct sized c = {1, {N - 5}};
    up_to(&c, y, x);
    sized[7].u.n = 3;
    filled(sized + 7, sized, N);
    SHOW(y), SHOW(sized);
    negated(x, N), cut(d, N), before(y, k, N);
    SHOW(x), SHOW(d), SHOW(y);
    one.f = 3, in.b.f = 5;
#pragma sculpt
    for (int i = 0; i < N; i++) bits[i].f = (one.i & 0xffff) + 0.5f * (in.b.u >> 20) + i;
    SHOW(bits);
#pragma sculpt
    for (int i = 0; i < N; i++) {
        Bits t = {.f = x[i]}, s = t;
        t.i &= INT32_MAX;
        s = i % 3 ? s : t;
        k[i] = __builtin_popcount(((Bits){.f = s.f}).u);
    }
    SHOW(k);
    Bits last;
#pragma sculpt
    for (int i = 0; i < N; i++) last.f = x[i] * 3, last.i++, y[i] = last.f;
    SHOW(y), SHOW(last);
    return 0;
}
