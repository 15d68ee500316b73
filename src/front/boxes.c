// SPDX-License-Identifier: MIT
// boxes.c -- which elements a piece of code has certainly written when it reads them.
//
// The tree is walked in the order of execution with a list of boxes [lo, hi) that were
// certainly written since the start; a scalar is a box without sides. Leaving a loop over i
// turns the box t[i] into t[lo … hi); after an if only what both arms wrote remains.
#include "front/normal.h"

enum { MAX_BOXES = 48 };

typedef struct Box {
    Expr **lo, **hi; // [rank], hi excluded
} Box;

typedef struct Walk {
    Arena *a;
    const Array *v;
    VEC(Box) boxes;
    VEC(Box) wrote;    // what may be written, certainly or not
    VEC(Node *) loops; // around the place where the walk is, inside of where it began
    bool exposed;
    bool anywhere;     // more may be written than `wrote` has
} Walk;

// ---- boxes -----------------------------------------------------------------------------

// Is x <= y certainly, for all values of what they share?
static bool at_most(Arena *a, const Expr *x, const Expr *y) {
    int64_t d;
    return expr_difference(a, y, x, &d) && d >= 0;
}

static bool same(Arena *a, const Expr *x, const Expr *y) {
    int64_t d;
    return expr_difference(a, x, y, &d) && d == 0;
}

static bool contains(const Walk *w, const Box *big, const Box *small) {
    for (int k = 0; k < w->v->rank; k++)
        if (!at_most(w->a, big->lo[k], small->lo[k]) || !at_most(w->a, small->hi[k], big->hi[k]))
            return false;
    return true;
}

// [x.lo, y.hi) when y begins in one dimension where x ends, and they agree in the others.
static bool join(const Walk *w, const Box *x, const Box *y, Box *out) {
    int rank = w->v->rank, at = -1;
    for (int k = 0; k < rank; k++) {
        if (same(w->a, x->lo[k], y->lo[k]) && same(w->a, x->hi[k], y->hi[k])) continue;
        if (at >= 0 || !same(w->a, x->hi[k], y->lo[k])) return false;
        at = k;
    }
    if (at < 0) return false;
    *out = (Box){NEW_N(w->a, Expr *, rank), NEW_N(w->a, Expr *, rank)};
    for (int k = 0; k < rank; k++) {
        out->lo[k] = x->lo[k];
        out->hi[k] = y->hi[k];
    }
    return true;
}

static void add_box(Walk *w, Box b) {
    for (int k = 0; k < w->boxes.n; k++)
        if (contains(w, &w->boxes.at[k], &b)) return;
    if (w->boxes.n >= MAX_BOXES) return;
    vec_push(w->a, &w->boxes, b);
    for (int k = 0; k < w->boxes.n; k++) {
        Box both;
        if (join(w, &w->boxes.at[k], &b, &both) || join(w, &b, &w->boxes.at[k], &both)) {
            add_box(w, both);
            return;
        }
    }
}

static Expr *one_more(Arena *a, Expr *x) { return expr_add(a, x, expr_int(a, x->type, 1)); }

static Box point(const Walk *w, Expr *const *sub) {
    int rank = w->v->rank;
    Box b = {NEW_N(w->a, Expr *, rank), NEW_N(w->a, Expr *, rank)};
    for (int k = 0; k < rank; k++) {
        b.lo[k] = sub[k];
        b.hi[k] = one_more(w->a, sub[k]);
    }
    return b;
}

// The least and the greatest value of a loop's counter, where it runs; steps of one.
static Expr *first_value(Arena *a, const Node *l) { return l->step > 0 ? l->lo : one_more(a, l->hi); }
static Expr *past_value(Arena *a, const Node *l) { return l->step > 0 ? l->hi : one_more(a, l->lo); }

// ---- reads -------------------------------------------------------------------------------

