// SPDX-License-Identifier: MIT
// pair.c -- the loops and the kernel as two trees over the same arrays and sizes.
//
//   loops    S1[i, j, k]  (s += a[i][k] * b[k][j])        →   copy s += a[i][k] * b[k][j]
//   kernel   copy acc[ty][tx] += A[(16*by + ty)*n + k] …  →   copy acc[ty][tx] += a[16*by + ty][k] …
//
// A kernel's flat subscript is divided by the lengths of the rows that the loops' array has. That the rest
// stays within a row is not taken for granted: it is one of the bounds that are checked.
#include "equal/pair.h"
#include "front/normal.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Same {
    const Array *from, *to;
    Expr *offset; // from's first element is this one of to's; NULL: the first
} Same;

// An array of the kernel's holds elements of `to`: [d0][d1]… at offset + sum of step * index, slowest first.
typedef struct Layout {
    const Array *from, *to;
    Expr *offset, *step[4];
    int dim[4]; // of to
} Layout;

// A size that the task states.
typedef struct Fixed {
    const Sym *sym;
    Expr *is;
} Fixed;

typedef struct Pairing {
    Pair *p;
    Arena *a;
    VEC(Same) same; // arrays of the tree at hand → those of the pair
    VEC(Same) shared; // of all launches: temporaries by name (from: the pair's own)
    VEC(Layout) layouts; // of the launch at hand
    const char *lost; // an access of an array with layouts that is in none of them
    Region *made; // the pair's
    VEC(const Sym *) iters; // of the host's loops around the launch at hand
    int nsyms;
    const Sym **sym; // parameters of the launch at hand
    Expr **value;
    VEC(Fixed) fixed;
    VEC(Expr *) taken; // parameters that are taken as unsigned numbers
    int fresh;
} Pairing;

// d == 64, of a size: 64 stands for it everywhere, as a kernel has it that was written for that.
static void find_fixed(Pairing *g, const Expr *x) {
    if (x->kind != E_OP || x->nargs != 2) return;
    for (int i = 0; i < 2; i++) {
        Expr *s = x->args[i], *v = x->args[1 - i];
        while (s->kind == E_CAST && type_is_int(s->type)) s = s->args[0];
        while (v->kind == E_CAST && type_is_int(v->type)) v = v->args[0];
        bool size = x->op == OP_EQ && s->kind == E_SYM && s->sym->kind == SYM_PARAM && v->kind == E_INT;
        if (size) vec_push(g->a, &g->fixed, ((Fixed){s->sym, expr_int(g->a, s->type, v->i)}));
    }
}

// n % 4 == 0: n is 4 * (n / 4), so that rows of n / 4 vectors are rows of n.
static void find_whole(Pairing *g, const Expr *x) {
    if (x->kind != E_OP || x->nargs != 2) return;
    for (int i = 0; i < 2; i++) {
        const Expr *m = x->args[i], *zero = x->args[1 - i];
        while (m->kind == E_CAST) m = m->args[0];
        bool rest = x->op == OP_EQ && m->kind == E_OP && (m->op == OP_MOD || m->op == OP_FMOD);
        const Expr *s = rest ? m->args[0] : NULL;
        while (s && s->kind == E_CAST) s = s->args[0];
        bool size = s && s->kind == E_SYM && s->sym->kind == SYM_PARAM && zero->kind == E_INT && !zero->i;
        if (size && m->args[1]->kind == E_INT && m->args[1]->i > 1)
            vec_push(g->a, &g->p->whole, ((Whole){s->sym, m->args[1]->i}));
    }
}

static Expr *with_fixed(Expr *x, void *arg) {
    Pairing *g = arg;
    for (int i = 0; x && x->kind == E_SYM && i < g->fixed.n; i++)
        if (g->fixed.at[i].sym == x->sym) return g->fixed.at[i].is;
    return x ? expr_map(g->a, x, with_fixed, arg) : NULL;
}

bool is_parallel(const Node *loop) { return loop->how != HOW_SERIAL && loop->how != HOW_UNROLL; }

// ---- arrays ----------------------------------------------------------------------------------
// A scalar of the program is an array of one element, as a kernel sees it.
static const Array *as_vector(Arena *a, const Array *v) {
    Array *w = array_copy(a, v, NULL, 1);
    w->extent[0] = expr_int(a, T_I64, 1);
    return w;
}

static const Array *same_array(const Pairing *g, const Array *v) {
    for (int i = g->same.n - 1; i >= 0; i--)
        if (g->same.at[i].from == v) return g->same.at[i].to;
    return NULL;
}

static Expr *offset_of(const Pairing *g, const Array *v) {
    for (int i = g->same.n - 1; i >= 0; i--)
        if (g->same.at[i].from == v) return g->same.at[i].offset;
    return NULL;
}

