// SPDX-License-Identifier: MIT
// offset.c -- private integers that differ between threads by a fixed amount alone.
//
//   at = 64 * bx + tx;                     at = 64 * bx;
//   do { … b[at] …; at += pitch; }    →    do { … b[at + tx] …; at += pitch; }
//   while (at < 64 * bx + tx + last);      while (at < 64 * bx + last);
//
// Every assignment gives the variable the same part that depends on the thread, and every update adds
// what is the same for all: then that part is taken out, and what is left is the block's. Pointers
// that walk are such integers.
#include "kernel/vary.h"

typedef struct Offset {
    Arena *a;
    const Vary *vary;
    const Array *var;      // being looked at
    Expr *part;            // what its assignments have in common; NULL: none yet
} Offset;

// ---- sums of one type ------------------------------------------------------------------------
static Expr *widened(Arena *a, Expr *x, Type t) {
    bool sum =
        x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL) && type_is_signed(x->type);
    if (!sum || type_size(x->type) > type_size(t)) return expr_cast(a, t, x);
    return expr_op(a, x->op, widened(a, x->args[0], t), widened(a, x->args[1], t), NULL);
}

// (long)(i + j) is (long)i + (long)j: sums of ints do not overflow.
static Expr *widen(Rebuild *b, Expr *x) {
    bool wider = x->kind == E_CAST && x->type == T_I64 && x->args[0]->type == T_I32;
    return wider ? widened(b->a, x->args[0], x->type) : x;
}

// ---- parts ---------------------------------------------------------------------------------
// The terms of x in which a thread's number stands, as an expression; *rest: the others.
static Expr *thread_part(Offset *o, Expr *x, Expr **rest) {
    Sums k = {.a = o->a};
    Rebuild b = {.a = o->a, .expr = widen, .self = o};
    Sum *s = sum_of(&k, rebuild_expr(&b, x)), *with = sum_int(&k, 0), *without = sum_int(&k, 0);
    for (int i = 0; i < s->n; i++) {
        Sum *one = NEW(o->a, Sum);
        *one = (Sum){1, &s->t[i]};
        Expr *e = sum_expr(&k, one, x->type);
        bool own = vary_expr(o->vary, e);
        if (own && expr_has_load(e)) return NULL;
        *(own ? &with : &without) = sum_add(&k, own ? with : without, one, 1);
    }
    *rest = sum_expr(&k, without, x->type);
    return sum_expr(&k, with, x->type);
}

static bool same_part(Offset *o, const Expr *x, const Expr *y) {
    int64_t d;
    return expr_equal(x, y) || (expr_difference(o->a, x, y, &d) && d == 0);
}

// Have all of the variable's assignments the same part?
static bool have_part(Offset *o, const Node *body) {
    o->part = NULL;
    node_each(n, body) {
        if (n->kind != N_STMT || n->stmt->lhs != o->var) continue;
        const Stmt *s = n->stmt;
        if (s->op == OP_ADD && !vary_expr(o->vary, s->rhs)) continue;
        Expr *rest, *part = s->op == OP_SET ? thread_part(o, s->rhs, &rest) : NULL;
        if (!part || (o->part && !same_part(o, o->part, part))) return false;
        o->part = part;
    }
    return o->part != NULL;
}

// ---- taking it out ---------------------------------------------------------------------------
static Expr *add_part(Rebuild *b, Expr *x) {
    Offset *o = b->self;
    if (x->kind != E_LOAD || x->array != o->var) return x;
    return expr_add(o->a, x, o->part);
}

static Stmt *take_part(Rebuild *b, Stmt *s) {
    Offset *o = b->self;
    Expr *rest;
    if (s->lhs != o->var || s->op != OP_SET) return s;
    if (thread_part(o, s->rhs, &rest)) s->rhs = rest;
    return s;
}

bool vary_cancels(const Vary *v, const Expr *x, Expr **left, Expr **right) {
    bool compares = x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE && type_is_int(x->args[0]->type) &&
                    type_is_signed(x->args[0]->type);
    if (!compares) return false;
    Offset o = {.a = v->a, .vary = v};
    Expr *p = thread_part(&o, x->args[0], left), *q = p ? thread_part(&o, x->args[1], right) : NULL;
    return q && same_part(&o, p, q);
}

// x < y where both have the same part.
static Expr *cancel(Rebuild *b, Expr *x) {
    Offset *o = b->self;
    Expr *l, *r;
    bool both = x->kind == E_OP && x->nargs == 2 && vary_uses_thread(o->vary, x->args[0]) &&
                vary_uses_thread(o->vary, x->args[1]);
    return both && vary_cancels(o->vary, x, &l, &r) ? expr_op(o->a, x->op, l, r, NULL) : x;
}

static bool is_candidate(const Array *v) {
    return v->rank == 0 && v->place == PLACE_LOCAL && type_is_int(v->elem) && type_is_signed(v->elem) &&
           type_size(v->elem) >= 4;
}

Node *vary_take_offsets(Vary *v, Node *body) {
    ArrayVec all = v->arrays;
    bool any = false;
    Offset o = {.a = v->a, .vary = v};
    for (int i = 0; i < all.n; i++) {
        o.var = all.at[i];
        if (!is_candidate(o.var) || !have_part(&o, body)) continue;
        Rebuild b = {.a = v->a, .expr = add_part, .stmt = take_part, .self = &o};
        body = rebuild_node(&b, body);
        any = true;
    }
    if (!any) return body;
    vary_start(v, v->a, v->nthread, v->thread, body);
    Rebuild b = {.a = v->a, .expr = cancel, .self = &o};
    body = rebuild_node(&b, body);
    vary_start(v, v->a, v->nthread, v->thread, body);
    return body;
}
