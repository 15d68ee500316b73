// SPDX-License-Identifier: MIT
// forms.c -- the cheaper forms in which a statement's roots, functions and divisions may be computed.
//
//   rsqrt        x / sqrtf(y)          x * rsqrtf(y)            x / (u * sqrtf(y))   x / u * rsqrtf(y)
//   sqrt         sqrtf(x)              fast_sqrtf(x)
//   exp          expf(x), exp2f(x)     fast_expf(x), fast_exp2f(x)
//   log          logf log2f log10f     fast_logf …
//   trig         sinf cosf tanf        fast_sinf …
//   pow          powf(x, y)            fast_powf(x, y)
//   divide       x / y                 fast_divf(x, y)
//   reciprocal   x / y                 x * (1 / y)
//
// Loads keep their number and order, so what a node says of its accesses (via) holds for the form too.
// fast_… are functions with the value of those that they stand for, which a device may compute with the
// error of its special-function unit; reciprocals are rounded twice, alike on every device.
#include "ir/ir.h"
#include <math.h>
#include <stdlib.h>

static const struct {
    const char *name;
    unsigned form;
} names[] = {
    {"rsqrt", FORM_RSQRT}, {"sqrt", FORM_SQRT}, {"exp", FORM_EXP}, {"log", FORM_LOG}, {"trig", FORM_TRIG},
    {"pow", FORM_POW}, {"divide", FORM_DIVIDE}, {"reciprocal", FORM_RECIPROCAL},
};
enum { NAMES = sizeof names / sizeof *names };

unsigned form_named(const char *name) {
    for (int k = 0; k < NAMES; k++)
        if (str_eq(names[k].name, name)) return names[k].form;
    return 0;
}

const char *form_name(unsigned form) {
    for (int k = 0; k < NAMES; k++)
        if (names[k].form == form) return names[k].name;
    return NULL;
}

const char *forms_text(Arena *a, unsigned forms) {
    Text t = text_new(a);
    for (int k = 0; k < NAMES; k++)
        if (forms & names[k].form) text_printf(&t, "%s%s", t.n ? ", " : "", names[k].name);
    return text_str(&t);
}

// ---- one operation ------------------------------------------------------------------------------
static bool is_call(const Expr *x, const char *fn) { return x->kind == E_CALL && str_eq(x->fn, fn); }
static bool is_one(const Expr *x) { return x->kind == E_FLOAT && x->f == 1; }
static bool is_root(const Expr *x) { return is_call(x, "sqrtf") || is_call(x, "sqrt"); }

static Expr *inverse_root(Arena *a, const Expr *root) {
    return expr_call(a, root->type == T_F32 ? "rsqrtf" : "rsqrt", root->type, 1, root->args);
}

static Expr *times(Arena *a, Expr *x, Expr *y) { return is_one(x) ? y : expr_op(a, OP_MUL, x, y, NULL); }

static Expr *divided(Arena *a, unsigned forms, Expr *x, Expr *y) {
    if (is_one(y)) return x;
    if (forms & FORM_RECIPROCAL && !is_one(x))
        return expr_op(a, OP_MUL, x, expr_op(a, OP_DIV, expr_float(a, y->type, 1), y, NULL), NULL);
    if (forms & FORM_DIVIDE && x->type == T_F32) return expr_call(a, "fast_divf", T_F32, 2, (Expr *[]){x, y});
    return expr_op(a, OP_DIV, x, y, NULL);
}

// x / y, whose operands have their forms already.
static Expr *quotient(Arena *a, unsigned forms, Expr *x, Expr *y) {
    if (!(forms & FORM_RSQRT)) return divided(a, forms, x, y);
    if (is_root(y)) return times(a, x, inverse_root(a, y));
    bool product = y->kind == E_OP && y->op == OP_MUL;
    if (product && is_root(y->args[1]))
        return times(a, divided(a, forms, x, y->args[0]), inverse_root(a, y->args[1]));
    if (product && is_root(y->args[0]))
        return divided(a, forms, times(a, x, inverse_root(a, y->args[0])), y->args[1]);
    return divided(a, forms, x, y);
}