static void note_same(Pairing *g, const Array *from, const Array *to) {
    vec_push(g->a, &g->same, ((Same){.from = from, .to = to}));
}

static const Array *array_named(const Pairing *g, const char *name) {
    const Region *r = g->p->region;
    for (int i = 0; i < r->narrays; i++)
        if (str_eq(r->arrays[i]->name, name) || str_eq(r->arrays[i]->source, name)) return r->arrays[i];
    for (int i = 0; i < g->shared.n; i++)
        if (str_eq(g->shared.at[i].from->name, name)) return g->shared.at[i].from;
    return NULL;
}

// ---- subscripts --------------------------------------------------------------------------------
// How wide is the address of an element of v?
static void note_flat(Pair *p, const Array *v, const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->args[0]->type) && type_size(x->args[0]->type) >= 4)
        x = x->args[0];
    for (int i = 0; i < p->flat.n; i++)
        if (p->flat.at[i] == v) return;
    if (type_size(x->type) == 4) vec_push(p->a, &p->flat, v);
}

// A load or target of v by these subscripts, in its counterpart w.
static Expr **resubscript(Pairing *g, const Array *v, const Array *w, Expr *const *sub) {
    int64_t size = type_size(v->elem);
    Expr *field = NULL, *offset = offset_of(g, v);
    bool lane = v->rank == 1 && v->stride != w->stride; // of a float4
    if (lane || offset) {
        field = expr_mul(g->a, expr_cast(g->a, T_I64, sub[0]), expr_int(g->a, T_I64, v->stride / size));
        sub = &field;
        if (lane) field = expr_add(g->a, field, expr_int(g->a, T_I64, v->offset / size));
        if (offset) field = expr_add(g->a, field, offset);
    }
    if (v->rank == w->rank) {
        Expr **same = NEW_N(g->a, Expr *, v->rank + 1);
        for (int d = 0; d < v->rank; d++) same[d] = sub[d];
        return same;
    }
    if (!v->rank) {
        Expr **zero = NEW(g->a, Expr *);
        zero[0] = expr_int(g->a, T_I64, 0);
        return zero;
    }
    Expr *x = sub[0]; // flat: rows of constant lengths are put together
    for (int d = 1; d < v->rank; d++)
        x = expr_add(g->a, expr_mul(g->a, expr_cast(g->a, T_I64, x), v->extent[d]), sub[d]);
    if (w->rank == 1) {
        Expr **one = NEW(g->a, Expr *);
        one[0] = x;
        return one;
    }
    note_flat(g->p, w, x);
    Expr **rows = equal_split(g->p, w, x);
    if (rows) return rows;
    rows = NEW_N(g->a, Expr *, w->rank + 1);
    Expr *left = expr_cast(g->a, T_I64, x);
    for (int d = w->rank - 1; d > 0; d--) { // what is not understood stays right
        Expr *n = expr_cast(g->a, T_I64, w->extent[d]);
        rows[d] = expr_op(g->a, OP_MOD, left, n, NULL);
        left = expr_op(g->a, OP_DIV, left, n, NULL);
    }
    rows[0] = left;
    return rows;
}

// x = offset + step * index + …: the indices, in the order of to's dimensions; NULL: it is no such address.
static Expr **indices(Pairing *g, const Layout *l, Expr *x) {
    Sums k = {.a = g->a};
    Sum *rest = sum_of(&k, x), *offset = sum_of(&k, l->offset), *q;
    Expr **out = NEW_N(g->a, Expr *, l->to->rank + 1);
    if (!rest || !offset) return NULL;
    rest = sum_add(&k, rest, offset, -1);
    for (int d = 0; d < l->to->rank; d++) {
        Sum *step = sum_of(&k, l->step[d]);
        if (!step || !(q = sum_div(&k, rest, step, &rest))) return NULL;
        out[l->dim[d]] = sum_expr(&k, q, T_I64);
    }
    return rest->n ? NULL : out;
}

static bool has_layout(const Pairing *g, const Array *v) {
    for (int i = 0; i < g->layouts.n; i++)
        if (g->layouts.at[i].from == v) return true;
    return false;
}

// The counterpart of v[sub], and its subscripts there; NULL: v has none.
static const Array *counterpart(Pairing *g, const Array *v, Expr *const *sub, Expr ***out) {
    for (int i = 0; i < g->layouts.n; i++) {
        const Layout *l = &g->layouts.at[i];
        if (l->from == v && (*out = indices(g, l, sub[0]))) return l->to;
    }
    if (has_layout(g, v) && !g->lost)
        g->lost = arena_printf(g->a, "%s[%s] is an element of none of its layouts", v->name,
                               ir_print_expr(g->a, sub[0]));
    const Array *w = has_layout(g, v) ? g->layouts.at[0].to : same_array(g, v);
    if (w) *out = has_layout(g, v) ? NEW_N(g->a, Expr *, w->rank + 1) : resubscript(g, v, w, sub);
    for (int d = 0; w && has_layout(g, v) && d < w->rank; d++) (*out)[d] = expr_int(g->a, T_I64, 0);
    return w;
}

