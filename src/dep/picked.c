// SPDX-License-Identifier: MIT
// picked.c -- choices of the host that no polyhedron can hold.
//
//   for t { if ((n - t) * (n - t) >= 1536 * sms) A(t) else B(t) }
//     →   for t { if (t == picked) A(t) else B(t) }                      for any value of `picked`
//
// A and B run the same statements, element by element in the same arrays. If one iteration may take A where all
// others take B, whichever it is, then A does there what B does: the same instances, in an order that keeps
// what depends on what in them and towards all other iterations. So any iterations may take A.
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
    VEC(const Stmt *) stmts;
    bool other;                // and something else
} Arm;

static void see(Node *n, void *arg) {
    Arm *x = arg;
    x->other |= n->kind == N_COPY || (n->kind == N_SEQ && n->nlocals) || n->nvia;
    if (n->kind != N_STMT) return;
    for (int i = 0; i < x->stmts.n; i++)
        if (x->stmts.at[i] == n->stmt) return;
    vec_push(x->a, &x->stmts, n->stmt);
}

static bool all_in(const Arm *x, const Arm *y) {
    for (int i = 0; i < x->stmts.n; i++) {
        bool found = false;
        for (int k = 0; k < y->stmts.n && !found; k++) found = x->stmts.at[i] == y->stmts.at[k];
        if (!found) return false;
    }
    return !x->other;
}

static bool are_alike(const Picked *p, const Node *n) {
    Arm x = {.a = p->a}, y = {.a = p->a};
    if (!n->other) return false;
    node_walk(n->then, see, &x);
    node_walk(n->other, see, &y);
    return all_in(&x, &y) && all_in(&y, &x);
}

// ---- the tree ------------------------------------------------------------------------------------------
static bool is_counter(const Expr *x) { return x->kind == E_SYM && x->sym->kind == SYM_ITER; }
static bool is_product(const Expr *x) {
    bool multiplies = x->kind == E_OP && x->op == OP_MUL && x->args[0]->kind != E_INT && x->args[1]->kind != E_INT;
    return multiplies && expr_any(x, is_counter);
}

static Expr *is_picked(Picked *p) {
    Expr *all = NULL;
    for (int i = 0; i < p->nloops; i++) {
        Sym *s = NEW(p->a, Sym);
        Type t = p->loop[i]->iter->type;
        *s = (Sym){arena_printf(p->a, "picked_%d", p->n), SYM_PARAM, t, NULL};
        p->sym[p->n++] = s;
        Expr *same = expr_op(p->a, OP_EQ, expr_sym(p->a, p->loop[i]->iter), expr_sym(p->a, s), NULL);
        all = all ? expr_op(p->a, OP_LAND, all, same, NULL) : same;
    }
    return all;
}

static Node *walk(Node *n, void *arg) {
    Picked *p = arg;
    if (n->kind == N_KERNEL || n->kind == N_STMT || n->kind == N_COPY) return n;
    bool loop = n->kind == N_FOR, choice = n->kind == N_IF && p->nloops && !expr_has_load(n->cond);
    if (loop && p->nloops == 16) return n;
    choice = choice && expr_any(n->cond, is_product) && p->n + p->nloops <= PICKED_MOST && are_alike(p, n);
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
