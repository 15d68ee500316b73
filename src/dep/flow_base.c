// SPDX-License-Identifier: MIT
// flow_base.c -- the last write before a read, and the updates since.
//
//   w: s[i] = 0        bases of r:   w        updates of r:  u
//   u: s[i] += x
//   r: … = s[i]        Computed pair by pair; where several writes may be the last, the
//                      latest of their times decides.
#include "dep/conflict.h"
#include "dep/factor.h"
#include "dep/flow.h"
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>

// ---- order ------------------------------------------------------------------------------------

static bool is_serial(const Node *loop) { return loop->how == HOW_SERIAL || loop->how == HOW_UNROLL; }

isl_map *flow_order(const FlowLeaf *in, const FlowLeaf *out, isl_map *pairs, bool in_first) {
    int common = common_loops(in->ev, out->ev);
    isl_map *equal = pairs, *first = isl_map_empty(isl_map_get_space(pairs));
    for (int l = 0; l < common; l++) {
        const Node *loop = in->ev->loops[l];
        if (is_serial(loop)) {
            isl_map *m = isl_map_copy(equal);
            first = isl_map_union(first, (loop->step > 0) == in_first
                                             ? isl_map_order_lt(m, isl_dim_in, l, isl_dim_out, l)
                                             : isl_map_order_gt(m, isl_dim_in, l, isl_dim_out, l));
        }
        equal = isl_map_equate(equal, isl_dim_in, l, isl_dim_out, l);
    }
    bool text = in_first ? in->ev->order < out->ev->order : in->ev->order > out->ev->order;
    if (text) return isl_map_union(first, equal);
    isl_map_free(equal);
    return first;
}

bool flow_same_memory(const FlowAccess *x, const FlowAccess *y) {
    if (x->array == y->array) return x->decl == y->decl;
    return arrays_may_overlap(x->array, y->array);
}

isl_map *flow_same_word(const FlowAccess *x, const FlowAccess *y) {
    if (x->array != y->array)
        return isl_map_from_domain_and_range(isl_map_domain(isl_map_copy(x->map)),
                                             isl_map_domain(isl_map_copy(y->map)));
    isl_map *back = isl_map_reverse(isl_map_copy(y->map));
    return isl_map_apply_range(isl_map_copy(x->map), back);
}

// ---- time as a vector ----------------------------------------------------------------------------

// [counters, or those of them that are taken] -> [positions and running counters], padded with zeros. taken:
// NULL, or what all counters that run are among.
static isl_map *time_map(const FlowLeaf *l, int n, const bool *taken) {
    isl_ctx *ctx = isl_set_get_ctx(l->ev->domain);
    int at[64], ndims = 0; // where each counter is
    for (int i = 0; i < l->ev->scope.n && i < 64; i++) at[i] = ndims, ndims += !taken || taken[i];
    if (!taken) ndims = l->ev->scope.n;
    isl_map *m = isl_map_universe(isl_space_alloc(ctx, 0, (unsigned)ndims, (unsigned)n));
    for (int i = 0; i < n; i++) {
        if (i >= l->ntime || l->time[i].level < 0) {
            m = isl_map_fix_si(m, isl_dim_out, (unsigned)i, i < l->ntime ? l->time[i].position : 0);
            continue;
        }
        int level = taken ? at[l->time[i].level] : l->time[i].level;
        if (!l->time[i].down) {
            m = isl_map_equate(m, isl_dim_in, level, isl_dim_out, i);
        } else {
            isl_constraint *c =
                isl_constraint_alloc_equality(isl_local_space_from_space(isl_map_get_space(m)));
            c = isl_constraint_set_coefficient_si(c, isl_dim_in, level, 1);
            m = isl_map_add_constraint(m, isl_constraint_set_coefficient_si(c, isl_dim_out, i, 1));
        }
    }
    return m;
}

// ---- the last write --------------------------------------------------------------------------------

// Of the writes of one leaf, each read's last: asked of those counters alone with which the leaf's running
// ones belong together. False: they can't be looked at by themselves.
static bool keep_last_apart(Flow *f, FlowEdge *e) {
    enum { MOST = 64, MOST_PIECES = 3 };
    const FlowLeaf *l = e->to->leaf;
    bool in[MOST] = {false}, out[MOST] = {false};
    if (isl_map_dim(e->map, isl_dim_in) > MOST || l->ev->scope.n > MOST) return false;
    if (isl_map_n_basic_map(e->map) > MOST_PIECES) return false; // their last ones come in ever more pieces
    for (int i = 0; i < l->ntime; i++)
        if (l->time[i].level >= 0) out[l->time[i].level] = true;
    isl_map *m = factor_of(e->map, in, out);
    if (!m) return false;
    isl_map *time = time_map(l, l->ntime, out);
    isl_map *last = isl_map_apply_range(isl_map_copy(m), isl_map_copy(time));
    bool single = isl_map_is_single_valued(last) == isl_bool_true;
    // in one piece isl finds the last among all counters as soon, and simpler
    if (single || isl_map_n_basic_map(e->map) == 1) {
        isl_map_free(last);
        isl_map_free(time);
        isl_map_free(m);
        return single;
    }
    last = isl_map_apply_range(isl_map_lexmax(last), isl_map_reverse(time));
    m = isl_map_coalesce(isl_map_intersect(m, last));
    e->map = own_map(f->a, isl_map_coalesce(factor_meet(isl_map_copy(e->map), m, in, out)));
    return true;
}

