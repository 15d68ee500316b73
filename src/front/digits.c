// SPDX-License-Identifier: MIT
// digits.c -- a loop whose counter a division and a remainder take apart is a loop in a loop.
//
//   for (k = 0; k < n * m; k++)               for (i = 0; i < n; i++)
//       b[k % m][k / m] = a[k];          →        for (j = 0; j < m; j++)
//                                                     b[j][i] = a[i * m + j];
//
// The same iterations in the same order. By a number such subscripts are affine as they stand; by a parameter
// nothing could tell them apart. Of several divisors the one that divides all others comes first, and the
// outer loop is taken apart once more: k / (n * m), k / m % n, k % m. Where n and m are both below 0 the
// product is not, and the new loops would have no iteration: such sizes are the program's (Sym.exactly).
// Of a loop up to `total` the host finds out whether m divides it; where it does not, the loop stays there.
#include "front/accept.h"
#include "front/normal.h"

typedef struct Digits {
    Normal *m;
    Sums k;
    bool some;
    VEC(Sum *) by;         // what the counter of `loop` is divided by
    bool asked;            // the digits have to be affine
    const Node *loop;
    const Sym *outer, *inner;
    Sum *unit;             // how many of the inner iterations make one of the outer
} Digits;

// ---- what a loop is divided by ---------------------------------------------------------------------------
static bool divides(const Expr *x) { return x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD); }

// What is never below 0 keeps its value in an unsigned type of the same size.
static Sum *sum_of_digits(Digits *g, const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type) &&
           type_size(x->type) >= type_size(x->args[0]->type))
        x = x->args[0];
    return type_is_int(x->type) ? sum_of(&g->k, x) : NULL;
}

static bool is_counter(Digits *g, const Expr *x, const Sym *s) {
    const Sum *sum = sum_of_digits(g, x);
    const Expr *atom = sum && sum->n == 1 && sum->t[0].n == 1 && sum->t[0].c == 1
                           ? g->k.atoms.at[sum->t[0].f[0]] : NULL;
    return atom && atom->kind == E_SYM && atom->sym == s;
}

// The divisor where x divides the loop's counter; NULL: it does not.
static Sum *divisor(Digits *g, const Expr *x) {
    if (!divides(x) || !is_counter(g, x->args[0], g->loop->iter) || expr_varies(x->args[1])) return NULL;
    return sum_of(&g->k, x->args[1]);
}

// Is the digit asked for where it has to be affine: an element that is written, a condition, a bound?
static bool is_asked(Digits *g, const Node *n) {
    const Expr *one[] = {n->kind == N_IF ? n->cond : NULL, n->kind == N_FOR ? n->lo : NULL,
                         n->kind == N_FOR ? n->hi : NULL};
    const Stmt *s = n->kind == N_STMT && n->stmt->lhs->rank ? n->stmt : NULL;
    for (int k = 0; k < 3 + (s ? s->lhs->rank : 0); k++) {
        const Expr *root = k < 3 ? one[k] : s->sub[k - 3];
        if (!root) continue;
        expr_each(x, root)
            if (divisor(g, x)) return true;
    }
    return false;
}

// Collects what divides the counter below n. Worth it where the digits are asked for, or both: then what is
// read has rows of its own.
static bool find_divisors(Digits *g, Node *body) {
    bool div = false, mod = false, parameter = false;
    int64_t c;
    g->by.n = 0;
    g->asked = false;
    node_each(n, body) {
        g->asked = g->asked || is_asked(g, n);
        node_each_expr(x, n) {
            Sum *by = divisor(g, x);
            if (!by) continue;
            parameter |= !sum_is_const(by, &c);
            *(x->op == OP_DIV ? &div : &mod) = true;
            vec_push(g->m->a, &g->by, by);
        }
    }
    return parameter && (g->asked || (div && mod));
}

// x / y where nothing is left; NULL: something is.
static Sum *whole(Digits *g, const Sum *x, const Sum *y) {
    Sum *rest, *q = x && y ? sum_div(&g->k, x, y, &rest) : NULL;
    return q && !rest->n ? q : NULL;
}

// The divisor that divides all others; NULL: none does.
static Sum *least(Digits *g) {
    for (int i = 0; i < g->by.n; i++) {
        int k = 0;
        while (k < g->by.n && whole(g, g->by.at[k], g->by.at[i])) k++;
        if (k == g->by.n) return g->by.at[i];
    }
    return NULL;
}

// ---- the digits in place of the counter ------------------------------------------------------------------
// What is never below 0: the outer counter, or a remainder of it.
static bool is_digit(const Digits *g, const Sum *s) {
    const Expr *x = s->n == 1 && s->t[0].n == 1 && s->t[0].c == 1 ? g->k.atoms.at[s->t[0].f[0]] : NULL;
    while (x && (x->kind == E_CAST || (x->kind == E_OP && x->op == OP_MOD))) x = x->args[0];
    return x && x->kind == E_SYM && x->sym == g->outer;
}

