// SPDX-License-Identifier: MIT
// refs.c -- one walk over a tree that collects its array references.
#include "rule/refs.h"
#include "rule/linear.h"
#include <string.h>

typedef VEC(Node *) Nodes;
typedef struct Walk {
    Arena *a;
    Refs *out;
    Nodes loops, seqs;
    VEC(int) depths;       // of each block: the loops around it
    Node *kernel;
    Node **loop;           // the copy of the loops that the references of one place share; NULL: to be made
    Node *node;
} Walk;

static Node **copied(Arena *a, const Nodes *v) {
    Node **out = NEW_N(a, Node *, v->n + 1);
    if (v->n) memcpy(out, v->at, (size_t)v->n * sizeof *out);
    return out;
}

// ---- uses ------------------------------------------------------------------------------------------
static int slot_of(const Refs *r, const Array *array, const Node *kernel) {
    const void *key[2] = {array, kernel};
    int k = (int)(hash_bytes(key, sizeof key, 1) % (uint64_t)r->nslots);
    while (r->slot[k] >= 0 &&
           (r->uses.at[r->slot[k]].array != array || r->uses.at[r->slot[k]].kernel != kernel))
        k = (k + 1) % r->nslots;
    return k;
}

static void grow(Refs *r) {
    r->nslots = r->nslots ? 2 * r->nslots : 32;
    r->slot = NEW_N(r->a, int, r->nslots);
    for (int k = 0; k < r->nslots; k++) r->slot[k] = -1;
    for (int k = 0; k < r->uses.n; k++) r->slot[slot_of(r, r->uses.at[k].array, r->uses.at[k].kernel)] = k;
}

static int use_of(Refs *r, const Array *array, const Node *kernel) {
    if (2 * r->uses.n >= r->nslots) grow(r);
    int k = slot_of(r, array, kernel);
    if (r->slot[k] >= 0) return r->slot[k];
    Use u = {array, kernel, false, false, r->n, false};
    vec_push(r->a, &r->uses, u);
    return r->slot[k] = r->uses.n - 1;
}

static int home_of(const Walk *w, const Array *array) {
    for (int k = w->seqs.n - 1; k >= 0 && array->place != PLACE_USER; k--)
        for (int i = 0; i < w->seqs.at[k]->nlocals; i++)
            if (w->seqs.at[k]->locals[i] == array) return w->depths.at[k];
    return 0;
}

// Do two references of one array differ by constants in every subscript, and somewhere at all?
static bool refs_apart(const Ref *x, const Ref *y) {
    bool apart = false;
    if (x->array != y->array || x->array->rank == 0) return false;
    for (int d = 0; d < x->array->rank; d++) {
        Linear u, v;
        if (!linear_of(x->sub[d], &u) || !linear_of(y->sub[d], &v) || !linear_add(&u, &v, -1) || u.n)
            return false;
        apart = apart || u.c;
    }
    return apart;
}

static void add(Walk *w, const Array *array, Expr *const *sub, bool read, bool write, Op op) {
    if (!w->loop) w->loop = copied(w->a, &w->loops);
    Ref r = {array,
             sub,
             read,
             write,
             op,
             w->node,
             w->kernel,
             w->loops.n,
             w->loop,
             home_of(w, array),
             use_of(w->out, array, w->kernel)};
    vec_push(w->a, w->out, r);
    Use *u = &w->out->uses.at[r.use];
    u->read = u->read || read;
    u->written = u->written || write;
    u->apart = u->apart || refs_apart(&w->out->at[u->first], &r);
}

static void loads(Walk *w, Node *n, const Expr *root) {
    w->node = n;
    expr_each(x, root)
        if (x->kind == E_LOAD) add(w, x->array, x->args, true, false, OP_SET);
}

static void stmt(Walk *w, Node *n) {
    AccessVec acc = node_accesses(w->a, n);
    w->node = n;
    for (int k = 0; k < acc.n; k++)
        add(w, acc.at[k].array, acc.at[k].sub, acc.at[k].read, acc.at[k].write,
            acc.at[k].write ? n->stmt->op : OP_SET);
}

static void copy(Walk *w, Node *n) {
    w->node = n;
    add(w, n->dst, n->sub, n->op != OP_SET, true, n->op);
    for (int d = 0; d < n->dst->rank; d++) loads(w, n, n->sub[d]);
    loads(w, n, n->src);
}

static void walk(Walk *w, Node *n);

static void below(Walk *w, Node *n, Nodes *stack) {
    if (n->kind == N_SEQ) vec_push(w->a, &w->depths, w->loops.n);
    vec_push(w->a, stack, n);
    if (n->kind == N_FOR) w->loop = NULL;
    if (n->kind == N_FOR) walk(w, n->body);
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++) walk(w, n->kids[k]);
    stack->n--;
    if (n->kind == N_SEQ) w->depths.n--;
    if (n->kind == N_FOR) w->loop = NULL;
}

static void walk(Walk *w, Node *n) {
    if (!n) return;
    switch (n->kind) {
    case N_STMT: stmt(w, n); return;
    case N_COPY: copy(w, n); return;
    case N_SEQ: below(w, n, &w->seqs); return;
    case N_FOR:
        loads(w, n, n->lo), loads(w, n, n->hi);
        below(w, n, &w->loops);
        return;
    case N_IF:
        loads(w, n, n->cond);
        walk(w, n->then), walk(w, n->other);
        return;
    case N_KERNEL:
        w->kernel = n, w->loop = NULL;
        walk(w, n->body);
        w->kernel = NULL;
        return;
    default: return;
    }
}

void refs_of(Arena *a, Node *root, Refs *out) {
    *out = (Refs){.a = a};
    Walk w = {.a = a, .out = out};
    walk(&w, root);
}

// ---- what a reference looks like -------------------------------------------------------------------
bool ref_names(const Ref *r, const Node *loop) { return exprs_use(r->sub, r->array->rank, loop->iter); }

int ref_unit(const Ref *r, const Node *loop) {
    int at = -1;
    for (int d = 0; d < r->array->rank; d++) {
        Linear x;
        if (!expr_uses_sym(r->sub[d], loop->iter)) continue;
        if (at >= 0 || !linear_of(r->sub[d], &x) || linear_coef(&x, loop->iter) != 1) return -1;
        at = d;
    }
    return at;
}

int ref_first_thread(const Ref *r) {
    int k = 0;
    while (k < r->nloops && r->loop[k]->how != HOW_THREAD) k++;
    return k;
}

const char *ref_text(Arena *a, const Ref *r) {
    Text t = text_new(a);
    text_put(&t, r->array->name);
    for (int d = 0; d < r->array->rank; d++) text_printf(&t, "[%s]", ir_print_expr(a, r->sub[d]));
    if (r->node->kind == N_STMT) text_printf(&t, " in %s", r->node->stmt->label);
    return text_str(&t);
}
