// SPDX-License-Identifier: MIT
// poly.c -- integer expressions and conditions as isl's piecewise affine functions and sets.
#include "ir/poly_table.h"
#include "ir/watch.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

// What one analysis may cost; beyond, its answers are "unknown".
#ifdef __SANITIZE_ADDRESS__
enum { SLOWER = 6 }; // than without
#else
enum { SLOWER = 1 };
#endif
enum { MAX_OPERATIONS = 40 * 1000 * 1000, MAX_SECONDS = 9 * SLOWER, JUDGE_SECONDS = 9 * SLOWER };

static void drop_ctx(void *ctx) { isl_ctx_free(ctx); }

Poly *poly_new(Compile *c) {
    if (!c->isl) {
        c->isl = isl_ctx_alloc();
        isl_options_set_on_error(c->isl, ISL_ON_ERROR_CONTINUE);
        arena_own(c->arena, c->isl, drop_ctx);
    }
    if (!c->poly) { // one for all analyses: a parameter is the same one in all their sets
        c->poly = NEW(c->arena, Poly);
        c->poly->c = c;
        c->poly->ctx = c->isl;
    }
    return c->poly;
}

// libisl says no for two reasons: the budget is used up, and whatever fails after that fails because of it;
// or it was asked for what is not there, and that is a mistake of ours.
static void tell_mistake(Poly *p) {
    enum isl_error error = isl_ctx_last_error(p->ctx);
    const char *said = isl_ctx_last_error_msg(p->ctx);
    if (error == isl_error_none || error == isl_error_quota || error == isl_error_abort) return;
    isl_ctx_reset_error(p->ctx);
    isl_val *v = isl_val_zero(p->ctx); // after the last operation of a budget nothing is to be had
    if (v && error != isl_error_alloc)
        diag(p->c, DIAG_REMARK, SC_BUG, p->c->at,
             "sculpt made a mistake when it analysed these loops, and noticed it: they may run slower than "
             "they could, or stay on the host; please report them (libisl: %s)",
             said ? said : "no word");
    isl_val_free(v);
}

static double patient(const Compile *c, int seconds) {
    return (double)seconds * (c->patience ? c->patience : 1);
}

void poly_restart(Compile *c) {
    poly_restart_part(c, 1);
}

void poly_restart_part(Compile *c, int part) {
    tell_mistake(poly_new(c));
    part *= c->thrift ? c->thrift : 1;
    watch_start(c, patient(c, MAX_SECONDS) / part);
    isl_ctx_set_max_operations(c->isl, MAX_OPERATIONS / (unsigned long)part);
    isl_ctx_reset_operations(c->isl);
    isl_ctx_reset_error(c->isl);
}

double poly_together(Compile *c) {
    double before = c->limit, all = time_used() + patient(c, JUDGE_SECONDS);
    if (before <= 0 || all < before) c->limit = all;
    return before;
}

bool poly_tick(Poly *p) {
    bool over = p->c->deadline > 0 && time_used() > p->c->deadline;
    if (over) isl_ctx_abort(p->ctx);
    return over;
}

bool poly_gave_up(Poly *p) {
    bool failed = isl_ctx_last_error(p->ctx) != isl_error_none;
    tell_mistake(p);
    isl_ctx_reset_error(p->ctx);
    return failed;
}

bool poly_forgive(Poly *p, bool fine) {
    enum isl_error error = isl_ctx_last_error(p->ctx);
    if (error == isl_error_none) return true;
    if (fine && error != isl_error_quota && error != isl_error_abort) isl_ctx_reset_error(p->ctx);
    return false;
}

// ---- spaces and parameters ---------------------------------------------------------

__isl_give isl_set *poly_universe(Poly *p, PolyScope s) {
    return isl_set_universe(isl_space_set_alloc(p->ctx, 0, (unsigned)s.n));
}

static isl_local_space *scope_space(Poly *p, PolyScope s) {
    return isl_local_space_from_space(isl_space_set_alloc(p->ctx, 0, (unsigned)s.n));
}

isl_id *poly_param(Poly *p, const Expr *x) {
    for (int i = 0; i < p->params.n; i++)
        if (expr_equal(p->params.at[i], x)) {
            Expr *e = p->params.at[i];
            const char *name = e->kind == E_SYM ? e->sym->name : arena_printf(p->c->arena, "e%d", i);
            return isl_id_alloc(p->ctx, name, e);
        }
    vec_push(p->c->arena, &p->params, (Expr *)x);
    return poly_param(p, x);
}

