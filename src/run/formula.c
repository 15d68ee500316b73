// SPDX-License-Identifier: MIT
// formula.c -- expressions over a call's values as one graph, each node evaluated at most once a call.
#include "run/formula.h"
#include "ir/value.h"
#include <string.h>

enum { BUCKETS = 1024, MOST_ARGS = 3 };

struct Formula {
    ExprKind kind;
    Type type, of;           // of: the operands'
    Op op;
    int nargs, slot;
    Formula *args[MOST_ARGS];
    int64_t i;
    double f;
    const MathFn *fn;
    // behind what tells it from others
    Formula *next;           // of its bucket
    uint64_t valued, counted; // the turns in which the next were found out
    bool has_value, has_whole;
    Value value;             // as C computes it
    int64_t whole;           // as a number that no type bounds
};

struct Formulas {
    Arena *a;
    uint64_t turn;
    const InterpVal *slots;
    int nslots;
    Formula *bucket[BUCKETS];
};

Formulas *formulas_new(Arena *a) {
    Formulas *f = NEW(a, Formulas);
    f->a = a, f->turn = 1;
    return f;
}

void formulas_begin(Formulas *f, int nslots, const InterpVal *slots) {
    f->turn++;
    f->nslots = nslots, f->slots = slots;
}

// ---- values as C computes them (ir/eval.c) -------------------------------------------------------
static bool value_of(Formulas *f, Formula *x, Value *out);

static bool slot_value(const Formulas *f, const Formula *x, Value *out) {
    if (x->slot < 0 || x->slot >= f->nslots) return false;
    const InterpVal *v = &f->slots[x->slot];
    if (type_is_float(x->type)) out->f = x->type == T_F32 ? (float)v->f : v->f;
    else out->i = value_wrap(x->type, v->i);
    return true;
}

static bool chosen_value(Formulas *f, Formula *x, Value *out) {
    Value v;
    if (!value_of(f, x->args[0], &v)) return false;
    bool is = value_true(x->of, v);
    if (x->op == OP_SELECT) return value_of(f, x->args[is ? 1 : 2], out);
    if (is == (x->op == OP_LOR)) return out->i = is, true;
    if (!value_of(f, x->args[1], &v)) return false;
    return out->i = value_true(x->args[1]->type, v), true;
}

static bool is_choice(const Formula *x) {
    return x->kind == E_OP && (x->op == OP_SELECT || x->op == OP_LAND || x->op == OP_LOR);
}

static bool find_value(Formulas *f, Formula *x, Value *out) {
    Value v[MOST_ARGS];
    switch (x->kind) {
    case E_INT: return out->i = x->i, true;
    case E_FLOAT: return out->f = x->f, true;
    case E_SYM: return slot_value(f, x, out);
    case E_LOAD: return false;
    default: break;
    }
    if (is_choice(x)) return chosen_value(f, x, out);
    if (x->kind == E_CALL && !x->fn) return false;
    for (int k = 0; k < x->nargs; k++)
        if (!value_of(f, x->args[k], &v[k])) return false;
    if (x->kind == E_CALL) return *out = math_call(x->fn, v), true;
    return x->kind == E_CAST ? value_cast(x->of, x->type, v[0], out) : value_op(x->op, x->of, v, out);
}

static bool value_of(Formulas *f, Formula *x, Value *out) {
    if (x->valued != f->turn) {
        x->has_value = find_value(f, x, &x->value);
        x->valued = f->turn;
    }
    *out = x->value;
    return x->has_value;
}

// ---- whole numbers that stay in their types (run/span.c) -------------------------------------------
static bool whole_of(Formulas *f, Formula *x, int64_t *out);

static bool fits(Type t, int64_t v) { return v >= type_least(t) && v <= type_most(t); }

static bool binary(Op op, int64_t x, int64_t y, int64_t *out) {
    switch (op) {
    case OP_ADD: return !__builtin_add_overflow(x, y, out);
    case OP_SUB: return !__builtin_sub_overflow(x, y, out);
    case OP_MUL: return !__builtin_mul_overflow(x, y, out);
    case OP_DIV: case OP_MOD: case OP_FDIV: case OP_FMOD: {
        Value v[2] = {{.i = x}, {.i = y}}, r;
        if ((y == -1 && x == INT64_MIN) || y == INT64_MIN || !value_op(op, T_I64, v, &r)) return false;
        return *out = r.i, true;
    }
    case OP_MIN: *out = y < x ? y : x; return true;
    case OP_MAX: *out = y > x ? y : x; return true;
    case OP_SHL: return y >= 0 && y <= 62 && !__builtin_mul_overflow(x, 1ll << y, out);
    case OP_SHR: return y >= 0 && y <= 62 && (*out = x >> y, true);
    case OP_AND: *out = x & y; return true;
    case OP_OR: *out = x | y; return true;
    case OP_XOR: *out = x ^ y; return true;
    case OP_LT: *out = x < y; return true;
    case OP_LE: *out = x <= y; return true;
    case OP_GT: *out = x > y; return true;
    case OP_GE: *out = x >= y; return true;
    case OP_EQ: *out = x == y; return true;
    case OP_NE: *out = x != y; return true;
    default: return false;
    }
}

