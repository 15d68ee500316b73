// SPDX-License-Identifier: MIT
// ties.c -- where two places are compared (places.c): is each one's value what is compared, and of equal ones
// is the right one kept?
//
//   i better= .place(w, j)       w: what is compared; j: not before any place that i may be
//
// By induction over time: if all that was compared before was right, a place is that of the greatest value.
#include "equal/flows.h"
#include <isl/aff.h>
#include <isl/space.h>

bool value_is_place(const Value *v) {
    return v->kind == VALUE_OP && v->x->kind == E_CALL && str_eq(v->x->fn, EQUAL_PLACE);
}

// No data are better than this number, whatever they are: of the type none is less, or greater.
static bool is_worst(const Value *v, bool least) {
    if (v->type == T_I32) return value_is_number(v, least ? 0x1p31 - 1 : -0x1p31);
    if (v->kind != VALUE_NUMBER || v->x->kind != E_FLOAT) return false;
    double most = v->type == T_F32 ? (double)__FLT_MAX__ : __DBL_MAX__;
    return least ? v->x->f >= most : v->x->f <= -most;
}

bool value_is_beginning(Prover *p, Op op, const Value *v) {
    if (op == OP_MAX || op == OP_MIN) return is_worst(v, op == OP_MIN);
    return op == OP_SELECT && value_is_place(v) && is_worst(v->kid[0], p->p->least);
}

static FlowLeaf *leaf_of(const Side *s, const Node *n) {
    for (int i = 0; i < s->tree->leaves.n; i++)
        if (s->tree->leaves.at[i]->node == n) return s->tree->leaves.at[i];
    return NULL;
}

// What a place is chosen among.
static Parts places_of(Prover *p, const Piece *x) {
    if (x->v->kind == VALUE_SUM && x->v->op == OP_SELECT) return *value_parts(p->a, x->v);
    Parts one = {0};
    if (!value_is_place(x->v)) prove_unknown(p, "the value that a place belongs to is not known");
    else vec_push(p->a, &one, ((Part){.at = x->at, .v = x->v, .direct = true, .first = true}));
    return one;
}

// points → the places, as numbers.
static isl_map *numbers_of(Prover *p, const Part *t, const isl_set *at) {
    const Value *v = t->v->kid[1];
    if (v->kind != VALUE_INT) {
        prove_unknown(p, "which of two places with equal values is kept hangs on data");
        return NULL;
    }
    isl_set *s = isl_set_copy(t->at);
    isl_map *m = isl_map_intersect_domain(isl_map_copy(v->map), s);
    unsigned n = (unsigned)isl_set_dim((isl_set *)at, isl_dim_set);
    unsigned all = (unsigned)isl_map_dim(m, isl_dim_in);
    m = isl_map_project_out(m, isl_dim_in, n, all - n);
    return isl_map_intersect_domain(m, isl_set_copy((isl_set *)at));
}

// Places of `kept` that are worse than some of `lost`, with equal values.
static void compare_ties(Prover *p, const Piece *kept, const Piece *lost) {
    isl_set *at = isl_set_intersect(isl_set_copy(kept->at), isl_set_copy(lost->at));
    Parts x = places_of(p, kept), y = places_of(p, lost);
    for (int i = 0; i < x.n; i++)
        for (int j = 0; j < y.n && !p->unknown; j++) {
            bool first = value_is_beginning(p, OP_SELECT, x.at[i].v);
            if (first != value_is_beginning(p, OP_SELECT, y.at[j].v)) { // these are not equal
                p->begins = true;
                continue;
            }
            isl_map *m = numbers_of(p, &x.at[i], at), *n = m ? numbers_of(p, &y.at[j], at) : NULL;
            isl_map *bad = NULL;
            if (n) bad = p->p->last ? isl_map_lex_lt_map(m, n) : isl_map_lex_gt_map(m, n);
            else if (m) isl_map_free(m);
            if (!bad) break;
            bad = isl_map_intersect(bad, isl_map_identity(isl_map_get_space(bad)));
            prove_open(p, isl_map_domain(bad), "of equal values the kernel may keep the place of another");
        }
    isl_set_free(at);
}

// ---- values and places that are written together ---------------------------------------------------
//   sv[t] = v;  si[t] = i         what is read of both, later, is of one pair if v and i were
static bool belongs(Side *s, FlowAccess *v, FlowAccess *r, isl_map *pairs);

