// SPDX-License-Identifier: MIT
// expr.c -- expressions as C text.
//
// The text computes exactly what the tree says: operands are grouped as the tree groups
// them, literals are exact, and types narrower than int are cut back after each operation.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "emit/dialect.h"

static const int strength[OP_COUNT] = {
    [OP_NEG] = PREC_UNARY, [OP_NOT] = PREC_UNARY, [OP_LNOT] = PREC_UNARY,
    [OP_MUL] = 13, [OP_DIV] = 13, [OP_MOD] = 13,
    [OP_ADD] = 12, [OP_SUB] = 12,
    [OP_SHL] = 11, [OP_SHR] = 11,
    [OP_LT] = 10, [OP_LE] = 10, [OP_GT] = 10, [OP_GE] = 10,
    [OP_EQ] = 9, [OP_NE] = 9,
    [OP_AND] = 8, [OP_XOR] = 7, [OP_OR] = 6, [OP_LAND] = 5, [OP_LOR] = 4,
    [OP_SELECT] = PREC_SELECT,
};

// ---- literals ------------------------------------------------------------------------

static void put_int(Printer *p, const Expr *x, int prec) {
    const Dialect *d = p->d;
    if (x->type == T_U64)
        put(p, "%llu%s", (unsigned long long)x->i, d->suffix_u64);
    else if (x->type == T_U32)
        put(p, "%uu", (unsigned)x->i);
    else if (x->type == T_I64 && x->i == INT64_MIN)
        put(p, "(-%lld%s - 1)", INT64_MAX + 0LL, d->suffix_i64);
    else if (x->type == T_I32 && x->i == INT32_MIN)
        put(p, "(-%d - 1)", INT32_MAX);
    else {
        bool paren = x->i < 0 && prec > PREC_UNARY;
        put(p, "%s%lld%s%s", paren ? "(" : "", (long long)x->i,
            x->type == T_I64 ? d->suffix_i64 : "", paren ? ")" : "");
    }
}

// The shortest decimal text that reads back as v in its type.
static const char *decimal(Arena *a, Type t, double v) {
    char text[64];
    int most = t == T_F32 ? 9 : 17;
    for (int digits = 1; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (t == T_F32 ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v) break;
    }
    bool whole = !strpbrk(text, ".e");
    return arena_printf(a, "%s%s%s", text, whole ? ".0" : "", t == T_F32 ? "f" : "");
}

static void put_float(Printer *p, const Expr *x, int prec) {
    double v = x->type == T_F32 ? (double)(float)x->f : x->f;
    int k = x->type == T_F64;
    bool minus = signbit(v) && !isnan(v);
    bool paren = minus && prec > PREC_UNARY;
    put(p, "%s%s", paren ? "(" : "", minus ? "-" : "");
    if (isnan(v))
        put(p, "%s", p->d->nan[k]);
    else if (isinf(v))
        put(p, "%s", p->d->inf[k]);
    else
        put(p, "%s", decimal(p->a, x->type, fabs(v)));
    put(p, "%s", paren ? ")" : "");
}

// ---- operators -------------------------------------------------------------------------

static bool is_comparison(Op op) {
    return op >= OP_LT && op <= OP_NE;
}

static bool is_bitwise(Op op) {
    return op == OP_SHL || op == OP_SHR || op == OP_AND || op == OP_OR || op == OP_XOR;
}

// How strongly the operands of a binary operator must bind. Stricter than C where people
// (and gcc -Wall) misread: operands of bitwise operators, chains of comparisons, && in ||.
static int operand_strength(Op op, bool right) {
    if (is_bitwise(op)) return PREC_UNARY;
    if (is_comparison(op)) return 11;
    if (op == OP_LAND || op == OP_LOR) return right ? 9 : op == OP_LOR ? 6 : 5;
    return strength[op] + right;
}

static void put_binary(Printer *p, const Expr *x) {
    Expr *l = x->args[0], *r = x->args[1];
    int need_l = operand_strength(x->op, false), need_r = operand_strength(x->op, true);
    if (x->op == OP_LOR && l->kind == E_OP && l->op == OP_LOR) need_l = PREC_SELECT;
    put_expr(p, l, need_l);
    put(p, " %s ", op_text(x->op));
    put_expr(p, r, need_r);
}

