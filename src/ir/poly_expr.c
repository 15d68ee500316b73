// SPDX-License-Identifier: MIT
// poly_expr.c -- isl's functions and sets over parameters, back as expressions.
#include "ir/poly.h"
#include <isl/ctx.h>
#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/val.h>

static Expr *from_ast(Poly *p, isl_ast_expr *e);

static Expr *fold(Poly *p, Op op, isl_ast_expr *e) {
    Arena *a = p->c->arena;
    int n = (int)isl_ast_expr_get_op_n_arg(e);
    Expr *x = NULL;
    for (int i = 0; i < n; i++) {
        isl_ast_expr *arg = isl_ast_expr_get_op_arg(e, i);
        Expr *y = from_ast(p, arg);
        isl_ast_expr_free(arg);
        if (!y) return NULL;
        x = x ? expr_op(a, op, x, y, NULL) : y;
    }
    return x;
}

static Expr *ternary(Poly *p, isl_ast_expr *e) {
    Expr *x[3];
    for (int i = 0; i < 3; i++) {
        isl_ast_expr *arg = isl_ast_expr_get_op_arg(e, i);
        x[i] = from_ast(p, arg);
        isl_ast_expr_free(arg);
        if (!x[i]) return NULL;
    }
    return expr_op(p->c->arena, OP_SELECT, x[0], x[1], x[2]);
}

static Expr *unary_minus(Poly *p, isl_ast_expr *e) {
    Expr *x = fold(p, OP_ADD, e);
    return x ? expr_op(p->c->arena, OP_NEG, x, NULL, NULL) : NULL;
}

static Expr *operation(Poly *p, isl_ast_expr *e) {
    switch (isl_ast_expr_get_op_type(e)) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then: return fold(p, OP_LAND, e);
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else: return fold(p, OP_LOR, e);
    case isl_ast_expr_op_max: return fold(p, OP_MAX, e);
    case isl_ast_expr_op_min: return fold(p, OP_MIN, e);
    case isl_ast_expr_op_minus: return unary_minus(p, e);
    case isl_ast_expr_op_add: return fold(p, OP_ADD, e);
    case isl_ast_expr_op_sub: return fold(p, OP_SUB, e);
    case isl_ast_expr_op_mul: return fold(p, OP_MUL, e);
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_fdiv_q:
    case isl_ast_expr_op_pdiv_q: return fold(p, OP_FDIV, e);
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r: return fold(p, OP_FMOD, e);
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select: return ternary(p, e);
    case isl_ast_expr_op_eq: return fold(p, OP_EQ, e);
    case isl_ast_expr_op_le: return fold(p, OP_LE, e);
    case isl_ast_expr_op_lt: return fold(p, OP_LT, e);
    case isl_ast_expr_op_ge: return fold(p, OP_GE, e);
    case isl_ast_expr_op_gt: return fold(p, OP_GT, e);
    default: return NULL;
    }
}

static Expr *from_ast(Poly *p, isl_ast_expr *e) {
    Arena *a = p->c->arena;
    switch (isl_ast_expr_get_type(e)) {
    case isl_ast_expr_int: {
        isl_val *v = isl_ast_expr_get_val(e);
        int64_t i;
        bool fits = poly_int(v, &i);
        isl_val_free(v);
        return fits ? expr_int(a, T_I64, i) : NULL;
    }
    case isl_ast_expr_id: {
        isl_id *id = isl_ast_expr_get_id(e);
        Expr *x = isl_id_get_user(id);
        isl_id_free(id);
        return x ? expr_cast(a, T_I64, x) : NULL;
    }
    case isl_ast_expr_op: return operation(p, e);
    default: return NULL;
    }
}

static Expr *finish(Poly *p, isl_ast_expr *e) {
    Expr *x = e ? from_ast(p, e) : NULL;
    isl_ast_expr_free(e);
    return x;
}

Expr *poly_expr(Poly *p, __isl_take isl_pw_aff *pa, __isl_keep isl_set *ctx) {
    isl_ast_build *b = isl_ast_build_from_context(isl_set_copy(ctx));
    pa = isl_pw_aff_coalesce(isl_pw_aff_gist_params(pa, isl_set_copy(ctx)));
    Expr *x = finish(p, isl_ast_build_expr_from_pw_aff(b, pa));
    isl_ast_build_free(b);
    return x;
}

Expr *poly_cond_expr(Poly *p, __isl_take isl_set *s, __isl_keep isl_set *ctx) {
    s = isl_set_coalesce(isl_set_gist_params(isl_set_coalesce(s), isl_set_copy(ctx)));
    if (isl_set_plain_is_universe(s) == isl_bool_true) {
        isl_set_free(s);
        return expr_int(p->c->arena, T_I32, 1);
    }
    isl_ast_build *b = isl_ast_build_from_context(isl_set_copy(ctx));
    Expr *x = finish(p, isl_ast_build_expr_from_set(b, s));
    isl_ast_build_free(b);
    if (x && x->type != T_I32) x = expr_op(p->c->arena, OP_NE, x, expr_int(p->c->arena, x->type, 0), NULL);
    return x;
}

Expr *poly_bound(Poly *p, __isl_keep isl_set *s, int pos, bool greatest, __isl_keep isl_set *ctx) {
    isl_bool bounded = greatest ? isl_set_dim_has_upper_bound(s, isl_dim_set, (unsigned)pos)
                                : isl_set_dim_has_lower_bound(s, isl_dim_set, (unsigned)pos);
    if (bounded != isl_bool_true || isl_set_is_empty(s) != isl_bool_false) return NULL;
    bool fine = isl_ctx_last_error(p->ctx) == isl_error_none;
    isl_set *copy = isl_set_copy(s);
    isl_pw_aff *pa = greatest ? isl_set_dim_max(copy, pos) : isl_set_dim_min(copy, pos);
    // Of a set in several parts, one without an end, there may be an answer for the others alone.
    if (poly_forgive(p, fine) && pa) return poly_expr(p, pa, ctx);
    isl_pw_aff_free(pa);
    return NULL;
}