static isl_pw_aff *param_aff(Poly *p, PolyScope s, const Expr *x) {
    isl_space *space = isl_space_set_alloc(p->ctx, 1, (unsigned)s.n);
    space = isl_space_set_dim_id(space, isl_dim_param, 0, poly_param(p, x));
    isl_local_space *ls = isl_local_space_from_space(space);
    return isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_param, 0));
}

static int iter_index(PolyScope s, const Sym *sym) {
    for (int i = s.n - 1; i >= 0; i--)
        if (s.iters[i] == sym) return i;
    return -1;
}

// Does x keep one value all through the region, and can the host compute it?
static bool varies(const Expr *x) {
    return x->kind == E_LOAD || x->kind == E_CALL || type_is_float(x->type) ||
           (x->kind == E_SYM && x->sym->kind == SYM_ITER);
}

static bool is_invariant(const Expr *x) { return !expr_any(x, varies); }

// ---- expressions ---------------------------------------------------------------------

static bool is_truth(const Expr *x) {
    return x->kind == E_OP && ((x->op >= OP_LT && x->op <= OP_NE) || x->op == OP_LAND || x->op == OP_LOR ||
                               x->op == OP_LNOT);
}

static isl_pw_aff *affine(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts);

static isl_pw_aff *integer(Poly *p, PolyScope s, int64_t v) {
    return isl_pw_aff_val_on_domain(poly_universe(p, s), isl_val_int_from_si(p->ctx, v));
}

bool poly_int(__isl_keep isl_val *v, int64_t *out) {
    bool fits = v && isl_val_is_int(v) == isl_bool_true && isl_val_cmp_si(v, INT64_MIN) >= 0 &&
                isl_val_cmp_si(v, INT64_MAX) <= 0;
    if (fits) *out = isl_val_get_num_si(v);
    return fits;
}

static bool is_constant(isl_pw_aff *pa, int64_t *v) {
    if (!pa || isl_pw_aff_is_cst(pa) != isl_bool_true || isl_pw_aff_n_piece(pa) != 1) return false;
    isl_val *val = isl_pw_aff_eval(isl_pw_aff_copy(pa),
        isl_point_zero(isl_pw_aff_get_domain_space(pa)));
    bool ok = poly_int(val, v);
    isl_val_free(val);
    return ok;
}

static isl_pw_aff *drop_both(isl_pw_aff *x, isl_pw_aff *y) {
    isl_pw_aff_free(x);
    isl_pw_aff_free(y);
    return NULL;
}

static isl_pw_aff *product(isl_pw_aff *x, isl_pw_aff *y) {
    if (isl_pw_aff_is_cst(x) == isl_bool_true || isl_pw_aff_is_cst(y) == isl_bool_true)
        return isl_pw_aff_mul(x, y);
    return drop_both(x, y);
}

// x / 2^k and its kin: both operands built, y a positive constant.
static isl_pw_aff *by_constant(Poly *p, Op op, isl_pw_aff *x, isl_pw_aff *y) {
    int64_t c = 0;
    if (!is_constant(y, &c)) return drop_both(x, y);
    isl_pw_aff_free(y);
    isl_val *v = isl_val_int_from_si(p->ctx, c);
    switch (op) {
    case OP_SHL:
        if (c < 0 || c > 62) break;
        return isl_pw_aff_scale_val(x, isl_val_2exp(v));
    case OP_SHR:
        if (c < 0 || c > 62) break;
        return isl_pw_aff_floor(isl_pw_aff_scale_down_val(x, isl_val_2exp(v)));
    case OP_FDIV:
        if (c <= 0) break;
        return isl_pw_aff_floor(isl_pw_aff_scale_down_val(x, v));
    case OP_FMOD:
        if (c <= 0) break;
        return isl_pw_aff_mod_val(x, v);
    case OP_AND: // with a mask of low bits, in two's complement
        if (c <= 0 || (c & (c + 1)) != 0) break;
        return isl_pw_aff_mod_val(x, isl_val_add_ui(v, 1));
    case OP_DIV:
    case OP_MOD: {
        if (c <= 0) break;
        isl_pw_aff *d = isl_pw_aff_val_on_domain(isl_set_universe(isl_pw_aff_get_domain_space(x)), v);
        return op == OP_DIV ? isl_pw_aff_tdiv_q(x, d) : isl_pw_aff_tdiv_r(x, d);
    }
    default: break;
    }
    isl_val_free(v);
    isl_pw_aff_free(x);
    return NULL;
}

