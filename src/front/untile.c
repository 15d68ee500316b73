// SPDX-License-Identifier: MIT
// untile.c -- loops over tiles, and over what lies in a tile, become loops over all of it.
//
//   for (ii = 0; ii < n; ii += 64)                            for (i = 0; i < n; i++)
//       for (jj = 0; jj < n; jj += 64)                            for (j = 0; j < n; j++)
//           for (i = ii; i < min(ii + 64, n); i++)       →            S(i, j)
//               for (j = jj; j < min(jj + 64, n); j++)
//                   S(i, j)
//
// Tiles that suit one machine's cache are in the way on another. The loop over tiles goes, the one inside of
// a tile runs from the first tile to the last: the same iterations. They come in another order, unless the
// two loops stand directly in each other. That is right where each element that the loops write
//   - is told apart by the counter that changes, so that iterations which share it stay as they are, or
//   - is told apart by the counters of all loops that stand between the two, or
//   - is only updated, in an order that is free.
// One loop over tiles is taken at a time, from the inside out.
#include "front/normal.h"
#include "ir/value.h"

enum { DEEPEST = 16, STEPS = 4 }; // loops in each other; counters that are put at their ends, in turn

typedef VEC(Sum *) SumVec;

typedef struct Untile {
    Normal *m;
    const Region *r;
    bool some;               // loops were joined
    Sums k;
    int n;
    Node *loop[DEEPEST];     // the loop over tiles, and those that stand in it, one in the other
    Node *body[DEEPEST];     // of each, behind conditions that are ends of loops now
    int sunk;                // from this one on they stand so where a sum is added up in its element, or…
    Node *begin;             // …behind what the first tile alone begins with; NULL: nothing
    Sum *first, *width;      // where the first tile begins, and how long each is
    SumVec tiles;            // the tiles go up to the least of these, or a little further
    bool plain;              // they count from one end of the loop to the other
} Untile;

static Sum *sum_one(Untile *u, int64_t by) { return sum_int(&u->k, by); }
static Sum *plus(Untile *u, const Sum *x, const Sum *y) { return sum_add(&u->k, x, y, 1); }
static Sum *minus(Untile *u, const Sum *x, const Sum *y) { return sum_add(&u->k, x, y, -1); }
static Sum *of_sym(Untile *u, const Sym *s) { return sum_atom(&u->k, expr_sym(u->m->a, s)); }

static bool is_zero(const Sum *x) { return x && !x->n; }

static bool is_positive(const Sum *x) {
    int64_t v;
    return x && sum_is_const(x, &v) && v > 0;
}

static bool uses(Untile *u, const Sum *x, const Sym *s) {
    for (int t = 0; t < x->n; t++)
        for (int f = 0; f < x->t[t].n; f++)
            if (expr_uses_sym(u->k.atoms.at[x->t[t].f[f]], s)) return true;
    return false;
}

// x as coef * s + rest, neither of which has s in it.
static bool parted(Untile *u, const Sum *x, const Sym *s, Sum **coef, Sum **rest) {
    *coef = sum_div(&u->k, x, of_sym(u, s), rest);
    return *coef && !uses(u, *coef, s) && !uses(u, *rest, s);
}

// ---- the ends of loops ------------------------------------------------------------------------------
// x and y of min(x, y), also of x < y ? x : y.
static bool is_least(const Expr *x, Op op, Expr **one, Expr **other) {
    if (x->kind != E_OP || (x->op != op && x->op != OP_SELECT)) return false;
    *one = x->args[x->op == op ? 0 : 1];
    *other = x->args[x->op == op ? 1 : 2];
    if (x->op == op) return true;
    const Expr *c = x->args[0];
    if (c->kind != E_OP) return false;
    bool less = c->op == OP_LT || c->op == OP_LE, more = c->op == OP_GT || c->op == OP_GE;
    bool same = expr_equal(c->args[0], *one) && expr_equal(c->args[1], *other);
    bool turned = (less || more) && expr_equal(c->args[0], *other) && expr_equal(c->args[1], *one);
    return (less == (op == OP_MIN) && (less || more) && same) ||
           (more == (op == OP_MIN) && (less || more) && turned);
}

