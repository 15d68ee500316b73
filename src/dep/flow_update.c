// SPDX-License-Identifier: MIT
// flow_update.c -- updates of one word: each instance of the region once, and in its order
// unless that is free.
#include "dep/factor.h"
#include "dep/flow.h"
#include <isl/space.h>

// What an update brings: [its counters] -> instances of a statement of the region.
typedef struct Brings {
    FlowAccess *by;
    const FlowLeaf *leaf;
    isl_map *map;
} Brings;

typedef struct Updates {
    Flow *f;
    Arena *a;
    VEC(Brings) all;
} Updates;

static void bring(Updates *u, FlowAccess *by, const FlowLeaf *leaf, isl_map *m) {
    Brings b = {by, leaf, own_map(u->a, m)};
    vec_push(u->a, &u->all, b);
}

static void collect(Updates *u, FlowLeaf *l) {
    FlowAccess *x = &l->access[0];
    if (x->update == OP_SET) return;
    if (l->stmt) {
        bring(u, x, l->region, isl_map_copy(l->orig));
        return;
    }
    FlowValue v = {0};
    flow_value(&u->f->tree, l->ev, &l->access[1], isl_set_identity(isl_set_copy(l->ev->domain)), &v);
    for (int i = 0; i < v.updates.n; i++)
        if (v.updates.at[i].leaf) bring(u, x, v.updates.at[i].leaf, isl_map_copy(v.updates.at[i].map));
}

// Is every pair of instance and word reached by one update alone? Quick, and mostly true.
static bool is_one_to_one(const Brings *b) {
    if (b->by->leaf->once) return true;
    isl_map *both = isl_map_range_product(isl_map_copy(b->map), isl_map_copy(b->by->map));
    bool once = factor_is_injective(both);
    isl_map_free(both);
    return once;
}

// Those of pairs, in which x's update runs before y's, that no plain write on the word stands between: w runs
// after x's, before y's, and surely. What is left may be more than what y's update finds there.
static isl_map *unbroken(Updates *u, const FlowAccess *x, const FlowAccess *y, isl_map *pairs) {
    const FlowTree *t = &u->f->tree;
    for (int i = 0; i < t->leaves.n && isl_map_is_empty(pairs) == isl_bool_false; i++) {
        const FlowAccess *w = &t->leaves.at[i]->access[0];
        if (w->update != OP_SET || w->array != x->array || !flow_same_memory(w, x) || w->leaf->ev->nterms ||
            !w->exact)
            continue;
        isl_map *after = flow_order(x->leaf, w->leaf, flow_same_word(x, w), true);
        isl_map *before = flow_order(w->leaf, y->leaf, flow_same_word(w, y), true);
        pairs = isl_map_subtract(pairs, isl_map_apply_range(after, before));
    }
    return pairs;
}

// Is there mostly no pair of which one finds the other's still there?
static bool all_broken(Updates *u, const Brings *x, const Brings *y, isl_map *pairs) {
    const FlowAccess *p = x->by, *q = y->by;
    if (!p->exact || !q->exact || p->array != q->array) return false;
    isl_map *back = isl_map_reverse(isl_map_copy(pairs));
    isl_map *one = unbroken(u, p, q, flow_order(p->leaf, q->leaf, isl_map_copy(pairs), true));
    isl_map *other = unbroken(u, q, p, flow_order(q->leaf, p->leaf, back, true));
    bool none = isl_map_is_empty(one) == isl_bool_true && isl_map_is_empty(other) == isl_bool_true;
    isl_map_free(one);
    isl_map_free(other);
    return none;
}

// Those pairs in which y's update finds x's still there: nothing has begun the word anew between.
static isl_map *still_there(Updates *u, const FlowAccess *x, FlowAccess *y, isl_map *all) {
    flow_compute(&u->f->tree, y);
    for (int i = 0; i < y->updates.n; i++)
        if (y->updates.at[i].to == x)
            all = isl_map_union(all, isl_map_reverse(isl_map_copy(y->updates.at[i].map)));
    return all;
}

static isl_map *together(Updates *u, const Brings *x, const Brings *y, isl_map *pairs) {
    if (all_broken(u, x, y, pairs)) {
        isl_map *none = isl_map_empty(isl_map_get_space(pairs));
        isl_map_free(pairs);
        return none;
    }
    isl_map *some = still_there(u, x->by, y->by, isl_map_empty(isl_map_get_space(pairs)));
    isl_map *back = still_there(u, y->by, x->by, isl_map_empty(isl_space_reverse(isl_map_get_space(pairs))));
    return isl_map_intersect(pairs, isl_map_union(some, isl_map_reverse(back)));
}

static void check_once(Updates *u, const Brings *x, const Brings *y) {
    if (x->leaf != y->leaf || (x == y && is_one_to_one(x))) return;
    isl_map *m = isl_map_apply_range(isl_map_copy(x->map), isl_map_reverse(isl_map_copy(y->map)));
    m = isl_map_intersect(m, flow_same_word(x->by, y->by));
    m = term_agree(u->f->poly, x->by->leaf->ev, y->by->leaf->ev, m);
    if (x->by == y->by) m = term_apart(x->by->leaf->ev, m);
    // Atomic updates come in any order: none of them finds the others', as far as the text's order tells.
    bool ordered = !x->by->leaf->node->atomic && !y->by->leaf->node->atomic;
    if (ordered && isl_map_is_empty(m) != isl_bool_true) m = together(u, x, y, m);
    flow_accuse(u->f, isl_map_params(m), "an update by %s counts twice (%s)", flow_name(u->a, x->leaf),
                flow_text(u->a, y->by));
}

static bool is_free(const Flow *f, const FlowLeaf *l) {
    const FlowAccess *x = &l->access[0];
    if (type_is_int(x->array->elem) || f->r->reassociate || f->c->reassociate || l->stmt->atomic) return true;
    for (int i = 0; i < l->ev->depth; i++)
        if (mark_reduces(l->ev->loops[i]->mark, x->array, x->update)) return true;
    return false;
}

// x before y in the tree, though the region has it the other way round.
static void check_order(Updates *u, const Brings *x, const Brings *y) {
    if (is_free(u->f, x->leaf) || !x->by->leaf->stmt || !y->by->leaf->stmt) return;
    isl_map *swapped = flow_same_word(&x->leaf->access[0], &y->leaf->access[0]);
    swapped = flow_order(x->leaf, y->leaf, swapped, false);
    isl_map *m = isl_map_apply_range(isl_map_copy(x->map), swapped);
    m = isl_map_apply_range(m, isl_map_reverse(isl_map_copy(y->map)));
    m = isl_map_intersect(m, flow_same_word(x->by, y->by));
    m = flow_order(x->by->leaf, y->by->leaf, m, true);
    flow_accuse(u->f, isl_map_params(m),
                "updates by %s change their order: that needs a permission to reassociate",
                flow_name(u->a, x->leaf));
}

void flow_check_updates(Flow *f) {
    Updates u = {.f = f, .a = f->a};
    for (int i = 0; i < f->tree.leaves.n; i++) collect(&u, f->tree.leaves.at[i]);
    for (int i = 0; i < u.all.n; i++)
        for (int j = 0; j < u.all.n && !f->unknown; j++) {
            const Brings *x = &u.all.at[i], *y = &u.all.at[j];
            poly_tick(f->poly);
            if (!flow_same_memory(x->by, y->by)) continue;
            if (i <= j) check_once(&u, x, y);
            check_order(&u, x, y);
        }
}
