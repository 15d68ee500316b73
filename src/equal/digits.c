// SPDX-License-Identifier: MIT
// digits.c -- threads' numbers that are divided, as digits.
//
//   for tx = 0 .. 256 thread { … s[tx / 16][tx % 16] … }
//   →  for d = 0 .. 16 thread { for e = 0 .. 16 thread { … s[d][e] … } }
//
// isl's floor and remainder of a counter are slow; a loop for each digit costs nothing.
#include "equal/pair.h"
#include "ir/ir.h"

enum { MAX_DIGITS = 8 };

typedef struct Digits {
    Arena *a;
    const Sym *from;
    int n; // cuts, ascending: 1 = cut[0] < cut[1] < … < cut[n] = the extent
    int64_t cut[MAX_DIGITS + 2];
    const Sym *digit[MAX_DIGITS + 1]; // cut[k] … cut[k + 1]
    bool failed;
} Digits;

// Does x begin with the counter alone, under casts?
static bool is_counter(const Expr *x, const Sym *s) {
    while (x->kind == E_CAST && type_is_int(x->type) && type_size(x->type) >= 4) x = x->args[0];
    return x->kind == E_SYM && x->sym == s;
}

static int64_t divisor(const Expr *x, const Sym *s, bool *rest) {
    if (x->kind != E_OP || x->nargs != 2 || x->args[1]->kind != E_INT) return 0;
    int64_t v = x->args[1]->i;
    if (!is_counter(x->args[0], s) || v <= 0) return 0;
    *rest = x->op == OP_MOD || x->op == OP_FMOD || x->op == OP_AND;
    if (x->op == OP_SHR) return v < 31 ? (int64_t)1 << v : 0;
    if (x->op == OP_AND) return (v & (v + 1)) == 0 ? v + 1 : 0;
    return x->op == OP_DIV || x->op == OP_FDIV || *rest ? v : 0;
}

// (tx / 16) % 4 and the like, nested: a quotient of the counter divided again.
static int64_t quotient(const Expr *x, const Sym *s, int64_t *by) {
    bool rest = false;
    while (x->kind == E_CAST && type_is_int(x->type) && type_size(x->type) >= 4) x = x->args[0];
    *by = divisor(x, s, &rest);
    return *by && !rest;
}

static void add_cut(Digits *d, int64_t v) {
    int at = 0;
    while (at < d->n && d->cut[at] < v) at++;
    if (at < d->n && d->cut[at] == v) return;
    if (d->n > MAX_DIGITS) {
        d->failed = true;
        return;
    }
    for (int k = d->n; k > at; k--) d->cut[k] = d->cut[k - 1];
    d->cut[at] = v;
    d->n++;
}

static void find_cuts(const Expr *x, void *arg) {
    Digits *d = arg;
    bool rest = false;
    int64_t by = 0, v = divisor(x, d->from, &rest);
    if (v) add_cut(d, v);
    if (x->kind == E_OP && x->nargs == 2 && x->args[1]->kind == E_INT && x->args[1]->i > 0 &&
        quotient(x->args[0], d->from, &by)) {
        int64_t w = x->args[1]->i;
        if (x->op == OP_MOD || x->op == OP_FMOD || x->op == OP_DIV || x->op == OP_FDIV) add_cut(d, by * w);
        if (x->op == OP_AND && (w & (w + 1)) == 0) add_cut(d, by * (w + 1));
        if (x->op == OP_SHR && w < 31) add_cut(d, by << w);
    }
}

static void cuts_of_node(Node *n, void *arg) {
    for (int i = 0; n->kind == N_COPY && n->dst && i < n->dst->rank; i++)
        expr_walk(n->sub[i], find_cuts, arg);
    if (n->src) expr_walk(n->src, find_cuts, arg);
    if (n->cond) expr_walk(n->cond, find_cuts, arg);
    if (n->lo) expr_walk(n->lo, find_cuts, arg);
    if (n->hi) expr_walk(n->hi, find_cuts, arg);
}

