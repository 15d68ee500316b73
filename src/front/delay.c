// SPDX-License-Identifier: MIT
// delay.c -- wrap-around scalars: what an iteration finds in them, the one before computed.
//
//   for (i = lo; i < hi; i++) {          for (i = lo; i < hi; i++) {
//       a[i] = b[i] + x;                     float was;
//       x = b[i];                   →        if (i == lo) was = x; else was = b[i - 1];
//   }                                        a[i] = b[i] + was;
//                                        }
//                                        if (lo < hi) x = b[hi - 1];      (if somebody reads it)
//
// What leads to the new value is computed once more, a statement at a time, so with the same bits; it may
// read nothing that the loop writes but scalars that it computes itself. Of several scalars, each of which
// hands its value on to the next, one is solved after the other.
#include "front/normal.h"

enum { MOST_NODES = 40 }; // of what is computed once more

typedef struct Delay {
    Normal *m;
    Arena *a;
    const Region *region;
    Node *loop;
    const Array *v;
    int last;                  // the child of the body that writes v
    Node *slice;               // what of the body leads to v's new value
    ArrayVec mine;             // scalars that the slice writes…
    VEC(const Array *) copy;   // …and where a copy of it does
    Expr *at;                  // the iteration of the copy
} Delay;

// ---- what leads to the value ---------------------------------------------------------------------
static int size_of(const Node *slice) {
    int size = 0;
    node_each(n, slice) {
        bool plain = n->kind != N_STMT || (n->stmt->op == OP_SET && !n->stmt->lhs->rank && !n->stmt->atomic);
        if (n->kind == N_FOR || n->kind == N_BARRIER || !plain) size += MOST_NODES;
        if (n->kind == N_IF || n->kind == N_STMT) size += expr_size(n->kind == N_IF ? n->cond : n->stmt->rhs);
    }
    return size;
}

static bool reads_any_of(Node *n, const ArrayVec *v) {
    for (int k = 0; k < v->n; k++)
        if (node_reads(n, v->at[k])) return true;
    return false;
}

static bool may_read(Node *n, const Array *v) {
    if (!n) return false;
    if (n->kind == N_STMT) return expr_may_read(n->stmt->rhs, v);
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++)
        if (may_read(n->kids[k], v)) return true;
    return n->kind == N_IF && (expr_may_read(n->cond, v) || may_read(n->then, v) || may_read(n->other, v));
}

// The children of the body before v's that compute what it is made of. False: that can't be computed
// elsewhere.
static bool find_slice(Delay *d) {
    Node **kids = NEW_N(d->a, Node *, d->last + 1);
    int first = d->last + 1;
    for (int k = d->last; k >= 0; k--) {
        bool needed = k == d->last;
        ArrayVec here = node_written(d->a, d->loop->body->kids[k]);
        for (int j = first; j <= d->last && !needed; j++) needed = reads_any_of(kids[j], &here);
        if (needed) kids[--first] = d->loop->body->kids[k];
    }
    d->slice = node_seq(d->a, d->last + 1 - first, kids + first);
    if (size_of(d->slice) > MOST_NODES) return false;
    d->mine = node_written(d->a, d->slice);
    ArrayVec written = node_written(d->a, d->loop->body);
    for (int k = 0; k < written.n; k++) {
        bool own = has_array(&d->mine, written.at[k]);
        if (own ? node_exposed(d->a, d->slice, written.at[k]) : may_read(d->slice, written.at[k]))
            return false;
    }
    return true;
}

// ---- the copy ------------------------------------------------------------------------------------------
static const Array *in_copy(Rebuild *b, const Array *x) {
    const Delay *d = b->self;
    for (int k = 0; k < d->mine.n; k++)
        if (d->mine.at[k] == x) return d->copy.at[k];
    return x;
}

static Expr *at_iteration(Rebuild *b, Expr *x) {
    const Delay *d = b->self;
    return x->kind == E_SYM && x->sym == d->loop->iter ? d->at : x;
}

static Node *without_locals(Rebuild *b, Node *n) {
    (void)b;
    n->nlocals = 0;
    return n;
}

// The slice as iteration `at` ran it, with scalars of its own; v's value goes to `result`.
static Node *copy_of_slice(Delay *d, Expr *at, const Array *result) {
    Rebuild b = {.a = d->a, .array = in_copy, .expr = at_iteration, .node = without_locals, .self = d};
    VEC(const Array *) locals = {0};
    d->at = at;
    d->copy.n = 0;
    for (int k = 0; k < d->mine.n; k++) {
        const Array *x = d->mine.at[k] == d->v ? result : local_copy(d->m, d->mine.at[k]);
        vec_push(d->a, &d->copy, x);
        if (x != result) vec_push(d->a, &locals, x);
    }
    Node *n = node_clone(d->a, rebuild_node(&b, d->slice));
    n->locals = locals.at;
    n->nlocals = locals.n;
    return n;
}

