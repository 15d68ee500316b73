// SPDX-License-Identifier: MIT
// both.c -- an element that both branches of a condition set last is set behind it.
//
//   if (a[i] == b[j])  d[i][j] = x;           int t;
//   else { …  d[i][j] = y; }            →     if (a[i] == b[j])  t = x;  else { …  t = y; }
//                                             d[i][j] = t;
//
// Data decide which branch runs, so of neither is it known that it writes; of the statement behind it is.
#include "front/normal.h"

typedef struct Both {
    Normal *m;
    bool some;
} Both;

static const Stmt *last_of(const Node *n) {
    while (n && n->kind == N_SEQ) n = n->nkids ? n->kids[n->nkids - 1] : NULL;
    bool sets = n && n->kind == N_STMT && n->stmt->op == OP_SET && !n->stmt->atomic;
    return sets && n->stmt->lhs->place == PLACE_USER && n->stmt->lhs->rank ? n->stmt : NULL;
}

static bool is_same_element(const Stmt *x, const Stmt *y) {
    if (x->lhs != y->lhs) return false;
    for (int d = 0; d < x->lhs->rank; d++)
        if (expr_has_load(x->sub[d]) || !expr_equal(x->sub[d], y->sub[d])) return false;
    return true;
}

// The branch with its last statement setting t.
static Node *setting(Arena *a, const Node *n, const Array *t) {
    if (n->kind == N_STMT) {
        Stmt *s = NEW_AS(a, Stmt, *n->stmt);
        s->lhs = t, s->rhs = expr_cast(a, t->elem, s->rhs), s->moved = (Moved){0};
        return stmt_leaf(a, s);
    }
    Node *m = node_clone(a, n);
    m->kids = NEW_N(a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) m->kids[i] = n->kids[i];
    m->kids[n->nkids - 1] = setting(a, n->kids[n->nkids - 1], t);
    return m;
}

static Node *set_behind(Rebuild *b, Node *n) {
    Both *k = b->self;
    bool choice = n->kind == N_IF && n->other && expr_has_load(n->cond);
    const Stmt *x = choice ? last_of(n->then) : NULL, *y = choice ? last_of(n->other) : NULL;
    if (!x || !y || !is_same_element(x, y)) return n;
    Array *t = array_new(b->a, name_new(k->m, y->lhs->name), y->lhs->elem, PLACE_LOCAL, 0);
    t->source = y->lhs->source; // as messages call it
    Stmt *set = NEW_AS(b->a, Stmt, *y);
    set->rhs = expr_load(b->a, t, NULL);
    Node *m = node_clone(b->a, n);
    m->then = setting(b->a, n->then, t);
    m->other = setting(b->a, n->other, t);
    k->some = true;
    return seq_declare(b->a, node_seq(b->a, 2, (Node *[]){m, stmt_leaf(b->a, set)}), t);
}

Region *pass_both(Normal *m, Region *r) {
    Both k = {.m = m};
    Rebuild b = {.a = m->a, .node = set_behind, .self = &k};
    Node *root = rebuild_node(&b, r->root);
    return k.some ? region_with(m, r, root) : r;
}
