// SPDX-License-Identifier: MIT
// sig.c -- what a kernel needs from outside: its arguments and its launch geometry
//
// The order of arguments is the order in which the text of the kernel mentions them,
// parents first: a loop's bounds, then its body; a block's locals, then its children; of
// a statement or a copy the element written, then what is read.
#include "ir/ir.h"
#include <string.h>

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
    if (a->place != PLACE_USER && a->place != PLACE_TEMP) return;
    for (int k = 0; k < s->arrays.n; k++) {
        if (!same_object(s->arrays.at[k], a)) continue;
        s->written.at[k] |= write;
        return;
    }
    vec_push(s->arena, &s->arrays, a);
    vec_push(s->arena, &s->written, write);
}

// One access of the statement (s->node), or one of a copy: the array that it really goes to,
// and the subscripts there.
static void scan_access(Scan *s, const Array *a, Expr *const *sub, bool write) {
    const Node *n = s->node;
    int k = n ? s->access++ : 0;
    const Array *via = n && k < n->nvia ? n->via[k] : NULL;
    scan_array(s, via ? via : a, write);
    if (!via || !n->via_sub || !n->via_sub[k]) {
        for (int d = 0; d < a->rank; d++) scan_expr(s, sub[d]);
        return;
    }
    for (int d = 0; d < a->rank; d++) s->access += expr_loads(sub[d]);
    s->node = NULL; // they are in the tree's counters
    for (int d = 0; d < via->rank; d++) scan_expr(s, n->via_sub[k][d]);
    s->node = n;
}

static void scan_expr(Scan *s, const Expr *x) {
    if (!x) return;
    if (x->kind == E_LOAD) {
        scan_access(s, x->array, x->args, false);
        return;
    }
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
    scan_access(s, st->lhs, st->sub, true);
    scan_expr(s, st->rhs);
    s->node = NULL;
}

static void scan_node(Scan *s, const Node *n) {
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
    if (kernel->outline) return memcpy(NEW(a, KernelSig), &kernel->outline->sig, sizeof(KernelSig));
    Scan s = {.arena = a};
    node_each(n, kernel->kind == N_KERNEL ? kernel->body : kernel) scan_node(&s, n);
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
    if (n->kind == N_FOR && n->how == how && path.n < 3) {
        path.loop[path.n++] = n;
        if (path.n > best->n) *best = path;
    }
    for (int k = 0; node_kid(n, k); k++) find_axes(node_kid(n, k), how, path, best);
}

static int innermost_first(const Axis *axis, const Node *out[3]) {
    for (int k = 0; k < axis->n; k++) out[k] = axis->loop[axis->n - 1 - k];
    return axis->n;
}

int ir_phase(const Node *thread, const Node *loop[8], int64_t extent[8]) {
    int n = 0;
    const Node *at = thread;
    while (at && n < 8) {
        while (at->kind == N_SEQ && at->nkids == 1 && !at->nlocals) at = at->kids[0];
        if (at->kind != N_FOR || at->how != HOW_THREAD) break;
        int64_t lo = 0, hi = 0;
        if (!ir_eval(at->hi, 0, NULL, &hi) || !ir_eval(at->lo, 0, NULL, &lo)) lo = 0, hi = 0;
        loop[n] = at;
        extent[n++] = hi - lo;
        at = at->body;
    }
    return n;
}

// Is the body of the block loops one nest of at most three thread loops and nothing else?
static bool is_plain(const Node *n) {
    int threads = 0;
    for (;; n = n->body) {
        while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
        if (!n || n->kind != N_FOR || (n->how != HOW_BLOCK && n->how != HOW_THREAD)) break;
        threads += n->how == HOW_THREAD;
    }
    return threads > 0 && threads <= 3;
}

typedef struct Phases {
    int64_t threads;    // of the largest
    int nthread, ncoop; // loops of each kind
} Phases;

static void count_phases(const Node *root, Phases *p) {
    node_each(n, root) {
        p->ncoop += n->kind == N_FOR && n->how == HOW_COOP;
        if (n->kind != N_FOR || n->how != HOW_THREAD) continue;
        const Node *loop[8];
        int64_t extent[8], all = 1;
        int count = ir_phase(n, loop, extent);
        for (int k = 0; k < count; k++) all *= extent[k];
        if (all > p->threads) p->threads = all;
        p->nthread++;
        each_prune(); // a thread loop further in belongs to this phase
    }
}

void ir_kernel_grid(const Node *kernel, KernelGrid *g) {
    *g = (KernelGrid){0};
    Axis none = {.n = 0}, block = {.n = 0}, thread = {.n = 0};
    find_axes(kernel, HOW_BLOCK, none, &block);
    g->nblock = innermost_first(&block, g->block);
    Phases p = {kernel->outline ? kernel->outline->threads : 0, 0, 0};
    if (p.threads) {
        g->phases = true, g->threads = p.threads;
        return;
    }
    count_phases(kernel, &p);
    if ((p.nthread || p.ncoop) && !is_plain(kernel->kind == N_KERNEL ? kernel->body : kernel)) {
        g->phases = true;
        g->threads = p.threads > 0 ? p.threads : 1;
        return;
    }
    find_axes(kernel, HOW_THREAD, none, &thread);
    g->nthread = innermost_first(&thread, g->thread);
}

Node *ir_outline(Arena *a, const Node *kernel, Outline *o) {
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    o->sig = *ir_kernel_sig(a, kernel);
    o->threads = g.phases ? g.threads : 0;
    Node *n = node_clone(a, kernel);
    n->outline = o;
    n->body = node_seq(a, 0, NULL);
    for (int i = 0; i < g.nthread + g.nblock; i++) {
        const Node *l = i < g.nthread ? g.thread[i] : g.block[i - g.nthread];
        n->body = node_for(a, l->iter, l->lo, l->hi, l->step, l->how, n->body);
    }
    return n;
}
