// SPDX-License-Identifier: MIT
// jam.c -- on a processor: iterations of a parallel loop side by side in one thread, where a sum inside of
// each is added up in its order.
//
//   for i block { s = 0; for k  s += a[i][k] * x[k]; y[i] = s }
//
// One such sum waits for its last addition at each term. Those of several iterations wait together, and what
// they share is loaded once.
#include "plan/auto.h"
#include "rule/loops.h"

enum { FEW = 4, MANY = 8, LIGHT = 2, MOST_STATEMENTS = 12, SHARES = 4 };
enum { SHORT = 32 }; // iterations that a compiler makes one row of statements of

typedef struct Jam {
    Arena *a;
    const Sym *mapped;
    bool no;    // iterations are not alike
    int sums;   // that wait for themselves
    int stmts;  // below loops
} Jam;

static bool is_even(const Jam *j, const Expr *x) { return !expr_has_load(x) && !expr_uses_sym(x, j->mapped); }

static void see_sum(Jam *j, const Node *n, const Node *loop) {
    const Stmt *s = n->stmt;
    int64_t trips = loop_literal_trips(loop->lo, loop->hi, loop->step);
    if (s->op == OP_SET || !type_is_float(s->lhs->elem) || (trips >= 0 && trips <= SHORT)) return;
    AccessVec acc = {0};
    node_accesses(j->a, n, &acc);
    for (int k = 0; k < acc.n; k++) {
        if (!acc.at[k].write) continue;
        for (int d = 0; d < acc.at[k].array->rank; d++)
            if (expr_has_load(acc.at[k].sub[d]) || expr_uses_sym(acc.at[k].sub[d], loop->iter)) return;
        j->sums++;
    }
}

static void see(Jam *j, Node *n, const Node *loop) {
    if (n->kind == N_FOR) {
        if (!is_even(j, n->lo) || !is_even(j, n->hi) || loop_while(n)) j->no = true;
        loop = n;
    } else if (n->kind == N_STMT) {
        j->no = j->no || n->atomic || n->stmt->atomic;
        j->stmts += loop != NULL;
        if (loop) see_sum(j, n, loop);
    } else if (n->kind != N_SEQ && n->kind != N_IF) {
        j->no = true;
    }
    for (int i = 0; !j->no && node_kid(n, i); i++) see(j, node_kid(n, i), loop);
}

// The chain in the tree with several iterations a thread, where there are enough for all processors; else it
// stands there still. NULL: it has no use for that.
Node *plan_jam(Plan *p, Node *tree, const Chain *c, int ndims, const MapDim *dims) {
    MapDim more[2] = {dims[0], dims[ndims - 1]};
    const Node *loop = c->loop[dims[0].loop];
    if (!dims[0].exact || !host_can_eval(dims[0].lo) || !host_can_eval(dims[0].hi)) return NULL;
    Jam j = {.a = p->a, .mapped = loop->iter};
    see(&j, in_loops(p->a, c->n - dims[0].loop - 1, c->loop + dims[0].loop + 1, c->body), NULL);
    if (j.no || !j.sums || j.stmts > MOST_STATEMENTS) return NULL;
    more[0].per = j.stmts > LIGHT ? FEW : MANY;
    Node bare = *loop;
    bare.lo = expr_cast(p->a, T_I64, dims[0].lo);
    bare.hi = expr_cast(p->a, T_I64, dims[0].hi);
    Expr *least = expr_mul(p->a, expr_int(p->a, T_I64, SHARES * more[0].per), plan_processors(p));
    PlanMark before = plan_mark(p);
    Node *n = plan_either(p, tree, c, expr_op(p->a, OP_GE, loop_trips(p->a, &bare), least, NULL));
    n = n ? plan_grid(p, n, c, ndims, more, "") : NULL;
    if (!n) plan_back(p, before);
    return n;
}
