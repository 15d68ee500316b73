// SPDX-License-Identifier: MIT
// prove.c -- the proof: each element at the end, the accesses, the order of threads.
#include "equal/flows.h"
#include "equal/run.h"
#include "ir/show.h"
#include <isl/aff.h>
#include <isl/id.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

enum { MOST_PIECES = 6 };

static bool may_wrap(const Expr *x) { return !type_is_int(x->type) || !type_is_signed(x->type); }

// What a parameter of s stands for; NULL: it is no product of sizes.
static Expr *product_at(isl_set *s, int at) {
    isl_id *id = isl_set_get_dim_id(s, isl_dim_param, (unsigned)at);
    Expr *x = isl_id_get_user(id);
    isl_id_free(id);
    while (x && x->kind == E_CAST) x = x->args[0];
    return x && x->kind == E_OP && x->op == OP_MUL && !expr_any(x, may_wrap) ? x : NULL;
}

// i64(d) * i64(k) is k * d: index arithmetic does not overflow.
static isl_set *with_products(Prover *p, isl_set *s) {
    for (int i = 0; i < isl_set_dim(s, isl_dim_param); i++)
        for (int j = 0; j < i; j++) {
            Expr *x = product_at(s, i), *y = product_at(s, j);
            if (x && y && equal_same_sum(p->a, x, y))
                s = isl_set_equate(s, isl_dim_param, (unsigned)i, isl_dim_param, (unsigned)j);
        }
    return s;
}

void prove_open(Prover *p, isl_set *points, const char *why) {
    isl_set *s = isl_set_intersect(isl_set_params(points), isl_set_copy(p->f->region.r->ctx));
    if (p->undefined) s = isl_set_subtract(s, isl_set_copy(p->undefined));
    s = with_products(p, s);
    isl_id *trips = poly_param(p->f->poly, expr_sym(p->a, p->p->trips));
    int at = isl_set_find_dim_by_id(s, isl_dim_param, trips);
    if (at >= 0) s = isl_set_project_out(s, isl_dim_param, (unsigned)at, 1); // whatever the data are
    isl_id_free(trips);
    if (isl_set_is_empty(s) == isl_bool_true) {
        isl_set_free(s);
        return;
    }
    if (!p->why) p->why = why;
    p->open = own_set(p->a, isl_set_coalesce(p->open ? isl_set_union(isl_set_copy(p->open), s) : s));
}

static bool is_written(const FlowTree *t, const Array *v) {
    for (int i = 0; i < t->leaves.n; i++)
        if (t->leaves.at[i]->access[0].array == v) return true;
    return false;
}

static isl_set *written(const FlowTree *t, const Array *v) {
    isl_set *all = isl_set_empty(isl_space_set_alloc(t->flow->poly->ctx, 0, (unsigned)v->rank));
    for (int i = 0; i < t->leaves.n; i++) {
        const FlowAccess *w = &t->leaves.at[i]->access[0];
        if (w->array == v) all = isl_set_union(all, isl_map_range(isl_map_copy(w->map)));
    }
    return isl_set_intersect_params(all, isl_set_copy(t->flow->region.r->ctx));
}

// What either writes, as the loops say it where that is all.
static isl_set *written_by_either(Prover *p, const Array *v) {
    isl_set *x = written(&p->f->region, v), *y = written(&p->f->tree, v);
    if (isl_set_is_subset(y, x) == isl_bool_true) isl_set_free(y);
    else x = isl_set_union(x, y);
    return isl_set_coalesce(x);
}

static void value_at_end(Side *s, const Array *v, isl_set *at, Pieces *out) {
    FlowLeaf *end = flow_out(s->tree, v, isl_set_copy(at), 0, NULL);
    if (s->proof->certificate) certificate_end(s->proof, s, end);
    isl_map *m =
        isl_map_intersect_domain(isl_map_identity(isl_space_map_from_set(isl_set_get_space(at))), at);
    value_of_read(s, &end->access[0], m, v->elem, out);
}

