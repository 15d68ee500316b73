// SPDX-License-Identifier: MIT
// forward.c -- a thread's whole numbers and constants that are set once, put where they are used.
//
//   local inside;  inside = tx > 0 && i < n;  if (inside) …     →     if (tx > 0 && i < n) …
//
//   go = 1;  for u { if (go) if (c) go = 0 else … }      →     for u { if (c) ; else … }
//
// where c, once it holds, holds in all rounds that follow: a loop that is left at the edge.
//
// So conditions, bounds and subscripts are functions of counters and sizes again. What a number was made of
// must not change: counters, sizes, and elements that the kernel does not write.
#include "equal/pair.h"
#include "front/normal.h"

typedef struct Forward {
    Arena *a;
    const EqualTask *task; // of whose launch number `launch`…
    int launch;
    const Node *root; // …this is the tree
    const Array *array; // the variable
    Expr *const *sub; // its subscripts where it is set: counters of threads
    Expr *value;
    const Expr *cond; // it is set where this holds; NULL: always
    bool here; // it holds
} Forward;

static int writes_of(const Node *root, const Array *v) {
    int writes = 0;
    node_each(n, root) writes += n->kind == N_COPY && n->dst == v;
    return writes;
}

static bool may_change(const Forward *f, const Expr *x) {
    if (!x) return false;
    expr_each(y, x) {
        if (y->kind == E_CALL) return true;
        if (y->kind != E_LOAD) continue;
        if (y->array->place != PLACE_USER) return true;
        node_each(n, f->root) { // a launch may be given one array twice
            const Array *w = n->kind == N_COPY ? n->dst : NULL;
            if (w && equal_same_memory(f->task, f->launch, w, y->array)) return true;
        }
    }
    return false;
}

// The only copy to a number of a thread, in what runs whenever n does, or whenever *cond holds; NULL: there
// is none.
static const Node *setting(const Node *n, const Expr **cond) {
    for (*cond = NULL; n;) {
        if (n->kind == N_FOR && n->how == HOW_THREAD) n = n->body;
        else if (n->kind == N_SEQ && n->nkids == 1) n = n->kids[0];
        else if (n->kind == N_IF && !n->other && !*cond) *cond = n->cond, n = n->then;
        else break;
    }
    return n && n->kind == N_COPY && n->dst && n->op == OP_SET ? n : NULL;
}

static bool is_literal(const Expr *x) {
    while (x->kind == E_CAST || (x->kind == E_OP && x->op == OP_NEG)) x = x->args[0];
    return x->kind == E_FLOAT || x->kind == E_INT;
}

static bool is_number(const Array *v, const Expr *value) {
    return (type_is_int(v->elem) || is_literal(value)) && is_own(v);
}

static bool takes(Forward *f, const Node *n) {
    if (!n || !is_number(n->dst, n->src) || writes_of(f->root, n->dst) != 1 || n->src->type != n->dst->elem)
        return false;
    if (may_change(f, n->src) || may_change(f, f->cond)) return false;
    for (int d = 0; d < n->dst->rank; d++)
        if (n->sub[d]->kind != E_SYM) return false;
    f->value = n->src;
    f->array = n->dst;
    f->sub = n->sub;
    f->here = !f->cond;
    return true;
}

static Expr *put_value(Expr *x, void *arg) {
    Forward *f = arg;
    if (!x) return NULL;
    if (x->kind == E_LOAD && x->array == f->array) {
        bool same = f->here;
        for (int d = 0; d < x->nargs; d++) same = same && expr_equal(x->args[d], f->sub[d]);
        if (same) return f->value;
    }
    return expr_map(f->a, x, put_value, arg);
}

static Node *put(Node *n, void *arg) {
    Forward *f = arg;
    if (f->cond && !f->here && n->kind == N_IF && expr_equal(n->cond, f->cond)) { // set where it is used
        Node *m = node_clone(f->a, n);
        f->here = true;
        m->then = put(n->then, arg);
        f->here = false;
        if (n->other) m->other = put(n->other, arg);
        return m;
    }
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
            Forward g = *f;
            const Node *set = setting(inner && inner->kind == N_SEQ ? inner->kids[i] : inner, &g.cond);
            if (!takes(&g, set)) continue;
            for (int j = k + 1; j < n->nkids; j++) m->kids[j] = put(m->kids[j], &g);
        }
    }
    return m;
}

