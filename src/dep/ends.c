// SPDX-License-Identifier: MIT
// ends.c -- which memory of a footprint's box is certainly the program's.
//
// A box is moved as a whole, to the device and, where anything in it is written, back. Its
// corners need not be touched, and what nobody touches may be somebody else's:
//
//   for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++) … a[i*n + j ± 1], a[(i ± 1)*n + j]
//        box 0..n-1, 0..n-1   touched first [0][1], last [n-1][n-2]: within these
//   for (i = 0; i < n; i++) if (m[i]) a[i] = 0;
//        box 0..n-1           touched first and last: the data tell. Loose.
//
// Elements of an array between two that are touched are of the same object, so the program's. There need be
// no memory of them, though: where not all are certainly touched, the footprint is sparse. And other threads
// of the program may store there meanwhile: then it has gaps on its way home.
// Rows stay in their pitch (Nest.when), so the order of subscripts is that of addresses.
#include "dep/conflict.h"
#include "dep/foot.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/space.h>

typedef struct Ends {
    Relations *r;
    Arena *a;
    Foot *f;
    const Array *array;
    isl_set *box;  // lo..hi
    isl_set *all;  // elements that may really be touched
    isl_set *sure; // those that certainly are
} Ends;

static isl_set *none(Relations *r, const Array *array) {
    isl_set *s = isl_set_empty(isl_space_set_from_params(isl_space_params_alloc(r->poly->ctx, 0)));
    return isl_set_add_dims(s, isl_dim_set, (unsigned)array->rank);
}

static isl_map *real_map(const Touch *t) { return isl_map_copy(t->real ? t->real : t->map); }

static bool within(isl_set *part, isl_set *of) { return isl_set_is_subset(part, of) == isl_bool_true; }

isl_set *foot_between(isl_set *s) {
    isl_space *space = isl_set_get_space(s);
    isl_set *behind = isl_set_apply(isl_set_copy(s), isl_map_lex_le(isl_space_copy(space)));
    return isl_set_intersect(behind, isl_set_apply(isl_set_copy(s), isl_map_lex_ge(space)));
}

// The subscripts of the first or last element of all, with the box empty where there is none.
static Expr **corner(Ends *e, bool last) {
    Poly *p = e->r->poly;
    int rank = e->array->rank;
    Expr **x = NEW_N(e->a, Expr *, rank);
    if (isl_set_is_empty(e->all) == isl_bool_true) {
        for (int d = 0; d < rank; d++) x[d] = expr_int(e->a, T_I64, last ? -1 : 0);
        return x;
    }
    isl_set *some = isl_set_params(isl_set_copy(e->all));
    isl_set *ctx = isl_set_intersect(isl_set_copy(some), isl_set_copy(e->r->ctx));
    isl_pw_multi_aff *at = last ? isl_set_lexmax_pw_multi_aff(isl_set_copy(e->all))
                                : isl_set_lexmin_pw_multi_aff(isl_set_copy(e->all));
    bool ok = at != NULL;
    for (int d = 0; d < rank && ok; d++)
        ok = (x[d] = poly_expr(p, isl_pw_multi_aff_get_pw_aff(at, d), ctx)) != NULL;
    isl_pw_multi_aff_free(at);
    isl_set_free(ctx);
    isl_set *used = isl_set_intersect(isl_set_params(isl_set_copy(e->box)), isl_set_copy(e->r->ctx));
    if (ok && !within(used, some)) {
        Expr *cond = poly_cond_expr(p, isl_set_copy(some), e->r->ctx);
        ok = cond != NULL;
        if (ok)
            x[0] = expr_op(e->a, OP_SELECT, cond, expr_cast(e->a, T_I64, x[0]),
                           expr_int(e->a, T_I64, last ? -1 : 0));
    }
    isl_set_free(used);
    isl_set_free(some);
    return ok ? x : NULL;
}

static void cut(Ends *e) {
    isl_set *reach = foot_between(e->all);
    if (!within(e->box, reach)) {
        e->f->first = corner(e, false);
        e->f->last = e->f->first ? corner(e, true) : NULL;
        if (!e->f->last) e->f->first = NULL, e->f->loose = true;
    }
    isl_set_free(reach);
}

// ---- boxes that are known in every dimension ------------------------------------------------

// Half of the smallest page, in bytes: what lies no farther from what is touched has the same page or none.
enum { NEAR = 2048 };

// Has each element of the box one near it, in its row, that is certainly touched?
static bool is_dense(const Ends *e) {
    if (within(e->box, e->sure)) return true;
    int last = e->array->rank - 1, far = NEAR / (int)e->array->stride - 1;
    if (far < 1) return false;
    isl_set *near = isl_set_universe(isl_set_get_space(e->sure));
    for (int d = 0; d < last; d++) near = isl_set_fix_si(near, isl_dim_set, (unsigned)d, 0);
    near = isl_set_lower_bound_si(near, isl_dim_set, (unsigned)last, -far);
    near = isl_set_sum(isl_set_copy(e->sure), isl_set_upper_bound_si(near, isl_dim_set, (unsigned)last, far));
    bool dense = within(e->box, near);
    isl_set_free(near);
    return dense;
}

