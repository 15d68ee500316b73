// SPDX-License-Identifier: MIT
// choice.c -- subscripts with conditions in them, one branch at a time.
//
//   a[y*nx + (x == 0 ? x + nx - 1 : x - 1)]      a neighbour on a ring: where x == 0 it is
//     yes: y*nx + nx - 1      row y, column nx - 1       (x is 0 there)
//     no:  y*nx + x - 1       row y, column x - 1
//
//   a[y*nx + (x + dx >= nx ? x + dx - nx : x + dx)]      yes: x + dx - nx is no column of the row ahead
#include "front/shape.h"

// Operations through which a condition can be taken to the front.
static bool is_open(const Expr *x) {
    if (x->kind == E_CAST) return type_is_int(x->args[0]->type);
    if (x->kind != E_OP) return false;
    return x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL || x->op == OP_NEG || x->op == OP_SELECT;
}

static Expr *first_condition(const Expr *x) {
    if (!is_open(x)) return NULL;
    if (x->kind == E_OP && x->op == OP_SELECT && !expr_has_load(x->args[0])) return x->args[0];
    Expr *found = NULL;
    for (int k = x->kind == E_OP && x->op == OP_SELECT; k < x->nargs && !found; k++)
        found = first_condition(x->args[k]);
    return found;
}

// x where cond is known.
static Expr *decided(Arena *a, Expr *x, const Expr *cond, bool holds) {
    if (!is_open(x)) return x;
    if (x->kind == E_OP && x->op == OP_SELECT && expr_equal(x->args[0], cond))
        return decided(a, x->args[holds ? 1 : 2], cond, holds);
    Expr **args = NEW_N(a, Expr *, x->nargs);
    for (int k = 0; k < x->nargs; k++) args[k] = decided(a, x->args[k], cond, holds);
    return expr_remake(a, x, args);
}

// i == e: e stands for i.
static Expr *with_equality(Arena *a, Expr *x, const Expr *cond, bool holds) {
    if (cond->kind != E_OP || cond->op != (holds ? OP_EQ : OP_NE)) return x;
    for (int k = 0; k < 2; k++) {
        const Expr *i = cond->args[k];
        Expr *e = cond->args[1 - k];
        if (i->kind != E_SYM || i->sym->kind != SYM_ITER || e->type != i->type) continue;
        if (!expr_has_load(e) && !expr_uses_sym(e, i->sym)) return expr_subst(a, x, 1, &i->sym, &e);
    }
    return x;
}

Expr *shape_choice(Arena *a, Expr *x, Expr **yes, Expr **no) {
    Expr *cond = first_condition(x);
    if (!cond) return NULL;
    *yes = with_equality(a, decided(a, x, cond, true), cond, true);
    *no = with_equality(a, decided(a, x, cond, false), cond, false);
    return cond;
}

void shape_learn(Sums *k, const Expr *cond, bool holds) {
    if (cond->kind != E_OP) return;
    if (cond->op == OP_LNOT) shape_learn(k, cond->args[0], !holds);
    if (cond->op == (holds ? OP_LAND : OP_LOR))
        for (int i = 0; i < 2; i++) shape_learn(k, cond->args[i], holds);
    bool less = cond->op == OP_LT || cond->op == OP_LE, greater = cond->op == OP_GT || cond->op == OP_GE;
    if ((!less && !greater) || !type_is_int(cond->args[0]->type)) return;
    const Sum *x = sum_of(k, cond->args[0]), *y = sum_of(k, cond->args[1]);
    bool strict = (cond->op == OP_LT || cond->op == OP_GT) == holds, rises = greater == holds;
    Sum *apart = x && y ? sum_add(k, rises ? x : y, rises ? y : x, -1) : NULL;
    if (apart && strict) apart = sum_add(k, apart, sum_int(k, -1), 1);
    if (apart) vec_push(k->a, &k->facts, apart);
}
