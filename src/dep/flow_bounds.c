// SPDX-License-Identifier: MIT
// flow_bounds.c -- every access of the tree inside its array, those of ghosts and copies too.
//
// A buffer has extents. Of the program's arrays only what the region itself touches is known to
// be there: the box around it, or the declared extents. Where data decide what is touched: the
// elements alone that the region touches for the same data.
#include "dep/flow.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>

// ---- the program's arrays --------------------------------------------------------------------

static bool has_terms(const Event *ev, isl_map *m) {
    return ev->nterms &&
           isl_map_involves_dims(m, isl_dim_in, (unsigned)ev->depth, (unsigned)ev->nterms) != isl_bool_false;
}

// Dimension d of all elements that the region touches, whatever the data are; NULL: not known.
static isl_set *touched(const Relations *r, const Array *array, int d) {
    isl_set *all = NULL;
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        isl_map *m = t->real ? t->real : t->map;
        if (t->array != array || (t->told && (!t->shown || has_terms(t->ev, m)))) continue;
        if (!t->told) {
            isl_set_free(all);
            return NULL;
        }
        isl_set *s = isl_map_range(isl_map_copy(m));
        s = isl_set_project_out(s, isl_dim_set, (unsigned)d + 1, (unsigned)(array->rank - d - 1));
        s = isl_set_project_out(s, isl_dim_set, 0, (unsigned)d);
        all = all ? isl_set_union(all, s) : s;
    }
    return all ? isl_set_coalesce(all) : NULL;
}

// From the least to the greatest of a set of numbers.
static isl_set *hull(isl_set *s) {
    isl_space *space = isl_space_map_from_set(isl_set_get_space(s));
    isl_map *up = isl_map_order_le(isl_map_universe(isl_space_copy(space)), isl_dim_in, 0, isl_dim_out, 0);
    isl_map *down = isl_map_order_ge(isl_map_universe(space), isl_dim_in, 0, isl_dim_out, 0);
    isl_set *above = isl_set_apply(isl_set_copy(s), up);
    return isl_set_coalesce(isl_set_intersect(above, isl_set_apply(s, down)));
}

static isl_pw_aff *number(const Flow *f, PolyScope s, int v) {
    return isl_pw_aff_val_on_domain(poly_universe(f->poly, s), isl_val_int_from_si(f->poly->ctx, v));
}

// ---- one access ------------------------------------------------------------------------------------

// Points at which subscript d is outside 0 … extent - 1 (less the origin of a cache).
static isl_set *outside_extent(Flow *f, const FlowAccess *x, int d) {
    const Array *array = x->array;
    PolyScope s = x->leaf->ev->scope;
    Expr *at = array->origin ? expr_sub(f->a, x->sub[d], array->origin[d]) : x->sub[d];
    if (!array->extent[d]) return NULL;
    at = event_value(f->tree.r, x->leaf->ev, at);
    isl_pw_aff *pa = at ? poly_aff(f->poly, s, at, NULL) : NULL,
               *size = poly_aff(f->poly, s, array->extent[d], NULL);
    if (!pa || !size) {
        isl_pw_aff_free(pa);
        isl_pw_aff_free(size);
        return NULL;
    }
    isl_set *below = isl_pw_aff_lt_set(isl_pw_aff_copy(pa), number(f, s, 0));
    return isl_set_union(below, isl_pw_aff_ge_set(pa, size));
}

static isl_set *outside_touched(Flow *f, const FlowAccess *x, int d) {
    isl_set *all = touched(f->region.r, x->array, d);
    Expr *at = event_value(f->tree.r, x->leaf->ev, x->sub[d]);
    isl_pw_aff *pa = all && at ? poly_aff(f->poly, x->leaf->ev->scope, at, NULL) : NULL;
    if (!pa) {
        isl_set_free(all);
        return NULL;
    }
    isl_set *other = isl_set_complement(hull(all));
    return isl_set_apply(other, isl_map_reverse(isl_map_from_pw_aff(pa)));
}

