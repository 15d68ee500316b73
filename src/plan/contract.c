// SPDX-License-Identifier: MIT
// contract.c -- finds contractions in a region, by the structure of its loops and subscripts.
#include "plan/contract.h"
#include "rule/rule.h"

// ---- the loops ---------------------------------------------------------------------------
static bool is_parallel(const DepInfo *d, const Node *loop) {
    const LoopFact *f = dep_loop(d, loop);
    return f && f->parallel == ANSWER_ALWAYS;
}

static bool has_plain_bounds(const Node *loop) {
    return loop->step == 1 && !expr_uses_iters(loop->lo) && !expr_uses_iters(loop->hi) &&
           !expr_has_load(loop->lo) && !expr_has_load(loop->hi);
}

// Is x the counter and nothing else?
static bool is_counter(const Expr *x, const Sym *s) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_SYM && x->sym == s;
}

static bool uses_counters(const Contraction *k, const Expr *x) {
    return expr_uses_sym(x, k->x->iter) || expr_uses_sym(x, k->y->iter) || expr_uses_sym(x, k->k->iter);
}

// C[y][x]: the last subscript is x's counter, one other y's, the rest are parameters.
static bool find_loops(const DepInfo *d, const Chain *c, Contraction *k) {
    const Stmt *s = k->stmt;
    if (c->n != 3 || s->lhs->rank < 2) return false;
    for (int i = 0; i < 3; i++) {
        const Node *loop = c->loop[i];
        if (!has_plain_bounds(loop)) return false;
        int at = -1;
        for (int e = 0; e < s->lhs->rank; e++)
            if (expr_uses_sym(s->sub[e], loop->iter)) {
                if (at >= 0 || !is_counter(s->sub[e], loop->iter)) return false;
                at = e;
            }
        const Node **which = at < 0 ? &k->k : at == s->lhs->rank - 1 ? &k->x : &k->y;
        if (*which) return false;
        *which = loop;
    }
    return k->x && k->y && k->k && is_parallel(d, k->x) && is_parallel(d, k->y);
}

// ---- the operands --------------------------------------------------------------------------
static bool add_operand(Contraction *k, const Access *a) {
    Operand o = {a->array, SIDE_NEITHER, -1, -1};
    for (int e = 0; e < a->array->rank; e++) {
        if (!uses_counters(k, a->sub[e])) continue;
        int *dim = is_counter(a->sub[e], k->k->iter) ? &o.k : &o.xy;
        if (dim == &o.xy) {
            bool x = is_counter(a->sub[e], k->x->iter);
            if (!x && !is_counter(a->sub[e], k->y->iter)) return false;
            if (o.side != SIDE_NEITHER) return false;
            o.side = x ? SIDE_X : SIDE_Y;
        }
        if (*dim >= 0) return false;
        *dim = e;
    }
    for (int i = 0; i < k->n; i++)
        if (k->op[i].array == o.array) return k->op[i].side == o.side && k->op[i].k == o.k && k->op[i].xy == o.xy;
    if (k->n == CONTRACT_OPERANDS) return false;
    k->op[k->n++] = o;
    return true;
}

static bool find_operands(Compile *c, Contraction *k) {
    AccessVec v = {0};
    stmt_accesses(c->arena, k->stmt, &v);
    bool side[2] = {false, false};
    for (int i = 1; i < v.n; i++) {
        const Array *array = v.at[i].array;
        if (array->place != PLACE_USER || array->rank == 0 || array->rank > 2) return false;
        if (array->elem != k->stmt->lhs->elem || arrays_may_overlap(array, k->stmt->lhs)) return false;
        if (array->stride != type_size(array->elem) || !add_operand(k, &v.at[i])) return false;
    }
    for (int i = 0; i < k->n; i++)
        if (k->op[i].side != SIDE_NEITHER && k->op[i].k >= 0) side[k->op[i].side] = true;
    return side[SIDE_X] && side[SIDE_Y];
}

static void count_op(const Expr *x, void *arg) {
    *(int *)arg += x->kind == E_OP && type_is_float(x->type);
}

bool contraction_find(Compile *c, const Region *r, const DepInfo *d, Contraction *out) {
    *out = (Contraction){.region = r};
    if (r->nstmts != 1 || !d->bounds || r->ninspects) return false;
    Chain chain = chain_of(r->root);
    Node *body = chain.n ? unwrap(chain.body) : NULL;
    if (!body || body->kind != N_STMT || body->stmt->op == OP_SET || body->atomic) return false;
    out->stmt = body->stmt;
    for (int i = 0; i < out->stmt->depth; i++)
        if (!is_counter(body->at[i], out->stmt->iters[i])) return false;
    if (type_size(out->stmt->lhs->elem) < 4) return false;
    if (!find_loops(d, &chain, out) || !find_operands(c, out)) return false;
    out->flops = 1;
    expr_walk(out->stmt->rhs, count_op, &out->flops);
    return true;
}
