// SPDX-License-Identifier: MIT
// follows.c -- conditions that follow from what is known at a place by a few linear steps.
//
//   for xb in 0 .. fdiv(n + 255, 256) { if (n - 256*xb >= -255) … }
//
//       n + 255 - 256*xb        xb <= fdiv(n + 255, 256) - 1
//    >= n + 511 - 256*q         256*q <= n + 255
//    >= 256
//
// The innermost atom of a sum that is to be at least zero is replaced by a bound of it, until a number
// remains. Each step only makes the sum less, so what is found is so; what is not found is for isl.
#include "rule/ground.h"
#include "rule/loops.h"

enum { STEPS = 80, DEPTH = 24 };
static const int64_t MOST = (int64_t)1 << 40; // beyond, a sum is not used

// ---- sums -------------------------------------------------------------------------------------------
static bool is_data(const Expr *x) {
    return x->kind == E_LOAD || x->kind == E_CALL || type_is_float(x->type);
}

static bool varies(const Expr *x) {
    return is_data(x) || (x->kind == E_SYM && x->sym->kind == SYM_ITER);
}

// What may wrap around, or does, is for isl.
static bool may_wrap(const Expr *x) {
    if (!type_is_int(x->type) || type_is_signed(x->type)) return false;
    if (x->kind == E_INT) return x->i < 0; // 2^63 and more
    if (x->kind == E_OP) return x->op == OP_SUB || x->op == OP_NEG;
    return x->kind == E_CAST && type_is_signed(x->args[0]->type);
}

static bool is_op(const Expr *x, Op op) { return x->kind == E_OP && x->op == op; }
static bool is_choice(const Expr *x) {
    return is_op(x, OP_MIN) || is_op(x, OP_MAX) || (is_op(x, OP_SELECT) && !expr_any(x, is_data));
}
static bool is_divided(const Expr *x) {
    enum { LARGEST = 1 << 20 };
    const Expr *y = is_op(x, OP_FDIV) || is_op(x, OP_FMOD) ? x->args[1] : NULL;
    return y && y->kind == E_INT && y->i > 0 && y->i < LARGEST;
}

static bool is_small(const Linear *s) {
    bool small = s->c >= -MOST && s->c <= MOST;
    for (int i = 0; i < s->n; i++) small = small && s->coef[i] >= -MOST && s->coef[i] <= MOST;
    return small;
}

static bool add(Arena *a, Linear *s, Expr *x, int64_t by);

static bool add_one(Linear *s, Expr *atom, int64_t by) {
    return linear_add(s, &(Linear){.n = 1, .atom = {atom}, .coef = {1}}, by);
}

// x / v, rounded down: what v divides, and a quotient of what is left.
static bool add_quotient(Arena *a, Linear *s, const Linear *x, int64_t v, int64_t by) {
    Linear whole = {.c = x->c / v - (x->c % v < 0)}, left = {.c = x->c - v * whole.c};
    for (int i = 0; i < x->n; i++) {
        bool divides = x->coef[i] % v == 0;
        if (!add_one(divides ? &whole : &left, x->atom[i], divides ? x->coef[i] / v : x->coef[i]))
            return false;
    }
    Expr *q = expr_op(a, OP_FDIV, linear_expr(a, T_I64, &left), expr_int(a, T_I64, v), NULL);
    return linear_add(s, &whole, by) && (left.n == 0 || (is_divided(q) && add_one(s, q, by)));
}

// Quotients, the lesser and the greater of sums, in one spelling.
static bool add_atom(Arena *a, Linear *s, Expr *x, int64_t by) {
    Linear in[2] = {0};
    bool pair = is_choice(x);
    if (x->kind == E_SYM) return type_is_int(x->type) && add_one(s, x, by);
    if (!pair && !is_divided(x)) return !expr_any(x, varies) && add_one(s, x, by);
    int first = is_op(x, OP_SELECT);
    for (int i = 0; i < 1 + pair; i++)
        if (!add(a, &in[i], x->args[first + i], 1)) return false;
    if (pair) {
        Expr *p = linear_expr(a, T_I64, &in[0]), *q = linear_expr(a, T_I64, &in[1]);
        x = expr_op(a, x->op, first ? x->args[0] : p, first ? p : q, first ? q : NULL);
        return is_choice(x) && add_one(s, x, by);
    }
    int64_t v = x->args[1]->i;
    if (x->op == OP_FDIV) return add_quotient(a, s, &in[0], v, by);
    return linear_add(s, &in[0], by) && add_quotient(a, s, &in[0], v, -by * v);
}

// Only what isl knows a value of.
static bool add(Arena *a, Linear *s, Expr *x, int64_t by) {
    Linear t;
    if (!linear_of(x, &t) || !is_small(&t)) return false;
    for (int i = 0; i < t.n; i++)
        if (!add_atom(a, s, t.atom[i], by * t.coef[i]) || !is_small(s)) return false;
    s->c += by * t.c;
    return is_small(s);
}