static const struct {
    const char *fn, *to;
    unsigned form;
} fast[] = {
    {"expf", "fast_expf", FORM_EXP},    {"exp2f", "fast_exp2f", FORM_EXP},
    {"logf", "fast_logf", FORM_LOG},    {"log2f", "fast_log2f", FORM_LOG},
    {"log10f", "fast_log10f", FORM_LOG}, {"sinf", "fast_sinf", FORM_TRIG},
    {"cosf", "fast_cosf", FORM_TRIG},   {"tanf", "fast_tanf", FORM_TRIG},
    {"powf", "fast_powf", FORM_POW},    {"sqrtf", "fast_sqrtf", FORM_SQRT},
};
enum { FAST = sizeof fast / sizeof *fast };

static Expr *function(Arena *a, unsigned forms, Expr *x) {
    for (int k = 0; k < FAST; k++)
        if (forms & fast[k].form && is_call(x, fast[k].fn))
            return expr_call(a, fast[k].to, x->type, x->nargs, x->args);
    return x;
}

static Expr *reciprocal(Arena *a, Expr *y) {
    if (y->kind == E_FLOAT && y->f != 0) return expr_float(a, y->type, 1 / y->f);
    return expr_op(a, OP_DIV, expr_float(a, y->type, 1), y, NULL);
}

Expr *math_common(Arena *a, Expr *x) {
    for (int k = 0; k < FAST; k++)
        if (is_call(x, fast[k].to)) return expr_call(a, fast[k].fn, x->type, x->nargs, x->args);
    if (is_call(x, "rsqrtf") || is_call(x, "rsqrt"))
        return reciprocal(a, expr_call(a, x->type == T_F32 ? "sqrtf" : "sqrt", x->type, 1, x->args));
    bool divides = is_call(x, "fast_divf") || (x->kind == E_OP && x->op == OP_DIV && type_is_float(x->type));
    return divides ? times(a, x->args[0], reciprocal(a, x->args[1])) : x;
}

// ---- whole expressions --------------------------------------------------------------------------

static bool is_division(const Expr *x) {
    return x->kind == E_OP && x->op == OP_DIV && type_is_float(x->type);
}

// A root below a division keeps its name until the division has seen it.
static Expr *below(Arena *a, unsigned forms, Expr *x, bool divisor) {
    bool kept = divisor && forms & FORM_RSQRT;
    bool product = kept && x->kind == E_OP && x->op == OP_MUL;
    if (kept && is_root(x)) forms &= ~(unsigned)FORM_SQRT;
    if (!product || !(is_root(x->args[0]) || is_root(x->args[1]))) return math_form(a, forms, x);
    Expr *args[2] = {below(a, forms, x->args[0], true), below(a, forms, x->args[1], true)};
    return expr_op(a, OP_MUL, args[0], args[1], NULL);
}

Expr *math_form(Arena *a, unsigned forms, Expr *x) {
    if (!forms || !x || !x->nargs || x->kind == E_LOAD) return x;
    Expr **args = NEW_N(a, Expr *, x->nargs + 3);
    bool same = true;
    for (int k = 0; k < x->nargs; k++) {
        args[k] = below(a, forms, x->args[k], is_division(x) && k == 1);
        same = same && args[k] == x->args[k];
    }
    if (is_division(x)) {
        Expr *q = quotient(a, forms, args[0], args[1]);
        return same && expr_equal(q, x) ? x : q;
    }
    return function(a, forms, same ? x : expr_remake(a, x, args));
}

Expr *form_rhs(Arena *a, const Node *n) { return math_form(a, n->forms, n->stmt->rhs); }

unsigned forms_in(Arena *a, Expr *x) {
    unsigned all = 0;
    for (int k = 0; k < NAMES; k++)
        if (math_form(a, names[k].form, x) != x) all |= names[k].form;
    return all;
}

// ---- permission ---------------------------------------------------------------------------------
// A division by a power of two, whose reciprocal is a number of the same type, is a product.
static bool is_rounded(const Expr *x) {
    int e;
    if (!is_division(x) || is_one(x->args[0])) return false;
    const Expr *y = x->args[1];
    return y->kind != E_FLOAT || fabs(frexp(y->f, &e)) != 0.5 || abs(e) >= 120;
}

bool forms_round(Arena *a, unsigned forms, Expr *x) {
    return (forms & forms_in(a, x) & ~(unsigned)FORM_RECIPROCAL) ||
           ((forms & FORM_RECIPROCAL) && expr_any(x, is_rounded));
}
