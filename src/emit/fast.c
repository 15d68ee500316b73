// SPDX-License-Identifier: MIT
// fast.c -- cheaper forms of an expression that a permission allows.
//
//   fast math      exp(-x * s)                  exp2(x * (s * -1.442695)): the factor of a sum's
//                                               terms is often the same for all of them
//   reassociation  fma(a, b, c * d) + e         fma(a, b, fma(c, d, e))
//                  e += fma(a, b, c * d)        e = fma(a, b, fma(c, d, e))
#include "emit/dialect.h"

static bool is_op(const Expr *x, Op op) { return x->kind == E_OP && x->op == op; }

static bool moves(const Expr *x) {
    return x->kind == E_LOAD || x->kind == E_CALL || (x->kind == E_SYM && x->sym->kind == SYM_ITER);
}

// A value that stays the same in all threads?
static bool is_fixed(const Expr *x) { return !expr_any(x, moves); }

// x as sign * factor * rest, factor being fixed. False: it has no such factor.
static bool split(Expr *x, Expr **factor, Expr **rest, int *sign) {
    *sign = 1;
    while (is_op(x, OP_NEG)) x = x->args[0], *sign = -*sign;
    if (!is_op(x, OP_MUL)) return false;
    int k = is_fixed(x->args[0]) ? 0 : 1;
    *factor = x->args[k];
    *rest = x->args[1 - k];
    if (!is_fixed(*factor) || is_fixed(*rest)) return false;
    while (is_op(*rest, OP_NEG)) *rest = (*rest)->args[0], *sign = -*sign;
    return true;
}

static Expr *fast_exp(Arena *a, Expr *x) {
    Expr *factor, *rest;
    int sign;
    if (x->type != T_F32 || !str_eq(x->fn, "expf") || !split(x->args[0], &factor, &rest, &sign)) return x;
    factor = expr_op(a, OP_MUL, factor, expr_float(a, T_F32, sign * 1.44269504088896341), NULL);
    Expr *arg = expr_op(a, OP_MUL, rest, factor, NULL);
    return expr_call(a, "exp2f", T_F32, 1, &arg);
}

static Expr *fast_sum(Arena *a, Expr *x) {
    if (!is_op(x, OP_ADD) || !type_is_float(x->type)) return x;
    for (int k = 0; k < 2; k++) {
        if (expr_is_products(x->args[k])) return expr_products_onto(a, x->args[k], x->args[1 - k]);
    }
    return x;
}

static Expr *fast(Expr *x, void *arg) {
    const Printer *p = arg;
    if (x->kind == E_LOAD) return x;
    x = expr_map(p->a, x, fast, arg);
    if (p->fast_math && x->kind == E_CALL) return fast_exp(p->a, x);
    return p->reassociate && x->kind == E_OP ? fast_sum(p->a, x) : x;
}

Expr *fast_form(Printer *p, Expr *x) { return x && (p->fast_math || p->reassociate) ? fast(x, p) : x; }
