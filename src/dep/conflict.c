// SPDX-License-Identifier: MIT
// conflict.c -- pairs of accesses to one element, by the loop that separates them.
#include "dep/conflict.h"
#include "dep/foot.h"

int common_loops(const Event *x, const Event *y) {
    int n = 0;
    while (n < x->depth && n < y->depth && x->loops[n] == y->loops[n]) n++;
    return n;
}

bool may_conflict(const Touch *x, const Touch *y) {
    return (x->write || y->write) && arrays_may_overlap(x->array, y->array);
}

static isl_map *equate(isl_map *m, int from, int to) {
    for (int i = from; i < to; i++)
        m = isl_map_equate(m, isl_dim_in, i, isl_dim_out, i);
    return m;
}

__isl_give isl_map *same_element(Relations *r, const Touch *x, const Touch *y) {
    (void)r;
    isl_map *m;
    if (x->array == y->array) // else two views of one object: any element may be any other
        m = isl_map_apply_range(isl_map_copy(x->map), isl_map_reverse(isl_map_copy(y->map)));
    else
        m = isl_map_from_domain_and_range(isl_set_copy(x->ev->domain), isl_set_copy(y->ev->domain));
    int common = common_loops(x->ev, y->ev);
    int own = x->private_depth < common ? x->private_depth : common;
    return equate(m, 0, own);
}

bool touch_is_atomic(const Touch *t) { return t->ev->node->kind == N_STMT && t->ev->node->stmt->atomic; }

bool update_is_permitted(Relations *r, const Touch *t, int level) {
    if (type_is_int(t->array->elem)) return true;
    if (touch_is_atomic(t)) return true; // by whoever wrote it
    // Least and greatest in another order may be the other zero; a NaN is passed over in any.
    if (r->region->reassociate || r->poly->c->reassociate) return true;
    for (int i = 0; i <= level && i < t->ev->depth; i++)
        if (mark_reduces(t->ev->loops[i]->mark, t->array, t->update)) return true;
    return false;
}

// The parameters for which m, which is not empty, has pairs. Taking dozens of counters out of what names no
// parameter takes long and says nothing.
static isl_set *params_of(Relations *r, __isl_take isl_map *m) {
    unsigned n = (unsigned)isl_map_dim(m, isl_dim_param);
    if (isl_map_involves_dims(m, isl_dim_param, 0, n) != isl_bool_false) return isl_map_params(m);
    isl_map_free(m);
    return isl_set_universe(isl_set_get_space(r->ctx));
}

// Conflicts wherever the loop is of any use: no further pair can change the answer.
static bool is_settled(Relations *r, const Node *loop, isl_set *bad) {
    return isl_set_is_subset(worthwhile(r, loop), bad) == isl_bool_true;
}

// Most pairs of a loop conflict for the same parameters: false, they were all there already.
static bool add_set(isl_set **to, __isl_take isl_set *s) {
    if (*to && isl_set_is_subset(s, *to) == isl_bool_true) return isl_set_free(s), false;
    *to = *to ? isl_set_union(*to, s) : s;
    return true;
}

// The parameters for which there are pairs.
static bool add(Relations *r, const Node *loop, isl_set **to, __isl_take isl_map *pairs) {
    if (*to && is_settled(r, loop, *to)) return isl_map_free(pairs), false;
    return add_set(to, params_of(r, pairs));
}

static bool is_update_pair(const Touch *x, const Touch *y) {
    return x->array == y->array && x->update != OP_SET && x->update == y->update;
}

static void note_update(Relations *r, Conflicts *c, const Touch *t) {
    for (int i = 0; i < c->updates.n; i++)
        if (c->updates.at[i] == t) return;
    vec_push(r->poly->c->arena, &c->updates, t);
}

// A mark vouches for what depends on data, but not for what it says is a reduction or has a last value.
static bool is_named(const Touch *x, const Touch *y) {
    bool reads = !(x->write && y->write), named = false;
    for (int i = 0; x->array == y->array && i < x->ev->depth && !named; i++) {
        const Mark *m = x->ev->loops[i]->mark;
        named = mark_reduces(m, x->array, OP_SET) || (reads && mark_permits(m, x->array));
    }
    return named;
}

// Is it the same element in all iterations? What keeps its updates apart then keeps them from happening.
static bool stands_still(const Touch *t, const Node *loop) {
    for (int i = 0; i < t->array->rank; i++)
        if (expr_uses_sym(t->sub[i], loop->iter)) return false;
    return true;
}

// Does a loop whose bounds depend on data count the places of t up? Then it is the data that keep different
// iterations of `loop` from one place, and not the data alone that keep t from happening.
static bool data_tell_places(Relations *r, const Touch *t, const Node *loop) {
    bool told = true, moves = !stands_still(t, loop);
    for (int i = 0; i < t->ev->depth; i++) {
        const Node *inner = t->ev->loops[i];
        const LoopRange *range = relations_loop(r, inner);
        if (!range || range->affine) continue;
        for (int k = 0; k < t->array->rank; k++) {
            if (!expr_uses_sym(t->sub[k], inner->iter)) continue;
            told = false;
            moves |= expr_uses_sym(inner->lo, loop->iter); // where it begins, it counts on
        }
    }
    return moves && !told;
}

