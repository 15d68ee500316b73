// SPDX-License-Identifier: MIT
// work.c -- a count of operations as C over the program's own variables, for the inserted call.
//
//   f64(n) * max(i64(m) - i64(k), 0)   →   (double)(n) * ((double)(m) - (double)(k) > 0.0 ? … : 0.0)
//
// All of it is arithmetic of doubles, where nothing overflows that the program's own doesn't; it is
// rough, and need be no more.
#include "emit/emit.h"
#include <math.h>

enum { TEXT_MOST = 1000 }; // what takes longer to evaluate is not worth it

static bool put(Text *t, const Expr *x);

static bool put_two(Text *t, const Expr *x, const char *op) {
    text_put(t, "(");
    bool ok = put(t, x->args[0]);
    text_printf(t, " %s ", op);
    ok = ok && put(t, x->args[1]);
    text_put(t, ")");
    return ok;
}

// x if it comes before y in that order, else y.
static bool put_chosen(Text *t, const Expr *x, const char *order) {
    bool ok = put_two(t, x, order);
    text_put(t, " ? ");
    ok = ok && put(t, x->args[0]);
    text_put(t, " : ");
    return ok && put(t, x->args[1]);
}

static bool put_op(Text *t, const Expr *x) {
    switch (x->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_LAND:
    case OP_LOR: return put_two(t, x, op_text(x->op));
    case OP_FDIV: return put_two(t, x, "/");
    case OP_NEG: return text_put(t, "-"), put(t, x->args[0]);
    case OP_MIN: return put_chosen(t, x, "<");
    case OP_MAX: return put_chosen(t, x, ">");
    case OP_SELECT: {
        bool ok = put(t, x->args[0]);
        text_put(t, " ? ");
        ok = ok && put(t, x->args[1]);
        text_put(t, " : ");
        return ok && put(t, x->args[2]);
    }
    default: return false;
    }
}

// Without a constant of floating point, for there are options that warn of these: a whole number over a power
// of two.
static bool put_real(Text *t, double f) {
    long long under = 1;
    for (; f != trunc(f) && under < 1LL << 40; f *= 2) under *= 2;
    if (!(fabs(f) < 1e15) || f != trunc(f)) return false;
    text_printf(t, under > 1 ? "(double)%lld / (double)%lld" : "(double)%lld", (long long)f, under);
    return true;
}

static bool put(Text *t, const Expr *x) {
    bool ok = t->n < TEXT_MOST;
    text_put(t, "(");
    switch (ok ? x->kind : E_LOAD) {
    case E_INT: // the least of all numbers has no constant
        text_printf(t, "(double)%lld", (long long)(x->i > INT64_MIN ? x->i : x->i + 1));
        break;
    case E_FLOAT: ok = put_real(t, x->f); break;
    case E_SYM:
        ok = x->sym->kind == SYM_PARAM && x->sym->source;
        if (ok) text_printf(t, "(double)(%s)", x->sym->source);
        break;
    case E_CAST: ok = put(t, x->args[0]); break;
    case E_OP: ok = put_op(t, x); break;
    default: ok = false;
    }
    text_put(t, ")");
    return ok;
}

char *emit_work(Arena *a, const Expr *work) {
    Text t = text_new(a);
    return put(&t, work) ? arena_strdup(a, text_str(&t)) : NULL;
}
