// SPDX-License-Identifier: MIT
// span.h -- integer expressions over ranges of values, with every overflow noticed.
//
// Over parameters alone each range is one value and the result is exact: guards and
// footprints are evaluated so. Over counters it is a bound: 32-bit indices are chosen so.
#ifndef SCULPT_RUN_SPAN_H
#define SCULPT_RUN_SPAN_H
#include "ir/ir.h"

typedef struct Span {
    int64_t lo, hi;
} Span;

enum { SPAN_COUNTERS = 64 };
typedef struct SpanEnv {
    int nvals;
    const InterpVal *vals;              // parameters
    int n;
    const Sym *counter[SPAN_COUNTERS];  // what stands around, the innermost last
    Span span[SPAN_COUNTERS];
} SpanEnv;

// False: it overflows, divides by zero, or cannot be told.
bool span_of(const Expr *x, const SpanEnv *e, Span *out);
bool span_value(const Expr *x, const SpanEnv *e, int64_t *out); // exactly one value
bool span_push(SpanEnv *e, const Sym *s, Span v);               // false: too deep
#endif
