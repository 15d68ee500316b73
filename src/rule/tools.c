// SPDX-License-Identifier: MIT
// tools.c -- loop chains, fresh names, trip counts: what every rule needs.
#include "rule/rule.h"

// ---- names, and those that the region does not have ---------------------------------------------

Node *loop_named(Node *root, const char *name) {
    node_each(n, root)
        if (n->kind == N_FOR && str_eq(n->iter->name, name)) return n;
    return NULL;
}

Node *kernel_named(Node *root, const char *name) {
    node_each(n, root)
        if (n->kind == N_KERNEL && str_eq(n->name, name)) return n;
    return NULL;
}

Node *block_declaring(Node *root, const Array *x) {
    Node *block = NULL;
    node_each(n, root)
        for (int i = 0; i < n->nlocals; i++)
            if (n->locals[i] == x) block = n;
    return block;
}

bool tree_names(Node *root, const char *name) {
    node_each(n, root) {
        if (n->kind == N_FOR && str_eq(n->iter->name, name)) return true;
        if (n->kind == N_KERNEL && str_eq(n->name, name)) return true;
        for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
            if (str_eq(n->locals[i]->name, name)) return true;
    }
    return false;
}

bool region_names(const Region *r, const char *name) {
    for (int i = 0; i < r->nparams; i++)
        if (str_eq(r->params[i]->name, name)) return true;
    for (int i = 0; i < r->narrays; i++)
        if (str_eq(r->arrays[i]->name, name) || str_eq(r->arrays[i]->object, name)) return true;
    return tree_names(r->root, name);
}

const char *name_fresh(Names *n, const char *stem) {
    const char *name;
    do name = arena_printf(n->arena, "%s_%d", stem, n->next++);
    while ((n->region && region_names(n->region, name)) || (n->tree && tree_names(n->tree, name)));
    return name;
}

const Sym *iter_fresh(Names *n, const char *stem, Type t) {
    Sym *s = NEW_AS(n->arena, Sym, (Sym){name_fresh(n, stem), SYM_ITER, t, NULL});
    return s;
}

Node *unwrap(Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1 && n->nlocals == 0) n = n->kids[0];
    return n;
}

Node *in_loops(Arena *a, int n, const Node *const *loop, Node *body) {
    for (int i = n - 1; i >= 0; i--) body = node_around(a, loop[i], body);
    return body;
}

Chain chain_of(Node *loop) {
    Node *at = unwrap(loop);
    Chain c = {.body = at};
    while (at && at->kind == N_FOR && c.n < 16) {
        c.loop[c.n++] = at;
        c.body = at->body;
        at = unwrap(at->body);
    }
    return c;
}

Node *chain_rebuild(Names *names, const Chain *c, Node *body) {
    Arena *a = names->arena;
    const Sym *from[16];
    Expr *to[16];
    Node *loops[16];
    for (int i = 0; i < c->n; i++) {
        const Sym *fresh = iter_fresh(names, c->loop[i]->iter->name, c->loop[i]->iter->type);
        loops[i] = node_clone(a, c->loop[i]);
        loops[i]->iter = fresh;
        loops[i]->lo = expr_subst(a, loops[i]->lo, i, from, to);
        loops[i]->hi = expr_subst(a, loops[i]->hi, i, from, to);
        from[i] = c->loop[i]->iter;
        to[i] = expr_sym(a, fresh);
    }
    return in_loops(a, c->n, (const Node *const *)loops, node_subst(a, body, c->n, from, to));
}

Expr *loop_trips(Arena *a, const Node *loop) {
    Expr *from = loop->step > 0 ? loop->lo : loop->hi, *to = loop->step > 0 ? loop->hi : loop->lo;
    bool wraps = !type_is_signed(from->type) && !expr_is_int(from, 0); // the difference, where nothing runs
    Expr *span = expr_sub(a, wraps ? expr_op(a, OP_MAX, to, from, NULL) : to, from);
    int64_t step = loop->step > 0 ? loop->step : -loop->step;
    if (step == 1) return span;
    Expr *up = expr_add(a, span, expr_int(a, span->type, step - 1));
    return expr_op(a, OP_FDIV, up, expr_int(a, up->type, step), NULL);
}

Expr *loop_value(Arena *a, const Node *loop, Expr *number) {
    number = expr_cast(a, loop->lo->type, number);
    return expr_add(a, loop->lo, expr_mul(a, number, expr_int(a, loop->lo->type, loop->step)));
}

Expr *expr_narrow(Arena *a, Type t, Expr *x) {
    if (x->type == t) return x;
    if (x->kind == E_CAST && type_is_int(x->args[0]->type)) return expr_narrow(a, t, x->args[0]);
    bool ring = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL ||
                                    x->op == OP_NEG || x->op == OP_MIN || x->op == OP_MAX);
    if (!ring) return expr_cast(a, t, x);
    return expr_op(a, x->op, expr_narrow(a, t, x->args[0]),
                   x->nargs > 1 ? expr_narrow(a, t, x->args[1]) : NULL, NULL);
}

// ---- all accesses of one array below a node -----------------------------------------

typedef struct Scan {
    const Array *array;
    Expr **sub;   // what each access should name; NULL: only look for the array
    bool met;     // the array is accessed at all
    bool differs; // some access names another element
    Op op;        // what each access should update with
    bool other;   // some access does something else
} Scan;

static void scan_access(Scan *s, const Array *array, Expr *const *sub, Op op) {
    if (array != s->array) {
        if (arrays_may_overlap(array, s->array)) s->differs = true;
        return;
    }
    s->met = true;
    s->other = s->other || op != s->op;
    for (int d = 0; s->sub && d < array->rank; d++)
        if (!expr_equal(sub[d], s->sub[d])) s->differs = true;
}

static Scan scanned(Arena *a, Node *root, const Array *array, Expr **sub, Op op) {
    Scan s = {.array = array, .sub = sub, .op = op};
    node_each(n, root) {
        AccessVec acc = node_touches(a, n);
        for (int k = 0; k < acc.n; k++)
            scan_access(&s, acc.at[k].array, acc.at[k].sub,
                        !acc.at[k].write ? OP_SET : n->kind == N_STMT ? n->stmt->op : n->op);
    }
    return s;
}

bool node_uses_array(Arena *a, Node *root, const Array *array) {
    return scanned(a, root, array, NULL, OP_SET).met;
}

bool node_touches_only(Arena *a, Node *root, const Array *array, Expr **sub) {
    return !scanned(a, root, array, sub, OP_SET).differs;
}

bool node_only_updates(Arena *a, Node *root, const Array *array, Expr **sub, Op op) {
    Scan s = scanned(a, root, array, sub, op);
    return !s.differs && !s.other;
}
