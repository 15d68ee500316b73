// SPDX-License-Identifier: MIT
// foot.c -- footprints: which box of each array is touched, read first, certainly written.
#include "dep/foot.h"
#include "dep/conflict.h"
#include "ir/show.h"
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>

// ---- boxes -------------------------------------------------------------------------

static isl_set *touched(Relations *r, const Array *array, bool writes_only, bool certain) {
    isl_set *all = isl_set_empty(isl_space_set_from_params(isl_space_params_alloc(r->poly->ctx, 0)));
    all = isl_set_add_dims(all, isl_dim_set, (unsigned)array->rank);
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (t->first != i || t->array != array || (writes_only && !t->write) || (certain && !t->exact))
            continue;
        all = isl_set_union(all, isl_map_range(isl_map_copy(t->map)));
    }
    return isl_set_coalesce(all);
}

// The part of the touched set that affine subscripts of this dimension give.
static isl_set *affine_part(Relations *r, const Array *array, int dim) {
    isl_set *all =
        isl_set_add_dims(isl_set_empty(isl_space_set_from_params(isl_space_params_alloc(r->poly->ctx, 0))),
                         isl_dim_set, (unsigned)array->rank);
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (t->first != i || t->array != array) continue;
        isl_set *s = isl_map_range(isl_map_copy(t->map));
        bool bounded = isl_set_dim_has_lower_bound(s, isl_dim_set, (unsigned)dim) == isl_bool_true &&
                       isl_set_dim_has_upper_bound(s, isl_dim_set, (unsigned)dim) == isl_bool_true;
        if (bounded) all = isl_set_union(all, s);
        else isl_set_free(s);
    }
    return all;
}

// The least and the greatest subscript; NULL: not bounded. Arrays that go side by side have the same.
static void ends_of_line(Relations *r, __isl_take isl_set *line, Expr **lo, Expr **hi) {
    for (int i = 0; i < r->lines.n; i++) {
        const Line *x = &r->lines.at[i];
        if (isl_set_plain_is_equal(x->of, line) != isl_bool_true) continue;
        *lo = x->lo, *hi = x->hi;
        isl_set_free(line);
        return;
    }
    *lo = poly_bound(r->poly, line, 0, false, r->ctx);
    *hi = poly_bound(r->poly, line, 0, true, r->ctx);
    Line x = {own_set(r->poly->c->arena, line), *lo, *hi};
    if (*lo && *hi) vec_push(r->poly->c->arena, &r->lines, x);
}

// Does it end at a number? One that has no expression is longer than C's.
static bool has_number(isl_set *part, int d, bool greatest) {
    isl_set *copy = isl_set_copy(part);
    isl_val *end = greatest ? isl_set_dim_max_val(copy, d) : isl_set_dim_min_val(copy, d);
    bool number = isl_val_is_int(end) == isl_bool_true;
    isl_val_free(end);
    return number;
}

// The least or greatest of what an inspection finds and of `part`, what is touched besides; that has no end
// where data are asked, which the inspection does. NULL: not bounded.
static Expr *wider(Relations *r, isl_set *part, int d, bool greatest, const Sym *found) {
    Arena *a = r->poly->c->arena;
    Expr *y = expr_cast(a, T_I64, expr_sym(a, found));
    if (isl_set_is_empty(part) == isl_bool_true) return y;
    Expr *x = poly_bound(r->poly, part, d, greatest, r->ctx);
    if (!x) return has_number(part, d, greatest) ? NULL : y;
    return expr_op(a, greatest ? OP_MAX : OP_MIN, x, y, NULL);
}