static isl_map *copy(const isl_map *m) { return isl_map_copy((isl_map *)m); }
static isl_set *domain(const isl_map *m) { return isl_map_domain(copy(m)); }
static isl_map *on(const isl_map *m, const isl_map *n) { return isl_map_apply_range(copy(m), copy(n)); }
static isl_map *from(const isl_map *m, const isl_set *at) {
    return isl_map_intersect_domain(copy(m), isl_set_copy((isl_set *)at));
}
static isl_map *into(const isl_map *m, const isl_set *at) {
    return isl_map_intersect_range(copy(m), isl_set_copy((isl_set *)at));
}

// Are the values of both the same at these pairs of counters?
static bool same_values(Side *s, FlowLeaf *vl, Expr *v, FlowLeaf *kl, Expr *k, const isl_map *pairs) {
    Prover *p = s->proof;
    isl_map *flat = isl_map_reverse(isl_set_flatten_map(isl_map_wrap(copy(pairs))));
    isl_map *to_v = isl_map_apply_range(isl_map_copy(flat), isl_map_domain_map(copy(pairs)));
    isl_map *to_k = isl_map_apply_range(flat, isl_map_range_map(copy(pairs)));
    Pieces x = {0}, y = {0};
    value_of_expr(s, vl, v, to_v, &x);
    value_of_expr(s, kl, k, to_k, &y);
    bool same = !p->unknown;
    for (int i = 0; i < x.n; i++)
        for (int j = 0; j < y.n && same; j++) {
            const char *why = NULL;
            isl_set *both = isl_set_intersect(isl_set_copy(x.at[i].at), isl_set_copy(y.at[j].at));
            isl_set *bad = compare_values(p, x.at[i].v, y.at[j].v, both, &why);
            same = isl_set_is_empty(bad) == isl_bool_true;
            isl_set_free(bad);
        }
    return same && !p->unknown;
}

static bool is_call(const Expr *x, const char *fn) { return x->kind == E_CALL && str_eq(x->fn, fn); }

// Is what r reads at some of these counters updated before? Takes them.
static bool grows_at(Side *s, FlowAccess *r, isl_set *at) {
    flow_compute(s->tree, r);
    bool some = false;
    for (int i = 0; i < r->updates.n && !some; i++) {
        isl_map *m = from(r->updates.at[i].map, at);
        some = isl_map_is_empty(m) != isl_bool_true;
        isl_map_free(m);
    }
    isl_set_free(at);
    return some;
}

// Less those pairs of which the first finds what v leads to and the second what r does; NULL: anything.
static isl_map *without(isl_map *pairs, const FlowEdge *v, const FlowEdge *r) {
    isl_map *met = isl_map_copy(pairs);
    if (v) met = isl_map_intersect_domain(met, domain(v->map));
    if (r) met = isl_map_intersect_range(met, domain(r->map));
    return isl_map_subtract(pairs, met);
}

// Where a choice of x that no data decide falls to its first way (*on), or to the second.
static bool is_split(Side *s, FlowLeaf *l, Expr *x, isl_set **on) {
    bool split = x->kind == E_OP && x->op == OP_SELECT && !expr_has_load(x->args[0]);
    *on = split ? poly_cond(s->tree->flow->poly, l->ev->scope, x->args[0], NULL) : NULL;
    return *on != NULL;
}

static bool expr_belongs(Side *s, FlowLeaf *vl, Expr *v, FlowLeaf *l, Expr *x, isl_map *pairs);

// Of both ways of a choice: of the place's, or of the value's.
static bool ways_belong(Side *s, FlowLeaf *vl, Expr *v, FlowLeaf *l, Expr *x, const isl_map *pairs,
                        isl_set *on, bool place) {
    isl_set *off = isl_set_complement(isl_set_copy(on));
    isl_map *yes = place ? into(pairs, on) : from(pairs, on);
    isl_map *no = place ? into(pairs, off) : from(pairs, off);
    isl_set_free(on), isl_set_free(off);
    bool ok = expr_belongs(s, vl, place ? v : v->args[1], l, place ? x->args[1] : x, yes);
    return expr_belongs(s, vl, place ? v : v->args[2], l, place ? x->args[2] : x, no) && ok;
}

