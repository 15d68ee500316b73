// SPDX-License-Identifier: MIT
// scatter.c -- loops that scatter through an index array, or whose rows lie between its values (rule assume).
//
//   for i  x[idx[i]] = …                            iterations meet only where idx has a value twice
//   for i  for k = ptr[i] .. ptr[i + 1]  x[k] = …   only where a value of ptr is less than one before it
//
// That it is not so is a condition of the nest, looked at before each launch; where it fails the original
// loops run.
#include "plan/auto.h"
#include "plan/recipe.h"

static bool is_promised(const Promises *all, const Promise *x) {
    for (int i = 0; i < all->n; i++)
        if (all->at[i].array == x->array && all->at[i].rises == x->rises) return true;
    return false;
}

// What would tell its iterations' elements apart; no array: nothing.
static Promise promise_for(Arena *a, const Region *r, const Touch *t) {
    Expr *place;
    if (!t->write || !t->array->rank) return (Promise){NULL};
    const Array *idx = rule_index(r, t->sub[0]);
    if (idx) return (Promise){idx};
    const Expr *counter = expr_kept(t->sub[0]);
    for (int i = 0; i < t->ev->depth && counter->kind == E_SYM && !idx; i++)
        if (t->ev->loops[i]->iter == counter->sym) idx = loop_stretches(a, t->ev->loops[i], &place);
    return (Promise){idx && !region_writes(r, idx) ? idx : NULL, true};
}

static void add_promises(Arena *a, const Relations *rel, Promises *all) {
    for (int i = 0; i < rel->touches.n; i++) {
        Promise x = promise_for(a, rel->region, &rel->touches.at[i]);
        if (x.array && !is_promised(all, &x)) vec_push(a, all, x);
    }
}

Node *plan_scatter(Plan *p, ChainFacts *f) {
    int before = p->promised.n;
    add_promises(p->a, f->rel, &p->promised);
    if (p->promised.n == before) return NULL;
    ChainFacts *g = chain_facts(p, (Node *)f->chain.loop[0]);
    Node *n = g->nfree > f->nfree ? plan_free(p, g) : NULL;
    if (!n) p->promised.n = before;
    return n;
}

// Loops whose iterations may run in any order, if need be with atomic updates.
static int count_free(const DepInfo *d) {
    int n = 0;
    for (int i = 0; i < d->nloops; i++)
        n += d->loops[i].parallel == ANSWER_ALWAYS || d->loops[i].reduction == ANSWER_ALWAYS;
    return n;
}

const DepInfo *plan_resting(Compile *c, const Region *r, const DepInfo *d) {
    Promises all = {0};
    if (d->gave_up || count_free(d) == d->nloops) return d;
    poly_restart(c);
    add_promises(c->arena, relations_new(c, r, r->root), &all);
    const DepInfo *on = all.n ? dep_resting(c, d, all.n, all.at) : NULL;
    return on && count_free(on) > count_free(d) ? on : d;
}

Nest *plan_promise(Compile *c, Nest *n, int npromised, const Promise *promised) {
    for (int i = 0; n && i < npromised; i++) {
        const Promise *x = &promised[i];
        const char *line = arena_printf(c->arena, "assume data %s %s", promise_word(x), x->array->name);
        n = recipe_then(c, n, line, NULL);
    }
    return n;
}