static void bound_dim(Relations *r, Foot *f, isl_set *all, int d) {
    Arena *a = r->poly->c->arena;
    unsigned at = (unsigned)d, behind = (unsigned)f->array->rank - at - 1;
    isl_set *line = isl_set_project_out(isl_set_copy(all), isl_dim_set, at + 1, behind);
    line = isl_set_coalesce(isl_set_project_out(line, isl_dim_set, 0, at)); // parts have much in common
    ends_of_line(r, line, &f->lo[d], &f->hi[d]);
    if (f->lo[d] && f->hi[d]) return;
    const Inspect *in = region_inspect(r->region, f->array, d);
    if (in) {
        isl_set *part = affine_part(r, f->array, d);
        f->lo[d] = wider(r, part, d, false, in->lo);
        f->hi[d] = wider(r, part, d, true, in->hi);
        isl_set_free(part);
        if (f->lo[d] && f->hi[d]) return;
    }
    if (f->array->extent[d]) {
        f->lo[d] = expr_int(a, T_I64, 0);
        f->hi[d] = expr_sub(a, expr_cast(a, T_I64, f->array->extent[d]), expr_int(a, T_I64, 1));
    } else {
        f->lo[d] = f->hi[d] = NULL;
    }
}

// A box whose expressions may name elements even where nothing is touched (c[0] in a loop
// that does not run) gets a last subscript that makes it empty there.
static void empty_where_untouched(Relations *r, Foot *f) {
    for (int d = 0; d < f->array->rank; d++)
        if (!f->lo[d] || !f->hi[d]) return;
    if (f->array->rank == 0 || region_inspect(r->region, f->array, 0)) return; // an inspection tells of none
    isl_set *all = touched(r, f->array, false, false);
    Poly *p = r->poly;
    Arena *a = p->c->arena;
    PolyScope none = {0, NULL};
    isl_set *some_at = isl_set_coalesce(isl_set_params(all));
    isl_set *idle = isl_set_subtract(isl_set_copy(r->ctx), isl_set_copy(some_at));
    for (int d = 0; d < f->array->rank && isl_set_is_empty(idle) == isl_bool_false; d++) {
        isl_pw_aff *lo = poly_aff(p, none, f->lo[d], NULL), *hi = poly_aff(p, none, f->hi[d], NULL);
        if (lo && hi) idle = isl_set_subtract(idle, isl_set_params(isl_pw_aff_gt_set(lo, hi)));
        else isl_pw_aff_free(lo), isl_pw_aff_free(hi);
    }
    bool shown = isl_set_is_empty(idle) == isl_bool_true;
    isl_set_free(idle);
    Expr *some = shown ? NULL : poly_cond_expr(p, isl_set_copy(some_at), r->ctx);
    isl_set_free(some_at);
    if (!some) return;
    Expr *before = expr_sub(a, expr_cast(a, T_I64, f->lo[0]), expr_int(a, T_I64, 1));
    f->hi[0] = expr_op(a, OP_SELECT, some, expr_cast(a, T_I64, f->hi[0]), before);
}

// ---- read before written --------------------------------------------------------------

// Pairs of w's map in which the write comes before the read.
static isl_map *write_first(const Touch *rd, const Touch *wr, isl_map *same) {
    int common = common_loops(rd->ev, wr->ev);
    isl_map *before = NULL, *equal = isl_map_copy(same);
    for (int l = 0; l < common; l++) {
        isl_map *m = isl_map_copy(equal);
        m = rd->ev->loops[l]->step > 0 ? isl_map_order_gt(m, isl_dim_in, l, isl_dim_out, l)
                                       : isl_map_order_lt(m, isl_dim_in, l, isl_dim_out, l);
        before = before ? isl_map_union(before, m) : m;
        equal = isl_map_equate(equal, isl_dim_in, l, isl_dim_out, l);
    }
    if (wr->ev->order < rd->ev->order)
        before = before ? isl_map_union(before, isl_map_copy(equal)) : isl_map_copy(equal);
    if (!before) before = isl_map_empty(isl_map_get_space(same));
    isl_map_free(equal);
    isl_map_free(same);
    return before;
}

static bool is_exposed(Relations *r, const Touch *rd) {
    if (!rd->exact_map) return true;
    isl_set *left = isl_set_copy(rd->ev->domain);
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *wr = &r->touches.at[i];
        if (wr->array != rd->array || !wr->write || wr->read || !wr->exact) continue;
        isl_map *m = write_first(rd, wr, same_element(r, rd, wr));
        left = isl_set_subtract(left, isl_map_domain(m));
    }
    bool exposed = isl_set_is_empty(left) != isl_bool_true;
    isl_set_free(left);
    return exposed;
}

