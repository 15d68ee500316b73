// SPDX-License-Identifier: MIT
// jam.c -- on a processor: iterations of a parallel loop side by side in one thread, where a sum inside of
// each is added up in its order.
//
//   for i block { s = 0; for k  s += a[i][k] * x[k]; y[i] = s }
//
// One such sum waits for its last addition at each term. Those of several iterations wait together, and what
// they share is loaded once.
#include "plan/auto.h"
#include "rule/abreast.h"
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
    if (node_calls((Node *)loop)) return; // what takes longer than the sum
    if (s->op == OP_SET || !type_is_float(s->lhs->elem) || (trips >= 0 && trips <= SHORT)) return;
    AccessVec acc = node_accesses(j->a, n);
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

// lo + by * strip + r
static Expr *value(Arena *a, const Node *loop, int by, Expr *strip, Expr *r) {
    Type t = loop->iter->type;
    Expr *at = expr_add(a, expr_mul(a, strip, expr_int(a, t, by)), expr_cast(a, t, r));
    return expr_add(a, loop->lo, at);
}

// The chain's last loop, which is parallel and no block loop, with several iterations side by side: a kernel.
// NULL: it has no use for that.
Node *plan_jam_inside(Plan *p, const Chain *c, int ndims, const MapDim *dims) {
    Arena *a = p->a;
    const Node *loop = c->loop[c->n - 1];
    Type t = loop->iter->type;
    Jam j = {.a = a, .mapped = loop->iter};
    for (int d = 0; d < ndims; d++)
        if (dims[d].loop == c->n - 1) return NULL;
    see(&j, c->body, NULL);
    if (j.no || !j.sums || j.stmts > MOST_STATEMENTS || loop->step != 1) return NULL;
    const Sym *jb = iter_fresh(&p->names, arena_printf(a, "%sb", loop->iter->name), t);
    const Node *r = node_for(a, iter_fresh(&p->names, "r", T_I32), expr_int(a, T_I32, 0),
                             expr_int(a, T_I32, FEW), 1, HOW_SERIAL, NULL);
    Expr *trips = expr_sub(a, loop->hi, loop->lo), *zero = expr_int(a, t, 0);
    Expr *strips = expr_op(a, OP_FDIV, trips, expr_int(a, t, FEW), NULL);
    Expr *at = value(a, loop, FEW, expr_sym(a, jb), expr_sym(a, r->iter));
    Node *body = node_subst(a, node_again(&p->names, c->body), 1, &loop->iter, &at);
    body = rule_unroll_registers(a, rule_hoist_updates(&p->names, body));
    body = rule_abreast_waiting(&p->names, 1, &r, body);
    if (!body) return NULL;
    Node *left = node_clone(a, loop);
    left->lo = value(a, loop, FEW, expr_op(a, OP_MAX, strips, zero, NULL), zero);
    left->body = c->body;
    Node *both[2] = {node_for(a, jb, zero, strips, 1, HOW_SERIAL, body), node_again(&p->names, left)};
    Chain outer = *c;
    outer.n--;
    outer.body = node_seq(a, 2, both);
    return rule_map_cpu(&p->names, &outer, ndims, dims, false, kernel_name(p));
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
