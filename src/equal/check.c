// SPDX-License-Identifier: MIT
// check.c -- the kernel's accesses: inside their arrays? and threads that meet: is a barrier between them?
#include "dep/conflict.h"
#include "dep/foot.h"
#include "equal/flows.h"
#include <isl/aff.h>
#include <isl/space.h>

// ---- bounds ------------------------------------------------------------------------------------
static isl_set *limited(Prover *p, const Array *v, isl_set *s, int from) {
    Poly *poly = p->f->poly;
    PolyScope none = {0, NULL};
    for (int d = from; d < v->rank; d++) {
        isl_pw_aff *n = v->extent && v->extent[d] ? poly_aff(poly, none, v->extent[d], NULL) : NULL;
        if (!n) {
            isl_set_free(s);
            return NULL;
        }
        isl_set *top = isl_map_range(isl_map_from_pw_aff(n)); // [n]
        isl_space *space = isl_space_alloc(poly->ctx, 0, 1, (unsigned)v->rank);
        isl_map *below = isl_map_order_gt(isl_map_universe(space), isl_dim_in, 0, isl_dim_out, d);
        s = isl_set_intersect(s, isl_set_apply(top, below));
        s = isl_set_lower_bound_si(s, isl_dim_set, (unsigned)d, 0);
    }
    return s;
}

static isl_map *touched(const Touch *t) { return isl_map_copy(t->real ? t->real : t->map); }

// [rows]; NULL: they can't be told.
static isl_set *span_of(Prover *p, const Span *x) {
    Poly *poly = p->f->poly;
    PolyScope none = {0, NULL};
    isl_pw_aff *lo = poly_aff(poly, none, x->lo, NULL), *hi = poly_aff(poly, none, x->hi, NULL);
    isl_set *when = poly_cond(poly, none, x->when, NULL), *s = NULL;
    if (lo && hi && when) {
        isl_set *least = isl_map_range(isl_map_from_pw_aff(isl_pw_aff_copy(lo)));
        isl_set *most = isl_map_range(isl_map_from_pw_aff(isl_pw_aff_copy(hi)));
        isl_space *one = isl_set_get_space(least);
        s = isl_set_apply(least, isl_map_lex_le(isl_space_copy(one)));
        s = isl_set_intersect(s, isl_set_apply(most, isl_map_lex_ge(one)));
        s = isl_set_intersect_params(s, isl_set_params(isl_set_copy(when)));
    }
    isl_pw_aff_free(lo);
    isl_pw_aff_free(hi);
    isl_set_free(when);
    return s;
}

// The way to an access in an expression: where data decide whether it is made, that they do.
typedef struct Way {
    Arena *a;
    Expr *const *sub;
    Expr *cond[8];
    int n;
} Way;

static bool is_load(const Expr *x) { return x->kind == E_LOAD; }

static bool way_to(Way *w, Expr *x) {
    if (x->kind == E_LOAD && x->args == w->sub) return true;
    bool lazy = x->kind == E_OP && (x->op == OP_SELECT || x->op == OP_LAND || x->op == OP_LOR);
    int n = w->n;
    for (int i = 0; i < x->nargs; i++) {
        bool told = lazy && i && expr_any(x->args[0], is_load);
        if (told && w->n == 8) return false;
        bool off = x->op == OP_LOR || i == 2;
        if (told) w->cond[w->n++] = off ? expr_op(w->a, OP_LNOT, x->args[0], NULL, NULL) : x->args[0];
        if (way_to(w, x->args[i])) return true;
        w->n = n;
    }
    return false;
}

// Do data decide what it writes? d = cond ? x : d
static bool is_chosen(const Node *n) { return n->src->kind == E_OP && n->src->op == OP_SELECT; }