static bool needs_input(Relations *r, const Array *array) {
    bool any_set = false;
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        any_set = any_set || (t->array == array && t->write && !t->read && t->exact);
    }
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (t->array == array && t->read && (!any_set || is_exposed(r, t))) return true;
    }
    return false;
}

// ---- certainly written ------------------------------------------------------------------

// { x : least of dim d in s <= x_d <= greatest }, as a set of s's space.
isl_set *foot_slab(isl_set *s, int d) {
    isl_space *line = isl_space_set_alloc(isl_set_get_ctx(s), 0, 1);
    isl_set *lo = isl_set_from_pw_aff(isl_set_dim_min(isl_set_copy(s), d));
    isl_set *hi = isl_set_from_pw_aff(isl_set_dim_max(isl_set_copy(s), d));
    lo = isl_set_apply(lo, isl_map_lex_le(isl_space_copy(line)));
    hi = isl_set_apply(hi, isl_map_lex_ge(line));
    isl_set *in = isl_set_intersect(lo, hi);
    int rank = (int)isl_set_dim(s, isl_dim_set);
    in = isl_set_insert_dims(in, isl_dim_set, 0, (unsigned)d);
    return isl_set_insert_dims(in, isl_dim_set, (unsigned)d + 1, (unsigned)(rank - d - 1));
}

bool foot_is_bounded(Poly *p, isl_set *s) {
    bool fine = isl_ctx_last_error(p->ctx) == isl_error_none, bounded = fine;
    for (int d = 0; d < (int)isl_set_dim(s, isl_dim_set) && bounded; d++) {
        bounded = isl_set_dim_has_lower_bound(s, isl_dim_set, (unsigned)d) == isl_bool_true &&
                  isl_set_dim_has_upper_bound(s, isl_dim_set, (unsigned)d) == isl_bool_true;
        if (bounded) isl_set_free(foot_slab(s, d));
        bounded = poly_forgive(p, fine) && bounded;
    }
    return bounded;
}

isl_set *foot_around(Poly *p, isl_set *s) {
    if (!foot_is_bounded(p, s)) return NULL;
    isl_set *box = isl_set_universe(isl_set_get_space(s));
    for (int d = 0; d < (int)isl_set_dim(s, isl_dim_set); d++) box = isl_set_intersect(box, foot_slab(s, d));
    return box;
}

static bool writes_whole_box(Relations *r, const Array *array, isl_set *all) {
    isl_set *must = touched(r, array, true, true);
    bool whole;
    if (array->rank == 0) {
        isl_set *always = isl_set_params(isl_set_copy(must));
        whole = isl_set_is_subset(r->ctx, always) == isl_bool_true;
        isl_set_free(always);
    } else {
        isl_set *box = foot_around(r->poly, all);
        if (box) box = isl_set_intersect_params(box, isl_set_copy(r->ctx));
        whole = box && isl_set_is_subset(box, must) == isl_bool_true;
        isl_set_free(box);
    }
    isl_set_free(must);
    return whole;
}

// { x : 0 <= x_d < the array's extent d }
static isl_set *row_of(Relations *r, const Array *array, int d) {
    Arena *a = r->poly->c->arena;
    const Sym **x = NEW_N(a, const Sym *, array->rank);
    for (int i = 0; i < array->rank; i++) {
        Sym *s = NEW_AS(a, Sym, (Sym){arena_printf(a, "x%d", i), SYM_ITER, T_I64});
        x[i] = s;
    }
    Expr *at = expr_sym(a, x[d]), *zero = expr_int(a, T_I64, 0), *end = expr_cast(a, T_I64, array->extent[d]);
    Expr *in = expr_op(a, OP_LAND, expr_op(a, OP_LE, zero, at, NULL), expr_op(a, OP_LT, at, end, NULL), NULL);
    return poly_cond(r->poly, (PolyScope){array->rank, x}, in, NULL);
}

