// SPDX-License-Identifier: MIT
// reads.c -- what a loop reads again and again is read before it, into registers.
//
//   for j in 0..n {                           local x_h[8]
//     for d in 0..8 unroll            →       for d in 0..8 unroll  if (0 < n && d < dim)
//       if (d < dim)  … x[i][d] …               x_h[d] = x[i][d]
//   }                                         for j in 0..n { … x_h[d] … }
//
// Right when nothing writes x meanwhile. An element is read only where some iteration of the loop would.
#include "rule/reads.h"

enum { MAX_UNROLLED = 4, MAX_CONDITIONS = 8, MAX_HOISTED = 16 };

typedef struct Read {
    Node *stmt;
    int access;
    const Array *array;
    Expr *const *sub;
    int nloops, nconds;
    const Node *loop[MAX_UNROLLED];
    Expr *cond[MAX_CONDITIONS];
    int64_t words;
    int same;                // the earlier read of the same elements; -1: none
} Read;

typedef struct Reads {
    Names *names;
    Arena *a;
    Node *kernel, *outer;    // the loop
    const Sym *lane;
    int n, left;             // registers that may still be used
    Read read[MAX_HOISTED];
    Read way;
    bool lost;
} Reads;

// Does x depend on the loop, or on a loop in it that is no loop around the read?
static bool moves(const Reads *r, const Expr *x) {
    return expr_has_load(x) || expr_uses_sym(x, r->outer->iter);
}

// The earlier read of the same elements in the same place of the tree, under conditions of its own.
static int earlier(const Reads *r, const Read *x) {
    for (int i = 0; i < r->n; i++) {
        const Read *o = &r->read[i];
        bool same = o->array == x->array && o->nloops == x->nloops && o->nconds == x->nconds && o->same < 0;
        for (int d = 0; same && d < x->array->rank; d++) same = expr_equal(o->sub[d], x->sub[d]);
        for (int l = 0; same && l < x->nloops; l++) same = o->loop[l] == x->loop[l];
        for (int k = 0; same && k < x->nconds; k++) same = expr_equal(o->cond[k], x->cond[k]);
        if (same) return i;
    }
    return -1;
}

bool leaves_out_one(const Expr *cond) {
    bool differ = cond->kind == E_OP && cond->op == OP_NE;
    return differ && type_is_int(cond->args[0]->type) && !expr_has_load(cond);
}

static void look_access(Reads *r, Node *n, const AccessVec *acc, int k) {
    Read x = r->way;
    x.stmt = n;
    x.access = k;
    x.array = acc->at[k].array;
    x.sub = acc->at[k].sub;
    x.words = 1;
    if (x.array->place != PLACE_USER || r->n == MAX_HOISTED) return;
    bool vector = false;
    for (int d = 0; d < x.array->rank; d++) {
        if (moves(r, x.sub[d])) return;
        vector |= r->lane && expr_uses_sym(x.sub[d], r->lane);
    }
    if (x.nloops == 0 && !vector) return;
    for (int l = 0; l < x.nloops; l++) {
        bool used = false;
        for (int d = 0; d < x.array->rank; d++) used = used || expr_uses_sym(x.sub[d], x.loop[l]->iter);
        if (!used) return;
        x.words *= x.loop[l]->hi->i;
    }
    x.same = earlier(r, &x);
    if (tree_writes(r->kernel, x.array) || (x.same < 0 && x.words > r->left)) return;
    if (x.same < 0) r->left -= (int)x.words;
    r->read[r->n++] = x;
}

static void look(Reads *r, Node *n) {
    if (!n) return;
    Read before = r->way;
    bool lost = r->lost, moved;
    AccessVec acc = {0};
    switch (n->kind) {
    case N_STMT:
        acc = node_accesses(r->a, n);
        for (int k = 1; k < acc.n && !lost; k++) look_access(r, n, &acc, k);
        return;
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++) look(r, n->kids[i]);
        return;
    case N_IF:
        moved = moves(r, n->cond);
        r->lost = lost || (moved && !leaves_out_one(n->cond)) || r->way.nconds == MAX_CONDITIONS;
        if (!r->lost && !moved) r->way.cond[r->way.nconds++] = n->cond;
        look(r, n->then);
        r->way = before;
        r->lost = true;
        look(r, n->other);
        break;
    case N_FOR:
        r->lost = lost || n->how != HOW_UNROLL || n->step != 1 || !expr_is_int(n->lo, 0) ||
                  n->hi->kind != E_INT || r->way.nloops == MAX_UNROLLED;
        if (!r->lost) r->way.loop[r->way.nloops++] = n;
        look(r, n->body);
        break;
    default: break;
    }
    r->way = before;
    r->lost = lost;
}

