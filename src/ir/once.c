// SPDX-License-Identifier: MIT
// once.c -- trees that are alike are one, so that what is known of a tree is known by its address.
//
// Whoever takes loops apart and puts them together again has made a new tree of what may be an old one. Of
// trees that are the same to the word, with the same counters, arrays and statements at the same places of
// the program, a compile has one.
#include "ir/ir.h"
#include <string.h>

static bool same_exprs(int n, Expr *const *x, Expr *const *y) {
    bool same = !x == !y;
    for (int i = 0; same && x && i < n; i++) same = expr_equal(x[i], y[i]);
    return same;
}

static bool same_pointers(int n, const void *x, const void *y) {
    return !n || memcmp(x, y, sizeof(void *) * (size_t)n) == 0;
}

static bool same_seq(const Node *x, const Node *y) {
    bool same = x->nkids == y->nkids && x->nlocals == y->nlocals;
    same = same && same_pointers(x->nlocals, x->locals, y->locals);
    for (int i = 0; same && i < x->nkids; i++) same = node_equal(x->kids[i], y->kids[i]);
    return same;
}

bool node_runs_alike(const Node *x, const Node *y) {
    return x == y || (x->iter == y->iter && x->step == y->step && x->mark == y->mark && x->how == y->how &&
                      expr_equal(x->lo, y->lo) && expr_equal(x->hi, y->hi));
}

static bool same_loop(const Node *x, const Node *y) {
    return node_runs_alike(x, y) && x->unroll == y->unroll && x->graph == y->graph &&
           x->matrix == y->matrix && node_equal(x->body, y->body);
}

static bool same_stmt(const Node *x, const Node *y) {
    bool same = x->stmt == y->stmt && x->atomic == y->atomic && x->forms == y->forms && x->nvia == y->nvia &&
                same_exprs(x->stmt->depth, x->at, y->at) && same_pointers(x->nvia, x->via, y->via) &&
                !x->via_sub == !y->via_sub;
    for (int k = 0; same && x->via_sub && k < x->nvia; k++)
        same = same_exprs(x->via[k] ? x->via[k]->rank : 0, x->via_sub[k], y->via_sub[k]);
    return same;
}

static bool same_copy(const Node *x, const Node *y) {
    return x->dst == y->dst && x->op == y->op && x->async == y->async && x->atomic == y->atomic &&
           x->forms == y->forms && same_exprs(x->dst->rank, x->sub, y->sub) && expr_equal(x->src, y->src);
}

// What few nodes have: these are one if they have one address.
static bool is_rare(const Node *n) {
    return n->kind == N_BARRIER || n->part || n->moved.bytes || n->nmoves || n->outline;
}

bool node_equal(const Node *x, const Node *y) {
    if (x == y) return true;
    if (!x || !y || x->kind != y->kind || is_rare(x) || is_rare(y)) return false;
    if (x->loc.line != y->loc.line || x->loc.col != y->loc.col || x->loc.file != y->loc.file) return false;
    switch (x->kind) {
    case N_SEQ: return same_seq(x, y);
    case N_FOR: return same_loop(x, y);
    case N_IF:
        return expr_equal(x->cond, y->cond) && node_equal(x->then, y->then) && node_equal(x->other, y->other);
    case N_STMT: return same_stmt(x, y);
    case N_COPY: return same_copy(x, y);
    case N_KERNEL:
        return str_eq(x->name, y->name) && x->min_blocks == y->min_blocks && x->streamed == y->streamed &&
               node_equal(x->body, y->body);
    case N_BARRIER: break;
    }
    return false;
}

// ---- all of them -------------------------------------------------------------------------------------
typedef struct Tree {
    Node *root;
    struct Tree *next;
} Tree;

enum { SLOTS = 1024 };
struct Trees {
    Tree *slot[SLOTS];
};

// Of what most nodes have that are not alike.
static uint64_t hash_of(const Node *n, uint64_t h) {
    const void *is[] = {n->iter, n->stmt, n->dst};
    h = hash_bytes(is, sizeof is, hash_bytes(&n->kind, sizeof n->kind, h));
    for (int i = 0; node_kid(n, i); i++) h = hash_of(node_kid(n, i), h);
    return h;
}

Node *node_once(Compile *c, Node *n) {
    if (!c->trees) {
        c->trees = NEW(c->arena, struct Trees);
        *c->trees = (struct Trees){0};
    }
    Tree **slot = &c->trees->slot[hash_of(n, 1) % SLOTS];
    for (const Tree *t = *slot; t; t = t->next)
        if (node_equal(t->root, n)) return t->root;
    *slot = NEW_AS(c->arena, Tree, (Tree){n, *slot});
    return n;
}