static bool chosen_whole(Formulas *f, Formula *x, int64_t *out) {
    int64_t c;
    if (!whole_of(f, x->args[0], &c)) return false;
    if (x->op == OP_SELECT) return whole_of(f, x->args[c ? 1 : 2], out);
    if ((c != 0) == (x->op == OP_LOR)) return *out = c != 0, true;
    if (!whole_of(f, x->args[1], &c)) return false;
    return *out = c != 0, true;
}

static bool op_whole(Formulas *f, Formula *x, int64_t *out) {
    int64_t v[2];
    Value real;
    if (x->op >= OP_LT && x->op <= OP_NE && type_is_float(x->of))
        return value_of(f, x, &real) && (*out = real.i, true);
    if (is_choice(x)) return chosen_whole(f, x, out);
    if (x->nargs > 2 || !whole_of(f, x->args[0], &v[0])) return false;
    if (x->nargs == 2) return whole_of(f, x->args[1], &v[1]) && binary(x->op, v[0], v[1], out);
    if (x->op == OP_LNOT) return *out = !v[0], true;
    if (x->op == OP_NOT) return *out = ~v[0], type_is_signed(x->type);
    return x->op == OP_NEG && v[0] != INT64_MIN && (*out = -v[0], true);
}

static bool find_whole(Formulas *f, Formula *x, int64_t *out) {
    if (type_is_float(x->type)) return false;
    switch (x->kind) {
    case E_INT: return *out = x->i, x->type != T_U64 || x->i >= 0;
    case E_SYM:
        if (x->slot < 0 || x->slot >= f->nslots) return false;
        return *out = f->slots[x->slot].i, x->type != T_U64 || *out >= 0;
    case E_OP: return op_whole(f, x, out) && fits(x->type, *out);
    case E_CAST: return whole_of(f, x->args[0], out) && fits(x->type, *out);
    default: return false;
    }
}

static bool whole_of(Formulas *f, Formula *x, int64_t *out) {
    if (x->counted != f->turn) {
        x->has_whole = find_whole(f, x, &x->whole);
        x->counted = f->turn;
    }
    *out = x->whole;
    return x->has_whole;
}

bool formula_whole(Formulas *f, Formula *x, int64_t *out) { return whole_of(f, x, out); }

bool formula_real(Formulas *f, Formula *x, double *out) {
    Value v;
    if (!value_of(f, x, &v)) return false;
    if (!type_is_float(x->type)) value_cast(x->type, T_F64, v, &v);
    return *out = v.f, true;
}

// ---- making them ---------------------------------------------------------------------------------
static Formula *node(Formulas *f, const Formula *want) {
    size_t told = offsetof(Formula, next);
    Formula **at = &f->bucket[hash_bytes(want, told, 0) % BUCKETS];
    for (Formula *x = *at; x; x = x->next)
        if (!memcmp(x, want, told)) return x;
    Formula *x = NEW(f->a, Formula);
    memcpy(x, want, told);
    x->next = *at;
    return *at = x;
}

// Padding counts where nodes are compared, so it is to be zero.
static void blank(Formula *x, ExprKind kind, Type type) {
    memset(x, 0, sizeof *x);
    x->kind = kind, x->type = type, x->slot = -1;
}

static Formula *constant(Formulas *f, Type t, int64_t i, double d) {
    Formula x;
    blank(&x, type_is_float(t) ? E_FLOAT : E_INT, t);
    x.i = i, x.f = d;
    return node(f, &x);
}

static bool is_constant(const Formula *x) { return x->kind == E_INT || x->kind == E_FLOAT; }

// What is the same for all calls: only where C's value is the number itself.
static Formula *folded(Formulas *f, Formula *x) {
    Value v;
    int64_t whole;
    if (x->op == OP_SELECT && x->args[0]->kind == E_INT && x->args[0]->i >= 0 &&
        x->args[1]->type == x->type && x->args[2]->type == x->type)
        return x->args[x->args[0]->i ? 1 : 2];
    for (int k = 0; k < x->nargs; k++)
        if (!is_constant(x->args[k])) return x;
    if (!x->nargs || !value_of(f, x, &v)) return x;
    if (type_is_float(x->type)) return constant(f, x->type, 0, v.f);
    return whole_of(f, x, &whole) && whole == v.i ? constant(f, x->type, v.i, 0) : x;
}

Formula *formula_of(Formulas *f, const Expr *x, int n, const Meaning *m) {
    Formula want;
    blank(&want, x->kind, x->type);
    if (x->kind == E_INT || x->kind == E_FLOAT) return constant(f, x->type, x->i, x->f);
    for (int i = 0; x->kind == E_SYM && i < n; i++) {
        if (m[i].sym != x->sym) continue;
        if (m[i].slot < 0) return constant(f, x->type, m[i].value, 0);
        want.slot = m[i].slot;
    }
    if (x->kind == E_LOAD || x->kind == E_SYM || x->nargs > MOST_ARGS) {
        if (x->kind != E_SYM) want.kind = E_LOAD;
        return node(f, &want);
    }
    want.op = x->op, want.nargs = x->nargs;
    for (int k = 0; k < x->nargs; k++) want.args[k] = formula_of(f, x->args[k], n, m);
    want.of = x->nargs ? x->args[0]->type : T_NONE;
    const MathFn *fn = x->kind == E_CALL ? math_find(x->fn, x->type) : NULL;
    if (fn && math_takes(fn, x->nargs, x->args)) want.fn = fn;
    return folded(f, node(f, &want));
}
