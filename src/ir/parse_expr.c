// SPDX-License-Identifier: MIT
// parse_expr.c -- expressions and literals; the syntax is at the top of print.c
#include "ir/parse.h"
#include "ir/value.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// An expression being read. A literal without a type stays open until something beside it
// or its place gives it one.
typedef struct Sub {
    Expr *x;        // NULL while open, and after an error
    int height;
    enum { CLOSED, OPEN_INT, OPEN_FLOAT } open;
    bool minus;
    uint64_t i;     // magnitude
    double f;       // value
    Token at;
} Sub;

static Sub select_expr(Parser *p);
static Sub unary(Parser *p);

// ---- literals ------------------------------------------------------------------------
static Expr *int_literal(Parser *p, const Sub *s, Type t) {
    if (type_is_float(t)) return expr_float(p->arena, t, s->minus ? -(double)s->i : (double)s->i);
    int bits = 8 * type_size(t) - type_is_signed(t);
    uint64_t most = t == T_BOOL ? 1 : bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (s->minus) most = type_is_signed(t) ? most + 1 : 0;
    if (s->i > most) {
        parse_error(p, s->at, "the literal does not fit into %s", type_name(t));
        return NULL;
    }
    return expr_int(p->arena, t, s->minus ? (int64_t)-s->i : (int64_t)s->i);
}

// Gives an open literal the type t (T_NONE: the default).
static void settle(Parser *p, Sub *s, Type t) {
    if (s->open == OPEN_INT) s->x = int_literal(p, s, t ? t : T_I32);
    if (s->open == OPEN_FLOAT)
        s->x = expr_float(p->arena, type_is_float(t) ? t : T_F64, s->minus ? -s->f : s->f);
    s->open = CLOSED;
}

static bool read_float(const char *s, double *out) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c) return false;
    char *end;
    *out = strtod_l(s, &end, c);
    freelocale(c);
    return !*end && isfinite(*out);
}

static bool read_int(const char *s, uint64_t *out) {
    *out = 0;
    for (; *s; s++) {
        if (*s < '0' || *s > '9') return false;
        if (__builtin_mul_overflow(*out, 10u, out)) return false;
        if (__builtin_add_overflow(*out, (uint64_t)(*s - '0'), out)) return false;
    }
    return true;
}

// Splits "1.5f32" into digits and type; T_NONE: no type is there.
static Type split(char *s) {
    size_t n = strlen(s);
    for (int t = T_NONE + 1; t < T_COUNT; t++) {
        if (!str_has_suffix(s, type_name((Type)t))) continue;
        s[n - strlen(type_name((Type)t))] = 0;
        return (Type)t;
    }
    return T_NONE;
}

static Sub number(Parser *p, bool minus) {
    Sub r = {.at = p->tok, .minus = minus, .height = 1};
    char s[512];
    if (p->tok.n >= (int)sizeof s) {
        parse_error(p, p->tok, "the number is too long");
        return r;
    }
    memcpy(s, p->tok.s, (size_t)p->tok.n);
    s[p->tok.n] = 0;
    bool plain = strspn(s, "0123456789") == (size_t)p->tok.n; // most are
    Type t = plain ? T_NONE : split(s);
    bool whole = plain || !strpbrk(s, ".exp");
    if (whole ? !read_int(s, &r.i) : !read_float(s, &r.f)) {
        parse_error(p, p->tok, "the number cannot be read");
        return r;
    }
    if (!whole && type_is_int(t)) {
        parse_error(p, p->tok, "a fraction is no %s", type_name(t));
        return r;
    }
    lex_next(p);
    r.open = whole ? OPEN_INT : OPEN_FLOAT;
    if (t) settle(p, &r, t);
    return r;
}

