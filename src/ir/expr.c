// SPDX-License-Identifier: MIT
// expr.c -- making expressions: constant folding, substitution, walking
//
// Every node is made here, after no folding applied to exactly its operands; so making
// an expression again from its parts (which the parser does) gives the same expression.
// Folding never drops a load: accesses are numbered by where they stand.
#include "ir/ir.h"
#include "ir/value.h"
#include <math.h>
#include <string.h>

static Expr *make(Arena *a, ExprKind kind, Type t, int nargs) {
    Expr *x = NEW(a, Expr);
    x->kind = kind;
    x->type = t;
    x->nargs = nargs;
    if (nargs) x->args = NEW_N(a, Expr *, nargs);
    return x;
}

Expr *expr_int(Arena *a, Type t, int64_t v) {
    Expr *x = make(a, E_INT, t, 0);
    x->i = value_wrap(t, v);
    return x;
}

Expr *expr_float(Arena *a, Type t, double v) {
    Expr *x = make(a, E_FLOAT, t, 0);
    x->f = t == T_F32 ? (float)v : v;
    return x;
}

Expr *expr_sym(Arena *a, const Sym *s) {
    Expr *x = make(a, E_SYM, s->type, 0);
    x->sym = s;
    return x;
}

Expr *expr_load(Arena *a, const Array *array, Expr **subscripts) {
    Expr *x = make(a, E_LOAD, array->elem, array->rank);
    x->array = array;
    if (array->rank) memcpy(x->args, subscripts, sizeof *subscripts * (size_t)array->rank);
    return x;
}

Expr *expr_call(Arena *a, const char *fn, Type t, int n, Expr **args) {
    Expr *x = make(a, E_CALL, t, n);
    x->fn = fn;
    if (n) memcpy(x->args, args, sizeof *args * (size_t)n);
    return x;
}

// ---- questions ---------------------------------------------------------------------
static bool is_literal(const Expr *x) { return x && (x->kind == E_INT || x->kind == E_FLOAT); }

bool expr_is_int(const Expr *x, int64_t v) { return x && x->kind == E_INT && x->i == v; }

static bool same_bits(double x, double y) { return memcmp(&x, &y, sizeof x) == 0; }

bool expr_equal(const Expr *x, const Expr *y) {
    if (x == y) return true;
    if (!x || !y || x->kind != y->kind || x->type != y->type || x->nargs != y->nargs) return false;
    switch (x->kind) {
    case E_INT: return x->i == y->i;
    case E_FLOAT: return same_bits(x->f, y->f);
    case E_SYM: return x->sym == y->sym;
    case E_LOAD: if (x->array != y->array) return false; break;
    case E_OP: if (x->op != y->op) return false; break;
    case E_CALL: if (strcmp(x->fn, y->fn) != 0) return false; break;
    case E_CAST: break;
    }
    for (int k = 0; k < x->nargs; k++)
        if (!expr_equal(x->args[k], y->args[k])) return false;
    return true;
}

bool expr_asks_nan(const Expr *x) {
    if (x->kind != E_OP) return false;
    if (x->op == OP_LAND) return expr_asks_nan(x->args[0]) || expr_asks_nan(x->args[1]);
    return x->op == OP_NE && type_is_float(x->args[0]->type) && expr_equal(x->args[0], x->args[1]);
}

bool expr_uses_sym(const Expr *x, const Sym *s) {
    if (!x) return false;
    if (x->kind == E_SYM && x->sym == s) return true;
    for (int k = 0; k < x->nargs; k++)
        if (expr_uses_sym(x->args[k], s)) return true;
    return false;
}

bool exprs_use(Expr *const *x, int n, const Sym *s) {
    for (int k = 0; k < n; k++)
        if (expr_uses_sym(x[k], s)) return true;
    return false;
}

bool access_names(const Access *x, const Sym *s) { return exprs_use(x->sub, x->array->rank, s); }

bool expr_any(const Expr *x, bool (*is)(const Expr *x)) {
    if (!x) return false;
    if (is(x)) return true;
    for (int k = 0; k < x->nargs; k++)
        if (expr_any(x->args[k], is)) return true;
    return false;
}

