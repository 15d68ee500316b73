// SPDX-License-Identifier: MIT
// picked.c -- choices of the host that no polyhedron can hold.
//
//   for t { if ((n - t) * (n - t) >= 1536 * sms) A(t) else B(t) }
//     →   for t { if (t == picked) A(t) else B(t) }                      for any value of `picked`
//
// A and B run the same statements, element by element in the same arrays. If one iteration may take A where
// all others take B, whichever it is, then A does there what B does: the same instances, in an order that
// keeps what depends on what in them and towards all other iterations. So any iterations may take A.
#include "dep/picked.h"

typedef struct Picked {
    Arena *a;
    int nloops, n;
    const Node *loop[16];      // of the host, around the place
    const Sym *sym[PICKED_MOST]; // one for each of these at each choice
} Picked;

// ---- do both arms run the same? ------------------------------------------------------------------
typedef struct Arm {
    Arena *a;
    VEC(const Node *) first;   // of each statement
    bool other;                // and something else
} Arm;

// Which counter of the statement a subscript is; -1: none.
static int counter_of(const Node *n, const Expr *sub) {
    for (int i = 0; i < n->stmt->depth; i++)
        if (expr_equal(sub, n->at[i])) return i;
    return -1;
}

// Do both do the same, at the same element of the same array in the place of each of theirs?
static bool does_same(const Node *x, const Node *y) {
    if (x->stmt != y->stmt || x->nvia != y->nvia) return false;
    for (int k = 0; k < x->nvia; k++) {
        if (x->via[k] != y->via[k]) return false;
        for (int d = 0; x->via[k] && d < x->via[k]->rank; d++) {
            int i = counter_of(x, x->via_sub[k][d]);
            if (i < 0 || i != counter_of(y, y->via_sub[k][d])) return false;
        }
    }
    return true;
}

static const Node *first_of(const Arm *x, const Stmt *s) {
    for (int i = 0; i < x->first.n; i++)
        if (x->first.at[i]->stmt == s) return x->first.at[i];
    return NULL;
}

static void see(Arm *x, const Node *n) {
    x->other |= n->kind == N_COPY || (n->kind == N_SEQ && n->nlocals);
    if (n->kind != N_STMT) return;
    const Node *first = first_of(x, n->stmt);
    if (first) x->other |= !does_same(first, n);
    else vec_push(x->a, &x->first, n);
}

static bool all_in(const Arm *x, const Arm *y) {
    for (int i = 0; i < x->first.n; i++) {
        const Node *n = first_of(y, x->first.at[i]->stmt);
        if (!n || !does_same(x->first.at[i], n) || !does_same(n, n)) return false;
    }
    return !x->other;
}

static bool are_alike(const Picked *p, const Node *n) {
    Arm x = {.a = p->a}, y = {.a = p->a};
    if (!n->other) return false;
    node_each(m, n->then) see(&x, m);
    node_each(m, n->other) see(&y, m);
    return all_in(&x, &y) && all_in(&y, &x);
}

// ---- the tree ------------------------------------------------------------------------------------------
static bool is_product(const Expr *x) {
    return x->kind == E_OP && x->op == OP_MUL && x->args[0]->kind != E_INT && x->args[1]->kind != E_INT;
}

static const Sym *new_picked(Picked *p, Type t) {
    Sym *s = NEW_AS(p->a, Sym, (Sym){arena_printf(p->a, "picked_%d", p->n), SYM_PARAM, t, NULL});
    return p->sym[p->n++] = s;
}

static Expr *is_picked(Picked *p) {
    Expr *all = NULL;
    for (int i = 0; i < p->nloops; i++) {
        const Sym *s = new_picked(p, p->loop[i]->iter->type);
        Expr *same = expr_op(p->a, OP_EQ, expr_sym(p->a, p->loop[i]->iter), expr_sym(p->a, s), NULL);
        all = all ? expr_op(p->a, OP_LAND, all, same, NULL) : same;
    }
    if (all) return all;
    return expr_op(p->a, OP_GE, expr_sym(p->a, new_picked(p, T_I32)), expr_int(p->a, T_I32, 1), NULL);
}

// The choice as one that any one iteration makes; outside of loops, anyone.
static Node *walk(Node *n, void *arg) {
    Picked *p = arg;
    if (n->kind == N_KERNEL || n->kind == N_STMT || n->kind == N_COPY) return n;
    bool loop = n->kind == N_FOR, choice = n->kind == N_IF && !expr_has_load(n->cond);
    if (loop && p->nloops == 16) return n;
    choice = choice && expr_any(n->cond, is_product) && p->n + p->nloops < PICKED_MOST && are_alike(p, n);
    if (loop) p->loop[p->nloops++] = n;
    Node *m = node_map(p->a, n, walk, arg);
    p->nloops -= loop;
    if (choice) m = node_if(p->a, is_picked(p), m->then, m->other);
    return m;
}

Node *picked_tree(Arena *a, const Node *root, int *n, const Sym **syms) {
    Picked p = {.a = a};
    Node *tree = walk((Node *)root, &p);
    *n = p.n;
    for (int i = 0; i < p.n; i++) syms[i] = p.sym[i];
    return tree;
}
