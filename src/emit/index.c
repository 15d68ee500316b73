// SPDX-License-Identifier: MIT
// index.c -- bounds, conditions and subscripts in 32 bits, where these suffice.
//
//   long i, n;  a[i * n + 3]      a[i * (int)n + 3]      with  int i
//
// Processors with 64-bit registers do not care; a GPU takes two or more instructions for each operation of
// 64 bits, and two registers for each value. Whoever asks for 32-bit indices (EmitOptions.wide is false) has
// seen that each value of a bound, a condition or a subscript fits (run/narrow.c), loaded ones aside. What
// statements compute keeps its types: a counter in it is converted to its own type where it is read.
#include "emit/dialect.h"
#include "ir/span.h"

static bool is_long(Type t) { return t == T_I64 || t == T_U64; }

bool emit_narrows(const Printer *p) { return !p->wide && p->d->block[0]; }

static const Counter *declared(const Printer *p, const Sym *s) {
    for (int k = p->counters.n; k-- > 0;)
        if (p->counters.at[k].sym == s) return &p->counters.at[k];
    return NULL;
}

bool counter_is_narrow(const Printer *p, const Sym *s) {
    const Counter *c = declared(p, s);
    return c && c->narrow;
}

// A symbol that is read in 32 bits: its own type is wider than the expression's.
static Expr *narrow_sym(Printer *p, const Expr *x) {
    const Counter *c = declared(p, x->sym);
    if (c && !c->narrow) return NULL;
    Expr *e = NEW_AS(p->a, Expr, *x);
    e->type = T_I32;
    return e;
}

static Expr *narrow(Printer *p, Expr *x);

// x as it is, but for operands of 64 bits that are needed to compare them, or to choose.
static Expr *inside(Expr *x, void *arg) {
    Expr *y = narrow(arg, x);
    return y ? y : x;
}

static Expr *narrow_op(Printer *p, Expr *x) {
    Expr *arg[3] = {0};
    for (int k = 0; k < x->nargs; k++) {
        arg[k] = narrow(p, x->args[k]);
        if (!arg[k]) return is_long(x->type) ? NULL : x;
    }
    Op op = x->op;
    if (x->type == T_U64 && (op == OP_FDIV || op == OP_FMOD)) op = op == OP_FDIV ? OP_DIV : OP_MOD;
    return expr_op(p->a, op, arg[0], arg[1], arg[2]);
}

// Not a load of 64 bits: narrow.c knows its range only where it is a whole subscript.
static Expr *narrow_cast(Printer *p, Expr *x) {
    Expr *from = x->args[0];
    if (!is_long(x->type) && !is_long(from->type)) return expr_map(p->a, x, inside, p);
    if (!type_is_int(from->type)) return is_long(x->type) ? NULL : x;
    Expr *y = narrow(p, from);
    if (!y) return is_long(x->type) ? NULL : x;
    return expr_cast(p->a, is_long(x->type) ? T_I32 : x->type, y);
}

// NULL: it needs its 64 bits. What is computed in floating point stays as it is.
static Expr *narrow(Printer *p, Expr *x) {
    if (type_is_float(x->type)) return x;
    switch (x->kind) {
    case E_INT:
        if (!is_long(x->type)) return x;
        return x->i > INT32_MIN && x->i <= INT32_MAX ? expr_int(p->a, T_I32, x->i) : NULL;
    case E_SYM: return is_long(x->type) ? narrow_sym(p, x) : x;
    case E_OP: return narrow_op(p, x);
    case E_CAST: return narrow_cast(p, x);
    default: return is_long(x->type) ? NULL : x;
    }
}

Expr *emit_index(Printer *p, Expr *x) {
    x = emit_resolve(p, x);
    Expr *y = x && emit_narrows(p) ? narrow(p, x) : NULL;
    return y ? y : x;
}

Type counter_begin(Printer *p, const Sym *s, Expr *lo, Expr *hi) {
    bool fits = is_long(s->type) && emit_narrows(p) && narrow(p, emit_resolve(p, lo)) &&
                (!hi || narrow(p, emit_resolve(p, hi)));
    vec_push(p->a, &p->counters, ((Counter){.sym = s, .narrow = fits}));
    return fits ? T_I32 : s->type;
}

// ---- what known sizes decide -------------------------------------------------------------------------
// The range of x for all values that counters here have.
static bool range_of(const Printer *p, Expr *x, Span *out) {
    SpanEnv e = {.strict = true};
    for (int k = 0; k < p->counters.n; k++) {
        const Counter *c = &p->counters.at[k];
        if (c->known && !span_push(&e, c->sym, (Span){c->least, c->most, false})) return false;
    }
    return span_of(emit_resolve(p, x), &e, out) && !e.over && !out->data;
}

void counter_within(Printer *p, Expr *lo, Expr *hi) {
    Span l, h;
    if (!p->nknown || !range_of(p, lo, &l) || !range_of(p, hi, &h) || h.hi <= l.lo) return;
    Counter *c = &p->counters.at[p->counters.n - 1];
    c->known = true, c->least = l.lo, c->most = h.hi - 1;
}

bool emit_holds(const Printer *p, Expr *cond) {
    Span s;
    return range_of(p, cond, &s) && s.lo == 1;
}
