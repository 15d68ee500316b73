// SPDX-License-Identifier: MIT
// induction.c -- variables that grow by the same amount in every iteration.
//
//   k = k0;                              k = k0 + 2*(i - lo) in iteration i, before the
//   for (i = lo; i < hi; i++) {    →     increment; k0 + 2*max(0, hi - lo) afterwards
//       … k … ; k += 2;
//   }
//
// And those that come back to where they began: buf ^= 1, cur = 1 - cur, stage = (stage + 1) % 3. Their
// values are those of one round, by the number of the iteration. What turns over each time, sign = -sign,
// other = n - other, even = !even, is one of two values, wherever it begins.
#include "front/normal.h"

enum { MOST_ROUND = 16 }; // iterations until such a variable is back

static Expr *magnitude(Arena *a, const Node *loop, Type t) {
    return expr_int(a, t, loop->step > 0 ? loop->step : -loop->step);
}

Expr *loop_count(Arena *a, const Node *loop, Type t, bool inside) {
    Expr *from = loop->step > 0 ? loop->lo : loop->hi, *to = loop->step > 0 ? loop->hi : loop->lo;
    Expr *step = magnitude(a, loop, t);
    Expr *span = expr_sub(a, expr_cast(a, t, to), expr_cast(a, t, from));
    span = expr_op(a, OP_DIV, expr_add(a, span, expr_sub(a, step, expr_int(a, t, 1))), step, NULL);
    if (inside) return span;
    Expr *none = expr_int(a, t, 0);
    if (type_is_signed(t) && t == from->type) return expr_op(a, OP_MAX, span, none, NULL);
    return expr_op(a, OP_SELECT, expr_op(a, OP_LT, from, to, NULL), span, none);
}

Expr *loop_last(Arena *a, const Node *l) {
    Expr *one = expr_int(a, l->lo->type, 1);
    if (l->step == 1) return expr_sub(a, l->hi, one);
    if (l->step == -1) return expr_add(a, l->hi, one);
    Expr *by = expr_int(a, l->lo->type, l->step > 0 ? l->step : -l->step);
    Expr *span = l->step > 0 ? expr_sub(a, l->hi, l->lo) : expr_sub(a, l->lo, l->hi);
    Expr *way = expr_mul(a, expr_op(a, OP_DIV, expr_sub(a, span, one), by, NULL), by);
    return l->step > 0 ? expr_add(a, l->lo, way) : expr_sub(a, l->lo, way);
}

// start + step * times. An unsigned step that counts down is subtracted, so that nothing wraps around where
// the variable does not.
static Expr *advanced(Arena *a, Expr *start, Expr *step, Expr *times) {
    Type t = start->type;
    int64_t c;
    bool unsigned_literal = is_literal_int(step, &c) && !type_is_signed(t) && type_size(t) >= 4;
    if (unsigned_literal && type_size(t) == 4) c = (int32_t)(uint32_t)c;
    if (unsigned_literal && c < 0 && c > INT32_MIN)
        return expr_sub(a, start, expr_mul(a, expr_int(a, t, -c), times));
    return expr_add(a, start, expr_mul(a, step, times));
}

// start + step * (number of iterations before this one)
static Expr *grown(Arena *a, const Node *loop, Expr *start, Expr *step) {
    Type t = start->type;
    Expr *i = expr_cast(a, t, expr_sym(a, loop->iter)), *lo = expr_cast(a, t, loop->lo);
    Expr *done = loop->step > 0 ? expr_sub(a, i, lo) : expr_sub(a, lo, i);
    int64_t by = loop->step > 0 ? loop->step : -loop->step, c;
    if (is_literal_int(step, &c) && type_is_signed(t) && c % by == 0)
        step = expr_int(a, t, c / by);
    else
        done = expr_op(a, OP_DIV, done, magnitude(a, loop, t), NULL);
    return advanced(a, start, step, done);
}

static bool is_modular(const Expr *x) {
    bool ring = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL ||
                                    x->op == OP_NEG || x->op == OP_SHL);
    return ring && type_is_int(x->type) && !type_is_signed(x->type) && type_size(x->type) >= 4;
}

