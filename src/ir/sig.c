// SPDX-License-Identifier: MIT
// sig.c -- what a kernel needs from outside: its arguments and its launch geometry
//
// The order of arguments is the order in which the text of the kernel mentions them,
// parents first: a loop's bounds, then its body; a block's locals, then its children; of
// a statement or a copy the element written, then what is read.
#include "ir/ir.h"

typedef struct Scan {
    Arena *arena;
    const Node *node;                // the N_STMT being read; NULL: none
    int access;                      // number of the next access of that statement
    VEC(const Sym *) inner;          // counters of loops inside the kernel
    VEC(const Array *) local;        // arrays that live inside the kernel
    VEC(const Array *) arrays;
    VEC(bool) written;
    VEC(const Sym *) syms;
} Scan;

static const char *object_of(const Array *a) { return a->object ? a->object : a->name; }

static bool same_object(const Array *x, const Array *y) {
    if (x == y) return true;
    return x->place == PLACE_USER && y->place == PLACE_USER && str_eq(object_of(x), object_of(y));
}

static void scan_expr(Scan *s, const Expr *x);

static void scan_sym(Scan *s, const Sym *sym) {
    for (int k = 0; k < s->inner.n; k++)
        if (s->inner.at[k] == sym) return;
    for (int k = 0; k < s->syms.n; k++)
        if (s->syms.at[k] == sym) return;
    vec_push(s->arena, &s->syms, sym);
}

// The extents of an array are needed to find its elements; a cache also needs its origin.
static void scan_shape(Scan *s, const Array *a) {
    for (int d = 1; d < a->rank; d++) scan_expr(s, a->extent[d]);
    if (a->rank && a->place != PLACE_USER) scan_expr(s, a->extent[0]);
    for (int d = 0; a->origin && d < a->rank; d++) scan_expr(s, a->origin[d]);
}

static void scan_array(Scan *s, const Array *a, bool write) {
    const Node *node = s->node;
    s->node = NULL; // an array's shape is no text of the statement
    scan_shape(s, a);
    s->node = node;
    if (a->place == PLACE_LOCAL || a->place == PLACE_SHARED) return;
    for (int k = 0; k < s->arrays.n; k++) {
        if (!same_object(s->arrays.at[k], a)) continue;
        s->written.at[k] |= write;
        return;
    }
    vec_push(s->arena, &s->arrays, a);
    vec_push(s->arena, &s->written, write);
}

// The array that the next access of the statement really goes to.
static const Array *redirected(Scan *s, const Array *a) {
    const Node *n = s->node;
    if (!n) return a;
    int k = s->access++;
    return k < n->nvia && n->via[k] ? n->via[k] : a;
}

static void scan_expr(Scan *s, const Expr *x) {
    if (!x) return;
    if (x->kind == E_LOAD) scan_array(s, redirected(s, x->array), false);
    if (x->kind == E_SYM) {
        // A counter of the statement's own text stands for its expression in `at`.
        if (s->node)
            for (int k = 0; k < s->node->stmt->depth; k++)
                if (s->node->stmt->iters[k] == x->sym) return;
        scan_sym(s, x->sym);
    }
    for (int k = 0; k < x->nargs; k++) scan_expr(s, x->args[k]);
}

static void scan_stmt(Scan *s, const Node *n) {
    const Stmt *st = n->stmt;
    for (int k = 0; k < st->depth; k++) scan_expr(s, n->at[k]);
    s->node = n;
    s->access = 0;
    scan_array(s, redirected(s, st->lhs), true);
    for (int k = 0; k < st->lhs->rank; k++) scan_expr(s, st->sub[k]);
    scan_expr(s, st->rhs);
    s->node = NULL;
}

static void scan_node(Node *n, void *arg) {
    Scan *s = arg;
    for (int k = 0; k < n->nlocals; k++) scan_shape(s, n->locals[k]);
    if (n->kind == N_FOR) {
        scan_expr(s, n->lo);
        scan_expr(s, n->hi);
        vec_push(s->arena, &s->inner, n->iter);
    } else if (n->kind == N_IF) {
        scan_expr(s, n->cond);
    } else if (n->kind == N_STMT) {
        scan_stmt(s, n);
    } else if (n->kind == N_COPY) {
        if (n->dst) scan_array(s, n->dst, true);
        for (int k = 0; n->dst && k < n->dst->rank; k++) scan_expr(s, n->sub[k]);
        scan_expr(s, n->src);
    }
}

KernelSig *ir_kernel_sig(Arena *a, const Node *kernel) {
    Scan s = {.arena = a};
    node_walk(kernel->kind == N_KERNEL ? kernel->body : (Node *)kernel, scan_node, &s);
    KernelSig *sig = NEW(a, KernelSig);
    sig->narrays = s.arrays.n;
    sig->arrays = s.arrays.at;
    sig->written = s.written.at;
    sig->nsyms = s.syms.n;
    sig->syms = s.syms.at;
    return sig;
}

// ---- geometry ---------------------------------------------------------------------------
typedef struct Axis {
    const Node *loop[3]; // outermost first
    int n;
} Axis;

// The first spine that has the most loops of each kind: every kernel has one grid, and
// sibling thread loops of the same extents share it.
static void find_axes(const Node *n, How how, Axis path, Axis *best) {
    if (!n) return;
    if (n->kind == N_FOR && n->how == how && path.n < 3) {
        path.loop[path.n++] = n;
        if (path.n > best->n) *best = path;
    }
    for (int k = 0; k < n->nkids; k++) find_axes(n->kids[k], how, path, best);
    find_axes(n->body, how, path, best);
    find_axes(n->then, how, path, best);
    find_axes(n->other, how, path, best);
}

static int innermost_first(const Axis *axis, const Node *out[3]) {
    for (int k = 0; k < axis->n; k++) out[k] = axis->loop[axis->n - 1 - k];
    return axis->n;
}

void ir_kernel_grid(const Node *kernel, KernelGrid *g) {
    *g = (KernelGrid){0};
    Axis none = {.n = 0}, block = {.n = 0}, thread = {.n = 0};
    find_axes(kernel, HOW_BLOCK, none, &block);
    find_axes(kernel, HOW_THREAD, none, &thread);
    g->nblock = innermost_first(&block, g->block);
    g->nthread = innermost_first(&thread, g->thread);
}