int counter_sign(Arena *a, const Expr *x, const Sym *i) {
    if (!expr_uses_sym(x, i)) return 0;
    Sums k = {.a = a};
    Sum *s = sum_of(&k, x);
    int sign = 0;
    for (int t = 0; s && t < s->n; t++)
        for (int f = 0; f < s->t[t].n; f++) {
            const Expr *atom = k.atoms.at[s->t[t].f[f]];
            if (!expr_uses_sym(atom, i)) continue;
            if (atom->kind != E_SYM || s->t[t].n > 1) return 2;
            sign = s->t[t].c > 0 ? 1 : -1;
        }
    return s ? sign : 2;
}

// The end of a side when loop l runs through its values; NULL: can't be told.
static Expr *extreme(Arena *a, Expr *x, const Node *l, bool greatest) {
    int sign = counter_sign(a, x, l->iter);
    if (!sign) return x;
    if (sign == 2) return NULL;
    Expr *last = past_value(a, l);
    last = expr_sub(a, last, expr_int(a, last->type, 1));
    Expr *to = greatest == (sign > 0) ? last : first_value(a, l);
    return expr_subst(a, x, 1, &l->iter, &to);
}

static bool widen(Walk *w, Box *b, const Node *l) {
    for (int k = 0; k < w->v->rank; k++) {
        b->lo[k] = extreme(w->a, b->lo[k], l, false);
        b->hi[k] = extreme(w->a, b->hi[k], l, true);
        if (!b->lo[k] || !b->hi[k]) return false;
    }
    return true;
}

static bool is_written(const Walk *w, const Box *b) {
    for (int k = 0; k < w->boxes.n; k++)
        if (contains(w, &w->boxes.at[k], b)) return true;
    return false;
}

static Box whole(const Walk *w) {
    int rank = w->v->rank;
    Box b = {NEW_N(w->a, Expr *, rank), NEW_N(w->a, Expr *, rank)};
    for (int k = 0; k < rank; k++) {
        b.lo[k] = expr_int(w->a, T_I64, 0);
        b.hi[k] = w->v->extent[k];
    }
    return b;
}

static bool has_extents(const Array *v) {
    for (int k = 0; k < v->rank; k++)
        if (!v->extent[k]) return false;
    return true;
}

static void read_element(Walk *w, Expr *const *sub) {
    Box b = point(w, sub);
    bool ok = is_written(w, &b);
    for (int k = w->loops.n - 1; k >= 0 && !ok && widen(w, &b, w->loops.at[k]); k--)
        ok = is_written(w, &b);
    if (!ok && has_extents(w->v)) {
        Box all = whole(w);
        ok = is_written(w, &all);
    }
    if (!ok) w->exposed = true;
}

static void read_expr(Walk *w, const Expr *x) {
    if (!x) return;
    for (int k = 0; k < x->nargs; k++) read_expr(w, x->args[k]);
    if (x->kind == E_LOAD && x->array == w->v) read_element(w, x->args);
}

// ---- the walk ------------------------------------------------------------------------------

static void walk(Walk *w, Node *n);

static void walk_stmt(Walk *w, const Stmt *s) {
    for (int k = 0; k < s->lhs->rank; k++) read_expr(w, s->sub[k]);
    read_expr(w, s->rhs);
    if (s->lhs != w->v) return;
    if (s->op != OP_SET) read_element(w, s->sub);
    Box all = point(w, s->sub);
    for (int k = w->loops.n - 1; k >= 0 && !w->anywhere; k--) w->anywhere = !widen(w, &all, w->loops.at[k]);
    for (int k = 0; k < s->lhs->rank; k++)
        if (expr_has_load(s->sub[k])) {
            w->anywhere = true;
            return;
        }
    vec_push(w->a, &w->wrote, all);
    add_box(w, point(w, s->sub));
}

static bool surely_runs(const Node *l) {
    int64_t lo, hi;
    if (!is_literal_int(l->lo, &lo) || !is_literal_int(l->hi, &hi)) return false;
    return l->step > 0 ? lo < hi : lo > hi;
}