// Σ digits from cut `lo` to cut `hi`, in units of lo.
static Expr *part(const Digits *d, Type t, int64_t lo, int64_t hi) {
    Expr *x = NULL;
    for (int k = d->n - 2; k >= 0; k--) {
        if (d->cut[k] < lo || d->cut[k] >= hi) continue;
        Expr *y = expr_mul(d->a, expr_cast(d->a, t, expr_sym(d->a, d->digit[k])),
                           expr_int(d->a, t, d->cut[k] / lo));
        x = x ? expr_add(d->a, x, y) : y;
    }
    return x ? x : expr_int(d->a, t, 0);
}

static Expr *put_digits(Expr *x, void *arg) {
    Digits *d = arg;
    if (!x) return NULL;
    int64_t top = d->cut[d->n - 1], by = 0, w = 0, v;
    bool rest = false;
    if (x->kind == E_OP && x->nargs == 2 && x->args[1]->kind == E_INT && quotient(x->args[0], d->from, &by)) {
        w = x->args[1]->i;
        if (x->op == OP_AND && w > 0 && (w & (w + 1)) == 0) return part(d, x->type, by, by * (w + 1));
        if ((x->op == OP_MOD || x->op == OP_FMOD) && w > 0) return part(d, x->type, by, by * w);
        if ((x->op == OP_DIV || x->op == OP_FDIV) && w > 0) return part(d, x->type, by * w, top);
        if (x->op == OP_SHR && w < 31) return part(d, x->type, by << w, top);
    }
    if ((v = divisor(x, d->from, &rest))) return rest ? part(d, x->type, 1, v) : part(d, x->type, v, top);
    if (x->kind == E_SYM && x->sym == d->from) return part(d, x->type, 1, top);
    return expr_map(d->a, x, put_digits, arg);
}

static Node *put_in_node(Node *n, void *arg) {
    Digits *d = arg;
    return node_map_exprs(d->a, node_map(d->a, n, put_in_node, arg), put_digits, arg);
}

static Node *with_digits(Arena *a, Node *n) {
    Digits d = {.a = a, .from = n->iter};
    int64_t extent = n->hi->kind == E_INT ? n->hi->i : 0;
    bool plain = n->lo->kind == E_INT && n->lo->i == 0 && extent > 1 && n->step == 1;
    if (!plain) return n;
    node_walk(n->body, cuts_of_node, &d);
    add_cut(&d, 1);
    while (d.n > 1 && d.cut[d.n - 1] >= extent) d.n--;
    if (d.n < 2) return n;
    add_cut(&d, extent);
    bool chain = !d.failed;
    for (int k = 0; k + 1 < d.n; k++) chain &= d.cut[k + 1] % d.cut[k] == 0;
    if (!chain) return n;
    for (int k = 0; k + 1 < d.n; k++) {
        Sym *s = NEW(a, Sym);
        *s = (Sym){
            .name = arena_printf(a, "%s_%d", n->iter->name, k), .kind = SYM_ITER, .type = n->iter->type};
        d.digit[k] = s;
    }
    Node *body = put_in_node(n->body, &d);
    for (int k = 0; k + 1 < d.n; k++) {
        Node *loop = node_clone(a, n);
        loop->iter = d.digit[k];
        loop->lo = expr_int(a, n->iter->type, 0);
        loop->hi = expr_int(a, n->iter->type, d.cut[k + 1] / d.cut[k]);
        loop->body = body;
        body = loop;
    }
    return body;
}

static Node *map_digits(Node *n, void *arg) {
    Node *m = node_map(arg, n, map_digits, arg);
    return n->kind == N_FOR && n->how == HOW_THREAD ? with_digits(arg, m) : m;
}

Node *equal_digits(Arena *a, Node *root) { return map_digits(root, a); }
