// SPDX-License-Identifier: MIT
// flow_plain.c -- what reads see through plain copies alone.
//
//   copy s[kt % 4][..] = a[..]        before the loop, and three iterations ahead
//   copy r[kk % 2][..] = s[kt % 4][..]    before the loop, an iteration ahead, and behind it
//   S0 reads r[kk % 2][..]            six ways lead to a, and all bring the element that kt and kk name
//
// With no updates, statements and rounds on its way, such a value is the same whoever asks. It is found out
// once, over the counters of the read; ways that lead to one array, or to one number, are one base from there
// on. The union of all ways is what a walk along each of them by itself would find: nothing is left out, and
// nothing is added.
#include "dep/conflict.h"
#include "dep/flow.h"

// Can flow be asked for without a doubt about data, and are all writes plain copies? Told by the text alone.
static bool is_copied_to(const FlowTree *t, const FlowAccess *r) {
    if (!r->exact || r->leaf->ev->nterms) return false;
    for (int i = 0; i < t->leaves.n; i++) {
        const FlowLeaf *l = t->leaves.at[i];
        const FlowAccess *w = &l->access[0];
        if (!flow_same_memory(r, w)) continue;
        if (l->stmt || w->update != OP_SET || w->array != r->array || !w->exact || l->ev->nterms)
            return false;
    }
    return true;
}

static bool same_base(const FlowFrom *x, const FlowFrom *y) {
    return x->array == y->array && !x->number == !y->number &&
           (!x->number || expr_equal(x->number, y->number));
}

// map: taken.
static void add_base(Flow *f, FlowValue *v, FlowFrom from, isl_map *map) {
    if (isl_map_is_empty(map) == isl_bool_true) {
        isl_map_free(map);
        return;
    }
    for (int i = 0; i < v->bases.n; i++) {
        FlowFrom *b = &v->bases.at[i];
        if (!same_base(b, &from)) continue;
        b->map = own_map(f->a, isl_map_union(isl_map_copy(b->map), map));
        return;
    }
    from.map = own_map(f->a, map);
    vec_push(f->a, &v->bases, from);
}

// The bases of a write seen through `edge`; false: it is not plain.
static bool add_copy(FlowTree *t, FlowAccess *r, const FlowEdge *edge, FlowValue *v) {
    Flow *f = t->flow;
    FlowLeaf *l = edge->to->leaf;
    const Expr *number = flow_number(f->a, edge->to->array->elem, l->node->src);
    if (number) {
        isl_map *m = isl_map_copy(edge->map);
        m = isl_map_project_out(m, isl_dim_out, 0, (unsigned)isl_map_dim(m, isl_dim_out));
        add_base(f, v, (FlowFrom){.number = number, .via = r}, m);
        return true;
    }
    const FlowValue *from = l->node->src->kind == E_LOAD ? flow_plain(t, &l->access[1]) : NULL;
    for (int i = 0; from && i < from->bases.n; i++) {
        const FlowFrom *b = &from->bases.at[i];
        add_base(f, v, *b, isl_map_apply_range(isl_map_copy(edge->map), isl_map_copy(b->map)));
    }
    return from != NULL;
}

const FlowValue *flow_plain(FlowTree *t, FlowAccess *r) {
    Flow *f = t->flow;
    if (r->asked) return r->plain; // a round: NULL, until all of it is known
    r->asked = true;
    if (f->unknown || !is_copied_to(t, r)) return NULL;
    flow_compute(t, r);
    FlowValue *v = NEW(f->a, FlowValue);
    for (int i = 0; i < r->bases.n; i++)
        if (isl_map_is_empty(r->bases.at[i].map) != isl_bool_true && !add_copy(t, r, &r->bases.at[i], v))
            return NULL;
    if (isl_set_is_empty(r->rest) != isl_bool_true) {
        isl_map *m = isl_map_intersect_domain(isl_map_copy(r->map), isl_set_copy(r->rest));
        add_base(f, v, (FlowFrom){.array = r->array, .via = r}, m);
    }
    for (int i = 0; i < v->bases.n; i++) {
        FlowFrom *b = &v->bases.at[i];
        b->map = own_map(f->a, isl_map_coalesce(isl_map_copy(b->map)));
    }
    return r->plain = v;
}
