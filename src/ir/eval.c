// SPDX-License-Identifier: MIT
// eval.c -- the value of an expression over parameters
#include "ir/value.h"

typedef struct Env {
    int n;
    const InterpVal *vals;
} Env;

static bool eval(const Env *e, const Expr *x, Value *out);

static bool eval_sym(const Env *e, const Sym *s, Value *out) {
    for (int k = 0; k < e->n; k++) {
        if (e->vals[k].sym != s) continue;
        if (type_is_float(s->type)) out->f = s->type == T_F32 ? (float)e->vals[k].f : e->vals[k].f;
        else out->i = value_wrap(s->type, e->vals[k].i);
        return true;
    }
    return false;
}

// Operators that choose what to evaluate.
static bool eval_choice(const Env *e, const Expr *x, Value *out) {
    Value v;
    if (!eval(e, x->args[0], &v)) return false;
    bool is = value_true(x->args[0]->type, v);
    if (x->op == OP_SELECT) return eval(e, x->args[is ? 1 : 2], out);
    if (is == (x->op == OP_LOR)) return out->i = is, true;
    if (!eval(e, x->args[1], &v)) return false;
    return out->i = value_true(x->args[1]->type, v), true;
}

static bool eval_call(const Env *e, const Expr *x, Value *out) {
    const MathFn *fn = math_find(x->fn, x->type);
    Value v[3];
    if (!fn || !math_takes(fn, x->nargs, x->args)) return false;
    for (int k = 0; k < x->nargs; k++)
        if (!eval(e, x->args[k], &v[k])) return false;
    *out = math_call(fn, v);
    return true;
}

static bool eval(const Env *e, const Expr *x, Value *out) {
    Value v[3];
    if (!x) return false;
    switch (x->kind) {
    case E_INT: return out->i = x->i, true;
    case E_FLOAT: return out->f = x->f, true;
    case E_SYM: return eval_sym(e, x->sym, out);
    case E_LOAD: return false;
    case E_CALL: return eval_call(e, x, out);
    case E_CAST:
        return eval(e, x->args[0], &v[0]) && value_cast(x->args[0]->type, x->type, v[0], out);
    case E_OP: break;
    }
    if (x->op == OP_SELECT || x->op == OP_LAND || x->op == OP_LOR) return eval_choice(e, x, out);
    for (int k = 0; k < x->nargs; k++)
        if (!eval(e, x->args[k], &v[k])) return false;
    return value_op(x->op, x->args[0]->type, v, out);
}

bool ir_eval(const Expr *x, int nvals, const InterpVal *vals, int64_t *out) {
    Env e = {nvals, vals};
    Value v;
    if (!x || !type_is_int(x->type) || !eval(&e, x, &v)) return false;
    *out = v.i;
    return true;
}

bool ir_eval_float(const Expr *x, int nvals, const InterpVal *vals, double *out) {
    Env e = {nvals, vals};
    Value v;
    if (!x || !eval(&e, x, &v)) return false;
    if (!type_is_float(x->type)) value_cast(x->type, T_F64, v, &v);
    *out = v.f;
    return true;
}