// The worst example is kept: hard before maybe before ordered. True: `hard` has become larger.
static bool file(Relations *r, Conflicts *c, const Touch *x, const Touch *y, int level,
                 __isl_take isl_map *pairs) {
    const Node *loop = x->ev->loops[level];
    bool worse = false, harder = false, permitted = is_update_pair(x, y) && update_is_permitted(r, x, level);
    bool exact = x->exact_map && y->exact_map;
    bool placed = exact && !data_tell_places(r, x, loop) && !data_tell_places(r, y, loop);
    bool marked = loop->mark && loop->mark->assert == ASSERT_PARALLEL && !is_named(x, y);
    if (marked && exact && !placed && !touch_is_atomic(x)) permitted = false; // iterations have their own
    if (permitted || (is_update_pair(x, y) && placed)) {
        note_update(r, c, x);
        note_update(r, c, y);
        if (permitted && stands_still(x, loop)) {
            isl_map_free(pairs);
            return add_set(&c->update, isl_set_copy(r->ctx)), false;
        }
        if (permitted) return add(r, loop, &c->update, pairs), false;
        worse = !c->hard && !c->maybe && !c->ordered;
        add(r, loop, &c->ordered, pairs);
    } else if ((x->exact && y->exact && x->array == y->array) || is_named(x, y)) {
        worse = !c->hard;
        harder = add(r, loop, &c->hard, pairs);
    } else {
        worse = !c->hard && !c->maybe;
        add(r, loop, &c->maybe, pairs);
    }
    if (worse) c->x = x, c->y = y;
    return harder;
}

static bool is_inside(const Touch *t, const Node *loop, int level) {
    return t->ev->depth > level && t->ev->loops[level] == loop;
}

// True when the answer is settled, or none can be had.
static bool meet(Relations *r, Conflicts *c, const Node *loop, int level, int equal, const Touch *x,
                 const Touch *y) {
    isl_map *m = equate(same_element(r, x, y), 0, equal);
    m = isl_map_order_lt(m, isl_dim_in, level, isl_dim_out, level);
    bool certain = x->exact && y->exact && !is_update_pair(x, y);
    if (!m) {
        c->maybe = isl_set_universe(isl_set_get_space(r->ctx));
        c->x = x, c->y = y;
        return true;
    } else if (isl_map_is_empty(m) == isl_bool_true) {
        isl_map_free(m);
    } else {
        bool harder = file(r, c, x, y, level, m);
        return certain && harder && is_settled(r, loop, c->hard);
    }
    return false;
}

static void meet_all(Relations *r, Conflicts *c, const Node *loop, int level, int equal) {
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *x = &r->touches.at[i];
        if (x->first != i || !is_inside(x, loop, level) || x->private_depth > level) continue;
        poly_tick(r->poly);
        for (int j = 0; j < r->touches.n; j++) {
            const Touch *y = &r->touches.at[j];
            if (y->first != j || !is_inside(y, loop, level) || !may_conflict(x, y)) continue;
            if (meet(r, c, loop, level, equal, x, y)) return;
        }
    }
}

// What may be combined in any order is combined apart from all else that its iteration does:
//
//   v *= n; if (k < m) v += a[k];      one iteration only: no two meet, and v is no product either
static void mix(Relations *r, Conflicts *c, const Node *loop, int level, int equal, const Touch *update) {
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *y = &r->touches.at[i];
        if (y->first != i || !is_inside(y, loop, level) || !may_conflict(update, y)) continue;
        if (is_update_pair(update, y)) continue;
        poly_tick(r->poly);
        isl_map *m = equate(same_element(r, update, y), 0, equal);
        m = isl_map_equate(m, isl_dim_in, level, isl_dim_out, level);
        if (isl_map_is_empty(m) != isl_bool_false) m = (isl_map_free(m), NULL);
        if (m) add_set(&c->mixed, isl_map_params(m));
    }
}

Conflicts *conflicts_of(Relations *r, const Node *loop, int level, int equal) {
    Conflicts *c = NEW(r->poly->c->arena, Conflicts);
    meet_all(r, c, loop, level, equal);
    for (int i = 0; i < c->updates.n; i++) mix(r, c, loop, level, equal, c->updates.at[i]);
    isl_set **sets[] = {&c->hard, &c->maybe, &c->update, &c->ordered, &c->mixed};
    for (int i = 0; i < 5; i++)
        if (*sets[i]) own_set(r->poly->c->arena, *sets[i] = isl_set_coalesce(*sets[i]));
    return c;
}

// ---- answers ------------------------------------------------------------------------