// Does it hang on a product of a counter and a size whether the loops make this access? It tells nothing of
// memory: where it is not made nothing has to be there.
static bool hangs_on_product(Prover *p, const Touch *t) {
    const Node *n = t->ev->node;
    Way w = {.a = p->a, .sub = t->sub};
    if (n->kind != N_COPY || !n->dst) return false;
    bool found = way_to(&w, n->src), hangs = false;
    if (!found && t->write && is_chosen(n)) w.cond[w.n++] = n->src->args[0];
    for (int i = 0; i < w.n && !hangs; i++) hangs = expr_any(w.cond[i], equal_is_multiple);
    return hangs;
}

static isl_stat note_formula(isl_set *at, isl_aff *x, void *to) {
    isl_set_free(at);
    *(isl_set **)to = isl_set_from_pw_aff(isl_pw_aff_from_aff(x));
    return isl_stat_ok;
}

// What x is at all sizes, by the one formula that it has; NULL: it has more of them.
static isl_set *by_one_formula(isl_pw_aff *x) {
    isl_set *s = NULL;
    x = isl_pw_aff_coalesce(x);
    if (isl_pw_aff_n_piece(x) == 1) isl_pw_aff_foreach_piece(x, note_formula, &s);
    isl_pw_aff_free(x);
    return s;
}

// From the first of some rows to the last. Where there are none, those that the same formulas say: of
// 2 <= i < n - 2 and its neighbours, n at an n of 3, and none at one of 0.
static isl_set *between(isl_set *rows) {
    isl_set *lo = by_one_formula(isl_set_dim_min(isl_set_copy(rows), 0));
    isl_set *hi = by_one_formula(isl_set_dim_max(isl_set_copy(rows), 0));
    isl_set *all = NULL;
    if (lo && hi) {
        isl_space *line = isl_set_get_space(lo);
        all = isl_set_apply(isl_set_copy(lo), isl_map_lex_le(isl_space_copy(line)));
        all = isl_set_intersect(all, isl_set_apply(isl_set_copy(hi), isl_map_lex_ge(line)));
    } else all = foot_slab(rows, 0);
    isl_set_free(lo);
    isl_set_free(hi);
    isl_set_free(rows);
    return all;
}

// What the program's array certainly has: the rows between the first and the last that the loops touch.
// Of these `own` are the elements that it touches for certain.
static isl_set *known_part(Prover *p, const Array *v, isl_set **own) {
    const Relations *r = p->f->region.r;
    isl_set *all = NULL;
    *own = isl_set_empty(isl_space_set_alloc(p->f->poly->ctx, 0, (unsigned)v->rank));
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (t->array != v || hangs_on_product(p, t)) continue;
        isl_set *s = isl_map_range(touched(t));
        bool told = isl_set_dim_is_bounded(s, isl_dim_set, 0) == isl_bool_true; // else data tell which row
        if (t->exact_map) *own = isl_set_union(*own, isl_set_copy(s));
        if (told) all = all ? isl_set_union(all, s) : s;
        else isl_set_free(s);
    }
    const Rows *known = equal_rows(p->p, v);
    for (int i = 0; known && i < known->spans.n; i++) {
        isl_set *s = span_of(p, &known->spans.at[i]);
        if (s) s = isl_set_add_dims(s, isl_dim_set, (unsigned)v->rank - 1);
        if (s) all = all ? isl_set_union(all, s) : s;
    }
    if (!all) return NULL;
    isl_set *rows = between(isl_set_project_out(all, isl_dim_set, 1, (unsigned)v->rank - 1));
    if (!rows) return NULL;
    return limited(p, v, isl_set_add_dims(rows, isl_dim_set, (unsigned)v->rank - 1), 1);
}

static isl_set *extent_of(Prover *p, const Array *v) {
    isl_space *s = isl_space_set_alloc(p->f->poly->ctx, 0, (unsigned)v->rank);
    return limited(p, v, isl_set_universe(s), 0);
}

static const Touch *touch_of(const Relations *r, const FlowAccess *x) {
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (t->ev == x->leaf->ev && t->array == x->array && t->sub == x->sub) return t;
    }
    return NULL;
}