// 32-bit unsigned arithmetic that may wrap around: all but a counter and a number.
static bool may_wrap(const Expr *x) {
    expr_each(e, x) {
        int64_t v;
        if (e->kind != E_OP || e->type != T_U32) continue;
        const Expr *i = e->args[0];
        bool counter = i->kind == E_CAST && i->args[0]->kind == E_SYM && i->args[0]->type == T_I32;
        bool few = is_literal_int(e->args[1], &v) && v >= 0 && v <= INT32_MAX;
        if (e->op != OP_ADD || !counter || !few) return true;
        each_prune();
    }
    return false;
}

// The operands of the least (op) or the greatest. Their casts to the counter's type change nothing: values
// that leave their types are not for a device (run/narrow.c).
static bool add_ends(Untile *u, const Expr *x, Op op, SumVec *out) {
    Expr *one, *other;
    const Expr *inner = x;
    while (inner->kind == E_CAST && type_is_int(inner->args[0]->type) && type_size(inner->type) >= 4)
        inner = inner->args[0];
    if (is_least(inner, op, &one, &other)) return add_ends(u, one, op, out) && add_ends(u, other, op, out);
    Sum *s = expr_has_load(x) || may_wrap(x) ? NULL : sum_of(&u->k, x);
    vec_push(u->m->a, out, s);
    return s != NULL;
}

static bool has_plain_ends(const Node *n) {
    return n->kind == N_FOR && !loop_is_unbounded(n) && !loop_while(n) && n->iter->counted == T_NONE &&
           type_is_signed(n->iter->type) && !expr_has_load(n->lo) && !expr_has_load(n->hi);
}

// Certainly x <= y, wherever the loops run?
static bool at_most(Untile *u, const Sum *x, const Sum *y, int steps);

// Is coef * counter + rest at least 0, as the loop's ends tell?
static bool holds_at_end(Untile *u, const Sum *coef, const Sum *rest, const Node *n, int steps) {
    SumVec ends = {0};
    int64_t c;
    if (!sum_is_const(coef, &c) || !c) return false;
    if (!add_ends(u, c > 0 ? n->lo : n->hi, c > 0 ? OP_MAX : OP_MIN, &ends)) return false;
    for (int k = 0; k < ends.n; k++) {
        Sum *end = c > 0 ? ends.at[k] : minus(u, ends.at[k], sum_one(u, 1));
        Sum *with = plus(u, rest, sum_mul(&u->k, coef, end));
        if (with && at_most(u, sum_one(u, 0), with, steps - 1)) return true;
    }
    return false;
}

// b * (x / b) is more than x - b.
static bool holds_of_quotients(Untile *u, const Sum *d, int steps) {
    for (int t = 0; t < d->n; t++) {
        const Expr *q = d->t[t].n == 1 ? u->k.atoms.at[d->t[t].f[0]] : NULL;
        int64_t by;
        if (!q || q->kind != E_OP || q->op != OP_DIV || !is_literal_int(q->args[1], &by) || by < 1) continue;
        if (d->t[t].c < 0 || d->t[t].c % by) continue;
        Sum *x = sum_of(&u->k, q->args[0]), one = {1, &d->t[t]};
        Sum *least = x ? minus(u, x, sum_one(u, by - 1)) : NULL;
        Sum *with = least ? sum_add(&u->k, minus(u, d, &one), least, d->t[t].c / by) : NULL;
        return with && at_most(u, sum_one(u, 0), with, steps - 1);
    }
    return false;
}

static bool at_most(Untile *u, const Sum *x, const Sum *y, int steps) {
    Sum *d = minus(u, y, x), *coef, *rest;
    int64_t v;
    if (!d || steps < 0) return false;
    if (sum_is_const(d, &v)) return v >= 0;
    for (int k = 0; k < u->n; k++) {
        const Node *n = u->loop[k];
        if (uses(u, d, n->iter) && parted(u, d, n->iter, &coef, &rest) &&
            holds_at_end(u, coef, rest, n, steps))
            return true;
    }
    node_each(n, u->r->root) { // those around are as they were
        bool around = n->kind == N_FOR && uses(u, d, n->iter) && has_plain_ends(n) && n->step > 0;
        for (int k = 0; around && k < u->n; k++) around = u->loop[k]->iter != n->iter;
        if (around && parted(u, d, n->iter, &coef, &rest) && holds_at_end(u, coef, rest, n, steps))
            return true;
    }
    return holds_of_quotients(u, d, steps);
}