// The bits after #nan64: (0x7ff8000000000001)
static double nan_bits(Parser *p) {
    uint64_t bits = 0;
    double f;
    lex_next(p);
    if (p->tok.kind != TK_NUMBER || p->tok.n > 18 || !str_has_prefix(p->tok.s, "0x")) {
        parse_error(p, p->tok, "the bits of a NaN expected");
        return 0;
    }
    char s[24] = "", *end;
    memcpy(s, p->tok.s, (size_t)p->tok.n);
    bits = strtoull(s, &end, 16);
    memcpy(&f, &bits, sizeof f);
    if (*end || !isnan(f) || signbit(f)) {
        parse_error(p, p->tok, "these are not the bits of a NaN");
        return 0;
    }
    lex_next(p);
    lex_expect(p, ')');
    return f;
}

static Sub special(Parser *p, bool minus) {
    Sub r = {.at = p->tok, .height = 1};
    bool nan = token_is(p->tok, "#nan32") || token_is(p->tok, "#nan64");
    if (!nan && !token_is(p->tok, "#inf32") && !token_is(p->tok, "#inf64")) {
        parse_error(p, p->tok, "'%.*s' is not known", p->tok.n < 40 ? p->tok.n : 40, p->tok.s);
        return r;
    }
    Type t = p->tok.s[4] == '3' ? T_F32 : T_F64;
    double f = nan ? (double)NAN : (double)INFINITY;
    lex_next(p);
    if (nan && lex_is(p, '(')) f = nan_bits(p);
    f = copysign(f, 1);
    if (!p->failed) r.x = expr_float(p->arena, t, minus ? -f : f);
    return r;
}

// ---- putting together -------------------------------------------------------------------
// Open literals among operands that have one type take the type of the first that has one.
static void settle_together(Parser *p, Sub *s, int n) {
    Type t = T_NONE;
    for (int k = 0; k < n && !t; k++)
        if (!s[k].open && s[k].x && s[k].x->kind != E_INT && s[k].x->kind != E_FLOAT) t = s[k].x->type;
    for (int k = 0; k < n; k++) settle(p, &s[k], t);
}

static bool agree(Parser *p, Op op, const Sub *s, int n) {
    for (int k = 0; k < n; k++) {
        if (!s[k].x) return false;
        if (op_takes_ints(op) && !type_is_int(s[k].x->type)) {
            parse_error(p, s[k].at, "an operand of %s has type %s", op_text(op),
                        type_name(s[k].x->type));
            return false;
        }
    }
    int first = op == OP_SELECT;
    for (int k = first + 1; op_is_even(op) && k < n; k++) {
        if (s[k].x->type == s[first].x->type) continue;
        parse_error(p, s[k].at, "operands of %s have types %s and %s", op_text(op),
                    type_name(s[first].x->type), type_name(s[k].x->type));
        return false;
    }
    return true;
}

static void grow(Parser *p, Sub *r, const Sub *s, int n) {
    for (int k = 0; k < n; k++)
        if (s[k].height >= r->height) r->height = s[k].height + 1;
    if (r->height > MAX_HEIGHT) parse_error(p, r->at, "the expression is too deep");
}

static Sub apply(Parser *p, Op op, Sub *s, int n, Token at) {
    Sub r = {.at = at, .height = 1};
    if (op == OP_SELECT) {
        settle(p, &s[0], T_NONE);
        settle_together(p, s + 1, 2);
    } else if (op_is_even(op)) {
        settle_together(p, s, n);
    } else {
        for (int k = 0; k < n; k++) settle(p, &s[k], T_NONE);
    }
    grow(p, &r, s, n);
    if (p->failed || !agree(p, op, s, n)) return r;
    r.x = expr_op(p->arena, op, s[0].x, n > 1 ? s[1].x : NULL, n > 2 ? s[2].x : NULL);
    return r;
}

// ---- primaries --------------------------------------------------------------------------
// (x, y, …): at most max; returns how many, -1 after an error.
static int arguments(Parser *p, Sub *s, int max) {
    int n = 0;
    lex_expect(p, '(');
    do {
        if (n == max) {
            parse_error(p, p->tok, "too many arguments");
            return -1;
        }
        s[n++] = select_expr(p);
    } while (lex_accept(p, ','));
    return lex_expect(p, ')') ? n : -1;
}