// The values of x's subscripts and of the data that decide whether it is made, wherever x really happens: as
// those of a function of all of these.
static void subscript_values(Side *s, FlowAccess *x, Pieces *out) {
    const Touch *t = touch_of(s->tree->r, x);
    const Node *n = x->leaf->node;
    Way w = {.a = s->a, .sub = x->sub};
    bool chosen = x->write && is_chosen(n);
    bool found = chosen || (!x->write && way_to(&w, n->src));
    if (chosen) w.cond[w.n++] = n->src->args[0];
    for (int d = 0; !found && !x->write && n->dst && d < n->dst->rank; d++) found = way_to(&w, n->sub[d]);
    isl_set *at = t ? isl_map_domain(touched(t)) : isl_set_copy(x->leaf->ev->domain);
    if (!found) {
        isl_set_free(at);
        return;
    }
    isl_map *m = isl_map_identity(isl_space_map_from_set(isl_set_get_space(at)));
    Expr *all = NULL;
    for (int i = 0; i < x->array->rank + w.n; i++) {
        Expr *y = i < x->array->rank ? x->sub[i] : w.cond[i - x->array->rank];
        all = all ? expr_call(s->a, "and", T_I64, 2, (Expr *[]){all, y}) : y;
    }
    value_of_expr(s, x->leaf, all, isl_map_intersect_domain(m, at), out);
}

// Counters → all that a subscript is made of there: elements, whole numbers. NULL: nothing.
static isl_map *made_of(const Piece *p) {
    isl_map *m = value_fingerprint(p->v);
    return m ? isl_map_intersect_domain(m, isl_set_copy(p->at)) : NULL;
}

// What those of the loops' subscripts of this array that are like the piece are made of; NULL: none are.
static isl_set *subscripts_of_loops(Prover *p, FlowAccess *of, const Piece *piece) {
    const Value *v = piece->v;
    isl_set *all = NULL;
    FlowTree *t = &p->f->region;
    for (int i = 0; i < t->leaves.n; i++)
        for (int k = of->write ? 0 : 1; k < (of->write ? 1 : t->leaves.at[i]->naccesses); k++) {
            FlowAccess *x = &t->leaves.at[i]->access[k];
            if (x->array != of->array || !x->leaf->ev->exact) continue;
            Pieces theirs = {0};
            subscript_values(&p->loops, x, &theirs);
            for (int j = 0; j < theirs.n; j++) {
                if (!str_eq(theirs.at[j].v->skeleton, v->skeleton) || value_has_sum(theirs.at[j].v)) continue;
                isl_map *m = made_of(&theirs.at[j]);
                if (!m) continue;
                isl_set *s = isl_map_range(isl_map_copy(m));
                all = all ? isl_set_union(all, s) : s;
                m = isl_map_apply_range(made_of(piece), isl_map_reverse(m));
                if (p->certificate && !of->write) certificate_place(p, of, x, m);
                else isl_map_free(m);
            }
        }
    return all;
}

// x[f(idx[e])]: inside where the loops read x at the same place, too, or write it, under the same data.
static bool is_gathered_inside(Prover *p, FlowAccess *x) {
    Pieces v = {0};
    subscript_values(&p->kernel, x, &v);
    bool inside = v.n > 0;
    for (int i = 0; i < v.n && inside; i++) {
        isl_map *made = value_has_sum(v.at[i].v) ? NULL : made_of(&v.at[i]);
        isl_set *theirs = made ? subscripts_of_loops(p, x, &v.at[i]) : NULL;
        isl_set *ours = made ? isl_map_range(made) : NULL;
        inside = ours && theirs && isl_set_is_subset(ours, theirs) == isl_bool_true;
        isl_set_free(ours);
        isl_set_free(theirs);
    }
    return inside && !p->unknown;
}