// What a box of one iteration is after all of them; false: nothing certain.
static bool spread(Walk *w, const Box *b, const Node *l, Box *out) {
    int rank = w->v->rank, at = -1;
    for (int k = 0; k < rank; k++) {
        if (!expr_uses_sym(b->lo[k], l->iter) && !expr_uses_sym(b->hi[k], l->iter)) continue;
        if (at >= 0) return false;
        at = k;
    }
    if (at < 0) {
        *out = *b;
        return surely_runs(l);
    }
    Expr *i = expr_sym(w->a, l->iter);
    int64_t below, above; // the side is exactly [i + c, i + c + 1)
    if (!expr_difference(w->a, b->lo[at], i, &below) || !expr_difference(w->a, b->hi[at], i, &above) ||
        above != below + 1 || (l->step != 1 && l->step != -1) || expr_has_load(l->lo) ||
        expr_has_load(l->hi))
        return false;
    *out = (Box){NEW_N(w->a, Expr *, rank), NEW_N(w->a, Expr *, rank)};
    for (int k = 0; k < rank; k++) {
        out->lo[k] = b->lo[k];
        out->hi[k] = b->hi[k];
    }
    Expr *first = first_value(w->a, l), *past = past_value(w->a, l);
    out->lo[at] = expr_add(w->a, first, expr_int(w->a, first->type, below));
    out->hi[at] = expr_add(w->a, past, expr_int(w->a, past->type, below));
    return true;
}

static void walk_for(Walk *w, Node *n) {
    read_expr(w, n->lo);
    read_expr(w, n->hi);
    int before = w->boxes.n;
    vec_push(w->a, &w->loops, n);
    walk(w, n->body);
    w->loops.n--;
    int made = w->boxes.n - before;
    Box *inside = NEW_N(w->a, Box, made);
    for (int k = 0; k < made; k++) inside[k] = w->boxes.at[before + k];
    w->boxes.n = before;
    for (int k = 0; k < made; k++) {
        Box b;
        if (spread(w, &inside[k], n, &b)) add_box(w, b);
    }
}

static void walk_if(Walk *w, Node *n) {
    read_expr(w, n->cond);
    int before = w->boxes.n;
    walk(w, n->then);
    int made = w->boxes.n - before;
    Box *yes = NEW_N(w->a, Box, made);
    for (int k = 0; k < made; k++) yes[k] = w->boxes.at[before + k];
    w->boxes.n = before;
    if (n->other) walk(w, n->other);
    Walk other = *w;
    w->boxes.n = before;
    VEC(Box) both = {0};
    for (int k = 0; k < made; k++)
        if (is_written(&other, &yes[k])) vec_push(w->a, &both, yes[k]);
    for (int k = 0; k < both.n; k++) add_box(w, both.at[k]);
}

static void walk(Walk *w, Node *n) {
    if (!n) return;
    if (n->kind == N_STMT) walk_stmt(w, n->stmt);
    if (n->kind == N_FOR) walk_for(w, n);
    if (n->kind == N_IF) walk_if(w, n);
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++) walk(w, n->kids[k]);
}

bool node_exposed(Arena *a, Node *n, const Array *v) {
    Walk w = {.a = a, .v = v};
    walk(&w, n);
    return w.exposed;
}

bool node_certainly_writes(Arena *a, Node *n, const Array *v) {
    Walk w = {.a = a, .v = v};
    walk(&w, n);
    if (!has_extents(v)) return false;
    Box all = whole(&w);
    return is_written(&w, &all);
}

bool node_writes_box(Arena *a, Node *n, const Array *v, Expr **lo, Expr **hi) {
    Walk w = {.a = a, .v = v};
    walk(&w, n);
    for (int k = 0; k < w.boxes.n && !w.anywhere; k++) {
        bool all = true;
        for (int i = 0; i < w.wrote.n && all; i++) all = contains(&w, &w.boxes.at[k], &w.wrote.at[i]);
        for (int d = 0; d < v->rank && all; d++) lo[d] = w.boxes.at[k].lo[d], hi[d] = w.boxes.at[k].hi[d];
        if (all) return true;
    }
    return false;
}