static bool depends_on_data(const Flow *f, const Array *array) {
    for (int i = 0; i < f->region.r->touches.n; i++) {
        const Touch *t = &f->region.r->touches.at[i];
        if (t->array == array && (!t->exact || !t->shown)) return true;
    }
    return false;
}

isl_set *flow_within(Flow *f, PolyScope scope, const Array *array, int d, Expr *at) {
    Arena *a = f->a;
    const Inspect *in = region_inspect(f->r, array, d);
    if (!at || (!in && !array->constant_size && !d)) return NULL; // rows are as long as they are
    Expr *lo = in ? expr_sym(a, in->lo) : expr_int(a, T_I64, 0),
         *end = in ? expr_add(a, expr_sym(a, in->hi), expr_int(a, T_I64, 1)) : array->extent[d];
    at = expr_cast(a, T_I64, at);
    Expr *above = expr_op(a, OP_LE, expr_cast(a, T_I64, lo), at, NULL),
         *below = expr_op(a, OP_LT, at, expr_cast(a, T_I64, end), NULL);
    return poly_cond(f->poly, scope, expr_op(a, OP_LAND, above, below, NULL), NULL);
}

static isl_set *within(Flow *f, const Event *ev, const Array *array, int d, Expr *sub) {
    return flow_within(f, ev->scope, array, d, event_value(f->tree.r, ev, sub));
}

// Points at which the access is in a row of which the region certainly touches some place. NULL: that can't
// be told, or nobody says how long rows are.
static isl_set *in_rows(Flow *f, const FlowAccess *x) {
    for (int d = 1; d < x->array->rank; d++)
        if (!x->array->rows && !region_inspect(f->r, x->array, d)) return NULL;
    Expr *at = event_value(f->tree.r, x->leaf->ev, x->sub[0]);
    isl_pw_aff *row = at ? poly_aff(f->poly, x->leaf->ev->scope, at, NULL) : NULL;
    isl_set *rows = NULL;
    for (int i = 0; i < f->region.r->touches.n; i++) {
        const Touch *t = &f->region.r->touches.at[i];
        if (t->array != x->array || !t->ev->exact || expr_has_load(t->sub[0])) continue;
        isl_set *s = isl_map_range(isl_map_copy(t->map));
        s = isl_set_project_out(s, isl_dim_set, 1, (unsigned)x->array->rank - 1);
        rows = rows ? isl_set_union(rows, s) : s;
    }
    if (row && rows) return isl_map_domain(isl_map_intersect_range(isl_map_from_pw_aff(row), rows));
    isl_pw_aff_free(row);
    isl_set_free(rows);
    return NULL;
}

// A copy that adds what a buffer has gathered. Where that is nothing it stores what was there.
static bool gathers(const FlowAccess *x) { return !x->leaf->stmt && x->write && x->read; }

// Points at which the access is between the least and the greatest element of those that data choose: that
// much is there as a whole. So are rows of which data choose a place. Of a loose box nothing need be there,
// but no kernel begins where memory lacks, and nothing comes home that stays as it was (Foot.loose).
static isl_set *in_box(Flow *f, const FlowAccess *x) {
    isl_set *box = isl_set_copy(x->leaf->ev->domain);
    for (int d = 0; d < x->array->rank; d++) {
        const Inspect *in = region_inspect(f->r, x->array, d);
        isl_set *s = in && in->loose && !gathers(x) ? NULL : within(f, x->leaf->ev, x->array, d, x->sub[d]);
        if (!s && !d && x->array->rank > 1) s = in_rows(f, x);
        if (s) box = isl_set_intersect(box, s);
        else return isl_set_free(box), NULL;
    }
    return box;
}

// Points at which a statement chooses elements by data as the region does, or that are none of the region's.
static isl_set *as_chosen(Flow *f, const FlowLeaf *l) {
    isl_set *all = isl_set_copy(l->ev->domain);
    AccessVec v = stmt_accesses(f->a, l->stmt);
    for (int k = 0; k < v.n; k++)
        for (int d = 0; d < v.at[k].array->rank; d++) {
            Expr *sub = node_stmt_expr(f->a, l->node, v.at[k].sub[d]);
            sub = relations_seen(f->tree.r, l->node, sub);
            isl_set *s = expr_has_load(sub) ? within(f, l->ev, v.at[k].array, d, sub) : NULL;
            if (s) all = isl_set_intersect(all, s);
        }
    return isl_set_union(all, isl_set_copy(l->ghost));
}

