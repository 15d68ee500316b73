// SPDX-License-Identifier: MIT
// box.c -- the part of a user's array that a nest touches, as numbers that kernels can count to.
#include "rule/storage.h"

// A box that is empty unless x: c ? x : -1. The question is asked once, around the kernel.
static Expr *end_of(Arena *a, Expr *x, Expr **used) {
    if (x->kind != E_OP || x->op != OP_SELECT || !expr_is_int(x->args[2], -1)) return x;
    Expr *t[TERMS_MAX];
    int n = *used ? cond_terms(*used, t, TERMS_MAX) : 0;
    for (int k = 0; k < n; k++)
        if (expr_equal(t[k], x->args[0])) return x->args[1];
    if (!*used || !expr_equal(*used, x->args[0])) *used = cond_and(a, *used, x->args[0]);
    return x->args[1];
}

bool array_box(Change *ch, const Array *x, Expr **lo, Expr **hi, Expr **used) {
    const Nest *n = ch->nest;
    // a temporary is as large as what is used of it
    for (int d = 0; x->place == PLACE_TEMP && d < x->rank; d++) {
        lo[d] = expr_int(ch->a, T_I32, 0);
        hi[d] = expr_sub(ch->a, expr_narrow(ch->a, T_I32, x->extent[d]), expr_int(ch->a, T_I32, 1));
    }
    if (x->place == PLACE_TEMP) return true;
    const Foot *foot = NULL;
    for (int k = 0; k < n->nfeet; k++)
        if (n->feet[k].array == x) foot = &n->feet[k];
    for (int d = 0; d < x->rank; d++) {
        if (!foot || !foot->lo[d] || !foot->hi[d])
            return change_refuse(ch, "how much of %s is used is not known", x->name);
        lo[d] = expr_narrow(ch->a, T_I32, foot->lo[d]);
        hi[d] = expr_narrow(ch->a, T_I32, end_of(ch->a, foot->hi[d], used));
    }
    return foot != NULL;
}