static bool power_of_two(const Expr *x, int *log) {
    if (x->kind != E_INT || x->i <= 0 || (x->i & (x->i - 1))) return false;
    *log = __builtin_ctzll((unsigned long long)x->i);
    return true;
}

// min, max, fdiv, fmod where no helper can be printed: operands appear more than once, which
// is harmless, for expressions have no effects.
static void put_spelled_out(Printer *p, const Expr *x) {
    const char *l = expr_text(p, x->args[0], PREC_UNARY), *r = expr_text(p, x->args[1], PREC_UNARY);
    const char *off = arena_printf(p->a, "%s %% %s != 0 && (%s %% %s < 0) != (%s < 0)", l, r, l, r, r);
    switch (x->op) {
    case OP_MIN: put(p, "(%s < %s ? %s : %s)", r, l, r, l); break;
    case OP_MAX: put(p, "(%s > %s ? %s : %s)", r, l, r, l); break;
    case OP_FDIV: put(p, "(%s / %s - (%s))", l, r, off); break;
    default: put(p, "(%s %% %s + (%s ? %s : 0))", l, r, off, r); break;
    }
}

static void put_call2(Printer *p, const char *name, const Expr *x) {
    put(p, "%s(", name);
    put_expr(p, x->args[0], PREC_ANY);
    put(p, ", ");
    put_expr(p, x->args[1], PREC_ANY);
    put(p, ")");
}

static void put_floor(Printer *p, const Expr *x) {
    int log = 0;
    bool div = x->op == OP_FDIV;
    if (type_is_signed(x->type) && !power_of_two(x->args[1], &log)) {
        if (p->d->inline_only)
            put_spelled_out(p, x);
        else
            put_call2(p, helper_floor(p, x->op, x->type), x);
        return;
    }
    put(p, "(");
    put_expr(p, x->args[0], PREC_UNARY);
    if (!type_is_signed(x->type)) {
        put(p, div ? " / " : " %% ");
        put_expr(p, x->args[1], PREC_UNARY);
    } else if (div) {
        put(p, " >> %d", log);
    } else {
        put(p, " & ");
        put_expr(p, expr_int(p->a, x->type, x->args[1]->i - 1), PREC_UNARY);
    }
    put(p, ")");
}

static void put_fma(Printer *p, const Expr *x) {
    if (type_is_int(x->type)) { // exact anyway
        Expr *product = expr_op(p->a, OP_MUL, x->args[0], x->args[1], NULL);
        put_expr(p, expr_op(p->a, OP_ADD, product, x->args[2], NULL), PREC_PRIMARY);
        return;
    }
    put(p, "%s(", p->d->fma[x->type == T_F64]);
    for (int k = 0; k < 3; k++) {
        put(p, k ? ", " : "");
        put_expr(p, x->args[k], PREC_ANY);
    }
    put(p, ")");
}

static void put_plain_op(Printer *p, const Expr *x, int prec) {
    bool paren = strength[x->op] < prec;
    put(p, paren ? "(" : "");
    if (x->op == OP_SELECT) {
        put_condition(p, x->args[0]);
        put(p, " ? ");
        put_expr(p, x->args[1], PREC_SELECT + 1);
        put(p, " : ");
        put_expr(p, x->args[2], PREC_SELECT);
    } else if (op_arity(x->op) == 1) {
        put(p, "%s", op_text(x->op));
        put_expr(p, x->args[0], PREC_PRIMARY);
    } else {
        put_binary(p, x);
    }
    put(p, paren ? ")" : "");
}

// Does C compute this in int although its type is narrower?
static bool is_narrow_arithmetic(const Expr *x) {
    return type_is_int(x->type) && type_size(x->type) < 4 && strength[x->op] != PREC_SELECT;
}

