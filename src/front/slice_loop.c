// SPDX-License-Identifier: MIT
// slice_loop.c -- loops over leaves. Of most of them the least and the greatest value are known without
// running them:
//
//   for (i = lo…hi) leaf(p)                     if (lo < hi) leaf(p)
//   for (i = lo…hi) leaf(2 * i)                 leaf(2 * lo), leaf(2 * (hi - 1)), if there is any
//   for (i = lo…hi) leaf(i < m ? i : p)         besides: the last i below m
//   leaf(i); if (c) leaf(i)                     leaf(i)
//
// What else there is stays in the loop.
#include "front/slice.h"
#include "ir/slots.h"

// ---- what is touched anyway --------------------------------------------------------------------
// n without leaves of this value; NULL: nothing is left.
static Node *without(Arena *a, Node *n, const Expr *value) {
    if (n->kind == N_COPY) return expr_equal(n->src, value) ? NULL : n;
    if (n->kind == N_SEQ) {
        Node *all = NULL;
        for (int k = 0; k < n->nkids; k++) all = seq_join(a, all, without(a, n->kids[k], value));
        return all;
    }
    if (n->kind == N_FOR) {
        Node *body = without(a, n->body, value);
        if (body == n->body || !body) return body ? n : NULL;
        Node *loop = node_for(a, n->iter, n->lo, n->hi, n->step, n->how, body);
        loop->loc = n->loc;
        return loop;
    }
    Node *then = n->then ? without(a, n->then, value) : NULL;
    Node *other = n->other ? without(a, n->other, value) : NULL;
    if (then == n->then && other == n->other) return n;
    if (then) return node_if(a, n->cond, then, other);
    return other ? node_if(a, expr_op(a, OP_LNOT, n->cond, NULL, NULL), other, NULL) : NULL;
}

// Each value that is a leaf under no condition is one once.
static Node *once(Arena *a, Node *body) {
    for (int k = 0; body->kind == N_SEQ && k < body->nkids; k++) {
        Node *leaf = body->kids[k], *all = NULL;
        if (leaf->kind != N_COPY) continue;
        int before = 0;
        for (int i = 0; i < body->nkids; i++) {
            Node *kept = i == k ? leaf : without(a, body->kids[i], leaf->src);
            before += i < k && kept;
            all = seq_join(a, all, kept);
        }
        body = all, k = before;
    }
    return body;
}

// ---- the first and the last iteration ----------------------------------------------------------
// Is it a multiple of the counter, whichever, and something beside it?
static bool is_multiple(const Expr *x, const Sym *i) {
    if (!expr_uses_sym(x, i) || x->kind == E_SYM) return true;
    if (x->kind == E_CAST)
        return type_is_int(x->args[0]->type) && type_is_signed(x->args[0]->type) &&
               type_size(x->type) >= type_size(x->args[0]->type) && is_multiple(x->args[0], i);
    bool all = x->kind == E_OP && type_is_signed(x->type) && x->op >= OP_ADD && x->op <= OP_MUL;
    if (all && x->op == OP_MUL) all = !expr_uses_sym(x->args[0], i) || !expr_uses_sym(x->args[1], i);
    for (int k = 0; all && k < x->nargs; k++) all = is_multiple(x->args[k], i);
    return all;
}

static bool is_monotone(Arena *a, const Node *n, const Sym *i) {
    if (n->kind == N_COPY) return counter_sign(a, n->src, i) != 2 || is_multiple(n->src, i);
    if (n->kind == N_IF && !n->other) return !expr_uses_sym(n->cond, i) && is_monotone(a, n->then, i);
    if (n->kind != N_SEQ) return false;
    for (int k = 0; k < n->nkids; k++)
        if (!is_monotone(a, n->kids[k], i)) return false;
    return true;
}

// `body` where the loop has an iteration.
static Node *if_some(Slice *s, const Node *l, Node *body) {
    Expr *some = expr_op(s->a, l->step > 0 ? OP_LT : OP_GT, l->lo, l->hi, NULL);
    return expr_is_int(some, 1) ? body : node_if(s->a, some, body, NULL);
}

// Leaves that only grow or only fall with the counter: the first and the last iteration do.
static Node *ends_only(Slice *s, const Node *l, Node *body) {
    Expr *first = l->lo, *last = loop_last(s->a, l);
    return seq_join(s->a, node_subst(s->a, body, 1, &l->iter, &first),
                    node_subst(s->a, body, 1, &l->iter, &last));
}