static Sub cast(Parser *p, Type t, Token at) {
    Sub r = {.at = at, .height = 1}, s = {.open = CLOSED};
    if (arguments(p, &s, 1) != 1) return r;
    settle(p, &s, T_NONE);
    grow(p, &r, &s, 1);
    if (!p->failed && s.x) r.x = expr_cast(p->arena, t, s.x);
    return r;
}

static Sub function_op(Parser *p, Token at) {
    static const Op ops[] = {OP_MIN, OP_MAX, OP_FDIV, OP_FMOD, OP_FMA};
    Sub r = {.at = at}, s[3];
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        if (!token_is(at, op_text(ops[k]))) continue;
        int n = arguments(p, s, op_arity(ops[k]));
        if (n < 0) return r;
        if (n == op_arity(ops[k])) return apply(p, ops[k], s, n, at);
        parse_error(p, at, "%s takes %d operands", op_text(ops[k]), op_arity(ops[k]));
        return r;
    }
    parse_error(p, at, "'%.*s' is no type and no operator", at.n < 40 ? at.n : 40, at.s);
    return r;
}

// sqrt.f64(x), after the dot.
static Sub call(Parser *p, Token at) {
    Sub r = {.at = at, .height = 1}, s[3];
    Expr *args[3];
    char name[32] = "";
    Type t = parse_type(p);
    if (at.n < (int)sizeof name) memcpy(name, at.s, (size_t)at.n);
    const MathFn *fn = math_find(name, t);
    if (!p->failed && !fn)
        parse_error(p, at, "no math function '%.*s' of type %s", at.n < 40 ? at.n : 40, at.s,
                    type_name(t));
    int n = p->failed ? -1 : arguments(p, s, 3);
    for (int k = 0; k < n; k++) {
        settle(p, &s[k], k < fn->nargs ? fn->arg[k] : T_NONE);
        args[k] = s[k].x;
    }
    if (!p->failed && !math_takes(fn, n, args)) parse_error(p, at, "%s does not take these arguments", name);
    if (n > 0) grow(p, &r, s, n);
    if (!p->failed) r.x = expr_call(p->arena, fn->name, t, n, args);
    return r;
}

static Sub load(Parser *p, const Array *a, Token at) {
    Sub r = {.at = at, .height = 1}, s[MAX_RANK];
    Expr *sub[MAX_RANK];
    for (int k = 0; k < a->rank; k++) {
        if (!lex_expect(p, '[')) return r;
        s[k] = select_expr(p);
        settle(p, &s[k], T_NONE);
        lex_expect(p, ']');
        if (p->failed) return r;
        sub[k] = s[k].x;
        if (!type_is_int(sub[k]->type)) parse_error(p, s[k].at, "a subscript must be an integer");
    }
    grow(p, &r, s, a->rank);
    if (lex_is(p, '['))
        parse_error(p, p->tok, "%s has %d dimension%s", a->name, a->rank, a->rank == 1 ? "" : "s");
    if (!p->failed) r.x = expr_load(p->arena, a, sub);
    return r;
}

static Sub named(Parser *p) {
    Token at = p->tok;
    Sub r = {.at = at, .height = 1};
    lex_next(p);
    if (lex_accept(p, '.')) return call(p, at);
    if (lex_is(p, '(')) {
        char name[8] = "";
        if (at.n < (int)sizeof name) memcpy(name, at.s, (size_t)at.n);
        Type t = type_from_name(name);
        return t ? cast(p, t, at) : function_op(p, at);
    }
    const Array *a = name_find(p, NAME_ARRAY, at.s, at.n);
    if (a) return load(p, a, at);
    const Sym *s = name_find(p, NAME_SYM, at.s, at.n);
    if (s) r.x = expr_sym(p->arena, s);
    else parse_error(p, at, "'%.*s' is not declared", at.n < 40 ? at.n : 40, at.s);
    return r;
}

