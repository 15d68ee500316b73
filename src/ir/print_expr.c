// SPDX-License-Identifier: MIT
// print_expr.c -- expressions and literals as text; the syntax is at the top of print.c
#include "ir/print.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int op_prec(Op op) {
    switch (op) {
    case OP_SELECT: return PREC_SELECT;
    case OP_LOR: return 1;
    case OP_LAND: return 2;
    case OP_OR: return 3;
    case OP_XOR: return 4;
    case OP_AND: return 5;
    case OP_EQ: case OP_NE: return 6;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: return 7;
    case OP_SHL: case OP_SHR: return 8;
    case OP_ADD: case OP_SUB: return 9;
    case OP_MUL: case OP_DIV: case OP_MOD: return 10;
    case OP_NEG: case OP_NOT: case OP_LNOT: return PREC_UNARY;
    default: return -1;
    }
}

// ---- literals -----------------------------------------------------------------------
static void put_int(Printer *p, const Expr *x, Type implied) {
    if (x->type == T_U64) text_printf(&p->text, "%" PRIu64, (uint64_t)x->i);
    else text_printf(&p->text, "%" PRId64, x->i);
    if (x->type != (implied ? implied : T_I32)) text_put(&p->text, type_name(x->type));
}

static bool reads_back(const char *s, const Expr *x) {
    double v = strtod(s, NULL);
    return x->type == T_F32 ? (float)v == (float)x->f : v == x->f;
}

// The locale's decimal point, whatever it is, becomes '.', and there is always a '.' or an
// exponent.
static void put_digits(Printer *p, const char *s) {
    bool fraction = false;
    for (bool point = false; *s; s++) {
        bool digit = (*s >= '0' && *s <= '9') || strchr("+-e", *s);
        if (!digit && !point) text_put(&p->text, ".");
        if (digit) text_putn(&p->text, s, 1);
        fraction |= !digit || *s == 'e';
        point = !digit;
    }
    if (!fraction) text_put(&p->text, ".0");
}

static void put_nan(Printer *p, const Expr *x) {
    uint64_t bits, canonical;
    double quiet = (double)NAN;
    memcpy(&bits, &x->f, sizeof bits);
    memcpy(&canonical, &quiet, sizeof canonical);
    text_printf(&p->text, "%s#nan%d", signbit(x->f) ? "-" : "", 8 * type_size(x->type));
    bits &= ~(UINT64_C(1) << 63);
    if (bits != (canonical & ~(UINT64_C(1) << 63))) text_printf(&p->text, "(0x%" PRIx64 ")", bits);
}

static void put_float(Printer *p, const Expr *x, Type implied) {
    if (isnan(x->f)) {
        put_nan(p, x);
        return;
    }
    if (isinf(x->f)) {
        text_printf(&p->text, "%s#inf%d", x->f < 0 ? "-" : "", 8 * type_size(x->type));
        return;
    }
    static const int digits[] = {6, 9, 15, 16, 17};
    char s[64];
    for (size_t k = 0; k < sizeof digits / sizeof *digits; k++) {
        snprintf(s, sizeof s, "%.*g", digits[k], x->f);
        if (reads_back(s, x)) break;
    }
    put_digits(p, s);
    if (x->type != (implied ? implied : T_F64)) text_put(&p->text, type_name(x->type));
}

// ---- operators ------------------------------------------------------------------------
static void put_expr(Printer *p, const Expr *x, int prec, Type implied);

static bool is_literal(const Expr *x) { return x->kind == E_INT || x->kind == E_FLOAT; }

// The type that a literal among these operands takes from the first one that isn't.
static Type beside(Expr *const *x, int n) {
    for (int k = 0; k < n; k++)
        if (!is_literal(x[k])) return x[k]->type;
    return T_NONE;
}

// Do both operands have one type (and so tell each other's)?
static bool is_even(Op op) {
    return op != OP_LAND && op != OP_LOR && op != OP_SHL && op != OP_SHR;
}

static void put_args(Printer *p, Expr *const *x, int n, Type implied) {
    text_put(&p->text, "(");
    for (int k = 0; k < n; k++) {
        if (k) text_put(&p->text, ", ");
        put_expr(p, x[k], PREC_SELECT, implied);
    }
    text_put(&p->text, ")");
}

static void put_infix(Printer *p, const Expr *x, int prec) {
    Type t = is_even(x->op) ? beside(x->args, 2) : T_NONE;
    put_expr(p, x->args[0], prec, t);
    text_printf(&p->text, " %s ", op_text(x->op));
    put_expr(p, x->args[1], prec + 1, t);
}

static void put_select(Printer *p, const Expr *x) {
    Type t = beside(x->args + 1, 2);
    put_expr(p, x->args[0], PREC_BINARY, T_NONE);
    text_put(&p->text, " ? ");
    put_expr(p, x->args[1], PREC_BINARY, t);
    text_put(&p->text, " : ");
    put_expr(p, x->args[2], PREC_SELECT, t);
}

static void put_op(Printer *p, const Expr *x, int outer) {
    int prec = op_prec(x->op);
    if (prec < 0) {
        text_put(&p->text, op_text(x->op));
        put_args(p, x->args, x->nargs, beside(x->args, x->nargs));
        return;
    }
    if (prec < outer) text_put(&p->text, "(");
    if (prec == PREC_SELECT) {
        put_select(p, x);
    } else if (prec == PREC_UNARY) {
        text_put(&p->text, op_text(x->op));
        put_expr(p, x->args[0], PREC_UNARY, T_NONE);
    } else {
        put_infix(p, x, prec);
    }
    if (prec < outer) text_put(&p->text, ")");
}

static void put_load(Printer *p, const Expr *x) {
    text_put(&p->text, x->array->name);
    for (int k = 0; k < x->nargs; k++) {
        text_put(&p->text, "[");
        put_expr(p, x->args[k], PREC_SELECT, T_NONE);
        text_put(&p->text, "]");
    }
}

static void put_expr(Printer *p, const Expr *x, int prec, Type implied) {
    if (!x) {
        text_put(&p->text, "#null"); // no valid tree has one; the reader says so
        return;
    }
    switch (x->kind) {
    case E_INT: put_int(p, x, implied); break;
    case E_FLOAT: put_float(p, x, implied); break;
    case E_SYM: text_put(&p->text, x->sym->name); break;
    case E_LOAD: put_load(p, x); break;
    case E_OP: put_op(p, x, prec); break;
    case E_CAST:
        text_put(&p->text, type_name(x->type));
        put_args(p, x->args, 1, T_NONE);
        break;
    case E_CALL:
        text_printf(&p->text, "%s.%s", x->fn, type_name(x->type));
        put_args(p, x->args, x->nargs, T_NONE);
        break;
    }
}

void print_expr(Printer *p, const Expr *x, Type implied) { put_expr(p, x, PREC_SELECT, implied); }
