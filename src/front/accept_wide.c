// SPDX-License-Identifier: MIT
// accept_wide.c -- __int128: values of two words.
//
//   (unsigned __int128)a * b >> 64      high_product(a, b)
//   x + y                               lo = x.lo + y.lo; hi = x.hi + y.hi + (lo < x.lo)
//   (unsigned __int128)a * b % m        wide_remainder(high_product(a, b), a * b, m)
//
// In memory such a number is a record of two words (parse/type.c). No device has more than these two
// functions (ir/math.c); shifts are by constants, and what is divided is without a sign, by 64 bits.
#include "front/accept.h"

// Both words unsigned.
typedef struct Wide {
    Expr *lo, *hi;
} Wide;

bool accept_is_wide(const Ast *e) { return e->type && e->type->kind == CT_RECORD && e->type->is_wide; }

static bool has_sign(const CType *t) { return type_is_signed(t->fields[1].type->scalar); }

static Expr *word(Accept *ac, uint64_t v) { return expr_int(ac->a, T_U64, (int64_t)v); }
static Expr *op(Accept *ac, Op o, Expr *x, Expr *y) { return expr_op(ac->a, o, x, y, NULL); }
static bool is_zero(const Expr *x) { return expr_is_int(x, 0); }
static Expr *sum(Accept *ac, Expr *x, Expr *y) {
    return is_zero(x) ? y : is_zero(y) ? x : op(ac, OP_ADD, x, y);
}
static Expr *product(Accept *ac, Expr *x, Expr *y) {
    return is_zero(x) || is_zero(y) ? word(ac, 0) : op(ac, OP_MUL, x, y);
}

static bool operand(Accept *ac, const Ast *e, Wide *w);

// x, where it is no more than a name or a number; else a local that holds it.
static Expr *once(Accept *ac, Expr *x) {
    const Expr *in = x;
    while (in->kind == E_CAST) in = in->args[0];
    if (in->nargs == 0 && in->kind != E_LOAD) return x;
    Ref r;
    accept_local(ac, "t", ast_scalar(ac->a, x->type), ac->block, &r);
    return accept_put(ac, ac->loc, &r, OP_SET, x) ? accept_load(ac, &r, ac->loc) : NULL;
}

static bool refuse(Accept *ac, const Ast *e, const char *what) {
    return accept_refuse(ac, SC_TYPE, e->loc, "%s of '%s' is taken by no device; use 64 bits, or two words",
                         what, e->type->text);
}

// ---- arithmetic ---------------------------------------------------------------------------------------
static void add(Accept *ac, const Wide *x, const Wide *y, Wide *w) {
    w->lo = sum(ac, x->lo, y->lo);
    w->hi = sum(ac, x->hi, y->hi);
    if (is_zero(x->lo) || is_zero(y->lo)) return;
    w->hi = sum(ac, w->hi, expr_cast(ac->a, T_U64, op(ac, OP_LT, w->lo, y->lo)));
}

static void negate(Accept *ac, const Wide *x, Wide *w) {
    Wide one = {word(ac, 1), word(ac, 0)};
    Wide other = {expr_op(ac->a, OP_NOT, x->lo, NULL, NULL), expr_op(ac->a, OP_NOT, x->hi, NULL, NULL)};
    add(ac, &other, &one, w);
}

static void multiply(Accept *ac, const Wide *x, const Wide *y, Wide *w) {
    Expr *args[] = {x->lo, y->lo};
    Expr *high = expr_call(ac->a, "high_product", T_U64, 2, args);
    w->lo = product(ac, x->lo, y->lo);
    w->hi = sum(ac, high, sum(ac, product(ac, x->lo, y->hi), product(ac, x->hi, y->lo)));
}

static void shift(Accept *ac, Op o, bool sign, const Wide *x, int by, Wide *w) {
    Expr *rest = word(ac, 0);
    if (o == OP_SHR && sign) { // all ones where it is negative
        Expr *top = op(ac, OP_SHR, expr_cast(ac->a, T_I64, x->hi), expr_int(ac->a, T_I64, 63));
        rest = expr_cast(ac->a, T_U64, top);
    }
    Expr *far = o == OP_SHR ? x->hi : x->lo, *near = o == OP_SHR ? x->lo : x->hi;
    Expr *moved = far, *joined = near;
    int left = by % 64;
    if (left) {
        Op back = o == OP_SHR ? OP_SHL : OP_SHR;
        moved = op(ac, o, far, word(ac, (uint64_t)left));
        joined = op(ac, OP_OR, op(ac, o, near, word(ac, (uint64_t)left)),
                    op(ac, back, far, word(ac, (uint64_t)(64 - left))));
        Expr *sign_bits = op(ac, OP_SHL, rest, word(ac, (uint64_t)(64 - left)));
        if (!is_zero(rest)) moved = op(ac, OP_OR, moved, sign_bits);
    }
    Expr *near_word = by < 64 ? joined : moved, *far_word = by < 64 ? moved : rest;
    *w = o == OP_SHR ? (Wide){near_word, far_word} : (Wide){far_word, near_word};
}

