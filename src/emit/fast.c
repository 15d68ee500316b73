// SPDX-License-Identifier: MIT
// fast.c -- cheaper forms of an expression that a permission allows.
//
//   fast math      exp(-x * s)                  exp2(x * (s * -1.442695)): the factor of a sum's
//                                               terms is often the same for all of them
//   reassociation  fma(a, b, c * d) + e         fma(a, b, fma(c, d, e))
#include "emit/dialect.h"

static bool is_op(const Expr *x, Op op) { return x->kind == E_OP && x->op == op; }

static void find_moving(const Expr *x, void *found) {
    if (x->kind == E_LOAD || x->kind == E_CALL || (x->kind == E_SYM && x->sym->kind == SYM_ITER))
        *(bool *)found = true;
}

// A value that stays the same in all threads?
static bool is_fixed(const Expr *x) {
    bool moving = false;
    expr_walk(x, find_moving, &moving);
    return !moving;
}

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

// x + e with e at the bottom of the chain of products; NULL: x is none.
static Expr *into_chain(Arena *a, Expr *x, Expr *e) {
    if (is_op(x, OP_MUL)) return expr_op(a, OP_FMA, x->args[0], x->args[1], e);
    if (!is_op(x, OP_FMA)) return NULL;
    Expr *below = into_chain(a, x->args[2], e);
    return below ? expr_op(a, OP_FMA, x->args[0], x->args[1], below) : NULL;
}

static Expr *fast_sum(Arena *a, Expr *x) {
    if (!is_op(x, OP_ADD) || !type_is_float(x->type)) return x;
    for (int k = 0; k < 2; k++) {
        Expr *chain = is_op(x->args[k], OP_FMA) ? into_chain(a, x->args[k], x->args[1 - k]) : NULL;
        if (chain) return chain;
    }
    return x;
}

Expr *fast_form(const Printer *p, Expr *x) {
    if (!x || !x->nargs || x->kind == E_LOAD || (!p->fast_math && !p->reassociate)) return x;
    Arena *a = p->a;
    Expr **to = NEW_N(a, Expr *, x->nargs + 3);
    bool same = true;
    for (int k = 0; k < x->nargs; k++) {
        to[k] = fast_form(p, x->args[k]);
        same = same && to[k] == x->args[k];
    }
    if (!same) {
        if (x->kind == E_CAST) x = expr_cast(a, x->type, to[0]);
        else if (x->kind == E_CALL) x = expr_call(a, x->fn, x->type, x->nargs, to);
        else x = expr_op(a, x->op, to[0], to[1], to[2]);
    }
    if (p->fast_math && x->kind == E_CALL) return fast_exp(a, x);
    return p->reassociate && x->kind == E_OP ? fast_sum(a, x) : x;
}