// 1.0f / sqrtf(…), for which the dialect knows a shorter way to the same bits?
static bool is_rsqrt(const Printer *p, const Expr *x) {
    if (!p->d->rsqrt || p->fast_math || x->op != OP_DIV || x->type != T_F32) return false;
    const Expr *one = x->args[0], *root = x->args[1];
    return one->kind == E_FLOAT && one->f == 1 && root->kind == E_CALL && str_eq(root->fn, "sqrtf");
}

static void put_rsqrt(Printer *p, const Expr *x) {
    if (!helper_has(p, "sculpt_rsqrt")) helper_add(p, "sculpt_rsqrt", p->d->rsqrt);
    put(p, "sculpt_rsqrt(");
    put_expr(p, x->args[1]->args[0], PREC_ANY);
    put(p, ")");
}

// A division by an odd integer, for which the dialect knows a shorter way to the same bits?
static bool is_odd_division(const Printer *p, const Expr *x) {
    if (!p->d->divide || p->fast_math || x->op != OP_DIV || x->type != T_F32) return false;
    const Expr *by = x->args[1];
    return by->kind == E_FLOAT && by->f >= 3 && by->f <= 4095 && fmod(by->f, 2) == 1;
}

static void put_division(Printer *p, const Expr *x) {
    if (!helper_has(p, "sculpt_divide")) helper_add(p, "sculpt_divide", p->d->divide);
    put(p, "sculpt_divide(");
    put_expr(p, x->args[0], PREC_ANY);
    put(p, ", ");
    put_expr(p, x->args[1], PREC_ANY);
    put(p, ")");
}

static void put_op(Printer *p, const Expr *x, int prec) {
    switch (x->op) {
    case OP_MIN: case OP_MAX:
        if (p->d->inline_only)
            put_spelled_out(p, x);
        else
            put_call2(p, helper_minmax(p, x->op, x->type), x);
        return;
    case OP_FDIV: case OP_FMOD: put_floor(p, x); return;
    case OP_FMA: put_fma(p, x); return;
    default: break;
    }
    if (is_rsqrt(p, x)) {
        put_rsqrt(p, x);
        return;
    }
    if (is_odd_division(p, x)) {
        put_division(p, x);
        return;
    }
    if (is_narrow_arithmetic(x) && update_modular(x->op, x->type)) { // 65535 * 65535 is no int
        Expr *l = expr_cast(p->a, T_U32, x->args[0]), *r = expr_cast(p->a, T_U32, x->args[1]);
        put_expr(p, expr_cast(p->a, x->type, expr_op(p->a, OP_MUL, l, r, NULL)), prec);
        return;
    }
    if (is_narrow_arithmetic(x)) {
        bool is_bool = x->type == T_BOOL;
        put(p, "((%s)%s", emit_type(p, x->type), is_bool ? "(" : "");
        put_plain_op(p, x, PREC_PRIMARY);
        put(p, is_bool ? " != 0))" : ")");
        return;
    }
    put_plain_op(p, x, prec);
}

// ---- the rest ----------------------------------------------------------------------------

// (long)i with an int i: of this the conversion to a floating type takes i itself.
static bool keeps_value(const Expr *x) {
    return x->kind == E_CAST && x->type == T_I64 && x->args[0]->type == T_I32;
}

static void put_cast(Printer *p, const Expr *x, int prec) {
    bool paren = PREC_UNARY < prec;
    if (type_is_int(x->type) && type_is_float(x->args[0]->type)) p->truncates = true;
    if (type_is_float(x->type) && keeps_value(x->args[0])) {
        put_cast(p, expr_cast(p->a, x->type, x->args[0]->args[0]), prec);
        return;
    }
    put(p, "%s(%s)", paren ? "(" : "", emit_type(p, x->type));
    if (x->type == T_BOOL) {
        put(p, "(");
        put_expr(p, x->args[0], 11);
        put(p, " != 0)");
    } else {
        put_expr(p, x->args[0], PREC_UNARY);
    }
    put(p, paren ? ")" : "");
}