static bool shifted(Accept *ac, const Ast *e, Wide *w) {
    Wide x;
    const Ast *by = accept_strip(e->kids[1]);
    while (by->kind == A_CAST && by->nkids == 1) by = by->kids[0];
    if (by->kind != A_INT || by->i < 0 || by->i > 127) return refuse(ac, e, "a shift that is no constant");
    if (!operand(ac, e->kids[0], &x)) return false;
    shift(ac, e->op, has_sign(e->type), &x, (int)by->i, w);
    return true;
}

static bool remainder_of(Accept *ac, const Ast *e, const Wide *x, const Wide *y, Wide *w) {
    if (has_sign(e->type) || !is_zero(y->hi))
        return refuse(ac, e, "a remainder by more than 64 bits, or one with a sign,");
    Expr *args[] = {x->hi, x->lo, y->lo};
    *w = (Wide){expr_call(ac->a, "wide_remainder", T_U64, 3, args), word(ac, 0)};
    return true;
}

static bool binary(Accept *ac, const Ast *e, Wide *w) {
    Wide x, y, minus;
    if (e->op == OP_SHL || e->op == OP_SHR) return shifted(ac, e, w);
    if (!operand(ac, e->kids[0], &x) || !operand(ac, e->kids[1], &y)) return false;
    switch (e->op) {
    case OP_ADD: add(ac, &x, &y, w); return true;
    case OP_SUB:
        negate(ac, &y, &minus);
        add(ac, &x, &minus, w);
        return true;
    case OP_MUL: multiply(ac, &x, &y, w); return true;
    case OP_AND: case OP_OR: case OP_XOR:
        *w = (Wide){op(ac, e->op, x.lo, y.lo), op(ac, e->op, x.hi, y.hi)};
        return true;
    case OP_MOD: return remainder_of(ac, e, &x, &y, w);
    default: return refuse(ac, e, "a quotient");
    }
}

static bool widened(Accept *ac, const Ast *e, Wide *w) {
    Expr *x = e->type->kind == CT_SCALAR ? accept_value(ac, e) : NULL;
    if (!x) return false;
    if (type_is_float(x->type))
        return accept_refuse(ac, SC_TYPE, e->loc, "a conversion of '%s' to 128 bits is taken by no device",
                             e->type->text);
    bool sign = type_is_signed(x->type) && x->kind != E_INT;
    w->lo = expr_cast(ac->a, T_U64, x);
    Expr *top = sign ? op(ac, OP_SHR, expr_cast(ac->a, T_I64, x), expr_int(ac->a, T_I64, 63)) : NULL;
    bool below = x->kind == E_INT && type_is_signed(x->type) && x->i < 0;
    w->hi = sign ? expr_cast(ac->a, T_U64, top) : word(ac, below ? UINT64_MAX : 0);
    return true;
}

static bool parts(Accept *ac, const Ref *r, Loc loc, Ref *lo, Ref *hi) {
    *lo = *hi = *r;
    return accept_field(ac, lo, "lo", loc) && accept_field(ac, hi, "hi", loc);
}

static bool loaded(Accept *ac, const Ast *e, Wide *w) {
    Ref r, lo, hi;
    if (!accept_place(ac, e, &r) || !parts(ac, &r, e->loc, &lo, &hi)) return false;
    w->lo = accept_load(ac, &lo, e->loc);
    w->hi = w->lo ? accept_load(ac, &hi, e->loc) : NULL;
    if (w->hi) w->hi = expr_cast(ac->a, T_U64, w->hi);
    return w->hi != NULL;
}

static bool value(Accept *ac, const Ast *e, Wide *w) {
    Wide x;
    if (!accept_is_wide(e)) return widened(ac, e, w);
    switch (e->kind) {
    case A_INT:
        *w = (Wide){word(ac, (uint64_t)e->i), word(ac, e->i < 0 && has_sign(e->type) ? UINT64_MAX : 0)};
        return true;
    case A_CAST: return value(ac, e->kids[0], w);
    case A_BINARY: return binary(ac, e, w);
    case A_UNARY:
        if (!operand(ac, e->kids[0], &x)) return false;
        if (e->op == OP_NEG) negate(ac, &x, w);
        else *w = (Wide){expr_op(ac->a, OP_NOT, x.lo, NULL, NULL), expr_op(ac->a, OP_NOT, x.hi, NULL, NULL)};
        return true;
    default: return loaded(ac, e, w);
    }
}