static FlowAccess *access_of(Prover *p, const Touch *t) {
    for (int i = 0; i < p->f->tree.leaves.n; i++)
        for (int k = 0; k < p->f->tree.leaves.at[i]->naccesses; k++) {
            FlowAccess *x = &p->f->tree.leaves.at[i]->access[k];
            bool same = x->leaf->ev == t->ev && x->array == t->array && x->sub == t->sub;
            if (same && x->write == t->write) return x;
        }
    return NULL;
}

static const char *accessed(Prover *p, const Touch *t) {
    Loc l = t->loc.line ? t->loc : t->ev->loc;
    return arena_printf(p->a, "%s%s at line %d", t->write ? "the write to " : "the read of ", t->array->name,
                        l.line);
}

// Do data tell how far its subscripts run?
static bool is_counted(Prover *p, const Touch *t) {
    for (int i = 0; i < t->ev->depth; i++) {
        const Node *l = t->ev->loops[i];
        if (l->kind != N_FOR || l->hi->kind != E_SYM || l->hi->sym != p->p->trips) continue;
        for (int d = 0; d < t->array->rank; d++)
            if (expr_uses_sym(t->sub[d], l->iter)) return true;
    }
    return false;
}

// For the certificate: where the kernel's access is one of the loops', whatever rows there are.
static void tell_places(Prover *p, const Touch *t) {
    const Relations *r = p->f->region.r;
    FlowAccess *x = access_of(p, t);
    for (int l = 0; l < p->f->region.leaves.n && x && !x->write; l++)
        for (int k = 1; k < p->f->region.leaves.at[l]->naccesses; k++) {
            FlowAccess *y = &p->f->region.leaves.at[l]->access[k];
            const Touch *o = touch_of(r, y);
            if (!o || o->array != t->array || !o->exact_map) continue;
            certificate_place(p, x, y, isl_map_apply_range(touched(t), isl_map_reverse(touched(o))));
        }
}

void check_bounds(Prover *p) {
    const Relations *r = p->f->tree.r;
    for (int i = 0; i < r->touches.n && !p->unknown; i++) {
        const Touch *t = &r->touches.at[i];
        const Array *v = t->array;
        bool known = v != p->p->barrier && v->rank && !equal_is_multiple_array(v);
        if (!known || (v->place == PLACE_TEMP && !v->constant_size)) continue;
        if (poly_tick(p->f->poly)) return;
        bool counted = v->place == PLACE_USER && is_counted(p, t);
        FlowAccess *x = t->exact_map && !counted ? NULL : access_of(p, t);
        if (x && is_gathered_inside(p, x)) continue;
        if (counted) {
            prove_unknown(p, arena_printf(p->a, "data tell how far %s runs, in another way than in the loops",
                                          accessed(p, t)));
            return;
        }
        isl_set *own = NULL, *room = v->place == PLACE_USER ? known_part(p, v, &own) : extent_of(p, v);
        if (!room) {
            isl_set_free(own);
            prove_unknown(p, arena_printf(p->a, "how large %s is can't be told", v->name));
            return;
        }
        isl_map *bad = isl_map_subtract_range(touched(t), room);
        if (own && p->certificate && isl_map_is_empty(bad) == isl_bool_false) tell_places(p, t);
        if (own) bad = isl_map_subtract_range(bad, own);
        prove_open(p, isl_map_domain(bad), arena_printf(p->a, "%s may be outside of it", accessed(p, t)));
    }
}

// ---- order -------------------------------------------------------------------------------------
static bool is_thread(const Node *n) { return n->kind == N_FOR && n->how == HOW_THREAD; }

static bool leaves_unordered(const Node *n) { return n->kind == N_BARRIER && n->unfenced; }

static int thread_loops(const FlowLeaf *l, int *first) {
    int n = 0;
    *first = l->ev->depth;
    for (int i = 0; i < l->ev->depth; i++)
        if (is_thread(l->ev->loops[i])) {
            if (!n) *first = i;
            n++;
        }
    return n;
}