static bool is_iter(const Expr *x) { return x->kind == E_SYM && x->sym->kind == SYM_ITER; }

bool expr_uses_iters(const Expr *x) { return expr_any(x, is_iter); }

bool expr_scales(const Expr *x, const Sym *s) {
    expr_each(y, x)
        for (int i = 0; y->kind == E_OP && y->op == OP_MUL && i < 2; i++)
            if (expr_uses_sym(y->args[i], s) && expr_uses_iters(y->args[1 - i])) return true;
    return false;
}

static bool is_load(const Expr *x) { return x->kind == E_LOAD; }
bool expr_has_load(const Expr *x) { return expr_any(x, is_load); }

const Expr *expr_kept(const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type) && x->type != T_BOOL && type_is_int(x->args[0]->type) &&
           type_size(x->type) >= type_size(x->args[0]->type))
        x = x->args[0];
    return x;
}

bool expr_is_index(const Expr *x) {
    return x->kind == E_LOAD && x->array->rank == 1 && !expr_has_load(x->args[0]);
}

int expr_loads(const Expr *x) {
    int n = 0;
    expr_each(y, x) n += is_load(y);
    return n;
}

bool expr_zero_of_zeros(const Expr *x) {
    switch (x->kind) {
    case E_LOAD: return true;
    case E_INT: return x->i == 0;
    case E_FLOAT: return x->f == 0;
    case E_CAST: return expr_zero_of_zeros(x->args[0]);
    case E_OP:
        if (x->op != OP_MUL && x->op != OP_ADD && x->op != OP_SUB && x->op != OP_NEG && x->op != OP_FMA)
            return false;
        for (int i = 0; i < x->nargs; i++)
            if (!expr_zero_of_zeros(x->args[i])) return false;
        return true;
    default: return false;
    }
}

// ---- operators -----------------------------------------------------------------------
static const Expr *last_product(const Expr *x) {
    while (x->kind == E_OP && x->op == OP_FMA) x = x->args[2];
    if (x->kind == E_OP && x->op == OP_NEG) x = x->args[0];
    return x->kind == E_OP && x->op == OP_MUL && type_is_float(x->type) ? x : NULL;
}

bool expr_is_products(const Expr *x) { return x->kind == E_OP && x->op == OP_FMA && last_product(x); }

Expr *expr_products_onto(Arena *a, const Expr *x, Expr *e) {
    Expr *const *arg = x->args;
    if (x->op == OP_FMA) return expr_op(a, OP_FMA, arg[0], arg[1], expr_products_onto(a, arg[2], e));
    if (x->op == OP_MUL) return expr_op(a, OP_FMA, arg[0], arg[1], e);
    return expr_op(a, OP_FMA, expr_op(a, OP_NEG, arg[0]->args[0], NULL, NULL), arg[0]->args[1], e);
}

static Expr *literal(Arena *a, Type t, Value v) {
    return type_is_float(t) ? expr_float(a, t, v.f) : expr_int(a, t, v.i);
}

static Value value_of(const Expr *x) {
    return x->kind == E_FLOAT ? (Value){.f = x->f} : (Value){.i = x->i};
}

// The value of op on literals; NULL when C defines none or it is a NaN, whose sign and
// payload are the machine's to choose.
static Expr *fold_literals(Arena *a, Op op, Expr *const *x, int n) {
    Value v[3], r;
    for (int k = 0; k < n; k++) {
        if (!is_literal(x[k])) return NULL;
        if (type_is_float(x[k]->type) != type_is_float(x[0]->type)) return NULL;
        v[k] = value_of(x[k]);
    }
    Type t = x[0]->type;
    if (!value_op(op, t, v, &r)) return NULL;
    if (type_is_float(op_type(op, t)) && isnan(r.f) && op != OP_NEG) return NULL;
    return literal(a, op_type(op, t), r);
}

// Does x only have the values 0 and 1, as an int?
static bool is_truth(const Expr *x) {
    if (x->type != T_I32) return false;
    if (x->kind == E_INT) return x->i == 0 || x->i == 1;
    if (x->kind != E_OP) return false;
    return op_type(x->op, T_F64) == T_I32; // comparisons and logical operators
}

