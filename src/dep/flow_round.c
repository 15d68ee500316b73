// SPDX-License-Identifier: MIT
// flow_round.c -- copies that bring a value back to where it was, an iteration earlier.
//
//   for kt {  copy acc = a[..]          reads what the copy out has written at kt - 1,
//             for k { acc += … }        which read acc, which this copy had filled at kt - 1 …
//             copy a[..] = acc }
//
//     one round   C = { copy in at kt -> copy in at kt - 1 }
//     all rounds  m ∘ (1 ∪ C ∪ C∘C ∪ …)
//
// The sum over all rounds is C's transitive closure, which isl gives exactly where a counter goes
// down by a constant, and says so. A round within a round is summed first, without the access that
// the outer one goes through (as in Kleene's construction of a regular expression).
#include "dep/flow.h"

bool flow_is_closed(const FlowClosed *closed, const FlowAccess *r) {
    return has_pointer(closed->n, closed->at, r);
}

// The read behind a base that is a plain copy; NULL: another kind of base.
static FlowAccess *read_of(const FlowAccess *base) {
    FlowLeaf *l = base->leaf;
    return !l->stmt && l->node->kind == N_COPY && l->node->src->kind == E_LOAD ? &l->access[1] : NULL;
}

// Can r be reached from x at all? Asked of the edges alone, before any map is composed.
static bool leads_to(FlowTree *t, FlowClosed *seen, FlowAccess *x, const FlowAccess *r) {
    bool found = false;
    int mark = seen->n;
    flow_compute(t, x);
    vec_push(t->flow->a, seen, x);
    for (int i = 0; i < x->bases.n && !found; i++) {
        FlowAccess *y = read_of(x->bases.at[i].to);
        found = y && (y == r || (!flow_is_closed(seen, y) && leads_to(t, seen, y, r)));
    }
    seen->n = mark;
    return found;
}

typedef struct Round {
    FlowTree *t;
    FlowClosed *closed;
    const FlowAccess *r;     // where it begins and ends
    isl_map *all;            // its counters, here and a round earlier
} Round;

// m: r's counters -> those of x's leaf
static void go_on(Round *c, FlowAccess *x, isl_map *m) {
    bool round = false;
    poly_tick(c->t->flow->poly);
    flow_compute(c->t, x);
    vec_push(c->t->flow->a, c->closed, x);
    for (int i = 0; i < x->bases.n && !c->t->flow->unknown; i++) {
        FlowAccess *y = read_of(x->bases.at[i].to);
        if (!y || (y != c->r && flow_is_closed(c->closed, y))) continue;
        isl_map *at = isl_map_apply_range(isl_map_copy(m), isl_map_copy(x->bases.at[i].map));
        if (y == c->r) c->all = isl_map_union(c->all, at);
        else if (isl_map_is_empty(at) == isl_bool_true) isl_map_free(at);
        else go_on(c, y, flow_rounds(c->t, c->closed, y, at, &round));
    }
    c->closed->n--;
    isl_map_free(m);
}

isl_map *flow_rounds(FlowTree *t, FlowClosed *closed, FlowAccess *r, isl_map *m, bool *round) {
    FlowClosed seen = {0};
    for (int i = 0; i < closed->n; i++) vec_push(t->flow->a, &seen, closed->at[i]);
    if (!leads_to(t, &seen, r, r)) return m;
    isl_map *here = isl_set_identity(isl_set_copy(r->leaf->ev->domain));
    Round c = {t, closed, r, isl_map_empty(isl_map_get_space(here))};
    go_on(&c, r, here);
    c.all = isl_map_coalesce(c.all);
    if (isl_map_is_empty(c.all) == isl_bool_true || t->flow->unknown) {
        isl_map_free(c.all);
        return m;
    }
    isl_bool exact = isl_bool_false;
    isl_map *rounds = isl_map_transitive_closure(c.all, &exact);
    if (exact != isl_bool_true) flow_give_up(t->flow, "values go through copies again and again");
    rounds = isl_map_apply_range(isl_map_copy(m), rounds);
    if (isl_map_is_empty(rounds) == isl_bool_false) *round = true;
    return isl_map_coalesce(isl_map_union(m, rounds));
}
