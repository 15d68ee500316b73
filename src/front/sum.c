// SPDX-License-Identifier: MIT
// sum.c -- integer polynomials: (i+1)*(n+2) + j becomes i*n + 2*i + n + j + 2.
#include "front/normal.h"
#include <string.h>

enum { MAX_TERMS = 64, MAX_FACTORS = 8 };

// Deg-lex order; 0: the same factors.
static int compare(const Term *x, const Term *y) {
    if (x->n != y->n) return y->n - x->n;
    for (int k = 0; k < x->n; k++)
        if (x->f[k] != y->f[k]) return x->f[k] - y->f[k];
    return 0;
}

Sum *sum_int(Sums *k, int64_t v) {
    Sum *s = NEW(k->a, Sum);
    if (!v) return s;
    s->n = 1;
    s->t = NEW(k->a, Term);
    s->t[0].c = v;
    return s;
}

Sum *sum_atom(Sums *k, const Expr *x) {
    int at = 0;
    while (at < k->atoms.n && !expr_equal(k->atoms.at[at], x)) at++;
    if (at == k->atoms.n) vec_push(k->a, &k->atoms, (Expr *)x);
    Sum *s = sum_int(k, 1);
    s->t[0].n = 1;
    s->t[0].f = NEW(k->a, int);
    s->t[0].f[0] = at;
    return s;
}

Sum *sum_add(Sums *k, const Sum *x, const Sum *y, int64_t scale) {
    if (!x || !y) return NULL;
    Sum *s = NEW(k->a, Sum);
    s->t = NEW_N(k->a, Term, x->n + y->n);
    for (int i = 0, j = 0; i < x->n || j < y->n;) {
        int order = i == x->n ? 1 : j == y->n ? -1 : compare(&x->t[i], &y->t[j]);
        Term t = order <= 0 ? x->t[i++] : y->t[j];
        int64_t more = 0;
        if (order >= 0 && __builtin_mul_overflow(y->t[j++].c, scale, &more)) return NULL;
        if (order > 0) t.c = more;
        else if (order == 0 && __builtin_add_overflow(t.c, more, &t.c)) return NULL;
        if (t.c) s->t[s->n++] = t;
    }
    return s->n <= MAX_TERMS ? s : NULL;
}

static Sum *term_mul(Sums *k, const Term *x, const Term *y) {
    Sum *s = NEW(k->a, Sum);
    s->n = 1;
    s->t = NEW(k->a, Term);
    Term *t = &s->t[0];
    if (__builtin_mul_overflow(x->c, y->c, &t->c) || x->n + y->n > MAX_FACTORS) return NULL;
    t->f = NEW_N(k->a, int, x->n + y->n);
    for (int i = 0, j = 0; i < x->n || j < y->n;) {
        bool first = j == y->n || (i < x->n && x->f[i] <= y->f[j]);
        t->f[t->n++] = first ? x->f[i++] : y->f[j++];
    }
    return s;
}

Sum *sum_mul(Sums *k, const Sum *x, const Sum *y) {
    if (!x || !y) return NULL;
    Sum *s = sum_int(k, 0);
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < y->n && s; j++) s = sum_add(k, s, term_mul(k, &x->t[i], &y->t[j]), 1);
    return s;
}

// x / y for single terms; NULL when y does not divide.
static Sum *term_div(Sums *k, const Term *x, const Term *y) {
    if (x->c % y->c) return NULL;
    Sum *s = sum_int(k, x->c / y->c);
    Term *t = &s->t[0];
    t->f = NEW_N(k->a, int, x->n);
    int j = 0;
    for (int i = 0; i < x->n; i++) {
        if (j < y->n && x->f[i] == y->f[j]) j++;
        else t->f[t->n++] = x->f[i];
    }
    return j == y->n ? s : NULL;
}

Sum *sum_div(Sums *k, const Sum *x, const Sum *y, Sum **r) {
    Sum *q = sum_int(k, 0), *rest = sum_add(k, x, sum_int(k, 0), 1);
    if (!y->n) return NULL;
    for (int i = 0, steps = 0; rest && i < rest->n && steps < MAX_TERMS;) {
        Sum *part = term_div(k, &rest->t[i], &y->t[0]);
        if (!part) {
            i++;
            continue;
        }
        steps++;
        q = sum_add(k, q, part, 1);
        rest = sum_add(k, rest, sum_mul(k, part, y), -1);
    }
    *r = rest;
    return rest ? q : NULL;
}

bool sum_is_const(const Sum *s, int64_t *v) {
    if (s->n > 1 || (s->n == 1 && s->t[0].n)) return false;
    *v = s->n ? s->t[0].c : 0;
    return true;
}

int sum_degree(const Sum *s) { return s->n ? s->t[0].n : 0; }

// ---- from expressions --------------------------------------------------------------------

