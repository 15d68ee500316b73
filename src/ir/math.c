// SPDX-License-Identifier: MIT
// math.c -- the math functions of C99 that take and give floating values, by name
#include "ir/value.h"
#include <math.h>
#include <string.h>

// Each name once, with its single twin: sqrt and sqrtf.
#define ONE(fn) {#fn, 1, T_F64, .f1 = fn}, {#fn "f", 1, T_F32, .s1 = fn##f}
#define TWO(fn) {#fn, 2, T_F64, .f2 = fn}, {#fn "f", 2, T_F32, .s2 = fn##f}
#define THREE(fn) {#fn, 3, T_F64, .f3 = fn}, {#fn "f", 3, T_F32, .s3 = fn##f}

static const MathFn table[] = {
    ONE(acos), ONE(acosh), ONE(asin), ONE(asinh), ONE(atan), TWO(atan2), ONE(atanh), ONE(cbrt),
    ONE(ceil), TWO(copysign), ONE(cos), ONE(cosh), ONE(erf), ONE(erfc), ONE(exp), ONE(exp2),
    ONE(expm1), ONE(fabs), TWO(fdim), ONE(floor), THREE(fma), TWO(fmax), TWO(fmin), TWO(fmod),
    TWO(hypot), ONE(lgamma), ONE(log), ONE(log10), ONE(log1p), ONE(log2), ONE(logb),
    ONE(nearbyint), TWO(nextafter), TWO(pow), TWO(remainder), ONE(rint), ONE(round), ONE(sin),
    ONE(sinh), ONE(sqrt), ONE(tan), ONE(tanh), ONE(tgamma), ONE(trunc),
};

const MathFn *math_find(const char *name) {
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].name[0] == name[0] && strcmp(table[k].name, name) == 0) return &table[k];
    return NULL;
}

double math_call(const MathFn *fn, const Value *x) {
    if (fn->f1) return fn->f1(x[0].f);
    if (fn->f2) return fn->f2(x[0].f, x[1].f);
    if (fn->f3) return fn->f3(x[0].f, x[1].f, x[2].f);
    if (fn->s1) return fn->s1((float)x[0].f);
    if (fn->s2) return fn->s2((float)x[0].f, (float)x[1].f);
    return fn->s3((float)x[0].f, (float)x[1].f, (float)x[2].f);
}
