// SPDX-License-Identifier: MIT
// fma.c -- contraction: a product that is added is not rounded by itself.
//
//   a*b + c → fma(a, b, c)      a*b - c → fma(a, b, -c)      c - a*b → fma(-a, b, c)
//   x += a*b → the fused update, x -= a*b likewise with -a
//
// Of two products the left one is contracted. Never across statements.
#include "front/normal.h"

static bool is_product(const Expr *x) { return x->kind == E_OP && x->op == OP_MUL && type_is_float(x->type); }

static Expr *negated(Arena *a, Expr *x) { return expr_op(a, OP_NEG, x, NULL, NULL); }

static Expr *contract(Rebuild *b, Expr *x) {
    if (x->kind != E_OP || (x->op != OP_ADD && x->op != OP_SUB) || !type_is_float(x->type)) return x;
    Expr *l = x->args[0], *r = x->args[1];
    bool minus = x->op == OP_SUB;
    if (!is_product(l) && !is_product(r)) return x;
    *(bool *)b->self = true;
    if (is_product(l))
        return expr_op(b->a, OP_FMA, l->args[0], l->args[1], minus ? negated(b->a, r) : r);
    return expr_op(b->a, OP_FMA, minus ? negated(b->a, r->args[0]) : r->args[0], r->args[1], l);
}

static Stmt *fuse(Rebuild *b, Stmt *s) {
    if (s->op != OP_ADD || !type_is_float(s->lhs->elem)) return s;
    Expr *x = s->rhs;
    if (x->kind == E_OP && x->op == OP_NEG && is_product(x->args[0])) {
        Expr *p = x->args[0];
        s->rhs = x = expr_op(b->a, OP_MUL, negated(b->a, p->args[0]), p->args[1], NULL);
    }
    s->fused = is_product(x);
    *(bool *)b->self |= s->fused;
    return s;
}

Region *pass_fma(Normal *m, Region *r) {
    if (!m->c->fp_contract) return r;
    bool some = false;
    Rebuild b = {.a = m->a, .expr = contract, .stmt = fuse, .self = &some};
    r = region_with(m, r, rebuild_node(&b, r->root));
    r->contracted = some;
    return r;
}
