// device 27
// types.c -- types that no device has, beside members, views and neighbours of types that each has.
#include "../suite.h"
#include <complex.h>
#include <stdbool.h>
#define N 64
typedef float v4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
typedef double d1 __attribute__((vector_size(8)));
typedef int anywhere __attribute__((aligned(1)));
struct particle { v4 at, speed; int id; };
struct unnamed { int a; union { int i; float f; }; struct { short x, y; }; };
struct bits { unsigned lo : 5, hi : 11; int rest; };
union either { int i; float f; };
struct holds { union either u; int k; };
struct point { float _Complex z; int k; };
struct vec { union { struct { float x, y, z; }; float e[3]; }; };
enum __attribute__((packed)) small { A, B, C };
struct __attribute__((packed)) tight { char c; int i; double d; };
static v4 a[N], b[N], c2[N];
static i4 p[N];
static s8 s[N];
static d1 d[N];
static struct particle q[N];
static struct unnamed an[N], an2[N];
static struct bits bi[N], bi2[N];
static union either us[N], us2[N];
static struct holds wu[N], wu2[N];
static struct point cxs[N];
static float _Complex z[N], z2[N];
static __int128 w[N];
static bool bo[N];
static struct vec ve[N];
static enum small en[N];
static struct tight pk[N];
static float x[N];
static int k[N];
static void show(const char *name, const void *p, size_t n) {
    unsigned long h = 5;
    for (size_t i = 0; i < n; i++) h = h * 31 + ((const unsigned char *)p)[i];
    printf("%s x%lx\n", name, h);
}
#define SHOW(x) show(#x, &x, sizeof x)
int main(void) {
    for (int i = 0; i < N; i++) {
        x[i] = i * 0.5f - 7; k[i] = i * 7 % 13;
        a[i] = (v4){i, 1, 2, i}; b[i] = (v4){1, i, 2, 3}; p[i] = (i4){i, i + 1, 4, 5}; s[i] = (s8){i};
        d[i] = (d1){i};
        bi[i].lo = i; bi[i].hi = i * 31; us[i].i = i; wu[i].u.f = i; w[i] = i; z[i] = i + 2 * I;
    }
#pragma sculpt
    for (int i = 0; i < N; i++) b[i] += a[i];
    SHOW(b);
#pragma sculpt
    for (int i = 0; i < N; i++) { v4 t = a[i]; t *= b[i]; c2[i] = t + 1; }
    SHOW(c2);
#pragma sculpt
    for (int i = 0; i < N; i++) c2[i] = a[i];
    SHOW(c2);
#pragma sculpt
    for (int i = 0; i < N; i++) c2[i][1] += a[i][2] + i;
    SHOW(c2);
#pragma sculpt
    for (int i = 0; i < N; i++) p[i] = p[i] > 3;
    SHOW(p);
#pragma sculpt
    for (int i = 0; i < N; i++) s[i] <<= 1;
    SHOW(s);
#pragma sculpt
    for (int i = 0; i < N; i++) d[i] = d[i] * d[i] - d[i];
    SHOW(d);
#pragma sculpt
    for (int i = 0; i < N; i++) { q[i].at += q[i].speed + x[i]; q[i].id++; }
    SHOW(q);
#pragma sculpt
    for (int i = 0; i < N; i++) q[i].id += k[i];
    SHOW(q);
#pragma sculpt
    for (int i = 0; i < N; i++) q[i] = q[N - 1];
    SHOW(q);
    float *fa = (float *)a;
#pragma sculpt
    for (int i = 0; i < 4 * N; i++) fa[i] += 2;
    SHOW(a);
#pragma sculpt
    for (int i = 0; i < N; i++) { an[i].a = i; an[i].i = k[i]; an[i].x = i; an[i].y = 3; }
    SHOW(an);
#pragma sculpt
    for (int i = 0; i < N; i++) { an[i].f = x[i]; an[i].a += an[i].i; }
    SHOW(an);
#pragma sculpt
    for (int i = 0; i < N; i++) an2[i] = an[i];
    SHOW(an2);
#pragma sculpt
    for (int i = 0; i < N; i++) { bi[i].lo = k[i] + 30; bi[i].hi += k[i]; bi[i].rest = bi[i].lo; }
    SHOW(bi);
#pragma sculpt
    for (int i = 0; i < N; i++) bi2[i] = bi[i];
    SHOW(bi2);
#pragma sculpt
    for (int i = 0; i < N; i++) us2[i] = us[i];
    SHOW(us2);
#pragma sculpt
    for (int i = 0; i < N; i++) us2[i].f = us[i].i;
    SHOW(us2);
#pragma sculpt
    for (int i = 0; i < N; i++) wu2[i] = wu[i];
    SHOW(wu2);
#pragma sculpt
    for (int i = 0; i < N; i++) { wu2[i].k = k[i]; wu2[i].u.i++; }
    SHOW(wu2);
#pragma sculpt
    for (int i = 0; i < N; i++) { struct holds t = wu[i]; t.k = 4; wu2[i] = t; }
    SHOW(wu2);
#pragma sculpt
    for (int i = 0; i < N; i++) { union either t; t.f = x[i]; k[i] ^= t.i; }
    SHOW(k);
#pragma sculpt
    for (int i = 0; i < N; i++) { cxs[i].k = i; cxs[i].z = z[i] * z[i]; }
    SHOW(cxs);
#pragma sculpt
    for (int i = 0; i < N; i++) z2[i] = z[i];
    SHOW(z2);
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] += crealf(z[i]) + cimagf(z[i]);
    SHOW(x);
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] += z[i];
    SHOW(x);
    float *zf = (float *)z;
