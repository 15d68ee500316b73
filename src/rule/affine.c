// SPDX-License-Identifier: MIT
// affine.c -- index expressions taken apart: coefficients, extreme values.
#include "rule/loops.h"

// ---- coefficients --------------------------------------------------------------------------------
typedef struct Split {
    Arena *a;
    int n;
    const Sym *const *counter;
    int64_t *coef;
    Type type;    // of the whole
    Expr *base;   // in that type; NULL: 0
} Split;

static bool uses_any(const Split *s, const Expr *x) {
    for (int k = 0; k < s->n; k++)
        if (expr_uses_sym(x, s->counter[k])) return true;
    return false;
}

static bool add_base(Split *s, Expr *x, int64_t by) {
    x = expr_cast(s->a, s->type, x);
    if (by != 1) x = expr_mul(s->a, x, expr_int(s->a, x->type, by));
    s->base = s->base ? expr_add(s->a, s->base, x) : x;
    return true;
}

static bool split(Split *s, Expr *x, int64_t by) {
    if (!uses_any(s, x)) return add_base(s, x, by);
    int64_t c;
    switch (x->kind) {
    case E_SYM:
        for (int k = 0; k < s->n; k++)
            if (s->counter[k] == x->sym && __builtin_add_overflow(s->coef[k], by, &s->coef[k])) return false;
        return true;
    case E_CAST:
        return type_is_int(x->type) && type_size(x->type) >= 4 && type_is_int(x->args[0]->type) &&
               split(s, x->args[0], by);
    case E_OP:
        if (x->op == OP_ADD) return split(s, x->args[0], by) && split(s, x->args[1], by);
        if (x->op == OP_SUB) return split(s, x->args[0], by) && split(s, x->args[1], -by);
        if (x->op == OP_NEG) return split(s, x->args[0], -by);
        if (x->op != OP_MUL) return false;
        for (int k = 0; k < 2; k++)
            if (x->args[k]->kind == E_INT)
                return !__builtin_mul_overflow(by, x->args[k]->i, &c) && split(s, x->args[1 - k], c);
        return false;
    default: return false;
    }
}

bool affine_split(Arena *a, Expr *x, int n, const Sym *const *counter, int64_t *coef, Expr **base) {
    Split s = {a, n, counter, coef, x->type, NULL};
    for (int k = 0; k < n; k++) coef[k] = 0;
    if (!type_is_int(x->type) || !split(&s, x, 1)) return false;
    *base = s.base ? s.base : expr_int(a, x->type, 0);
    return true;
}

// ---- extremes ---------------------------------------------------------------------------------------
typedef struct Span {
    Arena *a;
    const Sym *s;
    Expr *lo, *last;
} Span;

static Expr *extreme(const Span *v, Expr *x, bool greatest);

static Expr *both(const Span *v, Expr *x, bool gx, bool gy) {
    Expr *p = extreme(v, x->args[0], gx), *q = p ? extreme(v, x->args[1], gy) : NULL;
    return q ? expr_op(v->a, x->op, p, q, NULL) : NULL;
}

static Expr *scaled(const Span *v, Expr *x, bool greatest) {
    for (int k = 0; k < 2; k++) {
        if (x->args[k]->kind != E_INT) continue;
        Expr *p = extreme(v, x->args[1 - k], x->args[k]->i >= 0 ? greatest : !greatest);
        return p ? expr_mul(v->a, p, x->args[k]) : NULL;
    }
    return NULL;
}

static Expr *extreme_op(const Span *v, Expr *x, bool greatest) {
    switch (x->op) {
    case OP_ADD: case OP_MIN: case OP_MAX: return both(v, x, greatest, greatest);
    case OP_SUB: return both(v, x, greatest, !greatest);
    case OP_MUL: return scaled(v, x, greatest);
    case OP_NEG: {
        Expr *p = extreme(v, x->args[0], !greatest);
        return p ? expr_op(v->a, OP_NEG, p, NULL, NULL) : NULL;
    }
    case OP_DIV: // rounds towards zero: monotone too
    case OP_FDIV:
        return x->args[1]->kind == E_INT && x->args[1]->i > 0 ? both(v, x, greatest, greatest) : NULL;
    default: return NULL;
    }
}

static Expr *extreme(const Span *v, Expr *x, bool greatest) {
    if (!expr_uses_sym(x, v->s)) return x;
    if (!type_is_int(x->type) || type_size(x->type) < 4) return NULL;
    switch (x->kind) {
    case E_SYM: return expr_cast(v->a, x->type, greatest ? v->last : v->lo);
    case E_CAST: {
        Expr *p = type_is_int(x->args[0]->type) ? extreme(v, x->args[0], greatest) : NULL;
        return p ? expr_cast(v->a, x->type, p) : NULL;
    }
    case E_OP: return extreme_op(v, x, greatest);
    default: return NULL;
    }
}

Expr *expr_extreme(Arena *a, Expr *x, const Sym *s, Expr *lo, Expr *last, bool greatest) {
    Span v = {a, s, lo, last};
    int64_t c;
    Expr *base;
    if (affine_split(a, x, 1, &s, &c, &base)) { // s may occur twice; then this is exact
        if (c == 0) return base;
        Expr *end = expr_cast(a, x->type, (c > 0) == greatest ? last : lo);
        return expr_add(a, base, expr_mul(a, end, expr_int(a, x->type, c)));
    }
    return extreme(&v, x, greatest);
}

void loop_range(Arena *a, const Node *loop, Expr **least, Expr **greatest) {
    Expr *one = expr_int(a, loop->lo->type, 1);
    *least = loop->step > 0 ? loop->lo : expr_add(a, loop->hi, one);
    *greatest = loop->step > 0 ? expr_sub(a, loop->hi, one) : loop->lo;
}

Expr *expr_extreme_in(Arena *a, Expr *x, int n, const Node *const *loops, bool greatest) {
    for (int k = n - 1; k >= 0 && x; k--) {
        Expr *least, *most;
        if (!expr_uses_sym(x, loops[k]->iter)) continue;
        loop_range(a, loops[k], &least, &most);
        x = expr_extreme(a, x, loops[k]->iter, least, most, greatest);
    }
    return x;
}

Expr *comparison_in(Arena *a, const Expr *t, int n, const Node *const *loops, bool all) {
    if (t->kind != E_OP || !type_is_int(t->args[0]->type) || !cond_is_free(t)) return NULL;
    bool less = t->op == OP_LT || t->op == OP_LE, more = t->op == OP_GT || t->op == OP_GE;
    if (!less && !more) return NULL;
    Expr *x = t->args[0], *y = t->args[1];
    for (int k = 0; k < n; k++)
        if (expr_uses_sym(x, loops[k]->iter) && expr_uses_sym(y, loops[k]->iter)) return NULL;
    Expr *p = expr_extreme_in(a, x, n, loops, more != all), *q = expr_extreme_in(a, y, n, loops, less != all);
    return p && q ? expr_op(a, t->op, p, q, NULL) : NULL;
}
