// SPDX-License-Identifier: MIT
// scratch.c -- private arrays of run-time size, and a GPU's large ones: each thread has its part of device
// memory. No kernel can declare the former; the latter would overflow the stack of who runs a kernel's
// threads one after another, and a GPU keeps room for as many as could run at once.
//
//   block b { thread t {              temp work_all[n][blocks][256]
//     local work[n]             →     block b { thread t {
//     … work[d] … } }                   … work_all[d][b][t] … } }
//
// On a GPU neighbours in a warp touch neighbours, as they all are at the same element; on a processor each
// worker has an array of its own.
#include "plan/auto.h"
#include "rule/loops.h"
#include "rule/storage.h"

enum { MOST_WORKERS = 8, LARGE = 32 << 10 };

typedef struct Scratch {
    Plan *p;
    Arena *a;
    const Node *loop[MOST_WORKERS]; // parallel loops of the kernel around the place, outermost first
    int n;
    Array *temp;                    // of the array at hand,
    const Array *local;
    VEC(const Array *) temps;       // and of all in the kernel
    bool no;
} Scratch;

static bool is_undeclared(bool gpu, const Array *v) {
    bool varies = false;
    int64_t bytes = type_size(v->elem);
    for (int k = 0; k < v->rank; k++) {
        varies |= v->extent[k] && v->extent[k]->kind != E_INT;
        if (v->extent[k] && !varies && __builtin_mul_overflow(bytes, v->extent[k]->i, &bytes)) varies = true;
    }
    return v->place == PLACE_LOCAL && !v->of && (varies || (gpu && bytes > LARGE));
}

static int first_worker(const Scratch *s) { return s->p->gpu ? s->local->rank : 0; }
static int first_dim(const Scratch *s) { return s->p->gpu ? 0 : s->n; }

static void make_temp(Scratch *s) {
    const char *name = name_fresh(&s->p->names, arena_printf(s->a, "%s_all", s->local->name));
    Array *t = array_copy(s->a, s->local, name, s->n);
    t->place = PLACE_TEMP;
    for (int k = 0; k < s->n; k++) {
        Expr *span = loop_span(s->a, s->loop[k]);
        t->extent[first_worker(s) + k] = expr_op(s->a, OP_MAX, span, expr_int(s->a, span->type, 0), NULL);
    }
    for (int k = 0; k < s->local->rank; k++) t->extent[first_dim(s) + k] = s->local->extent[k];
    for (int k = 0; k < t->rank; k++) s->no |= expr_uses_iters(t->extent[k]);
    s->temp = t;
    vec_push(s->a, &s->temps, (const Array *)t);
}

static bool to_temp(const Site *site, const Array **to, Expr ***sub, void *arg) {
    Scratch *s = arg;
    Expr **at = NEW_N(s->a, Expr *, s->temp->rank + 1);
    for (int k = 0; k < s->n; k++)
        at[first_worker(s) + k] = expr_sub(s->a, expr_sym(s->a, s->loop[k]->iter), s->loop[k]->lo);
    for (int k = 0; k < s->local->rank; k++) at[first_dim(s) + k] = site->sub[k];
    *to = s->temp;
    *sub = at;
    return true;
}

static Node *in_kernel(Node *n, void *arg);

static Node *in_block(Scratch *s, Node *n) {
    Node *m = node_clone(s->a, n);
    const Array **kept = NEW_N(s->a, const Array *, n->nlocals + 1);
    m->nlocals = 0;
    for (int k = 0; k < n->nlocals; k++) {
        s->local = n->locals[k];
        if (!is_undeclared(s->p->gpu, s->local)) {
            kept[m->nlocals++] = s->local;
            continue;
        }
        make_temp(s);
        Node *e = accesses_edit(s->a, m, s->local, to_temp, s);
        m = e == m ? m : node_clone(s->a, e);
    }
    m->locals = kept;
    return node_map(s->a, m, in_kernel, s);
}

static Node *in_kernel(Node *n, void *arg) {
    Scratch *s = arg;
    if (n->kind == N_STMT || n->kind == N_COPY) return n;
    if (n->kind == N_SEQ) return in_block(s, n);
    bool worker = n->kind == N_FOR && n->how != HOW_SERIAL && n->how != HOW_UNROLL;
    s->no |= worker && s->n == MOST_WORKERS;
    if (worker && !s->no) s->loop[s->n++] = n;
    Node *m = node_map(s->a, n, in_kernel, arg);
    s->n -= worker && !s->no;
    return m;
}

bool plan_needs_scratch(bool gpu, Node *root) {
    node_each(n, root)
        for (int k = 0; n->kind == N_SEQ && k < n->nlocals; k++)
            if (is_undeclared(gpu, n->locals[k])) return true;
    return false;
}

static Node *with_temps(Scratch *s, Node *kernel) {
    Scratch own = {.p = s->p, .a = s->a};
    Node *body = in_kernel(kernel, &own);
    s->no |= own.no;
    return seq_declare_all(s->a, node_seq(s->a, 1, &body), own.temps.n, own.temps.at);
}

static Node *each_kernel(Node *n, void *arg) {
    Scratch *s = arg;
    if (n->kind == N_KERNEL) return plan_needs_scratch(s->p->gpu, n) ? with_temps(s, n) : n;
    return node_map(s->a, n, each_kernel, arg);
}

Node *plan_scratch(Plan *p, Node *tree) {
    Scratch s = {.p = p, .a = p->a};
    Node *n = plan_needs_scratch(p->gpu, tree) ? each_kernel(tree, &s) : tree;
    return s.no ? NULL : n;
}