// Both words stand in the text more than once.
static bool operand(Accept *ac, const Ast *e, Wide *w) {
    if (!value(ac, e, w)) return false;
    w->lo = once(ac, w->lo);
    w->hi = w->lo ? once(ac, w->hi) : NULL;
    return w->hi != NULL;
}

// ---- what others ask --------------------------------------------------------------------------------------
bool accept_wide_has_place(const Ast *e) {
    return e->kind != A_INT && e->kind != A_CAST && e->kind != A_BINARY && e->kind != A_UNARY;
}

// The high word is computed before the low one is changed.
static bool put(Accept *ac, Loc loc, const Ref *to, Wide *w) {
    Ref lo, hi;
    if (!parts(ac, to, loc, &lo, &hi)) return false;
    w->hi = accept_freeze(ac, accept_convert(ac, hi.type->scalar, w->hi));
    return w->hi && accept_put(ac, loc, &lo, OP_SET, w->lo) && accept_put(ac, loc, &hi, OP_SET, w->hi);
}

bool accept_wide_init(Accept *ac, const Ref *to, const Ast *e) {
    Wide w;
    return value(ac, e, &w) && put(ac, e->loc, to, &w);
}

bool accept_wide_place(Accept *ac, const Ast *e, Ref *out) {
    accept_local(ac, "t", e->type, ac->block, out);
    return accept_wide_init(ac, out, e);
}

// The type in which C computes with values of both, one of them wide.
static const CType *usual(const CType *x, const CType *y) {
    return !y->is_wide ? x : !x->is_wide || has_sign(x) ? y : x;
}

bool accept_wide_assign(Accept *ac, const Ast *e, Ref *lhs) {
    Ast *whole = e->kids[1];
    Wide w;
    if (e->op != OP_SET) { // x += y is x = x + y
        bool shift = e->op == OP_SHL || e->op == OP_SHR;
        whole = NEW(ac->a, Ast);
        *whole = *e;
        whole->kind = A_BINARY;
        whole->type = shift ? e->kids[0]->type : usual(e->kids[0]->type, e->kids[1]->type);
    }
    if (!value(ac, whole, &w) || !accept_place(ac, e->kids[0], lhs)) return false;
    if (lhs->type->kind == CT_RECORD) return put(ac, e->loc, lhs, &w);
    if (type_is_float(lhs->type->scalar) || lhs->type->scalar == T_BOOL)
        return refuse(ac, whole, "a conversion to this type");
    return accept_put(ac, e->loc, lhs, OP_SET, accept_convert(ac, lhs->type->scalar, w.lo));
}

bool accept_wide_step(Accept *ac, const Ast *e, Ref *lhs) {
    Wide w, by = {word(ac, e->op == OP_ADD ? 1 : UINT64_MAX), word(ac, e->op == OP_ADD ? 0 : UINT64_MAX)};
    if (!operand(ac, e->kids[0], &w)) return false;
    add(ac, &w, &by, &w);
    return accept_place(ac, e->kids[0], lhs) && put(ac, e->loc, lhs, &w);
}

Expr *accept_wide_truth(Accept *ac, const Ast *e) {
    Wide w;
    return value(ac, e, &w) ? op(ac, OP_NE, op(ac, OP_OR, w.lo, w.hi), word(ac, 0)) : NULL;
}

Expr *accept_wide_narrow(Accept *ac, const Ast *e, Type t) {
    Wide w;
    if (t == T_BOOL) return accept_convert(ac, t, accept_wide_truth(ac, e));
    if (type_is_float(t)) return refuse(ac, e, "a conversion to floating point"), NULL;
    return value(ac, e, &w) ? accept_convert(ac, t, w.lo) : NULL;
}

Expr *accept_wide_compare(Accept *ac, const Ast *e) {
    Wide x, y;
    if (!operand(ac, e->kids[0], &x) || !operand(ac, e->kids[1], &y)) return NULL;
    const CType *t = (accept_is_wide(e->kids[0]) ? e->kids[0] : e->kids[1])->type;
    Expr *same = op(ac, OP_EQ, x.hi, y.hi), *lo = op(ac, e->op, x.lo, y.lo);
    if (e->op == OP_EQ) return op(ac, OP_LAND, same, lo);
    if (e->op == OP_NE) return op(ac, OP_LOR, op(ac, OP_NE, x.hi, y.hi), lo);
    Type word_type = has_sign(t) ? T_I64 : T_U64;
    Op first = e->op == OP_LE ? OP_LT : e->op == OP_GE ? OP_GT : e->op;
    Expr *hi = op(ac, first, expr_cast(ac->a, word_type, x.hi), expr_cast(ac->a, word_type, y.hi));
    return op(ac, OP_LOR, hi, op(ac, OP_LAND, same, lo));
}
