// SPDX-License-Identifier: MIT
// linear.h -- integer expressions as sums: Σ coefficient * atom + constant.
//
// An atom is a counter, a parameter, or what is not linear in them, whole (fdiv(p, 16)).
#ifndef SCULPT_RULE_LINEAR_H
#define SCULPT_RULE_LINEAR_H
#include "ir/ir.h"

enum { LINEAR_ATOMS = 32 };
typedef struct Linear {
    int n;
    Expr *atom[LINEAR_ATOMS];
    int64_t coef[LINEAR_ATOMS];   // none is 0
    int64_t c;
} Linear;
bool linear_of(Expr *x, Linear *out);                   // false: too long, or it overflows
bool linear_add(Linear *x, const Linear *y, int64_t by); // x += by * y
bool linear_distance(Expr *x, Expr *y, int64_t *d);      // y - x, where it is a constant
bool linear_apart(Expr *x, Expr *y, int64_t by);         // is y - x a multiple of `by`, whatever is in them?
Expr *linear_expr(Arena *a, Type t, const Linear *x);
Expr *linear_tidy(Arena *a, Expr *x);                    // as such a sum; as it is, where it is none
int64_t linear_coef(const Linear *x, const Sym *s);     // of a counter or parameter
bool linear_uses(const Linear *x, const Sym *s);        // anywhere, inside atoms too
bool loop_falls(Arena *a, const Node *loop);            // is every use of its counter in a subscript n - i?
// A comparison of integers as d >= 0. False: it is none.
bool linear_cond(Expr *cond, Linear *d);
#endif