// (int)(blockIdx.x * 16 + threadIdx.x - 1): unsigned arithmetic whose value is taken as signed is that of
// signed numbers, as long as these do not overflow.
static Expr *as_signed(Arena *a, Type t, Expr *x) {
    bool wraps = type_is_int(x->type) && !type_is_signed(x->type) && type_size(x->type) >= type_size(t);
    Expr *y = x->kind == E_CAST ? x->args[0] : NULL;
    if (wraps && y && type_is_int(y->type) && type_size(y->type) >= type_size(t)) return as_signed(a, t, y);
    if (x->type == t || !wraps || x->kind != E_OP) return expr_cast(a, t, x);
    if (x->op != OP_ADD && x->op != OP_SUB && x->op != OP_MUL && x->op != OP_NEG) return expr_cast(a, t, x);
    Expr *second = x->nargs > 1 ? as_signed(a, t, x->args[1]) : NULL;
    return expr_op(a, x->op, as_signed(a, t, x->args[0]), second, NULL);
}

// The same of subscripts: one that is inside is none that wraps.
static Expr **signed_subscripts(Arena *a, Expr *const *sub, int n) {
    Expr **out = NEW_N(a, Expr *, n + 1);
    for (int d = 0; d < n; d++) {
        Expr *x = sub[d];
        while (x->kind == E_CAST && type_size(x->type) == 8 && type_is_int(x->args[0]->type)) x = x->args[0];
        Type t = sub[d]->type == T_U32 ? T_I32 : T_I64;
        out[d] = x->type == T_U32 ? expr_cast(a, t, as_signed(a, T_I32, x)) : sub[d];
    }
    return out;
}

static bool is_signed_of_unsigned(const Expr *x) {
    return x->kind == E_CAST && (x->type == T_I32 || x->type == T_I64) && type_is_int(x->args[0]->type) &&
           !type_is_signed(x->args[0]->type) && type_size(x->args[0]->type) >= type_size(x->type);
}

// A size that is taken as an unsigned number is none that is negative.
static Expr *not_negative(Pairing *g, Expr *x) {
    const Expr *y = x->kind == E_CAST && type_is_int(x->type) && !type_is_signed(x->type) ? x->args[0] : NULL;
    bool size = y && y->kind == E_SYM && y->sym->kind == SYM_PARAM && type_is_signed(y->type);
    if (size && type_size(x->type) >= type_size(y->type)) vec_push(g->a, &g->taken, (Expr *)y);
    return x;
}

// x * y + z may be rounded once or twice: runs and the proof see it rounded twice, whoever wrote it.
static Expr *twice_rounded(Arena *a, Expr *x) {
    bool fma = (x->kind == E_OP && x->op == OP_FMA) ||
               (x->kind == E_CALL && str_among(x->fn, "fma fmaf") && x->nargs == 3);
    if (!fma) return x;
    return expr_op(a, OP_ADD, expr_op(a, OP_MUL, x->args[0], x->args[1], NULL), x->args[2], NULL);
}

// (unsigned)(int)x of an unsigned x: no bit is lost on the way.
static Expr *there_and_back(Expr *x) {
    const Expr *y = x->kind == E_CAST ? x->args[0] : x;
    bool whole = y != x && y->kind == E_CAST && type_is_int(y->type) && type_is_int(x->type);
    bool back = whole && y->args[0]->type == x->type && type_size(y->type) >= type_size(x->type);
    return back ? y->args[0] : x;
}

static Expr *map_expr(Expr *x, void *arg) {
    Pairing *g = arg;
    if (!x) return NULL;
    if (x->kind == E_SYM) {
        for (int i = 0; i < g->nsyms; i++)
            if (g->sym[i] == x->sym) return not_negative(g, expr_cast(g->a, x->type, g->value[i]));
        return with_fixed(x, g);
    }
    Expr *y = not_negative(g, twice_rounded(g->a, expr_map(g->a, x, map_expr, arg)));
    y = there_and_back(y);
    Expr *common = math_common(g->a, y);
    g->p->quick |= common != y && (y->kind == E_CALL || y->args[0]->kind == E_FLOAT);
    if (g->p->task->approximate) y = common;
    if (is_signed_of_unsigned(y)) return as_signed(g->a, y->type, y->args[0]);
    if (x->kind != E_LOAD) return y;
    Expr **sub = signed_subscripts(g->a, y->args, y->nargs);
    const Array *w = counterpart(g, x->array, sub, &sub);
    if (!w) w = y->array;
    Expr *z = expr_load(g->a, w, sub);
    z->loc = x->loc;
    return z;
}