static Sub primary(Parser *p) {
    Sub r = {.at = p->tok};
    if (p->tok.kind == TK_NUMBER) return number(p, false);
    if (p->tok.kind == TK_SPECIAL) return special(p, false);
    if (p->tok.kind == TK_NAME) return named(p);
    if (!lex_accept(p, '(')) {
        parse_error(p, p->tok, "an expression expected");
        return r;
    }
    r = select_expr(p);
    settle(p, &r, T_NONE);
    lex_expect(p, ')');
    return r;
}

// ---- operators ------------------------------------------------------------------------------
static Sub signed_operand(Parser *p) {
    Token at = p->tok;
    Op op = lex_is(p, '-') ? OP_NEG : lex_is(p, '~') ? OP_NOT : OP_LNOT;
    lex_next(p);
    if (op == OP_NEG && p->tok.kind == TK_NUMBER) return number(p, true);
    if (op == OP_NEG && p->tok.kind == TK_SPECIAL) return special(p, true);
    Sub s = unary(p);
    return apply(p, op, &s, 1, at);
}

static Sub unary(Parser *p) {
    Sub r = {.at = p->tok};
    if (!parse_enter(p)) return r;
    bool sign = lex_is(p, '-') || lex_is(p, '~') || lex_is(p, '!');
    r = sign ? signed_operand(p) : primary(p);
    parse_leave(p);
    return r;
}

// The infix operator at the token; OP_SET: none.
static Op infix(const Parser *p) {
    if (p->tok.kind != TK_PUNCT) return OP_SET;
    switch (p->tok.punct) {
    case '+': return OP_ADD;
    case '-': return OP_SUB;
    case '*': return OP_MUL;
    case '/': return OP_DIV;
    case '%': return OP_MOD;
    case P2('<', '<'): return OP_SHL;
    case P2('>', '>'): return OP_SHR;
    case '&': return OP_AND;
    case '|': return OP_OR;
    case '^': return OP_XOR;
    case '<': return OP_LT;
    case P2('<', '='): return OP_LE;
    case '>': return OP_GT;
    case P2('>', '='): return OP_GE;
    case P2('=', '='): return OP_EQ;
    case P2('!', '='): return OP_NE;
    case P2('&', '&'): return OP_LAND;
    case P2('|', '|'): return OP_LOR;
    default: return OP_SET;
    }
}

static Sub binary(Parser *p, int least) {
    Sub s[2] = {unary(p)};
    for (;;) {
        Token at = p->tok;
        Op op = infix(p);
        if (op == OP_SET || op_prec(op) < least || p->failed) return s[0];
        lex_next(p);
        s[1] = binary(p, op_prec(op) + 1);
        s[0] = apply(p, op, s, 2, at);
    }
}

static Sub select_expr(Parser *p) {
    Sub s[3] = {{.at = p->tok}};
    if (!parse_enter(p)) return s[0];
    s[0] = binary(p, PREC_BINARY);
    Token at = p->tok;
    if (lex_accept(p, '?')) {
        s[1] = select_expr(p);
        lex_expect(p, ':');
        s[2] = select_expr(p);
        s[0] = apply(p, OP_SELECT, s, 3, at);
    }
    parse_leave(p);
    return s[0];
}

Expr *parse_expr(Parser *p, Type implied) {
    Sub s = select_expr(p);
    settle(p, &s, implied);
    return p->failed ? NULL : s.x;
}

Expr *parse_index(Parser *p, Type implied) {
    Token at = p->tok;
    Expr *x = parse_expr(p, implied);
    if (x && !type_is_int(x->type)) parse_error(p, at, "an integer expected");
    return p->failed ? NULL : x;
}

Expr **parse_subscripts(Parser *p, const Array *a) {
    Expr **sub = NEW_N(p->arena, Expr *, a->rank);
    for (int k = 0; k < a->rank; k++) {
        if (!lex_expect(p, '[')) return NULL;
        sub[k] = parse_index(p, T_NONE);
        lex_expect(p, ']');
    }
    if (lex_is(p, '['))
        parse_error(p, p->tok, "%s has %d dimension%s", a->name, a->rank, a->rank == 1 ? "" : "s");
    return p->failed ? NULL : sub;
}