static bool literal_truth(const Expr *x) { return value_true(x->type, value_of(x)); }

static Expr *truth(Arena *a, Expr *x) {
    if (is_truth(x)) return x;
    Value zero = {.i = 0};
    return expr_op(a, OP_NE, x, literal(a, x->type, zero), NULL); // 0.0 has the bits of 0
}

// true && y → y; false && y → 0; and the same for ||.
static Expr *fold_logical(Arena *a, Op op, Expr *x, Expr *y) {
    bool neutral = op == OP_LAND;
    if (is_literal(x)) {
        if (literal_truth(x) == neutral) return truth(a, y);
        if (!expr_has_load(y)) return expr_int(a, T_I32, !neutral);
    }
    if (is_literal(y)) {
        if (literal_truth(y) == neutral) return truth(a, x);
        if (!expr_has_load(x)) return expr_int(a, T_I32, !neutral);
    }
    if (is_truth(x) && expr_equal(x, y) && !expr_has_load(x)) return x;
    return NULL;
}

// x + c in the type of x, written as a subtraction when that is the shorter constant.
static Expr *add_constant(Arena *a, Expr *x, int64_t c) {
    Type t = x->type;
    int64_t near = c;
    if (t == T_U32) near = (int32_t)c; // 4294967295u is better seen as -1
    if (near == 0) return x;
    if (near < 0 && near != INT64_MIN) return expr_op(a, OP_SUB, x, expr_int(a, t, -near), NULL);
    return expr_op(a, OP_ADD, x, expr_int(a, t, c), NULL);
}

// (x + c) + d → x + (c + d): exact in wrapping arithmetic; in signed arithmetic only when
// the sum of the constants fits.
static Expr *fold_constants(Arena *a, Op op, Expr *x, Expr *y) {
    Type t = x->type;
    if (x->kind != E_OP || (x->op != OP_ADD && x->op != OP_SUB)) return NULL;
    if (x->args[1]->kind != E_INT || x->args[1]->type != t) return NULL;
    if (type_size(t) < 4) return NULL;
    int64_t c = x->args[1]->i, d = y->i, sum;
    if (type_is_signed(t)) {
        if (c == INT64_MIN || d == INT64_MIN) return NULL;
        if (__builtin_add_overflow(x->op == OP_SUB ? -c : c, op == OP_SUB ? -d : d, &sum)) return NULL;
        if (sum == INT64_MIN || value_wrap(t, sum) != sum || value_wrap(t, -sum) != -sum) return NULL;
    } else {
        uint64_t u = x->op == OP_SUB ? -(uint64_t)c : (uint64_t)c;
        sum = value_wrap(t, (int64_t)(op == OP_SUB ? u - (uint64_t)d : u + (uint64_t)d));
    }
    return add_constant(a, x->args[0], sum);
}

// x less y, where y is a term of it: kb * 32 + j - kb * 32 is j. NULL: it is none.
static Expr *less_term(Arena *a, Expr *x, const Expr *y) {
    if (expr_equal(x, y)) return expr_int(a, x->type, 0);
    if (x->kind != E_OP || (x->op != OP_ADD && x->op != OP_SUB) || type_size(x->type) < 4) return NULL;
    if (x->args[0]->type != x->type || x->args[1]->type != x->type) return NULL;
    Expr *left = less_term(a, x->args[0], y);
    if (left) return expr_op(a, x->op, left, x->args[1], NULL);
    Expr *right = x->op == OP_ADD ? less_term(a, x->args[1], y) : NULL;
    return right ? expr_op(a, OP_ADD, x->args[0], right, NULL) : NULL;
}

