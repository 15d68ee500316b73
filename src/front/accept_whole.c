// SPDX-License-Identifier: MIT
// accept_whole.c -- bounds that are computed in double and are whole numbers all the same.
//
//   t <= floor((double)(n - 1) / (double)32)         becomes  t <= fdiv(n - 1, 32)
//
// Loops that other tools have tiled count like that. As long as every number on the way is below
// 2^52, sums and products are exact in double, and a quotient that isn't whole is further from the
// next whole number than rounding can move it; so integers give the same.
#include "front/accept.h"
#include <math.h>

#define EXACT 0x1p52

// No value of x is further from 0; infinity: not known.
static double size_of(const Expr *x) {
    bool small = type_size(x->type) < 4 || x->type == T_I32 || x->type == T_U32;
    double most = small ? 0x1p32 : INFINITY;
    if (x->kind == E_INT)
        return fabs((double)x->i);
    if (x->kind == E_CAST && type_is_int(x->args[0]->type) && type_is_signed(x->type))
        return fmin(most, size_of(x->args[0]));
    if (x->kind != E_OP || x->type != T_I64)
        return most;
    double l = size_of(x->args[0]), r = x->nargs > 1 ? size_of(x->args[1]) : 0;
    switch (x->op) {
    case OP_NEG: case OP_FDIV: return l;
    case OP_ADD: case OP_SUB: return l + r;
    case OP_MUL: return l * r;
    case OP_MIN: case OP_MAX: return fmax(l, r);
    case OP_SELECT: return fmax(r, size_of(x->args[2]));
    default: return INFINITY;
    }
}

static Expr *exact(Expr *x) {
    return x && size_of(x) < EXACT ? x : NULL;
}

// floor(x / c) and ceil(x / c) of a positive constant c.
static Expr *rounded(Arena *a, const Expr *x) {
    const Expr *q = x->args[0];
    bool up = str_eq(x->fn, "ceil"), divides = q->kind == E_OP && q->op == OP_DIV;
    if (!up && !str_eq(x->fn, "floor"))
        return NULL;
    if (q->kind == E_FLOAT && fabs(q->f) < EXACT)
        return expr_int(a, T_I64, (int64_t)(up ? ceil(q->f) : floor(q->f)));
    Expr *n = accept_whole(a, divides ? q->args[0] : q), *c = divides ? accept_whole(a, q->args[1]) : NULL;
    if (!n || !divides)
        return n;
    if (!c || c->kind != E_INT || c->i <= 0)
        return NULL;
    if (up)
        n = expr_op(a, OP_NEG, n, NULL, NULL);
    n = expr_op(a, OP_FDIV, n, c, NULL);
    return up ? expr_op(a, OP_NEG, n, NULL, NULL) : n;
}

static Expr *operation(Arena *a, const Expr *x) {
    Expr *args[3] = {0};
    for (int k = 0; k < x->nargs; k++) {
        Expr *e = x->args[k];
        if (type_is_int(e->type) && e->kind == E_OP && e->nargs == 2 && e->args[0]->type == T_F64)
            args[k] = operation(a, e); // the condition of a choice
        else
            args[k] = type_is_int(e->type) ? e : accept_whole(a, e);
        if (!args[k])
            return NULL;
    }
    switch (x->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MIN: case OP_MAX: case OP_NEG: case OP_SELECT:
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
        return exact(expr_op(a, x->op, args[0], args[1], args[2]));
    default: return NULL;
    }
}

Expr *accept_whole(Arena *a, const Expr *x) {
    if (x->type != T_F64)
        return NULL;
    switch (x->kind) {
    case E_FLOAT:
        return floor(x->f) == x->f && fabs(x->f) < EXACT ? expr_int(a, T_I64, (int64_t)x->f) : NULL;
    case E_CAST: return type_is_int(x->args[0]->type) ? exact(expr_cast(a, T_I64, x->args[0])) : NULL;
    case E_CALL: return rounded(a, x);
    case E_OP: return operation(a, x);
    default: return NULL;
    }
}
