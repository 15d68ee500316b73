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

// A C99 math function on values of type t (T_F32 or T_F64). NULL fields: not that form.
typedef struct MathFn {
    const char *name;
    int nargs;
    Type type;                              // of arguments and result
    double (*f1)(double);
    double (*f2)(double, double);
    double (*f3)(double, double, double);
    float (*s1)(float);
    float (*s2)(float, float);
    float (*s3)(float, float, float);
} MathFn;
// NULL: no such function. The table covers the functions of <math.h> that take and give
// floating values.
const MathFn *math_find(const char *name);
double math_call(const MathFn *fn, const Value *x);
#endif
