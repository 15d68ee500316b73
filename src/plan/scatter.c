// SPDX-License-Identifier: MIT
// scatter.c -- loops that scatter through an index array, or whose rows lie between its values (rule assume).
//
//   for i  x[idx[i]] = …                            iterations meet only where idx has a value twice
//   for i  for k = ptr[i] .. ptr[i + 1]  x[k] = …   only where a value of ptr is less than one before it
//
// That it is not so is a condition of the nest, looked at before each launch; where it fails the original
// loops run.
#include "plan/auto.h"

static bool is_promised(const Plan *p, const Promise *x) {
    for (int i = 0; i < p->promised.n; i++)
        if (p->promised.at[i].array == x->array && p->promised.at[i].rises == x->rises) return true;
    return false;
}

// What would tell its iterations' elements apart; no array: nothing.
static Promise promise_for(Plan *p, const Touch *t) {
    Expr *place;
    if (!t->write || !t->array->rank) return (Promise){NULL};
    const Array *idx = rule_index(p->region, t->sub[0]);
    if (idx) return (Promise){idx};
    const Expr *counter = expr_kept(t->sub[0]);
    for (int i = 0; i < t->ev->depth && counter->kind == E_SYM && !idx; i++)
        if (t->ev->loops[i]->iter == counter->sym) idx = loop_stretches(p->a, t->ev->loops[i], &place);
    return (Promise){idx && !region_writes(p->region, idx) ? idx : NULL, true};
}

Node *plan_scatter(Plan *p, ChainFacts *f) {
    int before = p->promised.n;
    for (int i = 0; i < f->rel->touches.n; i++) {
        Promise x = promise_for(p, &f->rel->touches.at[i]);
        if (x.array && !is_promised(p, &x)) vec_push(p->a, &p->promised, x);
    }
    if (p->promised.n == before) return NULL;
    ChainFacts *g = chain_facts(p, (Node *)f->chain.loop[0]);
    Node *n = g->nfree > f->nfree ? plan_free(p, g) : NULL;
    if (!n) p->promised.n = before;
    return n;
}