// x - y - less
static bool difference(Arena *a, Expr *x, Expr *y, int64_t less, Linear *out) {
    *out = (Linear){.c = -less};
    return !expr_any(x, may_wrap) && !expr_any(y, may_wrap) && add(a, out, x, 1) && add(a, out, y, -1);
}

static bool compares(const Expr *x) { return x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE; }

// A comparison, or its contrary, as sums that are all at least zero then; how many, 0: it can't be said so.
static int sums_of(Arena *a, const Expr *x, bool holds, Linear out[2]) {
    static const Op contrary[] = {[OP_LT] = OP_GE, [OP_LE] = OP_GT, [OP_GT] = OP_LE,
                                  [OP_GE] = OP_LT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
    Expr *p = x->args[0], *q = x->args[1];
    switch (holds ? x->op : contrary[x->op]) {
    case OP_LT: return difference(a, q, p, 1, out);
    case OP_LE: return difference(a, q, p, 0, out);
    case OP_GT: return difference(a, p, q, 1, out);
    case OP_GE: return difference(a, p, q, 0, out);
    case OP_EQ: return difference(a, p, q, 0, out) && difference(a, q, p, 0, out + 1) ? 2 : 0;
    default: return 0;
    }
}

// One quotient in it: q + rest >= 0 where x + v*rest >= 0, and rest - q >= 0 where v*rest + v - 1 - x >= 0.
static bool without_quotient(const Linear *s, int i, Linear *out) {
    Linear x;
    bool up = s->coef[i] > 0;
    if (!is_divided(s->atom[i]) || (s->coef[i] != 1 && s->coef[i] != -1)) return false;
    int64_t v = s->atom[i]->args[1]->i;
    *out = (Linear){.c = up ? 0 : v - 1};
    return linear_add(out, &(Linear){.n = 1, .atom = {s->atom[i]}, .coef = {1}}, up ? -v : v) &&
           linear_add(out, s, v) && linear_of(s->atom[i]->args[0], &x) && linear_add(out, &x, up ? 1 : -1) &&
           is_small(out);
}

// ---- what a place tells ----------------------------------------------------------------------------
static void add_fact(Arena *a, Ground *g, const Linear *s) {
    Linear t;
    vec_push(a, &g->sums, *s);
    for (int i = 0; i < s->n; i++)
        if (without_quotient(s, i, &t)) add_fact(a, g, &t);
}

static void tell(Arena *a, Ground *g, const Expr *x, bool holds) {
    Linear s[2];
    if (is_op(x, OP_LNOT)) return tell(a, g, x->args[0], !holds);
    if (is_op(x, holds ? OP_LAND : OP_LOR))
        return tell(a, g, x->args[0], holds), tell(a, g, x->args[1], holds);
    int n = compares(x) ? sums_of(a, x, holds, s) : 0;
    for (int i = 0; i < n; i++) add_fact(a, g, &s[i]);
}

static void tell_all(Arena *a, Ground *g) {
    const Node *loop = g->loop;
    Linear s;
    if (g->told) return;
    g->told = true;
    if (g->kind != ENTERED) return tell(a, g, g->cond, g->kind == TRUE_HERE);
    bool up = loop->step > 0;
    Expr *i = expr_sym(a, loop->iter), *least = up ? loop->lo : loop->hi, *most = up ? loop->hi : loop->lo;
    if (difference(a, i, least, !up, &s)) add_fact(a, g, &s);
    if (difference(a, most, i, up, &s)) add_fact(a, g, &s);
    if (difference(a, most, least, 1, &s)) add_fact(a, g, &s);
}

// ---- steps -------------------------------------------------------------------------------------------
typedef struct Used {
    const Linear *sum;
    const struct Used *before;
} Used;
typedef struct Search {
    Arena *a;
    Ground *at;
    int steps;
} Search;

// Atoms lie as their symbols were met; a quotient behind what is in it.
static int rank(const Ground *g, const Expr *root) {
    int most = -1;
    expr_each(x, root) {
        int i = x->kind == E_SYM ? g->named.n - 1 : -1;
        while (i > most && g->named.at[i] != x->sym) i--;
        most = i > most ? i : most;
    }
    return 2 * most + (root->kind != E_SYM);
}

static int64_t common(int64_t x, int64_t y) {
    while (y) {
        int64_t r = x % y;
        x = y, y = r;
    }
    return x < 0 ? -x : x;
}

// By the greatest number that divides all factors: sums of whole numbers stay as they are.
static void shorten(Linear *s) {
    int64_t d = 0;
    for (int i = 0; i < s->n; i++) d = common(d, s->coef[i]);
    if (d <= 1) return;
    for (int i = 0; i < s->n; i++) s->coef[i] /= d;
    s->c = s->c / d - (s->c % d < 0);
}

static bool proves(Search *k, const Linear *s, const Used *used, int depth);
static bool follows(Search *k, const Expr *x, bool holds, const Used *used, int depth);

// f is at least zero and has so much of an atom of which s has `by`: what is left without it.
static bool less(Search *k, const Linear *s, int64_t by, const Linear *f, int64_t has, const Used *used,
                 int depth) {
    Linear rest = {0};
    int64_t d = common(by, has), p = (has < 0 ? -has : has) / d, q = (by < 0 ? -by : by) / d;
    if (!linear_add(&rest, s, p) || !linear_add(&rest, f, -q) || !is_small(&rest)) return false;
    return proves(k, &rest, used, depth);
}

// The atom of number i is x.
static bool as(Search *k, const Linear *s, int i, Expr *x, const Used *used, int depth) {
    Linear to = *s, t;
    int64_t by = s->coef[i];
    to.n--;
    for (int j = i; j < to.n; j++) to.atom[j] = to.atom[j + 1], to.coef[j] = to.coef[j + 1];
    return linear_of(x, &t) && linear_add(&to, &t, by) && is_small(&to) && proves(k, &to, used, depth);
}

static bool by_choice(Search *k, const Linear *s, int i, const Used *used, int depth) {
    Expr *x = s->atom[i];
    if (x->op == OP_SELECT) {
        bool yes = as(k, s, i, x->args[1], used, depth);
        if (yes && follows(k, x->args[0], true, used, depth)) return true;
        return (yes || follows(k, x->args[0], false, used, depth)) && as(k, s, i, x->args[2], used, depth);
    }
    bool both = (x->op == OP_MIN) == (s->coef[i] > 0), first = as(k, s, i, x->args[0], used, depth);
    return first != both ? first : as(k, s, i, x->args[1], used, depth);
}

// v*q <= x <= v*q + v - 1
static bool by_quotient(Search *k, const Linear *s, int i, const Used *used, int depth) {
    int64_t v = s->atom[i]->args[1]->i, by = s->coef[i] < 0 ? -1 : 1;
    Linear x, f = {.n = 1, .atom = {s->atom[i]}, .coef = {by * v}, .c = by < 0 ? 0 : v - 1};
    if (without_quotient(s, i, &x)) return proves(k, &x, used, depth);
    return linear_of(s->atom[i]->args[0], &x) && linear_add(&f, &x, -by) &&
           less(k, s, s->coef[i], &f, f.coef[0], used, depth);
}

static int64_t factor(const Linear *s, const Expr *atom) {
    for (int i = 0; i < s->n; i++)
        if (expr_equal(s->atom[i], atom)) return s->coef[i];
    return 0;
}

// By what the places on the way tell of the atom: those of its own loop, or the others.
static bool by_places(Search *k, const Linear *s, int at, bool own, const Used *used, int depth) {
    const Expr *x = s->atom[at];
    for (Ground *g = k->at; g->from; g = g->from) {
        if ((g->kind == ENTERED && x->kind == E_SYM && g->loop->iter == x->sym) != own) continue;
        tell_all(k->a, g);
        for (int i = 0; i < g->sums.n; i++) {
            const Linear *f = &g->sums.at[i];
            int64_t has = factor(f, x);
            bool again = has == 0 || (has > 0) != (s->coef[at] > 0);
            for (const Used *u = used; u && !again; u = u->before) again = u->sum == f;
            if (!again && less(k, s, s->coef[at], f, has, &(Used){f, used}, depth)) return true;
        }
    }
    return false;
}

// Is the sum at least zero? False: it may be all the same.
static bool proves(Search *k, const Linear *sum, const Used *used, int depth) {
    Linear s = *sum;
    if (s.n == 0) return s.c >= 0;
    if (depth > DEPTH || k->steps++ > STEPS) return false;
    shorten(&s);
    int last = 0, most = -1;
    for (int i = 0; i < s.n; i++) {
        int r = rank(k->at, s.atom[i]);
        if (r >= most) last = i, most = r;
    }
    if (is_choice(s.atom[last])) return by_choice(k, &s, last, used, depth + 1);
    if (is_divided(s.atom[last]) && by_quotient(k, &s, last, used, depth + 1)) return true;
    return by_places(k, &s, last, true, used, depth + 1) || by_places(k, &s, last, false, used, depth + 1);
}

static bool follows(Search *k, const Expr *x, bool holds, const Used *used, int depth) {
    Linear s[2];
    if (is_op(x, OP_LNOT)) return follows(k, x->args[0], !holds, used, depth);
    if (is_op(x, OP_LAND) || is_op(x, OP_LOR)) {
        bool first = follows(k, x->args[0], holds, used, depth), both = (x->op == OP_LAND) == holds;
        return first != both ? first : follows(k, x->args[1], holds, used, depth);
    }
    int n = compares(x) ? sums_of(k->a, x, holds, s) : 0;
    for (int i = 0; i < n; i++)
        if (!proves(k, &s[i], used, depth)) return false;
    return n > 0;
}

bool ground_proves(Arena *a, Ground *g, const Expr *x, bool holds) {
    return follows(&(Search){a, g, 0}, x, holds, NULL, 0);
}