// ---- the tiles --------------------------------------------------------------------------------------
// 0 < n ? (n - 1) / by + 1 : 0, tiles of `by` from lo up to hi: what accept_loop makes of steps by a
// parameter, which are positive where the loop runs.
static bool is_stepped(Untile *u, const Expr *x, const Expr **lo, const Expr **hi, Sum **by) {
    int64_t one;
    if (x->kind != E_OP || x->op != OP_SELECT || !expr_is_int(x->args[2], 0)) return false;
    const Expr *runs = x->args[0], *trips = x->args[1];
    if (runs->kind != E_OP || runs->op != OP_LT || trips->kind != E_OP || trips->op != OP_ADD) return false;
    const Expr *q = trips->args[0];
    if (!is_literal_int(trips->args[1], &one) || one != 1 || q->kind != E_OP || q->op != OP_DIV) return false;
    *lo = runs->args[0];
    *hi = runs->args[1];
    *by = sum_of(&u->k, q->args[1]);
    Sum *span = sum_of(&u->k, q->args[0]), *from = sum_of(&u->k, *lo), *to = sum_of(&u->k, *hi);
    Sum *d = span && from && to && *by ? minus(u, span, minus(u, minus(u, to, from), sum_one(u, 1))) : NULL;
    return is_zero(d);
}

// A number that all values of the expression are multiples of: of a counter, that of where it begins and of
// its step. 1: nothing is known.
static int64_t multiple_of(Untile *u, const Expr *x) {
    int64_t lo;
    node_each(n, u->r->root)
        if (n->kind == N_FOR && x->kind == E_SYM && n->iter == x->sym && is_literal_int(n->lo, &lo))
            return value_gcd(n->step, lo);
    return 1;
}

// Is it a whole number of tiles up to x, but for a number? Then the rest of the last one with it.
static Sum *whole_tiles(Untile *u, Sum *x) {
    Sum *d = minus(u, x, u->first);
    int64_t w, c = d ? sum_constant(d) : 0;
    if (!d || !sum_is_const(u->width, &w)) return NULL;
    for (int t = 0; t < d->n; t++) {
        int64_t by = d->t[t].c;
        for (int f = 0; f < d->t[t].n; f++) by *= multiple_of(u, u->k.atoms.at[d->t[t].f[f]]);
        if (d->t[t].n && by % w) return NULL;
    }
    return plus(u, x, sum_one(u, ((c % w) + w) % w ? w - ((c % w) + w) % w : 0));
}

// Tiles begin at coef * t + rest, where t counts them, or goes along with them.
static bool find_tiles(Untile *u, Sum *coef, Sum *rest) {
    const Node *t = u->loop[0];
    const Expr *lo, *hi;
    Sum *by, *from = sum_of(&u->k, t->lo);
    SumVec ends = {0};
    u->tiles.n = 0;
    u->plain = false;
    u->width = sum_mul(&u->k, coef, sum_one(u, t->step));
    u->first = from ? plus(u, rest, sum_mul(&u->k, coef, from)) : NULL;
    if (!u->width || !u->first) return false;
    if (t->step == 1 && is_stepped(u, t->hi, &lo, &hi, &by) && is_zero(from)) {
        Sum *begin = sum_of(&u->k, lo);
        return is_zero(minus(u, by, u->width)) && begin && is_zero(minus(u, begin, u->first)) &&
               add_ends(u, hi, OP_MIN, &u->tiles);
    }
    if (!is_positive(u->width) || !add_ends(u, t->hi, OP_MIN, &ends)) return false;
    for (int k = 0; k < ends.n; k++) {
        Sum *end = plus(u, u->first, sum_mul(&u->k, coef, minus(u, ends.at[k], from)));
        Sum *whole = end ? whole_tiles(u, end) : NULL;
        if (!end) return false;
        vec_push(u->m->a, &u->tiles, whole ? whole : end);
    }
    u->plain = true;
    return true;
}

// Where the tiles end that go up to `to`, all of them whole; NULL: it can't be told.
static Sum *end_of_whole(Untile *u, Sum *to) {
    const Node *t = u->loop[0];
    int64_t w;
    Sum *d = minus(u, to, u->first), *whole = whole_tiles(u, to);
    if (!u->plain || !d || !sum_is_const(u->width, &w)) return NULL;
    if (whole) return whole;
    Type type = t->iter->type;
    Expr *up = sum_expr(&u->k, plus(u, d, sum_one(u, w - 1)), type);
    Expr *count = expr_op(u->m->a, OP_DIV, up, expr_int(u->m->a, type, w), NULL);
    return plus(u, u->first, sum_mul(&u->k, u->width, sum_atom(&u->k, count)));
}

