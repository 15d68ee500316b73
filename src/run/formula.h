// SPDX-License-Identifier: MIT
// formula.h -- what the nests of a region ask of a call's values, evaluated once a call.
//
//     when n % 256 == 0 && n >= 256     cost 2e-3 * n * m / sms          Nests of one region ask for the
//     when n % 256 == 0 && m >= 128     cost 2e-3 * n * m / sms + 4.0    same things again and again.
//
// All expressions are one graph in which what is equal is there once. What the device tells is a constant of
// it.
#ifndef SCULPT_RUN_FORMULA_H
#define SCULPT_RUN_FORMULA_H
#include "ir/ir.h"

typedef struct Formula Formula;
typedef struct Formulas Formulas;

// What a symbol stands for: a value that each call sets, or one that is always the same.
typedef struct Meaning {
    const Sym *sym;
    int slot;               // < 0: always `value`
    int64_t value;
} Meaning;

Formulas *formulas_new(Arena *a);
Formula *formula_of(Formulas *f, const Expr *x, int n, const Meaning *m);
// A call begins: the values of the slots, whole or floating.
void formulas_begin(Formulas *f, int nslots, const InterpVal *slots);
// As ir_eval_float with these values.
bool formula_real(Formulas *f, Formula *x, double *out);
// As span_value with these values. False: it can't be told, or span_value alone can.
bool formula_whole(Formulas *f, Formula *x, int64_t *out);
#endif
