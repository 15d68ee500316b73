// SPDX-License-Identifier: MIT
// sides.c -- what an expression is at most, or at least, where conditions hold.
//
//   (lo + hi) / 2                       lo < hi       lo .. hi
//   k + 1                               k < most      …  .. most
//   x < 0 ? 0 : x > m ? m : x                         0  .. m
//
// A term is known, or temporaries stand in it. In 64 bits, some term is beyond x, or x.
#include "front/normal.h"

enum { MOST_TERMS = 16 };

typedef struct Sides {
    Arena *a;
    ReachKnown *known;
    SideValue *value;
    void *arg;
    const AtMosts *facts;
} Sides;

static bool terms(Sides *s, const Expr *x, bool most, ExprVec *out);

// ---- what conditions tell ----------------------------------------------------------------------------

// Does a number of type x keep its value in type y?
static bool holds_all(Type y, Type x) {
    if (!type_is_int(x) || !type_is_int(y)) return false;
    if (type_is_signed(x) == type_is_signed(y)) return type_size(y) >= type_size(x);
    return type_is_signed(y) && type_size(y) > type_size(x);
}

// Without casts that keep all values.
static const Expr *bare(const Expr *x) {
    for (;;) {
        if (x->kind != E_CAST) return x;
        const Expr *y = x->args[0];
        if (holds_all(x->type, y->type)) x = y;
        else if (y->kind == E_CAST && holds_all(y->type, y->args[0]->type) &&
                 holds_all(x->type, y->args[0]->type))
            x = y->args[0];
        else return x;
    }
}

const Expr *expr_without_number(const Expr *x, int64_t *more) {
    for (*more = 0;;) {
        x = bare(x);
        bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB) && type_is_int(x->type);
        if (!sum || !type_is_signed(x->type)) return x;
        int number = x->args[1]->kind == E_INT ? 1 : x->op == OP_ADD && x->args[0]->kind == E_INT ? 0 : -1;
        if (number < 0 || x->args[number]->i < INT32_MIN || x->args[number]->i > INT32_MAX) return x;
        *more += x->op == OP_ADD ? x->args[number]->i : -x->args[number]->i;
        x = x->args[1 - number];
    }
}

void facts_add(Arena *a, AtMosts *f, const Expr *cond, bool holds) {
    if (cond->kind == E_CAST) {
        facts_add(a, f, cond->args[0], holds);
        return;
    }
    if (cond->kind != E_OP) return;
    const Expr *x = cond->args[0], *y = cond->nargs > 1 ? cond->args[1] : NULL;
    bool both = cond->op == (holds ? OP_LAND : OP_LOR);
    bool asks = cond->op == OP_NE || cond->op == OP_EQ;
    if (cond->op == OP_LNOT) facts_add(a, f, x, !holds);
    if (both) facts_add(a, f, x, holds), facts_add(a, f, y, holds);
    if (asks && expr_is_int(y, 0)) facts_add(a, f, x, holds == (cond->op == OP_NE));
    bool less = cond->op == OP_LT || cond->op == OP_LE, greater = cond->op == OP_GT || cond->op == OP_GE;
    if ((!less && !greater) || !type_is_int(x->type)) return;
    bool strict = (cond->op == OP_LT || cond->op == OP_GT) == holds;
    bool first = less == holds;
    AtMost told = {first ? x : y, first ? y : x, strict};
    const Expr *minus = bare(told.more);
    bool apart = minus->kind == E_OP && minus->op == OP_SUB && type_is_signed(minus->type);
    vec_push(a, f, told);
    if (!apart || told.less->kind != E_INT) return;
    Expr *sum = expr_add(a, minus->args[1], expr_cast(a, minus->type, (Expr *)told.less));
    vec_push(a, f, ((AtMost){sum, minus->args[0], strict}));
}

bool is_own_number(const Expr *x) {
    return x->kind == E_LOAD && x->array->place == PLACE_LOCAL && !x->array->rank;
}

static bool put(Sides *s, ExprVec *out, const Expr *x, int64_t more) {
    Expr *term = expr_add(s->a, expr_cast(s->a, T_I64, (Expr *)x), expr_int(s->a, T_I64, more));
    for (int k = 0; k < out->n; k++)
        if (expr_equal(out->at[k], term)) return true;
    if (out->n == MOST_TERMS) return false;
    vec_push(s->a, out, term);
    return true;
}

