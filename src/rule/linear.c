// SPDX-License-Identifier: MIT
// linear.c -- integer expressions as sums, to compare, add and take them apart.
#include "rule/linear.h"

static bool add_atom(Linear *x, Expr *atom, int64_t by) {
    if (by == 0) return true;
    for (int k = 0; k < x->n; k++) {
        if (!expr_equal(x->atom[k], atom)) continue;
        if (__builtin_add_overflow(x->coef[k], by, &x->coef[k])) return false;
        if (x->coef[k]) return true;
        x->n--;
        for (int i = k; i < x->n; i++) x->atom[i] = x->atom[i + 1], x->coef[i] = x->coef[i + 1];
        return true;
    }
    if (x->n == LINEAR_ATOMS) return false;
    x->atom[x->n] = atom;
    x->coef[x->n++] = by;
    return true;
}

static bool add_expr(Linear *l, Expr *x, int64_t by) {
    int64_t c;
    if (x->kind == E_INT)
        return !__builtin_mul_overflow(by, x->i, &c) && !__builtin_add_overflow(l->c, c, &l->c);
    // Index arithmetic: nothing in it wraps, and a wider type changes no value.
    if (x->kind == E_CAST && type_is_int(x->args[0]->type) && type_size(x->type) >= 4 &&
        type_size(x->args[0]->type) >= 4)
        return add_expr(l, x->args[0], by);
    if (x->kind != E_OP) return add_atom(l, x, by);
    switch (x->op) {
    case OP_ADD: return add_expr(l, x->args[0], by) && add_expr(l, x->args[1], by);
    case OP_SUB: return add_expr(l, x->args[0], by) && add_expr(l, x->args[1], -by);
    case OP_NEG: return add_expr(l, x->args[0], -by);
    case OP_MUL:
        for (int k = 0; k < 2; k++)
            if (x->args[k]->kind == E_INT)
                return !__builtin_mul_overflow(by, x->args[k]->i, &c) && add_expr(l, x->args[1 - k], c);
        return add_atom(l, x, by);
    default: return add_atom(l, x, by);
    }
}

bool linear_of(Expr *x, Linear *out) {
    *out = (Linear){0};
    return type_is_int(x->type) && add_expr(out, x, 1);
}

bool linear_add(Linear *x, const Linear *y, int64_t by) {
    int64_t c;
    for (int k = 0; k < y->n; k++)
        if (__builtin_mul_overflow(y->coef[k], by, &c) || !add_atom(x, y->atom[k], c)) return false;
    return !__builtin_mul_overflow(y->c, by, &c) && !__builtin_add_overflow(x->c, c, &x->c);
}

bool linear_distance(Expr *x, Expr *y, int64_t *d) {
    Linear p, q;
    *d = 0;
    if (expr_equal(x, y)) return true;
    if (!linear_of(x, &p) || !linear_of(y, &q) || !linear_add(&q, &p, -1) || q.n) return false;
    *d = q.c;
    return true;
}

bool linear_apart(Expr *x, Expr *y, int64_t by) {
    Linear d, from;
    bool whole = linear_of(y, &d) && linear_of(x, &from) && linear_add(&d, &from, -1) && d.c % by == 0;
    for (int k = 0; whole && k < d.n; k++) whole = d.coef[k] % by == 0;
    return whole;
}

Expr *linear_expr(Arena *a, Type t, const Linear *x) {
    Expr *sum = NULL;
    for (int k = 0; k < x->n; k++) {
        Expr *atom = expr_cast(a, t, x->atom[k]);
        if (sum && x->coef[k] == -1) sum = expr_sub(a, sum, atom);
        else {
            if (x->coef[k] != 1) atom = expr_mul(a, atom, expr_int(a, t, x->coef[k]));
            sum = sum ? expr_add(a, sum, atom) : atom;
        }
    }
    if (!sum) return expr_int(a, t, x->c);
    if (x->c < 0) return expr_sub(a, sum, expr_int(a, t, -x->c));
    return x->c ? expr_add(a, sum, expr_int(a, t, x->c)) : sum;
}

Expr *linear_tidy(Arena *a, Expr *x) {
    Linear l;
    return linear_of(x, &l) ? linear_expr(a, x->type, &l) : x;
}

int64_t linear_coef(const Linear *x, const Sym *s) {
    for (int k = 0; k < x->n; k++)
        if (x->atom[k]->kind == E_SYM && x->atom[k]->sym == s) return x->coef[k];
    return 0;
}

bool linear_uses(const Linear *x, const Sym *s) {
    for (int k = 0; k < x->n; k++)
        if (expr_uses_sym(x->atom[k], s)) return true;
    return false;
}

bool linear_cond(Expr *cond, Linear *d) {
    if (cond->kind != E_OP || cond->nargs != 2 || !type_is_int(cond->args[0]->type) ||
        type_size(cond->args[0]->type) < 4)
        return false;
    Linear x, y;
    if (!linear_of(cond->args[0], &x) || !linear_of(cond->args[1], &y)) return false;
    bool less = cond->op == OP_LT || cond->op == OP_LE;
    if (!less && cond->op != OP_GT && cond->op != OP_GE) return false;
    *d = less ? y : x;
    if (!linear_add(d, less ? &x : &y, -1)) return false;
    if (cond->op == OP_LT || cond->op == OP_GT) d->c--;
    return true;
}

bool loop_falls(Arena *a, const Node *loop) {
    bool up = false, down = false;
    if (loop->kind != N_FOR || loop->step != 1) return false;
    AccessVec v = tree_accesses(a, loop->body);
    for (int i = 0; i < v.n; i++)
        for (int d = 0; d < v.at[i].array->rank; d++) {
            Linear l;
            if (!expr_uses_sym(v.at[i].sub[d], loop->iter)) continue;
            bool falls = linear_of(v.at[i].sub[d], &l) && linear_coef(&l, loop->iter) < 0;
            down |= falls;
            up |= !falls;
        }
    return down && !up;
}
