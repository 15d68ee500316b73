// SPDX-License-Identifier: MIT
// form.h -- an address as a sum, so that a visit need not walk its expressions.
//
//   a[k][16*it + i % 4], rows of 512 bytes    base 0, 512 * k, 64 * it, 4 * (i % 4)
//                                              the last is no counter: it stays an expression
//
// Sums, differences, products with numbers and casts that keep a value are taken apart; what is left over
// is asked of lanes_of. What lanes_of would say of the whole, form_lanes says.
#ifndef SCULPT_MODEL_FORM_H
#define SCULPT_MODEL_FORM_H
#include "model/lanes.h"

enum { FORM_TERMS = 16 };
typedef struct FormTerm {
    const void *key;          // a Sym, or an Array of rank 0 that threads keep for themselves; NULL: rest
    const Expr *rest;
    int64_t factor;
} FormTerm;

typedef struct Form {
    bool told;                // false: it has too many terms
    int64_t base;
    int n;
    FormTerm at[FORM_TERMS];
} Form;

// f + factor * x. e: parameters, which are numbers from now on.
void form_add(const Env *e, Form *f, const Expr *x, int64_t factor);
// The value in all lanes; false: a term of it is unknown, then lanes_of says what is.
bool form_lanes(Env *e, const Form *f, Lanes *out);
// How much further it is when a counter is one more; false: a term that is no counter depends on it.
bool form_slope(const Form *f, const Sym *counter, int64_t *out);
#endif