static isl_set *has_iterations(const LoopRange *l, int more) {
    isl_set *shift = isl_set_universe(isl_set_get_space(l->domain));
    int64_t step = l->loop->step > 0 ? l->loop->step : -l->loop->step;
    for (int d = 0; d < l->depth; d++) shift = isl_set_fix_si(shift, isl_dim_set, (unsigned)d, 0);
    isl_val *by = isl_val_mul(isl_val_int_from_si(isl_set_get_ctx(shift), step),
                              isl_val_int_from_si(isl_set_get_ctx(shift), more));
    shift = isl_set_fix_val(shift, isl_dim_set, (unsigned)l->depth, by);
    isl_set *s = isl_set_intersect(isl_set_sum(isl_set_copy(l->domain), shift), isl_set_copy(l->domain));
    return isl_set_params(s);
}

// Sizes with at least so many iterations more than one, or as many as there can be.
static isl_set *more_than(const LoopRange *l, int most) {
    static const int tries[] = {64, 8, 1};
    for (int i = 0; i < 3; i++) {
        if (tries[i] > most) continue;
        isl_set *s = has_iterations(l, tries[i]);
        if (isl_set_is_empty(s) == isl_bool_false) return s;
        isl_set_free(s);
    }
    return isl_set_params(isl_set_copy(l->domain));
}

static isl_set *many(Arena *a, LoopRange *l) {
    if (!l->many) l->many = own_set(a, more_than(l, 64));
    return l->many;
}

// What both sets have; x alone where they have nothing in common.
static isl_set *also(__isl_take isl_set *x, __isl_take isl_set *y) {
    isl_set *both = isl_set_intersect(isl_set_copy(x), y);
    if (isl_set_is_empty(both) == isl_bool_false) return isl_set_free(x), both;
    return isl_set_free(both), x;
}

isl_set *worthwhile(Relations *r, const Node *loop) {
    Arena *a = r->poly->c->arena;
    LoopRange *l = relations_loop(r, loop);
    if (l->useful) return l->useful;
    isl_set *others = isl_set_copy(r->ctx);
    for (int i = 0; i < r->loops.n; i++)
        others = isl_set_intersect(others, isl_set_copy(many(a, &r->loops.at[i])));
    isl_set *all = also(isl_set_copy(many(a, l)), others);
    return l->useful = own_set(a, isl_set_coalesce(also(all, foot_inside(r))));
}

// Of a loop that a mark calls parallel a few iterations are enough, and two of those around it and in it: the
// mark is for the sizes that there are.
static bool is_any_use(Relations *r, const Node *loop, isl_set *ok) {
    isl_set *use = isl_set_intersect(isl_set_copy(ok), isl_set_copy(worthwhile(r, loop)));
    if (isl_set_is_empty(use) == isl_bool_true && loop->mark && loop->mark->assert == ASSERT_PARALLEL) {
        isl_set_free(use);
        use = isl_set_copy(ok);
        for (int i = 0; i < r->loops.n; i++)
            use = isl_set_intersect(use, more_than(&r->loops.at[i], r->loops.at[i].loop == loop ? 8 : 1));
    }
    bool any = isl_set_is_empty(use) == isl_bool_false;
    isl_set_free(use);
    return any;
}

// A guard of more pieces than this is taken for a refusal; so is one that excludes so many.
enum { MAX_PIECES = 6, MAX_BAD = 32 };

Answer answer_for(Relations *r, const Node *loop, __isl_keep isl_set *bad, bool certain, Expr **when) {
    *when = NULL;
    if (!bad || isl_set_is_subset(r->ctx, bad) == isl_bool_true)
        return bad ? certain ? ANSWER_NEVER : ANSWER_UNKNOWN : ANSWER_ALWAYS;
    if (isl_set_is_empty(bad) == isl_bool_true) return ANSWER_ALWAYS;
    Answer no = certain ? ANSWER_NEVER : ANSWER_UNKNOWN;
    if (isl_set_n_basic_set(bad) > MAX_BAD) return no;
    isl_set *ok = isl_set_coalesce(isl_set_subtract(isl_set_copy(r->ctx), isl_set_copy(bad)));
    if (!is_any_use(r, loop, ok) || isl_set_n_basic_set(ok) > MAX_PIECES) {
        isl_set_free(ok);
        return no;
    }
    *when = poly_cond_expr(r->poly, ok, r->ctx);
    return *when ? ANSWER_WHEN : no;
}

enum { LONG = 1 << 16 }; // iterations, of which a device runs that many at once

bool is_free_when_short(Relations *r, const Node *loop, __isl_keep isl_set *bad) {
    const LoopRange *l = relations_loop(r, loop);
    if (!bad || !l) return false;
    isl_set *runs = isl_set_intersect(has_iterations(l, LONG), isl_set_copy(r->ctx));
    bool some = isl_set_is_empty(runs) == isl_bool_false;
    runs = isl_set_subtract(runs, isl_set_copy(bad));
    bool none = isl_set_is_empty(runs) == isl_bool_true;
    isl_set_free(runs);
    return some && none;
}