static Expr *least_of(Untile *u, Op op, const SumVec *v, Type t) {
    Expr *x = NULL;
    for (int k = 0; k < v->n; k++) {
        Expr *y = v->at[k] ? sum_expr(&u->k, v->at[k], t) : NULL;
        if (!y) return NULL;
        x = x ? expr_op(u->m->a, op, x, y, NULL) : y;
    }
    return x;
}

// The ends of the joined loop: lo and hi are those in a tile, of which one is the tile's own.
static bool joined_ends(Untile *u, SumVec *lo, SumVec *hi, int p, Expr **from, Expr **to) {
    Type type = u->loop[p]->iter->type;
    SumVec least = {0}, most = {0};
    Sum *start = NULL, *coef, *rest;
    for (int k = 0; k < lo->n; k++) {
        if (!uses(u, lo->at[k], u->loop[0]->iter)) vec_push(u->m->a, &least, lo->at[k]);
        else if (start) return false;
        else start = lo->at[k];
    }
    if (!start || !parted(u, start, u->loop[0]->iter, &coef, &rest)) return false;
    if (!find_tiles(u, coef, rest)) return false;
    bool behind = false, whole = false;
    for (int k = 0; k < least.n; k++) behind |= at_most(u, u->first, least.at[k], STEPS);
    if (!behind) vec_push(u->m->a, &least, u->first);
    for (int k = 0; k < hi->n; k++) {
        if (!uses(u, hi->at[k], u->loop[0]->iter)) vec_push(u->m->a, &most, hi->at[k]);
        else if (!is_zero(minus(u, minus(u, hi->at[k], start), u->width))) return false;
        else whole = true;
    }
    int own = most.n;
    for (int k = 0; whole && k < u->tiles.n; k++) {
        bool beyond = false;
        for (int j = 0; j < own; j++) beyond |= at_most(u, most.at[j], u->tiles.at[k], STEPS);
        if (beyond) continue;
        Sum *end = end_of_whole(u, u->tiles.at[k]);
        if (!end) return false;
        vec_push(u->m->a, &most, end);
    }
    *from = least_of(u, OP_MAX, &least, type);
    *to = least_of(u, OP_MIN, &most, type);
    return whole && *from && *to;
}

// ---- what the loops touch ---------------------------------------------------------------------------
static bool declares(const Node *tree, const Array *v) {
    node_each(n, tree)
        for (int k = 0; n->kind == N_SEQ && k < n->nlocals; k++)
            if (n->locals[k] == v) return true;
    return false;
}

// What of x is fixed while the loops run: no counter of theirs, no load.
static bool is_fixed(Untile *u, Node *tree, const Sum *x) {
    for (int t = 0; t < x->n; t++)
        for (int f = 0; f < x->t[t].n; f++)
            if (expr_has_load(u->k.atoms.at[x->t[t].f[f]])) return false;
    for (int k = 0; k < u->n; k++)
        if (uses(u, x, u->loop[k]->iter)) return false;
    node_each(n, tree)
        if (n->kind == N_FOR && uses(u, x, n->iter)) return false;
    return true;
}

// Do all accesses of v below tree name the same coef * s + rest as subscript d, with a number and something
// fixed? So the counter s tells apart what they touch.
static bool is_told_by(Untile *u, Node *tree, const Array *v, int d, const Sym *s, Sum **coef, Sum **rest) {
    AccessVec all = tree_touches(u->m->a, tree);
    const Expr *sub = NULL;
    int64_t c;
    for (int k = 0; k < all.n; k++) {
        if (!arrays_may_overlap(all.at[k].array, v)) continue;
        if (all.at[k].array != v || (sub && !expr_equal(sub, all.at[k].sub[d]))) return false;
        sub = all.at[k].sub[d];
    }
    Sum *x = sub ? sum_of(&u->k, sub) : NULL;
    return x && parted(u, x, s, coef, rest) && sum_is_const(*coef, &c) && c && is_fixed(u, tree, *rest);
}

static bool touches(Untile *u, Node *tree, const Array *v) {
    AccessVec all = tree_touches(u->m->a, tree);
    for (int k = 0; k < all.n; k++)
        if (arrays_may_overlap(all.at[k].array, v)) return true;
    return false;
}

