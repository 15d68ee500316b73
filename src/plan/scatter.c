// SPDX-License-Identifier: MIT
// scatter.c -- loops that scatter through an index array (rule assume).
//
//   for i  x[idx[i]] = …      iterations meet only where idx has a value twice
//
// That no value is there twice is a condition of the nest, looked at before each launch; where it fails
// the original loops run.
#include "plan/auto.h"

static bool is_assumed(const Plan *p, const Array *idx) {
    return has_pointer(p->distinct.n, p->distinct.at, idx);
}

Node *plan_scatter(Plan *p, ChainFacts *f) {
    int before = p->distinct.n;
    for (int i = 0; i < f->rel->touches.n; i++) {
        const Touch *t = &f->rel->touches.at[i];
        const Array *idx = t->write && t->array->rank ? rule_index(p->region, t->sub[0]) : NULL;
        if (idx && !is_assumed(p, idx)) vec_push(p->a, &p->distinct, idx);
    }
    if (p->distinct.n == before) return NULL;
    ChainFacts *g = chain_facts(p, (Node *)f->chain.loop[0]);
    Node *n = g->nfree > f->nfree ? plan_free(p, g) : NULL;
    if (!n) p->distinct.n = before;
    return n;
}
