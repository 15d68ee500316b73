// SPDX-License-Identifier: MIT
// whole.c -- arms for whole tiles, which do what others do with conditions, left out.
//
//   if (64*ib + 63 < n)  for ii  S[64*ib + ii]                       for ii  if (64*ib + ii < n)
//   else  for ii  if (64*ib + ii < n)  S[64*ib + ii]         →           S[64*ib + ii]
//
// Where one arm is the other one with its conditions decided, as they are wherever it runs, that other one
// alone does the same. Counters and buffers may have names of their own.
#include "dep/dep.h"
#include "ir/poly.h"

enum { TERMS = 64, PART = 4 }; // of a condition; of the budget

typedef struct Arms {
    Compile *c;
    Arena *a;
    VEC(Node *) around; // loops, and conditions that hold, on the way
    bool any;           // such arms were met
} Arms;

static bool same(Arms *w, Node *x, Node *y);

// Without blocks of one thing; NULL: nothing is there.
static Node *bare(Node *n) {
    while (n && n->kind == N_SEQ && n->nkids < 2 && !n->nlocals) n = n->nkids ? n->kids[0] : NULL;
    return n;
}

// ---- conditions ----------------------------------------------------------------------------------
// Is it of plain integers, none of which wraps?
static bool is_odd(const Expr *x) {
    return x->kind == E_LOAD || x->kind == E_CALL || !type_is_int(x->type) || !type_is_signed(x->type);
}

static void enter(Arms *w, Expr *cond) {
    vec_push(w->a, &w->around, node_if(w->a, cond, node_seq(w->a, 0, NULL), NULL));
}

static bool holds(Arms *w, const Expr *x) {
    return !expr_any(x, is_odd) && poly_always(w->c, w->around.n, w->around.at, x);
}

static Expr *denied(Arms *w, Expr *x) { return expr_op(w->a, OP_LNOT, x, NULL, NULL); }

static int terms_of(Expr *x, Expr **out, int n) {
    bool both = x->kind == E_OP && x->op == OP_LAND;
    if (!both && n < TERMS) out[n] = x;
    return both ? terms_of(x->args[1], out, terms_of(x->args[0], out, n)) : n + 1;
}

// ---- expressions -----------------------------------------------------------------------------------
static bool same_value(Arms *w, Expr *x, Expr *y) {
    if (!x || !y || expr_equal(x, y)) return x == y || (x && y);
    if (x->type != y->type) return false;
    if (!expr_has_load(x) && !expr_has_load(y))
        return type_is_int(x->type) && holds(w, expr_op(w->a, OP_EQ, x, y, NULL));
    bool fits = x->kind == y->kind && x->nargs == y->nargs && x->kind == E_LOAD && x->array == y->array;
    for (int i = 0; fits && i < x->nargs; i++) fits = same_value(w, x->args[i], y->args[i]);
    return fits;
}

static bool same_values(Arms *w, int n, Expr *const *x, Expr *const *y) {
    for (int i = 0; i < n; i++)
        if (!same_value(w, x[i], y[i])) return false;
    return true;
}

// ---- nodes -------------------------------------------------------------------------------------------
static bool same_stmt(Arms *w, const Node *x, const Node *y) {
    bool fits = x->stmt == y->stmt && x->atomic == y->atomic && x->forms == y->forms && x->nvia == y->nvia;
    for (int k = 0; fits && k < x->nvia; k++) {
        bool sub = x->via_sub && x->via_sub[k];
        fits = x->via[k] == y->via[k] && sub == (y->via_sub && y->via_sub[k]);
        fits = fits && (!sub || same_values(w, x->via[k]->rank, x->via_sub[k], y->via_sub[k]));
    }
    return fits && same_values(w, x->stmt->depth, x->at, y->at);
}

static bool same_copy(Arms *w, const Node *x, const Node *y) {
    bool fits = x->dst == y->dst && x->op == y->op && x->atomic == y->atomic && x->async == y->async &&
                !x->part && !y->part;
    return fits && same_value(w, x->src, y->src) && (!x->dst || same_values(w, x->dst->rank, x->sub, y->sub));
}

static bool is_serial(const Node *loop) { return loop->how == HOW_SERIAL || loop->how == HOW_UNROLL; }

static bool same_loop(Arms *w, const Node *x, const Node *y) {
    bool fits = x->how == y->how || (is_serial(x) && is_serial(y));
    if (!fits || x->step != y->step || x->matrix || y->matrix) return false;
    if (x->iter->type != y->iter->type || !same_value(w, x->lo, y->lo) || !same_value(w, x->hi, y->hi))
        return false;
    Expr *to = expr_sym(w->a, y->iter);
    vec_push(w->a, &w->around, (Node *)y);
    fits = same(w, x->iter == y->iter ? x->body : node_subst(w->a, x->body, 1, &x->iter, &to), y->body);
    w->around.n--;
    return fits;
}

