// SPDX-License-Identifier: MIT
// filled.c -- a region and a tree with arrays of which no element is written twice (ir/slots.h) numbered by
// who writes them.
//
//   for i  if (x[i] > 0) { out[n] = x[i];  n += 1 }   →   for i  if (x[i] > 0) { out[i] = x[i];  n += 1 }
//
// What the judge finds of those numbers is true of the elements. That a tree takes the same element as the
// region, the same n, is asked with the value that is written.
#include "dep/relation.h"
#include "ir/slots.h"

// at[depth]: the instance.
static Expr **sub_of(Arena *a, const Slot *s, Expr *const *at, Expr *const *sub) {
    Expr **out = NEW_N(a, Expr *, s->to->rank);
    int n = 0, depth = s->to->rank - 1 - s->from->rank;
    out[n++] = expr_int(a, T_I64, s->block);
    out[n++] = expr_int(a, T_I64, s->place);
    for (int d = 0; d < depth; d++) out[n++] = d < s->stmt->depth ? at[d] : expr_int(a, T_I64, 0);
    for (int d = 0; d < s->from->rank; d++)
        if (d != s->dim) out[n++] = sub[d];
    return out;
}

// ---- relations -----------------------------------------------------------------------------------------

void relations_filled(Relations *r) {
    Arena *a = r->poly->c->arena;
    Slots s = slots_of(a, r->region);
    r->fit = s.fit;
    for (int i = 0; i < r->touches.n; i++) {
        Touch *t = &r->touches.at[i];
        for (int k = 0; k < s.n; k++) {
            const Slot *x = &s.at[k];
            if (t->array != x->from || t->ev->node->kind != N_STMT || t->ev->node->stmt != x->stmt) continue;
            PolyFacts facts = {0};
            t->sub = sub_of(a, x, t->ev->node->at, t->sub);
            t->array = x->to;
            isl_set *domain = isl_map_domain(isl_map_copy(t->map));
            t->map = own_map(a, relations_map(r->poly, t->ev->scope, domain, x->to->rank, t->sub, &facts,
                                              &t->exact_map));
            t->exact = t->exact_map && t->ev->exact;
            t->real = NULL;
            break;
        }
    }
}

// ---- the judge's region and tree --------------------------------------------------------------------------

typedef struct Swap {
    Arena *a;
    const Slots *s;
    const Stmt **now;        // [s->n]
    bool failed;             // the tree names such an array in another way
} Swap;

// Which element it is is asked for as before: the counter is read with the value.
static const Stmt *numbered(Arena *a, const Slot *s) {
    Stmt *out = NEW_AS(a, Stmt, *s->stmt);
    Expr **at = NEW_N(a, Expr *, out->depth + 1);
    for (int d = 0; d < out->depth; d++) at[d] = expr_sym(a, out->iters[d]);
    out->lhs = s->to;
    out->sub = sub_of(a, s, at, s->stmt->sub);
    out->rhs = expr_op(a, OP_ADD, expr_cast(a, out->rhs->type, s->stmt->sub[s->dim]), out->rhs, NULL);
    return out;
}

static void see_loads(Swap *w, const Expr *root) {
    expr_each(x, root)
        for (int k = 0; x->kind == E_LOAD && k < w->s->n; k++) w->failed |= x->array == w->s->at[k].from;
}

static Node *swap_node(Node *n, void *arg) {
    Swap *w = arg;
    Expr *const own[] = {n->cond, n->lo, n->hi, n->src};
    for (int k = 0; k < 4; k++) see_loads(w, own[k]);
    Node *m = node_map(w->a, n, swap_node, arg);
    for (int k = 0; k < w->s->n; k++) {
        const Slot *s = &w->s->at[k];
        w->failed |= n->kind == N_COPY && n->dst == s->from;
        for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++) w->failed |= n->locals[i]->of == s->from;
        if (n->kind != N_STMT || n->stmt != s->stmt) continue;
        w->failed |= n->nvia && n->via[0];
        m->stmt = w->now[k];
    }
    return m;
}

bool dep_filled(Arena *a, const Region **region, const Node **root, Expr **fit) {
    Slots s = slots_of(a, *region);
    *fit = NULL;
    if (!s.n) return false;
    Swap w = {.a = a, .s = &s, .now = NEW_N(a, const Stmt *, s.n)};
    for (int k = 0; k < s.n; k++) w.now[k] = numbered(a, &s.at[k]);
    Node *tree = swap_node((Node *)*root, &w);
    if (w.failed) return false;
    Region *r = NEW_AS(a, Region, **region);
    r->root = swap_node(r->root, &w);
    r->stmts = NEW_N(a, const Stmt *, r->nstmts);
    r->arrays = NEW_N(a, const Array *, r->narrays);
    for (int i = 0; i < r->nstmts; i++) r->stmts[i] = (*region)->stmts[i];
    for (int i = 0; i < r->narrays; i++) r->arrays[i] = (*region)->arrays[i];
    for (int k = 0; k < s.n; k++) {
        for (int i = 0; i < r->nstmts; i++)
            if (r->stmts[i] == s.at[k].stmt) r->stmts[i] = w.now[k];
        for (int i = 0; i < r->narrays; i++)
            if (r->arrays[i] == s.at[k].from) r->arrays[i] = s.at[k].to;
    }
    *region = r, *root = tree, *fit = s.fit;
    return true;
}
