// SPDX-License-Identifier: MIT
// value.c -- what operators and casts compute
#include "ir/value.h"
#include <math.h>

int64_t value_gcd(int64_t x, int64_t y) { return y ? value_gcd(y, x % y) : x < 0 ? -x : x; }

int64_t value_wrap(Type t, int64_t v) {
    switch (t) {
    case T_BOOL: return v != 0;
    case T_I8: return (int8_t)v;
    case T_U8: return (uint8_t)v;
    case T_I16: return (int16_t)v;
    case T_U16: return (uint16_t)v;
    case T_I32: return (int32_t)v;
    case T_U32: return (uint32_t)v;
    default: return v;
    }
}

bool value_true(Type t, Value v) { return type_is_float(t) ? v.f != 0 : v.i != 0; }

Type op_type(Op op, Type t) {
    switch (op) {
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
    case OP_LAND: case OP_LOR: case OP_LNOT:
        return T_I32;
    default:
        return t;
    }
}

bool op_takes_ints(Op op) {
    switch (op) {
    case OP_NOT: case OP_MOD: case OP_FDIV: case OP_FMOD: case OP_SHL: case OP_SHR:
    case OP_AND: case OP_OR: case OP_XOR: return true;
    default: return false;
    }
}

bool op_is_even(Op op) { return op != OP_LAND && op != OP_LOR && op != OP_SHL && op != OP_SHR; }

static int64_t add(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }
static int64_t sub(int64_t x, int64_t y) { return (int64_t)((uint64_t)x - (uint64_t)y); }
static int64_t mul(int64_t x, int64_t y) { return (int64_t)((uint64_t)x * (uint64_t)y); }

static int64_t divide(Type t, int64_t x, int64_t y) {
    if (t == T_U64) return (int64_t)((uint64_t)x / (uint64_t)y);
    return y == -1 ? sub(0, x) : x / y;
}

static int64_t remain(Type t, int64_t x, int64_t y) {
    if (t == T_U64) return (int64_t)((uint64_t)x % (uint64_t)y);
    return y == -1 ? 0 : x % y;
}

// Rounded towards minus infinity.
static int64_t divide_down(Type t, int64_t x, int64_t y) {
    int64_t q = divide(t, x, y);
    if (!type_is_signed(t)) return q;
    return remain(t, x, y) != 0 && (x < 0) != (y < 0) ? q - 1 : q;
}

static bool less(Type t, int64_t x, int64_t y) {
    return t == T_U64 ? (uint64_t)x < (uint64_t)y : x < y;
}

static bool shift(Op op, Type t, int64_t x, int64_t by, int64_t *out) {
    int bits = 8 * type_size(t);
    if (by < 0 || by >= bits) return *out = 0, false;
    if (op == OP_SHL) *out = (int64_t)((uint64_t)x << by);
    else *out = type_is_signed(t) ? x >> by : (int64_t)((uint64_t)x >> by);
    return true;
}

static bool int_op(Op op, Type t, int64_t x, int64_t y, int64_t z, int64_t *out) {
    int64_t r = 0;
    switch (op) {
    case OP_SET: r = x; break;
    case OP_NEG: r = sub(0, x); break;
    case OP_NOT: r = ~x; break;
    case OP_LNOT: r = !x; break;
    case OP_ADD: r = add(x, y); break;
    case OP_SUB: r = sub(x, y); break;
    case OP_MUL: r = mul(x, y); break;
    case OP_FMA: r = add(mul(x, y), z); break;
    case OP_DIV: case OP_MOD: case OP_FDIV: case OP_FMOD:
        if (y == 0) return *out = 0, false;
        if (op == OP_DIV) r = divide(t, x, y);
        else if (op == OP_MOD) r = remain(t, x, y);
        else if (op == OP_FDIV) r = divide_down(t, x, y);
        else r = sub(x, mul(y, divide_down(t, x, y)));
        break;
    case OP_MIN: r = less(t, y, x) ? y : x; break;
    case OP_MAX: r = less(t, x, y) ? y : x; break;
    case OP_SHL: case OP_SHR:
        if (!shift(op, t, x, y, &r)) return *out = 0, false;
        break;
    case OP_AND: r = x & y; break;
    case OP_OR: r = x | y; break;
    case OP_XOR: r = x ^ y; break;
    case OP_LT: r = less(t, x, y); break;
    case OP_LE: r = !less(t, y, x); break;
    case OP_GT: r = less(t, y, x); break;
    case OP_GE: r = !less(t, x, y); break;
    case OP_EQ: r = x == y; break;
    case OP_NE: r = x != y; break;
    case OP_LAND: r = x && y; break;
    case OP_LOR: r = x || y; break;
    default: return *out = 0, false;
    }
    *out = value_wrap(op_type(op, t), r);
    return true;
}