// The place is a copy, the value is none.
static bool copy_belongs(Side *s, FlowLeaf *vl, Expr *v, const FlowAccess *r, const isl_map *pairs) {
    isl_map *left = copy(pairs);
    bool ok = true;
    for (int i = 0; i < r->bases.n && ok; i++) {
        FlowLeaf *l = r->bases.at[i].to->leaf;
        left = without(left, NULL, &r->bases.at[i]);
        ok = expr_belongs(s, vl, v, l, l->node->src, on(pairs, r->bases.at[i].map));
    }
    ok = ok && isl_map_is_empty(left) == isl_bool_true;
    isl_map_free(left);
    return ok;
}

// Is v, at its leaf's counters, the value of place x at those of its leaf that go with them? Takes pairs.
static bool expr_belongs(Side *s, FlowLeaf *vl, Expr *v, FlowLeaf *l, Expr *x, isl_map *pairs) {
    Op op = s->proof->p->least ? OP_MIN : OP_MAX;
    bool two = is_call(x, EQUAL_BETTER) && v->nargs == 2 && sum_operator(v) == op, ok = false;
    FlowAccess *r = x->kind == E_LOAD ? value_access(s, l, x) : NULL;
    FlowAccess *q = v->kind == E_LOAD ? value_access(s, vl, v) : NULL;
    isl_set *at;
    if (isl_map_is_empty(pairs) == isl_bool_true) ok = true;
    else if (is_split(s, l, x, &at)) ok = ways_belong(s, vl, v, l, x, pairs, at, true);
    else if (is_split(s, vl, v, &at)) ok = ways_belong(s, vl, v, l, x, pairs, at, false);
    else if (two)
        ok = expr_belongs(s, vl, v->args[0], l, x->args[0], isl_map_copy(pairs)) &&
             expr_belongs(s, vl, v->args[1], l, x->args[1], isl_map_copy(pairs));
    else if (is_call(x, EQUAL_PLACE)) ok = same_values(s, vl, v, l, x->args[0], pairs);
    else if (r && q) ok = belongs(s, q, r, isl_map_copy(pairs));
    else if (r && !grows_at(s, r, isl_map_range(isl_map_copy(pairs)))) ok = copy_belongs(s, vl, v, r, pairs);
    isl_map_free(pairs);
    return ok;
}

// What one comparison takes of values, for what it takes of places; NULL: nothing is told.
static const Node *beside(const Prover *p, const Node *place) {
    for (int i = 0; i < p->p->better.n; i++)
        if (p->p->better.at[i].sets[1] == place) return p->p->better.at[i].sets[0];
    return NULL;
}

// Is it the same comparison's update, at the same counters?
static bool update_belongs(const Prover *p, const FlowAccess *v, const FlowEdge *r, const isl_map *pairs) {
    bool same = false;
    isl_map *m = on(pairs, r->map), *back = isl_map_reverse(copy(pairs));
    isl_set *vs = domain(pairs), *rs = domain(back);
    isl_map *other = from(r->map, rs);
    for (int k = 0; k < v->updates.n && !same; k++) {
        if (v->updates.at[k].to->leaf->node != beside(p, r->to->leaf->node)) continue;
        isl_map *n = from(v->updates.at[k].map, vs), *one = on(back, n);
        same = isl_map_is_equal(m, n) == isl_bool_true && isl_map_is_equal(one, other) == isl_bool_true;
        isl_map_free(n), isl_map_free(one);
    }
    isl_map_free(m), isl_map_free(back), isl_map_free(other);
    isl_set_free(vs), isl_set_free(rs);
    return same;
}

// What updates both before is of the same comparisons.
static bool updates_belong(const Prover *p, const FlowAccess *v, const FlowAccess *r, const isl_map *pairs) {
    int left = 0; // of the value's
    for (int i = 0; i < v->updates.n + r->updates.n; i++) {
        bool value = i < v->updates.n;
        const FlowEdge *e = value ? &v->updates.at[i] : &r->updates.at[i - v->updates.n];
        isl_map *m = value ? from(e->map, domain(pairs)) : on(pairs, e->map);
        bool none = isl_map_is_empty(m) == isl_bool_true;
        isl_map_free(m);
        if (none) continue;
        left += value ? 1 : -1;
        if (!value && !update_belongs(p, v, e, pairs)) return false;
    }
    return !left;
}

