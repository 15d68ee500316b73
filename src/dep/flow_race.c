// SPDX-License-Identifier: MIT
// flow_race.c -- blocks of one launch, threads of one phase and lanes that meet on a word.
//
// Two instances that differ first in the counter of a parallel loop around both are not
// ordered by anything. (Threads of different phases are: by barriers.)
#include "dep/conflict.h"
#include "dep/factor.h"
#include "dep/flow.h"
#include <isl/space.h>

static bool is_parallel(const Node *loop) { return loop->how != HOW_SERIAL && loop->how != HOW_UNROLL; }

static bool is_atomic(const FlowAccess *x) { return x->update != OP_SET && x->leaf->node->atomic; }

// The leading subscripts of a thread's registers name the thread: nobody else has them.
static bool is_private(const FlowAccess *x) {
    return x->array->place == PLACE_REGISTER && x->array->digits > 0;
}

static bool may_race(const FlowAccess *x, const FlowAccess *y) {
    if (!(x->write || y->write) || !flow_same_memory(x, y)) return false;
    return !(is_atomic(x) && is_atomic(y) && x->update == y->update);
}

static const char *who(const Node *loop) {
    switch (loop->how) {
    case HOW_BLOCK: return "blocks";
    case HOW_VECTOR: return "lanes";
    case HOW_COOP: return "copying threads";
    default: return "threads";
    }
}

// Is there no pair that differs first in the counter of `level`, by what is said of the counters alone that
// belong with it? False: there may be.
static bool none_differ(__isl_keep isl_map *same, int level, bool both) {
    enum { MOST = 64 };
    bool in[MOST] = {false}, out[MOST] = {false};
    if (isl_map_dim(same, isl_dim_in) > MOST || isl_map_dim(same, isl_dim_out) > MOST) return false;
    in[level] = out[level] = true;
    isl_map *m = factor_of(same, in, out);
    if (!m) return false;
    int i = 0, o = 0;
    for (int l = 0; l < level; i += in[l], o += out[l], l++)
        if (in[l] && out[l]) m = isl_map_equate(m, isl_dim_in, i, isl_dim_out, o);
    isl_map *less = isl_map_order_lt(isl_map_copy(m), isl_dim_in, i, isl_dim_out, o);
    isl_map *more = both ? isl_map_order_gt(m, isl_dim_in, i, isl_dim_out, o) : isl_map_free(m);
    bool none = isl_map_is_empty(less) == isl_bool_true && (!both || isl_map_is_empty(more) == isl_bool_true);
    isl_map_free(less);
    isl_map_free(more);
    return none;
}

static void check_level(Flow *f, const FlowAccess *x, const FlowAccess *y, isl_map *same, int level) {
    if (none_differ(same, level, x != y)) return;
    isl_map *m = isl_map_copy(same);
    for (int l = 0; l < level; l++) m = isl_map_equate(m, isl_dim_in, l, isl_dim_out, l);
    isl_map *less = isl_map_order_lt(isl_map_copy(m), isl_dim_in, level, isl_dim_out, level);
    if (x != y)
        less = isl_map_union(less, isl_map_order_gt(isl_map_copy(m), isl_dim_in, level, isl_dim_out, level));
    isl_map_free(m);
    flow_accuse(f, isl_map_params(less), "different %s meet: %s and %s", who(x->leaf->ev->loops[level]),
                flow_text(f->a, x), flow_text(f->a, y));
}

static void check_pair(Flow *f, const FlowAccess *x, const FlowAccess *y) {
    int common = common_loops(x->leaf->ev, y->leaf->ev);
    bool any = false;
    for (int l = 0; l < common; l++)
        any |= is_parallel(x->leaf->ev->loops[l]) && l >= x->scope; // below: part of the address
    if (!any || (is_private(x) && is_private(y))) return;
    poly_tick(f->poly);
    if (!x->exact || !y->exact || x->array != y->array) {
        flow_give_up(f, arena_printf(f->a, "which elements of %s are touched cannot be told: %s",
                                     x->array->name, flow_text(f->a, x->exact ? y : x)));
        return;
    }
    isl_map *same = term_agree(f->poly, x->leaf->ev, y->leaf->ev, flow_same_word(x, y));
    for (int l = x->scope; l < common; l++)
        if (is_parallel(x->leaf->ev->loops[l])) check_level(f, x, y, same, l);
    isl_map_free(same);
}

// A local declared outside of a thread's loop is another one in each thread, which no other sees.
static void check_locals(Flow *f, const FlowLeaf *l) {
    const FlowAccess *x = &l->access[0];
    bool inside = false;
    for (int i = x->scope; i < l->ev->depth; i++)
        inside |= l->ev->loops[i]->how == HOW_THREAD || l->ev->loops[i]->how == HOW_COOP;
    if (x->array->place == PLACE_LOCAL && l->kernel && inside)
        flow_accuse(f, isl_set_params(isl_set_copy(l->ev->domain)), "%s: each thread has a copy of its own",
                    flow_text(f->a, x));
}

void flow_check_races(Flow *f) {
    for (int i = 0; i < f->tree.leaves.n; i++) check_locals(f, f->tree.leaves.at[i]);
    for (int i = 0; i < f->tree.leaves.n; i++)
        for (int j = i; j < f->tree.leaves.n; j++) {
            const FlowLeaf *l = f->tree.leaves.at[i], *m = f->tree.leaves.at[j];
            if (f->tree.loose && l->stmt && m->stmt) continue;
            for (int p = 0; p < l->naccesses; p++)
                for (int q = i == j ? p : 0; q < m->naccesses && !f->unknown; q++)
                    if (may_race(&l->access[p], &m->access[q])) check_pair(f, &l->access[p], &m->access[q]);
        }
}