static void compare_array(Prover *p, const Array *v) {
    isl_set *at = written_by_either(p, v);
    Pieces x = {0}, y = {0};
    value_at_end(&p->loops, v, isl_set_copy(at), &x);
    value_at_end(&p->kernel, v, at, &y);
    for (int i = 0; i < x.n; i++)
        for (int j = 0; j < y.n && !p->unknown; j++) {
            isl_set *both = isl_set_intersect(isl_set_copy(x.at[i].at), isl_set_copy(y.at[j].at));
            const char *why = NULL;
            isl_set *bad = compare_values(p, x.at[i].v, y.at[j].v, both, &why);
            prove_open(p, bad, arena_printf(p->a, "%s: %s", v->name, why ? why : "values differ"));
        }
}

static void check_leaves(Prover *p, const FlowTree *t, const char *whose) {
    for (int i = 0; i < t->leaves.n; i++) {
        const Event *ev = t->leaves.at[i]->ev;
        if (!ev->nterms && ev->told) continue;
        const char *where = t == &p->f->tree ? arena_printf(p->a, ", at line %d", ev->node->loc.line) : "";
        prove_unknown(p, arena_printf(p->a, "which iterations run depends on data in %s%s", whose, where));
    }
    prove_open(p, isl_set_copy(t->r->wrong), arena_printf(p->a, "unsigned arithmetic may wrap in %s", whose));
}

static Flow *new_flow(Pair *q, Node *kernel) {
    Flow *f = NEW(q->a, Flow);
    *f = (Flow){.c = q->c, .a = q->a, .poly = poly_new(q->c), .r = q->region};
    f->region = (FlowTree){.flow = f, .root = q->flow_loops};
    f->tree = (FlowTree){.flow = f, .root = kernel};
    Node *both[] = {q->flow_loops, kernel};
    TermArrays *t = term_arrays(q->a, q->region, node_seq(q->a, 2, both));
    t->nasked = 0;
    f->arrays = t;
    return f;
}

static void prove(Prover *p) {
    Flow *f = p->f;
    flow_leaves(&f->region, NULL);
    flow_leaves(&f->tree, NULL);
    if (f->unknown) prove_unknown(p, f->unknown);
    check_leaves(p, &f->region, "the loops");
    check_leaves(p, &f->tree, "the kernel");
    for (int i = 0; i < f->tree.leaves.n; i++)
        p->regrouped |= f->tree.leaves.at[i]->access[0].array->lanes == 2;
    check_widths(p);
    if (!p->unknown && p->part != PROVE_VALUES) check_bounds(p);
    const Region *r = p->p->region;
    for (int i = 0; i < r->narrays && !p->unknown && p->part != PROVE_ACCESSES; i++)
        if (is_written(&f->region, r->arrays[i]) || is_written(&f->tree, r->arrays[i]))
            compare_array(p, r->arrays[i]);
    if (!p->unknown && p->part == PROVE_ALL) check_ties(p);
    if (!p->unknown && p->part != PROVE_VALUES) check_order(p);
}

// ---- sizes ---------------------------------------------------------------------------------------
// The largest number that is tried of parameter number i: one by which loops run costs time.
static int64_t greatest(const Pair *q, int i) {
    const Sym *s = q->region->params[i];
    int64_t most = type_most(s->type), some = (int64_t)1 << (equal_directs(q, s) ? 21 : 40);
    return most < some ? most : some;
}

// The set with its parameters that are sizes as dimensions, in the region's order; others are dropped.
static isl_set *as_points(Pair *q, isl_set *open) {
    isl_set *s = isl_set_copy(open);
    unsigned n = 0;
    s = isl_set_from_params(s);
    for (int i = 0; i < q->region->nparams; i++) {
        if (!equal_is_size(q, i)) continue;
        int at = -1;
        for (int d = 0; d < isl_set_dim(s, isl_dim_param); d++) {
            isl_id *id = isl_set_get_dim_id(s, isl_dim_param, (unsigned)d);
            Expr *x = isl_id_get_user(id);
            isl_id_free(id);
            if (x && x->kind == E_SYM && x->sym == q->region->params[i]) at = d;
        }
        if (at >= 0) s = isl_set_move_dims(s, isl_dim_set, n, isl_dim_param, (unsigned)at, 1);
        else s = isl_set_insert_dims(s, isl_dim_set, n, 1);
        isl_val *most = isl_val_int_from_si(isl_set_get_ctx(s), greatest(q, i));
        s = isl_set_lower_bound_val(s, isl_dim_set, n, isl_val_neg(isl_val_copy(most)));
        s = isl_set_upper_bound_val(s, isl_dim_set, n, most);
        n++;
    }
    return isl_set_project_out(s, isl_dim_param, 0, (unsigned)isl_set_dim(s, isl_dim_param));
}