static Expr *digit(Rebuild *b, Expr *x) {
    Digits *g = b->self;
    Arena *a = b->a;
    Expr *i = expr_sym(a, g->outer), *j = expr_sym(a, g->inner);
    if (x->kind == E_SYM && x->sym == g->loop->iter) {
        Sum *all = sum_add(&g->k, sum_mul(&g->k, sum_of(&g->k, i), g->unit), sum_of(&g->k, j), 1);
        return expr_cast(a, x->type, sum_expr(&g->k, all, i->type));
    }
    if (!divides(x) || expr_varies(x->args[1])) return x;
    Sum *of = sum_of_digits(g, x->args[0]), *low = sum_of(&g->k, j);
    Sum *high = of ? whole(g, sum_add(&g->k, of, low, -1), g->unit) : NULL,
        *by = high && is_digit(g, high) ? whole(g, sum_of(&g->k, x->args[1]), g->unit) : NULL;
    if (!by) return x;
    Type t = x->type == T_I32 && i->type == T_I32 ? T_I32 : T_I64;
    Expr *q = sum_expr(&g->k, high, t), *more = sum_expr(&g->k, by, t);
    if (expr_is_int(more, 1)) return expr_cast(a, x->type, x->op == OP_DIV ? q : j);
    q = expr_op(a, x->op, q, more, NULL);
    if (x->op == OP_DIV) return expr_cast(a, x->type, q);
    Sum *left = sum_add(&g->k, sum_mul(&g->k, sum_of(&g->k, q), g->unit), low, 1);
    return left ? expr_cast(a, x->type, sum_expr(&g->k, left, t)) : x;
}

static const Sym *new_counter(Digits *g, Type t, const char *said, bool exactly) {
    Sym *s = NEW_AS(g->m->a, Sym, *g->loop->iter);
    s->name = name_new(g->m, s->name);
    s->said = said;
    s->type = t;
    s->counted = exactly ? t : T_NONE;
    s->exactly = exactly;
    return s;
}

// How often the outer loop runs; NULL: that can't be told, or asking the host for it would gain nothing.
static Expr *outer_trips(Digits *g, const Node *n, const char *by) {
    Type t = n->iter->type;
    Sum *trips = whole(g, sum_of(&g->k, n->hi), g->unit);
    if (trips && !g->k.wraps) return sum_expr(&g->k, trips, t);
    const char *all = accept_source(g->m->a, n->hi);
    if (!all || !g->asked || mark_vouches(n->mark)) return NULL;
    const char *name = arena_printf(g->m->a, "%s_rows", n->iter->name);
    return (Expr *)host_quotient(g->m, &g->k, t, all, by, -1, name);
}

static Node *taken_apart(Digits *g, const Node *n) {
    Arena *a = g->m->a;
    bool plain = n->kind == N_FOR && n->step == 1 && !loop_is_unbounded(n) && !loop_while(n) &&
                 type_is_signed(n->iter->type) && (n->iter->counted == T_NONE || n->iter->exactly);
    if (!plain || !expr_is_int(n->lo, 0) || expr_varies(n->hi)) return NULL;
    g->loop = n;
    g->k.wraps = false;
    g->unit = find_divisors(g, n->body) ? least(g) : NULL;
    if (!g->unit || g->k.wraps) return NULL;
    Type t = n->iter->type;
    Expr *width = sum_expr(&g->k, g->unit, t);
    Sum *same = whole(g, sum_of(&g->k, width), g->unit); // in the counter's type, too?
    if (!same || !sum_is_const(same, &(int64_t){0})) return NULL;
    const char *old = n->iter->said ? n->iter->said : n->iter->name, *by = accept_source(a, width);
    Expr *trips = by ? outer_trips(g, n, by) : NULL;
    if (!trips) return NULL;
    bool twice = n->iter->exactly;
    g->outer = new_counter(g, t, arena_printf(a, "%s / %s", old, by), true);
    g->inner = new_counter(g, t, arena_printf(a, "%s %% %s", old, by), twice);
    Rebuild b = {.a = a, .expr = digit, .self = g};
    Node *in = node_clone(a, n), *out = node_clone(a, n);
    in->iter = g->inner, in->hi = width, in->body = rebuild_node(&b, n->body);
    out->iter = g->outer, out->hi = trips, out->body = node_seq(a, 1, &in);
    return out;
}

static Node *digits(Rebuild *b, Node *n) {
    Digits *g = b->self;
    for (Node *next; (next = taken_apart(g, n)); g->some = true) n = next;
    return n;
}

Region *pass_digits(Normal *m, Region *r) {
    if (m->c->wraps || m->c->traps) return r; // a product that overflows has a value, or is told
    Digits g = {.m = m, .k = {.a = m->a}};
    Rebuild b = {.a = m->a, .node = digits, .self = &g};
    Node *root = rebuild_node(&b, r->root);
    return g.some ? region_with(m, r, root) : r;
}
