// SPDX-License-Identifier: MIT
// accept_final.c -- what counters are worth after their loops.
//
//   for (i = 0; i < n; i++)      after the inner loop: j is max(m, 0)
//       for (j = 0; j < m; j++)  after the outer loop: where 0 < n, j is that
//
// A Final says it as guard and value over parameters and the counters around. Leaving a loop
// replaces its counter by its last value and adds "the loop ran" to the guard.
#include "front/accept.h"

const Final *accept_final(Accept *ac, const Decl *d) {
    for (int k = 0; k < ac->finals.n; k++)
        if (ac->finals.at[k].decl == d)
            return &ac->finals.at[k];
    return NULL;
}

static void put(Accept *ac, Final f) {
    for (int k = 0; k < ac->finals.n; k++)
        if (ac->finals.at[k].decl == f.decl) {
            ac->finals.at[k] = f;
            return;
        }
    vec_push(ac->a, &ac->finals, f);
}

void accept_final_set(Accept *ac, const Decl *d, Expr *value) {
    put(ac, (Final){.decl = d, .known = value != NULL, .value = value});
}

// Counters that the body runs through are not known at its beginning.
void accept_finals_enter(Accept *ac, const Ast *body, FinalVec *before) {
    for (int k = 0; k < ac->finals.n; k++)
        vec_push(ac->a, before, ac->finals.at[k]);
    Writes w = {0};
    if (body)
        accept_scan(ac->a, body, &w);
    for (int k = 0; k < w.iters.n; k++)
        put(ac, (Final){.decl = w.iters.at[k]});
}

static const Final *find(const FinalVec *v, const Decl *d) {
    for (int k = 0; k < v->n; k++)
        if (v->at[k].decl == d)
            return &v->at[k];
    return NULL;
}

static bool is_same(const Final *x, const Final *y) {
    return x && y && x->known == y->known && x->value == y->value && x->guard == y->guard;
}

static Expr *both(Accept *ac, Expr *x, Expr *y) {
    return !x ? y : !y ? x : expr_op(ac->a, OP_LAND, x, y, NULL);
}

// Where `cond` the counter has become f, else it is what it was.
static void merge(Accept *ac, const FinalVec *before, Final f, Expr *cond) {
    const Final *old = find(before, f.decl);
    f.known = f.known && cond && !expr_has_load(cond) && (!old || old->known);
    if (!f.known) {
        put(ac, (Final){.decl = f.decl});
        return;
    }
    f.guard = both(ac, cond, f.guard);
    if (expr_is_int(f.guard, 1))
        f.guard = NULL;
    if (old && f.guard) {
        f.value = expr_op(ac->a, OP_SELECT, f.guard, f.value, old->value);
        f.guard = old->guard ? expr_op(ac->a, OP_LOR, f.guard, old->guard, NULL) : NULL;
    }
    put(ac, f);
}

void accept_finals_if(Accept *ac, const FinalVec *before, Expr *cond) {
    for (int k = 0; k < ac->finals.n; k++) {
        Final f = ac->finals.at[k];
        if (!is_same(find(before, f.decl), &f))
            merge(ac, before, f, cond);
    }
}

static Expr *ran(Accept *ac, const Node *loop) {
    return expr_op(ac->a, loop->step > 0 ? OP_LT : OP_GT, loop->lo, loop->hi, NULL);
}

// How far the counter goes beyond lo when the loop runs: to the last value (over 0) or to
// the one that ends it (over 1).
static Expr *reach(Accept *ac, const Node *l, bool over) {
    Arena *a = ac->a;
    Type t = l->iter->type;
    bool up = l->step > 0;
    int64_t s = up ? l->step : -l->step;
    Expr *far = up ? l->hi : l->lo, *near = up ? l->lo : l->hi;
    if (s == 1)
        return over ? l->hi : up ? expr_sub(a, l->hi, expr_int(a, t, 1))
                                 : expr_add(a, l->hi, expr_int(a, t, 1));
    Expr *span = expr_sub(a, expr_sub(a, far, near), expr_int(a, t, 1));
    Expr *steps = expr_op(a, OP_DIV, span, expr_int(a, t, s), NULL);
    if (over)
        steps = expr_add(a, steps, expr_int(a, t, 1));
    Expr *way = expr_mul(a, steps, expr_int(a, t, s));
    return up ? expr_add(a, l->lo, way) : expr_sub(a, l->lo, way);
}

// NULL: the bounds are looked up in memory that may have changed.
Expr *accept_final_value(Accept *ac, const Node *l) {
    if (expr_has_load(l->lo) || expr_has_load(l->hi))
        return NULL;
    return expr_op(ac->a, OP_SELECT, ran(ac, l), reach(ac, l, true), l->lo);
}

void accept_finals_loop(Accept *ac, const FinalVec *before, const Node *loop) {
    bool loads = expr_has_load(loop->lo) || expr_has_load(loop->hi);
    Expr *cond = loads ? NULL : ran(ac, loop);
    Expr *last = loads ? NULL : reach(ac, loop, false);
    for (int k = 0; k < ac->finals.n; k++) {
        Final f = ac->finals.at[k];
        if (is_same(find(before, f.decl), &f))
            continue;
        if (f.known && !loads) {
            f.value = expr_subst(ac->a, f.value, 1, &loop->iter, &last);
            f.guard = f.guard ? expr_subst(ac->a, f.guard, 1, &loop->iter, &last) : NULL;
        }
        merge(ac, before, f, cond);
    }
}

// ---- the text behind the region ---------------------------------------------------------------------
char *accept_epilogue(Accept *ac) {
    Text t = text_new(ac->a);
    const RegionAst *ra = ac->ra;
    for (int k = 0; k < ac->finals.n; k++) {
        const Final *f = &ac->finals.at[k];
        const Decl *d = f->decl;
        if (accept_is_inside(ac, d) || accept_has_decl(&ac->privates, d) ||
            accept_has_decl(&ac->writes.vars, d) || !live_after(ac->a, ra->func, ra->stmts, ra->nstmts, d))
            continue;
        const char *value = f->known ? accept_source(ac->a, f->value) : NULL;
        const char *guard = value && f->guard ? accept_source(ac->a, f->guard) : NULL;
        if (!value || (f->guard && !guard))
            return accept_refuse(ac, SC_LIVE_OUT, ra->loc, "the counter '%s' is used behind the loops "
                                 "and its value there can't be told; declare it in its loop", d->name);
        if (guard)
            text_printf(&t, "if (%s) ", guard);
        text_printf(&t, "%s = %s;\n", d->name, value);
    }
    return t.n ? t.s : arena_strdup(ac->a, "");
}