static bool sample(Pair *q, isl_set *s, int64_t *sizes) {
    isl_point *pt = isl_set_sample_point(isl_set_lexmin(s));
    if (!pt || isl_point_is_void(pt) != isl_bool_false) return isl_point_free(pt), false;
    for (int i = 0, n = 0; i < q->region->nparams; i++) {
        sizes[i] = 0;
        if (!equal_is_size(q, i)) continue;
        isl_val *v = isl_point_get_coordinate_val(pt, isl_dim_set, n++);
        sizes[i] = v ? isl_val_get_num_si(v) : 1;
        isl_val_free(v);
    }
    isl_point_free(pt);
    return true;
}

isl_set *equal_permitted(Pair *q) {
    Poly *poly = poly_new(q->c);
    PolyScope none = {0, NULL};
    isl_set *all = NULL;
    for (int i = 0; i < q->region->nassumes; i++) {
        isl_set *s = poly_cond(poly, none, q->region->assumes[i], NULL);
        if (s) s = isl_set_params(s);
        all = all && s ? isl_set_intersect(all, s) : s ? s : all;
    }
    return all ? own_set(q->a, all) : NULL;
}

// s (taken) where dimension d is that large, or as large as it can be where a size of 0 will do. A number
// that can be nothing but negative is as far below zero.
static isl_set *as_large(isl_set *s, unsigned d, int64_t least, bool zero) {
    isl_ctx *ctx = isl_set_get_ctx(s);
    isl_set *not_negative = isl_set_lower_bound_si(isl_set_copy(s), isl_dim_set, d, 0);
    if (isl_set_is_empty(not_negative) == isl_bool_true) {
        isl_set_free(not_negative);
        s = isl_set_lower_bound_val(s, isl_dim_set, d, isl_val_int_from_si(ctx, -2 * least));
        return isl_set_upper_bound_val(s, isl_dim_set, d, isl_val_int_from_si(ctx, -least));
    }
    isl_set_free(s);
    isl_set *some = isl_set_lower_bound_si(isl_set_copy(not_negative), isl_dim_set, d, 1), *more;
    more = isl_set_lower_bound_val(isl_set_copy(some), isl_dim_set, d, isl_val_int_from_si(ctx, least));
    bool none = zero && isl_set_is_empty(some) == isl_bool_true;
    bool few = zero && isl_set_is_empty(more) == isl_bool_true;
    s = isl_set_copy(none ? not_negative : few ? some : more);
    isl_set_free(not_negative), isl_set_free(some), isl_set_free(more);
    return s;
}

// How large numbers are at least, those by which loops run and others: the least, those behind it, some that
// are larger in all. Where types may be too small, such that products of them are no int.
enum { TOO_LARGE = 3 };
static const int64_t least[][2] = {
    {1, 1}, {2, 2}, {3, 3}, {4, 4}, {8, 8}, {17, 17}, {33, 33}, {65, 65}, {100, 100}, {129, 129},
    {257, 257}, {513, 513}, {1030, 1030}, {2050, 2050}, {4100, 4100}, {8200, 8200},
    {3, INT32_MAX}, {65540, 65540}, {3, (int64_t)UINT32_MAX + 8},
};