// Facts of what is computed nowhere but here, from number `from` on.
static void only_where(PolyFacts *facts, int from, __isl_keep isl_set *here) {
    for (int i = from; facts && i < facts->n; i++)
        facts->at[i] = isl_pw_aff_intersect_domain(facts->at[i], isl_set_copy(here));
}

static isl_pw_aff *select_aff(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts) {
    isl_set *on = poly_cond(p, s, x->args[0], facts);
    if (!on) return NULL;
    int before = facts ? facts->n : 0;
    isl_pw_aff *yes = affine(p, s, x->args[1], facts);
    only_where(facts, before, on);
    before = facts ? facts->n : 0;
    isl_pw_aff *no = yes ? affine(p, s, x->args[2], facts) : NULL;
    isl_set *off = isl_set_complement(isl_set_copy(on));
    only_where(facts, before, off);
    isl_set_free(off);
    if (!yes || !no) {
        isl_set_free(on);
        return drop_both(yes, no);
    }
    isl_pw_aff *chosen = isl_pw_aff_intersect_domain(yes, isl_set_copy(on));
    return isl_pw_aff_union_add(chosen, isl_pw_aff_intersect_domain(no, isl_set_complement(on)));
}

static void remember(Poly *p, PolyFacts *facts, isl_pw_aff *pa) {
    if (facts && pa) vec_push(p->c->arena, facts, isl_pw_aff_copy(pa));
}

// A condition as a number: 1 where it holds, 0 elsewhere.
static isl_pw_aff *truth_aff(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts) {
    isl_set *on = poly_cond(p, s, x, facts);
    return on ? isl_set_indicator_function(on) : NULL;
}

static isl_pw_aff *operation(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts) {
    if (x->op == OP_SELECT) return select_aff(p, s, x, facts);
    if (is_truth(x)) return truth_aff(p, s, x, facts);
    isl_pw_aff *a = affine(p, s, x->args[0], facts);
    if (!a) return NULL;
    bool is_unsigned = !type_is_signed(x->type);
    if (x->op == OP_NEG) {
        a = isl_pw_aff_neg(a);
        if (is_unsigned) remember(p, facts, a);
        return a;
    }
    isl_pw_aff *b = x->nargs == 2 ? affine(p, s, x->args[1], facts) : NULL;
    if (!b) {
        isl_pw_aff_free(a);
        return NULL;
    }
    switch (x->op) {
    case OP_ADD: return isl_pw_aff_add(a, b);
    case OP_SUB:
        a = isl_pw_aff_sub(a, b);
        if (is_unsigned) remember(p, facts, a);
        return a;
    case OP_MUL: return product(a, b);
    case OP_MIN: return isl_pw_aff_min(a, b);
    case OP_MAX: return isl_pw_aff_max(a, b);
    case OP_AND: {
        int64_t v;
        if (!is_constant(b, &v)) return by_constant(p, x->op, b, a);
        return by_constant(p, x->op, a, b);
    }
    case OP_DIV: case OP_MOD: case OP_FDIV: case OP_FMOD: case OP_SHL: case OP_SHR:
        return by_constant(p, x->op, a, b);
    default: return drop_both(a, b);
    }
}

// Casts between integers are plain where no value of the source type is lost; one to a
// narrower or unsigned type is taken to lose nothing, as for 64-bit sizes in int loops.
static bool is_plain_cast(const Expr *x) {
    const Expr *from = x->args[0];
    return type_is_int(x->type) && type_is_int(from->type) && x->type != T_BOOL &&
           type_size(x->type) >= 4;
}