// A condition compares x with what is known, or with a temporary.
static bool is_told(Sides *s, const Expr *x, bool most, bool known, ExprVec *out) {
    int64_t own, its;
    x = expr_without_number(x, &own);
    for (int k = 0; k < s->facts->n; k++) {
        const AtMost *f = &s->facts->at[k];
        const Expr *other = bare(most ? f->more : f->less);
        const Expr *same = expr_without_number(most ? f->less : f->more, &its);
        if (!expr_equal(x, same) || expr_equal(x, other)) continue;
        if (known ? !s->known(other, s->arg) : !is_own_number(other)) continue;
        return put(s, out, other, own - its + (most ? -f->strict : f->strict));
    }
    return false;
}

// x + apart <= y?
static bool is_not_more(Sides *s, const Expr *x, int apart, const Expr *y) {
    int64_t mx, my, fx, fy;
    x = expr_without_number(x, &mx), y = expr_without_number(y, &my);
    for (int k = 0; k < s->facts->n; k++) {
        const AtMost *f = &s->facts->at[k];
        const Expr *less = expr_without_number(f->less, &fx), *more = expr_without_number(f->more, &fy);
        if (expr_equal(less, x) && expr_equal(more, y) && mx - fx + apart <= my - fy + f->strict) return true;
    }
    return false;
}

// ---- the terms -------------------------------------------------------------------------------------------

// (x + y) / 2, or x + (y - x) / 2: between the two, however it rounds. In a type without a sign neither the
// difference may wrap nor, where the least is asked for, the sum.
static bool is_middle(Sides *s, const Expr *e, bool most, const Expr **x, const Expr **y) {
    if (e->kind != E_OP || !type_is_int(e->type)) return false;
    const Expr *half = e->op == OP_ADD ? bare(e->args[1]) : e;
    bool by_two = (half->op == OP_DIV || half->op == OP_FDIV) && expr_is_int(bare(half->args[1]), 2);
    bool halves = half->kind == E_OP && (by_two || (half->op == OP_SHR && expr_is_int(half->args[1], 1)));
    const Expr *of = halves ? bare(half->args[0]) : NULL;
    if (!of || of->kind != E_OP || of->op != (half == e ? OP_ADD : OP_SUB)) return false;
    *x = bare(half == e ? of->args[0] : of->args[1]), *y = bare(half == e ? of->args[1] : of->args[0]);
    bool may_wrap = !type_is_signed(of->type);
    if (half == e) return most || !may_wrap;
    return expr_equal(bare(e->args[0]), *x) && (!may_wrap || is_not_more(s, *x, 0, *y));
}

// Where x < y it is less than y, but where a negative sum is rounded to 0.
static bool middle(Sides *s, const Expr *e, const Expr *x, const Expr *y, bool most, ExprVec *out) {
    bool rises = is_not_more(s, x, 0, y), falls = !rises && is_not_more(s, y, 0, x);
    if (falls) return middle(s, e, y, x, most, out);
    if (!rises) return terms(s, x, most, out) && terms(s, y, most, out);
    if (!most) return terms(s, x, most, out);
    bool less = is_not_more(s, x, 1, y), to_zero = e->op == OP_DIV && type_is_signed(e->type);
    ExprVec all = {0};
    if (!terms(s, y, most, &all)) return false;
    for (int k = 0; k < all.n; k++) {
        Expr *last = less ? expr_sub(s->a, all.at[k], expr_int(s->a, T_I64, 1)) : all.at[k];
        if (less && to_zero) last = expr_op(s->a, OP_MAX, last, expr_int(s->a, T_I64, 0), NULL);
        if (!put(s, out, last, 0)) return false;
    }
    return true;
}

// Of a sum or a difference, each with each. Numbers stand outermost.
static bool pairs(Sides *s, const Expr *x, bool most, ExprVec *out) {
    ExprVec p = {0}, q = {0};
    bool minus = x->op == OP_SUB;
    if (!terms(s, x->args[0], most, &p) || !terms(s, x->args[1], minus ? !most : most, &q)) return false;
    for (int j = 0; j < p.n; j++)
        for (int k = 0; k < q.n; k++) {
            int64_t mp, mq;
            Expr *u = expr_cast(s->a, T_I64, (Expr *)expr_without_number(p.at[j], &mp));
            Expr *v = expr_cast(s->a, T_I64, (Expr *)expr_without_number(q.at[k], &mq));
            if (!put(s, out, expr_op(s->a, x->op, u, v, NULL), minus ? mp - mq : mp + mq)) return false;
        }
    return true;
}

