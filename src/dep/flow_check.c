// SPDX-License-Identifier: MIT
// flow_check.c -- the values of the tree against those of the region.
#include "dep/flow.h"
#include <isl/aff.h>
#include <isl/space.h>

static bool is_empty(isl_map *m) { return isl_map_is_empty(m) == isl_bool_true; }

// ---- ghosts that do nothing ---------------------------------------------------------------------
// An update by zero: every operand is a literal 0 and the right-hand side is 0 then.

static isl_set *find_idle(FlowTree *t, const FlowLeaf *l) {
    if (l->stmt->op != OP_ADD || !expr_zero_of_zeros(l->stmt->rhs))
        return isl_set_empty(isl_set_get_space(l->ghost));
    isl_set *idle = isl_set_copy(l->ghost);
    for (int k = 1; k < l->naccesses; k++) {
        FlowValue v = {0};
        isl_set *zero = isl_set_empty(isl_set_get_space(l->ghost));
        flow_value(t, l->ev, &l->access[k], isl_set_identity(isl_set_copy(l->ghost)), &v);
        for (int i = 0; i < v.bases.n; i++)
            if (flow_is_number(v.bases.at[i].number, 0))
                zero = isl_set_union(zero, isl_map_domain(isl_map_copy(v.bases.at[i].map)));
        for (int i = 0; i < v.updates.n; i++)
            zero = isl_set_subtract(zero, isl_map_domain(isl_map_copy(v.updates.at[i].map)));
        idle = isl_set_intersect(idle, zero);
    }
    return isl_set_coalesce(idle);
}

// Ghosts of a leaf that change nothing; the leaf's.
static isl_set *idle_ghosts(FlowTree *t, FlowLeaf *l) {
    if (!l->idle) l->idle = own_set(t->flow->a, find_idle(t, l));
    return isl_set_copy(l->idle);
}

static void check_ghost(Flow *f, const FlowFrom *g, const char *what, bool update) {
    isl_map *m = isl_map_copy(g->map);
    if (update) m = isl_map_subtract_range(m, idle_ghosts(&f->tree, g->ghost));
    flow_accuse(f, isl_map_params(m), "%s depends on an instance of %s that the loops do not have (%s)", what,
                flow_name(f->a, g->ghost), flow_text(f->a, g->via));
}

// ---- bases ------------------------------------------------------------------------------------------

static const char *from_text(Arena *a, const FlowFrom *x) {
    if (x->number) return arena_printf(a, "the number %s", ir_print_expr(a, x->number));
    if (x->array) return arena_printf(a, "%s as it was at first", x->array->name);
    return flow_name(a, x->leaf);
}

static bool same_source(const FlowFrom *x, const FlowFrom *y) {
    return x->array == y->array && x->leaf == y->leaf && !x->number == !y->number &&
           (!x->number || expr_equal(x->number, y->number)) && !x->ghost && !y->ghost;
}

// x less what y says of the same source. What always holds in x need not be asked of y.
static isl_map *beyond(const FlowFrom *x, const FlowFrom *list, int n) {
    isl_map *m = isl_map_copy(x->map);
    for (int i = 0; i < n && !is_empty(m); i++) {
        if (!same_source(x, &list[i])) continue;
        isl_map *y = isl_map_gist_domain(isl_map_copy(list[i].map), isl_map_domain(isl_map_copy(m)));
        m = poly_beyond(m, y);
    }
    return m;
}

typedef struct Question {
    const char *what;            // "S0 at line 7 (reads b[k][i])"
    const FlowValue *tree, *region;
    bool ordered;                // updates keep their order
} Question;

static void compare_bases(Flow *f, const Question *q) {
    for (int i = 0; i < q->tree->bases.n; i++) {
        const FlowFrom *b = &q->tree->bases.at[i];
        if (b->ghost) {
            check_ghost(f, b, q->what, false);
            continue;
        }
        if (b->array && b->array->place != PLACE_USER) {
            flow_accuse(f, isl_map_params(isl_map_copy(b->map)), "%s needs what nothing has written (%s)",
                        q->what, flow_text(f->a, b->via));
            continue;
        }
        isl_map *wrong = beyond(b, q->region->bases.at, q->region->bases.n);
        bool known = false; // right but for the element or instance?
        for (int k = 0; k < q->region->bases.n; k++) known |= same_source(b, &q->region->bases.at[k]);
        flow_accuse(f, isl_map_params(wrong),
                    known ? "%s sees another element or instance of %s than it should, by %s"
                          : "%s sees %s in place of its own source, by %s",
                    q->what, known && b->array ? b->array->name : from_text(f->a, b),
                    flow_text(f->a, b->via));
    }
}

// ---- updates -------------------------------------------------------------------------------------------

