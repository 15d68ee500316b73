// SPDX-License-Identifier: MIT
// arms.c -- statements that set or update one element, one after the other or under conditions, as one.
//
//   if (t[i] == 1) v += 1; else if (t[i] == 2) v += 2; else v += -9;
//     →   v += t[i] == 1 ? 1 : t[i] == 2 ? 2 : -9;
//   if (t[i] > 0) v += 1;  if (u[i] > 0) v += 2;         (whole numbers)
//     →   v += (t[i] > 0 ? 1 : 0) + (u[i] > 0 ? 2 : 0);
//   d = x[i] - y[j];  if (d > half) d = box - d;         (a variable of the block's own, set before)
//     →   d = x[i] - y[j];  d = d > half ? box - d : d;
//
// What an arm reads is still read only where it is taken; what an update adds may not hang on the element
// itself (if (t[i] > v) v++). Products that are fused into a sum stay apart: behind a choice they would be
// rounded.
#include "front/normal.h"

static const Stmt *only(const Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    return n && n->kind == N_STMT ? n->stmt : NULL;
}

static bool same_place(const Stmt *s, const Stmt *t) {
    if (s->lhs != t->lhs || s->op != t->op || s->atomic != t->atomic) return false;
    if (s->rhs->type != t->rhs->type) return false;
    for (int d = 0; d < s->lhs->rank; d++)
        if (!expr_equal(s->sub[d], t->sub[d])) return false;
    return !s->fused && !t->fused;
}

static Node *with_value(Arena *a, const Stmt *s, Expr *x) {
    Stmt *t = NEW_AS(a, Stmt, *s);
    t->rhs = x;
    return stmt_leaf(a, t);
}

// Whole numbers may be combined in any order.
static bool is_whole(const Stmt *s) {
    return s->op != OP_SET && !s->fused && s->rhs->type == s->lhs->elem && type_is_int(s->lhs->elem) &&
           type_size(s->lhs->elem) >= 4;
}

// A variable of the program's own, one for all iterations: memory behind a pointer may be such that nobody
// may write there, and then nothing is stored where nothing is added.
static bool stays(const Stmt *s) { return s->lhs->rank == 0 && s->lhs->constant_size; }

Node *arms_as_one(Arena *a, Node *n) {
    const Stmt *s = only(n->then), *t = only(n->other);
    if (!s || (s->op != OP_SET && expr_reads(n->cond, s->lhs))) return n;
    Expr *other = t && same_place(s, t) ? t->rhs : NULL;
    if (!n->other && is_whole(s) && stays(s) && !s->atomic) other = neutral_element(a, s->op, s->rhs->type);
    return other ? with_value(a, s, expr_op(a, OP_SELECT, n->cond, s->rhs, other)) : n;
}

static Node *added(Arena *a, Node *n) {
    Node *m = node_clone(a, n);
    m->kids = NEW_N(a, Node *, n->nkids);
    m->nkids = 0;
    for (int k = 0; k < n->nkids; k++) {
        Node **last = m->nkids ? &m->kids[m->nkids - 1] : NULL;
        const Stmt *s = last ? only(*last) : NULL, *t = only(n->kids[k]);
        if (s && t && is_whole(s) && same_place(s, t))
            *last = with_value(a, s, update_joined(a, s->op, s->rhs, t->rhs));
        else m->kids[m->nkids++] = n->kids[k];
    }
    return m->nkids == 1 ? m->kids[0] : m;
}

// Conditions that set a variable anew which the block has set before: it is set in any case.
static void keep_old(Arena *a, Node *seq) {
    for (int k = 1; k < seq->nkids; k++) {
        Node *n = seq->kids[k];
        const Stmt *s = n->kind == N_IF && !n->other && expr_has_load(n->cond) ? only(n->then) : NULL;
        bool own = s && s->op == OP_SET && s->lhs->place == PLACE_LOCAL && !s->lhs->rank && !s->atomic;
        bool set = false;
        for (int i = 0; own && i < k; i++) {
            const Stmt *t = only(seq->kids[i]);
            set |= t && t->lhs == s->lhs && t->op == OP_SET;
        }
        if (!set) continue;
        Expr *old = expr_load(a, s->lhs, NULL), *x = expr_cast(a, s->lhs->elem, s->rhs);
        seq->kids[k] = with_value(a, s, expr_op(a, OP_SELECT, n->cond, x, old));
    }
}

static Node *joined(Rebuild *b, Node *n) {
    if (n->kind == N_IF) return expr_has_load(n->cond) ? arms_as_one(b->a, n) : n;
    if (n->kind == N_SEQ) keep_old(b->a, n);
    return n->kind == N_SEQ && n->nkids > 1 && !n->nlocals ? added(b->a, n) : n;
}

Region *pass_arms(Normal *m, Region *r) {
    if (m->c->traps) return r; // an overflow in between would count
    Rebuild b = {.a = m->a, .node = joined};
    return region_with(m, r, rebuild_node(&b, r->root));
}