// Counters → the thread's number in its block.
static isl_map *number_of(const FlowLeaf *l) {
    int first, n = thread_loops(l, &first);
    isl_ctx *ctx = isl_set_get_ctx(l->ev->domain);
    isl_aff *sum = isl_aff_zero_on_domain(
        isl_local_space_from_space(isl_space_set_alloc(ctx, 0, (unsigned)l->ev->scope.n)));
    int64_t weight = 1;
    for (int i = first + n - 1; n && i >= first; i--) {
        sum = isl_aff_set_coefficient_si(sum, isl_dim_in, i, (int)weight);
        weight *= l->ev->loops[i]->hi->kind == E_INT ? l->ev->loops[i]->hi->i : 1;
    }
    return isl_map_from_aff(sum);
}

// What lanes hand each other is in order.
static bool is_shared(const Array *v) {
    return v->place != PLACE_REGISTER && v->place != PLACE_LOCAL && !v->lanes;
}

static bool may_meet(Prover *p, const FlowAccess *x, const FlowAccess *y) {
    if (x->array == p->p->barrier || !(x->write || y->write) || !is_shared(x->array)) return false;
    if (x->leaf->kernel != y->leaf->kernel || !flow_same_memory(x, y)) return false;
    // which of two exchanges comes last, nobody knows
    return !(x->leaf->node->atomic && y->leaf->node->atomic && x->write && y->write &&
             x->update == y->update && x->update != OP_SET);
}

// Counters → the number of the thread's warp.
static isl_map *warp_of(const FlowLeaf *l) {
    isl_map *m = number_of(l);
    isl_ctx *ctx = isl_map_get_ctx(m);
    isl_aff *lane = isl_aff_var_on_domain(isl_local_space_from_space(isl_space_set_alloc(ctx, 0, 1)),
                                          isl_dim_set, 0);
    return isl_map_apply_range(m, isl_map_from_aff(isl_aff_floor(isl_aff_scale_down_ui(lane, 32))));
}

// Does the barrier order accesses of v? OpenCL's say which memory they do.
static bool is_fence_of(const FlowLeaf *barrier, const Array *v) {
    int64_t unfenced = BARRIER_BLOCK - barrier->node->src->i;
    return unfenced <= 0 || !(unfenced & (v->place == PLACE_USER ? 2 : 1));
}

// Pairs of accesses of v between which a barrier stands, the first of them at x's leaf.
static isl_map *parted(Prover *p, const Array *v, const FlowLeaf *x, const FlowLeaf *y, isl_map *pairs) {
    FlowTree *t = &p->f->tree;
    for (int i = 0; i < t->leaves.n && isl_map_is_empty(pairs) == isl_bool_false; i++) {
        const FlowLeaf *b = t->leaves.at[i];
        if (b->access[0].array != p->p->barrier || b->kernel != x->kernel || b->node->src->i > BARRIER_WARP ||
            !is_fence_of(b, v))
            continue;
        isl_map *to = isl_map_from_domain_and_range(isl_set_copy(x->ev->domain), isl_set_copy(b->ev->domain));
        isl_map *from =
            isl_map_from_domain_and_range(isl_set_copy(b->ev->domain), isl_set_copy(y->ev->domain));
        to = flow_order(x, b, to, true);
        from = flow_order(b, y, from, true);
        isl_map *ordered = isl_map_apply_range(to, from);
        if (b->node->src->i == BARRIER_WARP) // one of warps orders the threads of a warp
            ordered = isl_map_intersect(ordered,
                                        isl_map_apply_range(warp_of(x), isl_map_reverse(warp_of(y))));
        pairs = isl_map_subtract(pairs, ordered);
    }
    return pairs;
}

// Less the pairs of which x, or y behind it, is an operand of a choice that is not taken.
static isl_map *both_made(Prover *p, const FlowAccess *x, const FlowAccess *y, isl_map *pairs) {
    isl_set *first = x->write ? NULL : flow_made_at(p->f, x);
    isl_set *second = y->write ? NULL : flow_made_at(p->f, y);
    if (first) pairs = isl_map_intersect_domain(pairs, first);
    return second ? isl_map_intersect_range(pairs, second) : pairs;
}

