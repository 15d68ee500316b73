// SPDX-License-Identifier: MIT
// roll.c -- what the fields of a vector are copied one by one, as a loop over them.
//
//   v_x = a[4 * i]; v_y = a[4 * i + 1]; …  s[4 * t] = v_x; s[4 * t + 1] = v_y; …
//   →  for l = 0 .. 4 { v[l] = a[4 * i + l] }  for l = 0 .. 4 { s[4 * t + l] = v[l] }
//
// Copies that stand one behind the other and differ in subscripts alone, each by the same distance from the
// one before. So one relation tells what was a piece of its own for each of them. A thread's variables that
// take turns in such copies are elements of one array wherever they stand.
#include "equal/pair.h"
#include "front/normal.h"

typedef struct Field { // a variable as an element
    const Array *v;
    int group, at;
} Field;

typedef struct Home { // where a variable is declared that is set alone, and never updated
    const Array *v;
    const Node *node;
} Home;

typedef struct Rolling {
    Arena *a;
    VEC(Home) homes;
    VEC(Field) fields;
    VEC(Array *) groups;
    const Sym *l; // the counter of the run at hand
    int step, known; // copies are so far apart in it; so many groups were there before it
    bool moves; // of a vector: some place in memory, or element of a group, is another one each time
    bool closed; // no more groups
} Rolling;

static const Field *field_of(const Rolling *g, const Array *v) {
    for (int i = 0; i < g->fields.n; i++)
        if (g->fields.at[i].v == v) return &g->fields.at[i];
    return NULL;
}

static const Node *home_of(const Rolling *g, const Array *v) {
    for (int i = 0; i < g->homes.n; i++)
        if (g->homes.at[i].v == v) return g->homes.at[i].node;
    return NULL;
}

static void find_homes(Rolling *g, Node *root) {
    node_each(n, root)
        for (int i = 0; i < n->nlocals; i++)
            if (is_own(n->locals[i])) vec_push(g->a, &g->homes, ((Home){n->locals[i], n}));
    node_each(n, root)
        for (int i = 0; n->kind == N_COPY && n->dst && n->op != OP_SET && i < g->homes.n; i++)
            if (g->homes.at[i].v == n->dst) g->homes.at[i].node = NULL;
}

// x where l is 0, and y where it is g->step, are x + l * by.
static Expr *number(Rolling *g, Expr *x, const Expr *y, bool *moves) {
    int64_t d;
    if (!expr_difference(g->a, y, x, &d) || d % g->step) return NULL;
    *moves |= d != 0;
    Expr *by = expr_int(g->a, x->type, d / g->step);
    return d ? expr_add(g->a, x, expr_mul(g->a, expr_cast(g->a, x->type, expr_sym(g->a, g->l)), by)) : x;
}

static int new_group(Rolling *g, const Array *v) {
    Array *w = array_copy(g->a, v, NULL, 1);
    for (int d = 0; d < v->rank; d++) w->extent[d] = v->extent[d];
    vec_push(g->a, &g->groups, w);
    vec_push(g->a, &g->fields, ((Field){v, g->groups.n - 1, 0}));
    return g->groups.n - 1;
}

// v's element is x's, and w's y's.
static Expr *element(Rolling *g, const Array *v, const Array *w, Expr *const *sub) {
    const Field *x = field_of(g, v), *y = field_of(g, w);
    bool alike = v->elem == w->elem && v->rank == w->rank && v->place == w->place &&
                 home_of(g, v) && home_of(g, v) == home_of(g, w);
    if (!alike || (!x && (y || g->closed))) return NULL;
    int group = x ? x->group : new_group(g, v), at = x ? x->at : 0;
    if (!y) { // of a group of this run
        bool next = group >= g->known && at == 0;
        if (!next) return NULL;
        vec_push(g->a, &g->fields, ((Field){w, group, g->step}));
        g->groups.at[group]->extent[v->rank] = expr_int(g->a, T_I64, g->step + 1);
    } else if (y->group != group || (y->at != at && y->at != at + g->step)) return NULL; // lane by lane
    else g->moves |= group < g->known && y->at != at;
    bool moves = false;
    int to = y ? y->at : g->step;
    Expr **all = NEW_N(g->a, Expr *, v->rank + 2);
    for (int d = 0; d < v->rank; d++) all[d] = sub[d];
    all[v->rank] = number(g, expr_int(g->a, T_I32, at), expr_int(g->a, T_I32, to), &moves);
    return all[v->rank] ? expr_load(g->a, g->groups.at[group], all) : NULL;
}

static Expr *rolled(Rolling *g, Expr *x, const Expr *y);

static Expr *rolled_load(Rolling *g, const Expr *x, const Expr *y) {
    bool same = x->array == y->array;
    for (int d = 0; !same && d < x->nargs; d++)
        if (d >= y->nargs || !expr_equal(x->args[d], y->args[d])) return NULL;
    if (!same) return element(g, x->array, y->array, x->args);
    Expr **sub = NEW_N(g->a, Expr *, x->nargs + 1);
    for (int d = 0; d < x->nargs; d++)
        if (!(sub[d] = number(g, x->args[d], y->args[d], &g->moves))) return NULL;
    Expr *z = expr_load(g->a, x->array, sub);
    z->loc = x->loc;
    return z;
}

static bool is_load(const Expr *x) { return x->kind == E_LOAD; }