static bool tells(Untile *u, Node *tree, const Array *v, const Sym *s) {
    Sum *coef, *rest;
    for (int d = 0; d < v->rank; d++)
        if (is_told_by(u, tree, v, d, s, &coef, &rest)) return true;
    return false;
}

// Is v only updated, by one operator, in an order that is free?
static bool is_free(Untile *u, Node *tree, const Array *v, const Mark *mark) {
    Op op = OP_SET;
    node_each(n, tree) {
        bool update = n->kind == N_STMT && n->stmt->op != OP_SET && n->stmt->lhs == v;
        AccessVec all = node_touches(u->m->a, n);
        for (int k = update; k < all.n; k++)
            if (arrays_may_overlap(all.at[k].array, v)) return false;
        if (update && op != OP_SET && op != n->stmt->op) return false;
        if (update) op = n->stmt->op;
    }
    return op != OP_SET && (type_is_int(v->elem) || u->r->reassociate || mark_reduces(mark, v, op));
}

// May loop p, joined, stand where it stands? tree: what is inside of it.
static bool keeps_order(Untile *u, int p, Node *tree) {
    const Mark *mark = u->loop[0]->mark;
    bool vouched = mark_vouches(mark) || mark_vouches(u->loop[p]->mark);
    ArrayVec written = node_written(u->m->a, tree);
    for (int k = 0; k < written.n; k++) {
        const Array *v = written.at[k];
        if (declares(tree, v) || tells(u, tree, v, u->loop[p]->iter) || is_free(u, tree, v, mark)) continue;
        if (vouched) return false;
        for (int j = 1; j < p; j++)
            if (!tells(u, tree, v, u->loop[j]->iter)) return false;
    }
    return true;
}

// ---- what the first tile begins with ----------------------------------------------------------------------
// Is it a condition that only the first tile meets; or (*others) only the others?
static bool asks_first(const Untile *u, const Expr *x, bool *others) {
    const Node *t = u->loop[0];
    int64_t apart;
    if (x->kind != E_OP || (x->op != OP_EQ && x->op != OP_NE && x->op != OP_GT)) return false;
    *others = x->op != OP_EQ;
    return x->args[0]->kind == E_SYM && x->args[0]->sym == t->iter && !expr_has_load(x->args[1]) &&
           expr_difference(u->m->a, x->args[1], t->lo, &apart) && !apart;
}

// { if (t == 0) X; for … }: what stands behind X. NULL: it is another.
static Node *behind_first(Untile *u, const Node *in) {
    const Node *when = in->nkids == 2 && !in->nlocals ? in->kids[0] : NULL;
    bool others;
    if (!when || when->kind != N_IF || when->other) return NULL;
    if (!asks_first(u, when->cond, &others) || others) return NULL;
    u->begin = when->then;
    return in->kids[1]->kind == N_FOR ? in->kids[1] : NULL;
}

// The value of t == 0 ? x : a[e] where a[e] is what the statement sets; NULL: it is another.
static Expr *first_value(const Untile *u, const Stmt *set, const Expr *x) {
    bool others;
    if (x->kind != E_OP || x->op != OP_SELECT || !asks_first(u, x->args[0], &others)) return NULL;
    Expr *value = x->args[others ? 2 : 1], *old = x->args[others ? 1 : 2];
    return stmt_is_own(set, old) && !expr_has_load(value) ? value : NULL;
}

// Are there tiles wherever a loop around the first one's statement has iterations?
static bool has_tiles(Untile *u) {
    const Sum *from = sum_of(&u->k, u->loop[0]->lo), *to = sum_of(&u->k, u->loop[0]->hi);
    for (int k = 1; from && to && k < u->sunk; k++) {
        SumVec lo = {0}, hi = {0};
        if (!add_ends(u, u->loop[k]->lo, OP_MAX, &lo) || !add_ends(u, u->loop[k]->hi, OP_MIN, &hi)) continue;
        for (int i = 0; i < lo.n; i++)
            for (int j = 0; j < hi.n; j++)
                if (is_zero(minus(u, hi.at[j], to)) && at_most(u, from, lo.at[i], STEPS)) return true;
    }
    return false;
}