typedef struct Instead {
    Arena *a;
    const Sym *from;
    Expr *to;
} Instead;

static Expr *instead(Expr *x, void *arg) {
    Instead *s = arg;
    if (!x) return NULL;
    if (x->kind == E_SYM && x->sym == s->from) return expr_cast(s->a, x->type, s->to);
    return equal_exact(s->a, expr_map(s->a, x, instead, arg));
}

// (lo + 16 t - lo) / 16 as t
Expr *equal_exact(Arena *a, Expr *y) {
    bool by = y->kind == E_OP && (y->op == OP_DIV || y->op == OP_FDIV) && y->args[1]->kind == E_INT &&
        y->args[1]->i > 0;
    Sums k = {.a = a};
    Sum *n = by && type_is_int(y->type) && type_is_signed(y->type) ? sum_of(&k, y->args[0]) : NULL,
        *rest = NULL;
    int64_t left = 1;
    Sum *q = n && n->n ? sum_div(&k, n, sum_int(&k, y->args[1]->i), &rest) : NULL;
    return q && sum_is_const(rest, &left) && !left ? sum_expr(&k, q, y->type) : y;
}

static Node *instead_in(Node *n, void *arg) {
    Instead *s = arg;
    return node_map_exprs(s->a, node_map(s->a, n, instead_in, arg), instead, arg);
}

Node *equal_with_value(Arena *a, Node *n, const Sym *from, Expr *to) {
    return instead_in(n, &(Instead){a, from, to});
}

static bool is_load(const Expr *x) { return x->kind == E_LOAD; }

// ---- loops that begin anywhere -------------------------------------------------------------------
//   for a = K * 16 * by .. K * 16 * by + K step 16 { … a … }   →   for t = 0 .. K / 16 { … K * 16 * by + 16
// * t … }
static bool is_number_or_sym(const Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    return x->kind == E_SYM;
}

static bool is_product(const Expr *x) {
    return x->kind == E_OP && x->op == OP_MUL && !expr_any(x, is_load) && expr_any(x->args[0],
            is_number_or_sym) &&
           expr_any(x->args[1], is_number_or_sym);
}

static Node *from_zero(Node *n, void *arg) {
    Arena *a = arg;
    Node *m = node_map(a, n, from_zero, arg);
    if (n->kind != N_FOR || is_parallel(n) || n->step <= 0 || !expr_any(n->lo, is_product)) return m;
    Sums k = {.a = a};
    Sum *lo = sum_of(&k, n->lo), *hi = sum_of(&k, n->hi);
    Sum *span = lo && hi ? sum_add(&k, hi, lo, -1) : NULL;
    if (!span || sum_degree(span) > 1) return m;
    Type t = n->iter->type;
    Sym *s = NEW(a, Sym);
    *s = (Sym){.name = arena_printf(a, "%s_trip", n->iter->name), .kind = SYM_ITER, .type = t};
    Expr *step = expr_int(a, t, n->step), *last = sum_expr(&k, sum_add(&k, span, sum_int(&k, n->step - 1),
            1), t);
    Expr *value = expr_add(a, n->lo, expr_mul(a, expr_sym(a, s), step));
    Node *loop = node_clone(a, m);
    loop->iter = s;
    loop->lo = expr_int(a, t, 0);
    loop->hi = n->step > 1 ? expr_op(a, OP_FDIV, last, step, NULL) : last;
    loop->step = 1;
    loop->body = equal_with_value(a, m->body, n->iter, value);
    return loop;
}

// ---- loops that are left -------------------------------------------------------------------------
// Is it a signed number, and what it is made of as far as that hangs on i?
static bool is_signed(const Expr *x, const Sym *i) {
    expr_each(y, x)
        if (expr_uses_sym(y, i) && (!type_is_int(y->type) || !type_is_signed(y->type))) return false;
    return type_is_int(x->type) && type_is_signed(x->type);
}

