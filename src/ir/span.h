// SPDX-License-Identifier: MIT
// span.h -- integer expressions over ranges of values, with every overflow noticed.
//
// Over parameters alone each range is one value and the result is exact: guards and
// footprints are evaluated so. Over counters it is a bound: 32-bit indices are chosen so.
// Where an operator may leave its type, `over` is set, unless data from memory is in it. The lower
// end of unsigned types is no such place: that nothing falls below zero is a condition of the nest.
// Nor are the operands of x & 255, whose low bits are the same if they wrap around.
#ifndef SCULPT_IR_SPAN_H
#define SCULPT_IR_SPAN_H
#include "ir/ir.h"

typedef struct Span {
    int64_t lo, hi;
    bool data;                          // memory has to do with it: the true bounds may be closer
} Span;

enum { SPAN_COUNTERS = 64 };
typedef struct SpanEnv {
    int nvals;
    const InterpVal *vals;              // parameters
    int n;
    const Sym *counter[SPAN_COUNTERS];  // what stands around, the innermost last
    Span span[SPAN_COUNTERS];
    bool low_bits;                      // more are not asked for where the walk stands
    bool over;                          // a value may be outside of its type
    // What is found out is to go for all values in the ranges: `over` is set where only one of them may
    // decide.
    bool strict;
    // Is told each expression whose range is asked for on the way, and whether it is known; NULL: nobody is.
    void (*seen)(const Expr *x, bool known, Span s, void *arg);
    void *arg;
} SpanEnv;

// False: it overflows, divides by zero, or cannot be told.
bool span_of(const Expr *x, SpanEnv *e, Span *out);
bool span_value(const Expr *x, SpanEnv *e, int64_t *out); // exactly one value
bool span_push(SpanEnv *e, const Sym *s, Span v);               // false: too deep
#endif