static bool same_array(Arms *w, const Array *x, const Array *y) {
    if (x == y) return true;
    bool fits = x->elem == y->elem && x->place == y->place && x->rank == y->rank && x->digits == y->digits &&
                !x->of && !y->of;
    for (int d = 0; fits && d < x->rank; d++) fits = same_value(w, x->extent[d], y->extent[d]);
    return fits;
}

static bool same_block(Arms *w, Node *x, const Node *y) {
    if (x->nlocals != y->nlocals) return false;
    const Node *own = x;
    for (int i = 0; i < y->nlocals; i++) {
        if (!same_array(w, own->locals[i], y->locals[i])) return false;
        if (own->locals[i] != y->locals[i]) x = node_redirect(w->a, x, own->locals[i], y->locals[i]);
    }
    int at = 0;
    for (int i = 0; i < y->nkids; i++) {
        if (at < x->nkids && same(w, x->kids[at], y->kids[i])) at++;
        else if (!same(w, NULL, y->kids[i])) return false;
    }
    return at == x->nkids;
}

// Both ask the same.
static bool same_asked(Arms *w, const Node *x, const Node *y) {
    int before = w->around.n;
    enter(w, y->cond);
    bool fits = same(w, x->then, y->then);
    w->around.n = before;
    enter(w, denied(w, y->cond));
    fits = fits && same(w, x->other, y->other);
    w->around.n = before;
    return fits;
}

// y asks something that x does not, or asks less of.
static bool same_decided(Arms *w, Node *x, Node *y) {
    Expr *t[TERMS], *rest = NULL;
    int n = terms_of(y->cond, t, 0), before = w->around.n;
    bool never = false, fits;
    if (n > TERMS) return false;
    for (int i = 0; i < n && !never; i++) {
        if (holds(w, t[i])) continue;
        never = holds(w, denied(w, t[i]));
        rest = rest ? expr_op(w->a, OP_LAND, rest, t[i], NULL) : t[i];
        enter(w, t[i]);
    }
    if (rest && !never) {
        fits = x && x->kind == N_IF && same_value(w, x->cond, rest) && same(w, x->then, y->then);
        w->around.n = before;
        if (fits) enter(w, denied(w, rest));
        fits = fits && same(w, x->other, y->other);
    } else {
        w->around.n = before;
        fits = same(w, x, never ? y->other : y->then);
    }
    w->around.n = before;
    return fits;
}

// Does x do what y does, where the conditions around hold?
static bool same(Arms *w, Node *x, Node *y) {
    x = bare(x), y = bare(y);
    if (!y) return !x;
    if (y->kind == N_IF) {
        bool asked = x && x->kind == N_IF && expr_equal(x->cond, y->cond);
        return asked ? same_asked(w, x, y) : same_decided(w, x, y);
    }
    if (!x || x->kind != y->kind) return false;
    switch (y->kind) {
    case N_SEQ: return same_block(w, x, y);
    case N_FOR: return same_loop(w, x, y);
    case N_STMT: return same_stmt(w, x, y);
    case N_COPY: return same_copy(w, x, y);
    default: return false;
    }
}

// ---- where such arms stand -----------------------------------------------------------------------------
static bool is_leaf(const Node *n) { return n->kind == N_STMT || n->kind == N_COPY; }

// May they be such arms? Mostly two arms have nothing in common.
static bool look_alike(const Node *n) {
    const Node *first = NULL;
    node_each(m, n->then)
        if (is_leaf(m) && !first) first = m;
    node_each(m, first ? n->other : NULL)
        if (is_leaf(m) && m->kind == first->kind && m->stmt == first->stmt) return !expr_any(n->cond, is_odd);
    return false;
}

// What an arm that is left holds stands in the block around it.
static Node *spliced(Arms *w, const Node *was, Node *seq) {
    for (int k = was->nkids - 1; k >= 0; k--) {
        const Node *in = seq->kids[k];
        bool left = was->kids[k]->kind == N_IF && in->kind == N_SEQ && !in->nlocals;
        if (left) seq = seq_splice(w->a, seq, k, 1, in->nkids, in->kids);
    }
    return seq;
}

static Node *without(Node *n, void *arg) {
    Arms *w = arg;
    if (n->kind == N_STMT || n->kind == N_COPY) return n;
    int before = w->around.n;
    bool is = false;
    if (n->kind == N_IF && n->other && look_alike(n)) {
        enter(w, n->cond);
        is = same(w, n->then, n->other);
        w->around.n = before;
    }
    if (n->kind == N_FOR) vec_push(w->a, &w->around, n);
    Node *m = is ? without(n->other, arg) : node_map(w->a, n, without, arg);
    w->around.n = before;
    w->any |= is;
    return n->kind == N_SEQ ? spliced(w, n, m) : m;
}

Node *dep_without_whole(Compile *c, int n, Node *const *around, Node *tree) {
    Arms w = {.c = c, .a = c->arena};
    poly_restart_part(c, PART);
    for (int i = 0; i < n; i++) vec_push(w.a, &w.around, around[i]);
    Node *general = without(tree, &w);
    return w.any ? general : tree;
}
