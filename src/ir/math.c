// SPDX-License-Identifier: MIT
// math.c -- the functions of C99's <math.h> (and abs) by name, and those of devices
#include "ir/value.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- functions that take or give other than one floating type -----------------------------
#define GIVES_INT(fn) static Value do_##fn(const Value *x) { return (Value){.i = fn(x[0].f)}; }
#define GIVES_INT_S(fn)                                                                            \
    static Value do_##fn(const Value *x) { return (Value){.i = fn((float)x[0].f)}; }
#define SCALES(fn, int_type)                                                                       \
    static Value do_##fn(const Value *x) { return (Value){.f = fn(x[0].f, (int_type)x[1].i)}; }
#define SCALES_S(fn, int_type)                                                                     \
    static Value do_##fn(const Value *x) {                                                         \
        return (Value){.f = fn((float)x[0].f, (int_type)x[1].i)};                                  \
    }

GIVES_INT(ilogb) GIVES_INT(lrint) GIVES_INT(llrint) GIVES_INT(lround) GIVES_INT(llround)
GIVES_INT_S(ilogbf) GIVES_INT_S(lrintf) GIVES_INT_S(llrintf) GIVES_INT_S(lroundf)
GIVES_INT_S(llroundf)
SCALES(ldexp, int) SCALES(scalbn, int) SCALES(scalbln, long)
SCALES_S(ldexpf, int) SCALES_S(scalbnf, int) SCALES_S(scalblnf, long)

static Value do_isnan(const Value *x) { return (Value){.i = isnan(x[0].f) != 0}; }
static Value do_isinf(const Value *x) { return (Value){.i = isinf(x[0].f) != 0}; }
static Value do_isfinite(const Value *x) { return (Value){.i = isfinite(x[0].f) != 0}; }
// A float as IEEE's binary16, of 5 and 10 bits, and back; rounded as the mode of the moment says.
static Value do_half_of_float(const Value *x) {
    enum { FRACTION = 10, BIAS = 15, INFINITE = 0x7C00 };
    double size = fabs(x[0].f);
    int64_t sign = signbit(x[0].f) ? 0x8000 : 0;
    if (isnan(size)) return (Value){.i = sign | INFINITE | 1 << (FRACTION - 1)};
    int exponent = 0;
    frexp(size, &exponent);
    // of subnormal numbers the least
    int least = exponent - 1 < 1 - BIAS || !size ? 1 - BIAS : exponent - 1;
    if (isinf(size) || least > BIAS) return (Value){.i = sign | INFINITE};
    int64_t digits = (int64_t)rint(ldexp(size, FRACTION - least));
    int64_t bits = ((int64_t)(least + BIAS - 1) << FRACTION) + digits; // the leading 1 counts the exponent up
    return (Value){.i = sign | (bits < INFINITE ? bits : INFINITE)};
}
static Value do_float_of_half(const Value *x) {
    int exponent = (int)(x[0].i >> 10 & 31), digits = (int)(x[0].i & 1023);
    double size = exponent == 31 ? (digits ? NAN : INFINITY)
                  : exponent     ? ldexp(1024 + digits, exponent - 25)
                                 : ldexp(digits, -24);
    return (Value){.f = x[0].i & 0x8000 ? -size : size};
}

static Value do_signbit(const Value *x) { return (Value){.i = signbit(x[0].f) != 0}; }

static int64_t absolute(Type t, int64_t v) {
    return value_wrap(t, v < 0 ? (int64_t)-(uint64_t)v : v);
}
static Value do_abs(const Value *x) { return (Value){.i = absolute(T_I32, x[0].i)}; }
static Value do_labs(const Value *x) { return (Value){.i = absolute(T_I64, x[0].i)}; }

// ---- the same bits in another type ------------------------------------------------------------
#define BITS(name, from, member, to, out)                                                          \
    static Value do_##name(const Value *x) {                                                       \
        from a = (from)x[0].member;                                                                \
        to b;                                                                                      \
        memcpy(&b, &a, sizeof b);                                                                  \
        return (Value){.out = b};                                                                  \
    }
BITS(bits_of_float, float, f, uint32_t, i)
BITS(float_of_bits, uint32_t, i, float, f)
BITS(bits_of_double, double, f, int64_t, i) // as the bits of a u64
BITS(double_of_bits, uint64_t, i, double, f)

// ---- two words ----------------------------------------------------------------------------------
static Value do_high_product(const Value *x) {
    return (Value){.i = (int64_t)((unsigned __int128)(uint64_t)x[0].i * (uint64_t)x[1].i >> 64)};
}
// Of hi : lo by m, which is not 0.
static Value do_wide_remainder(const Value *x) {
    unsigned __int128 all = (unsigned __int128)(uint64_t)x[0].i << 64 | (uint64_t)x[1].i;
    return (Value){.i = x[2].i ? (int64_t)(uint64_t)(all % (uint64_t)x[2].i) : 0};
}

// ---- functions of devices: the value that they come near ------------------------------------
static double inverse_root(double x) { return 1 / sqrt(x); }
static float inverse_root_s(float x) { return 1 / sqrtf(x); }
static float divide_s(float x, float y) { return x / y; }