static void check_pair(Prover *p, const FlowAccess *x, const FlowAccess *y) {
    const FlowLeaf *l = x->leaf, *m = y->leaf;
    if (!x->exact || !y->exact) {
        prove_unknown(p,
                      arena_printf(p->a, "which elements of %s are touched depends on data", x->array->name));
        return;
    }
    isl_map *same = both_made(p, x, y, flow_same_word(x, y));
    int common = common_loops(l->ev, m->ev), first, ignored, host = 0;
    while (host < common && !is_parallel(l->ev->loops[host])) host++;
    for (int i = 0; i < host && host < common; i++) // each round of the host's loops is a launch of its own
        same = isl_map_equate(same, isl_dim_in, i, isl_dim_out, i);
    isl_map *equal = isl_map_copy(same);
    for (int i = host; i < common; i++) {
        if (l->ev->loops[i]->how != HOW_BLOCK) continue;
        isl_map *less = isl_map_order_lt(isl_map_copy(equal), isl_dim_in, i, isl_dim_out, i);
        isl_map *more = isl_map_order_gt(isl_map_copy(equal), isl_dim_in, i, isl_dim_out, i);
        prove_open(p, isl_map_domain(isl_map_union(less, more)),
                   arena_printf(p->a, "blocks may meet on %s: %s and %s", x->array->name, flow_text(p->a, x),
                                flow_text(p->a, y)));
        equal = isl_map_equate(equal, isl_dim_in, i, isl_dim_out, i);
    }
    isl_map_free(same);
    bool threads = thread_loops(l, &first) && thread_loops(m, &ignored);
    if (threads) {
        isl_map *one = isl_map_apply_range(number_of(l), isl_map_reverse(number_of(m)));
        equal = isl_map_subtract(equal, one);
    }
    equal = parted(p, x->array, l, m, equal);
    equal = isl_map_reverse(parted(p, x->array, m, l, isl_map_reverse(equal)));
    const char *lacks = node_any(p->p->kernel, leaves_unordered) ? " that orders this memory" : "";
    prove_open(p, isl_map_domain(equal),
               arena_printf(p->a, "threads may meet on %s with no barrier between%s: %s and %s",
                            x->array->name, lacks, flow_text(p->a, x), flow_text(p->a, y)));
}

// ---- asynchronous copies -------------------------------------------------------------------------
// A way in time from the counters of a copy to those of some leaf.
static isl_map *then(isl_map *way, const FlowLeaf *from, const FlowLeaf *to) {
    isl_map *all =
        isl_map_from_domain_and_range(isl_set_copy(from->ev->domain), isl_set_copy(to->ev->domain));
    return isl_map_coalesce(isl_map_apply_range(way, flow_order(from, to, all, true)));
}

static bool is_mark(const Prover *p, const FlowLeaf *l, const FlowLeaf *of, bool wait) {
    if (l->access[0].array != p->p->barrier || l->kernel != of->kernel) return false;
    return wait ? l->node->src->i >= 0 : l->node->src->i == COPIES_END;
}

