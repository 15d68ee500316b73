// SPDX-License-Identifier: MIT
// ring.c -- remainders of sums that go around once or twice at most.
//
//   for (i = 0; i < n; i++) a[(i + n - 1) % n]   →   a[i - 1 >= 0 ? i - 1 : i + n - 1]
//
// A remainder by a parameter is no linear subscript, and divides. Between which multiples of n the sum is,
// the loops around tell: where it is at least 0, and n at least 1.
//
// And remainders by a number that reach where nobody can say in a few words, u[(7 * i + m) % 200]: how far is
// told by as many cases as the number has rests, and isl looks at all of them. As a parameter the number
// leaves that to an inspection.
#include "front/normal.h"
#include "ir/table.h"

enum { MOST_TURNS = 2 }; // conditions in place of one remainder

typedef struct Ring {
    Normal *m;
    Sums k;
    VEC(const Node *) loops;
    VEC(const Sym *) numbers; // that became parameters
} Ring;

static const Node *loop_of(const Ring *r, int atom) {
    const Expr *x = r->k.atoms.at[atom];
    for (int i = 0; i < r->loops.n && x->kind == E_SYM; i++)
        if (r->loops.at[i]->iter == x->sym) return r->loops.at[i];
    return NULL;
}

// The least, or the greatest, value of the counter.
static Sum *end_of(Ring *r, const Node *loop, bool most) {
    bool up = loop->step > 0;
    Sum *s = sum_of(&r->k, most == up ? loop->hi : loop->lo);
    return most == up && s ? sum_add(&r->k, s, sum_int(&r->k, up ? -1 : 1), 1) : s;
}

// The least, or the greatest, that a counter or an element of a table of constants is; *known: it is one.
static Sum *end_of_atom(Ring *r, int atom, bool most, bool *known) {
    const Expr *x = r->k.atoms.at[atom];
    while (x->kind == E_CAST && type_is_int(x->type) && type_size(x->type) > type_size(x->args[0]->type))
        x = x->args[0];
    const Node *loop = loop_of(r, atom);
    bool table = x->kind == E_LOAD && array_is_table(x->array);
    int64_t ends[2];
    *known = loop || table;
    if (table) table_range(x->array, &ends[0], &ends[1]);
    return loop ? end_of(r, loop, most) : table ? sum_int(&r->k, ends[most]) : NULL;
}

// x without counters: what it is at least, or at most. NULL: it is no sum of them.
static Sum *bound(Ring *r, const Sum *x, bool most) {
    for (int depth = 0; x && depth < 8; depth++) {
        Sum *to = sum_int(&r->k, 0);
        bool changed = false;
        for (int t = 0; t < x->n && to; t++) {
            const Term *term = &x->t[t];
            Sum one = {1, &x->t[t]}, *part = &one;
            bool known = false;
            Sum *end = term->n == 1 ? end_of_atom(r, term->f[0], most == (term->c > 0), &known) : NULL;
            if (known) changed = true, part = end ? sum_mul(&r->k, end, sum_int(&r->k, term->c)) : NULL;
            to = part ? sum_add(&r->k, to, part, 1) : NULL;
        }
        if (!changed || !to) return to;
        x = to;
    }
    return NULL;
}

// How great n is at least, in the loops whose counters are in x: they have an iteration. 0: not known.
static int64_t least_of(Ring *r, const Sum *x, const Sum *n) {
    int64_t least = 0, c, lo;
    if (sum_is_const(n, &c)) return c;
    for (int t = 0; t < x->n; t++)
        for (int f = 0; f < x->t[t].n; f++) {
            const Node *loop = loop_of(r, x->t[t].f[f]);
            Sum *first = loop ? end_of(r, loop, false) : NULL, *last = loop ? end_of(r, loop, true) : NULL;
            Sum *off = last ? sum_add(&r->k, n, last, -1) : NULL; // n is so much more than the last
            bool told = first && off && sum_is_const(first, &lo) && sum_is_const(off, &c);
            if (told && lo + c > least) least = lo + c;
        }
    return least;
}

// Is s at least 0, where n is at least `least`?
static bool not_negative(Ring *r, const Sum *s, const Sum *n, int64_t least) {
    int64_t c, q;
    if (sum_is_const(s, &c)) return c >= 0;
    Sum *rest, *times = sum_div(&r->k, s, n, &rest);
    if (!times || !rest || !sum_is_const(times, &q) || !sum_is_const(rest, &c)) return false;
    return q >= 0 && c + q * least >= 0;
}

// x less k times n.
static Sum *turned(Ring *r, const Sum *x, const Sum *n, int k) { return sum_add(&r->k, x, n, -k); }