// What the first tile begins with runs before all of the joined loops. NULL: elements would be set too late.
static Node *begun(Untile *u, Node *joined) {
    Arena *a = u->m->a;
    const Node *t = u->loop[0];
    Node *two[] = {u->begin, joined}, *both = node_seq(a, 2, two), *n = u->begin;
    ArrayVec written = node_written(a, both);
    if (node_uses_sym(n, t->iter)) return NULL;
    for (int k = 0; k < written.n; k++)
        for (int j = 1; j < u->sunk && touches(u, n, written.at[k]); j++)
            if (!tells(u, both, written.at[k], u->loop[j]->iter)) return NULL;
    if (!has_tiles(u)) n = node_if(a, expr_op(a, OP_LT, t->lo, t->hi, NULL), node_seq(a, 1, &n), NULL);
    for (int j = u->sunk - 1; j > 0; j--) {
        Node *loop = node_clone(a, u->loop[j]);
        loop->body = node_seq(a, 1, &n);
        n = loop;
    }
    return seq_join(a, tree_anew(u->m, n, true), joined);
}

// ---- a sum that a local holds -------------------------------------------------------------------------
typedef struct Sink {
    const Array *from; // the local
    const Stmt *to;    // what sets the element that it stands for
} Sink;

static Stmt *sink_stmt(Rebuild *b, Stmt *s) {
    const Sink *k = b->self;
    if (s->lhs != k->from) return s;
    s->lhs = k->to->lhs;
    s->sub = k->to->sub;
    return s;
}

// { s = a[e]; for … s += x; a[e] = s; } is for … a[e] += x, and where the order is free so is
// { s = 0; for … s += x; a[e] += s; }. NULL: seq is another.
static Node *with_sum_in_place(Untile *u, const Node *seq) {
    if (seq->nlocals != 1 || seq->nkids != 3 || seq->kids[1]->kind != N_FOR) return NULL;
    const Array *s = seq->locals[0];
    if (s->rank || seq->kids[0]->kind != N_STMT || seq->kids[2]->kind != N_STMT) return NULL;
    const Stmt *begin = seq->kids[0]->stmt, *end = seq->kids[2]->stmt;
    const Array *v = end->lhs;
    if (begin->lhs != s || begin->op != OP_SET) return NULL;
    if (end->rhs->kind != E_LOAD || end->rhs->array != s) return NULL;
    if (v == s || v->elem != s->elem || end->atomic) return NULL;
    for (int d = 0; d < v->rank; d++)
        if (expr_has_load(end->sub[d])) return NULL;
    bool goes_on = end->op == OP_SET && stmt_is_own(end, begin->rhs);
    bool anew = expr_is_int(begin->rhs, 0) || (begin->rhs->kind == E_FLOAT && begin->rhs->f == 0);
    bool joins = end->op == OP_ADD && anew && (type_is_int(v->elem) || u->r->reassociate);
    Expr *first = end->op == OP_SET ? first_value(u, end, begin->rhs) : NULL;
    if (!goes_on && !joins && !first) return NULL;
    node_each(n, seq->kids[1]) {
        if (n->kind == N_STMT && (n->stmt->lhs != s || n->stmt->op == OP_SET)) return NULL;
        if (n->kind == N_STMT && joins && n->stmt->op != OP_ADD) return NULL;
        AccessVec all = node_touches(u->m->a, n);
        for (int k = n->kind == N_STMT; k < all.n; k++)
            if (all.at[k].array == s || arrays_may_overlap(all.at[k].array, v)) return NULL;
    }
    if (first) {
        Stmt *set = NEW_AS(u->m->a, Stmt, *end);
        set->rhs = first;
        u->begin = stmt_leaf(u->m->a, set);
    }
    Sink k = {s, end};
    Rebuild b = {.a = u->m->a, .stmt = sink_stmt, .self = &k};
    return rebuild_node(&b, seq->kids[1]);
}

// ---- joining ------------------------------------------------------------------------------------------
// A counter that begins at 0 in each tile counts on from where the tile begins.
typedef struct Shift {
    Untile *u;
    const Sym *from, *tile;
    Expr *back; // the counter as it was
} Shift;

static Expr *shifted(Rebuild *b, Expr *x) {
    const Shift *s = b->self;
    if (x->kind == E_SYM && x->sym == s->from) return s->back;
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL || x->op == OP_SHL);
    if (!sum || !type_is_int(x->type) || !expr_uses_sym(x, s->tile)) return x;
    Sum *plain = may_wrap(x) ? NULL : sum_of(&s->u->k, x);
    return plain ? sum_expr(&s->u->k, plain, x->type) : x;
}

