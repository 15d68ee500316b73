// SPDX-License-Identifier: MIT
// guard.c -- conditions that a rule adds: down to the statements, and out again.
//
//   sink:   if (c) for k { S0; for l S1 }   →   for k { if (c) S0; for l { if (c) S1 } }
//   float:  for k { if (c && d(k)) S }      →   if (c) for k { if (d(k)) S }, threads' loops being one
//
// Down, so that loops stand directly inside each other and can be exchanged; out, once all is
// in its place. A condition that reads memory or could trap stays where it is.
#include "rule/loops.h"

int cond_terms(Expr *cond, Expr **out, int max) {
    if (!cond) return 0;
    if (cond->kind != E_OP || cond->op != OP_LAND) {
        if (max < 1) return -1;
        out[0] = cond;
        return 1;
    }
    int n = cond_terms(cond->args[0], out, max);
    int m = n < 0 ? -1 : cond_terms(cond->args[1], out + n, max - n);
    return m < 0 ? -1 : n + m;
}

Expr *cond_and(Arena *a, Expr *x, Expr *y) {
    if (!x || !y) return x ? x : y;
    return expr_op(a, OP_LAND, x, y, NULL);
}

static bool may_trap(const Expr *x) {
    if (x->kind == E_CALL) return true;
    bool divides =
        x->kind == E_OP && (x->op == OP_DIV || x->op == OP_MOD || x->op == OP_FDIV || x->op == OP_FMOD);
    return divides && type_is_int(x->type) && (x->args[1]->kind != E_INT || x->args[1]->i == 0);
}

static bool is_bound(const Expr *x) { return x->kind == E_LOAD || may_trap(x); }

bool cond_is_free(const Expr *x) { return !expr_any(x, is_bound); }

bool cond_is_steady(const Region *r, const Expr *root) {
    expr_each(x, root) {
        if (x->kind == E_LOAD && (x->array->place != PLACE_USER || region_writes(r, x->array))) return false;
        if (may_trap(x)) return false;
    }
    return true;
}

bool has_loops(Node *root) {
    node_each(n, root)
        if (n->kind == N_FOR) return true;
    return false;
}

// ---- down -----------------------------------------------------------------------------------------
typedef struct Guard {
    Arena *a;
    Expr *cond;
} Guard;

static Node *sunk(Node *n, void *arg) {
    const Guard *g = arg;
    return guard_sink(g->a, n, g->cond);
}

Node *guard_sink(Arena *a, Node *n, Expr *cond) {
    if (!cond || (n->kind == N_SEQ && !n->nkids)) return n;
    if (n->kind == N_IF && !n->other && !has_loops(n))
        return node_if(a, cond_and(a, cond, n->cond), n->then, NULL);
    if (!has_loops(n)) return node_if(a, cond, n, NULL);
    bool fixed = n->kind == N_IF    ? cond_is_free(n->cond)
                 : n->kind == N_FOR ? cond_is_free(n->lo) && cond_is_free(n->hi)
                                    : true;
    if (!fixed) return node_if(a, cond, n, NULL);
    return node_map(a, n, sunk, &(Guard){a, cond});
}

// ---- out ----------------------------------------------------------------------------------------------
// if (c) n, joined with the condition that n itself is.
static Node *wrap(Arena *a, Expr *cond, Node *n) {
    if (!cond) return n;
    if (n->kind == N_IF && !n->other) return node_if(a, cond_and(a, cond, n->cond), n->then, NULL);
    return node_if(a, cond, n, NULL);
}

static bool has_term(const Node *n, const Expr *term) {
    Expr *t[TERMS_MAX];
    if (n->kind != N_IF || n->other) return false;
    int k = cond_terms(n->cond, t, TERMS_MAX);
    while (k > 0)
        if (expr_equal(t[--k], term)) return true;
    return false;
}

// n without a term of its condition.
static Node *without(Arena *a, Node *n, const Expr *term) {
    Expr *t[TERMS_MAX], *rest = NULL;
    int k = cond_terms(n->cond, t, TERMS_MAX);
    for (int i = 0; i < k; i++)
        if (!expr_equal(t[i], term)) rest = cond_and(a, rest, t[i]);
    return rest ? node_if(a, rest, n->then, NULL) : n->then;
}