// A choice between a value that grows or falls with the counter, where that is on one side of a bound, and
// something else.
typedef struct Choice {
    Expr *value, *bound;
    Op side;             // OP_LT, OP_LE, OP_GT or OP_GE: how the value stands to the bound where it is chosen
} Choice;

static Op turned(Op op) { return op == OP_LT ? OP_GT : op == OP_LE ? OP_GE : op == OP_GT ? OP_LT : OP_LE; }
static Op negated(Op op) { return op == OP_LT ? OP_GE : op == OP_LE ? OP_GT : op == OP_GT ? OP_LE : OP_LT; }

static bool read_choice(Arena *a, const Expr *x, const Sym *i, Choice *out) {
    if (x->kind != E_OP || x->op != OP_SELECT) return false;
    const Expr *c = x->args[0];
    bool compares = c->kind == E_OP && (c->op == OP_LT || c->op == OP_LE || c->op == OP_GT || c->op == OP_GE);
    for (int arm = 1; compares && arm < 3; arm++)
        for (int k = 0; k < 2; k++) {
            Expr *value = x->args[arm], *bound = c->args[1 - k];
            if (!expr_equal(c->args[k], value) || expr_uses_sym(x->args[3 - arm], i)) continue;
            if (expr_uses_sym(bound, i) || !type_is_signed(value->type) || expr_has_load(value)) continue;
            if (counter_sign(a, value, i) == 2 && !is_multiple(value, i)) continue;
            Op side = k ? turned(c->op) : c->op;
            return *out = (Choice){value, bound, arm == 1 ? side : negated(side)}, true;
        }
    return false;
}

static Expr *at(Slice *s, Expr *x, const Sym *i, Expr *value) { return expr_subst(s->a, x, 1, &i, &value); }

// Besides what the first and the last iteration choose: the value that is next to the bound.
static Node *beside_bound(Slice *s, const Node *l, const Choice *c) {
    Arena *a = s->a;
    bool below = c->side == OP_LT || c->side == OP_LE, open = c->side == OP_LT || c->side == OP_GT;
    Expr *first = at(s, c->value, l->iter, l->lo), *last = at(s, c->value, l->iter, loop_last(a, l));
    Expr *near = expr_op(a, below ? OP_MIN : OP_MAX, first, last, NULL);
    Expr *far = expr_op(a, below ? OP_MAX : OP_MIN, first, last, NULL);
    Expr *one = expr_int(a, c->bound->type, open);
    Expr *end = expr_op(a, below ? OP_SUB : OP_ADD, c->bound, one, NULL);
    s->loose |= c->value->kind != E_SYM || l->step * l->step != 1;
    return slice_leaf(s, expr_op(a, below ? OP_MIN : OP_MAX, far, end, NULL),
                      expr_op(a, c->side, near, c->bound, NULL));
}

// ---- a loop --------------------------------------------------------------------------------------
static Node *in_loop(Slice *s, const Node *n, Node *body) {
    Sym *i = NEW(s->a, Sym);
    *i = *n->iter;
    i->name = name_new(s->m, n->iter->name);
    Expr *to = expr_sym(s->a, i);
    Node *loop = node_for(s->a, i, n->lo, n->hi, n->step, HOW_SERIAL,
                          node_subst(s->a, body, 1, &n->iter, &to));
    loop->loc = n->loc;
    return loop;
}

static const Expr *uncast(const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->args[0]->type) && type_is_signed(x->args[0]->type) &&
           type_size(x->args[0]->type) <= type_size(x->type))
        x = x->args[0];
    return x;
}

Node *slice_loop(Slice *s, const Node *n, Node *body) {
    Node *outside = NULL, *rest = NULL;
    Choice c;
    body = once(s->a, body);
    int many = body->kind == N_SEQ ? body->nkids : 1;
    for (int k = 0; k < many; k++) {
        Node *kid = body->kind == N_SEQ ? body->kids[k] : body;
        bool varies = node_uses_sym(kid, n->iter);
        bool chosen = varies && kid->kind == N_COPY && read_choice(s->a, uncast(kid->src), n->iter, &c);
        if (!varies) outside = seq_join(s->a, outside, kid);
        else if (chosen || is_monotone(s->a, kid, n->iter))
            outside = seq_join(s->a, outside, ends_only(s, n, kid));
        else rest = seq_join(s->a, rest, kid);
        if (chosen) outside = seq_join(s->a, outside, beside_bound(s, n, &c));
    }
    if (outside) outside = if_some(s, n, outside);
    return seq_join(s->a, outside, rest ? in_loop(s, n, rest) : NULL);
}