static Expr *fold_sum(Arena *a, Op op, Expr *x, Expr *y) {
    if (expr_is_int(y, 0)) return x;
    if (op == OP_ADD && expr_is_int(x, 0)) return y;
    if (op == OP_ADD && x->kind == E_INT && y->kind != E_INT) return expr_op(a, op, y, x, NULL);
    Expr *rest = op == OP_SUB && y->kind != E_INT && !expr_has_load(y) ? less_term(a, x, y) : NULL;
    if (rest || y->kind != E_INT) return rest;
    // x + -3 → x - 3, where 3 has the type; x + 4294967293u is that, too
    Type t = x->type;
    int64_t near = t == T_U32 ? (int32_t)(uint32_t)y->i : y->i, least = t == T_U32 ? INT32_MIN : INT64_MIN;
    bool wraps = !type_is_signed(t) && type_size(t) >= 4;
    if (near < 0 && near > least && (wraps || (type_is_signed(t) && value_wrap(t, -near) == -near)))
        return expr_op(a, op == OP_ADD ? OP_SUB : OP_ADD, x, expr_int(a, t, -near), NULL);
    return fold_constants(a, op, x, y);
}

// Integer identities of two operands of one type.
static Expr *fold_int(Arena *a, Op op, Expr *x, Expr *y) {
    switch (op) {
    case OP_ADD: case OP_SUB:
        return fold_sum(a, op, x, y);
    case OP_MUL:
        if (expr_is_int(y, 1)) return x;
        if (expr_is_int(x, 1)) return y;
        if (expr_is_int(y, 0) && !expr_has_load(x)) return y;
        if (expr_is_int(x, 0) && !expr_has_load(y)) return x;
        return NULL;
    case OP_DIV: case OP_FDIV:
        return expr_is_int(y, 1) ? x : NULL;
    case OP_MOD: case OP_FMOD:
        return expr_is_int(y, 1) && !expr_has_load(x) ? expr_int(a, x->type, 0) : NULL;
    case OP_MIN: case OP_MAX:
        if (x->kind == E_OP && x->op == op && x->args[1]->kind == E_INT &&
            y->kind == E_INT) // max(max(x, 1), 2)
            return expr_op(a, op, x->args[0], expr_op(a, op, x->args[1], y, NULL), NULL);
        return expr_equal(x, y) && !expr_has_load(x) ? x : NULL;
    case OP_LE: case OP_GE: case OP_EQ:
        return expr_equal(x, y) && !expr_has_load(x) ? expr_int(a, T_I32, 1) : NULL;
    case OP_LT: case OP_GT: case OP_NE:
        return expr_equal(x, y) && !expr_has_load(x) ? expr_int(a, T_I32, 0) : NULL;
    default:
        return NULL;
    }
}

// c ? y : z with a known c, or y the same as z.
static Expr *fold_select(Expr *c, Expr *y, Expr *z) {
    if (y->type != z->type) return NULL;
    if (is_literal(c)) {
        Expr *taken = literal_truth(c) ? y : z, *dropped = taken == y ? z : y;
        return expr_has_load(dropped) ? NULL : taken;
    }
    bool loads = expr_has_load(c) || expr_has_load(y);
    return !loads && expr_equal(y, z) ? y : NULL;
}

static Expr *fold(Arena *a, Op op, Expr **x, int n) {
    if (op == OP_SELECT) return fold_select(x[0], x[1], x[2]);
    if (op == OP_LAND || op == OP_LOR) return fold_logical(a, op, x[0], x[1]);
    Expr *r = fold_literals(a, op, x, n);
    if (r || n != 2) return r;
    bool ints = type_is_int(x[0]->type) && x[0]->type == x[1]->type;
    return ints ? fold_int(a, op, x[0], x[1]) : NULL;
}

// !(x < y) of integers, which are all in order.
static Expr *fold_not(Arena *a, const Expr *x) {
    static const Op other[][2] = {{OP_LT, OP_GE}, {OP_GT, OP_LE}, {OP_EQ, OP_NE}};
    if (x->kind != E_OP || x->nargs != 2 || !type_is_int(x->args[0]->type)) return NULL;
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 2; i++)
            if (x->op == other[k][i]) return expr_op(a, other[k][!i], x->args[0], x->args[1], NULL);
    return NULL;
}