isl_set *foot_in_rows(Relations *r, const Array *array, isl_set *all) {
    isl_set *rows = NULL;
    for (int d = 1; d < array->rank; d++) {
        isl_set *s = region_inspect(r->region, array, d) ? row_of(r, array, d) : NULL;
        if (s) rows = isl_set_intersect(rows ? rows : isl_set_copy(all), s);
    }
    if (!rows) return all;
    bool some = isl_set_is_empty(rows) == isl_bool_false;
    bool whole = some && writes_whole_box(r, array, rows);
    isl_set_free(whole ? all : rows);
    return whole ? rows : all;
}

// The box of an array that no instance touches, whatever the parameters.
static Foot untouched(Arena *a, Foot f) {
    for (int d = 0; d < f.array->rank; d++) {
        f.lo[d] = expr_int(a, T_I64, 0);
        f.hi[d] = expr_int(a, T_I64, -1);
    }
    return f;
}

Foot foot_box(Relations *r, const Array *array) {
    Arena *a = r->poly->c->arena;
    Foot f = {array, NEW_N(a, Expr *, array->rank + 1), NEW_N(a, Expr *, array->rank + 1)};
    isl_set *all = foot_in_rows(r, array, touched(r, array, false, false));
    bool none = isl_set_is_empty(all) == isl_bool_true;
    for (int d = 0; d < array->rank && !none; d++) bound_dim(r, &f, all, d);
    isl_set_free(all);
    return none ? untouched(a, f) : f;
}

static Foot foot_of(Relations *r, const Array *array) {
    Foot f = foot_box(r, array);
    isl_set *all = foot_in_rows(r, array, touched(r, array, false, false));
    if (isl_set_is_empty(all) == isl_bool_true) return isl_set_free(all), f;
    for (int i = 0; i < r->touches.n; i++)
        f.out = f.out || (r->touches.at[i].array == array && r->touches.at[i].write);
    f.out = f.out && array->live_out;
    f.in = needs_input(r, array);
    f.exact = f.out && writes_whole_box(r, array, all);
    f.sparse = array->rank > 0 && !f.exact && !array->constant_size;
    isl_set_free(all);
    return f;
}

void foot_all(Relations *r, int *n, Foot **out) {
    *n = r->region->narrays;
    *out = NEW_N(r->poly->c->arena, Foot, *n + 1);
    for (int i = 0; i < *n; i++) (*out)[i] = foot_of(r, r->region->arrays[i]);
}

void foot_trim(Relations *r, int n, Foot *feet) {
    for (int i = 0; i < n; i++) empty_where_untouched(r, &feet[i]);
}

// ---- bounds -----------------------------------------------------------------------------

// The points at which an event runs, or more, where bounds of loops around are known only within limits.
typedef struct Points {
    const Event *ev;
    isl_set *at;
    isl_set *wrong;        // parameters for which these limits say nothing; NULL: none
} Points;

static isl_set *points_of(Relations *r, const Event *ev, PolyFacts *facts) {
    isl_set *points = isl_set_copy(ev->domain);
    for (int l = 0; l < ev->depth; l++) {
        const Node *loop = ev->loops[l];
        const LoopRange *range = relations_loop(r, loop);
        if (range && range->exact) continue;
        isl_pw_aff *lo, *hi, *at, *unused;
        const Expr *first = loop->step > 0 ? loop->lo : loop->hi,
                   *last = loop->step > 0 ? loop->hi : loop->lo;
        int past = loop->step > 0 ? 0 : 1; // hi is not reached: downward that is the lower end
        if (poly_range(r->poly, ev->scope, first, facts, &lo, &unused)) {
            at = poly_aff(r->poly, ev->scope, expr_sym(r->poly->c->arena, loop->iter), NULL);
            points = isl_set_intersect(points, past ? isl_pw_aff_gt_set(at, lo) : isl_pw_aff_ge_set(at, lo));
            isl_pw_aff_free(unused);
        }
        if (poly_range(r->poly, ev->scope, last, facts, &unused, &hi)) {
            at = poly_aff(r->poly, ev->scope, expr_sym(r->poly->c->arena, loop->iter), NULL);
            points = isl_set_intersect(points, past ? isl_pw_aff_le_set(at, hi) : isl_pw_aff_lt_set(at, hi));
            isl_pw_aff_free(unused);
        }
    }
    return points;
}

