// SPDX-License-Identifier: MIT
// interp_code.c -- compiles a tree for the interpreter
#include "ir/interp.h"

static Code *code(Interp *in, const Expr *x);

static int slot_new(Interp *in, const Sym *s) {
    Value zero = {.i = 0};
    vec_push(in->arena, &in->slots, zero);
    vec_push(in->arena, &in->syms, s);
    return in->slots.n - 1;
}

int interp_slot(Interp *in, const Sym *s) {
    for (int k = 0; k < in->syms.n; k++)
        if (in->syms.at[k] == s) return k;
    return slot_new(in, s);
}

// A counter of the statement being compiled is one of its own slots.
static int slot_of(Interp *in, const Sym *s) {
    const Stmt *st = in->node ? in->node->stmt : NULL;
    for (int k = 0; st && k < st->depth; k++)
        if (st->iters[k] == s) return in->first + k;
    return interp_slot(in, s);
}

static Code **codes(Interp *in, Expr *const *x, int n) {
    if (!n || !x) return NULL;
    Code **out = NEW_N(in->arena, Code *, n);
    for (int k = 0; k < n; k++) out[k] = x[k] ? code(in, x[k]) : NULL;
    return out;
}

// Shapes are no text of a statement: their symbols are those of the tree.
static Store *store_of(Interp *in, const Array *a) {
    for (int k = 0; k < in->stores.n; k++)
        if (in->stores.at[k]->array == a) return in->stores.at[k];
    const Node *node = in->node;
    in->node = NULL;
    Store *s = NEW(in->arena, Store);
    vec_push(in->arena, &in->stores, s);
    s->array = a;
    s->elem = a->elem;
    s->rank = a->rank;
    s->stride = a->stride;
    s->offset = a->offset;
    s->extent = NEW_N(in->arena, int64_t, a->rank);
    s->origin = NEW_N(in->arena, int64_t, a->rank);
    s->extents = a->rank ? codes(in, a->extent, a->rank) : NULL;
    s->origins = codes(in, a->origin, a->rank);
    in->node = node;
    return s;
}

// The memory that the next access of the statement goes to, and the subscripts in it: those
// of the statement's text, or those that the node gives, which are in the tree's counters.
static Store *accessed(Interp *in, const Array *a, Expr *const *sub, Code ***subs) {
    const Node *node = in->node;
    int k = node ? in->access++ : 0;
    const Array *via = node && k < node->nvia ? node->via[k] : NULL;
    if (!via || !node->via_sub || !node->via_sub[k]) {
        *subs = codes(in, sub, a->rank);
        return store_of(in, via ? via : a);
    }
    for (int d = 0; d < a->rank; d++) in->access += expr_loads(sub[d]);
    in->node = NULL;
    *subs = codes(in, node->via_sub[k], via->rank);
    in->node = node;
    return store_of(in, via);
}

static Code *code(Interp *in, const Expr *x) {
    Code *c = NEW(in->arena, Code);
    c->kind = x->kind;
    c->type = x->type;
    c->op = x->op;
    c->loc = x->loc;
    c->nargs = x->nargs;
    if (x->nargs) c->from = x->args[0]->type;
    if (x->kind == E_INT) c->literal.i = x->i;
    if (x->kind == E_FLOAT) c->literal.f = x->f;
    if (x->kind == E_SYM) c->slot = slot_of(in, x->sym);
    if (x->kind == E_CALL) {
        const MathFn *fn = math_find(x->fn, x->type);
        if (fn && math_takes(fn, x->nargs, x->args)) c->fn = fn;
        if (!c->fn) c->nargs = 0;
    }
    if (x->kind == E_LOAD) c->store = accessed(in, x->array, x->args, &c->args);
    else c->args = codes(in, x->args, x->nargs);
    return c;
}

// x in the type of the element that it goes to.
static Code *source(Interp *in, const Expr *x, Type t) {
    Code *c = code(in, x);
    if (x->type == t) return c;
    Code *cast = NEW_AS(in->arena, Code, (Code){.kind = E_CAST, .type = t, .from = x->type, .nargs = 1});
    cast->args = NEW(in->arena, Code *);
    cast->args[0] = c;
    return cast;
}

static void compile_stmt(Interp *in, Act *a, const Node *n) {
    const Stmt *s = n->stmt;
    a->nat = s->depth;
    a->at = NEW_N(in->arena, Code *, s->depth);
    for (int k = 0; k < s->depth; k++) a->at[k] = source(in, n->at[k], s->iters[k]->type);
    a->slot = in->slots.n;
    for (int k = 0; k < s->depth; k++) slot_new(in, NULL);
    if (s->depth > in->deepest) in->deepest = s->depth;
    in->node = n;
    in->first = a->slot;
    in->access = 0;
    a->dst = accessed(in, s->lhs, s->sub, &a->sub);
    a->op = s->op;
    a->src = source(in, form_rhs(in->arena, n), s->lhs->elem);
    a->fused = s->fused && s->op == OP_ADD && a->src->kind == E_OP && a->src->op == OP_MUL;
    in->node = NULL;
}

static void compile_copy(Interp *in, Act *a, const Node *n) {
    a->op = n->op;
    if (!n->dst) {
        a->src = code(in, n->src);
        return;
    }
    a->dst = store_of(in, n->dst);
    a->sub = codes(in, n->sub, n->dst->rank);
    a->src = source(in, n->src, n->dst->elem);
}

static void compile_seq(Interp *in, Act *a, const Node *n) {
    a->nlocals = n->nlocals;
    a->locals = NEW_N(in->arena, Store *, n->nlocals);
    for (int k = 0; k < n->nlocals; k++) {
        a->locals[k] = store_of(in, n->locals[k]);
        a->locals[k]->owned = true;
    }
    a->nkids = n->nkids;
    a->kids = NEW_N(in->arena, Act *, n->nkids);
    for (int k = 0; k < n->nkids; k++) a->kids[k] = interp_compile(in, n->kids[k]);
}

Act *interp_compile(Interp *in, const Node *n) {
    if (!n) return NULL;
    Act *a = NEW(in->arena, Act);
    a->kind = n->kind;
    a->node = n;
    switch (n->kind) {
    case N_SEQ: compile_seq(in, a, n); break;
    case N_FOR:
        a->slot = interp_slot(in, n->iter);
        a->type = n->iter->type;
        a->step = n->step;
        a->lo = source(in, n->lo, a->type);
        a->hi = source(in, n->hi, a->type);
        a->body = interp_compile(in, n->body);
        if (loop_while(n)) a->cond = code(in, loop_while(n)->cond);
        break;
    case N_IF:
        a->cond = code(in, n->cond);
        a->body = interp_compile(in, n->then);
        a->other = interp_compile(in, n->other);
        break;
    case N_KERNEL: a->body = interp_compile(in, n->body); break;
    case N_BARRIER: break;
    case N_STMT: compile_stmt(in, a, n); break;
    case N_COPY: compile_copy(in, a, n); break;
    }
    return a;
}