// Double arithmetic rounded once more to single is single arithmetic for + - * / (53
// bits are more than twice 24 plus two); fma alone needs its own function.
static bool float_op(Op op, Type t, double x, double y, double z, Value *out) {
    double r;
    switch (op) {
    case OP_SET: r = x; break;
    case OP_NEG: r = -x; break;
    case OP_ADD: r = x + y; break;
    case OP_SUB: r = x - y; break;
    case OP_MUL: r = x * y; break;
    case OP_DIV: r = x / y; break;
    case OP_MIN: r = y < x ? y : x; break;
    case OP_MAX: r = y > x ? y : x; break;
    case OP_FMA: r = t == T_F32 ? fmaf((float)x, (float)y, (float)z) : fma(x, y, z); break;
    case OP_LNOT: return out->i = x == 0, true;
    case OP_LT: return out->i = x < y, true;
    case OP_LE: return out->i = x <= y, true;
    case OP_GT: return out->i = x > y, true;
    case OP_GE: return out->i = x >= y, true;
    case OP_EQ: return out->i = x == y, true;
    case OP_NE: return out->i = x != y, true;
    case OP_LAND: return out->i = x != 0 && y != 0, true;
    case OP_LOR: return out->i = x != 0 || y != 0, true;
    default: return out->f = 0, false;
    }
    out->f = t == T_F32 ? (float)r : r;
    return true;
}

bool value_op(Op op, Type t, const Value *x, Value *out) {
    int n = op_arity(op);
    if (type_is_float(t)) return float_op(op, t, x[0].f, n > 1 ? x[1].f : 0, n > 2 ? x[2].f : 0, out);
    return int_op(op, t, x[0].i, n > 1 ? x[1].i : 0, n > 2 ? x[2].i : 0, &out->i);
}

static double to_float(Type from, Type to, int64_t v) {
    if (from == T_U64) return to == T_F32 ? (float)(uint64_t)v : (double)(uint64_t)v;
    return to == T_F32 ? (float)v : (double)v;
}

// The truncated value lies in [lo, hi) of the integer type; NaN lies nowhere.
static bool to_int(Type to, double v, int64_t *out) {
    static const double two63 = 9223372036854775808.0;
    double whole = trunc(v);
    int bits = 8 * type_size(to);
    double hi = ldexp(1, type_is_signed(to) ? bits - 1 : bits);
    double lo = type_is_signed(to) ? -hi : 0;
    if (!(whole >= lo && whole < hi)) return *out = 0, false;
    *out = whole >= two63 ? (int64_t)(uint64_t)whole : (int64_t)whole;
    return true;
}

bool value_cast(Type from, Type to, Value v, Value *out) {
    if (to == T_BOOL) return out->i = value_true(from, v), true;
    if (type_is_float(from) && type_is_float(to)) out->f = to == T_F32 ? (float)v.f : v.f;
    else if (type_is_float(from)) return to_int(to, v.f, &out->i);
    else if (type_is_float(to)) out->f = to_float(from, to, v.i);
    else out->i = value_wrap(to, v.i);
    return true;
}
