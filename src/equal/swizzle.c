// SPDX-License-Identifier: MIT
// swizzle.c -- memory of a block whose columns change places row by row, as if they did not.
//
//   s[r][c ^ r] = x;  … s[q][p ^ q]     →     s[r][c] = x;  … s[q][p]
//
// All accesses of an array have this form, with the same function of the row, and c and it lie below a row's
// length, a power of two. So which accesses meet is the same.
#include "equal/pair.h"
#include "front/normal.h"
#include "ir/poly.h"

typedef struct Swizzled {
    const Array *of;
    Expr *by; // a function of the row, which stands for itself; NULL: not known yet
    bool other; // an access is no such
} Swizzled;

typedef struct Swizzles {
    Compile *c;
    Arena *a;
    const Sym *row; // in the row's place
    VEC(Node *) around;
    VEC(Swizzled) arrays;
} Swizzles;

static Expr *bare(Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type)) x = x->args[0];
    return x;
}

static bool is_counter(const Expr *x) {
    return x->kind == E_LOAD || x->kind == E_CALL || (x->kind == E_SYM && x->sym->kind == SYM_ITER);
}

typedef struct Row {
    Swizzles *g;
    Expr *is;
} Row;

static Expr *without_row(Expr *x, void *arg) {
    Row *r = arg;
    int64_t d;
    if (!x) return NULL;
    x = bare(x);
    bool row = type_is_int(x->type) && expr_difference(r->g->a, x, r->is, &d) && d == 0;
    return row ? expr_sym(r->g->a, r->g->row) : expr_map(r->g->a, x, without_row, arg);
}

// The column of s[row][column ^ by]; NULL: that is none. *by: as a function of the row.
static Expr *column_of(Swizzles *g, const Array *v, Expr *const *sub, Expr **by, Expr **at) {
    Expr *x = bare(sub[v->rank - 1]);
    for (int k = 0; x->kind == E_OP && x->op == OP_XOR && k < 2; k++) {
        Row row = {g, bare(sub[v->rank - 2])};
        *at = x->args[k];
        *by = without_row(*at, &row);
        if (!expr_any(*by, is_counter)) return x->args[1 - k];
    }
    return NULL;
}

static Swizzled *entry(Swizzles *g, const Array *v) {
    for (int i = 0; i < g->arrays.n; i++)
        if (g->arrays.at[i].of == v) return &g->arrays.at[i];
    return NULL;
}

static bool is_below(Swizzles *g, Expr *x, int64_t n) {
    Expr *lo = expr_op(g->a, OP_GE, x, expr_int(g->a, x->type, 0), NULL);
    Expr *hi = expr_op(g->a, OP_LT, x, expr_int(g->a, x->type, n), NULL);
    return poly_always(g->c, g->around.n, g->around.at, expr_op(g->a, OP_LAND, lo, hi, NULL));
}

static void see(Swizzles *g, const Array *v, Expr *const *sub) {
    if (v->place == PLACE_USER || v->rank < 2) return;
    Swizzled *s = entry(g, v);
    if (!s) vec_push(g->a, &g->arrays, ((Swizzled){v, NULL, false})), s = entry(g, v);
    if (s->other) return;
    const Expr *n = v->extent[v->rank - 1];
    Expr *by, *at, *column = column_of(g, v, sub, &by, &at);
    s->other = !column || n->kind != E_INT || (n->i & (n->i - 1)) || (s->by && !expr_equal(s->by, by)) ||
               !is_below(g, column, n->i) || !is_below(g, at, n->i);
    s->by = by;
}

static void see_all(Swizzles *g, Node *n) {
    if (!n) return;
    copy_each_expr(x, n)
        if (x->kind == E_LOAD) see(g, x->array, x->args);
    if (n->kind == N_COPY && n->dst) see(g, n->dst, n->sub);
    bool inside = n->kind == N_FOR || (n->kind == N_IF && !n->other);
    if (inside) vec_push(g->a, &g->around, n);
    for (int i = 0; i < n->nkids; i++) see_all(g, n->kids[i]);
    see_all(g, n->body);
    see_all(g, n->then);
    g->around.n -= inside;
    see_all(g, n->other);
}

static Expr **straight(Swizzles *g, const Array *v, Expr **sub) {
    const Swizzled *s = entry(g, v);
    if (!s || s->other) return sub;
    Expr *by, *at, **out = NEW_N(g->a, Expr *, v->rank + 1);
    for (int d = 0; d < v->rank; d++) out[d] = sub[d];
    out[v->rank - 1] = expr_cast(g->a, sub[v->rank - 1]->type, column_of(g, v, sub, &by, &at));
    return out;
}

static Expr *straight_expr(Expr *x, void *arg) {
    Swizzles *g = arg;
    Expr *y = x ? expr_map(g->a, x, straight_expr, arg) : NULL;
    Expr **sub = y && y->kind == E_LOAD ? straight(g, y->array, y->args) : NULL;
    if (!sub || sub == y->args) return y;
    Expr *z = expr_load(g->a, y->array, sub);
    z->loc = y->loc;
    return z;
}

static Node *straight_node(Node *n, void *arg) {
    Swizzles *g = arg;
    Expr **sub = n->kind == N_COPY && n->dst ? straight(g, n->dst, n->sub) : NULL;
    if (sub && sub != n->sub) n = node_clone(g->a, n), n->sub = sub;
    return node_map_exprs(g->a, node_map(g->a, n, straight_node, arg), straight_expr, arg);
}

Node *equal_swizzle(Pair *p, Node *root) {
    Sym *row = NEW(p->a, Sym);
    *row = (Sym){.name = "row", .kind = SYM_PARAM, .type = T_I64};
    Swizzles g = {.c = p->c, .a = p->a, .row = row};
    see_all(&g, root);
    bool any = false;
    for (int i = 0; i < g.arrays.n; i++) any |= !g.arrays.at[i].other;
    return any ? straight_node(root, &g) : root;
}