// fmaxf and its kin by a comparison, as glibc decides it: in lanes it is two instructions, the function a
// call each. NULL: another function.
static const char *extreme(Printer *p, const Expr *x) {
    bool max = str_has_prefix(x->fn, "fmax"), own = max || str_has_prefix(x->fn, "fmin");
    if (!p->d->simd || !own || !type_is_float(x->type) || (x->fn[4] && !str_eq(x->fn + 4, "f"))) return NULL;
    const char *name = arena_printf(p->a, "sculpt_%s", x->fn), *type = emit_type(p, x->type);
    if (!helper_has(p, name))
        helper_add(p, name,
                   arena_printf(p->a, "%s%s %s(%s x, %s y)\n{\n    return (x %c y) | (y != y) ? x : y;\n}\n",
                                p->d->helper, type, name, type, type, max ? '>' : '<'));
    return arena_printf(p->a, "%s(%%s)", name);
}

// A function that C does not have, as the dialect calls it. NULL: it is none.
static const char *word(Printer *p, const char *fn) {
    const FormWord *w = form_word(p->d, fn);
    if (w && w->text && !helper_has(p, w->name)) helper_add(p, w->name, w->text);
    return w ? arena_printf(p->a, "%s(%%s)", w->name) : NULL;
}

static void put_math(Printer *p, const Expr *x) {
    const char *own = extreme(p, x), *form = own ? own : word(p, x->fn);
    if (!form) form = p->d->call(p->a, x->fn);
    if (!form) {
        emit_fail(p, SC_CALL, "%s() has no counterpart in this dialect", x->fn);
        return;
    }
    p->uses_math = p->uses_math || !own;
    Text args = text_new(p->a);
    for (int k = 0; k < x->nargs; k++)
        text_printf(&args, "%s%s", k ? ", " : "", expr_text(p, x->args[k], PREC_SELECT));
    const char *hole = strstr(form, "%s");
    put(p, "%s%.*s%s%s", p->d->call_prefix, (int)(hole - form), form, text_str(&args), hole + 2);
}

// Converted where the text has the symbol in another width (index.c).
static void put_sym(Printer *p, const Expr *x, int prec) {
    Type is = counter_is_narrow(p, x->sym) ? T_I32 : x->sym->type;
    bool cast = is != x->type && type_is_int(is), paren = cast && prec > PREC_UNARY;
    put(p, "%s", paren ? "(" : "");
    if (cast) put(p, "(%s)", emit_type(p, x->type));
    put(p, "%s%s", emit_sym(p, x->sym), paren ? ")" : "");
}

void put_condition(Printer *p, const Expr *x) {
    bool is_float = type_is_float(x->type);
    put_expr(p, x, is_float ? 11 : PREC_SELECT + 1);
    put(p, is_float ? " != 0" : "");
}

void put_expr(Printer *p, const Expr *x, int prec) {
    switch (x->kind) {
    case E_INT: put_int(p, x, prec); break;
    case E_FLOAT: put_float(p, x, prec); break;
    case E_SYM: put_sym(p, x, prec); break;
    case E_LOAD: put_element(p, x->array, x->args); break;
    case E_OP: put_op(p, x, prec); break;
    case E_CAST: put_cast(p, x, prec); break;
    case E_CALL: put_math(p, x); break;
    }
}

const char *expr_text(Printer *p, const Expr *x, int prec) {
    Text saved = p->out;
    p->out = text_new(p->a);
    put_expr(p, x, prec);
    const char *s = text_str(&p->out);
    p->out = saved;
    return s;
}

Expr *emit_resolve(const Printer *p, Expr *x) {
    if (!x || !p->fixed.n) return x;
    return expr_subst(p->a, x, p->fixed.n, p->fixed.at, p->value.at);
}

static const char *own_name(const Printer *p, const Sym *s) {
    (void)p;
    return s->name;
}

char *emit_expr_c(Arena *a, const Expr *x) {
    Printer p = {.a = a, .d = &dialect_host, .wide = true, .out = text_new(a)};
    p.sequential = true;
    p.spell_sym = own_name;
    put_expr(&p, x, PREC_ANY);
    return arena_strdup(a, text_str(&p.out));
}
