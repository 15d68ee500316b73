// SPDX-License-Identifier: MIT
// panel.c -- a packed copy in panels, for processors whose caches like long streams.
//
//   b[k][x]    k →             panels of P: each one k after the other, P elements a k
//   ┌────┬────┬────┐
//   │ 0  │ 1  │ 2  │ x   →   bp[q][k][v] = b[k][P*q + v]     0 0 0 0 … 1 1 1 1 … 2 2 2 2 …
//   └────┴────┴────┘
//
// What a block reads of a panel lies in one piece, so no two of its rows ask for the same place in
// a cache, few pages are touched, and the next element is the one that is fetched ahead. (The
// layout of the packed operands in Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", 2008.) The last panel is filled with the last element again.
#include "rule/linear.h"
#include "rule/pack.h"

// What one block packs. Straight, a row of the array gives all its panels together; turned, each line
// of the array is followed far enough that what comes next of it is fetched ahead.
enum { STRAIGHT_ROWS = 32, TURNED_ROWS = 256, PANELS = 8 };

static Expr *i32(const Pack *p, int64_t v) { return expr_int(p->a, T_I32, v); }

void panel_extents(Pack *p, Expr **extent) {
    extent[0] = pack_ceil_div(p, pack_extent(p, (int)p->order[1]), p->panel);
    extent[1] = pack_extent(p, (int)p->order[0]);
    extent[2] = i32(p, p->panel);
}

// ---- the kernel that packs ------------------------------------------------------------------------
// copy[q][k][v] = array[…]; clamped: what the array does not have is its last element.
static Node *put_element(Pack *p, const Sym *q, const Sym *k, const Sym *v, bool clamped) {
    Arena *a = p->a;
    int u = (int)p->order[1], w = (int)p->order[0];
    Expr *to[3] = {expr_sym(a, q), expr_sym(a, k), expr_sym(a, v)}, *from[2];
    from[u] = expr_add(a, p->lo[u], expr_add(a, expr_mul(a, to[0], i32(p, p->panel)), to[2]));
    if (clamped) from[u] = expr_op(a, OP_MIN, from[u], p->hi[u], NULL);
    from[w] = expr_add(a, p->lo[w], to[1]);
    return node_copy(a, p->copy, to, OP_SET, expr_load(a, p->array, from));
}

// The elements of panel q in rows k. The inner loop goes through neighbours of the array: its rows
// may lie so far apart that they take each other's places in a cache.
static Node *one_panel(Pack *p, const Sym *q, const Sym *k, Expr *first, Expr *end, bool clamped) {
    Arena *a = p->a;
    const Sym *v = pack_counter(p, clamped ? "w" : "v");
    bool turned = p->order[1] != 1;
    Node *body = put_element(p, q, k, v, clamped);
    if (turned) body = node_for(a, k, first, end, 1, HOW_SERIAL, body);
    body = pack_loop(p, v, i32(p, p->panel), HOW_SERIAL, body);
    return turned ? body : node_for(a, k, first, end, 1, HOW_SERIAL, body);
}

Node *panel_kernel(Pack *p) {
    Arena *a = p->a;
    const Sym *kb = pack_counter(p, "kb"), *qb = pack_counter(p, "qb"), *q = pack_counter(p, "q");
    const Sym *k[2] = {pack_counter(p, "k"), pack_counter(p, "l")};
    int64_t rows = p->order[1] != 1 ? TURNED_ROWS : STRAIGHT_ROWS;
    Expr *count = p->copy->extent[1], *panels = p->copy->extent[0];
    Expr *first = expr_mul(a, expr_sym(a, kb), i32(p, rows)),
         *begin = expr_mul(a, expr_sym(a, qb), i32(p, PANELS));
    Expr *end = expr_op(a, OP_MIN, expr_add(a, first, i32(p, rows)), count, NULL);
    Expr *last = expr_op(a, OP_MIN, expr_add(a, begin, i32(p, PANELS)), panels, NULL);
    Expr *most = expr_mul(a, expr_add(a, expr_sym(a, q), i32(p, 1)), i32(p, p->panel));
    Expr *full = expr_op(a, OP_LE, most, pack_extent(p, (int)p->order[1]), NULL);
    Node *body =
        node_if(a, full, one_panel(p, q, k[0], first, end, false), one_panel(p, q, k[1], first, end, true));
    body = node_for(a, q, begin, last, 1, HOW_SERIAL, body);
    body = pack_loop(p, kb, pack_ceil_div(p, count, rows), HOW_BLOCK, body);
    body = pack_loop(p, qb, pack_ceil_div(p, panels, PANELS), HOW_BLOCK, body);
    return node_kernel(a, change_name(p->ch, arena_printf(a, "pack_%s", p->array->name)), body);
}

// ---- accesses ------------------------------------------------------------------------------------------
static const Node *loop_of(const Site *s, const Expr *atom) {
    for (int i = 0; i < s->nloops; i++)
        if (atom->kind == E_SYM && s->loop[i]->iter == atom->sym) return s->loop[i];
    return NULL;
}

// The least and the greatest value of a sum of counters with constant bounds.
static bool range_of(const Site *s, const Linear *x, int64_t *least, int64_t *most) {
    *least = *most = x->c;
    for (int i = 0; i < x->n; i++) {
        const Node *l = loop_of(s, x->atom[i]);
        int64_t trips;
        if (!l || l->lo->kind != E_INT || l->step != 1 || !loop_constant(l, &trips) || trips < 1)
            return false;
        int64_t lo = l->lo->i * x->coef[i], hi = (l->lo->i + trips - 1) * x->coef[i];
        *least += lo < hi ? lo : hi;
        *most += lo < hi ? hi : lo;
    }
    return true;
}

// x = P * quotient + rest, 0 <= rest < P
static bool cut(const Pack *p, const Site *s, Expr *x, Expr **quotient, Expr **rest) {
    Linear all, q = {0}, r = {0};
    int64_t least, most;
    if (!linear_of(x, &all)) return false;
    for (int i = 0; i < all.n; i++) {
        bool whole = all.coef[i] % p->panel == 0;
        Linear *to = whole ? &q : &r;
        to->atom[to->n] = all.atom[i];
        to->coef[to->n++] = whole ? all.coef[i] / p->panel : all.coef[i];
    }
    r.c = all.c % p->panel;
    if (r.c < 0) r.c += p->panel;
    q.c = (all.c - r.c) / p->panel;
    if (!range_of(s, &r, &least, &most) || least < 0 || most >= p->panel) return false;
    *quotient = linear_expr(p->a, x->type, &q);
    *rest = linear_expr(p->a, x->type, &r);
    return true;
}

Expr **panel_access(Pack *p, const Site *s, Expr *const *at) {
    Expr **sub = NEW_N(p->a, Expr *, 3);
    if (!cut(p, s, at[1], &sub[0], &sub[2])) return NULL;
    sub[1] = at[0];
    return sub;
}