static void bounded_ends(Ends *e) {
    isl_set *reach = e->array->apart ? isl_set_copy(e->sure) : foot_between(e->sure);
    if (!within(e->box, reach)) {
        e->f->loose = !within(e->array->apart ? e->box : e->all, reach);
        cut(e);
    }
    isl_set_free(reach);
}

// ---- boxes whose rows are inspected -----------------------------------------------------------

// Does the touch, whenever it names a row, go through all columns of the box there?
static bool sweeps(Ends *e, const Touch *t, isl_set *columns) {
    if (!t->plain) return false;
    isl_map *m = isl_map_project_out(real_map(t), isl_dim_out, 0, 1);
    isl_set *rows = isl_set_copy(t->ev->domain);
    bool even = true;
    for (int l = t->ev->depth - 1; l >= 0; l--) {
        const LoopRange *range = relations_loop(e->r, t->ev->loops[l]);
        if (expr_uses_sym(t->sub[0], t->ev->scope.iters[l])) continue;
        even = even && range && range->affine;
        m = isl_map_project_out(m, isl_dim_in, (unsigned)l, 1);
        rows = isl_set_project_out(rows, isl_dim_set, (unsigned)l, 1);
    }
    isl_map *whole = isl_map_from_domain_and_range(rows, isl_set_copy(columns));
    even = even && isl_map_is_subset(whole, m) == isl_bool_true;
    isl_map_free(whole);
    isl_map_free(m);
    return even;
}

// Inspection finds the rows as they are, so with whole rows the ends are touched.
static void inspected_ends(Ends *e, isl_set *whole) {
    if (e->array->rank == 1) {
        isl_set *known = none(e->r, e->array), *reach = foot_between(e->sure);
        for (int i = 0; i < e->r->touches.n; i++) {
            const Touch *t = &e->r->touches.at[i];
            if (t->array != e->array) continue;
            isl_set *s = isl_map_range(isl_map_copy(t->map));
            if (foot_is_bounded(e->r->poly, s)) known = isl_set_union(known, s);
            else isl_set_free(s);
        }
        e->f->loose = !within(known, reach);
        isl_set_free(known);
        isl_set_free(reach);
        return;
    }
    isl_set *columns = isl_set_project_out(isl_set_copy(whole), isl_dim_set, 0, 1);
    isl_set *all = isl_set_universe(isl_set_get_space(columns));
    e->f->loose = !foot_is_bounded(e->r->poly, columns);
    for (int d = 1; d < e->array->rank && !e->f->loose; d++)
        all = isl_set_intersect(all, foot_slab(columns, d - 1));
    for (int i = 0; i < e->r->touches.n && !e->f->loose; i++) {
        const Touch *t = &e->r->touches.at[i];
        if (t->array == e->array) e->f->loose = !sweeps(e, t, all);
    }
    e->f->loose |= e->array->apart;
    isl_set_free(columns);
    isl_set_free(all);
}

// ---- arrays that the program declares -----------------------------------------------------------

// What is touched under conditions may lie outside by the text; it doesn't by C's rules.
static void clamp(Ends *e, isl_set *whole) {
    Foot *f = e->f;
    PolyScope scope = {0, NULL};
    for (int d = 0; d < e->array->rank && !f->exact; d++) {
        Expr *zero = expr_int(e->a, T_I64, 0), *size = expr_cast(e->a, T_I64, e->array->extent[d]);
        isl_pw_aff *ext = poly_aff(e->r->poly, scope, e->array->extent[d], NULL);
        bool inside = false;
        if (ext) {
            isl_set *line = isl_set_project_out(isl_set_copy(whole), isl_dim_set, (unsigned)d + 1,
                                                (unsigned)(e->array->rank - d - 1));
            line = isl_set_intersect_params(isl_set_project_out(line, isl_dim_set, 0, (unsigned)d),
                                            isl_set_copy(e->r->ctx));
            isl_set *ok = isl_set_apply(isl_map_range(isl_map_from_pw_aff(ext)),
                                        isl_map_lex_gt(isl_set_get_space(line)));
            ok = isl_set_lower_bound_si(ok, isl_dim_set, 0, 0);
            inside = within(line, ok);
            isl_set_free(ok);
            isl_set_free(line);
        }
        if (inside || !f->lo[d] || !f->hi[d]) continue;
        f->lo[d] = expr_op(e->a, OP_MAX, expr_cast(e->a, T_I64, f->lo[d]), zero, NULL);
        f->hi[d] = expr_op(e->a, OP_MIN, expr_cast(e->a, T_I64, f->hi[d]),
                           expr_sub(e->a, size, expr_int(e->a, T_I64, 1)), NULL);
    }
}

// ---- what is only read --------------------------------------------------------------------------