// ---- the table -------------------------------------------------------------------------------
// Each name once, with its single twin: sqrt and sqrtf.
#define ONE(fn)                                                                                    \
    {#fn, 1, T_F64, {T_F64}, .f1 = fn}, {#fn "f", 1, T_F32, {T_F32}, .s1 = fn##f}
#define TWO(fn)                                                                                    \
    {#fn, 2, T_F64, {T_F64, T_F64}, .f2 = fn}, {#fn "f", 2, T_F32, {T_F32, T_F32}, .s2 = fn##f}
#define THREE(fn)                                                                                  \
    {#fn, 3, T_F64, {T_F64, T_F64, T_F64}, .f3 = fn},                                              \
        {#fn "f", 3, T_F32, {T_F32, T_F32, T_F32}, .s3 = fn##f}
#define MIXED(fn, t, ...)                                                                          \
    {#fn, sizeof((Type[]){__VA_ARGS__}) / sizeof(Type), t, {__VA_ARGS__}, .mixed = do_##fn}
#define GIVING(fn, t) MIXED(fn, t, T_F64), MIXED(fn##f, t, T_F32)

#define FAST(fn) {"fast_" #fn "f", 1, T_F32, {T_F32}, .s1 = fn##f, .ours = true}

static const MathFn table[] = {
    ONE(acos), ONE(acosh), ONE(asin), ONE(asinh), ONE(atan), TWO(atan2), ONE(atanh), ONE(cbrt),
    ONE(ceil), TWO(copysign), ONE(cos), ONE(cosh), ONE(erf), ONE(erfc), ONE(exp), ONE(exp2),
    ONE(expm1), ONE(fabs), TWO(fdim), ONE(floor), THREE(fma), TWO(fmax), TWO(fmin), TWO(fmod),
    TWO(hypot), ONE(lgamma), ONE(log), ONE(log10), ONE(log1p), ONE(log2), ONE(logb),
    ONE(nearbyint), TWO(nextafter), TWO(pow), TWO(remainder), ONE(rint), ONE(round), ONE(sin),
    ONE(sinh), ONE(sqrt), ONE(tan), ONE(tanh), ONE(tgamma), ONE(trunc),
    GIVING(ilogb, T_I32), GIVING(lrint, T_I64), GIVING(llrint, T_I64), GIVING(lround, T_I64),
    GIVING(llround, T_I64),
    MIXED(ldexp, T_F64, T_F64, T_I32), MIXED(ldexpf, T_F32, T_F32, T_I32),
    MIXED(scalbn, T_F64, T_F64, T_I32), MIXED(scalbnf, T_F32, T_F32, T_I32),
    MIXED(scalbln, T_F64, T_F64, T_I64), MIXED(scalblnf, T_F32, T_F32, T_I64),
    MIXED(isnan, T_I32, T_NONE), MIXED(isinf, T_I32, T_NONE), MIXED(isfinite, T_I32, T_NONE),
    MIXED(signbit, T_I32, T_NONE),
    {"abs", 1, T_I32, {T_I32}, .mixed = do_abs}, {"labs", 1, T_I64, {T_I64}, .mixed = do_labs},
    {"llabs", 1, T_I64, {T_I64}, .mixed = do_labs},
    {"half_of_float", 1, T_U16, {T_F32}, .mixed = do_half_of_float, .ours = true},
    {"float_of_half", 1, T_F32, {T_U16}, .mixed = do_float_of_half, .ours = true},
    {"bits_of_float", 1, T_U32, {T_F32}, .mixed = do_bits_of_float, .ours = true},
    {"float_of_bits", 1, T_F32, {T_U32}, .mixed = do_float_of_bits, .ours = true},
    {"bits_of_double", 1, T_U64, {T_F64}, .mixed = do_bits_of_double, .ours = true},
    {"double_of_bits", 1, T_F64, {T_U64}, .mixed = do_double_of_bits, .ours = true},
    {"high_product", 2, T_U64, {T_U64, T_U64}, .mixed = do_high_product, .ours = true},
    {"wide_remainder", 3, T_U64, {T_U64, T_U64, T_U64}, .mixed = do_wide_remainder, .ours = true},
    {"rsqrt", 1, T_F64, {T_F64}, .f1 = inverse_root, .ours = true},
    {"rsqrtf", 1, T_F32, {T_F32}, .s1 = inverse_root_s, .ours = true},
    {"fast_divf", 2, T_F32, {T_F32, T_F32}, .s2 = divide_s, .ours = true},
    {"fast_powf", 2, T_F32, {T_F32, T_F32}, .s2 = powf, .ours = true},
    FAST(sqrt), FAST(exp), FAST(exp2), FAST(log), FAST(log2), FAST(log10), FAST(sin), FAST(cos), FAST(tan),
};

const MathFn *math_find(const char *name, Type type) {
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].name[0] == name[0] && strcmp(table[k].name, name) == 0)
            return table[k].type == type ? &table[k] : NULL;
    return NULL;
}

bool math_takes(const MathFn *fn, int n, Expr *const *args) {
    if (n != fn->nargs) return false;
    for (int k = 0; k < n; k++) {
        Type t = args[k]->type;
        if (fn->arg[k] ? t != fn->arg[k] : !type_is_float(t)) return false;
    }
    return true;
}

Value math_call(const MathFn *fn, const Value *x) {
    if (fn->mixed) return fn->mixed(x);
    Value r;
    if (fn->f1) r.f = fn->f1(x[0].f);
    else if (fn->f2) r.f = fn->f2(x[0].f, x[1].f);
    else if (fn->f3) r.f = fn->f3(x[0].f, x[1].f, x[2].f);
    else if (fn->s1) r.f = fn->s1((float)x[0].f);
    else if (fn->s2) r.f = fn->s2((float)x[0].f, (float)x[1].f);
    else r.f = fn->s3((float)x[0].f, (float)x[1].f, (float)x[2].f);
    return r;
}