bool equal_open_sizes(Pair *q, const isl_set *open, bool zero, int *state, int64_t *sizes) {
    int k = (*state)++, n = sizeof least / sizeof *least;
    if (k >= (q->narrow ? n : n - TOO_LARGE)) return false;
    isl_set *s = as_points(q, (isl_set *)open);
    unsigned d = 0;
    for (int i = 0; i < q->region->nparams; i++) {
        if (!equal_is_size(q, i)) continue;
        int64_t most = greatest(q, i), some = least[k][!equal_directs(q, q->region->params[i])];
        s = as_large(s, d++, most < some ? most : some, zero);
    }
    if (sample(q, s, sizes)) return equal_settle_sizes(q, sizes), true;
    return equal_open_sizes(q, open, zero, state, sizes);
}

// ---- the answer ------------------------------------------------------------------------------------
// A condition as one writes it: of sizes, which are not negative, so that all quotients are C's.
static Expr *uncast(Expr *x, void *a) {
    if (!x) return NULL;
    const Expr *of = x->kind == E_CAST ? x->args[0] : x;
    if (of != x && of->kind == E_SYM && type_size(x->type) >= type_size(of->type)) return x->args[0];
    if (x->kind == E_INT && x->i == (int32_t)x->i) return expr_int(a, T_I32, x->i);
    Expr *y = expr_map(a, x, uncast, a);
    bool quotient = y->kind == E_OP && (y->op == OP_FDIV || y->op == OP_FMOD);
    return quotient ? expr_op(a, y->op == OP_FDIV ? OP_DIV : OP_MOD, y->args[0], y->args[1], NULL) : y;
}

// The sizes at hand that are not negative, nor are their products.
static isl_set *usual_sizes(Prover *p) {
    PolyScope none = {0, NULL};
    isl_set *s = isl_set_copy(p->f->region.r->ctx);
    for (int i = 0; i < p->p->region->nparams; i++) {
        if (!equal_is_size(p->p, i)) continue;
        Expr *n = expr_cast(p->a, T_I64, expr_sym(p->a, p->p->region->params[i]));
        Expr *some = expr_op(p->a, OP_LE, expr_int(p->a, T_I64, 0), n, NULL);
        isl_set *at = poly_cond(p->f->poly, none, some, NULL);
        if (at) s = isl_set_intersect(s, isl_set_params(at));
    }
    s = isl_set_align_params(s, isl_set_get_space(p->open));
    for (int i = 0; i < isl_set_dim(s, isl_dim_param); i++)
        if (product_at(s, i)) s = isl_set_lower_bound_si(s, isl_dim_param, (unsigned)i, 0);
    if (p->undefined) s = isl_set_subtract(s, isl_set_copy(p->undefined));
    return with_products(p, widths_in_types(s, WIDTHS_ROOM));
}

static void tell_when(Prover *p, EqualReport *r) {
    isl_set *ctx = usual_sizes(p);
    bool usual = isl_set_is_disjoint(ctx, p->open) == isl_bool_false; // else it is a matter of negative ones
    if (!usual) {
        isl_set_free(ctx);
        ctx = isl_set_copy(p->f->region.r->ctx);
    }
    isl_set *ok = isl_set_coalesce(isl_set_subtract(isl_set_copy(ctx), isl_set_copy(p->open)));
    if (isl_set_is_empty(ok) == isl_bool_false && isl_set_n_basic_set(ok) <= MOST_PIECES) {
        Expr *x = poly_cond_expr(p->f->poly, ok, ctx);
        if (x) r->when = show_expr(p->a, uncast(x, p->a));
    } else isl_set_free(ok);
    isl_set_free(ctx);
}

static Prover *proved(Pair *q, bool states, bool certificate, int part) {
    poly_restart(q->c);
    Prover *p = NEW(q->a, Prover);
    *p = (Prover){.p = q, .a = q->a, .states = states, .part = part};
    p->f = new_flow(q, part == PROVE_VALUES ? q->added_kernel : q->flow_kernel);
    for (int i = 0; i < q->task->nlaunch; i++) p->rounds |= q->task->launch[i].loop >= 0;
    p->states |= p->rounds;
    p->loops = (Side){.proof = p, .tree = &p->f->region, .a = q->a};
    p->kernel = (Side){.proof = p, .tree = &p->f->tree, .a = q->a};
    if (certificate) p->certificate = certificate_new(p);
    prove(p);
    return p;
}