// Subscripts count modulo 2^64, so a cast to 64 bits loses nothing that an address could see.
static bool keeps_value(const Expr *x) {
    Type to = x->type, from = x->args[0]->type;
    if (!type_is_int(from) || !type_is_int(to) || from == T_BOOL || to == T_BOOL) return false;
    if (type_size(to) == 8) return true;
    if (type_size(to) > type_size(from)) return type_is_signed(to) || !type_is_signed(from);
    return type_size(to) == 4 && type_size(from) == 4;
}

static bool fits(const Term *t) { return t->c > -((int64_t)1 << 40) && t->c < ((int64_t)1 << 40); }

static Sum *checked(Sum *s) {
    for (int k = 0; s && k < s->n; k++)
        if (!fits(&s->t[k])) return NULL;
    return s;
}

static bool sum_varies(const Sums *k, const Sum *s) {
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->t[i].n; j++)
            if (expr_varies(k->atoms.at[s->t[i].f[j]])) return true;
    return false;
}

// c ? x : x - n is x - n * (c ? 0 : 1), when the two differ by something fixed.
static Sum *selection(Sums *k, const Expr *x) {
    if (expr_has_load(x)) return sum_atom(k, x);
    Sum *yes = sum_of(k, x->args[1]), *no = sum_of(k, x->args[2]), *d = sum_add(k, no, yes, -1);
    if (!d || sum_varies(k, d)) return sum_atom(k, x);
    Type t = x->type;
    Expr *one = expr_op(k->a, OP_SELECT, x->args[0], expr_int(k->a, t, 0), expr_int(k->a, t, 1));
    return one->kind == E_INT ? sum_atom(k, x) : sum_add(k, yes, sum_mul(k, d, sum_atom(k, one)), 1);
}

static Sum *operation(Sums *k, const Expr *x) {
    if (x->op == OP_SELECT) return selection(k, x);
    Sum *a = sum_of(k, x->args[0]), *b = x->nargs > 1 ? sum_of(k, x->args[1]) : NULL;
    if (!a || (x->nargs > 1 && !b)) return NULL;
    int64_t v;
    switch (x->op) {
    case OP_NEG: return sum_add(k, sum_int(k, 0), a, -1);
    case OP_ADD: return sum_add(k, a, b, 1);
    case OP_SUB: return sum_add(k, a, b, -1);
    case OP_MUL: return sum_mul(k, a, b);
    case OP_SHL:
        if (!sum_is_const(b, &v) || v < 0 || v > 30) return sum_atom(k, x);
        return sum_mul(k, a, sum_int(k, (int64_t)1 << v));
    default: return sum_atom(k, x);
    }
}

static bool is_arithmetic(const Expr *x) {
    return x->kind == E_OP && (x->op == OP_NEG || x->op == OP_ADD || x->op == OP_SUB ||
                               x->op == OP_MUL || x->op == OP_SHL || x->op == OP_SELECT);
}

Sum *sum_of(Sums *k, const Expr *x) {
    if (x->kind == E_INT) return checked(sum_int(k, x->i));
    if (x->kind == E_CAST && keeps_value(x)) return sum_of(k, x->args[0]);
    if (!is_arithmetic(x) || !type_is_int(x->type)) return sum_atom(k, x);
    if (x->type == T_U32 && (x->op == OP_MUL || x->op == OP_SHL)) k->wraps = true;
    return checked(operation(k, x));
}

// ---- back to expressions -------------------------------------------------------------------

static Expr *term_expr(Sums *k, const Term *t, Type type, int64_t c) {
    Expr *x = NULL;
    for (int j = 0; j < t->n; j++) {
        Expr *f = expr_cast(k->a, type, k->atoms.at[t->f[j]]);
        x = x ? expr_mul(k->a, x, f) : f;
    }
    if (!x) return expr_int(k->a, type, c);
    return c == 1 ? x : expr_mul(k->a, expr_int(k->a, type, c), x);
}

Expr *sum_expr(Sums *k, const Sum *s, Type t) {
    Expr *x = NULL;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int j = 0; j < s->n; j++) {
            if ((s->t[j].c > 0) != (sign > 0)) continue;
            Expr *y = term_expr(k, &s->t[j], t, sign * s->t[j].c);
            if (!x) x = sign > 0 ? y : expr_op(k->a, OP_NEG, y, NULL, NULL);
            else x = sign > 0 ? expr_add(k->a, x, y) : expr_sub(k->a, x, y);
        }
    return x ? x : expr_int(k->a, t, 0);
}

bool expr_difference(Arena *a, const Expr *x, const Expr *y, int64_t *d) {
    Sums k = {.a = a};
    Sum *p = sum_of(&k, x), *q = sum_of(&k, y);
    Sum *s = p && q ? sum_add(&k, p, q, -1) : NULL;
    return s && sum_is_const(s, d);
}