static isl_pw_aff *affine(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts) {
    if (!type_is_int(x->type)) return NULL;
    isl_pw_aff *pa = NULL;
    switch (x->kind) {
    case E_INT: return x->type == T_U64 && x->i < 0 ? NULL : integer(p, s, x->i); // 2^63 and more
    case E_SYM: {
        int i = iter_index(s, x->sym);
        if (i >= 0)
            return isl_pw_aff_from_aff(isl_aff_var_on_domain(scope_space(p, s), isl_dim_set, (unsigned)i));
        return x->sym->kind == SYM_PARAM ? param_aff(p, s, x) : NULL;
    }
    case E_CAST:
        if (is_plain_cast(x)) {
            pa = affine(p, s, x->args[0], facts);
            if (pa && !type_is_signed(x->type) && type_is_signed(x->args[0]->type)) remember(p, facts, pa);
        }
        break;
    case E_OP: pa = operation(p, s, x, facts); break;
    case E_LOAD: return poly_table(p, s, x, facts);
    default: break;
    }
    return pa ? pa : is_invariant(x) ? param_aff(p, s, x) : NULL;
}

__isl_give isl_pw_aff *poly_aff(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts) {
    return affine(p, s, x, facts);
}

// ---- conditions ------------------------------------------------------------------------

// What lies below the least of several values lies below each; isl would part the points by which it is.
static isl_set *below_each(Poly *p, PolyScope s, Op op, const Expr *x, const Expr *y, bool of_x,
                           PolyFacts *facts) {
    Expr *const *of = of_x ? x->args : y->args;
    isl_set *a = poly_compare(p, s, op, of_x ? of[0] : x, of_x ? y : of[0], facts);
    isl_set *b = a ? poly_compare(p, s, op, of_x ? of[1] : x, of_x ? y : of[1], facts) : NULL;
    if (b) return isl_set_intersect(a, b);
    isl_set_free(a);
    return NULL;
}

static bool is_op(const Expr *x, Op op) { return x->kind == E_OP && x->op == op; }

__isl_give isl_set *poly_compare(Poly *p, PolyScope s, Op op, const Expr *x, const Expr *y,
                                 PolyFacts *facts) {
    bool less = op == OP_LT || op == OP_LE, more = op == OP_GT || op == OP_GE;
    bool of_x = (less && is_op(x, OP_MAX)) || (more && is_op(x, OP_MIN));
    if (of_x || (less && is_op(y, OP_MIN)) || (more && is_op(y, OP_MAX)))
        return below_each(p, s, op, x, y, of_x, facts);
    isl_pw_aff *a = affine(p, s, x, facts), *b = a ? affine(p, s, y, facts) : NULL;
    if (!b) {
        isl_pw_aff_free(a);
        return NULL;
    }
    switch (op) {
    case OP_LT: return isl_pw_aff_lt_set(a, b);
    case OP_LE: return isl_pw_aff_le_set(a, b);
    case OP_GT: return isl_pw_aff_gt_set(a, b);
    case OP_GE: return isl_pw_aff_ge_set(a, b);
    case OP_EQ: return isl_pw_aff_eq_set(a, b);
    default: return isl_pw_aff_ne_set(a, b);
    }
}

__isl_give isl_set *poly_cond(Poly *p, PolyScope s, const Expr *x, PolyFacts *facts) {
    bool zero = x->kind == E_OP && (x->op == OP_NE || x->op == OP_EQ) && expr_is_int(x->args[1], 0);
    if (zero && is_truth(x->args[0])) {
        isl_set *is = poly_cond(p, s, x->args[0], facts);
        return is && x->op == OP_EQ ? isl_set_complement(is) : is;
    }
    if (x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE) 
        return poly_compare(p, s, x->op, x->args[0], x->args[1], facts);
    if (x->kind == E_OP && (x->op == OP_LAND || x->op == OP_LOR)) {
        isl_set *a = poly_cond(p, s, x->args[0], facts);
        int before = facts ? facts->n : 0;
        isl_set *b = a ? poly_cond(p, s, x->args[1], facts) : NULL;
        isl_set *asked = b ? isl_set_copy(a) : NULL;
        if (asked && x->op == OP_LOR) asked = isl_set_complement(asked);
        if (asked) only_where(facts, before, asked);
        isl_set_free(asked);
        if (!b) {
            isl_set_free(a);
            return NULL;
        }
        return x->op == OP_LAND ? isl_set_intersect(a, b) : isl_set_union(a, b);
    }
    if (x->kind == E_OP && x->op == OP_LNOT) {
        isl_set *a = poly_cond(p, s, x->args[0], facts);
        return a ? isl_set_complement(a) : NULL;
    }
    isl_pw_aff *a = affine(p, s, x, facts);
    return a ? isl_pw_aff_ne_set(a, integer(p, s, 0)) : NULL;
}
