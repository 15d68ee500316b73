// SPDX-License-Identifier: MIT
// bands.c -- on a processor: a parallel loop along memory, with loops around it that are not.
//
//   for i for j  y[j] += a[i][j] * x[i]
//
//   for jb block  for i in fours  for j in a band vector {
//     y[j] += a[i][j] * x[i]; … y[j] += a[i + 3][j] * x[i + 3] }
//
// Each thread goes through rows as they lie in memory, and what it writes stays in its caches. Bands are wide
// where there are enough for all processors.
#include "plan/auto.h"
#include "rule/abreast.h"
#include "rule/linear.h"
#include "rule/loops.h"

enum { ROWS = 4 };
static const int widths[] = {2048, 512, 64};

// Do iterations touch neighbours, or one element?
static bool is_along(Arena *a, const Node *body, const Sym *x) {
    AccessVec acc = node_accesses(a, body);
    for (int k = 0; k < acc.n; k++) {
        int last = acc.at[k].array->rank - 1;
        for (int d = 0; d <= last; d++) {
            Linear e;
            Expr *sub = acc.at[k].sub[d];
            if (!expr_uses_sym(sub, x)) continue;
            if (d < last || expr_has_load(sub) || !linear_of(sub, &e) || linear_coef(&e, x) != 1)
                return false;
        }
    }
    return true;
}

// for i  x  →  for ib  { i = 4 * ib … 4 * ib + 3 inside of x }; what is left of i one by one
static Node *in_fours(Plan *p, const Node *rows, Node *x) {
    Arena *a = p->a;
    Type t = rows->iter->type;
    const Sym *ib = iter_fresh(&p->names, arena_printf(a, "%sb", rows->iter->name), t);
    Expr *four = expr_int(a, t, ROWS), *zero = expr_int(a, t, 0);
    Expr *whole = expr_op(a, OP_FDIV, expr_sub(a, rows->hi, rows->lo), four, NULL);
    if (rows->step != 1) return node_around(a, rows, x);
    Node *kids[ROWS], *both[2], *left = node_clone(a, rows), *inner = node_clone(a, x);
    for (int r = 0; r < ROWS; r++) {
        Expr *at = expr_add(a, expr_mul(a, expr_sym(a, ib), four), expr_int(a, t, r));
        at = expr_add(a, rows->lo, at);
        kids[r] = node_subst(a, x->body, 1, &rows->iter, &at);
    }
    inner->body = node_seq(a, ROWS, kids);
    both[0] = node_for(a, ib, zero, whole, 1, HOW_SERIAL, inner);
    left->lo = expr_add(a, rows->lo, expr_mul(a, expr_op(a, OP_MAX, whole, zero, NULL), four));
    left->body = x;
    both[1] = node_again(&p->names, left);
    return node_seq(a, 2, both);
}

static Node *in_bands(Plan *p, const Chain *c, int width) {
    Arena *a = p->a;
    Node *x = node_clone(a, c->loop[c->n - 1]);
    Type t = x->iter->type;
    const Sym *band = iter_fresh(&p->names, arena_printf(a, "%sb", x->iter->name), t);
    Expr *by = expr_int(a, t, width), *trips = expr_sub(a, x->hi, x->lo);
    Expr *from = expr_add(a, x->lo, expr_mul(a, expr_sym(a, band), by));
    Expr *bands = expr_op(a, OP_FDIV, expr_add(a, trips, expr_int(a, t, width - 1)), by, NULL);
    x->hi = expr_op(a, OP_MIN, expr_add(a, from, by), x->hi, NULL);
    x->lo = from;
    x->how = HOW_VECTOR;
    x->body = c->body;
    Node *n = in_loops(a, c->n - 2, c->loop, in_fours(p, c->loop[c->n - 2], x));
    n = node_for(a, band, expr_int(a, t, 0), bands, 1, HOW_BLOCK, node_again(&p->names, n));
    return node_kernel(a, kernel_name(p), n);
}

// x is the chain's last loop, and the only parallel one.
Node *plan_bands(Plan *p, const Chain *c, const MapDim *x, Node *other) {
    Arena *a = p->a;
    const Node *loop = c->loop[x->loop];
    Node *body = unwrap(c->body);
    int least = widths[sizeof widths / sizeof *widths - 1];
    if (!x->exact || loop->step != 1 || !host_can_eval(x->lo) || !host_can_eval(x->hi)) return other;
    if (body->kind != N_STMT || body->atomic || body->stmt->atomic) return other;
    if (!is_along(a, body, loop->iter)) return other;
    Expr *trips = expr_sub(a, expr_cast(a, T_I64, x->hi), expr_cast(a, T_I64, x->lo));
    Node *n = NULL;
    for (size_t k = sizeof widths / sizeof *widths; k-- > 0;) {
        Node *one = in_bands(p, c, widths[k]);
        Expr *wide = expr_mul(a, expr_int(a, T_I64, widths[k]), plan_processors(p));
        n = n ? node_if(a, expr_op(a, OP_GE, trips, wide, NULL), one, n) : one;
    }
    return node_if(a, expr_op(a, OP_GE, trips, expr_int(a, T_I64, least), NULL), n, other);
}
