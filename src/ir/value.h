// SPDX-License-Identifier: MIT
// value.h -- arithmetic on single values as C does it, type by type.
//
// The one place that knows what an operator computes: constant folding, ir_eval and
// the interpreter all use it.
#ifndef SCULPT_VALUE_H
#define SCULPT_VALUE_H
#include "ir/ir.h"

// Integers are kept in i, sign- or zero-extended from their type (a T_U64 as its bits);
// floats in f, a T_F32 already rounded to single.
typedef union Value {
    int64_t i;
    double f;
} Value;

// v as a value of integer type t: wrapped, extended again.
int64_t value_wrap(Type t, int64_t v);
int64_t value_gcd(int64_t x, int64_t y); // the greatest common divisor, at least 0
// Is v (bits, of integer type t) different from zero; likewise for floats.
bool value_true(Type t, Value v);
// op on x[0..arity) of type t (shifts: x[1] of any integer type; OP_SELECT and the
// logical operators are not taken: they choose what to evaluate). False where C defines
// nothing (division by zero, a shift too far); *out is then some harmless value.
bool value_op(Op op, Type t, const Value *x, Value *out);
// Conversion as a C cast. False where C defines nothing (float out of the integer's range).
bool value_cast(Type from, Type to, Value v, Value *out);
// The type of op's result for operands of type t.
Type op_type(Op op, Type t);
bool op_takes_ints(Op op); // operands of integer types alone
bool op_is_even(Op op);    // operands of one type

// A math function, C99's or `ours`: its types and one way to call it (the others are NULL).
typedef struct MathFn {
    const char *name;
    int nargs;
    Type type;                              // of the result
    Type arg[3];                            // T_NONE: any floating type
    double (*f1)(double);                   // all T_F64
    double (*f2)(double, double);
    double (*f3)(double, double, double);
    float (*s1)(float);                     // all T_F32
    float (*s2)(float, float);
    float (*s3)(float, float, float);
    Value (*mixed)(const Value *x);         // other types
    bool ours;                              // none of C's: what forms.c makes of these, or a device's own
} MathFn;
// NULL: no such function with that result.
const MathFn *math_find(const char *name, Type type);
// Do n arguments of these types suit fn?
bool math_takes(const MathFn *fn, int n, Expr *const *args);
Value math_call(const MathFn *fn, const Value *x);
#endif