// From copy w to the waits behind which it has landed: as many groups have ended since as may be under way,
// and its own. [leaves]; NULL: no wait.
static isl_map **landed(Prover *p, const FlowLeaf *w) {
    FlowTree *t = &p->f->tree;
    int n = t->leaves.n, most = -1;
    isl_map **ended = NEW_N(p->a, isl_map *, n + 1), **out = NEW_N(p->a, isl_map *, n + 1);
    for (int i = 0; i < n; i++)
        if (is_mark(p, t->leaves.at[i], w, true) && t->leaves.at[i]->node->src->i > most)
            most = (int)t->leaves.at[i]->node->src->i;
    for (int k = 0; k <= most; k++) { // w → the end of a group, k others between at least
        isl_map **next = NEW_N(p->a, isl_map *, n + 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && is_mark(p, t->leaves.at[i], w, false); j++) {
                isl_map *from = k ? ended[j] : NULL, *m = NULL;
                if (!k && !j)
                    m = then(isl_map_identity(isl_space_map_from_set(isl_set_get_space(w->ev->domain))), w,
                             t->leaves.at[i]);
                else if (from) m = then(isl_map_copy(from), t->leaves.at[j], t->leaves.at[i]);
                if (m) next[i] = own_map(p->a, next[i] ? isl_map_union(isl_map_copy(next[i]), m) : m);
            }
        ended = next;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && is_mark(p, t->leaves.at[i], w, true); j++) {
                if (t->leaves.at[i]->node->src->i != k || !ended[j]) continue;
                isl_map *m = then(isl_map_copy(ended[j]), t->leaves.at[j], t->leaves.at[i]);
                out[i] = own_map(p->a, out[i] ? isl_map_union(isl_map_copy(out[i]), m) : m);
            }
    }
    return out;
}

// Pairs of copy w and a later access in leaf x that come behind a wait of w's thread; of another thread,
// behind a barrier, too.
static isl_map *behind_wait(Prover *p, const FlowLeaf *w, const FlowLeaf *x, isl_map *const *waits,
                            isl_map *pairs) {
    FlowTree *t = &p->f->tree;
    isl_map *one = isl_map_apply_range(number_of(w), isl_map_reverse(number_of(x)));
    for (int i = 0; i < t->leaves.n; i++) {
        if (!waits[i]) continue;
        isl_map *own = then(isl_map_copy(waits[i]), t->leaves.at[i], x);
        pairs = isl_map_subtract(pairs, isl_map_intersect(own, isl_map_copy(one)));
        for (int j = 0; j < t->leaves.n; j++) {
            const FlowLeaf *b = t->leaves.at[j];
            if (b->access[0].array != p->p->barrier || b->kernel != x->kernel ||
                b->node->src->i != BARRIER_BLOCK)
                continue;
            pairs = isl_map_subtract(pairs, then(then(isl_map_copy(waits[i]), t->leaves.at[i], b), b, x));
        }
    }
    isl_map_free(one);
    return pairs;
}

static void check_async(Prover *p, const FlowLeaf *w) {
    FlowTree *t = &p->f->tree;
    isl_map **waits = landed(p, w);
    for (int i = 0; i < t->leaves.n && !p->unknown && !poly_tick(p->f->poly); i++)
        for (int k = 0; k < t->leaves.at[i]->naccesses; k++) {
            const FlowAccess *x = &t->leaves.at[i]->access[k];
            if (x->leaf->kernel != w->kernel || !flow_same_memory(&w->access[0], x)) continue;
            isl_map *pairs = flow_order(w, x->leaf, flow_same_word(&w->access[0], x), true);
            pairs = behind_wait(p, w, x->leaf, waits, pairs);
            prove_open(
                p, isl_map_domain(pairs),
                arena_printf(p->a, "%s may come before an asynchronous copy has landed", flow_text(p->a, x)));
        }
    p->async = true;
}

void check_order(Prover *p) {
    FlowTree *t = &p->f->tree;
    if (p->p->unordered) prove_unknown(p, p->p->unordered);
    for (int i = 0; i < t->leaves.n; i++)
        if (t->leaves.at[i]->node && t->leaves.at[i]->node->kind == N_COPY && t->leaves.at[i]->node->async)
            check_async(p, t->leaves.at[i]);
    for (int i = 0; i < t->leaves.n; i++)
        for (int j = i; j < t->leaves.n; j++) {
            FlowLeaf *l = t->leaves.at[i], *m = t->leaves.at[j];
            for (int a = 0; a < l->naccesses; a++)
                for (int b = i == j ? a : 0; b < m->naccesses && !p->unknown && !poly_tick(p->f->poly); b++)
                    if (may_meet(p, &l->access[a], &m->access[b]))
                        check_pair(p, &l->access[a], &m->access[b]);
        }
}