// ---- trees ---------------------------------------------------------------------------------------
static Node *copy_of_stmt(Pairing *g, const Node *n) {
    const Stmt *s = n->stmt;
    Expr **sub = NEW_N(g->a, Expr *, s->lhs->rank + 1);
    for (int d = 0; d < s->lhs->rank; d++) sub[d] = node_stmt_expr(g->a, n, s->sub[d]);
    Node *m = node_copy(g->a, s->lhs, sub, s->op, node_stmt_expr(g->a, n, s->rhs));
    m->loc = s->loc.line ? s->loc : n->loc;
    return m;
}

static const Array *local_of(Pairing *g, const Array *v) {
    const Array *w = same_array(g, v);
    if (w) return w;
    Array *u = array_copy(g->a, v, NULL, 0);
    u->object = arena_printf(g->a, "%s %d", v->name, ++g->fresh); // other kernels have some of that name
    for (int d = 0; d < v->rank; d++) u->extent[d] = v->extent[d] ? map_expr(v->extent[d], g) : NULL;
    note_same(g, v, u);
    return u;
}

static Node *map_node(Node *n, void *arg) {
    Pairing *g = arg;
    const Node *at = n->kind == N_STMT ? copy_of_stmt(g, n) : n;
    Node *m = node_clone(g->a, at);
    if (n->nlocals) m->locals = NEW_N(g->a, const Array *, n->nlocals);
    for (int i = 0; i < n->nlocals; i++) m->locals[i] = local_of(g, n->locals[i]);
    m = node_map_exprs(g->a, node_map(g->a, m, map_node, arg), map_expr, arg);
    if (at->kind != N_COPY || !at->dst) return m;
    m->sub = signed_subscripts(g->a, m->sub, at->dst->rank);
    const Array *w = counterpart(g, at->dst, m->sub, &m->sub);
    if (w) m->dst = w;
    return m;
}

// ---- the loops -------------------------------------------------------------------------------------
static bool set_region(Pairing *g, const char **why) {
    const EqualTask *t = g->p->task;
    Region *r = NEW(g->a, Region);
    *r = *t->region;
    r->assumes = NEW_N(g->a, Expr *, r->nassumes + 2);
    for (int i = 0; i < r->nassumes; i++) r->assumes[i] = t->region->assumes[i];
    r->params = NEW_N(g->a, const Sym *, r->nparams + t->nfree + 1);
    for (int i = 0; i < r->nparams; i++) r->params[i] = t->region->params[i];
    for (int i = 0; i < t->nfree; i++) {
        Sym *s = NEW(g->a, Sym);
        *s = (Sym){.name = t->free[i].name, .kind = SYM_PARAM, .type = T_I32};
        r->params[r->nparams++] = s;
        const char *text = t->free[i].is;
        Expr *x = text ? ir_parse_expr(g->p->c, r, 0, NULL, T_I32, text, why) : NULL;
        if (text && !x) return *why = arena_printf(g->a, "'%s': %s", text, *why), false;
        vec_push(g->a, &g->p->free, x);
    }
    if (t->where) {
        Expr *x = ir_parse_expr(g->p->c, r, 0, NULL, T_I32, t->where, why);
        if (!x) return *why = arena_printf(g->a, "--where '%s': %s", t->where, *why), false;
        r->assumes[r->nassumes++] = x;
    }
    for (int i = 0; i < r->nassumes; i++)
        expr_each(x, r->assumes[i]) {
            if (x->kind == E_OP && x->op == OP_LAND) continue;
            find_fixed(g, x), find_whole(g, x);
            each_prune();
        }
    r->arrays = NEW_N(g->a, const Array *, r->narrays + 1);
    for (int i = 0; i < r->narrays; i++) {
        const Array *v = t->region->arrays[i];
        Array *w = !v->rank ? (Array *)as_vector(g->a, v) : g->fixed.n ? array_copy(g->a, v, NULL, 0) : NULL;
        for (int d = 0; d < v->rank && w; d++) w->extent[d] = with_fixed(v->extent[d], g);
        r->arrays[i] = w ? w : v;
        if (w) note_same(g, v, w);
    }
    for (int i = 0; i < t->ngranted; i++) {
        Expr *x = ir_parse_expr(g->p->c, r, 0, NULL, T_I32, t->granted[i], why);
        if (!x) return *why = arena_printf(g->a, "'%s': %s", t->granted[i], *why), false;
        bool known = false;
        for (int k = 0; k < g->p->granted.n; k++) known |= expr_equal(g->p->granted.at[k], x);
        if (!known) vec_push(g->a, &g->p->granted, x);
    }
    Sym *trips = NEW(g->a, Sym);
    *trips = (Sym){.name = ".trips", .kind = SYM_PARAM, .type = T_I64};
    g->p->trips = trips;
    r->assumes[r->nassumes++] = expr_op(g->a, OP_GE, expr_sym(g->a, trips), expr_int(g->a, T_I64, 1), NULL);
    g->p->region = g->made = r;
    g->p->loops = map_node(t->region->root, g);
    return true;
}

