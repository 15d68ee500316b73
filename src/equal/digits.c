// SPDX-License-Identifier: MIT
// digits.c -- threads' numbers that are divided, as digits.
//
//   for tx = 0 .. 256 thread { … s[tx / 16][tx % 16] … }
//   →  for d = 0 .. 16 thread { for e = 0 .. 16 thread { … s[d][e] … } }
//
// isl's floor and remainder of a counter are slow; a loop for each digit costs nothing. All loops over a
// counter have the same digits, and so have the registers that its threads keep.
#include "equal/pair.h"
#include "ir/ir.h"

enum { MAX_DIGITS = 8 };

typedef struct Digits {
    Arena *a;
    const Sym *from;
    int64_t extent;
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

static void find_cuts(Digits *d, const Expr *x) {
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

// ---- all counters of a kernel --------------------------------------------------------------------
typedef struct Renamed {
    const Array *from, *to;
    const Digits **of; // [from->rank]: by which a dimension was split; NULL: it was not
} Renamed;

typedef struct AllDigits {
    Arena *a;
    VEC(Digits *) of;
    VEC(Renamed) arrays;
} AllDigits;

static Digits *digits_of(const AllDigits *g, const Sym *s) {
    for (int i = 0; i < g->of.n; i++)
        if (g->of.at[i]->from == s) return g->of.at[i];
    return NULL;
}

static void find_counter(AllDigits *g, const Node *n) {
    if (n->kind != N_FOR || n->how != HOW_THREAD) return;
    bool plain = n->lo->kind == E_INT && n->lo->i == 0 && n->hi->kind == E_INT && n->hi->i > 1 &&
        n->step == 1;
    Digits *d = digits_of(g, n->iter);
    if (!d) {
        d = NEW(g->a, Digits);
        *d = (Digits){.a = g->a, .from = n->iter, .extent = plain ? n->hi->i : 0};
        vec_push(g->a, &g->of, d);
    }
    d->failed |= !plain || n->hi->i != d->extent;
}

static bool is_chain(Digits *d) {
    if (!d->n) return false;
    add_cut(d, 1);
    while (d->n > 1 && d->cut[d->n - 1] >= d->extent) d->n--;
    add_cut(d, d->extent); // one digit alone where nothing less divides it: tx % 32 of 32 threads is tx
    bool chain = !d->failed && d->n > 1;
    for (int k = 0; k + 1 < d->n; k++) chain &= d->cut[k + 1] % d->cut[k] == 0;
    for (int k = 0; k + 1 < d->n; k++) {
        Sym *s = NEW(d->a, Sym);
        *s = (Sym){
            .name = arena_printf(d->a, "%s_%d", d->from->name, k), .kind = SYM_ITER, .type = d->from->type};
        d->digit[k] = s;
    }
    return chain;
}

static int64_t size_of_digit(const Digits *d, int k) { return d->cut[k + 1] / d->cut[k]; }

// A register that its thread's number names: by its digits, the highest first.
static const Renamed *with_digits(AllDigits *g, const Array *v, Expr *const *sub) {
    for (int i = 0; i < g->arrays.n; i++)
        if (g->arrays.at[i].from == v) return &g->arrays.at[i];
    Renamed r = {.from = v, .of = NEW_N(g->a, const Digits *, v->rank + 1)};
    int more = 0, at = 0;
    for (int i = 0; i < v->digits; i++) {
        r.of[i] = sub[i]->kind == E_SYM ? digits_of(g, sub[i]->sym) : NULL;
        more += r.of[i] ? r.of[i]->n - 2 : 0;
    }
    Array *w = NEW(g->a, Array);
    *w = *v;
    w->rank += more;
    w->digits += more;
    w->extent = NEW_N(g->a, Expr *, w->rank + 1);
    for (int i = 0; i < v->rank; i++) {
        for (int k = r.of[i] ? r.of[i]->n - 2 : -1; k >= 0; k--)
            w->extent[at++] = expr_int(g->a, T_I64, size_of_digit(r.of[i], k));
        if (!r.of[i]) w->extent[at++] = v->extent[i];
    }
    r.to = w;
    vec_push(g->a, &g->arrays, r);
    return &g->arrays.at[g->arrays.n - 1];
}

static Expr *put_all(Expr *x, void *arg);

static Expr *digit_of(Arena *a, const Digits *d, int k, Expr *x) {
    if (x->kind == E_SYM && x->sym == d->from) return expr_sym(a, d->digit[k]);
    Expr *high = expr_op(a, OP_DIV, x, expr_int(a, x->type, d->cut[k]), NULL);
    return expr_op(a, OP_MOD, high, expr_int(a, x->type, size_of_digit(d, k)), NULL);
}

static Expr **subscripts(AllDigits *g, const Renamed *r, Expr *const *sub) {
    Expr **out = NEW_N(g->a, Expr *, r->to->rank + 1);
    int at = 0;
    for (int i = 0; i < r->from->rank; i++) {
        const Digits *d = r->of[i];
        for (int k = d ? d->n - 2 : -1; k >= 0; k--) out[at++] = put_all(digit_of(g->a, d, k, sub[i]), g);
        if (!d) out[at++] = put_all(sub[i], g);
    }
    return out;
}

static bool is_named_by_thread(const Array *v) { return v->place == PLACE_REGISTER && v->digits > 0; }

// Loads first, while their subscripts are counters still.
static Expr *put_loads(Expr *x, void *arg) {
    AllDigits *g = arg;
    if (!x) return NULL;
    if (x->kind != E_LOAD || !is_named_by_thread(x->array)) return expr_map(g->a, x, put_loads, arg);
    const Renamed *r = with_digits(g, x->array, x->args);
    const Array *w = r->to;
    Expr *y = expr_load(g->a, w, subscripts(g, r, x->args));
    y->loc = x->loc;
    y->moved = x->moved;
    return y;
}

static Expr *put_all(Expr *x, void *arg) {
    AllDigits *g = arg;
    x = put_loads(x, arg);
    for (int i = 0; x && i < g->of.n; i++) x = put_digits(x, g->of.at[i]);
    return x;
}

static Node *map_digits(Node *n, void *arg) {
    AllDigits *g = arg;
    bool named = n->kind == N_COPY && n->dst && is_named_by_thread(n->dst);
    const Renamed *r = named ? with_digits(g, n->dst, n->sub) : NULL;
    const Array *w = r ? r->to : NULL;
    Expr **sub = r ? subscripts(g, r, n->sub) : NULL;
    const Digits *d = n->kind == N_FOR && n->how == HOW_THREAD ? digits_of(g, n->iter) : NULL;
    Node *m = node_map_exprs(g->a, node_map(g->a, n, map_digits, arg), put_all, arg);
    if (w) m->dst = w, m->sub = sub;
    if (!d) return m;
    Node *body = m->body;
    for (int k = 0; k + 1 < d->n; k++) {
        Node *loop = node_clone(g->a, m);
        loop->iter = d->digit[k];
        loop->hi = expr_int(g->a, n->iter->type, size_of_digit(d, k));
        loop->body = body;
        body = loop;
    }
    return body;
}

// The registers are declared where others know them by.
static Node *map_locals(Node *n, void *arg) {
    AllDigits *g = arg;
    Node *m = node_map(g->a, n, map_locals, arg);
    if (n->nlocals) m->locals = NEW_N(g->a, const Array *, n->nlocals);
    for (int i = 0; i < n->nlocals; i++) {
        m->locals[i] = n->locals[i];
        for (int k = 0; k < g->arrays.n; k++)
            if (g->arrays.at[k].from == n->locals[i]) m->locals[i] = g->arrays.at[k].to;
    }
    return m;
}

Node *equal_digits(Arena *a, Node *root) {
    AllDigits g = {.a = a};
    node_each(n, root) find_counter(&g, n);
    node_each(n, root)
        copy_each_expr(x, n)
            for (int i = 0; i < g.of.n; i++) find_cuts(g.of.at[i], x);
    int n = 0;
    for (int i = 0; i < g.of.n; i++)
        if (is_chain(g.of.at[i])) g.of.at[n++] = g.of.at[i];
    g.of.n = n;
    return n ? map_locals(map_digits(root, &g), &g) : root;
}
