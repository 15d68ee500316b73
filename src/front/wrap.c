// SPDX-License-Identifier: MIT
// wrap.c -- signed arithmetic of programs that say what happens when it overflows.
//
//   -fwrapv   a[i] = x * 31 + b[i];   →   a[i] = (int)((unsigned)(int)((unsigned)x * 31u) + (unsigned)b[i]);
//             updates wrap anyway
//   -ftrapv   whatever may overflow stays on the host
//
// Counters, bounds and subscripts stay as they are: the region is left when one leaves its type.
#include "front/normal.h"

typedef struct Wrapping {
    Normal *m;
    bool found;  // something that can't be said in unsigned arithmetic,
    Loc loc;     // there
} Wrapping;

static bool may_overflow(Op op, Type t) {
    return type_is_signed(t) && type_size(t) >= 4 &&
           (op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_NEG);
}

// The same value, and no operation that C leaves open. Subscripts are left alone.
static Expr *wrapped(Arena *a, Expr *x) {
    if (x->kind == E_LOAD || !x->nargs) return x;
    Expr **args = NEW_N(a, Expr *, x->nargs + 1);
    bool open = x->kind == E_OP && may_overflow(x->op, x->type), changed = open;
    for (int k = 0; k < x->nargs; k++) {
        args[k] = wrapped(a, x->args[k]);
        changed |= args[k] != x->args[k];
        if (open) args[k] = expr_cast(a, x->type == T_I64 ? T_U64 : T_U32, args[k]);
    }
    if (!changed) return x;
    return open ? expr_cast(a, x->type, expr_remake(a, x, args)) : expr_remake(a, x, args);
}

static Expr *checked(Wrapping *w, Expr *x, Loc loc) {
    Expr *y = wrapped(w->m->a, x);
    if (y != x && w->m->c->traps && !w->found) w->found = true, w->loc = loc;
    return y;
}

static Stmt *wrap_stmt(Rebuild *b, Stmt *s) {
    Wrapping *w = b->self;
    s->rhs = checked(w, s->rhs, s->loc);
    bool open = w->m->c->traps && may_overflow(s->op, s->lhs->elem);
    if (open && !w->found) w->found = true, w->loc = s->loc;
    return s;
}

static Node *wrap_node(Rebuild *b, Node *n) {
    if (n->kind == N_IF && expr_has_load(n->cond)) n->cond = checked(b->self, n->cond, n->loc);
    return n;
}

Region *pass_wrap(Normal *m, Region *r) {
    if (!m->c->wraps && !m->c->traps) return r;
    Wrapping w = {.m = m};
    Rebuild b = {.a = m->a, .stmt = wrap_stmt, .node = wrap_node, .self = &w};
    Node *root = rebuild_node(&b, r->root);
    if (!w.found) return region_with(m, r, root);
    diag(m->c, DIAG_REMARK, SC_EXPRESSION, w.loc,
         "stays on the host: what a signed operation does when it overflows is "
         "settled by an option (-ftrapv); an unsigned one is taken");
    return NULL;
}