// How far the tile's beginning is from 0, where loop p counts from the tile's beginning; hi: the tile's end
// there.
static Sum *tile_start(Untile *u, const Sum *lo, const Sum *hi) {
    const Node *t = u->loop[0];
    Sum *width = minus(u, hi, lo), *at = of_sym(u, t->iter);
    int64_t w;
    if (!width || uses(u, width, t->iter)) return NULL;
    if (t->step == 1) return sum_mul(&u->k, width, at);
    return sum_is_const(width, &w) && w == t->step ? at : NULL;
}

// The loops that stand in the one over tiles, with loop p joined; NULL: that can't be, or need not.
static Node *with_joined(Untile *u, int p, SumVec *lo, SumVec *hi, Node *body) {
    Expr *from, *to;
    if (!joined_ends(u, lo, hi, p, &from, &to) || !keeps_order(u, p, body)) return NULL;
    for (int k = p; k > 0; k--) {
        Node *n = node_clone(u->m->a, u->loop[k]);
        n->body = k == p ? body : node_seq(u->m->a, 1, &body);
        if (k == p) {
            n->lo = from;
            n->hi = to;
            n->unroll = 0;
            if (u->loop[0]->mark) n->mark = u->loop[0]->mark;
        }
        body = n;
    }
    return node_uses_sym(body, u->loop[0]->iter) ? NULL : body;
}

// The loops from k on in each other.
static Node *loops_from(Untile *u, int p, int k) {
    int last = p < u->sunk && u->sunk < u->n ? u->sunk - 1 : u->n - 1;
    Node *body = u->body[last];
    for (int j = last; j >= k; j--) {
        Node *n = node_clone(u->m->a, u->loop[j]);
        n->body = body;
        body = node_seq(u->m->a, 1, &n);
    }
    return body;
}

static Node *joined_at(Untile *u, int p) {
    Node *n = u->loop[p], *body = loops_from(u, p, p + 1);
    SumVec lo = {0}, hi = {0};
    if (n->step != 1 || n->iter->type != u->loop[0]->iter->type) return NULL;
    if (!add_ends(u, n->lo, OP_MAX, &lo) || !add_ends(u, n->hi, OP_MIN, &hi)) return NULL;
    for (int k = 0; k < lo.n; k++)
        if (uses(u, lo.at[k], u->loop[0]->iter)) return with_joined(u, p, &lo, &hi, body);
    for (int k = 0; lo.n == 1 && k < hi.n; k++) {
        Sum *start = tile_start(u, lo.at[0], hi.at[k]);
        if (!start) continue;
        SumVec from = {0}, to = {0};
        vec_push(u->m->a, &from, plus(u, lo.at[0], start));
        for (int j = 0; j < hi.n; j++) vec_push(u->m->a, &to, plus(u, hi.at[j], start));
        Expr *back = sum_expr(&u->k, minus(u, of_sym(u, n->iter), start), n->iter->type);
        Shift s = {u, n->iter, u->loop[0]->iter, back};
        Rebuild b = {.a = u->m->a, .expr = shifted, .self = &s};
        Node *made = with_joined(u, p, &from, &to, rebuild_node(&b, body));
        if (made) return made;
    }
    return NULL;
}

// ---- conditions in the loops ----------------------------------------------------------------------------
// Holds where d >= 0, which ends one of the loops, or begins it: of those whose counters it names the inmost.
static bool ends_loop(Untile *u, Sum *d) {
    for (int k = u->n - 1; d && k > 0; k--) {
        Node *n = node_clone(u->m->a, u->loop[k]);
        Sum *coef, *rest;
        int64_t c;
        if (!uses(u, d, n->iter)) continue;
        if (n->step != 1 || !parted(u, d, n->iter, &coef, &rest) || !sum_is_const(coef, &c)) return false;
        Type t = n->iter->type;
        Sum *end = c < 0 ? plus(u, rest, sum_one(u, 1)) : minus(u, sum_one(u, 0), rest);
        if ((c != 1 && c != -1) || !end) return false;
        Expr **at = c < 0 ? &n->hi : &n->lo;
        *at = expr_op(u->m->a, c < 0 ? OP_MIN : OP_MAX, *at, sum_expr(&u->k, end, t), NULL);
        u->loop[k] = n;
        return true;
    }
    return false;
}

