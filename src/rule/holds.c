// SPDX-License-Identifier: MIT
// holds.c -- what is known at a place of a nest, and whether a condition is true there.
//
// Known are the bounds of the loops around, the conditions on the way, what the region's C run
// promises, and the nest's own `when` (it runs nowhere else).
#include "rule/known.h"
#include "rule/loops.h"
#include <isl/aff.h>
#include <isl/val.h>

static void drop_set(void *s) { isl_set_free(s); }

static isl_set *own(Arena *a, isl_set *s) { return s ? arena_own(a, s, drop_set) : NULL; }

static PolyScope scope(const Known *k) { return (PolyScope){k->n, k->iters}; }

// Where none of the unsigned subtractions wraps; NULL when there are none.
static isl_set *plain(const Known *k, PolyFacts *facts) {
    isl_set *ok = NULL;
    for (int i = 0; i < facts->n; i++) {
        isl_set *s = isl_pw_aff_nonneg_set(facts->at[i]);
        ok = ok ? isl_set_intersect(ok, s) : s;
    }
    (void)k;
    facts->n = 0;
    return ok;
}

// The points where cond holds and means what it says in whole numbers; NULL: can't be told.
static isl_set *points(const Known *k, Expr *cond) {
    PolyFacts facts = {0};
    isl_set *s = poly_cond(k->p, scope(k), cond, &facts), *ok = plain(k, &facts);
    if (s && ok && isl_set_is_subset(k->set, ok) != isl_bool_true) {
        isl_set_free(s);
        s = NULL;
    }
    isl_set_free(ok);
    return s;
}

void known_add(Known *k, Expr *cond) {
    Expr *t[TERMS_MAX];
    int n = cond_terms(cond, t, TERMS_MAX);
    for (int i = 0; i < n; i++) {
        isl_set *s = points(k, t[i]);
        if (s) k->set = own(k->a, isl_set_intersect(isl_set_copy(k->set), s));
    }
}

void known_add_not(Known *k, Expr *cond) {
    isl_set *s = points(k, cond);
    if (s) k->set = own(k->a, isl_set_subtract(isl_set_copy(k->set), s));
}

static bool can_compare(const Known *k, const Expr *x) {
    PolyFacts facts = {0};
    isl_pw_aff *pa = poly_aff(k->p, scope(k), x, &facts);
    isl_set *ok = plain(k, &facts);
    bool fine = pa && (!ok || isl_set_is_subset(k->set, ok) == isl_bool_true);
    isl_pw_aff_free(pa);
    isl_set_free(ok);
    return fine;
}

void known_enter(Known *k, const Node *loop) {
    const Sym **iters = NEW_N(k->a, const Sym *, k->n + 1);
    for (int i = 0; i < k->n; i++) iters[i] = k->iters[i];
    iters[k->n] = loop->iter;
    k->iters = iters;
    k->n++;
    k->set = own(k->a, isl_set_add_dims(isl_set_copy(k->set), isl_dim_set, 1));
    Arena *a = k->a;
    Expr *i = expr_sym(a, loop->iter);
    bool up = loop->step > 0;
    known_add(k, expr_op(a, up ? OP_GE : OP_LE, i, expr_cast(a, i->type, loop->lo), NULL));
    known_add(k, expr_op(a, up ? OP_LT : OP_GT, i, expr_cast(a, i->type, loop->hi), NULL));
    int64_t step = up ? loop->step : -loop->step;
    if (step == 1 || !can_compare(k, loop->lo)) return;
    isl_pw_aff *pi = poly_aff(k->p, scope(k), i, NULL), *lo = poly_aff(k->p, scope(k), loop->lo, NULL);
    isl_pw_aff *off = isl_pw_aff_mod_val(isl_pw_aff_sub(pi, lo), isl_val_int_from_si(k->p->ctx, step));
    k->set = own(k->a, isl_set_intersect(isl_set_copy(k->set), isl_pw_aff_zero_set(off)));
}

Known known_start(Compile *c, const Nest *n) {
    Known k = {.p = poly_new(c), .a = c->arena};
    k.set = own(k.a, poly_universe(k.p, scope(&k)));
    const Region *r = n->region;
    for (int i = 0; i < r->nparams; i++)
        if (type_is_int(r->params[i]->type) && !type_is_signed(r->params[i]->type))
            known_add(&k, expr_op(k.a, OP_GE, expr_cast(k.a, T_I64, expr_sym(k.a, r->params[i])), expr_int(k.a, T_I64, 0), NULL));
    for (int i = 0; i < r->nassumes; i++) known_add(&k, r->assumes[i]);
    if (n->when) known_add(&k, n->when);
    return k;
}

bool known_holds(const Known *k, Expr *cond) {
    if (isl_set_is_empty(k->set) == isl_bool_true) return true;
    isl_set *s = points(k, cond);
    bool yes = s && isl_set_is_subset(k->set, s) == isl_bool_true;
    isl_set_free(s);
    return yes && !poly_gave_up(k->p);
}

bool known_never(const Known *k, Expr *cond) {
    isl_set *s = points(k, cond);
    if (!s) return false;
    s = isl_set_intersect(s, isl_set_copy(k->set));
    bool never = isl_set_is_empty(s) == isl_bool_true;
    isl_set_free(s);
    return never && !poly_gave_up(k->p);
}

bool known_nothing_runs(const Known *k) {
    return isl_set_is_empty(k->set) == isl_bool_true && !poly_gave_up(k->p);
}

Known known_at(Compile *c, const Nest *n, const Path *place) {
    Known k = known_start(c, n);
    for (int i = 0; i + 1 < place->n; i++) {
        const Node *x = place->node[i], *next = place->node[i + 1];
        if (x->kind == N_FOR) known_enter(&k, x);
        if (x->kind == N_IF && next == x->then) known_add(&k, x->cond);
        if (x->kind == N_IF && next == x->other) known_add_not(&k, x->cond);
    }
    return k;
}

bool holds_at(Compile *c, const Nest *n, const Path *place, Expr *cond) {
    poly_restart(c);
    Known k = known_at(c, n, place);
    return known_holds(&k, cond);
}