// Of an array whose elements data choose: is each access one that the region makes, too? False: nothing
// is known, so others must tell.
static bool check_covered(Flow *f, const FlowAccess *x, isl_set *where) {
    if (!x->exact || x->array->place != PLACE_USER || !depends_on_data(f, x->array)) return false;
    isl_set *there = covered_by_region(x->leaf->ev, x->array, x->map, f->region.r), *box = in_box(f, x);
    if (box) there = isl_set_union(there, box);
    isl_set *bad = isl_set_params(isl_set_subtract(isl_set_copy(where), there));
    bool some = isl_set_is_subset(f->busy, bad) == isl_bool_false;
    if (some) flow_accuse(f, bad, "%s touches what the loops may not touch", flow_text(f->a, x));
    else isl_set_free(bad);
    return some;
}

static void check_access(Flow *f, const FlowAccess *x, isl_set *where) {
    if (check_covered(f, x, where)) return;
    for (int d = 0; d < x->array->rank; d++) {
        bool program = x->array->place == PLACE_USER && !x->array->constant_size;
        isl_set *bad = program ? outside_touched(f, x, d) : NULL;
        if (!bad) bad = outside_extent(f, x, d);
        if (bad) bad = isl_set_intersect(bad, isl_set_copy(where));
        isl_set *possible = bad ? term_consistent(f->poly, x->leaf->ev) : NULL;
        if (possible) bad = isl_set_intersect(bad, isl_set_copy(possible));
        isl_set *made = bad && isl_set_is_empty(bad) == isl_bool_false ? flow_made_at(f, x) : NULL;
        if (made) bad = isl_set_intersect(bad, made);
        if (!bad || (program && depends_on_data(f, x->array) && isl_set_is_empty(bad) != isl_bool_true)) {
            flow_give_up(f, arena_printf(f->a, "whether %s stays inside cannot be told", flow_text(f->a, x)));
            isl_set_free(bad);
            return;
        }
        flow_accuse(f, isl_set_params(bad), "%s goes beyond the array (subscript %d)", flow_text(f->a, x), d);
    }
}

// ---- what stops a program ---------------------------------------------------------------------------

static bool is_division(const Expr *x) {
    bool divides =
        x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD || x->op == OP_FDIV || x->op == OP_FMOD);
    return divides && type_is_int(x->type) && (x->args[1]->kind != E_INT || x->args[1]->i == 0);
}

// A ghost may divide whatever lies there by whatever lies there.
static void check_divisions(Flow *f, const FlowLeaf *l) {
    if (expr_any(l->stmt->rhs, is_division))
        flow_accuse(f, isl_set_params(isl_set_copy(l->ghost)),
                    "%s divides integers, also where the loops do not", flow_name(f->a, l));
}

void flow_check_bounds(Flow *f) {
    flow_accuse(f, isl_set_subtract(isl_set_copy(f->tree.r->wrong), isl_set_copy(f->region.r->wrong)),
                "an unsigned subtraction would wrap");
    if (!f->tree.loose)
        flow_accuse(f, control_outside(f->tree.r, f->region.r),
                    "a condition or a bound reads what the loops do not touch");
    for (int i = 0; i < f->tree.leaves.n; i++) {
        FlowLeaf *l = f->tree.leaves.at[i];
        if (l->stmt && f->tree.loose) continue;
        if (l->stmt) check_divisions(f, l);
        for (int k = 0; k < l->naccesses && !f->unknown; k++) {
            bool ours = l->stmt && l->access[k].own; // in the region it stands at the same place
            isl_set *where = isl_set_copy(ours ? l->ghost : l->ev->domain);
            if (l->stmt && !ours) where = isl_set_intersect(where, as_chosen(f, l));
            poly_tick(f->poly);
            if (isl_set_is_empty(where) != isl_bool_true) check_access(f, &l->access[k], where);
            isl_set_free(where);
        }
    }
}
