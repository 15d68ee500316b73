// SPDX-License-Identifier: MIT
// trips.c -- loops whose trips data tell, as loops that are long enough, with a condition inside.
//
//   for k = row[i] .. row[i + 1]          for u = 0 .. trips            trips: any number that is large
//   enough
//       s += val[k] * x[col[k]]     →         if (u < row[i + 1] - row[i])
//                                                 s += val[row[i] + u] * x[col[row[i] + u]]
//
//   h[d[i]] += v                          for b = 0 .. trips { if (d[i] == b) h[b] += v }
//
// So it is, in both programs, an update under a condition of the data. What a bound and a subscript read is
// nowhere written. Data stand in front in each subscript, as in row[i] + (lane + 32 t).
#include "equal/pair.h"
#include "front/normal.h"

typedef struct Trips {
    Arena *a;
    const Node *root;
    const Sym *trips;
    Sums k;
} Trips;

static bool is_load(const Expr *x) { return x->kind == E_LOAD; }

static bool writes(const Node *root, const Array *v) {
    node_each(n, root)
        if (n->kind == N_COPY && n->dst == v) return true;
    return false;
}

// Is it made of counters, sizes and elements that nothing writes?
bool equal_is_stable(const Node *root, const Expr *x) {
    expr_each(y, x)
        if (y->kind == E_LOAD && (y->array->place != PLACE_USER || writes(root, y->array))) return false;
    return true;
}

// s = *data + *rest, of which the rest reads nothing.
static void parted(Trips *g, const Sum *s, Sum **data, Sum **rest) {
    *data = NEW(g->a, Sum), *rest = NEW(g->a, Sum);
    (*data)->t = NEW_N(g->a, Term, s->n + 1), (*rest)->t = NEW_N(g->a, Term, s->n + 1);
    for (int i = 0; i < s->n; i++) {
        bool reads = false;
        for (int f = 0; f < s->t[i].n; f++) reads |= expr_any(g->k.atoms.at[s->t[i].f[f]], is_load);
        Sum *to = reads ? *data : *rest;
        to->t[to->n++] = s->t[i];
    }
}

// Without conversions between whole numbers that change none, as indices do not overflow.
static Expr *bare(Expr *x, void *arg) {
    Trips *g = arg;
    if (!x || x->kind == E_LOAD) return x;
    const Expr *y = x->kind == E_CAST && type_is_int(x->type) ? x->args[0] : NULL;
    bool same = y && type_is_int(y->type) && y->type != T_BOOL && type_size(x->type) >= 4 &&
                (type_is_signed(x->type) || !type_is_signed(y->type));
    return same ? bare(x->args[0], arg) : expr_map(g->a, x, bare, arg);
}

static Expr *data_first(Trips *g, Expr *x) {
    bool reads = type_is_int(x->type) && expr_any(x, is_load);
    Sum *s = reads ? sum_of(&g->k, bare(x, g)) : NULL, *data, *rest;
    if (!s) return x;
    parted(g, s, &data, &rest);
    if (!data->n) return x;
    Expr *y = sum_expr(&g->k, data, T_I64);
    return rest->n ? expr_add(g->a, y, sum_expr(&g->k, rest, T_I64)) : y;
}

static Expr *in_order(Expr *x, void *arg) {
    Trips *g = arg;
    Expr *y = x ? expr_map(g->a, x, in_order, arg) : NULL;
    if (!y || y->kind != E_LOAD || !expr_any(y, is_load)) return y;
    Expr **sub = NEW_N(g->a, Expr *, y->nargs + 1);
    for (int d = 0; d < y->nargs; d++) sub[d] = data_first(g, y->args[d]);
    Expr *z = expr_load(g->a, y->array, sub);
    z->loc = y->loc;
    return z;
}

static Node *all_in_order(Node *n, void *arg) {
    Trips *g = arg;
    return node_map_exprs(g->a, node_map(g->a, n, all_in_order, arg), in_order, arg);
}