// ---- the launches ----------------------------------------------------------------------------------
static const EqualBind *bind_of(const EqualTask *t, int launch, const char *name) {
    for (int i = t->nbind - 1; name && i >= 0; i--)
        if ((t->bind[i].launch < 0 || t->bind[i].launch == launch) && str_eq(t->bind[i].ours, name))
            return &t->bind[i];
    return NULL;
}

static const char *bound_to(const EqualTask *t, int launch, const char *name) {
    const EqualBind *b = bind_of(t, launch, name);
    return b ? b->theirs : NULL;
}

static Expr *settled(Expr *x, void *a) { return x ? equal_exact(a, expr_map(a, x, settled, a)) : NULL; }

static Expr *parsed(Pairing *g, Type t, const char *text, const char **why) {
    const Type types[] = {t, T_I64, T_I32, T_U32, T_U64}; // whichever its parameters have
    const int ntypes = type_is_int(t) ? sizeof types / sizeof *types : 1;
    Expr *x = NULL;
    for (int i = 0; !x && i < ntypes; i++)
        x = ir_parse_expr(g->p->c, g->p->region, g->iters.n, g->iters.at, types[i], text, why);
    return x ? expr_cast(g->a, t, settled(with_fixed(x, g), g->a)) : NULL;
}

static bool bind_params(Pairing *g, int k, const char **why) {
    const EqualLaunch *l = &g->p->task->launch[k];
    static const char *const grids[] = {"grid_x", "grid_y", "grid_z"};
    const Region *r = l->region;
    g->nsyms = 0;
    g->sym = NEW_N(g->a, const Sym *, r->nparams + 1);
    g->value = NEW_N(g->a, Expr *, r->nparams + 1);
    for (int i = 0; i < r->nparams; i++) {
        const Sym *s = r->params[i];
        const char *text = NULL;
        for (int d = 0; d < 3; d++)
            if (l->grid_of[d] && str_eq(s->name, grids[d])) text = l->grid_of[d];
        if (l->shared_of && str_eq(s->name, "shared_bytes")) text = l->shared_of;
        if (!text) text = bound_to(g->p->task, k, s->source ? s->source : s->name);
        if (!text) text = bound_to(g->p->task, k, s->name);
        if (!text && str_has_prefix(s->name, "trips_")) // kernel/flow.c
            return *why = arena_printf(g->a, "how often the kernel's loop at line %s runs is not understood",
                                       s->name + strlen("trips_")),
                   false;
        if (!text)
            return *why = arena_printf(g->a,
                                       "the kernel's '%s' stands for nothing in the loops; --bind "
                                       "%s=… gives it a value",
                                       s->name, s->name),
                   false;
        Expr *x = parsed(g, s->type, text, why);
        if (!x) return *why = arena_printf(g->a, "%s = '%s': %s", s->name, text, *why), false;
        g->sym[g->nsyms] = s;
        g->value[g->nsyms++] = x;
    }
    return true;
}

// An array between two launches. How large one is that the host did not allocate, nobody knows.
enum { WORKSPACE = 1 << 14 };

static bool divides(Pairing *g, const Array *rows, Expr *x) {
    Expr **sub = equal_split_flat(g->a, rows, map_expr(x, g));
    Sums k = {.a = g->a};
    for (int d = 0; d < rows->rank && sub; d++)
        if (sum_degree(sum_of(&k, sub[d])) >= 2) return false;
    return sub != NULL;
}

// Are all of v's subscripts those of rows? All are looked at: what they take for granted is said.
static bool fits(Pairing *g, const Array *v, const Array *rows, const Node *root) {
    bool fit = true;
    node_each(n, root) {
        if (n->kind != N_COPY) continue;
        if (n->dst == v) fit &= divides(g, rows, n->sub[0]);
        expr_each(x, n->src)
            if (x->kind == E_LOAD && x->array == v) fit &= divides(g, rows, x->args[0]);
    }
    return fit;
}