// Pairs of instances u -> v of the region with v before u.
static isl_map *reversed_pairs(const FlowFrom *u, const FlowFrom *v) {
    isl_map *any =
        isl_map_from_domain_and_range(isl_set_copy(u->leaf->ev->domain), isl_set_copy(v->leaf->ev->domain));
    return flow_order(u->leaf, v->leaf, any, false);
}

// What comes through more copies has come earlier: was it so in the region?
static void check_levels(Flow *f, const Question *q) {
    for (int i = 0; i < q->tree->updates.n; i++)
        for (int j = 0; j < q->tree->updates.n; j++) {
            const FlowFrom *u = &q->tree->updates.at[i], *v = &q->tree->updates.at[j];
            if (u->level <= v->level || u->ghost || v->ghost || (u->round && v->round)) continue;
            isl_map *pairs = isl_map_apply_range(isl_map_reverse(isl_map_copy(u->map)), isl_map_copy(v->map));
            pairs = isl_map_intersect(pairs, reversed_pairs(u, v));
            flow_accuse(f, isl_map_params(pairs),
                        "%s gets updates by %s in another order: that needs a permission to reassociate",
                        q->what, flow_name(f->a, u->leaf));
        }
}

// Updates found by going round have no level that would tell their order; but each was made before
// the copy that took it on was, so the tree's own order does.
static void check_times(Flow *f, const Question *q) {
    for (int i = 0; i < q->tree->updates.n; i++)
        for (int j = 0; j < q->tree->updates.n; j++) {
            const FlowFrom *u = &q->tree->updates.at[i], *v = &q->tree->updates.at[j];
            if (!u->round || !v->round || u->ghost || v->ghost) continue;
            isl_map *pairs =
                isl_map_apply_range(isl_map_reverse(isl_map_copy(u->when)), isl_map_copy(v->when));
            pairs = flow_order(u->by, v->by, pairs, true);
            pairs = isl_map_apply_domain(pairs, isl_map_copy(u->by->orig));
            pairs = isl_map_apply_range(pairs, isl_map_copy(v->by->orig));
            pairs = isl_map_intersect(pairs, reversed_pairs(u, v));
            flow_accuse(f, isl_map_params(pairs),
                        "%s gets updates by %s in another order: that needs a permission to reassociate",
                        q->what, flow_name(f->a, u->leaf));
        }
}

// An update that was made in two rounds, or twice in one, on words of which the value has come.
static void check_rounds(Flow *f, const Question *q) {
    for (int i = 0; i < q->tree->updates.n; i++) {
        const FlowFrom *u = &q->tree->updates.at[i];
        if (!u->round || u->ghost || u->by->once) continue; // mostly no instance runs twice at all
        isl_map *pairs = isl_map_apply_range(isl_map_reverse(isl_map_copy(u->when)), isl_map_copy(u->when));
        isl_map *same =
            isl_map_apply_range(isl_map_copy(u->by->orig), isl_map_reverse(isl_map_copy(u->by->orig)));
        same = term_apart(u->by->ev, same);
        flow_accuse(f, isl_map_params(isl_map_intersect(pairs, same)), "%s gets an update by %s twice (%s)",
                    q->what, flow_name(f->a, u->leaf), flow_text(f->a, u->via));
    }
}

// Are two ways those of different updates? False: maybe not.
static bool are_apart(const FlowFrom *u, const FlowFrom *v) {
    if (u->by == v->by) // of one leaf: by different iterations
        return u->by->once && isl_map_is_disjoint(u->when, v->when) == isl_bool_true;
    isl_set *s = isl_map_range(isl_map_copy(u->by->orig)), *t = isl_map_range(isl_map_copy(v->by->orig));
    bool apart = isl_set_is_disjoint(s, t) == isl_bool_true;
    isl_set_free(s);
    isl_set_free(t);
    return apart;
}

// Two ways by which an update gets there make it count twice.
static void check_ways(Flow *f, const Question *q) {
    for (int i = 0; i < q->tree->updates.n; i++)
        for (int j = 0; j < i; j++) {
            const FlowFrom *u = &q->tree->updates.at[i], *v = &q->tree->updates.at[j];
            if (!u->leaf || u->leaf != v->leaf || are_apart(u, v)) continue;
            isl_map *both = isl_map_intersect(isl_map_copy(u->map), isl_map_copy(v->map));
            flow_accuse(f, isl_map_params(both), "%s gets an update by %s twice (%s)", q->what,
                        flow_name(f->a, u->leaf), flow_text(f->a, u->via));
        }
}

