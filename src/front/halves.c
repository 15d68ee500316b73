// SPDX-License-Identifier: MIT
// halves.c -- sums whose terms are chosen by the side of the diagonal that they lie on.
//
//   for (i < n) for (k < n)  s += (k <= i ? a[i][k] : a[k][i]) * b[k];
//     →   for (i < n) { for (k < i + 1)  s += a[i][k] * b[k];  for (k = i + 1 .. n)  s += a[k][i] * b[k]; }
//
// One half of a matrix stands for the other, or a condition chooses between two updates. The terms keep their
// order; each loop is a sum of its own, with operands as they lie.
#include "front/normal.h"

enum { SHORT = 64 }; // iterations, by a literal: such loops are rather unrolled

typedef struct Halves {
    Normal *m;
    bool some;                // loops were cut
    const Node *outer, *loop; // the loop of the other counter, and the sum
    bool found;               // a choice; what follows is of that one
    bool below;               // which side of the diagonal is being made,
    bool diagonal;            // and whether the diagonal belongs to the one below
    const Sym *from, *to;     // the counter of the second loop
} Halves;

// The counter; casts of what is never negative and has room change nothing.
static bool is_counter(const Halves *h, const Expr *x, const Sym *s) {
    bool room = h->loop->lo->kind == E_INT && h->loop->lo->i >= 0;
    while (x->kind == E_CAST && room && type_is_int(x->type) && type_size(x->type) >= type_size(s->type))
        x = x->args[0];
    return x->kind == E_SYM && x->sym == s;
}

// k < i, k <= i, k > i, k >= i, either way round. below: it holds there; diagonal: that is the same there.
static bool tells_side(const Halves *h, const Expr *x, bool *below, bool *diagonal) {
    const Sym *k = h->loop->iter, *i = h->outer->iter;
    if (x->kind != E_OP || (x->op != OP_LT && x->op != OP_LE && x->op != OP_GT && x->op != OP_GE))
        return false;
    bool first = is_counter(h, x->args[0], k) && is_counter(h, x->args[1], i);
    if (!first && !(is_counter(h, x->args[0], i) && is_counter(h, x->args[1], k))) return false;
    bool less = x->op == OP_LT || x->op == OP_LE, strict = x->op == OP_LT || x->op == OP_GT;
    *below = less == first;
    *diagonal = *below != strict;
    return true;
}

static void find_choice(Halves *h, const Expr *cond) {
    if (!h->found) h->found = tells_side(h, cond, &h->below, &h->diagonal);
}

// Updates of what does not move with the sum, and conditions with two branches of such.
static bool is_sum(Halves *h, const Node *n) {
    if (n->kind == N_IF) {
        find_choice(h, n->cond);
        return n->other && is_sum(h, n->then) && is_sum(h, n->other);
    }
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++)
        if (!is_sum(h, n->kids[k])) return false;
    if (n->kind == N_SEQ) return n->nkids && !n->nlocals;
    if (n->kind != N_STMT || n->stmt->op == OP_SET || n->atomic) return false;
    for (int d = 0; d < n->stmt->lhs->rank; d++)
        if (expr_uses_sym(n->stmt->sub[d], h->loop->iter)) return false;
    expr_each(x, n->stmt->rhs) {
        bool choice = x->kind == E_OP && x->op == OP_SELECT;
        if (choice && expr_reads_data(x->args[1]) && expr_reads_data(x->args[2])) find_choice(h, x->args[0]);
    }
    return true;
}

// ---- one side -------------------------------------------------------------------------------
// -1: the condition is another one; else whether it holds.
static int holds(const Halves *h, const Expr *cond) {
    bool below, diagonal;
    if (!tells_side(h, cond, &below, &diagonal) || diagonal != h->diagonal) return -1;
    return below == h->below;
}

static Expr *decided(Rebuild *b, Expr *x) {
    int side = x->kind == E_OP && x->op == OP_SELECT ? holds(b->self, x->args[0]) : -1;
    return side < 0 ? x : x->args[side ? 1 : 2];
}

static Node *decided_node(Rebuild *b, Node *n) {
    int side = n->kind == N_IF ? holds(b->self, n->cond) : -1;
    return side < 0 ? n : side ? n->then : n->other;
}

static Expr *renamed(Rebuild *b, Expr *x) {
    const Halves *h = b->self;
    return x->kind == E_SYM && x->sym == h->from ? expr_sym(b->a, h->to) : x;
}

static Node *half(Halves *h, bool below) {
    Arena *a = h->m->a;
    Rebuild b = {.a = a, .expr = decided, .node = decided_node, .self = h};
    h->below = below;
    Node *body = rebuild_node(&b, h->loop->body), *n = NEW(a, Node);
    Expr *i = expr_sym(a, h->outer->iter);
    Expr *end = h->diagonal ? expr_add(a, i, expr_int(a, i->type, 1)) : i;
    *n = *h->loop;
    *(below ? &n->hi : &n->lo) = end;
    if (!below) {
        Sym *s = NEW_AS(a, Sym, *h->loop->iter);
        s->name = name_new(h->m, s->name);
        h->from = n->iter, h->to = n->iter = s;
        b = (Rebuild){.a = a, .expr = renamed, .self = h};
        body = rebuild_node(&b, body);
    }
    n->body = body;
    return n;
}

static Node *cut(Rebuild *b, Node *n) {
    Halves *h = b->self;
    h->loop = n;
    h->found = false;
    if (n->kind != N_FOR || n->step != 1 || n->iter->type != h->outer->iter->type) return n;
    if (!expr_equal(n->lo, h->outer->lo) || !expr_equal(n->hi, h->outer->hi)) return n;
    int64_t trips = loop_literal_trips(n->lo, n->hi, n->step);
    if (trips >= 0 && trips <= SHORT) return n;
    if (expr_has_load(n->lo) || expr_has_load(n->hi) || !is_sum(h, n->body) || !h->found) return n;
    h->some = true;
    Node *first = half(h, true);
    return seq_join(b->a, first, half(h, false));
}

static Node *under(Rebuild *b, Node *n) {
    Halves *h = b->self;
    Rebuild inside = {.a = b->a, .node = cut, .self = h};
    h->outer = n;
    if (n->kind == N_FOR && n->step == 1) n->body = rebuild_node(&inside, n->body);
    return n;
}

Region *pass_halves(Normal *m, Region *r) {
    Halves h = {.m = m};
    Rebuild b = {.a = m->a, .node = under, .self = &h};
    Node *root = rebuild_node(&b, r->root);
    return h.some ? region_with(m, r, root) : r;
}