// The type in which a variable counts: int t; t += 3u wraps around as an unsigned one does.
static Type counts_in(const Recurrence *r) {
    Type t = r->var->elem, u = update_modular(OP_ADD, t);
    return u && expr_any(r->end, is_modular) ? u : t;
}

// end - top, where it is the same in all iterations.
static Expr *step_of(Arena *a, const Node *loop, const Recurrence *r) {
    Expr *end = r->end;
    if (end->kind == E_CAST && type_is_int(end->args[0]->type) && type_size(end->args[0]->type) >= 4)
        end = end->args[0]; // counting modulo 2^32 or 2^64 from here on
    Sums k = {.a = a};
    Sum *s = sum_of(&k, end);
    s = s ? sum_add(&k, s, sum_atom(&k, expr_sym(a, r->top)), -1) : NULL;
    Expr *step = s ? sum_expr(&k, s, counts_in(r)) : NULL;
    if (!step || expr_uses_sym(step, loop->iter) || expr_has_load(step)) return NULL;
    return step;
}

static bool uses_any_top(const Expr *x, int n, const Recurrence *r) {
    for (int k = 0; k < n; k++)
        if (expr_uses_sym(x, r[k].top)) return true;
    return false;
}

static void solve_sum(Arena *a, const Node *loop, Recurrence *r, int n, const Recurrence *all) {
    Expr *step = r->end && type_size(r->var->elem) >= 4 ? step_of(a, loop, r) : NULL;
    if (!step || uses_any_top(step, n, all)) return;
    Type t = r->var->elem, own = counts_in(r);
    Expr *start = own == t ? r->start : expr_modular(a, own, r->start);
    r->value = expr_cast(a, t, grown(a, loop, start, step));
    r->final = expr_cast(a, t, advanced(a, start, step, loop_count(a, loop, own, false)));
}

// before = n - 1; for (i = 0; i < n; i++) { … before …; before = i; }
//   →  before is (i == 0 ? n - 1 : i - 1)
static bool solve_delayed(Arena *a, const Node *loop, Recurrence *r, int n, const Recurrence *all) {
    if (!r->end || r->value || expr_has_load(r->end) || expr_has_load(r->start)) return false;
    const Sym **from = NEW_N(a, const Sym *, n);
    Expr **to = NEW_N(a, Expr *, n);
    int known = 0;
    for (int k = 0; k < n; k++)
        if (all[k].value) {
            from[known] = all[k].top;
            to[known++] = all[k].value;
        }
    Expr *end = expr_subst(a, r->end, known, from, to);
    if (uses_any_top(end, n, all)) return false;
    Expr *i = expr_sym(a, loop->iter);
    Expr *before = expr_sub(a, i, expr_int(a, i->type, loop->step));
    end = expr_subst(a, end, 1, &loop->iter, &before);
    Expr *first = expr_op(a, OP_EQ, i, expr_cast(a, i->type, loop->lo), NULL);
    r->value = expr_op(a, OP_SELECT, first, r->start, end);
    return true;
}

static bool is_changing(const Expr *x) { return x->kind == E_LOAD || x->kind == E_CALL; }

// round[times % n], n values of type t
static Expr *of_round(Arena *a, Type t, Expr *times, int n, const int64_t *round) {
    Type c = times->type;
    Expr *k = expr_op(a, OP_MOD, times, expr_int(a, c, n), NULL);
    bool even = true;
    for (int i = 1; i < n; i++) even &= round[i] == round[0] + i * (round[1] - round[0]);
    if (n == 1) return expr_int(a, t, round[0]);
    if (even)
        return expr_add(a, expr_int(a, t, round[0]),
                        expr_mul(a, expr_int(a, t, round[1] - round[0]), expr_cast(a, t, k)));
    Expr *x = expr_int(a, t, round[n - 1]);
    for (int i = n - 1; i-- > 0;)
        x = expr_op(a, OP_SELECT, expr_op(a, OP_EQ, k, expr_int(a, c, i), NULL), expr_int(a, t, round[i]), x);
    return x;
}

// The number of iterations before this one.
static Expr *done_before(Arena *a, const Node *loop) {
    Expr *i = expr_sym(a, loop->iter);
    Expr *way = loop->step > 0 ? expr_sub(a, i, loop->lo) : expr_sub(a, loop->lo, i);
    return expr_op(a, OP_DIV, way, magnitude(a, loop, loop->iter->type), NULL);
}