// Do all of the region's updates u reach the value in the tree? Asked of the tree's own counters, in which
// the ways to it are simple, where instances would name them by remainders: each iteration that makes one of
// u has a way, and each of u has such an iteration. False: maybe not.
static bool all_arrive(const Flow *f, const FlowValue *tree, const FlowFrom *u) {
    if (u->leaf->ev->nterms) return false;
    isl_set *lacking = isl_map_range(isl_map_copy(u->map));
    bool arrive = true;
    for (int i = 0; arrive && i < f->tree.leaves.n; i++) {
        const FlowLeaf *l = f->tree.leaves.at[i];
        if (!l->stmt || l->region != u->leaf) continue;
        isl_map *m = isl_map_apply_range(isl_map_copy(u->map), isl_map_reverse(isl_map_copy(l->orig)));
        for (int k = 0; k < tree->updates.n && !is_empty(m); k++)
            if (tree->updates.at[k].by == l) m = poly_beyond(m, isl_map_copy(tree->updates.at[k].when));
        arrive = is_empty(m);
        isl_map_free(m);
        lacking = isl_set_subtract(lacking, isl_map_range(isl_map_copy(l->orig)));
    }
    arrive = arrive && isl_set_is_empty(lacking) == isl_bool_true;
    isl_set_free(lacking);
    return arrive;
}

static void compare_updates(Flow *f, const Question *q) {
    for (int i = 0; i < q->tree->updates.n; i++) {
        const FlowFrom *u = &q->tree->updates.at[i];
        if (u->ghost) check_ghost(f, u, q->what, true);
        else flow_accuse(f, isl_map_params(beyond(u, q->region->updates.at, q->region->updates.n)),
                         "%s gets updates by %s that do not belong to it", q->what, flow_name(f->a, u->leaf));
    }
    for (int i = 0; i < q->region->updates.n; i++) {
        const FlowFrom *u = &q->region->updates.at[i];
        if (all_arrive(f, q->tree, u)) continue;
        flow_accuse(f, isl_map_params(beyond(u, q->tree->updates.at, q->tree->updates.n)),
                    "%s lacks updates by %s", q->what, flow_name(f->a, u->leaf));
    }
    check_ways(f, q);
    check_rounds(f, q);
    if (!q->ordered) return;
    if (q->tree->regrouped && q->tree->updates.n > 0)
        flow_accuse(f, isl_set_copy(f->tree.r->ctx),
                    "%s is added up in parts: that needs a permission to reassociate", q->what);
    check_levels(f, q);
    check_times(f, q);
}

// ---- permission -------------------------------------------------------------------------------------------

static bool has_mark(const FlowLeaf *l, const Array *array, Op op) {
    for (int i = 0; i < l->ev->depth; i++)
        if (mark_reduces(l->ev->loops[i]->mark, array, op)) return true;
    return false;
}

// May the updates by a statement of the region be combined in any order?
static bool is_free(const Flow *f, const FlowLeaf *l) {
    const FlowAccess *x = &l->access[0];
    return type_is_int(x->array->elem) || f->r->reassociate || f->c->reassociate || l->stmt->atomic ||
           has_mark(l, x->array, x->update);
}

static bool are_free(const Flow *f, const FlowValue *v) {
    for (int i = 0; i < v->updates.n; i++)
        if (!is_free(f, v->updates.at[i].leaf)) return false;
    return true;
}

// ---- all values
// ------------------------------------------------------------------------------------------------

static bool is_written(const FlowTree *t, const Array *array) {
    for (int i = 0; i < t->leaves.n; i++)
        if (arrays_may_overlap(t->leaves.at[i]->access[0].array, array)) return true;
    return false;
}

// A read of the region's own subscripts of what nobody writes.
static bool is_plain_input(const Flow *f, const FlowAccess *x) {
    return x->own && !is_written(&f->tree, x->array) && !is_written(&f->region, x->array);
}

static bool is_touch_of(const Touch *t, const FlowAccess *x) {
    bool same = t->ev == x->leaf->ev && t->array == x->array;
    for (int d = 0; d < x->array->rank && same; d++) same = expr_equal(t->sub[d], x->sub[d]);
    return same;
}

isl_set *flow_made_at(Flow *f, const FlowAccess *x) {
    isl_set *all = NULL;
    for (int i = 0; i < f->tree.r->touches.n; i++) {
        const Touch *t = &f->tree.r->touches.at[i];
        if (!is_touch_of(t, x)) continue;
        if (!t->real) return isl_set_free(all), NULL;
        isl_set *s = isl_map_domain(isl_map_copy(t->real));
        all = all ? isl_set_union(all, s) : s;
    }
    return all;
}