#pragma sculpt
    for (int i = 0; i < 2 * N; i++) zf[i] *= 2;
    SHOW(z);
#pragma sculpt
    for (int i = 0; i < N; i++) w[i] = w[i] * w[i] + ((__int128)k[i] << 70);
    SHOW(w);
#pragma sculpt
    for (int i = 0; i < N; i++) k[i] = (int)(((__int128)k[i] * 0x7fffffffffffff) >> 50);
    SHOW(k);
#pragma sculpt
    for (int i = 0; i < N; i++) x[i] = (float)((long double)x[i] * 3 / 7);
    SHOW(x);
#pragma sculpt
    for (int i = 0; i < N; i++) { bo[i] = k[i] & 6; bo[i] += 1; }
    SHOW(bo);
#pragma sculpt
    for (int i = 0; i < N; i++) { bo[i] = x[i]; }
    SHOW(bo);
#pragma sculpt
    for (int i = 0; i < N; i++) { bo[i]--; }
    SHOW(bo);
#pragma sculpt
    for (int i = 0; i < N; i++) { bo[i] *= 5; bo[i] |= 8; }
    SHOW(bo);
#pragma sculpt
    for (int i = 0; i < N; i++) { ve[i].x = i; ve[i].e[1] += x[i]; ve[i].z = ve[i].y; }
    SHOW(ve);
#pragma sculpt
    for (int i = 0; i < N; i++) { en[i] = k[i] % 3; }
    SHOW(en);
#pragma sculpt
    for (int i = 0; i < N; i++) { pk[i].c = k[i]; pk[i].i += i; pk[i].d = x[i]; }
    SHOW(pk);
#pragma sculpt
    for (int i = 0; i < N; i++) { *(anywhere *)((char *)pk + 13 * i + 1) += 4; }
    SHOW(pk);
    v4 acc = {0};
#pragma sculpt
    for (int i = 0; i < N; i++) acc += a[i];
    SHOW(acc);
    float sum = 0;
#pragma sculpt
    for (int i = 0; i < N; i++) { v4 t = a[i]; sum += t[0]; }
    SHOW(sum);
#pragma sculpt
    for (int i = 0; i < N; i++) { float *t = (float *)&b[i]; t[2] = i; }
    SHOW(b);
#pragma sculpt
    for (int i = 0; i < N; i++) memcpy(&b[i], &a[i], sizeof(v4));
    SHOW(b);
    suite_use();
    return 0;
}