static Node *long_enough(Node *n, void *arg) {
    Trips *g = arg;
    Node *m = node_map(g->a, n, long_enough, arg);
    bool told = n->kind == N_FOR && (expr_any(n->lo, is_load) || expr_any(n->hi, is_load));
    if (!told || is_parallel(n) || n->step <= 0) return m;
    if (!equal_is_stable(g->root, n->lo) || !equal_is_stable(g->root, n->hi)) return m;
    Sum *lo = sum_of(&g->k, n->lo), *hi = sum_of(&g->k, n->hi), *base, *from, *data, *rest;
    if (!lo || !hi) return m;
    parted(g, lo, &base, &from);
    parted(g, sum_add(&g->k, hi, base, -1), &data, &rest);
    if (!data->n) return m;
    Sym *u = NEW(g->a, Sym);
    *u = (Sym){.name = arena_printf(g->a, "%s_of", n->iter->name), .kind = SYM_ITER, .type = T_I64};
    Expr *at = sum_expr(&g->k, sum_add(&g->k, sum_atom(&g->k, expr_sym(g->a, u)), rest, -1), T_I64);
    Expr *value = expr_sym(g->a, u);
    if (base->n) value = expr_add(g->a, sum_expr(&g->k, base, T_I64), value);
    Node *loop = node_clone(g->a, m), *inside = NEW(g->a, Node);
    *inside = (Node){.kind = N_IF, .loc = n->loc};
    inside->cond = expr_op(g->a, OP_LT, at, sum_expr(&g->k, data, T_I64), NULL);
    inside->then = equal_with_value(g->a, m->body, n->iter, value);
    loop->iter = u;
    loop->lo = sum_expr(&g->k, from, T_I64);
    loop->hi = expr_sym(g->a, g->trips);
    loop->body = inside;
    return loop;
}

// ---- updates at places that data tell ------------------------------------------------------------
//   h[d[i]] += v     for b = 0 .. trips { if (d[i] == b) h[b] += v }
// More than x can be, which is not negative; NULL: any number.
static Expr *more_than(Arena *a, const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type) && type_size(x->type) >= 4) x = x->args[0];
    if (x->kind == E_LOAD && x->type == T_U8) return expr_int(a, T_I64, 256);
    const Expr *by = x->kind == E_OP && x->nargs == 2 && x->args[1]->kind == E_INT ? x->args[1] : NULL;
    if (by && x->op == OP_AND && by->i >= 0) return expr_int(a, T_I64, by->i + 1);
    if (by && x->op == OP_MOD && by->i > 0 && !type_is_signed(x->type)) return expr_int(a, T_I64, by->i);
    bool divides = by && by->i > 0 && (x->op == OP_DIV || x->op == OP_FDIV);
    Expr *all = divides ? more_than(a, x->args[0]) : NULL;
    return all ? expr_int(a, T_I64, (all->i - 1) / by->i + 1) : NULL;
}

static Node *scattered(Node *n, void *arg) {
    Trips *g = arg;
    if (n->kind != N_COPY || !n->dst || n->op == OP_SET) return node_map(g->a, n, scattered, arg);
    int at = -1, told = 0;
    for (int d = 0; d < n->dst->rank; d++)
        if (expr_any(n->sub[d], is_load)) at = d, told++;
    if (told != 1 || !equal_is_stable(g->root, n->sub[at])) return n;
    Sym *b = NEW(g->a, Sym);
    *b = (Sym){.name = "place", .kind = SYM_ITER, .type = T_I64};
    Expr *hi = more_than(g->a, n->sub[at]);
    Node *m = node_clone(g->a, n), *inside = NEW(g->a, Node);
    m->sub = NEW_N(g->a, Expr *, n->dst->rank + 1);
    for (int d = 0; d < n->dst->rank; d++) m->sub[d] = d == at ? expr_sym(g->a, b) : n->sub[d];
    *inside = (Node){.kind = N_IF, .loc = n->loc, .then = m};
    Expr *place = expr_cast(g->a, T_I64, data_first(g, n->sub[at])), *zero = expr_int(g->a, T_I64, 0);
    inside->cond = expr_op(g->a, OP_EQ, place, expr_sym(g->a, b), NULL);
    return node_for(g->a, b, zero, hi ? hi : expr_sym(g->a, g->trips), 1, HOW_SERIAL, inside);
}

Node *equal_trips(Arena *a, const Sym *trips, Node *root) {
    Trips g = {.a = a, .root = root, .trips = trips, .k = {.a = a}};
    return all_in_order(long_enough(scattered(root, &g), &g), &g);
}