// Where among the points a fact is negative, in parameters.
static isl_set *where_below_zero(Relations *r, const Event *ev, __isl_keep isl_set *points,
                                 PolyFacts *facts) {
    isl_set *bad = NULL;
    for (int i = 0; i < facts->n; i++) {
        isl_pw_aff *zero =
            isl_pw_aff_val_on_domain(poly_universe(r->poly, ev->scope), isl_val_zero(r->poly->ctx));
        isl_set *s = isl_set_intersect(isl_pw_aff_lt_set(facts->at[i], zero), isl_set_copy(points));
        bad = bad ? isl_set_union(bad, isl_set_params(s)) : isl_set_params(s);
    }
    facts->n = 0;
    return bad;
}

static void drop_points(Points *p) {
    isl_set_free(p->at);
    isl_set_free(p->wrong);
    *p = (Points){0};
}

// Touches of one event stand side by side, and share its points.
static void find_points(Relations *r, const Event *ev, Points *p) {
    if (p->ev == ev) return;
    drop_points(p);
    PolyFacts facts = {0};
    p->ev = ev;
    p->at = points_of(r, ev, &facts);
    p->wrong = where_below_zero(r, ev, ev->domain, &facts);
}

static isl_set *union_of(isl_set *x, isl_set *y) { return x && y ? isl_set_union(x, y) : x ? x : y; }

// The points at which subscript d of t may be outside the extent; all where nothing is known.
static isl_set *outside(Relations *r, const Touch *t, int d, __isl_keep isl_set *points, PolyFacts *facts) {
    isl_pw_aff *lo, *hi, *ext = poly_aff(r->poly, t->ev->scope, t->array->extent[d], NULL);
    if (!ext) return isl_set_copy(points);
    const Inspect *in = region_inspect(r->region, t->array, d); // of all accesses
    if (in) {
        lo = poly_aff(r->poly, t->ev->scope, expr_sym(r->poly->c->arena, in->lo), NULL);
        hi = poly_aff(r->poly, t->ev->scope, expr_sym(r->poly->c->arena, in->hi), NULL);
    } else if (!poly_range(r->poly, t->ev->scope, t->sub[d], facts, &lo, &hi)) {
        isl_pw_aff_free(ext);
        return isl_set_copy(points);
    }
    isl_pw_aff *zero =
        isl_pw_aff_val_on_domain(poly_universe(r->poly, t->ev->scope), isl_val_zero(r->poly->ctx));
    isl_set *bad = isl_set_union(isl_pw_aff_lt_set(lo, zero), isl_pw_aff_ge_set(hi, ext));
    return isl_set_intersect(bad, isl_set_copy(points));
}

// guarded: conditions in the expression around the access hold.
static isl_set *subscripts_outside(Relations *r, const Touch *t, bool guarded, Points *p) {
    isl_set *bad = NULL, *points = NULL;
    PolyFacts facts = {0};
    for (int d = t->array->place == PLACE_USER ? 1 : 0; d < t->array->rank; d++) {
        if (!t->array->extent[d]) continue;
        if (!points) {
            find_points(r, t->ev, p);
            points = isl_set_copy(p->at);
            if (guarded) points = isl_set_intersect(points, isl_map_domain(isl_map_copy(t->real)));
            if (p->wrong) bad = isl_set_copy(p->wrong);
        }
        bad = union_of(bad, isl_set_params(outside(r, t, d, points, &facts)));
    }
    isl_set *all = isl_set_copy(t->ev->domain);
    if (guarded) all = isl_set_intersect(all, isl_map_domain(isl_map_copy(t->real)));
    bad = union_of(bad, where_below_zero(r, t->ev, all, &facts));
    isl_set_free(all);
    isl_set_free(points);
    return bad;
}

