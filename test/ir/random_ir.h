// SPDX-License-Identifier: MIT
// random_ir.h -- random regions and nests that pass the verifier, using every field of ir.h
#ifndef SCULPT_TEST_RANDOM_IR_H
#define SCULPT_TEST_RANDOM_IR_H
#include "ir/ir.h"
#include <math.h>
#include <string.h>

typedef struct Rand {
    Arena *a;
    uint64_t state;
    Region *r;
    VEC(const Sym *) params, counters, scope; // all counters; those around
    VEC(const Array *) user, arrays;          // arrays in scope
    VEC(const Stmt *) stmts;
    int names;
    bool loads, nest, kernel;
    int nblock, nthread;
    bool beside; // something stands beside what is made
} Rand;

static inline uint64_t rnd(Rand *g) {
    uint64_t z = g->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
static inline int pick(Rand *g, int n) { return (int)(rnd(g) % (uint64_t)n); }
static inline bool coin(Rand *g) { return pick(g, 2); }
static inline const char *fresh(Rand *g, const char *stem) {
    return arena_printf(g->a, "%s%d", stem, g->names++);
}
static inline Type rnd_type(Rand *g) { return (Type)(1 + pick(g, T_COUNT - 1)); }
static inline Type rnd_int_type(Rand *g) { return (Type)(T_I8 + pick(g, 8)); }
static inline Loc rnd_loc(Rand *g) {
    static const char *const files[] = {"main.c", "other \"x\".h", NULL};
    if (coin(g)) return (Loc){0};
    return (Loc){files[pick(g, 3)], 1 + pick(g, 99), 1 + pick(g, 99)};
}

// ---- expressions ---------------------------------------------------------------------
static inline Expr *rnd_expr(Rand *g, Type t, int depth);

static inline Expr *rnd_literal(Rand *g, Type t) {
    static const int64_t ints[] = {0,    1,         -1,        2,         127,
                                   -128, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    static const double floats[] = {0.0,    -0.0,     1,         0.1, 1e300,
                                    5e-324, INFINITY, -INFINITY, NAN, 3.5};
    double any;
    uint64_t bits = rnd(g);
    memcpy(&any, &bits, sizeof any);
    if (type_is_float(t)) return expr_float(g->a, t, coin(g) ? any : floats[pick(g, 10)]);
    return expr_int(g->a, t, coin(g) ? ints[pick(g, 10)] : (int64_t)rnd(g));
}

static inline Expr *rnd_sym(Rand *g, Type t) {
    int n = g->params.n + g->scope.n, k;
    if (!n) return rnd_literal(g, t);
    k = pick(g, n);
    const Sym *s = k < g->params.n ? g->params.at[k] : g->scope.at[k - g->params.n];
    return expr_cast(g->a, t, expr_sym(g->a, s));
}

static inline Expr *rnd_load(Rand *g, Type t, int depth) {
    int n = g->user.n + g->arrays.n, k;
    if (!g->loads || !n) return rnd_sym(g, t);
    k = pick(g, n);
    const Array *array = k < g->user.n ? g->user.at[k] : g->arrays.at[k - g->user.n];
    Expr *sub[4];
    for (int d = 0; d < array->rank; d++) sub[d] = rnd_expr(g, rnd_int_type(g), depth - 1);
    return expr_cast(g->a, t, expr_load(g->a, array, sub));
}

static inline Expr *rnd_operator(Rand *g, Type t, int depth) {
    static const Op arith[] = {OP_NEG, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MIN, OP_MAX, OP_FMA};
    static const Op ints[] = {OP_NOT, OP_MOD, OP_FDIV, OP_FMOD, OP_SHL,
                              OP_SHR, OP_AND, OP_OR,   OP_XOR};
    static const Op truths[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE};
    Type u = rnd_type(g);
    Op op = arith[pick(g, 8)];
    if (t == T_I32 && coin(g)) {
        if (coin(g))
            return expr_op(g->a, truths[pick(g, 6)], rnd_expr(g, u, depth), rnd_expr(g, u, depth),
                           NULL);
        if (coin(g)) return expr_op(g->a, OP_LNOT, rnd_expr(g, u, depth), NULL, NULL);
        return expr_op(g->a, coin(g) ? OP_LAND : OP_LOR, rnd_expr(g, u, depth),
                       rnd_expr(g, rnd_type(g), depth), NULL);
    }
    if (pick(g, 6) == 0)
        return expr_op(g->a, OP_SELECT, rnd_expr(g, u, depth), rnd_expr(g, t, depth),
                       rnd_expr(g, t, depth));
    if (type_is_int(t) && coin(g)) op = ints[pick(g, 9)];
    Type second = op == OP_SHL || op == OP_SHR ? rnd_int_type(g) : t;
    return expr_op(g->a, op, rnd_expr(g, t, depth), rnd_expr(g, second, depth),
                   rnd_expr(g, t, depth));
}

static inline Expr *rnd_call(Rand *g, Type t, int depth) {
    static const char *const one[] = {"sqrt", "exp", "fabs"}, *const onef[] = {"sqrtf", "expf",
                                                                               "fabsf"};
    Expr *x[2] = {rnd_expr(g, t, depth), rnd_expr(g, t, depth)};
    if (coin(g)) return expr_call(g->a, t == T_F32 ? "powf" : "pow", t, 2, x);
    return expr_call(g->a, (t == T_F32 ? onef : one)[pick(g, 3)], t, 1, x);
}

static inline Expr *rnd_expr(Rand *g, Type t, int depth) {
    if (depth <= 0) return coin(g) ? rnd_literal(g, t) : rnd_sym(g, t);
    switch (pick(g, 8)) {
    case 0: return rnd_literal(g, t);
    case 1: return rnd_sym(g, t);
    case 2: return rnd_load(g, t, depth);
    case 3: return expr_cast(g->a, t, rnd_expr(g, rnd_type(g), depth - 1));
    case 4:
        if (type_is_float(t)) return rnd_call(g, t, depth - 1); // fall through
    default: return rnd_operator(g, t, depth - 1);
    }
}

static inline Expr *rnd_index(Rand *g) { return rnd_expr(g, coin(g) ? T_I32 : rnd_int_type(g), 2); }

// Over parameters alone.
static inline Expr *rnd_param_expr(Rand *g, Type t) {
    int scope = g->scope.n;
    bool loads = g->loads;
    g->scope.n = 0;
    g->loads = false;
    Expr *x = rnd_expr(g, t, 3);
    g->scope.n = scope;
    g->loads = loads;
    return x;
}

// ---- arrays -----------------------------------------------------------------------------
static inline Array *rnd_array(Rand *g, Place place) {
    Array *a = NEW(g->a, Array);
    a->name = a->object = fresh(g, "a");
    a->elem = rnd_type(g);
    a->place = place;
    a->rank = pick(g, 4);
    a->stride = type_size(a->elem);
    a->extent = NEW_N(g->a, Expr *, a->rank);
    for (int d = 0; d < a->rank; d++)
        a->extent[d] = place == PLACE_USER && d == 0 && coin(g) ? NULL
                       : place == PLACE_USER || place == PLACE_TEMP
                           ? rnd_param_expr(g, rnd_int_type(g))
                           : expr_int(g->a, T_I32, 1 + pick(g, 9));
    if (place != PLACE_USER) return a;
    if (coin(g)) a->source = coin(g) ? "p->\"x\"[\\n]\n\t" : "";
    if (coin(g)) {
        a->object = "base";
        a->stride = 1 + pick(g, 64);
        a->offset = pick(g, 64) - 32;
    }
    a->live_out = coin(g);
    a->constant_size = coin(g);
    return a;
}

static inline Array *rnd_buffer(Rand *g, Place place) {
    Array *a = rnd_array(g, place);
    if (coin(g) || !g->user.n) return a;
    const Array *of = g->user.at[pick(g, g->user.n)];
    a->of = (Array *)of;
    a->elem = of->elem;
    a->rank = of->rank;
    a->stride = type_size(of->elem);
    a->extent = NEW_N(g->a, Expr *, a->rank);
    a->origin = coin(g) ? NEW_N(g->a, Expr *, a->rank) : NULL;
    for (int d = 0; d < a->rank; d++) {
        a->extent[d] = expr_int(g->a, T_I64, 1 + pick(g, 9));
        if (a->origin) a->origin[d] = rnd_index(g);
    }
    return a;
}

// ---- trees --------------------------------------------------------------------------------
static inline Node *rnd_node(Rand *g, int depth);

static inline const Stmt *rnd_stmt(Rand *g) {
    static const Op ops[] = {OP_SET, OP_ADD, OP_MUL, OP_MIN,  OP_MAX,
                             OP_AND, OP_OR,  OP_XOR, OP_LAND, OP_LOR};
    Stmt *s = NEW(g->a, Stmt);
    s->label = arena_printf(g->a, "S%d", g->stmts.n);
    s->loc = rnd_loc(g);
    s->depth = g->scope.n;
    s->iters = NEW_N(g->a, const Sym *, s->depth);
    for (int k = 0; k < s->depth; k++) s->iters[k] = g->scope.at[k];
    s->lhs = g->arrays.n && coin(g) ? g->arrays.at[pick(g, g->arrays.n)]
                                    : g->user.at[pick(g, g->user.n)];
    s->sub = NEW_N(g->a, Expr *, s->lhs->rank);
    for (int d = 0; d < s->lhs->rank; d++) s->sub[d] = rnd_index(g);
    s->op = ops[pick(g, 10)];
    s->atomic = coin(g);
    s->rhs = rnd_expr(g, s->lhs->elem, 5);
    s->fused = s->op == OP_ADD && s->rhs->kind == E_OP && s->rhs->op == OP_MUL;
    vec_push(g->a, &g->stmts, s);
    return s;
}

static inline Node *rnd_instance(Rand *g) {
    const Stmt *s = g->nest ? g->stmts.at[pick(g, g->stmts.n)] : rnd_stmt(g);
    Expr **at = NEW_N(g->a, Expr *, s->depth);
    for (int k = 0; k < s->depth; k++) at[k] = g->nest ? rnd_index(g) : expr_sym(g->a, s->iters[k]);
    Node *n = node_stmt(g->a, s, at);
    n->atomic = coin(g);
    n->loc = rnd_loc(g);
    if (!g->nest) return n;
    AccessVec acc = stmt_accesses(g->a, s);
    n->nvia = coin(g) ? acc.n : 0;
    n->via = NEW_N(g->a, const Array *, n->nvia);
    for (int k = 0; k < acc.n; k++) {
        if (acc.at[k].array->place != PLACE_USER) return NULL; // its block may not be around
        for (int j = 0; j < g->arrays.n && k < n->nvia; j++)
            if (g->arrays.at[j]->of == acc.at[k].array && coin(g)) n->via[k] = g->arrays.at[j];
    }
    return n;
}

static inline Node *rnd_copy(Rand *g) {
    static const Op ops[] = {OP_SET, OP_ADD, OP_MIN, OP_LAND};
    const Array *dst = g->arrays.n && coin(g) ? g->arrays.at[pick(g, g->arrays.n)]
                                              : g->user.at[pick(g, g->user.n)];
    Expr *sub[4];
    for (int d = 0; d < dst->rank; d++) sub[d] = rnd_index(g);
    Node *n = node_copy(g->a, dst, sub, ops[pick(g, 4)], rnd_expr(g, dst->elem, 3));
    n->atomic = coin(g);
    n->loc = rnd_loc(g);
    return n;
}

static inline Mark *rnd_mark(Rand *g) {
    static const Op ops[] = {OP_ADD, OP_MIN, OP_MAX, OP_LOR, OP_XOR};
    Mark *m = NEW(g->a, Mark);
    m->loc = rnd_loc(g);
    m->assert = (Assert)pick(g, 3);
    m->nred = pick(g, 3);
    m->red = NEW_N(g->a, const Array *, 2);
    m->redop = NEW_N(g->a, Op, 2);
    for (int k = 0; k < m->nred; k++) {
        m->red[k] = g->user.at[pick(g, g->user.n)];
        m->redop[k] = ops[pick(g, 5)];
    }
    return m;
}

static inline const Sym *rnd_counter(Rand *g) {
    for (int k = 0; k < g->counters.n; k++) { // an old one, when it is free
        bool used = pick(g, 3) != 0;
        for (int j = 0; j < g->scope.n; j++) used |= g->scope.at[j] == g->counters.at[k];
        if (!used) return g->counters.at[k];
    }
    Sym *s = NEW(g->a, Sym);
    *s = (Sym){.name = fresh(g, "i"), .kind = SYM_ITER, .type = pick(g, 2) ? T_I32 : T_I64};
    vec_push(g->a, &g->counters, s);
    return s;
}

static inline How rnd_how(Rand *g) {
    if (!g->kernel) return HOW_SERIAL;
    How h = (How)pick(g, HOW_COUNT);
    if (h == HOW_COOP) return HOW_SERIAL; // around one copy alone: phase_test.c
    if (h == HOW_BLOCK && (g->nblock == 3 || g->nthread || g->beside)) return HOW_SERIAL;
    if (h == HOW_THREAD && g->nthread == 3) return HOW_SERIAL;
    return h;
}

static inline Node *rnd_for(Rand *g, int depth) {
    static const int64_t steps[] = {1, -1, 2, 7, 1 << 30, -(1 << 30)};
    const Sym *i = rnd_counter(g);
    How h = rnd_how(g);
    bool grid = h == HOW_BLOCK || h == HOW_THREAD, constant = h == HOW_THREAD || h == HOW_UNROLL;
    Expr *lo = constant ? expr_int(g->a, i->type, pick(g, 9)) : rnd_index(g);
    Expr *hi = constant ? expr_int(g->a, i->type, pick(g, 99)) : rnd_index(g);
    vec_push(g->a, &g->scope, i);
    g->nblock += h == HOW_BLOCK;
    g->nthread += h == HOW_THREAD;
    Node *body = rnd_node(g, depth - 1);
    Node *n = node_for(g->a, i, lo, hi, grid ? 1 : steps[pick(g, 6)], h, body);
    g->nblock -= h == HOW_BLOCK;
    g->nthread -= h == HOW_THREAD;
    g->scope.n--;
    n->unroll = coin(g) ? pick(g, 9) : 0;
    n->loc = rnd_loc(g);
    if (!g->nest && coin(g)) n->mark = rnd_mark(g);
    return n;
}

static inline Node *rnd_kernel(Rand *g, int depth) {
    g->kernel = g->loads = true;
    Node *n = node_kernel(g->a, fresh(g, "k"), rnd_node(g, depth));
    g->kernel = g->loads = false;
    n->loc = rnd_loc(g);
    return n;
}

static inline Node *rnd_seq(Rand *g, int depth, bool root) {
    int arrays = g->arrays.n, nlocals = 0, n = pick(g, 4);
    VEC(const Array *) locals = {0};
    bool may = !g->nest || g->kernel || root;
    for (; may && nlocals < 2 && coin(g); nlocals++) {
        Place place = root && g->nest                       ? PLACE_TEMP
                      : g->kernel && !g->nthread && coin(g) ? PLACE_SHARED
                                                            : PLACE_LOCAL;
        const Array *a = g->kernel ? rnd_buffer(g, place) : rnd_array(g, place);
        vec_push(g->a, &locals, a);
        vec_push(g->a, &g->arrays, a);
    }
    Node *kids[4];
    bool beside = g->beside;
    g->beside |= g->kernel && n > 1;
    for (int k = 0; k < n; k++) kids[k] = rnd_node(g, depth - 1);
    g->beside = beside;
    Node *s = node_seq(g->a, n, kids);
    s->nlocals = locals.n;
    s->locals = locals.at;
    s->loc = rnd_loc(g);
    g->arrays.n = arrays;
    return s;
}

static inline Node *rnd_if(Rand *g, int depth) {
    Expr *cond = rnd_expr(g, T_I32, 3);
    Node *then = rnd_node(g, depth - 1), *other = coin(g) ? rnd_node(g, depth - 1) : NULL;
    Node *n = node_if(g->a, cond, then, other);
    n->loc = rnd_loc(g);
    return n;
}

static inline Node *rnd_node(Rand *g, int depth) {
    bool compute = !g->nest || g->kernel;
    if (depth <= 0 && !compute) return rnd_kernel(g, 3);
    if (depth <= 0) {
        Node *n = g->nest && (!g->stmts.n || coin(g)) ? rnd_copy(g) : rnd_instance(g);
        return n ? n : node_seq(g->a, 0, NULL);
    }
    switch (pick(g, 5)) {
    case 0: return rnd_seq(g, depth, false);
    case 1: return rnd_if(g, depth);
    case 2: return compute ? rnd_node(g, 0) : rnd_kernel(g, 4);
    default: return rnd_for(g, depth);
    }
}

// ---- whole --------------------------------------------------------------------------------
static inline const Inspect *rnd_inspect(Rand *g, const Sym *lo, const Sym *hi) {
    Inspect *i = NEW(g->a, Inspect);
    *i = (Inspect){.lo = lo, .hi = hi};
    for (int k = 0; k < g->user.n; k++)
        if (g->user.at[k]->rank) i->array = g->user.at[k];
    if (!i->array) return NULL;
    i->dim = pick(g, i->array->rank);
    const Sym *c = rnd_counter(g);
    Expr *lo_x = rnd_index(g), *hi_x = rnd_index(g);
    vec_push(g->a, &g->scope, c);
    Node *leaf = node_copy(g->a, NULL, NULL, OP_SET, rnd_expr(g, T_I64, 3));
    g->scope.n--;
    i->tree = node_for(g->a, c, lo_x, hi_x, 1, HOW_SERIAL, leaf);
    return i;
}

static inline void rnd_params(Rand *g) {
    int n = 1 + pick(g, 5);
    for (int k = 0; k < n; k++) {
        Sym *s = NEW(g->a, Sym);
        *s = (Sym){.name = fresh(g, "n"), .kind = SYM_PARAM, .type = rnd_type(g)};
        if (coin(g)) s->source = "p->n";
        vec_push(g->a, &g->params, s);
    }
    for (int k = 0; k < 2; k++) { // what an inspection may compute
        Sym *s = NEW(g->a, Sym);
        *s = (Sym){.name = fresh(g, "x"), .kind = SYM_PARAM, .type = T_I64};
        vec_push(g->a, &g->params, s);
    }
}

static inline Region *rnd_region(Rand *g) {
    Region *r = g->r = NEW(g->a, Region);
    r->name = "f_1";
    r->loc = coin(g) ? (Loc){"main.c", 3, 4} : (Loc){0};
    r->marked = (MarkKind)pick(g, 5);
    r->reassociate = coin(g);
    rnd_params(g);
    for (int k = 0, n = 1 + pick(g, 4); k < n; k++) {
        const Array *a = rnd_array(g, PLACE_USER);
        vec_push(g->a, &g->user, a);
    }
    r->nassumes = pick(g, 3);
    r->assumes = NEW_N(g->a, Expr *, r->nassumes);
    for (int k = 0; k < r->nassumes; k++) r->assumes[k] = rnd_param_expr(g, T_I32);
    g->loads = true;
    const Inspect *i =
        coin(g) ? rnd_inspect(g, g->params.at[g->params.n - 2], g->params.at[g->params.n - 1])
                : NULL;
    if (i) {
        r->inspects = NEW(g->a, const Inspect *);
        r->inspects[r->ninspects++] = i;
    }
    r->root = rnd_seq(g, 4, true);
    r->nparams = g->params.n;
    r->params = g->params.at;
    r->narrays = g->user.n;
    r->arrays = g->user.at;
    r->nstmts = g->stmts.n;
    r->stmts = g->stmts.at;
    return r;
}

static inline Nest *rnd_nest(Rand *g) {
    Nest *n = NEW(g->a, Nest);
    g->nest = true;
    g->loads = g->kernel = false;
    n->region = g->r;
    n->target = coin(g) ? "gpu" : "";
    n->proof = (Proof)(coin(g) + coin(g));
    if (n->proof != PROOF_PROVED && coin(g)) n->reason = "nobody \"knows\"";
    n->when = rnd_param_expr(g, T_I32);
    n->recipe = coin(g) ? "tile i 8\nmap \"j\"\n" : coin(g) ? "one\n\n two" : "";
    if (coin(g)) n->flops = rnd_param_expr(g, T_F64);
    if (coin(g)) n->bytes = rnd_param_expr(g, T_F64);
    n->nfeet = g->user.n;
    n->feet = NEW_N(g->a, Foot, n->nfeet);
    for (int k = 0; k < n->nfeet; k++) {
        Foot *f = &n->feet[k];
        *f = (Foot){.array = g->user.at[k], .in = coin(g), .out = coin(g), .exact = coin(g),
                    .loose = coin(g)};
        bool cut = f->array->rank > 0 && coin(g);
        f->first = cut ? NEW_N(g->a, Expr *, f->array->rank) : NULL;
        f->last = cut ? NEW_N(g->a, Expr *, f->array->rank) : NULL;
        f->lo = NEW_N(g->a, Expr *, f->array->rank);
        f->hi = NEW_N(g->a, Expr *, f->array->rank);
        for (int d = 0; d < f->array->rank; d++) {
            f->lo[d] = rnd_param_expr(g, T_I64);
            f->hi[d] = rnd_param_expr(g, rnd_int_type(g));
            if (cut) f->first[d] = rnd_param_expr(g, rnd_int_type(g));
            if (cut) f->last[d] = rnd_param_expr(g, T_I64);
        }
    }
    n->root = rnd_seq(g, 5, true);
    return n;
}
#endif