static bool is_shown(const Prover *p) { return !p->unknown && !p->open && !poly_gave_up(p->f->poly); }

// The values with what blocks add up as sums, the accesses as they are. NULL: not all values are shown to be
// the same, as *values says.
static Prover *proved_in_parts(Pair *q, Prover **values) {
    Prover *v = *values = proved(q, false, false, PROVE_VALUES);
    v->regrouped |= q->added_reals;
    if (!is_shown(v)) return NULL;
    Prover *p = proved(q, false, false, PROVE_ACCESSES);
    p->regrouped |= v->regrouped, p->has_sums |= v->has_sums;
    p->finite |= v->finite, p->no_nan |= v->no_nan, p->begins |= v->begins;
    return p;
}

static Prover *proved_somehow(Pair *q, bool certificate, Prover **values) {
    Prover *p = q->added_kernel && !certificate ? proved_in_parts(q, values) : NULL;
    if (!p) p = proved(q, false, certificate, PROVE_ALL);
    if (p->endless && !p->states && !poly_gave_up(p->f->poly)) p = proved(q, true, certificate, PROVE_ALL);
    return p;
}

void equal_prove(EqualReport *r, Pair *q) {
    bool certificate = q->task->certificate && !q->better.n;
    Prover *values = NULL, *p = proved_somehow(q, certificate, &values);
    bool again = certificate && (poly_gave_up(p->f->poly) || (q->added_kernel && !is_shown(p)));
    if (again) p = proved_somehow(q, false, &values); // the proof does not hang on what is written down
    bool over = poly_gave_up(p->f->poly);
    r->answer = EQUAL_UNDECIDED;
    bool told = values && !values->unknown && values->open; // where sums tell which sizes are open
    if (told && (over || p->unknown)) r->open = values->open, r->why = values->why;
    else if (over) r->why = p->unknown ? p->unknown : OVER_BUDGET;
    else if (p->unknown) r->why = p->unknown;
    else if (p->open) {
        r->why = p->why;
        poly_restart_part(q->c, 2);
        if (!p->regrouped || q->task->reassociate) tell_when(p, r);
        r->open = p->open;
    } else if (p->regrouped && !q->task->reassociate) {
        r->why = "float sums are the same but for their order, which rounds differently: --permit "
                 "reassociate takes that";
        r->order = "regrouped";
    } else {
        r->answer = EQUAL_PROVED;
        r->why = NULL;
        r->order = !p->has_sums ? NULL : p->regrouped ? "regrouped" : "in the same order";
    }
    Expr *granted = NULL;
    for (int i = 0; i < q->granted.n; i++) {
        Expr *x = q->granted.at[i];
        granted = granted ? expr_op(q->a, OP_LAND, granted, x, NULL) : x;
    }
    if (granted) r->granted = show_expr(q->a, uncast(granted, q->a));
    r->no_nan = p->no_nan;
    r->begins = p->begins;
    r->finite = p->finite;
    if (r->answer == EQUAL_PROVED && poly_gave_up(p->f->poly))
        r->answer = EQUAL_UNDECIDED, r->why = OVER_BUDGET;
    if (r->answer == EQUAL_PROVED && certificate && !p->certificate)
        r->why = q->added_kernel ? "no certificate: what blocks add up is no part of one"
                                 : "no certificate: the facts that the proof uses are too many";
    if (r->answer == EQUAL_PROVED && q->task->certificate && q->better.n)
        r->why = "no certificate: places of greatest values are no part of one";
    if (r->answer == EQUAL_PROVED && p->certificate) {
        poly_restart(q->c);
        if (p->async) r->why = "no certificate: when asynchronous copies land is no part of one";
        else if (p->finite) r->why = "no certificate: products of data with zero are left out";
        else if (p->begins) r->why = "no certificate: numbers with which a search begins are left out";
        else r->certificate = certificate_text(p, &r->why);
    }
}