// What comes next hangs on the value alone, and it is back at its start after a few iterations.
static void solve_round(Arena *a, const Node *loop, Recurrence *r) {
    int64_t round[MOST_ROUND + 1];
    if (!r->end || r->value || !type_is_int(r->var->elem) || !is_literal_int(r->start, &round[0]) ||
        expr_any(r->end, is_changing))
        return;
    for (int n = 0; n < MOST_ROUND; n++) {
        InterpVal v = {.sym = r->top, .i = round[n]};
        if (!ir_eval(r->end, 1, &v, &round[n + 1])) return;
        if (round[n + 1] != round[0]) continue;
        Type t = r->var->elem, c = loop->iter->type;
        r->value = of_round(a, t, done_before(a, loop), n + 1, round);
        r->final = of_round(a, t, loop_count(a, loop, c, false), n + 1, round);
        return;
    }
}

static const Expr *bare(const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type)) x = x->args[0];
    return x;
}

static bool is_minus_one(const Expr *x) {
    int64_t c;
    return x->kind == E_FLOAT ? x->f == -1 : is_literal_int(x, &c) && c == -1;
}

// Does it turn top over, so that twice is nothing? That narrow types wrap around in between changes nothing.
static bool turns_over(const Expr *end, const Sym *top, Type t) {
    const Expr *x = bare(end);
    if (x->kind != E_OP || t == T_BOOL) return false;
    const Expr *first = bare(x->args[0]), *last = bare(x->args[x->nargs - 1]);
    bool at_first = first->kind == E_SYM && first->sym == top;
    bool at_last = last->kind == E_SYM && last->sym == top;
    if (x->op == OP_NEG) return at_first;
    if (x->op == OP_MUL) return (at_first && is_minus_one(last)) || (at_last && is_minus_one(first));
    if (!type_is_int(t) || at_first == (at_last && x->nargs == 2)) return at_first && x->op == OP_NOT;
    const Expr *other = at_first ? last : first;
    return (x->op == OP_XOR || (x->op == OP_SUB && at_last)) && !expr_uses_sym(other, top);
}

static void solve_flip(Arena *a, const Node *loop, Recurrence *r, int n, const Recurrence *all) {
    if (!r->end || r->value || !expr_uses_sym(r->end, r->top) || expr_uses_sym(r->end, loop->iter) ||
        expr_any(r->end, is_changing) || expr_has_load(r->start))
        return;
    for (int k = 0; k < n; k++)
        if (&all[k] != r && expr_uses_sym(r->end, all[k].top)) return;
    const Expr *x = bare(r->end);
    int64_t zero;
    bool truth = x->kind == E_OP && x->op == OP_EQ && bare(x->args[0])->kind == E_SYM &&
                 is_literal_int(x->args[1], &zero) && zero == 0; // !x
    if (!truth && !turns_over(r->end, r->top, r->var->elem)) return;
    Expr *once = expr_subst(a, r->end, 1, &r->top, &r->start), *twice = r->start;
    Expr *times[2] = {done_before(a, loop), loop_count(a, loop, loop->iter->type, false)}, *value[2];
    if (truth) twice = expr_subst(a, r->end, 1, &r->top, &once);
    for (int k = 0; k < 2; k++) {
        Type c = times[k]->type;
        Expr *left = expr_op(a, OP_MOD, times[k], expr_int(a, c, 2), NULL);
        Expr *odd = expr_op(a, OP_NE, left, expr_int(a, c, 0), NULL);
        value[k] = expr_op(a, OP_SELECT, odd, once, twice);
        if (truth && r->var->elem != T_BOOL) // !!2 is 1
            value[k] = expr_op(a, OP_SELECT, expr_op(a, OP_EQ, times[k], expr_int(a, c, 0), NULL), r->start,
                               value[k]);
    }
    r->value = value[0], r->final = value[1];
}

void solve_loop(Arena *a, const Node *loop, int n, Recurrence *r) {
    for (int k = 0; k < n; k++) {
        solve_sum(a, loop, &r[k], n, r), solve_round(a, loop, &r[k]);
        solve_flip(a, loop, &r[k], n, r);
    }
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < n; k++) more |= solve_delayed(a, loop, &r[k], n, r);
    }
}
