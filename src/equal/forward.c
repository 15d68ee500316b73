// SPDX-License-Identifier: MIT
// forward.c -- a thread's whole numbers that are set once, put where they are used.
//
//   local inside;  inside = tx > 0 && i < n;  if (inside) …     →     if (tx > 0 && i < n) …
//
// So conditions, bounds and subscripts are functions of counters and sizes again. What a number was made of
// must not change: counters, sizes, and elements that the kernel does not write.
#include "equal/pair.h"

typedef struct Forward {
    Arena *a;
    const Node *root;
    const Array *array; // the variable
    Expr *const *sub; // its subscripts where it is set: counters of threads
    Expr *value;
    int writes;
    const Array *asked; // by is_written
} Forward;

static void count_writes(Node *n, void *arg) {
    Forward *f = arg;
    f->writes += n->kind == N_COPY && n->dst == f->asked;
}

static int writes_of(Forward *f, const Array *v) {
    f->writes = 0;
    f->asked = v;
    node_walk((Node *)f->root, count_writes, f);
    return f->writes;
}

static void find_changing(const Expr *x, void *arg) {
    Forward *f = arg;
    if (x->kind == E_LOAD && (x->array->place != PLACE_USER || writes_of(f, x->array))) f->value = NULL;
    if (x->kind == E_CALL) f->value = NULL;
}

// The only copy to a number of a thread, in what runs whenever n does; NULL: there is none.
static const Node *setting(const Node *n) {
    while (n && (n->kind == N_FOR ? n->how == HOW_THREAD : n->kind == N_SEQ && n->nkids == 1))
        n = n->kind == N_FOR ? n->body : n->kids[0];
    return n && n->kind == N_COPY && n->dst && n->op == OP_SET ? n : NULL;
}

static bool is_number(const Array *v) {
    return type_is_int(v->elem) &&
           ((v->place == PLACE_LOCAL && !v->rank) || (v->place == PLACE_REGISTER && v->rank == v->digits));
}

static bool takes(Forward *f, const Node *n) {
    if (!n || !is_number(n->dst) || writes_of(f, n->dst) != 1 || n->src->type != n->dst->elem) return false;
    f->value = n->src;
    expr_walk(n->src, find_changing, f);
    for (int d = 0; d < n->dst->rank; d++)
        if (n->sub[d]->kind != E_SYM) return false;
    f->array = n->dst;
    f->sub = n->sub;
    return f->value != NULL;
}

static Expr *put_value(Expr *x, void *arg) {
    Forward *f = arg;
    if (!x) return NULL;
    if (x->kind == E_LOAD && x->array == f->array) {
        bool same = true;
        for (int d = 0; d < x->nargs; d++) same = same && expr_equal(x->args[d], f->sub[d]);
        if (same) return f->value;
    }
    return expr_map(f->a, x, put_value, arg);
}

static Node *put(Node *n, void *arg) {
    Forward *f = arg;
    return node_map_exprs(f->a, node_map(f->a, n, put, arg), put_value, arg);
}

// Everything behind kid k of a sequence that sets one.
static Node *forwarded(Node *n, void *arg) {
    Forward *f = arg;
    if (n->kind != N_SEQ) return node_map(f->a, n, forwarded, arg);
    Node *m = node_clone(f->a, n);
    m->kids = NEW_N(f->a, Node *, n->nkids + 1);
    for (int k = 0; k < n->nkids; k++) m->kids[k] = n->kids[k];
    for (int k = 0; k < n->nkids; k++) {
        m->kids[k] = forwarded(m->kids[k], arg);
        const Node *inner = m->kids[k];
        while (inner && inner->kind == N_FOR && inner->how == HOW_THREAD) inner = inner->body;
        int all = inner && inner->kind == N_SEQ ? inner->nkids : 1;
        for (int i = 0; i < all; i++) {
            Forward g = {.a = f->a, .root = f->root};
            if (!takes(&g, setting(inner && inner->kind == N_SEQ ? inner->kids[i] : inner))) continue;
            for (int j = k + 1; j < n->nkids; j++) m->kids[j] = put(m->kids[j], &g);
        }
    }
    return m;
}

Node *equal_forward(Arena *a, Node *root) {
    Forward f = {.a = a, .root = root};
    return forwarded(root, &f);
}
