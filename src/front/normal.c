// SPDX-License-Identifier: MIT
// normal.c -- from the region as written to the one that is analysed: the passes in order.
#include "front/normal.h"

static void add_name(Normal *m, const char *name) { vec_push(m->a, &m->names, name); }

static void add_names(Normal *m, const Region *r) {
    for (int k = 0; k < r->nparams; k++) add_name(m, r->params[k]->name);
    for (int k = 0; k < r->narrays; k++) {
        add_name(m, r->arrays[k]->name);
        if (r->arrays[k]->object) add_name(m, r->arrays[k]->object);
    }
    node_each(n, r->root) {
        if (n->kind == N_FOR) add_name(m, n->iter->name);
        for (int k = 0; n->kind == N_SEQ && k < n->nlocals; k++) add_name(m, n->locals[k]->name);
    }
}

typedef Region *Pass(Normal *, Region *);

static Region *run(Normal *m, Region *raw, int n, Pass *const *passes) {
    add_names(m, raw);
    Region *r = region_with(m, raw, raw->root);
    for (int k = 0; r && k < n; k++) r = passes[k](m, r);
    return r;
}

// ---- size ----------------------------------------------------------------------------------
// Larger loops than anybody writes stay on the host: what reads a nest's text has bounds, and every pass its
// recursion.
enum { MOST_NODES = 20000, MOST_HEIGHT = 500, MOST_NESTING = 120 };

typedef struct Size {
    int nodes;       // of the expression
    bool high, deep; // too high an expression, too deep a nest
} Size;

static void measure_expr(Size *s, const Expr *x, int height) {
    s->high = s->high || height > MOST_HEIGHT || ++s->nodes > MOST_NODES;
    for (int k = 0; !s->high && k < x->nargs; k++) measure_expr(s, x->args[k], height + 1);
}

static void measure(Size *s, const Expr *x) {
    s->nodes = 0;
    if (x) measure_expr(s, x, 1);
}

static void measure_node(Size *s, const Node *n, int nesting) {
    s->deep = s->deep || nesting > MOST_NESTING;
    measure(s, n->kind == N_IF ? n->cond : NULL);
    measure(s, n->kind == N_FOR ? n->lo : NULL);
    measure(s, n->kind == N_FOR ? n->hi : NULL);
    if (n->kind == N_STMT) {
        measure(s, n->stmt->rhs);
        for (int d = 0; d < n->stmt->lhs->rank; d++) measure(s, n->stmt->sub[d]);
    }
    for (int k = 0; !s->deep && !s->high && node_kid(n, k); k++) measure_node(s, node_kid(n, k), nesting + 1);
}

static Region *pass_size(Normal *m, Region *r) {
    Size s = {0};
    measure_node(&s, r->root, 1);
    if (!s.deep && !s.high) return r;
    const char *what = s.deep ? "loops and conditions stand too deep in each other"
                              : "an expression is too large, as written or with what it is computed from";
    diag(m->c, DIAG_REMARK, s.deep ? SC_NOT_FOR : SC_EXPRESSION, r->loc, "stays on the host: %s", what);
    return NULL;
}

Region *normal_region(Compile *c, Region *raw, const Sections *told, Left *left) {
    static Pass *const passes[] = {
        pass_size,    pass_subst,  pass_digits,  pass_ring,    pass_left,   pass_limits, pass_record,
        pass_groups,  pass_shape,  pass_carry,   pass_delay,   pass_private, pass_keep_last,
        pass_sweeps,  pass_update, pass_fma,     pass_arms,    pass_columns, pass_both,
        pass_direct,  pass_recover, pass_forward, pass_chunks, pass_untile, pass_halves,
        pass_wrap,    pass_upward, pass_inspect, pass_size,
    };
    Normal m = {.c = c, .a = c->arena, .told = told, .left = left, .marked = raw->marked};
    return run(&m, raw, (int)(sizeof passes / sizeof *passes), passes);
}

Region *normal_kernel(Compile *c, Region *raw) {
    static Pass *const passes[] = {pass_subst, pass_private, pass_update};
    Normal m = {.c = c, .a = c->arena, .once = true};
    return run(&m, raw, (int)(sizeof passes / sizeof *passes), passes);
}