static Expr *around(Rebuild *b, Expr *x) {
    Ring *r = b->self;
    if (x->kind != E_OP || x->op != OP_MOD || x->args[0]->kind == E_INT) return x;
    if (!type_is_signed(x->type) && x->type != T_U64) return x; // in 64 bits nothing from 0 on wraps
    r->k.wraps = false;
    Sum *s = sum_of(&r->k, x->args[0]), *n = sum_of(&r->k, x->args[1]);
    if (!s || !n) return x;
    Sum *lo = bound(r, s, false), *hi = bound(r, s, true);
    int64_t least = least_of(r, s, n);
    if (r->k.wraps || !lo || !hi || least < 1 || !not_negative(r, lo, n, least)) return x;
    int first = 0, last = 0;
    Sum *over, *under;
    while (first <= MOST_TURNS && (over = turned(r, lo, n, first + 1)) && not_negative(r, over, n, least))
        first++;
    for (last = first; last <= first + MOST_TURNS; last++) {
        under = sum_add(&r->k, sum_int(&r->k, -1), turned(r, hi, n, last + 1), -1); // n - 1 - what is left
        if (under && not_negative(r, under, n, least)) break;
    }
    if (last > first + MOST_TURNS) return x;
    Type t = type_is_signed(x->type) ? x->type : T_I64;
    Expr *value = sum_expr(&r->k, turned(r, s, n, first), t);
    for (int k = first + 1; k <= last; k++) {
        Expr *less = sum_expr(&r->k, turned(r, s, n, k), t);
        value = expr_op(b->a, OP_SELECT, expr_op(b->a, OP_GE, less, expr_int(b->a, t, 0), NULL), less, value);
    }
    return expr_cast(b->a, x->type, value);
}

// ---- remainders that skip some ------------------------------------------------------------------------
// Does the sum go on by steps that don't come around evenly, and from a place that is not known, or beside
// another counter?
static bool skips(Ring *r, const Expr *x, int64_t n) {
    const Sum *s = sum_of(&r->k, x);
    bool uneven = false;
    int unknown = 0;
    for (int t = 0; s && t < s->n; t++) {
        const Term *term = &s->t[t];
        const Node *loop = term->n == 1 ? loop_of(r, term->f[0]) : NULL;
        unknown += term->n > 0;
        if (!loop) continue;
        int64_t c = term->c % n, step = c * (loop->step % n) % n, size = step < 0 ? -step : step;
        if (size <= 1) continue;
        uneven |= n % size != 0;
        unknown += loop->lo->kind != E_INT;
    }
    return uneven && unknown > 1;
}

static Expr *number(Ring *r, const Expr *n) {
    const char *text = arena_printf(r->m->a, "%lld", (long long)n->i);
    for (int i = 0; i < r->numbers.n; i++)
        if (r->numbers.at[i]->type == n->type && str_eq(r->numbers.at[i]->source, text))
            return expr_sym(r->m->a, r->numbers.at[i]);
    Sym *s = NEW_AS(r->m->a, Sym, ((Sym){.name = name_new(r->m, "ring"), .kind = SYM_PARAM, .type = n->type,
                                         .source = text, .said = text}));
    vec_push(r->m->a, &r->numbers, s);
    return expr_sym(r->m->a, s);
}

static Expr *by_parameter(Rebuild *b, Expr *x) {
    Ring *r = b->self;
    int64_t n;
    bool mod = x->kind == E_OP && x->op == OP_MOD && is_literal_int(x->args[1], &n);
    if (!mod || n < 2 || n > INT32_MAX || !skips(r, x->args[0], n)) return x;
    return expr_op(b->a, OP_MOD, x->args[0], number(r, x->args[1]), NULL);
}

static Expr *subscript(Ring *r, Expr *x) {
    Rebuild b = {.a = r->m->a, .expr = by_parameter, .self = r};
    return rebuild_expr(&b, x);
}

static Expr *visit_expr(Rebuild *b, Expr *x) {
    if (x->kind != E_LOAD || x->array->place != PLACE_USER) return around(b, x);
    Expr **sub = NEW_N(b->a, Expr *, x->nargs);
    bool same = true;
    for (int d = 0; d < x->nargs; d++) sub[d] = subscript(b->self, x->args[d]), same &= sub[d] == x->args[d];
    return same ? x : expr_remake(b->a, x, sub);
}

static Stmt *visit_stmt(Rebuild *b, Stmt *s) {
    for (int d = 0; s->lhs->place == PLACE_USER && d < s->lhs->rank; d++)
        s->sub[d] = subscript(b->self, s->sub[d]);
    return s;
}

Region *pass_ring(Normal *m, Region *r) {
    if (m->c->wraps || m->c->traps) return r; // a sum that overflows has a value, or is told
    Ring ring = {.m = m, .k = {.a = m->a}};
    node_each(n, r->root)
        if (n->kind == N_FOR && !loop_is_unbounded(n)) vec_push(m->a, &ring.loops, n);
    Rebuild b = {.a = m->a, .expr = visit_expr, .stmt = visit_stmt, .self = &ring};
    return region_with(m, r, rebuild_node(&b, r->root));
}
