// SPDX-License-Identifier: MIT
// split.c -- a flat subscript as one of rows.
//
//   y[i * m + j], of rows of m   →   y[i][j]
#include "equal/pair.h"
#include "front/normal.h"

static Expr *in_parts(Expr *x, void *arg) {
    Pair *p = arg;
    bool by = x && x->kind == E_OP && (x->op == OP_DIV || x->op == OP_FDIV) && x->args[1]->kind == E_INT;
    const Expr *s = by ? x->args[0] : x;
    while (s && s->kind == E_CAST) s = s->args[0];
    for (int i = 0; s && s->kind == E_SYM && i < p->whole.n; i++) {
        const Whole *w = &p->whole.at[i];
        int64_t c = by ? x->args[1]->i : 1;
        if (w->sym != s->sym || c < 1 || w->by % c) continue;
        Expr *part = expr_op(p->a, OP_DIV, (Expr *)s, expr_int(p->a, s->type, w->by), NULL);
        return expr_cast(p->a, x->type, expr_mul(p->a, part, expr_int(p->a, s->type, w->by / c)));
    }
    return x ? expr_map(p->a, x, in_parts, arg) : NULL;
}

bool equal_same_sum(Arena *a, const Expr *x, const Expr *y) {
    int64_t d;
    return expr_difference(a, x, y, &d) && d == 0;
}

Expr *equal_in_parts(Pair *p, Expr *x) { return p->whole.n ? in_parts(x, p) : x; }

static bool all_affine(Arena *a, Expr *const *sub, int n) {
    Sums k = {.a = a};
    Sum *s;
    for (int d = 0; d < n; d++)
        if (!(s = sum_of(&k, sub[d])) || sum_degree(s) > 1) return false;
    return true;
}

// Are all its terms negative?
static bool is_below(const Sum *s) {
    for (int i = 0; i < s->n; i++)
        if (s->t[i].c >= 0) return false;
    return s->n > 0;
}

// x over rows of the extents of v: [x / n1n2][x % n1n2 / n2][…], as far as x is a sum of products.
Expr **equal_split_flat(Arena *a, const Array *v, Expr *x) {
    Sums k = {.a = a};
    Expr **out = NEW_N(a, Expr *, v->rank + 1);
    Sum *rest = sum_of(&k, x);
    bool ok = rest != NULL;
    for (int d = 0; d + 1 < v->rank && ok; d++) {
        Sum *row = sum_int(&k, 1);
        for (int e = d + 1; e < v->rank; e++) row = sum_mul(&k, row, sum_of(&k, v->extent[e]));
        Sum *q = row ? sum_div(&k, rest, row, &rest) : NULL;
        ok = q != NULL;
        if (ok && is_below(rest)) { // i * m + (m - 1 - j): of row i, counted from its end
            q = sum_add(&k, q, sum_int(&k, 1), -1);
            rest = sum_add(&k, rest, row, 1);
        }
        int64_t n, more = ok ? sum_constant(rest) : 0;
        if (ok && sum_is_const(row, &n) && n > 0 && more >= n) { // 17 * i + j + 18: of the next row
            q = sum_add(&k, q, sum_int(&k, more / n), 1);
            rest = sum_add(&k, rest, sum_int(&k, more / n * n), -1);
        }
        if (ok) out[d] = sum_expr(&k, q, T_I64);
    }
    if (ok) out[v->rank - 1] = sum_expr(&k, rest, T_I64);
    return ok ? out : NULL;
}

// Sizes are the multiples that they are said to be if only that makes it affine.
Expr **equal_split(Pair *p, const Array *v, Expr *x) {
    Expr **rows = equal_split_flat(p->a, v, x);
    if (!p->whole.n || (rows && all_affine(p->a, rows, v->rank))) return rows;
    Array *w = array_copy(p->a, v, NULL, 0);
    for (int d = 0; d < v->rank; d++) w->extent[d] = in_parts(v->extent[d], p);
    Expr **parts = equal_split_flat(p->a, w, in_parts(x, p));
    return parts && all_affine(p->a, parts, v->rank) ? parts : rows;
}