// The next reads of both: of that which is a copy alone, where the other grows.
static bool bases_belong(Side *s, FlowAccess *v, FlowAccess *r, const isl_map *pairs, const FlowEdge *of_v,
                         const FlowEdge *of_r) {
    FlowLeaf *vl = of_v ? of_v->to->leaf : v->leaf, *l = of_r ? of_r->to->leaf : r->leaf;
    isl_map *m = of_r ? on(pairs, of_r->map) : copy(pairs);
    if (of_v) m = isl_map_apply_range(isl_map_reverse(isl_map_copy(of_v->map)), m);
    if (of_v && of_r) return expr_belongs(s, vl, vl->node->src, l, l->node->src, m);
    FlowLeaf *at = of_v ? vl : l;
    const Expr *x = at->node->src;
    FlowAccess *next = x->kind == E_LOAD ? value_access(s, at, x) : NULL;
    bool none = isl_map_is_empty(m) == isl_bool_true;
    if (!none && next) return belongs(s, of_v ? next : v, of_v ? r : next, m);
    isl_map_free(m);
    return none;
}

static bool belongs(Side *s, FlowAccess *v, FlowAccess *r, isl_map *pairs) {
    Prover *p = s->proof;
    pairs = own_map(p->a, isl_map_coalesce(pairs));
    for (int i = 0; i < p->of.n; i++) {
        const Alike *o = &p->of.at[i];
        if (o->x == v && o->y == r && isl_map_is_subset(pairs, o->pairs) == isl_bool_true) return true;
    }
    vec_push(p->a, &p->of, ((Alike){v, r, pairs})); // what they find was written before
    bool vs = grows_at(s, v, isl_map_domain(isl_map_copy(pairs)));
    bool rs = grows_at(s, r, isl_map_range(isl_map_copy(pairs))), ok = true;
    if (p->unknown || s->tree->flow->unknown || (vs && rs && !updates_belong(p, v, r, pairs))) return false;
    isl_map *left = isl_map_copy(pairs);
    if (vs == rs && v->array->place != PLACE_USER) { // what nobody wrote is used by nobody
        isl_map *none = isl_map_intersect_range(from(pairs, v->rest), isl_set_copy(r->rest));
        left = isl_map_subtract(left, none);
    }
    int nv = vs && !rs ? 1 : v->bases.n, nr = rs && !vs ? 1 : r->bases.n;
    for (int i = 0; i < nv && ok; i++)
        for (int k = 0; k < nr && ok; k++) {
            const FlowEdge *of_v = vs && !rs ? NULL : &v->bases.at[i];
            const FlowEdge *of_r = rs && !vs ? NULL : &r->bases.at[k];
            left = without(left, of_v, of_r);
            ok = bases_belong(s, v, r, pairs, of_v, of_r);
        }
    ok = ok && isl_map_is_empty(left) == isl_bool_true; // both were written, or none
    isl_map_free(left);
    return ok;
}

static void check_better(Prover *p, const EqualBetter *b) {
    Side *s = leaf_of(&p->loops, b->value[0]) ? &p->loops : &p->kernel;
    Pieces place[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        FlowLeaf *v = leaf_of(s, b->value[k]), *l = leaf_of(s, b->place[k]);
        if (!v || !l) {
            prove_unknown(p, "which of two places is better is not known");
            return;
        }
        Expr *x = l->node->src;
        isl_map *m = isl_set_identity(isl_set_copy((isl_set *)l->ev->domain));
        int known = p->of.n;
        bool own = is_call(x, EQUAL_PLACE) && expr_equal(x->args[0], v->node->src);
        if (!own && !expr_belongs(s, v, v->node->src, l, x, isl_map_copy(m))) {
            p->of.n = known; // what was shown meanwhile rests on it
            prove_open(p, domain(m), "a place is compared by another value than its own");
        }
        if (b->tie == TIE_TOLD) isl_map_free(m);
        else value_of_expr(s, l, x, m, &place[k]);
    }
    int kept = b->tie == TIE_KEPT;
    for (int i = 0; i < place[kept].n; i++)
        for (int j = 0; j < place[1 - kept].n && !p->unknown; j++)
            compare_ties(p, &place[kept].at[i], &place[1 - kept].at[j]);
}

void check_ties(Prover *p) {
    if (p->p->better.n && p->states)
        prove_unknown(p, "a place of a greatest value, and a recurrence or a loop of the host's");
    for (int i = 0; i < p->p->better.n && !p->unknown; i++) check_better(p, &p->p->better.at[i]);
}