static bool ends_loops(Untile *u, const Expr *cond) {
    if (cond->kind != E_OP || expr_has_load(cond)) return false;
    if (cond->op == OP_LAND) return ends_loops(u, cond->args[0]) && ends_loops(u, cond->args[1]);
    bool less = cond->op == OP_LT || cond->op == OP_LE, more = cond->op == OP_GT || cond->op == OP_GE;
    Type t = (less || more) ? cond->args[0]->type : T_NONE;
    if (!type_is_int(t) || !type_is_signed(t) || may_wrap(cond)) return false;
    Sum *x = sum_of(&u->k, cond->args[less ? 0 : 1]), *y = sum_of(&u->k, cond->args[less ? 1 : 0]);
    bool strict = cond->op == OP_LT || cond->op == OP_GT;
    return x && y && ends_loop(u, minus(u, minus(u, y, x), sum_one(u, strict)));
}

// The loops that stand in each other from t on.
static void find_loops(Untile *u, Node *t) {
    u->n = 0;
    u->sunk = DEEPEST;
    u->begin = NULL;
    for (Node *n = t, *in; n && u->n < DEEPEST;) {
        bool loop = has_plain_ends(n) && n->step > 0;
        if (!loop && (n->kind != N_IF || n->other || u->sunk < DEEPEST || !ends_loops(u, n->cond))) break;
        if (loop) u->loop[u->n++] = n;
        u->body[u->n - 1] = in = loop ? n->body : n->then;
        bool alone = in->kind == N_SEQ && in->nkids == 1 && !in->nlocals;
        n = alone ? in->kids[0] : NULL;
        if (in->kind != N_SEQ || alone || u->sunk < DEEPEST) continue;
        n = with_sum_in_place(u, in);
        if (!n) n = behind_first(u, in);
        if (n) u->sunk = u->n;
    }
}

// Without its loop over tiles; *of: the joined loop's counter. NULL: t is no such loop.
static Node *without_tiles(Untile *u, Node *t, const Sym **of) {
    find_loops(u, t);
    for (int p = 1; p < u->n; p++) {
        Node *n = joined_at(u, p);
        if (n && u->begin && p >= u->sunk) n = begun(u, n);
        *of = u->loop[p]->iter;
        if (n) return n;
    }
    return NULL;
}

// Do the two, one behind the other in each tile, meet on elements of the same tile alone?
static bool meet_in_tiles(Untile *u, Node *x, const Sym *i, Node *y, const Sym *j) {
    AccessVec all = tree_touches(u->m->a, x);
    for (int k = 0; k < all.n; k++) {
        const Array *v = all.at[k].array;
        bool told = !touches(u, y, v) || (!tree_writes(x, v) && !tree_writes(y, v));
        for (int d = 0; d < v->rank && !told; d++) {
            Sum *c, *e, *by, *rest;
            told = is_told_by(u, x, v, d, i, &c, &e) && is_told_by(u, y, v, d, j, &by, &rest) &&
                   is_zero(minus(u, c, by)) && is_zero(minus(u, e, rest));
        }
        if (!told) return false;
    }
    return true;
}

// Loops that stand behind each other in a tile each get a loop over all of it.
static Node *untile(Rebuild *b, Node *n) {
    Untile *u = b->self;
    if (!has_plain_ends(n) || n->step < 1 || !n->body) return n;
    const Node *in = n->body;
    int parts = in->kind == N_SEQ && in->nkids > 1 && !in->nlocals ? in->nkids : 1;
    Node **made = NEW_N(b->a, Node *, parts), *all = NULL;
    const Sym **of = NEW_N(b->a, const Sym *, parts);
    u->k = (Sums){.a = b->a};
    for (int k = 0; k < parts; k++) {
        Node *one = node_clone(b->a, n);
        if (parts > 1) one->body = node_seq(b->a, 1, &in->kids[k]);
        if (!(made[k] = without_tiles(u, one, &of[k]))) return n;
        for (int j = 0; j < k; j++)
            if (!meet_in_tiles(u, made[j], of[j], made[k], of[k])) return n;
        all = seq_join(b->a, all, made[k]);
    }
    u->some = true;
    return all;
}

Region *pass_untile(Normal *m, Region *r) {
    Untile u = {.m = m, .r = r};
    Rebuild b = {.a = m->a, .node = untile, .self = &u};
    Node *root = rebuild_node(&b, r->root);
    return u.some ? region_with(m, r, root) : r;
}
