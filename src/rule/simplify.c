// SPDX-License-Identifier: MIT
// simplify.c -- conditions that hold, loops that never run, min and max that are decided.
//
//   for k in 0 .. p/16 { for kk in 0 .. 16 { if (16*k + kk < p) S } }  →  … { … { S } }
#include "rule/known.h"
#include "rule/loops.h"

static Expr *expr_in(const Known *k, Expr *x);

// min(x, y) and max(x, y) of integers where it is known which.
static Expr *decide(const Known *k, Expr *x) {
    if ((x->op != OP_MIN && x->op != OP_MAX) || !type_is_int(x->type)) return x;
    Expr *p = x->args[0], *q = x->args[1];
    bool min = x->op == OP_MIN;
    if (!cond_is_free(x)) return x;
    if (known_holds(k, expr_op(k->a, min ? OP_LE : OP_GE, p, q, NULL))) return p;
    if (known_holds(k, expr_op(k->a, min ? OP_GE : OP_LE, p, q, NULL))) return q;
    return x;
}

static void find_choice(const Expr *x, void *found) {
    if (x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX) && type_is_int(x->type))
        *(bool *)found = true;
}

static Expr *rebuild(const Known *k, Expr *x) {
    Expr *args[4];
    if (x->nargs > 4) return x;
    bool changed = false;
    for (int i = 0; i < x->nargs; i++) {
        args[i] = expr_in(k, x->args[i]);
        changed = changed || args[i] != x->args[i];
    }
    if (!changed) return x;
    switch (x->kind) {
    case E_LOAD: return expr_load(k->a, x->array, args);
    case E_CAST: return expr_cast(k->a, x->type, args[0]);
    case E_CALL: return expr_call(k->a, x->fn, x->type, x->nargs, args);
    default:
        return expr_op(k->a, x->op, args[0], x->nargs > 1 ? args[1] : NULL, x->nargs > 2 ? args[2] : NULL);
    }
}

static Expr *expr_in(const Known *k, Expr *x) {
    bool found = false;
    if (x) expr_walk(x, find_choice, &found);
    if (!found) return x;
    x = rebuild(k, x);
    return x->kind == E_OP ? decide(k, x) : x;
}

static Expr **list_in(const Known *k, Expr **x, int n) {
    if (!x || !n) return x;
    Expr **out = NEW_N(k->a, Expr *, n);
    for (int i = 0; i < n; i++) out[i] = expr_in(k, x[i]);
    return out;
}

static Node *walk(const Known *k, Node *n);

static Node *in_seq(const Known *k, Node *n) {
    Node *m = node_clone(k->a, n);
    m->kids = NEW_N(k->a, Node *, n->nkids + 1);
    m->nkids = 0;
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = walk(k, n->kids[i]);
        if (kid) m->kids[m->nkids++] = kid;
    }
    return m->nkids ? m : NULL;
}

static Node *in_for(const Known *k, Node *n) {
    Node *m = node_clone(k->a, n);
    m->lo = expr_in(k, n->lo);
    m->hi = expr_in(k, n->hi);
    Known in = *k;
    known_enter(&in, m);
    if (known_nothing_runs(&in)) return NULL;
    m->body = walk(&in, n->body);
    return m->body ? m : NULL;
}

static Node *in_if(const Known *k, Node *n) {
    Expr *t[TERMS_MAX], *rest = NULL;
    int count = cond_terms(n->cond, t, TERMS_MAX);
    Known yes = *k, no = *k;
    bool never = false;
    if (count < 0) rest = n->cond, known_add(&yes, n->cond);
    for (int i = 0; i < count && !never; i++) {
        if (known_holds(&yes, t[i])) continue;
        never = known_never(&yes, t[i]);
        rest = cond_and(k->a, rest, t[i]);
        known_add(&yes, t[i]);
    }
    known_add_not(&no, n->cond);
    Node *then = never ? NULL : walk(&yes, n->then), *other = rest && n->other ? walk(&no, n->other) : NULL;
    if (!rest) return then;
    if (never) return other;
    if (!then && !other) return NULL;
    if (!then) return node_if(k->a, expr_op(k->a, OP_LNOT, rest, NULL, NULL), other, NULL);
    return node_if(k->a, rest, then, other);
}

static Node *in_stmt(const Known *k, Node *n) {
    Node *m = node_clone(k->a, n);
    m->at = list_in(k, n->at, n->stmt->depth);
    if (!n->nvia || !n->via_sub) return m;
    m->via_sub = NEW_N(k->a, Expr **, n->nvia);
    for (int i = 0; i < n->nvia; i++)
        m->via_sub[i] = n->via_sub[i] ? list_in(k, n->via_sub[i], n->via[i]->rank) : NULL;
    return m;
}

static Node *in_copy(const Known *k, Node *n) {
    Node *m = node_clone(k->a, n);
    if (n->dst) m->sub = list_in(k, n->sub, n->dst->rank);
    m->src = expr_in(k, n->src);
    return m;
}

// NULL: nothing is left.
static Node *walk(const Known *k, Node *n) {
    if (!n) return NULL;
    poly_tick(k->p);
    switch (n->kind) {
    case N_SEQ: return in_seq(k, n);
    case N_FOR: return in_for(k, n);
    case N_IF: return in_if(k, n);
    case N_STMT: return in_stmt(k, n);
    case N_COPY: return in_copy(k, n);
    case N_KERNEL: {
        Node *m = node_clone(k->a, n);
        m->body = walk(k, n->body);
        return m->body ? m : NULL;
    }
    default: return n;
    }
}

Node *simplify(Compile *c, const Nest *n, Node *root) {
    poly_restart(c);
    Known k = known_start(c, n);
    Node *m = walk(&k, root);
    if (!m) m = node_seq(c->arena, 0, NULL);
    if (root->kind != N_SEQ || m->kind == N_SEQ) return m;
    return node_seq(c->arena, 1, &m);
}

Node *simplify_at(Compile *c, const Nest *n, Node *root, Node *place) {
    Path p;
    if (!path_to(root, place, &p)) return root;
    poly_restart(c);
    Known k = known_at(c, n, &p);
    Node *m = known_nothing_runs(&k) ? NULL : walk(&k, place);
    return node_replace(c->arena, root, place, m ? m : node_seq(c->arena, 0, NULL));
}