// x = min(x, e)
static bool keeps_some(const Node *n) {
    const Expr *x = n->kind == N_STMT && n->stmt->op == OP_SET ? n->stmt->rhs : NULL;
    bool chooses = x && x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX);
    return chooses && (stmt_is_own(n->stmt, x->args[0]) || stmt_is_own(n->stmt, x->args[1]));
}

// What is less or greater than all so far is stored; nothing need be.
static bool is_stored(const Touch *t) {
    return t->write && t->sure && t->update != OP_MIN && t->update != OP_MAX && !keeps_some(t->ev->node);
}

// Where nothing is written the memory may be read-only. That some element is written tells that all may be.
static void note_written(Ends *e) {
    isl_set *sure = isl_set_params(none(e->r, e->array)), *some = isl_set_params(isl_set_copy(e->all));
    for (int i = 0; i < e->r->touches.n; i++) {
        const Touch *t = &e->r->touches.at[i];
        if (t->array == e->array && is_stored(t))
            sure = isl_set_union(sure, isl_set_params(isl_map_range(real_map(t))));
    }
    some = isl_set_intersect(some, isl_set_copy(e->r->ctx));
    sure = isl_set_coalesce(isl_set_intersect(sure, isl_set_copy(e->r->ctx)));
    if (!within(some, sure)) {
        bool ever = isl_set_is_empty(sure) != isl_bool_true;
        e->f->written = ever ? poly_cond_expr(e->r->poly, isl_set_copy(sure), e->r->ctx) : NULL;
        if (!e->f->written) e->f->loose = true;
    }
    isl_set_free(some);
    isl_set_free(sure);
}

// ---- what others may be storing -------------------------------------------------------------------

// The box goes home as a whole. Where the region certainly touches each element of it nobody else may store.
static bool has_gaps(const Ends *e, isl_set *whole) {
    if (!e->f->out || e->f->exact) return false;
    isl_set *box = foot_around(e->r->poly, whole);
    if (!box) return true;
    if (e->f->first) box = isl_set_intersect(box, foot_between(e->all));
    bool gaps = !within(box, e->sure);
    isl_set_free(box);
    return gaps;
}

// ---- one array ------------------------------------------------------------------------------------

static bool is_inspected(const Region *r, const Array *array, bool loosely) {
    for (int i = 0; i < r->ninspects; i++)
        if (r->inspects[i]->array == array && r->inspects[i]->loose >= loosely) return true;
    return false;
}

static void ends_of(Relations *r, Foot *f) {
    Ends e = {r, r->poly->c->arena, f, f->array, NULL, none(r, f->array), none(r, f->array)};
    isl_set *whole = none(r, f->array);
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (t->array != f->array) continue;
        isl_set *s = isl_map_range(real_map(t));
        whole = isl_set_union(whole, isl_map_range(isl_map_copy(t->map)));
        if (t->sure) e.sure = isl_set_union(e.sure, isl_set_copy(s));
        e.all = isl_set_union(e.all, s);
    }
    whole = isl_set_coalesce(isl_set_intersect_params(whole, isl_set_copy(r->ctx)));
    whole = foot_in_rows(r, f->array, whole);
    e.all = isl_set_coalesce(isl_set_intersect_params(e.all, isl_set_copy(r->ctx)));
    e.sure = isl_set_coalesce(isl_set_intersect_params(e.sure, isl_set_copy(r->ctx)));
    if (isl_set_is_empty(whole) == isl_bool_true) {
        f->sparse = false; // no box at all
    } else if (f->array->constant_size) {
        clamp(&e, whole);
    } else if ((e.box = foot_around(r->poly, whole))) {
        bounded_ends(&e);
        f->sparse = f->sparse && !is_dense(&e);
    } else if (is_inspected(r->region, f->array, false)) {
        inspected_ends(&e, whole);
        f->loose |= is_inspected(r->region, f->array, true);
    }
    f->loose |= f->array->guessed;
    f->gaps = !f->loose && has_gaps(&e, whole);
    if (f->out && !f->loose && !f->array->constant_size) note_written(&e);
    isl_set_free(e.box);
    isl_set_free(e.all);
    isl_set_free(e.sure);
    isl_set_free(whole);
}

// The ends of boxes with many accesses under many conditions may take longer than all else of an analysis.
// Without them the system is asked whether the memory is there: a part of the budget is enough.
enum { ENDS_PART = 8 };

void foot_ends(Relations *r, int n, Foot *feet) {
    poly_restart_part(r->poly->c, ENDS_PART);
    for (int i = 0; i < n; i++)
        if (feet[i].array->rank > 0) ends_of(r, &feet[i]);
    if (!poly_gave_up(r->poly)) return;
    poly_restart_part(r->poly->c, ENDS_PART); // of what follows
    for (int i = 0; i < n; i++) { // then nothing is known of any end
        feet[i].first = feet[i].last = NULL, feet[i].written = NULL;
        feet[i].loose = feet[i].array->rank > 0 && !feet[i].exact && !feet[i].array->constant_size;
        feet[i].gaps = feet[i].array->rank > 0 && !feet[i].exact && feet[i].out;
    }
}