// An array of n * m elements that is used as n rows of m, or m rows of n, and so on for three factors, one of
// which may be a number; NULL: as none of these.
static Array *in_rows(Pairing *g, const Array *v, const Array *flat, Node *root) {
    static const int orders[][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    Sums k = {.a = g->a};
    Sum *all = sum_of(&k, flat->extent[0]), *factor[4];
    if (!all || all->n != 1 || all->t[0].n > 3) return NULL;
    int n = 0, wanted = all->t[0].n;
    if (all->t[0].c > 1) factor[n++] = sum_int(&k, all->t[0].c);
    for (int i = 0; i < wanted; i++) factor[n++] = sum_atom(&k, k.atoms.at[all->t[0].f[i]]);
    for (int i = 0; n > 1 && n <= 3 && i < (n == 2 ? 2 : 6); i++) {
        Array *w = array_copy(g->a, flat, NULL, n - 1);
        for (int d = 0; d < n; d++) w->extent[d] = sum_expr(&k, factor[orders[i][d]], T_I64);
        if (fits(g, v, w, root)) return w;
    }
    return NULL;
}

static const Array *temporary(Pairing *g, const Array *v, const char *name, Node *root) {
    Array *w = array_copy(g->a, v, name, 0);
    w->place = PLACE_TEMP;
    w->extent[0] = expr_int(g->a, T_I64, WORKSPACE);
    w->constant_size = false;
    for (int i = 0; i < g->p->task->ntemporary; i++) {
        const EqualTemporary *t = &g->p->task->temporary[i];
        const char *why;
        if (!str_eq(t->name, name + 1) || !t->bytes) continue;
        Expr *x = parsed(g, T_I64, t->bytes, &why);
        if (!x) continue;
        Sums k = {.a = g->a};
        Sum *bytes = sum_of(&k, x->kind == E_CAST ? x->args[0] : x), *rest,
            *count = bytes ? sum_div(&k, bytes, sum_int(&k, type_size(w->elem)), &rest) : NULL;
        bool whole = count && !rest->n;
        w->extent[0] = whole ? sum_expr(&k, count, T_I64)
                             : expr_op(g->a, OP_DIV, x, expr_int(g->a, T_I64, type_size(w->elem)), NULL);
        w->constant_size = true;
        Array *rows = whole ? in_rows(g, v, w, root) : NULL;
        if (rows) w = rows;
    }
    w->object = w->name;
    w->source = NULL;
    vec_push(g->a, &g->shared, ((Same){.from = w}));
    return w;
}

// The address as steps of its indices, the slowest first. False: it is none, and why.
static bool read_layout(Pairing *g, const EqualLayout *t, const Array *v, const char **why) {
    const Sym *sym[4];
    Expr *zero[4], *x;
    Layout l = {.from = v, .to = array_named(g, t->theirs)};
    const char *said = arena_printf(g->a, "--layout %s[%s]", t->ours, t->address);
    if (!l.to || l.to->rank != t->n)
        return *why = arena_printf(g->a, "%s: %s has another rank", said, t->theirs), false;
    if (v->rank != 1 || v->elem != l.to->elem || v->stride != type_size(v->elem))
        return *why = arena_printf(g->a, "%s: elements of '%s' are others", said, t->theirs), false;
    x = NULL;
    for (int wide = 0; wide < 2 && !x; wide++) { // indices are of the sizes' type
        Type type = wide ? T_I64 : T_I32;
        for (int i = 0; i < t->n; i++) {
            Sym *s = NEW(g->a, Sym);
            *s = (Sym){.name = t->index[i], .kind = SYM_ITER, .type = type};
            sym[i] = s, zero[i] = expr_int(g->a, type, 0);
        }
        x = ir_parse_expr(g->p->c, g->p->region, t->n, sym, type, t->address, why);
    }
    if (!x) return *why = arena_printf(g->a, "%s: %s", said, *why), false;
    l.offset = expr_subst(g->a, x, t->n, sym, zero);
    Sums k = {.a = g->a};
    Sum *left = sum_of(&k, x), *base = sum_of(&k, l.offset), *step[4];
    if (left) left = sum_add(&k, left, base, -1);
    for (int i = 0; i < t->n && left; i++) {
        Expr *one[4] = {zero[0], zero[1], zero[2], zero[3]};
        one[i] = expr_int(g->a, zero[0]->type, 1);
        step[i] = sum_add(&k, sum_of(&k, expr_subst(g->a, x, t->n, sym, one)), base, -1);
        left = sum_add(&k, left, sum_mul(&k, step[i], sum_of(&k, expr_sym(g->a, sym[i]))), -1);
        int at = i;
        for (; at; at--) { // the larger before the smaller
            const Sum *o = sum_of(&k, l.step[at - 1]);
            int more = sum_degree(step[i]) - sum_degree(o);
            bool larger = more > 0 || (!more && step[i]->n && o->n && step[i]->t[0].c > o->t[0].c);
            if (!larger) break;
            l.step[at] = l.step[at - 1], l.dim[at] = l.dim[at - 1];
        }
        l.step[at] = sum_expr(&k, step[i], T_I64), l.dim[at] = i;
    }
    if (!left || left->n)
        return *why = arena_printf(g->a, "%s: it is no sum of products of the indices", said), false;
    vec_push(g->a, &g->layouts, l);
    vec_push(g->a, &g->p->laid, l.to);
    vec_push(g->a, &g->p->slowest, l.dim[0]);
    return true;
}

static const EqualBind *bind_of_array(const EqualTask *t, int k, const Array *v) {
    const EqualBind *b = bind_of(t, k, v->source ? v->source : v->name);
    if (!b) b = bind_of(t, k, v->name);
    return b ? b : bind_of(t, k, v->object);
}

static bool is_named(const Array *v, const char *name) {
    return str_eq(v->name, name) || (v->source && str_eq(v->source, name)) ||
           (v->object && str_eq(v->object, name));
}

bool equal_same_memory(const EqualTask *t, int launch, const Array *v, const Array *w) {
    if (v == w) return true;
    if (v->place != PLACE_USER || w->place != PLACE_USER) return false;
    bool one = v->object && w->object && str_eq(v->object, w->object);
    bool fields = one && v->elem == w->elem && v->stride == w->stride; // of one record
    if (fields && (v->offset - w->offset) % v->stride) return false;
    const EqualBind *b = bind_of_array(t, launch, v), *c = bind_of_array(t, launch, w);
    bool same = one || (b && c && str_eq(b->theirs, c->theirs));
    for (int i = 0; i < t->nlayout; i++)
        for (int j = 0; j < t->nlayout; j++)
            same |= is_named(v, t->layout[i].ours) && is_named(w, t->layout[j].ours) &&
                    str_eq(t->layout[i].theirs, t->layout[j].theirs);
    return same;
}

// a + n, as what a launch is given: from then on v's elements are those of a behind that.
static bool bind_offset(Pairing *g, const EqualBind *b, const Array *v, const char **why) {
    int64_t size = type_size(v->elem);
    Expr *x = parsed(g, T_I64, b->offset, why);
    if (!x)
        return *why = arena_printf(g->a, "%s = '%s + %s': %s", v->name, b->theirs, b->offset, *why), false;
    if (v->rank != 1 || b->bytes % size || has_layout(g, v))
        return *why = arena_printf(g->a, "'%s' begins within an array, and its elements are not plain ones",
                                   v->name),
               false;
    g->same.at[g->same.n - 1].offset = expr_mul(g->a, x, expr_int(g->a, T_I64, b->bytes / size));
    return true;
}

static bool bind_arrays(Pairing *g, int k, Node *root, const char **why) {
    const Region *r = g->p->task->launch[k].region;
    for (int i = 0; i < r->narrays; i++) {
        const Array *v = r->arrays[i];
        const EqualTask *t = g->p->task;
        for (int j = 0; j < t->nlayout; j++)
            if ((str_eq(t->layout[j].ours, v->name) || (v->source && str_eq(t->layout[j].ours, v->source))) &&
                !read_layout(g, &t->layout[j], v, why))
                return false;
        const EqualBind *b = bind_of_array(t, k, v);
        if (has_layout(g, v) && !(b && b->offset)) continue;
        const char *name = b ? b->theirs : NULL;
        const Array *w = name ? array_named(g, name) : NULL;
        if (!w && name && name[0] == '@' && v->rank == 1) w = temporary(g, v, name, root);
        if (!w)
            return *why = arena_printf(g->a,
                                       "the kernel's array '%s' stands for none of the loops; --bind "
                                       "%s=… names it",
                                       v->name, v->name),
                   false;
        bool lanes =
            v->rank == 1 && v->stride % type_size(v->elem) == 0 && v->offset % type_size(v->elem) == 0;
        if (w->elem != v->elem || !(lanes || v->stride == type_size(v->elem)) ||
            w->stride != type_size(w->elem))
            return *why = arena_printf(g->a, "elements of '%s' are %s, those of '%s' %s", v->name,
                                       type_name(v->elem), w->name, type_name(w->elem)),
                   false;
        note_same(g, v, w);
        if (b->offset && !bind_offset(g, b, v, why)) return false;
    }
    return true;
}

static Node *launched(Pairing *g, int k, const char **why) {
    const EqualTask *t = g->p->task;
    g->same.n = g->layouts.n = 0;
    Node *root = equal_forward(g->a, t, k, t->launch[k].root);
    if (!bind_params(g, k, why) || !bind_arrays(g, k, root, why)) return NULL;
    root = map_node(equal_digits(g->a, root), g);
    g->p->lockstep |= t->launch[k].lockstep == 1;
    if (t->launch[k].lockstep == 2) g->p->unordered = "which threads arrive at a barrier is not known";
    if (g->lost) *why = g->lost;
    return g->lost ? NULL : root;
}

// Which loop stands in `outer` around launch k; -1: it stands there itself.
static int loop_in(const EqualTask *t, int k, int outer) {
    int i = t->launch[k].loop;
    if (i == outer) return -1;
    while (t->loop[i].outer != outer) i = t->loop[i].outer;
    return i;
}

// The launches from *k on that stand in loop `outer`.
static Node *launches_in(Pairing *g, int *k, int outer, const char **why) {
    const EqualTask *t = g->p->task;
    Node **kids = NEW_N(g->a, Node *, t->nlaunch + 1), *m;
    int n = 0;
    while (*k < t->nlaunch) {
        int at = t->launch[*k].loop, i;
        while (at >= 0 && at != outer) at = t->loop[at].outer;
        if (at != outer) break;
        if ((i = loop_in(t, *k, outer)) < 0) {
            m = launched(g, (*k)++, why);
        } else {
            const EqualLoop *l = &t->loop[i];
            Sym *s = NEW(g->a, Sym);
            *s = (Sym){.name = l->name, .kind = SYM_ITER, .type = T_I32};
            Expr *lo = parsed(g, T_I32, l->lo, why), *hi = parsed(g, T_I32, l->hi, why);
            vec_push(g->a, &g->iters, s);
            m = lo && hi ? launches_in(g, k, i, why) : NULL;
            g->iters.n--;
            if (m) m = node_for(g->a, s, lo, hi, strtoll(l->step, NULL, 10), HOW_SERIAL, m);
        }
        if (!m) return NULL;
        kids[n++] = m;
    }
    return node_seq(g->a, n, kids);
}

static bool add_launches(Pairing *g, const char **why) {
    int k = 0;
    Node *all = launches_in(g, &k, -1, why);
    if (!all) return false;
    const Array **locals = NEW_N(g->a, const Array *, g->shared.n + 1);
    for (int i = 0; i < g->shared.n; i++) locals[i] = g->shared.at[i].from;
    g->p->kernel = seq_declare_all(g->a, all, g->shared.n, locals);
    return true;
}

void equal_not_negative(Pair *p, Expr *x) {
    while (x->kind == E_CAST) x = x->args[0];
    for (int i = 0; i < p->granted.n; i++)
        if (p->granted.at[i]->op == OP_GE && expr_equal(p->granted.at[i]->args[0], x)) return;
    Expr *zero = expr_int(p->a, x->type, 0);
    if (x->kind != E_INT) vec_push(p->a, &p->granted, expr_op(p->a, OP_GE, x, zero, NULL));
}

// What the loops are proved for, with all that is taken for granted.
static void add_granted(Pair *p, Region *r) {
    Expr **all = NEW_N(p->a, Expr *, r->nassumes + p->granted.n + 1);
    for (int i = 0; i < r->nassumes; i++) all[i] = r->assumes[i];
    for (int i = 0; i < p->granted.n; i++) all[r->nassumes++] = p->granted.at[i];
    r->assumes = all;
}

Preorder *preorder_of_copy(Preorder *w, const Node *n) {
    preorder_of_exprs(w, n);
    if (n->kind != N_COPY) return w;
    preorder_push(w, n->src);
    for (int d = n->dst ? n->dst->rank : 0; d-- > 0;) preorder_push(w, n->sub[d]);
    return w;
}

Pair *equal_pair(Compile *c, const EqualTask *t, const char **why) {
    Pair *p = NEW(c->arena, Pair);
    *p = (Pair){.c = c, .a = c->arena, .task = t};
    Pairing g = {.p = p, .a = c->arena};
    if (!set_region(&g, why) || !add_launches(&g, why)) return NULL;
    for (int i = 0; i < g.taken.n; i++)
        if (equal_directs(p, g.taken.at[i]->sym)) equal_not_negative(p, g.taken.at[i]);
    Array *b = array_new(c->arena, "barrier", T_I32, PLACE_TEMP, 0);
    p->barrier = b;
    p->sized_kernel = equal_strides(p, p->kernel);
    p->flow_loops = equal_flow_tree(p, p->loops);
    p->flow_kernel = seq_declare(c->arena, equal_flow_tree(p, p->kernel), b);
    equal_places(p);
    if (!p->better.n) p->added_kernel = equal_phases(p, p->flow_kernel);
    add_granted(p, g.made);
    return p;
}