static Node *set(Delay *d, const Array *to, const Array *from) {
    Stmt *t = NEW(d->a, Stmt);
    *t = (Stmt){.loc = d->loop->loc, .lhs = to, .op = OP_SET, .rhs = expr_load(d->a, from, NULL)};
    return stmt_leaf(d->a, t);
}

typedef struct Rename {
    const Array *from, *to;
} Rename;

static const Array *renamed(Rebuild *b, const Array *x) {
    const Rename *r = b->self;
    return x == r->from ? r->to : x;
}

// The body with the value of the iteration before in `was`, and this one's in a scalar of its own.
static Node *new_body(Delay *d, const Array *was) {
    const Node *old = d->loop->body;
    Node *n = node_clone(d->a, old);
    const Array *now = local_copy(d->m, d->v), **locals = NEW_N(d->a, const Array *, old->nlocals + 2);
    Expr *i = expr_sym(d->a, d->loop->iter);
    Expr *before = expr_sub(d->a, i, expr_int(d->a, i->type, d->loop->step));
    Expr *first = expr_op(d->a, OP_EQ, i, expr_cast(d->a, i->type, d->loop->lo), NULL);
    for (int k = 0; k < old->nlocals; k++) locals[k] = old->locals[k];
    n->locals = locals;
    locals[n->nlocals++] = was;
    locals[n->nlocals++] = now;
    n->kids = NEW_N(d->a, Node *, old->nkids + 1);
    n->kids[0] = node_if(d->a, first, set(d, was, d->v), copy_of_slice(d, before, was));
    for (int k = 0; k < old->nkids; k++) {
        Rename r = {d->v, k < d->last ? was : now};
        Rebuild b = {.a = d->a, .array = renamed, .self = &r};
        n->kids[k + 1] = rebuild_node(&b, old->kids[k]);
    }
    n->nkids++;
    return n;
}

// ---- the pass -------------------------------------------------------------------------------
// Is v written in each iteration, by one child of the body, and read only before that?
static bool wraps_around(Delay *d) {
    const Node *body = d->loop->body;
    int writers = 0;
    for (int k = 0; k < body->nlocals; k++)
        if (body->locals[k] == d->v) return false;
    for (int k = 0; k < body->nkids; k++)
        if (node_writes(body->kids[k], d->v)) writers++, d->last = k;
    return writers == 1 && node_exposed(d->a, d->loop->body, d->v) &&
           node_certainly_writes(d->a, body->kids[d->last], d->v);
}

// Does something outside of the loop read v, or a loop around run this one again?
static bool is_seen(const Delay *d, Node *n) {
    if (!n) return false;
    if (n->kind == N_FOR) return n->iter != d->loop->iter && node_reads(n, d->v);
    if (n->kind == N_IF) return expr_reads(n->cond, d->v) || is_seen(d, n->then) || is_seen(d, n->other);
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++)
        if (is_seen(d, n->kids[k])) return true;
    return n->kind == N_STMT && stmt_reads(n->stmt, d->v);
}

static Node *last_value(Delay *d) {
    const Node *l = d->loop;
    const Array *end = local_copy(d->m, d->v);
    Node *both[] = {copy_of_slice(d, loop_last(d->a, l), end), set(d, d->v, end)};
    Node *n = node_seq(d->a, 2, both);
    n->locals = NEW_N(d->a, const Array *, 1);
    n->locals[n->nlocals++] = end;
    return node_if(d->a, expr_op(d->a, l->step > 0 ? OP_LT : OP_GT, l->lo, l->hi, NULL), n, NULL);
}

// Behind the loop its last value is assigned; *out: that, or NULL.
static bool solve_one(Delay *d, const Array *v, Node **out) {
    d->v = v;
    if (v->rank || !wraps_around(d) || !find_slice(d)) return false;
    *out = v->live_out || v->place != PLACE_USER || is_seen(d, d->region->root) ? last_value(d) : NULL;
    Node *loop = node_clone(d->a, d->loop);
    loop->body = new_body(d, local_copy(d->m, v));
    d->loop = loop;
    return true;
}

static Node *solve(Rebuild *b, Node *n) {
    Delay *d = b->self;
    if (n->kind != N_FOR || n->body->kind != N_SEQ || loop_is_unbounded(n)) return n;
    Node *last, *ends = NULL; // the last values: a scalar's before that of one it is made of
    ArrayVec written = node_written(b->a, n->body);
    d->loop = n;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < written.n; k++) {
            if (!solve_one(d, written.at[k], &last)) continue;
            ends = seq_join(b->a, last, ends);
            more = true;
        }
    }
    return seq_join(b->a, d->loop, ends);
}

Region *pass_delay(Normal *m, Region *r) {
    Delay d = {.m = m, .a = m->a, .region = r};
    Rebuild b = {.a = m->a, .node = solve, .self = &d};
    return region_with(m, r, rebuild_node(&b, r->root));
}
