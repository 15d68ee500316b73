// SPDX-License-Identifier: MIT
// strides.c -- a loop with the stride of the whole grid, where the grid is as large as the loop.
//
//   for t = 0 .. (i < n ? (n - i - 1) / (128 * grid) + 1 : 0)  { … i + 128 * grid * t … }
//     →   if (i < n) { … i … }        where n <= 128 * grid, as with a grid of (n + 127) / 128
//
// A quotient that is always 0 is one. Products of a counter and a size are no linear functions otherwise, but
// of a counter of few rounds. So is (i + 1) % n, of a row that goes round, i + 1 < n ? i + 1 : i + 1 - n.
#include "equal/pair.h"
#include "ir/poly.h"

typedef struct Strides {
    Compile *c;
    Arena *a;
    VEC(Node *) around;
    Expr *cond; // inside of the bound
    bool changed;
} Strides;

static bool is_int(const Expr *x, int64_t v) { return x->kind == E_INT && x->i == v; }

// Is 0 <= x < times * y, wherever it is asked?
static bool always_below(Strides *g, Expr *x, Expr *y, int64_t times) {
    Expr *zero = expr_int(g->a, x->type, 0);
    if (times > 1) y = expr_mul(g->a, y, expr_int(g->a, y->type, times));
    Expr *in =
        expr_op(g->a, OP_LAND, expr_op(g->a, OP_GE, x, zero, NULL), expr_op(g->a, OP_LT, x, y, NULL), NULL);
    Node *inner = NEW(g->a, Node);
    *inner = (Node){.kind = N_IF, .cond = g->cond};
    if (g->cond) vec_push(g->a, &g->around, inner);
    bool always = poly_always(g->c, g->around.n, g->around.at, in);
    g->around.n -= g->cond != NULL;
    return always;
}

static Expr *quotients(Strides *g, Expr *x) {
    bool by = x->kind == E_OP && (x->op == OP_DIV || x->op == OP_FDIV) && x->args[1]->kind != E_INT;
    if (by && always_below(g, x->args[0], x->args[1], 1))
        return g->changed = true, expr_int(g->a, x->type, 0);
    if (x->kind != E_OP || !x->nargs) return x;
    Expr **args = NEW_N(g->a, Expr *, x->nargs + 1);
    for (int i = 0; i < x->nargs; i++) {
        bool chosen = x->op == OP_SELECT && i == 1 && !g->cond;
        if (chosen) g->cond = x->args[0];
        args[i] = quotients(g, x->args[i]);
        if (chosen) g->cond = NULL;
    }
    return expr_op(g->a, x->op, args[0], x->nargs > 1 ? args[1] : NULL, x->nargs > 2 ? args[2] : NULL);
}

enum { FEW = 8 };

// The loop of few rounds whose counter is the only one in x; NULL: there is another, or a size.
static const Node *few_rounds(const Strides *g, const Expr *x) {
    const Node *loop = NULL;
    expr_each(y, x) {
        if (y->kind == E_LOAD || y->kind == E_CALL) return NULL;
        if (y->kind != E_SYM) continue;
        const Node *l = NULL;
        for (int i = 0; i < g->around.n; i++) {
            const Node *n = g->around.at[i];
            if (n->kind == N_FOR && n->iter == y->sym && is_int(n->lo, 0) && n->hi->kind == E_INT &&
                n->hi->i > 0 && n->hi->i <= FEW)
                l = n;
        }
        if (!l || (loop && loop != l)) return NULL;
        loop = l;
    }
    return loop;
}

static bool is_counter(const Expr *x) {
    return x->kind == E_LOAD || x->kind == E_CALL || (x->kind == E_SYM && x->sym->kind == SYM_ITER);
}

// z * size, with z = 0 .. 4: a choice of 0, size, 2 * size, 3 * size, which are linear.
static Expr *few_times(Strides *g, Expr *x) {
    for (int k = 0; x->kind == E_OP && x->op == OP_MUL && type_is_int(x->type) && k < 2; k++) {
        const Node *loop = few_rounds(g, x->args[k]);
        if (!loop || x->args[1 - k]->kind == E_INT || expr_any(x->args[1 - k], is_counter)) continue;
        Expr *out = NULL;
        for (int64_t v = loop->hi->i - 1; v >= 0; v--) {
            InterpVal at = {loop->iter, v, 0};
            int64_t times;
            if (!ir_eval(x->args[k], 1, &at, &times)) return x;
            Expr *y = expr_mul(g->a, x->args[1 - k], expr_int(g->a, x->type, times));
            Expr *is =
                expr_op(g->a, OP_EQ, expr_sym(g->a, loop->iter), expr_int(g->a, loop->iter->type, v), NULL);
            out = out ? expr_op(g->a, OP_SELECT, is, y, out) : y;
        }
        return out;
    }
    return x;
}

static Expr *few(Expr *x, void *arg) {
    Strides *g = arg;
    return x ? few_times(g, expr_map(g->a, x, few, arg)) : NULL;
}

// x % n where 0 <= x < 2 n
static Expr *around(Expr *x, void *arg) {
    Strides *g = arg;
    Expr *y = x ? expr_map(g->a, x, around, arg) : NULL;
    bool by =
        y && y->kind == E_OP && (y->op == OP_MOD || y->op == OP_FMOD || y->op == OP_DIV || y->op == OP_FDIV);
    if (!by || y->args[1]->kind == E_INT || !type_is_int(y->type) || expr_has_load(y)) return y;
    Expr *n = y->args[1], *at = y->args[0], *zero = expr_int(g->a, y->type, 0),
         *one = expr_int(g->a, y->type, 1);
    bool rest = y->op == OP_MOD || y->op == OP_FMOD;
    if (always_below(g, at, n, 1)) return rest ? at : zero;
    if (!always_below(g, at, n, 2)) return y;
    Expr *below = expr_op(g->a, OP_LT, at, n, NULL);
    return expr_op(g->a, OP_SELECT, below, rest ? at : zero, rest ? expr_sub(g->a, at, n) : one);
}

static Node *strides(Node *n, void *arg) {
    Strides *g = arg;
    bool inside = n->kind == N_FOR || (n->kind == N_IF && !n->other);
    Node *m = n;
    if (n->kind == N_FOR && !is_parallel(n) && is_int(n->lo, 0) && n->step == 1) {
        g->changed = false;
        Expr *hi = quotients(g, n->hi);
        bool once = g->changed && hi->kind == E_OP && hi->op == OP_SELECT && is_int(hi->args[1], 1) &&
                    is_int(hi->args[2], 0);
        if (once) {
            m = NEW(g->a, Node);
            *m = (Node){.kind = N_IF, .loc = n->loc, .cond = hi->args[0]};
            m->then = equal_with_value(g->a, n->body, n->iter, n->lo);
            inside = true;
        }
    }
    if (m->kind != N_FOR) m = node_map_exprs(g->a, m, around, g);
    m = node_map_exprs(g->a, m, few, g);
    if (inside) vec_push(g->a, &g->around, m);
    Node *out = node_map(g->a, m, strides, arg);
    g->around.n -= inside;
    return out;
}

Node *equal_strides(Pair *p, Node *root) {
    Strides g = {.c = p->c, .a = p->a};
    for (int i = 0; i < p->region->nassumes; i++) {
        Node *n = NEW(g.a, Node);
        *n = (Node){.kind = N_IF, .cond = p->region->assumes[i]};
        vec_push(g.a, &g.around, n);
    }
    return strides(root, &g);
}