// x and y as one expression of g->l; NULL: they differ in something else.
static Expr *rolled(Rolling *g, Expr *x, const Expr *y) {
    bool moves = false;
    if (x->kind != y->kind || x->type != y->type || x->nargs != y->nargs) return NULL;
    if (x->kind == E_LOAD) return rolled_load(g, x, y);
    if (type_is_int(x->type) && !expr_any(x, is_load) && !expr_any(y, is_load))
        return number(g, x, y, &moves);
    if (!x->nargs) return expr_equal(x, y) ? x : NULL;
    if (x->kind == E_CALL ? !str_eq(x->fn, y->fn) : x->kind == E_OP && x->op != y->op) return NULL;
    Expr *z = NEW(g->a, Expr);
    *z = *x;
    z->args = NEW_N(g->a, Expr *, x->nargs);
    for (int i = 0; i < x->nargs; i++)
        if (!(z->args[i] = rolled(g, x->args[i], y->args[i]))) return NULL;
    return z;
}

static bool is_plain(const Node *n) { return n->kind == N_COPY && n->dst && !n->async; }

// Copies n and m as one copy.
static Node *both(Rolling *g, const Node *n, const Node *m) {
    if (!is_plain(n) || !is_plain(m) || n->op != m->op || n->atomic != m->atomic) return NULL;
    Expr *x = expr_load(g->a, n->dst, n->sub), *y = expr_load(g->a, m->dst, m->sub);
    Expr *to = n->dst->rank == m->dst->rank ? rolled_load(g, x, y) : NULL;
    Expr *src = to ? rolled(g, n->src, m->src) : NULL;
    if (!src) return NULL;
    Node *copy = node_clone(g->a, n);
    copy->dst = to->array, copy->sub = to->args, copy->src = src;
    return copy;
}

static bool same_copy(const Node *n, const Node *m) {
    bool same = n->dst == m->dst && expr_equal(n->src, m->src);
    for (int d = 0; same && d < n->dst->rank; d++) same = expr_equal(n->sub[d], m->sub[d]);
    return same;
}

// How many copies from `kid` on are one in a loop, *out; 1: there is none.
static int run_at(Rolling *g, Node *const *kid, int n, Node **out) {
    Sym *l = NEW(g->a, Sym);
    *l = (Sym){.name = arena_printf(g->a, "field_%d", g->groups.n), .kind = SYM_ITER, .type = T_I32};
    g->l = l, g->known = g->groups.n, g->moves = false;
    int fields = g->fields.n, count = 1;
    Node *copy = NULL;
    for (; count < n; count++) {
        int before = g->fields.n;
        g->step = count;
        Node *m = both(g, kid[0], kid[count]);
        if (m && (!copy || same_copy(copy, m))) {
            copy = m;
            continue;
        }
        g->fields.n = before;
        break;
    }
    if (count > 1 && g->moves) {
        for (int i = g->known; i < g->groups.n; i++) // as many as are left
            g->groups.at[i]->extent[g->groups.at[i]->rank - 1] = expr_int(g->a, T_I64, count);
        Expr *zero = expr_int(g->a, T_I32, 0), *end = expr_int(g->a, T_I32, count);
        *out = node_for(g->a, l, zero, end, 1, HOW_SERIAL, node_seq(g->a, 1, &copy));
        (*out)->loc = kid[0]->loc;
        return count;
    }
    g->fields.n = fields, g->groups.n = g->known;
    return 1;
}

static Expr **with_place(Rolling *g, const Field *f, Expr *const *sub) {
    Expr **all = NEW_N(g->a, Expr *, f->v->rank + 2);
    for (int d = 0; d < f->v->rank; d++) all[d] = sub[d];
    all[f->v->rank] = expr_int(g->a, T_I32, f->at);
    return all;
}

static Expr *put_fields(Expr *x, void *arg) {
    Rolling *g = arg;
    Expr *y = x ? expr_map(g->a, x, put_fields, arg) : NULL;
    const Field *f = y && y->kind == E_LOAD ? field_of(g, y->array) : NULL;
    return f ? expr_load(g->a, g->groups.at[f->group], with_place(g, f, y->args)) : y;
}

static void put_locals(Rolling *g, Node *n) {
    int count = 0;
    const Array **all = NEW_N(g->a, const Array *, n->nlocals + 1);
    for (int i = 0; i < n->nlocals; i++) {
        const Field *f = field_of(g, n->locals[i]);
        if (!f) all[count++] = n->locals[i];
        else if (!f->at) all[count++] = g->groups.at[f->group];
    }
    n->locals = all, n->nlocals = count;
}

static Node *roll(Node *n, void *arg) {
    Rolling *g = arg;
    Node *m = node_clone(g->a, n);
    if (n->kind == N_SEQ) {
        m->kids = NEW_N(g->a, Node *, n->nkids + 1);
        m->nkids = 0;
        for (int i = 0; i < n->nkids;) {
            Node *kid = n->kids[i];
            i += run_at(g, n->kids + i, n->nkids - i, &kid);
            m->kids[m->nkids++] = roll(kid, arg);
        }
    } else m = node_map(g->a, n, roll, arg);
    m = node_map_exprs(g->a, m, put_fields, arg);
    if (n->nlocals) put_locals(g, m);
    const Field *f = m->kind == N_COPY && m->dst ? field_of(g, m->dst) : NULL;
    if (f) m->sub = with_place(g, f, m->sub), m->dst = g->groups.at[f->group];
    return m;
}

// Groups are found by copies of other groups, too.
enum { MOST_ROUNDS = 8 };

Node *equal_roll(Arena *a, Node *root) {
    Rolling g = {.a = a};
    int before = -1;
    Node *ignored;
    find_homes(&g, root);
    for (int i = 0; i < MOST_ROUNDS && g.groups.n != before; i++) {
        before = g.groups.n;
        node_each(n, root)
            for (int k = 0; n->kind == N_SEQ && k < n->nkids;)
                k += run_at(&g, n->kids + k, n->nkids - k, &ignored);
    }
    g.closed = true;
    return roll(root, &g);
}