static bool all_by(Sides *s, Op op, const ExprVec *x, Expr *number, ExprVec *out) {
    for (int k = 0; k < x->n; k++)
        if (!put(s, out, expr_op(s->a, op, x->at[k], number, NULL), 0)) return false;
    return true;
}

// By a number more than 0, which keeps the order, or times what is known, of whichever sign.
static bool scaled(Sides *s, const Expr *x, bool most, ExprVec *out) {
    int n = x->op == OP_MUL && s->known(x->args[0], s->arg) ? 0 : 1;
    const Expr *by = x->args[n];
    bool number = by->kind == E_INT && by->i >= (x->op == OP_SHR ? 0 : 1);
    bool times = !number && x->op == OP_MUL && type_is_signed(x->type) && s->known(by, s->arg);
    ExprVec inner = {0};
    if ((!number && !times) || !terms(s, x->args[1 - n], most, &inner)) return false;
    if (times && !terms(s, x->args[1 - n], !most, &inner)) return false;
    return all_by(s, x->op, &inner, expr_cast(s->a, T_I64, (Expr *)by), out);
}

static bool arm(Sides *s, const Expr *x, bool holds, bool most, ExprVec *out) {
    AtMosts facts = {0};
    Sides t = *s;
    for (int k = 0; k < s->facts->n; k++) vec_push(s->a, &facts, s->facts->at[k]);
    facts_add(s->a, &facts, x->args[0], holds);
    t.facts = &facts;
    return terms(&t, x->args[holds ? 1 : 2], most, out);
}

// Of the least of two, what either is at most.
static bool either(Sides *s, const Expr *x, bool most, ExprVec *out) {
    if ((x->op == OP_MIN) != most) return terms(s, x->args[0], most, out) && terms(s, x->args[1], most, out);
    int first = s->known(x->args[1], s->arg) ? 1 : 0, n = out->n;
    if (terms(s, x->args[first], most, out)) return true;
    out->n = n;
    return terms(s, x->args[1 - first], most, out);
}

static bool terms_of_op(Sides *s, const Expr *x, bool most, ExprVec *out) {
    switch (x->op) {
    case OP_SELECT: return arm(s, x, true, most, out) && arm(s, x, false, most, out);
    case OP_MIN: case OP_MAX: return either(s, x, most, out);
    case OP_ADD: return pairs(s, x, most, out);
    case OP_SUB: return type_is_signed(x->type) && pairs(s, x, most, out);
    case OP_MUL: case OP_DIV: case OP_FDIV: case OP_SHR: return scaled(s, x, most, out);
    default: return false;
    }
}

// What wraps in a type without a sign is less than without.
static bool terms(Sides *s, const Expr *x, bool most, ExprVec *out) {
    const Expr *low, *high;
    int n = out->n;
    if (!type_is_int(x->type)) return false;
    if (s->known(x, s->arg)) return put(s, out, x, 0);
    x = bare(x);
    if (x->kind == E_CAST && x->type == T_I64 && x->args[0]->type == T_U64) x = bare(x->args[0]);
    if (is_told(s, x, most, true, out)) return true;
    if (is_middle(s, x, most, &low, &high) && middle(s, x, low, high, most, out)) return true;
    out->n = n;
    if (is_own_number(x) && s->value(x, most, s->arg, out)) return true;
    if (is_told(s, x, most, false, out)) return true;
    if (is_own_number(x)) return put(s, out, x, 0);
    bool may_wrap = !type_is_signed(x->type) && !most;
    bool picks = x->op == OP_SELECT || x->op == OP_MIN || x->op == OP_MAX;
    if (x->kind == E_OP && (picks || !may_wrap) && terms_of_op(s, x, most, out)) return true;
    out->n = n;
    if (may_wrap) return put(s, out, expr_int(s->a, T_I64, 0), 0);
    return reach_ends(s->a, x, s->known, s->arg, out);
}

bool side_terms(Arena *a, const Expr *x, bool most, const AtMosts *facts, ReachKnown *known,
                SideValue *value, void *arg, ExprVec *out) {
    return terms(&(Sides){a, known, value, arg, facts}, x, most, out);
}