static isl_set *touch_outside(Relations *r, const Touch *t, Points *p) {
    // C's own rule bounds what runs.
    if ((t->array->constant_size || t->array->rows) && !t->exact) return NULL;
    isl_set *bad = subscripts_outside(r, t, false, p);
    if (!bad || !t->real || isl_set_is_empty(bad) == isl_bool_true) return bad;
    isl_set_free(bad);
    return subscripts_outside(r, t, true, p);
}

// Does an access before t in the same event say all that t does?
static bool is_repeated(const Relations *r, const Touch *t) {
    for (const Touch *x = t; x > r->touches.at && x[-1].ev == t->ev;) {
        bool same = (--x)->array == t->array && !x->real && x->exact == t->exact;
        for (int d = 0; d < t->array->rank && same; d++) same = expr_equal(x->sub[d], t->sub[d]);
        if (same) return true;
    }
    return false;
}

// Does it hold for any sizes for which a loop runs at all?
static bool is_of_use(Relations *r, __isl_keep isl_set *ok) {
    bool some = r->loops.n == 0 || !ok;
    for (int i = 0; i < r->touches.n && !some; i++) {
        const Event *ev = r->touches.at[i].ev;
        if (ev->node->kind != N_STMT || !ev->depth) continue; // loops around may run for nothing
        isl_set *runs = isl_set_params(isl_set_copy(ev->domain));
        runs = isl_set_intersect(runs, isl_set_copy(ok));
        some = isl_set_is_empty(runs) != isl_bool_true;
        isl_set_free(runs);
    }
    return some;
}

bool foot_idle(Relations *r) {
    return r->loops.n && !is_of_use(r, r->ctx) && isl_set_is_empty(r->wrong) == isl_bool_true;
}

// Why no sizes are left for which the loops may run.
static const char *why_never(Relations *r) {
    Arena *a = r->poly->c->arena;
    if (foot_idle(r)) return "its loops have no iterations";
    if (!is_of_use(r, r->ctx)) return "its loops have no iterations, unless a counter wraps around";
    isl_set *ok = isl_set_subtract(isl_set_copy(r->ctx), isl_set_copy(r->wrong));
    const char *why = NULL;
    Points p = {0};
    if (!is_of_use(r, ok))
        why = "a counter or a difference of unsigned numbers is not seen to stay in its type";
    for (int i = 0; i < r->touches.n && !why; i++) {
        isl_set *s = touch_outside(r, &r->touches.at[i], &p);
        if (s) ok = isl_set_subtract(ok, s);
        if (s && !is_of_use(r, ok))
            why = arena_printf(a, "subscripts of '%s' are not seen to stay in their rows",
                               show_number(a, r->touches.at[i].array, NULL));
    }
    drop_points(&p);
    isl_set_free(ok);
    return why ? why : "subscripts are not seen to stay in their rows";
}

isl_set *foot_inside(Relations *r) {
    if (r->inside) return isl_set_copy(r->inside);
    isl_set *bad = isl_set_copy(r->wrong);
    Points p = {0};
    for (int i = 0; i < r->touches.n; i++) {
        if (is_repeated(r, &r->touches.at[i])) continue;
        isl_set *s = touch_outside(r, &r->touches.at[i], &p);
        if (s && isl_set_is_subset(s, bad) == isl_bool_true) isl_set_free(s); // most say the same
        else if (s) bad = isl_set_coalesce(isl_set_union(bad, s));
    }
    drop_points(&p);
    r->inside = own_set(r->poly->c->arena, isl_set_subtract(isl_set_copy(r->ctx), bad));
    return isl_set_copy(r->inside);
}

Expr *foot_bounds(Relations *r, const char **never) {
    isl_set *ok = foot_inside(r);
    if (!is_of_use(r, ok) || isl_set_is_empty(ok) == isl_bool_true) {
        isl_set_free(ok);
        *never = why_never(r);
        return expr_int(r->poly->c->arena, T_I32, 0);
    }
    return poly_cond_expr(r->poly, ok, r->ctx);
}
