// SPDX-License-Identifier: MIT
// flow_base.c -- the last write before a read, and the updates since.
//
//   w: s[i] = 0        bases of r:   w        updates of r:  u
//   u: s[i] += x
//   r: … = s[i]        Computed pair by pair; where several writes may be the last, the
//                      latest of their times decides.
#include "dep/conflict.h"
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

// [counters] -> [positions and running counters], padded with zeros.
static isl_map *time_map(const FlowLeaf *l, int n) {
    isl_ctx *ctx = isl_set_get_ctx(l->ev->domain);
    isl_map *m = isl_map_universe(isl_space_alloc(ctx, 0, (unsigned)l->ev->scope.n, (unsigned)n));
    for (int i = 0; i < n; i++) {
        if (i >= l->ntime || l->time[i].level < 0) {
            m = isl_map_fix_si(m, isl_dim_out, (unsigned)i, i < l->ntime ? l->time[i].position : 0);
        } else if (!l->time[i].down) {
            m = isl_map_equate(m, isl_dim_in, l->time[i].level, isl_dim_out, i);
        } else {
            isl_constraint *c =
                isl_constraint_alloc_equality(isl_local_space_from_space(isl_map_get_space(m)));
            c = isl_constraint_set_coefficient_si(c, isl_dim_in, l->time[i].level, 1);
            m = isl_map_add_constraint(m, isl_constraint_set_coefficient_si(c, isl_dim_out, i, 1));
        }
    }
    return m;
}

// Does anything but one instance of a leaf that runs at one time only qualify?
static bool has_running_time(const FlowLeaf *l) {
    for (int i = 0; i < l->ntime; i++)
        if (l->time[i].level >= 0) return true;
    return false;
}

// ---- the last write --------------------------------------------------------------------------------

// Of some writes that may be the last for the same reads, the last.
static void keep_last_of(Flow *f, FlowEdge *const *e, int count) {
    int n = 0;
    for (int i = 0; i < count; i++)
        if (e[i]->to->leaf->ntime > n) n = e[i]->to->leaf->ntime;
    isl_map *last = NULL;
    for (int i = 0; i < count; i++) {
        isl_map *m = isl_map_apply_range(isl_map_copy(e[i]->map), time_map(e[i]->to->leaf, n));
        last = last ? isl_map_union(last, m) : m;
    }
    if (count > 1 || isl_map_is_single_valued(last) != isl_bool_true) {
        last = isl_map_lexmax(last);
        for (int i = 0; i < count; i++) {
            isl_map *back = isl_map_reverse(time_map(e[i]->to->leaf, n));
            isl_map *at = isl_map_apply_range(isl_map_copy(last), back);
            e[i]->map = own_map(f->a, isl_map_coalesce(isl_map_intersect(isl_map_copy(e[i]->map), at)));
        }
    }
    isl_map_free(last);
}

static bool share_reads(const FlowEdge *x, const FlowEdge *y) {
    isl_set *s = isl_map_domain(isl_map_copy(x->map)), *t = isl_map_domain(isl_map_copy(y->map));
    bool disjoint = isl_set_is_disjoint(s, t) == isl_bool_true;
    isl_set_free(s);
    isl_set_free(t);
    return !disjoint;
}

// Do all instances of x run before all of y, by the text alone?
static bool runs_before(const FlowLeaf *x, const FlowLeaf *y) {
    for (int i = 0; i < x->ntime && i < y->ntime; i++) {
        if (x->time[i].level >= 0 || y->time[i].level >= 0) return false;
        if (x->time[i].position != y->time[i].position) return x->time[i].position < y->time[i].position;
    }
    return false;
}

// Where one comes after another by the text, no more needs to be known of either.
static void drop_earlier(Flow *f, FlowEdges *e) {
    for (int i = 0; i < e->n; i++)
        for (int j = 0; j < e->n; j++) {
            FlowEdge *x = &e->at[i], *y = &e->at[j];
            if (!runs_before(x->to->leaf, y->to->leaf) || !share_reads(x, y)) continue;
            isl_set *later = isl_map_domain(isl_map_copy(y->map));
            isl_map *m = isl_map_subtract_domain(isl_map_copy(x->map), isl_set_coalesce(later));
            x->map = own_map(f->a, isl_map_coalesce(m));
        }
}

// Writes that share no read with any other are looked at alone.
static void keep_last(Flow *f, FlowEdges *e) {
    drop_earlier(f, e);
    FlowEdge **together = NEW_N(f->a, FlowEdge *, e->n + 1);
    int count = 0;
    for (int i = 0; i < e->n; i++) {
        FlowEdge *x = &e->at[i];
        bool alone = true;
        for (int j = 0; j < e->n && alone; j++) alone = i == j || !share_reads(x, &e->at[j]);
        if (!alone) together[count++] = x;
        else if (has_running_time(x->to->leaf)) keep_last_of(f, &x, 1);
    }
    if (count) keep_last_of(f, together, count);
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

static void find_writes(FlowTree *t, FlowAccess *r) {
    Flow *f = t->flow;
    for (int i = 0; i < t->leaves.n; i++) {
        const FlowAccess *w = &t->leaves.at[i]->access[0];
        if (!flow_same_memory(r, w)) continue;
        if (r->array != w->array || !w->exact || !r->exact) {
            flow_give_up(f, arena_printf(f->a, "which elements of %s it touches depends on data: %s",
                                         w->array->name, flow_text(f->a, w->exact ? r : w)));
            continue;
        }
        isl_map *m = certain_writes(t, r, w, flow_order(r->leaf, w->leaf, flow_same_word(r, w), false));
        add_edge(f, w->update == OP_SET ? &r->bases : &r->updates, w, m);
    }
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
