// SPDX-License-Identifier: MIT
// reach.c -- between which values an expression is, whatever the region computes.
//
//   t[(c ^ d) & 255]        0 .. 255                    (c ^ d) & 255, whatever c is
//   t[64 * k + h % m]       64 * k .. 64 * k + m - 1    unsigned m, known before the region
//
// Ends: of some values that the host can compute, in 64 bits, the least and the greatest enclose it.
#include "front/normal.h"

enum { MOST_ENDS = 8 };

typedef struct Reach {
    Arena *a;
    ReachKnown *known;
    void *arg;
} Reach;

static bool ends(Reach *r, const Expr *x, ExprVec *out);

static bool put(Reach *r, ExprVec *out, const Expr *x) {
    if (out->n == MOST_ENDS) return false;
    vec_push(r->a, out, expr_cast(r->a, T_I64, (Expr *)x));
    return true;
}

static bool put_range(Reach *r, ExprVec *out, int64_t lo, int64_t hi) {
    return put(r, out, expr_int(r->a, T_I64, lo)) && put(r, out, expr_int(r->a, T_I64, hi));
}

static bool is_within(const Expr *e, Type t) {
    return e->kind == E_INT && e->i >= type_least(t) && e->i <= type_most(t);
}

// Sums, and products by numbers: those of all ends. What may wrap has numbers for ends, which tell.
static bool pairs(Reach *r, const Expr *x, ExprVec *out) {
    ExprVec p = {0}, q = {0};
    if (!type_is_int(x->type) || !ends(r, x->args[0], &p) || !ends(r, x->args[1], &q)) return false;
    for (int j = 0; j < p.n; j++)
        for (int k = 0; k < q.n; k++) {
            bool number = p.at[j]->kind == E_INT || q.at[k]->kind == E_INT;
            const Expr *e = expr_op(r->a, x->op, p.at[j], q.at[k], NULL);
            if (x->op == OP_MUL && !number) return false;
            if (!type_is_signed(x->type) && !is_within(e, x->type)) return false;
            if (!put(r, out, e)) return false;
        }
    return true;
}

// x & y, at most y where that is not negative.
static bool masked(Reach *r, const Expr *x, ExprVec *out) {
    for (int k = 0; k < 2; k++) {
        const Expr *y = x->args[k];
        if (y->kind == E_INT ? y->i >= 0 : !type_is_signed(y->type) && r->known(y, r->arg))
            return put(r, out, expr_int(r->a, T_I64, 0)) && put(r, out, y);
    }
    return false;
}

// x % y, where y is a number, or unsigned and known.
static bool remainder_of(Reach *r, const Expr *x, ExprVec *out) {
    Expr *y = x->args[1], *zero = expr_int(r->a, T_I64, 0);
    if (y->kind == E_INT ? y->i <= 0 : type_is_signed(x->type) || !r->known(y, r->arg)) return false;
    Expr *most = expr_op(r->a, OP_SUB, expr_cast(r->a, T_I64, y), expr_int(r->a, T_I64, 1), NULL);
    bool below = type_is_signed(x->type) && x->op == OP_MOD;
    return put(r, out, below ? expr_op(r->a, OP_SUB, zero, most, NULL) : zero) && put(r, out, most);
}

static bool shifted(Reach *r, const Expr *x, ExprVec *out) {
    const Expr *y = x->args[1];
    bool few = type_is_signed(x->type) || y->kind != E_INT || y->i <= 0 || y->i >= 8 * type_size(x->type);
    int kept = few ? 0 : (int)(8 * type_size(x->type) - y->i);
    return kept && kept <= 32 && put_range(r, out, 0, ((int64_t)1 << kept) - 1);
}

// By a number more than 0, which keeps the order.
static bool divided(Reach *r, const Expr *x, ExprVec *out) {
    ExprVec inner = {0};
    Expr *y = expr_cast(r->a, T_I64, x->args[1]);
    if (y->kind != E_INT || y->i <= 0 || !type_is_int(x->type) || !ends(r, x->args[0], &inner)) return false;
    for (int k = 0; k < inner.n; k++)
        if (!put(r, out, expr_op(r->a, x->op, inner.at[k], y, NULL))) return false;
    return true;
}

// The value stays where the new type holds all of the old one, or the ends are numbers that fit.
static bool cast(Reach *r, const Expr *x, ExprVec *out) {
    int first = out->n;
    const Expr *y = x->args[0];
    bool byte = x->type == T_U8 && type_is_int(y->type);
    if (byte && y->type != T_U8) return put_range(r, out, 0, 255);
    if (!type_is_int(x->type) || !type_is_int(y->type) || !ends(r, y, out)) return false;
    bool alike = type_is_signed(x->type) == type_is_signed(y->type);
    bool wider = type_size(x->type) > type_size(y->type) && (alike || type_is_signed(x->type));
    bool holds = wider || (alike && type_size(x->type) == type_size(y->type));
    for (int k = first; k < out->n && !holds; k++)
        if (!is_within(out->at[k], x->type)) return false;
    return true;
}

static bool ends_of_op(Reach *r, const Expr *x, ExprVec *out) {
    switch (x->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: return pairs(r, x, out);
    case OP_AND: return masked(r, x, out);
    case OP_MOD: case OP_FMOD: return remainder_of(r, x, out);
    case OP_DIV: case OP_FDIV: return divided(r, x, out);
    case OP_SHR: return shifted(r, x, out);
    case OP_SELECT: return ends(r, x->args[1], out) && ends(r, x->args[2], out);
    case OP_MIN: case OP_MAX: return ends(r, x->args[0], out) && ends(r, x->args[1], out);
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
    case OP_LAND: case OP_LOR: case OP_LNOT:
        return put_range(r, out, 0, 1);
    default: return false;
    }
}

static bool ends(Reach *r, const Expr *x, ExprVec *out) {
    if (r->known(x, r->arg)) return put(r, out, x);
    if (x->kind == E_CAST) return cast(r, x, out);
    if (x->kind == E_OP) return ends_of_op(r, x, out);
    return x->kind == E_LOAD && x->type == T_U8 && put_range(r, out, 0, 255);
}

bool reach_ends(Arena *a, const Expr *x, ReachKnown *known, void *arg, ExprVec *out) {
    return ends(&(Reach){a, known, arg}, x, out);
}
