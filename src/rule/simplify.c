// SPDX-License-Identifier: MIT
// simplify.c -- conditions that hold, loops that never run, min and max that are decided.
//
//   for k in 0 .. p/16 { for kk in 0 .. 16 { if (16*k + kk < p) S } }  →  … { … { S } }
#include "rule/known.h"
#include "rule/loops.h"

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

static bool is_choice(const Expr *x) {
    return x->kind == E_OP && (x->op == OP_MIN || x->op == OP_MAX) && type_is_int(x->type);
}

static Expr *expr_in(Expr *x, void *arg) {
    const Known *k = arg;
    if (!x || !expr_any(x, is_choice)) return x;
    x = expr_map(k->a, x, expr_in, arg);
    return x->kind == E_OP ? decide(k, x) : x;
}

static Node *walk(Node *n, void *arg);

static Node *in_for(const Known *k, Node *n) {
    Node *m = node_map_exprs(k->a, n, expr_in, (void *)k);
    Known in = *k;
    known_enter(&in, m);
    if (known_nothing_runs(&in)) return NULL;
    m->body = walk(n->body, &in);
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
    Node *then = never ? NULL : walk(n->then, &yes), *other = rest && n->other ? walk(n->other, &no) : NULL;
    if (!rest) return then;
    if (never) return other;
    if (!then && !other) return NULL;
    if (!then) return node_if(k->a, expr_op(k->a, OP_LNOT, rest, NULL, NULL), other, NULL);
    return node_if(k->a, rest, then, other);
}

// NULL: nothing is left.
static Node *walk(Node *n, void *arg) {
    const Known *k = arg;
    poly_tick(k->p);
    if (n->kind == N_FOR) return in_for(k, n);
    if (n->kind == N_IF) return in_if(k, n);
    Node *m = node_map_exprs(k->a, n, expr_in, arg);
    if (n->kind == N_SEQ) return m = node_map(k->a, m, walk, arg), m->nkids ? m : NULL;
    if (n->kind == N_KERNEL && !(m->body = walk(n->body, arg))) return NULL;
    return m;
}

Node *simplify(Compile *c, const Nest *n, Node *root) {
    poly_restart(c);
    Known k = known_start(c, n);
    Node *m = walk(root, &k);
    if (!m) m = node_seq(c->arena, 0, NULL);
    if (root->kind != N_SEQ || m->kind == N_SEQ) return m;
    return node_seq(c->arena, 1, &m);
}

// The tree without what the path leads to: an empty block where it stands alone.
static Node *without(Arena *a, Node *root, const Path *p) {
    Node *place = p->node[p->n - 1], *seq = p->n > 1 ? p->node[p->n - 2] : NULL;
    bool alone = !seq || seq->kind != N_SEQ || seq->nkids < 2;
    if (alone) return node_replace(a, root, place, node_seq(a, 0, NULL));
    int at = 0;
    while (seq->kids[at] != place) at++;
    return node_replace(a, root, seq, seq_splice(a, seq, at, 1, 0, NULL));
}

Node *simplify_at(Compile *c, const Nest *n, Node *root, Node *place) {
    Path p;
    if (!path_to(root, place, &p)) return root;
    poly_restart(c);
    Known k = known_at(c, n, &p);
    Node *m = known_nothing_runs(&k) ? NULL : walk(place, &k);
    return m ? node_replace(c->arena, root, place, m) : without(c->arena, root, &p);
}