// Do all instances of x run before all of y, by the text alone?
static bool runs_before(const FlowLeaf *x, const FlowLeaf *y) {
    for (int i = 0; i < x->ntime && i < y->ntime; i++) {
        if (x->time[i].level >= 0 || y->time[i].level >= 0) return false;
        if (x->time[i].position != y->time[i].position) return x->time[i].position < y->time[i].position;
    }
    return false;
}

// Do the places that w writes name the counter of loop l, as the text has it?
static bool is_named(const FlowAccess *w, int l) {
    bool named = l < w->scope;
    for (int d = 0; d < w->array->rank && !named; d++)
        named = w->sub[d]->kind == E_SYM && w->sub[d]->sym == w->leaf->ev->loops[l]->iter;
    return named;
}

// Is each place written at one time alone, as the text has it?
static bool writes_once(const FlowAccess *w) {
    for (int i = 0; i < w->leaf->ntime; i++)
        if (w->leaf->time[i].level >= 0 && !is_named(w, w->leaf->time[i].level)) return false;
    return true;
}

// As writes_once, by the numbers; w's.
static bool is_one_to_one(FlowAccess *w) {
    if (!w->counted) w->once = factor_is_injective(w->map);
    w->counted = true;
    return w->once;
}

// Of the writes of one leaf, each read's last.
static void keep_last_of(Flow *f, FlowEdge *e) {
    if (writes_once(e->to) || keep_last_apart(f, e) || is_one_to_one(&e->to->leaf->access[0])) return;
    isl_map *time = time_map(e->to->leaf, e->to->leaf->ntime, NULL);
    isl_map *last = isl_map_apply_range(isl_map_copy(e->map), isl_map_copy(time));
    if (isl_map_is_single_valued(last) != isl_bool_true) {
        isl_map *back = isl_map_reverse(isl_map_copy(time));
        isl_map *at = isl_map_apply_range(isl_map_lexmax(isl_map_copy(last)), back);
        e->map = own_map(f->a, isl_map_coalesce(isl_map_intersect(isl_map_copy(e->map), at)));
    }
    isl_map_free(last);
    isl_map_free(time);
}

static isl_set *reads_of(const FlowEdge *e) { return isl_map_domain(isl_map_copy(e->map)); }

static bool share_reads(const FlowEdge *x, const FlowEdge *y) {
    isl_set *s = reads_of(x), *t = reads_of(y);
    bool disjoint = isl_set_is_disjoint(s, t) == isl_bool_true;
    isl_set_free(s);
    isl_set_free(t);
    return !disjoint;
}

// x without the reads that see a later write by y. Of several writes a read sees the one that no other makes
// it lose; where two come at one time, both.
static void drop_earlier(Flow *f, FlowEdge *x, const FlowEdge *y) {
    const FlowLeaf *l = x->to->leaf, *m = y->to->leaf;
    isl_ctx *ctx = isl_map_get_ctx(x->map);
    isl_space *space = isl_space_alloc(ctx, 0, (unsigned)m->ev->scope.n, (unsigned)l->ev->scope.n);
    isl_map *order = flow_order(m, l, isl_map_universe(space), false);
    isl_map *before = isl_map_apply_range(isl_map_copy(y->map), order);
    before = isl_map_intersect(isl_map_copy(x->map), before);
    if (isl_map_is_empty(before) == isl_bool_true) isl_map_free(before);
    else x->map = own_map(f->a, isl_map_coalesce(isl_map_subtract(isl_map_copy(x->map), before)));
}

// Writes that come one after another by the text share no read (still_open).
static void keep_last(Flow *f, FlowEdges *e) {
    for (int i = 0; i < e->n; i++) keep_last_of(f, &e->at[i]);
    for (int i = 0; i < e->n; i++)
        for (int j = 0; j < i; j++) {
            FlowEdge *x = &e->at[i], *y = &e->at[j];
            if (runs_before(x->to->leaf, y->to->leaf) || runs_before(y->to->leaf, x->to->leaf) ||
                !share_reads(x, y))
                continue;
            drop_earlier(f, x, y);
            drop_earlier(f, y, x);
        }
}

static void add_edge(Flow *f, FlowEdges *e, const FlowAccess *to, isl_map *m) {
    if (isl_map_is_empty(m) == isl_bool_true) {
        isl_map_free(m);
        return;
    }
    FlowEdge edge = {to, own_map(f->a, m)};
    vec_push(f->a, e, edge);
}