// Does x, once it holds (on) or does not (!on), stay so while counter i grows? It reads no memory.
static bool stays(Arena *a, const Expr *x, const Sym *i, bool on) {
    if (!expr_uses_sym(x, i)) return true;
    if (x->kind == E_CAST && type_is_int(x->args[0]->type)) return stays(a, x->args[0], i, on);
    if (x->kind != E_OP) return false;
    if (x->op == OP_LNOT) return stays(a, x->args[0], i, !on);
    if (x->op == OP_LAND || x->op == OP_LOR)
        return stays(a, x->args[0], i, on) && stays(a, x->args[1], i, on);
    bool more = x->op == OP_GE || x->op == OP_GT, less = x->op == OP_LE || x->op == OP_LT;
    if (!(more || less) || !is_signed(x->args[0], i) || !is_signed(x->args[1], i)) return false;
    int sign = counter_sign(a, expr_sub(a, x->args[0], x->args[1]), i);
    return sign == 0 || sign == (more == on ? 1 : -1);
}

static Node *only(Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1) n = n->kids[0];
    return n;
}

// A copy of a literal to a number of a thread; NULL: it is none.
static const Array *set_to(const Node *n, bool zero) {
    const Expr *x = n && n->kind == N_COPY && n->dst && n->op == OP_SET ? n->src : NULL;
    while (x && x->kind == E_CAST) x = x->args[0];
    return x && x->kind == E_INT && !x->i == zero && is_own(n->dst) ? n->dst : NULL;
}

// How many of the copies to v stand in ways out: if (c) v = 0 else …, the else with more of these.
static int ways_out(Arena *a, Node *n, const Array *v, const Sym *i) {
    n = only(n);
    if (!n || n->kind != N_IF || set_to(only(n->then), true) != v) return 0;
    if (expr_any(n->cond, is_load) || !stays(a, n->cond, i, true)) return 0;
    return 1 + ways_out(a, n->other, v, i);
}

// The flag that a loop asks in each round; NULL: it asks none.
static const Array *asked(Node *loop) {
    Node *x = loop->kind == N_FOR && !is_parallel(loop) && loop->step > 0 ? only(loop->body) : NULL;
    if (!x || x->kind != N_IF || x->other) return NULL;
    const Expr *c = x->cond;
    bool zero = c->kind == E_OP && c->op == OP_NE && c->args[1]->kind == E_INT && !c->args[1]->i;
    if (zero) c = c->args[0];
    return c->kind == E_LOAD && is_own(c->array) && type_is_int(c->array->elem) ? c->array : NULL;
}

static int reads_of(const Node *root, const Array *v) {
    int reads = 0;
    node_each(n, root) copy_each_expr(x, n) reads += x->kind == E_LOAD && x->array == v;
    return reads;
}

typedef struct Unasked {
    Arena *a;
    const Array *flag;
} Unasked;

static Node *unasked(Node *n, void *arg) {
    Unasked *u = arg;
    if (n->kind == N_COPY && n->dst == u->flag) return node_seq(u->a, 0, NULL);
    bool asks = n->kind == N_IF && reads_of(n, u->flag);
    return asks ? unasked(n->then, arg) : node_map(u->a, n, unasked, arg);
}

static Node *left_at_edges(Node *n, void *arg) {
    Forward *f = arg;
    Node *m = node_map(f->a, n, left_at_edges, arg);
    if (n->kind != N_SEQ) return m;
    for (int k = 1; k < n->nkids; k++) {
        const Array *v = asked(n->kids[k]);
        bool set = false;
        for (int i = 0; i < k && v; i++) set |= set_to(n->kids[i], false) == v;
        if (!set || reads_of(f->root, v) != 1) continue;
        int all = 1 + ways_out(f->a, only(n->kids[k]->body)->then, v, n->kids[k]->iter);
        if (writes_of(f->root, v) == all) m->kids[k] = unasked(m->kids[k], &(Unasked){f->a, v});
    }
    return m;
}

Node *equal_forward(Arena *a, const EqualTask *t, int launch, Node *root) {
    Forward f = {.a = a, .task = t, .launch = launch, .root = root};
    f.root = forwarded(root, &f);
    return from_zero(left_at_edges((Node *)f.root, &f), a);
}