Expr *expr_op(Arena *a, Op op, Expr *x, Expr *y, Expr *z) {
    Expr *args[3] = {x, y, z};
    int n = op_arity(op);
    Expr *folded = op == OP_LNOT ? fold_not(a, x) : NULL;
    if (!folded) folded = fold(a, op, args, n);
    if (folded) return folded;
    Expr *r = make(a, E_OP, op == OP_SELECT ? y->type : op_type(op, x->type), n);
    r->op = op;
    memcpy(r->args, args, sizeof *args * (size_t)n);
    return r;
}

Expr *expr_cast(Arena *a, Type t, Expr *x) {
    if (x->type == t) return x;
    Value v;
    if (is_literal(x) && value_cast(x->type, t, value_of(x), &v) &&
        !(type_is_float(t) && isnan(v.f)))
        return literal(a, t, v);
    Expr *r = make(a, E_CAST, t, 1);
    r->args[0] = x;
    return r;
}

// x + -e is x - e: the negation may overflow where the difference does not.
Expr *expr_updated(Arena *a, Op op, Expr *old, Expr *e) {
    bool minus = op == OP_ADD && e->kind == E_OP && e->op == OP_NEG && type_is_int(e->type);
    return minus ? expr_op(a, OP_SUB, old, e->args[0], NULL) : expr_op(a, op, old, e, NULL);
}

Type update_modular(Op op, Type t) {
    if (op != OP_ADD && op != OP_SUB && op != OP_MUL) return T_NONE;
    if (t == T_I32 || (t == T_U16 && op == OP_MUL)) return T_U32;
    return t == T_I64 ? T_U64 : T_NONE;
}

Expr *expr_modular(Arena *a, Type u, Expr *x) {
    if (x->kind == E_OP && x->op == OP_NEG && type_is_int(x->type))
        return expr_op(a, OP_NEG, expr_modular(a, u, x->args[0]), NULL, NULL);
    bool same = x->kind == E_CAST && x->args[0]->type == u && type_size(x->type) == type_size(u);
    return same ? x->args[0] : expr_cast(a, u, x);
}

Expr *expr_add(Arena *a, Expr *x, Expr *y) {
    return expr_op(a, OP_ADD, x, expr_cast(a, x->type, y), NULL);
}

Expr *expr_sub(Arena *a, Expr *x, Expr *y) {
    return expr_op(a, OP_SUB, x, expr_cast(a, x->type, y), NULL);
}

Expr *expr_mul(Arena *a, Expr *x, Expr *y) {
    return expr_op(a, OP_MUL, x, expr_cast(a, x->type, y), NULL);
}

// ---- substitution ----------------------------------------------------------------------

typedef struct Subst {
    Arena *arena;
    int n;
    const Sym *const *from;
    Expr *const *to;
} Subst;

static Expr *subst(Expr *x, void *arg) {
    const Subst *s = arg;
    for (int k = 0; x->kind == E_SYM && k < s->n; k++)
        if (x->sym == s->from[k]) return expr_cast(s->arena, x->type, s->to[k]);
    return expr_map(s->arena, x, subst, arg);
}

Expr *expr_subst(Arena *a, Expr *x, int n, const Sym *const *from, Expr *const *to) {
    return x ? subst(x, &(Subst){a, n, from, to}) : NULL;
}

Expr *neutral_element(Arena *a, Op op, Type t) {
    bool real = type_is_float(t);
    switch (op) {
    case OP_MUL:
    case OP_LAND: return real ? expr_float(a, t, 1) : expr_int(a, t, 1);
    case OP_MIN: // the most that a u64 holds is kept as its bits
        return real ? expr_float(a, t, INFINITY) : expr_int(a, t, t == T_U64 ? -1 : type_most(t));
    case OP_MAX: return real ? expr_float(a, t, -INFINITY) : expr_int(a, t, type_least(t));
    case OP_AND: return expr_int(a, t, t == T_BOOL ? 1 : value_wrap(t, -1));
    case OP_ADD: return real ? expr_float(a, t, -0.0) : expr_int(a, t, 0);
    default: return real ? expr_float(a, t, 0) : expr_int(a, t, 0);
    }
}