// Does it change nothing but these arrays?
static bool stays_within(Node *n, int count, const Array *const *arrays) {
    const Array *to = n->kind == N_COPY ? n->dst : n->kind == N_STMT && n->nvia ? n->via[0] : NULL;
    if (n->kind == N_STMT && !to) to = n->stmt->lhs;
    bool within = !to;
    for (int k = 0; k < count; k++) within = within || arrays[k] == to;
    for (int k = 0; within && node_kid(n, k); k++) within = stays_within(node_kid(n, k), count, arrays);
    return within;
}

// { if (c && d) X; if (c) Y }  →  if (c) { if (d) X; Y }
// What sets variables of the sequence alone is not missed where c is false.
// Not where temporaries are declared: they stand at the root.
static Node *float_seq(Arena *a, Node *n) {
    if (!n->nkids || (n->nlocals && n->locals[0]->place == PLACE_TEMP)) return n;
    Expr *t[TERMS_MAX], *out = NULL;
    bool *own = NEW_N(a, bool, n->nkids);
    int lead = 0;
    for (int j = 0; j < n->nkids && n->nlocals; j++)
        own[j] = stays_within(n->kids[j], n->nlocals, n->locals);
    while (lead < n->nkids - 1 && own[lead]) lead++;
    Node *first = n->kids[lead];
    int k = first->kind == N_IF && !first->other ? cond_terms(first->cond, t, TERMS_MAX) : 0;
    for (int i = 0; i < k; i++) {
        bool all = cond_is_free(t[i]);
        for (int j = 0; j < n->nkids && all; j++) all = own[j] || has_term(n->kids[j], t[i]);
        if (!all) continue;
        out = cond_and(a, out, t[i]);
        for (int j = 0; j < n->nkids; j++)
            if (has_term(n->kids[j], t[i])) n->kids[j] = without(a, n->kids[j], t[i]);
    }
    return wrap(a, out, n);
}

// for k { if (c && d(k)) X }  →  if (c) for k { if (d(k)) X }, the loop being `in`, n or one directly inside
// it, and the loops from n to it being one nest
static Node *float_for(Arena *a, Node *n, Node *in) {
    Node *body = in->body;
    while (body->kind == N_SEQ && body->nkids == 1 && !body->nlocals) body = body->kids[0];
    if (body->kind != N_IF || body->other) return n;
    Expr *t[TERMS_MAX], *out = NULL, *rest = NULL;
    int k = cond_terms(body->cond, t, TERMS_MAX);
    for (int i = 0; i < k; i++) {
        bool moves = cond_is_free(t[i]) && !expr_uses_sym(t[i], in->iter);
        for (const Node *l = n; l != in; l = l->body) moves = moves && !expr_uses_sym(t[i], l->iter);
        if (moves) out = cond_and(a, out, t[i]);
        else rest = cond_and(a, rest, t[i]);
    }
    if (!out) return n;
    in->body = rest ? node_if(a, rest, body->then, NULL) : body->then;
    return wrap(a, out, n);
}

static Node *floated(Node *n, void *a);

// The threads of a phase, or those that copy, go through its loops together: all of them at once, or none.
static Node *float_phase(Arena *a, Node *n) {
    Node *first = node_clone(a, n), *in = first;
    for (; in->body->kind == N_FOR && in->body->how == n->how; in = in->body)
        in->body = node_clone(a, in->body);
    in->body = floated(in->body, a);
    return float_for(a, first, in);
}

static Node *floated(Node *n, void *a) {
    if (n->kind == N_STMT || n->kind == N_COPY) return n;
    if (n->kind == N_FOR && (n->how == HOW_THREAD || n->how == HOW_COOP)) return float_phase(a, n);
    Node *m = node_map(a, n, floated, a);
    if (m->kind == N_SEQ) return float_seq(a, m);
    if (m->kind == N_FOR && m->how != HOW_BLOCK) return float_for(a, m, m);
    if (m->kind == N_IF && !m->other && m->then->kind == N_IF && !m->then->other)
        return node_if(a, cond_and(a, m->cond, m->then->cond), m->then->then, NULL);
    return m;
}

Node *guard_float(Arena *a, Node *root) { return floated(root, a); }