static const Array *register_for(Reads *r, const Read *x) {
    const char *name = name_fresh(r->names, arena_printf(r->a, "%s_h", x->array->name));
    Array *b = array_new(r->a, name, x->array->elem, PLACE_LOCAL, x->nloops);
    for (int d = 0; d < b->rank; d++) b->extent[d] = expr_int(r->a, T_I32, x->loop[d]->hi->i);
    return b;
}

// for d unroll  if (the loop runs, and all conditions)  x_h[d] = x[i][d]
static Node *fill(Reads *r, const Read *x, const Array *to) {
    Arena *a = r->a;
    const Sym *from[MAX_UNROLLED];
    Expr *at[MAX_UNROLLED];
    const Sym *counter[MAX_UNROLLED];
    for (int l = 0; l < x->nloops; l++) {
        from[l] = x->loop[l]->iter;
        counter[l] = iter_fresh(r->names, from[l]->name, from[l]->type);
        at[l] = expr_sym(a, counter[l]);
    }
    Expr **sub = NEW_N(a, Expr *, x->array->rank + 1);
    for (int d = 0; d < x->array->rank; d++) sub[d] = expr_subst(a, x->sub[d], x->nloops, from, at);
    Node *n = node_copy(a, to, at, OP_SET, expr_load(a, x->array, sub));
    Expr *when = expr_op(a, OP_LT, r->outer->lo, expr_cast(a, r->outer->lo->type, r->outer->hi), NULL);
    for (int k = 0; k < x->nconds; k++)
        when = expr_op(a, OP_LAND, when, expr_subst(a, x->cond[k], x->nloops, from, at), NULL);
    n = node_if(a, when, n, NULL);
    for (int l = x->nloops - 1; l >= 0; l--)
        n = node_for(a, counter[l], expr_int(a, counter[l]->type, 0),
                     expr_int(a, counter[l]->type, x->loop[l]->hi->i), 1, HOW_UNROLL, n);
    return n;
}

// The loop with access k of a statement going to the register.
static Node *use(Reads *r, Node *root, const Read *x, Node **stmt, const Array *to) {
    Arena *a = r->a;
    AccessVec acc = node_accesses(a, *stmt);
    Node *n = node_rerouted(a, *stmt, acc.n);
    n->via[x->access] = to;
    n->via_sub[x->access] = NEW_N(a, Expr *, x->nloops);
    for (int l = 0; l < x->nloops; l++) n->via_sub[x->access][l] = expr_sym(a, x->loop[l]->iter);
    root = node_replace(a, root, *stmt, n);
    *stmt = n;
    return root;
}

Node *rule_hoist_reads(Names *names, Node *kernel, Node *seq, Node *loop, int most, const Sym *lane) {
    Reads r = {.names = names, .a = names->arena, .kernel = kernel, .outer = loop, .lane = lane,
               .left = most};
    if (expr_has_load(loop->lo) || expr_has_load(loop->hi) || loop->step != 1) return seq;
    look(&r, loop->body);
    if (r.n == 0) return seq;
    Node *body = loop->body, *kids[MAX_HOISTED + 1];
    const Array *kept[MAX_HOISTED];
    int n = 0;
    for (int k = 0; k < r.n; k++) {
        bool first = r.read[k].same < 0;
        const Array *to = kept[k] = first ? register_for(&r, &r.read[k]) : kept[r.read[k].same];
        if (first) seq = seq_declare(r.a, seq, to);
        if (first) kids[n++] = fill(&r, &r.read[k], to);
        Node *stmt = r.read[k].stmt;
        body = use(&r, body, &r.read[k], &stmt, to);
        for (int l = k + 1; l < r.n; l++) // other reads of the same statement
            if (r.read[l].stmt == r.read[k].stmt) r.read[l].stmt = stmt;
    }
    kids[n++] = node_around(r.a, loop, body);
    int at = 0;
    while (at < seq->nkids && seq->kids[at] != loop) at++;
    return seq_splice(r.a, seq, at, 1, n, kids);
}
