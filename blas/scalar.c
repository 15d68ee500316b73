// SPDX-License-Identifier: MIT
// scalar.c -- plane rotations of two numbers, and |re| + |im|: a few operations, on the processor.
// rotg scales as E. Anderson, "Safe scaling in the level 1 BLAS" (TOMS 44, 2017); rotmg is the modified
// rotation of Lawson, Hanson, Kincaid and Krogh (TOMS 5, 1979).
#include "cblas.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

#define ROTG(T, name, least, abs, root, sign)                                                                \
    void cblas_##name(T *a, T *b, T *c, T *s) {                                                              \
        T x = abs(*a), y = abs(*b);                                                                          \
        if (y == 0) {                                                                                        \
            *c = 1, *s = 0, *b = 0;                                                                          \
        } else if (x == 0) {                                                                                 \
            *c = 0, *s = 1, *a = *b, *b = 1;                                                                 \
        } else {                                                                                             \
            T scale = x > y ? x : y;                                                                         \
            scale = scale < least ? least : scale > 1 / least ? 1 / least : scale;                           \
            T p = *a / scale, q = *b / scale, r = sign(scale * root(p * p + q * q), x > y ? *a : *b);        \
            *c = *a / r, *s = *b / r, *a = r;                                                                \
            *b = x > y ? *s : *c != 0 ? 1 / *c : 1;                                                          \
        }                                                                                                    \
    }                                                                                                        \
    void name##_(T *a, T *b, T *c, T *s) { cblas_##name(a, b, c, s); }

ROTG(float, srotg, FLT_MIN, fabsf, sqrtf, copysignf)
ROTG(double, drotg, DBL_MIN, fabs, sqrt, copysign)

enum { GAMMA = 4096 };

typedef struct Rotation { // of (x1, x2), whose weights are d1 and d2
    double d1, d2, x1, h11, h12, h21, h22;
    int flag; // which of h stand for themselves: -1 all, 0 those off the diagonal, 1 those on it, -2 none
} Rotation;

static void spell_out(Rotation *r) {
    if (r->flag == 0) r->h11 = r->h22 = 1;
    if (r->flag == 1) r->h21 = -1, r->h12 = 1;
    r->flag = -1;
}

// Brings d into [1 / GAMMA^2, GAMMA^2]; what it weighs, and a row of h, the other way.
static void rescale(Rotation *r, double *d, double *x, double *p, double *q) {
    const double square = (double)GAMMA * GAMMA;
    while (*d != 0 && isfinite(*d) && (fabs(*d) <= 1 / square || fabs(*d) >= square)) {
        spell_out(r);
        double by = fabs(*d) <= 1 / square ? GAMMA : 1.0 / GAMMA;
        *d *= by * by;
        *x /= by, *p /= by, *q /= by;
    }
}

static void modified(Rotation *r, double y1) {
    double p2 = r->d2 * y1, p1 = r->d1 * r->x1, q2 = p2 * y1, q1 = p1 * r->x1, unused = 0;
    bool is_lost = r->d1 < 0;
    if (!is_lost && p2 == 0) {
        r->flag = -2;
        return;
    }
    if (!is_lost && fabs(q1) > fabs(q2)) {
        r->flag = 0;
        r->h21 = -y1 / r->x1, r->h12 = p2 / p1;
        double u = 1 - r->h12 * r->h21;
        is_lost = u <= 0;
        r->d1 /= u, r->d2 /= u, r->x1 *= u;
    } else if (!is_lost) {
        is_lost = q2 < 0;
        r->flag = 1;
        r->h11 = p1 / p2, r->h22 = r->x1 / y1;
        double u = 1 + r->h11 * r->h22, d = r->d2 / u;
        r->d2 = r->d1 / u, r->d1 = d, r->x1 = y1 * u;
    }
    if (is_lost) {
        *r = (Rotation){.flag = -1};
        return;
    }
    rescale(r, &r->d1, &r->x1, &r->h11, &r->h12);
    rescale(r, &r->d2, &unused, &r->h21, &r->h22);
}

#define ROTMG(T, name)                                                                                       \
    void cblas_##name(T *d1, T *d2, T *x1, T y1, T *param) {                                                 \
        Rotation r = {.d1 = *d1, .d2 = *d2, .x1 = *x1};                                                      \
        modified(&r, y1);                                                                                    \
        param[0] = r.flag;                                                                                   \
        if (r.flag == -2) return;                                                                            \
        *d1 = r.d1, *d2 = r.d2, *x1 = r.x1;                                                                  \
        if (r.flag != 0) param[1] = r.h11, param[4] = r.h22;                                                 \
        if (r.flag != 1) param[2] = r.h21, param[3] = r.h12;                                                 \
    }                                                                                                        \
    void name##_(T *d1, T *d2, T *x1, const T *y1, T *param) { cblas_##name(d1, d2, x1, *y1, param); }

ROTMG(float, srotmg)
ROTMG(double, drotmg)

#define CABS1(T, name, abs)                                                                                  \
    T cblas_##name(const void *z) { return abs(((const T *)z)[0]) + abs(((const T *)z)[1]); }                \
    T name##_(const void *z) { return cblas_##name(z); }                                                     \
    void name##sub_(const void *z, T *result) { *result = cblas_##name(z); }

CABS1(float, scabs1, fabsf)
CABS1(double, dcabs1, fabs)