static void check_read(Flow *f, FlowLeaf *l, int k) {
    FlowAccess *x = &l->access[k];
    if (f->unknown || is_plain_input(f, x)) return;
    FlowValue tree = {0}, region = {0};
    isl_map *real = isl_map_copy(l->orig);
    isl_set *possible = term_consistent(f->poly, l->ev);
    if (possible) real = isl_map_intersect_domain(real, isl_set_copy(possible));
    isl_set *made = flow_made_at(f, x);
    if (made) real = isl_map_intersect_domain(real, made);
    isl_map *m = isl_set_identity(isl_map_domain(isl_map_copy(real)));
    flow_value(&f->tree, l->ev, x, m, &tree);
    flow_value(&f->region, l->ev, &l->region->access[k], real, &region);
    Question q = {flow_text(f->a, &l->region->access[k]), &tree, &region, !are_free(f, &region)};
    compare_bases(f, &q);
    compare_updates(f, &q);
}

static isl_set *elements_written(const FlowTree *t, const Array *array) {
    isl_set *all = NULL;
    for (int i = 0; i < t->leaves.n; i++) {
        const FlowAccess *x = &t->leaves.at[i]->access[0];
        if (x->array != array) continue;
        isl_set *s = isl_map_range(isl_map_copy(x->map));
        all = all ? isl_set_union(all, s) : s;
    }
    return all;
}

// Of elements that data choose those between the least and the greatest: the others are nobody's, and the
// tree may not touch them.
static isl_set *chosen(Flow *f, const Array *array, isl_set *elements) {
    const Sym **e = NEW_N(f->a, const Sym *, array->rank + 1);
    for (int d = 0; d < array->rank; d++) {
        Sym *s = NEW(f->a, Sym);
        *s = (Sym){.name = arena_printf(f->a, "e%d", d), .kind = SYM_ITER, .type = T_I64};
        e[d] = s;
    }
    for (int d = 0; elements && d < array->rank; d++) {
        isl_set *s = flow_within(f, (PolyScope){array->rank, e}, array, d, expr_sym(f->a, e[d]));
        if (s) elements = isl_set_intersect(elements, s);
    }
    return elements;
}

// What decides who writes an element, if the region says it: terms of the elements.
static Term *terms_at_end(Flow *f, const Array *array, int *n) {
    Term *terms = NEW_N(f->a, Term, TERM_MAX);
    *n = 0;
    for (int i = 0; i < f->region.leaves.n; i++) {
        const FlowAccess *x = &f->region.leaves.at[i]->access[0];
        Expr **sub = NEW_N(f->a, Expr *, array->rank + 1);
        if (x->array != array || !x->exact) continue;
        for (int d = 0; d < array->rank; d++) sub[d] = event_value(f->region.r, x->leaf->ev, x->sub[d]);
        *n = term_of_elements(f->poly, x->leaf->ev, sub, array->rank, *n, terms);
    }
    for (int i = 0; i < *n; i++)
        for (int k = 0; k < terms[i].x->nargs; k++) {
            isl_map *m = isl_map_copy(terms[i].operand[k]);
            terms[i].operand[k] =
                own_map(f->a, isl_map_project_out(m, isl_dim_in, (unsigned)(array->rank + *n),
                                                  (unsigned)(TERM_MAX - *n)));
        }
    return terms;
}

static void check_out(Flow *f, const Array *array) {
    isl_set *r = chosen(f, array, elements_written(&f->region, array));
    isl_set *t = elements_written(&f->tree, array);
    if (r && t) t = isl_set_subtract(t, isl_set_copy(r)); // mostly nothing
    isl_set *all = r && t ? isl_set_union(r, t) : r ? r : t;
    if (!all || f->unknown) {
        isl_set_free(all);
        return;
    }
    int nterms;
    Term *terms = terms_at_end(f, array, &nterms);
    all = isl_set_add_dims(isl_set_coalesce(all), isl_dim_set, (unsigned)nterms);
    FlowLeaf *tree_end = flow_out(&f->tree, array, isl_set_copy(all), nterms, terms);
    FlowLeaf *region_end = flow_out(&f->region, array, isl_set_copy(all), nterms, terms);
    FlowValue tree = {0}, region = {0};
    flow_value(&f->tree, tree_end->ev, &tree_end->access[0], isl_set_identity(isl_set_copy(all)), &tree);
    flow_value(&f->region, region_end->ev, &region_end->access[0], isl_set_identity(all), &region);
    Question q = {arena_printf(f->a, "the result %s", array->name), &tree, &region, !are_free(f, &region)};
    compare_bases(f, &q);
    compare_updates(f, &q);
}

void flow_check_values(Flow *f) {
    for (int i = 0; i < f->tree.leaves.n; i++) {
        FlowLeaf *l = f->tree.leaves.at[i];
        for (int k = 0; l->stmt && k < l->naccesses; k++)
            if (!l->access[k].write) check_read(f, l, k);
    }
    for (int i = 0; i < f->r->narrays; i++)
        if (f->r->arrays[i]->live_out) check_out(f, f->r->arrays[i]);
}