// Whether a write comes before the read must not depend on more than the reader knows; of a statement's
// updates it is told instance by instance.
static isl_map *certain_writes(FlowTree *t, const FlowAccess *r, const FlowAccess *w, isl_map *m) {
    const Event *from = r->leaf->ev, *to = w->leaf->ev;
    if (!to->nterms) return m;
    m = term_agree(t->flow->poly, from, to, m);
    if (w->update != OP_SET && w->leaf->stmt) return m;
    isl_map *sure = term_pinned(t->flow->poly, from, to, isl_map_copy(m));
    if (isl_map_is_subset(m, sure) != isl_bool_true)
        flow_give_up(t->flow, arena_printf(t->flow->a,
                                           "whether it comes before the value is needed depends on data: %s",
                                           flow_text(t->flow->a, w)));
    isl_map_free(sure);
    return m;
}

// Those reads that see none of the base writes so far that come after w by the text alone: no others can see
// w. NULL: all. So it is asked from the last write of the text to the first, and what comes before a write
// that all reads see is not looked at.
static isl_set *still_open(const FlowAccess *r, const FlowAccess *w) {
    isl_set *open = NULL;
    for (int i = 0; i < r->bases.n && (!open || isl_set_is_empty(open) != isl_bool_true); i++) {
        const FlowEdge *b = &r->bases.at[i];
        if (!runs_before(w->leaf, b->to->leaf)) continue;
        if (!open) open = isl_set_copy(r->leaf->ev->domain);
        isl_set *seen = isl_set_coalesce(isl_map_domain(isl_map_copy(b->map)));
        seen = isl_set_gist(seen, isl_set_copy(open));
        open = isl_set_coalesce(isl_set_subtract(open, seen));
    }
    return open;
}

static void reverse(FlowEdges *e) {
    for (int i = 0; i < e->n / 2; i++) {
        FlowEdge x = e->at[i];
        e->at[i] = e->at[e->n - 1 - i];
        e->at[e->n - 1 - i] = x;
    }
}

static void find_writes(FlowTree *t, FlowAccess *r) {
    Flow *f = t->flow;
    for (int i = t->leaves.n - 1; i >= 0; i--) {
        const FlowAccess *w = &t->leaves.at[i]->access[0];
        if (!flow_same_memory(r, w)) continue;
        if (r->array != w->array || !w->exact || !r->exact) {
            flow_give_up(f, arena_printf(f->a, "which elements of %s it touches depends on data: %s",
                                         w->array->name, flow_text(f->a, w->exact ? r : w)));
            continue;
        }
        isl_set *open = still_open(r, w);
        if (open && isl_set_is_empty(open) == isl_bool_true) {
            isl_set_free(open);
            continue;
        }
        isl_map *m = flow_same_word(r, w);
        if (open) m = isl_map_intersect_domain(m, open);
        m = certain_writes(t, r, w, flow_order(r->leaf, w->leaf, m, false));
        add_edge(f, w->update == OP_SET ? &r->bases : &r->updates, w, m);
    }
    reverse(&r->bases);
    reverse(&r->updates);
}

// Updates that come after the base.
static void keep_later(Flow *f, const FlowAccess *r, FlowEdge *u) {
    isl_map *later = isl_map_intersect_domain(isl_map_copy(u->map), isl_set_copy(r->rest));
    for (int i = 0; i < r->bases.n; i++) {
        const FlowEdge *b = &r->bases.at[i];
        isl_map *any = isl_map_from_domain_and_range(isl_set_copy(b->to->leaf->ev->domain),
                                                     isl_set_copy(u->to->leaf->ev->domain));
        any = flow_order(b->to->leaf, u->to->leaf, any, true);
        any = isl_map_apply_range(isl_map_copy(b->map), any);
        later = isl_map_union(later, isl_map_intersect(isl_map_copy(u->map), any));
    }
    u->map = own_map(f->a, isl_map_coalesce(later));
}

void flow_compute(FlowTree *t, FlowAccess *r) {
    Flow *f = t->flow;
    if (r->known) return;
    r->known = true;
    poly_tick(f->poly);
    find_writes(t, r);
    keep_last(f, &r->bases);
    isl_set *rest = isl_set_copy(r->leaf->ev->domain);
    for (int i = 0; i < r->bases.n && isl_set_is_empty(rest) != isl_bool_true; i++) {
        isl_set *seen = isl_map_domain(isl_map_copy(r->bases.at[i].map));
        seen = isl_set_gist(seen, isl_set_copy(rest));
        rest = isl_set_subtract(rest, seen);
    }
    r->rest = own_set(f->a, isl_set_coalesce(rest));
    int left = 0;
    for (int i = 0; i < r->updates.n; i++) {
        FlowEdge *u = &r->updates.at[i];
        if (r->bases.n) keep_later(f, r, u);
        if (isl_map_is_empty(u->map) == isl_bool_true) continue; // all of them come before the base
        r->updates.at[left++] = *u;
        if (u->to->update != r->updates.at[0].to->update)
            flow_give_up(f, arena_printf(f->a, "%s is updated by different operators", r->array->name));
    }
    r->updates.n = left;
}
