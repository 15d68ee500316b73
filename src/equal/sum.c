// SPDX-License-Identifier: MIT
// sum.c -- what a sum adds, through any number of buffers that only add.
//
//   s[t] += s[t + 128]  barrier  s[t] += s[t + 64]  …       Σ of all that each word held at first
//
// Accesses are expanded with all ways to them together: each a relation from points to the counters of the
// leaf that reads. Two ways that meet would count twice, which is not decided.
#include "equal/flows.h"
#include <isl/space.h>

enum { MOST_ROUNDS = 400, MOST_ASKED = 64, MOST_STEPS = 8, MOST_PIECES = 1000 };

typedef struct Manner {
    bool minus;
    bool chain; // all of it comes before what is added next; else it is one number
    bool direct, first; // Part's
    int rank;
} Manner;

typedef struct Way { // a read whose value is added
    FlowAccess *r;
    isl_map *all, *now; // points → counters; now: what is not expanded yet
    Manner how;
} Way;

typedef struct Added { // an expression whose value is added
    FlowLeaf *leaf;
    Expr *x;
    const FlowAccess *rest; // not NULL: what this access finds where nothing wrote before
    isl_map *all;
    Manner how;
} Added;

typedef struct Asked {
    const FlowAccess *r;
    bool number; // is_number of what it finds; false, too, as long as that is asked
} Asked;

typedef struct Adding {
    Side *s;
    Op op;
    bool ordered, kept;
    VEC(Way) ways;
    VEC(Added) added;
    VEC(Asked) asked;
} Adding;

bool sum_has_order(Op op, Type t) { return type_is_float(t) && (op == OP_ADD || op == OP_MUL); }

bool sum_counts(Op op) { return op == OP_ADD || op == OP_MUL || op == OP_XOR; }

bool sum_is_neutral(Op op, const Expr *x) {
    if (x->kind != E_FLOAT && x->kind != E_INT) return false;
    double v = x->kind == E_FLOAT ? x->f : (double)x->i;
    if (op == OP_ADD || op == OP_OR || op == OP_XOR) return v == 0;
    if (op == OP_MUL) return v == 1;
    if (x->kind != E_FLOAT) return false;
    return op == OP_MAX ? v == -__builtin_inf() : op == OP_MIN ? v == __builtin_inf() : false;
}

static bool disjoint_union(Adding *g, isl_map **to, isl_map *m) {
    if (!*to) {
        *to = m;
        return true;
    }
    isl_map *both = isl_map_intersect(isl_map_copy(*to), isl_map_copy(m));
    bool apart = isl_map_is_empty(both) == isl_bool_true;
    isl_map_free(both);
    *to = isl_map_coalesce(isl_map_union(*to, m));
    bool many = isl_map_n_basic_map(*to) > MOST_PIECES;
    if (many) prove_unknown(g->s->proof, "a sum falls into too many pieces");
    bool once = sum_counts(g->op);
    if (!apart && once) prove_unknown(g->s->proof, "something may be added twice");
    return apart;
}

static bool same_how(Manner x, Manner y) {
    return x.minus == y.minus && x.chain == y.chain && x.direct == y.direct && x.first == y.first &&
        x.rank == y.rank;
}

static void add_way(Adding *g, FlowAccess *r, isl_map *m, Manner how) {
    if (isl_map_is_empty(m) != isl_bool_false) {
        isl_map_free(m);
        return;
    }
    how = (Manner){.minus = how.minus, .chain = how.chain};
    int at = 0;
    while (at < g->ways.n && (g->ways.at[at].r != r || !same_how(g->ways.at[at].how, how))) at++;
    if (at == g->ways.n) vec_push(g->s->a, &g->ways, ((Way){r, NULL, NULL, how}));
    Way *w = &g->ways.at[at];
    isl_map *copy = isl_map_copy(m);
    disjoint_union(g, &w->all, m);
    w->now = isl_map_coalesce(w->now ? isl_map_union(w->now, copy) : copy);
}

static void add_term(Adding *g, Added t, isl_map *m) {
    if (isl_map_is_empty(m) != isl_bool_false) {
        isl_map_free(m);
        return;
    }
    int at = 0;
    for (; at < g->added.n; at++) {
        Added *o = &g->added.at[at];
        if (o->leaf == t.leaf && o->x == t.x && o->rest == t.rest && same_how(o->how, t.how)) break;
    }
    if (at == g->added.n) vec_push(g->s->a, &g->added, t);
    disjoint_union(g, &g->added.at[at].all, m);
}

static bool is_choice(const Expr *x) {
    return x->kind == E_OP && x->op == OP_SELECT && !expr_has_load(x->args[0]);
}

// Does r read what grew by another operator?
static bool is_of_other(Adding *g, FlowAccess *r) {
    flow_compute(g->s->tree, r);
    bool other = r->updates.n > 0;
    for (int i = 0; i < r->updates.n; i++) other &= r->updates.at[i].to->update != g->op;
    return other;
}

static bool is_number(Adding *g, FlowLeaf *l, const Expr *x, int deep);

// Of a read, which leads back to others: one that leads back to itself is none.
static bool read_is_number(Adding *g, FlowAccess *r, int deep) {
    for (int i = 0; i < g->asked.n; i++)
        if (g->asked.at[i].r == r) return g->asked.at[i].number;
    if (is_of_other(g, r)) return true;
    if (r->updates.n || g->asked.n >= MOST_ASKED) return false;
    int at = g->asked.n;
    vec_push(g->s->a, &g->asked, ((Asked){r, false}));
    for (int i = 0; i < r->bases.n; i++) {
        FlowLeaf *from = r->bases.at[i].to->leaf;
        const Expr *x = from->node->src;
        if (!is_number(g, from, x, deep + (x->kind != E_LOAD))) return false; // copies are no steps
    }
    return g->asked.at[at].number = true;
}

// Is it one number, whatever it was made of, and not an accumulator's, nor what one was handed on as? What is
// added up in many steps is none.
static bool is_number(Adding *g, FlowLeaf *l, const Expr *x, int deep) {
    FlowAccess *r = x->kind == E_LOAD ? value_access(g->s, l, x) : NULL;
    if (r && x->type == r->array->elem && value_may_be_written(g->s, r)) return read_is_number(g, r, deep);
    bool through = sum_operator(x) == g->op || is_choice(x);
    if (through && deep >= MOST_STEPS) return false;
    for (int i = is_choice(x) ? 1 : 0; through && i < x->nargs; i++)
        if (!is_number(g, l, x->args[i], deep + 1)) return false;
    return true;
}

// Is it a sum of its own, of another accumulator, that is added when it is complete? Where any order is
// permitted, nobody asks.
static bool is_whole(Adding *g, FlowAccess *r) {
    if (!r || g->s->proof->p->task->reassociate || !value_may_be_written(g->s, r)) return false;
    for (int i = 0; i < g->ways.n; i++)
        if (g->ways.at[i].r->array == r->array) return false;
    flow_compute(g->s->tree, r);
    return r->updates.n > 0;
}

static void add_expr(Adding *g, FlowLeaf *l, Expr *x, isl_map *m, Manner how);

// x = y + z: all that y is, then z.
static void add_operands(Adding *g, FlowLeaf *l, Expr *x, isl_map *m, Manner how) {
    bool sum = g->op == OP_ADD && x->kind == E_OP;
    bool neg = sum && x->nargs == 1, less = sum && x->op == OP_SUB;
    int last = 1;
    bool two = how.chain && x->nargs == 2 && !less;
    if (two && !is_number(g, l, x->args[1], 0) && is_number(g, l, x->args[0], 0)) last = 0;
    Manner to = {.minus = how.minus != less, .direct = how.chain, .rank = how.rank};
    if (x->nargs == 2) add_expr(g, l, x->args[last], isl_map_copy(m), to);
    Manner from = {.minus = how.minus != neg, .chain = how.chain && !neg, .rank = how.rank - 1};
    add_expr(g, l, x->args[x->nargs == 2 ? 1 - last : 0], m, from);
}

// x, at m, is added.
static void add_expr(Adding *g, FlowLeaf *l, Expr *x, isl_map *m, Manner how) {
    Side *s = g->s;
    // s + (-v) is s - v, to the last bit
    for (; !how.chain && g->op == OP_ADD && x->kind == E_OP && x->nargs == 1 && sum_operator(x) == g->op;
         x = x->args[0])
        how.minus = !how.minus;
    if (isl_map_is_empty(m) != isl_bool_false || sum_is_neutral(g->op, x)) {
        isl_map_free(m);
        return;
    }
    bool parts = sum_operator(x) == g->op && x->nargs > 0;
    FlowAccess *r = x->kind == E_LOAD ? value_access(s, l, x) : NULL;
    if (r && (x->type != r->array->elem || (value_may_be_written(s, r) && is_of_other(g, r)))) r = NULL;
    if (g->ordered && !how.chain && (is_number(g, l, x, 0) || is_whole(g, r))) {
        g->kept |= parts || is_choice(x) || (r && value_may_be_written(s, r));
        add_term(g, (Added){l, x, NULL, NULL, how}, m);
        return;
    }
    how.direct = false;
    if (r) {
        add_way(g, r, m, how);
        return;
    }
    isl_set *on = is_choice(x) ? poly_cond(s->tree->flow->poly, l->ev->scope, x->args[0], NULL) : NULL;
    if (on) {
        isl_set *off = isl_set_complement(isl_set_copy(on));
        isl_map *yes = isl_map_intersect_range(isl_map_copy(m), on);
        add_expr(g, l, x->args[1], yes, how);
        add_expr(g, l, x->args[2], isl_map_intersect_range(m, off), how);
        return;
    }
    if (parts) {
        add_operands(g, l, x, m, how);
        return;
    }
    how.direct = how.first = how.chain;
    add_term(g, (Added){l, x, NULL, NULL, how}, m);
}

static isl_map *on(const isl_map *m, const isl_map *n) {
    return isl_map_apply_range(isl_map_copy((isl_map *)m), isl_map_copy((isl_map *)n));
}

static void expand(Adding *g, FlowAccess *r, isl_map *m, Manner how) {
    Side *s = g->s;
    flow_compute(s->tree, r);
    if (s->tree->flow->unknown) prove_unknown(s->proof, s->tree->flow->unknown);
    for (int i = 0; i < r->updates.n && !s->proof->unknown; i++) {
        const FlowAccess *w = r->updates.at[i].to;
        isl_map *u = on(m, r->updates.at[i].map);
        if (w->update == g->op || isl_map_is_empty(u) == isl_bool_true)
            add_expr(g, w->leaf, w->leaf->node->src, u, (Manner){.minus = how.minus, .direct = how.chain});
        else prove_unknown(s->proof, "a sum is updated by another operator"), isl_map_free(u);
    }
    for (int i = 0; i < r->bases.n && !s->proof->unknown; i++) {
        FlowLeaf *l = r->bases.at[i].to->leaf;
        add_expr(g, l, l->node->src, on(m, r->bases.at[i].map), (Manner){.minus = how.minus,
                .chain = how.chain});
    }
    isl_map *rest = isl_map_intersect_range(m, isl_set_copy(r->rest));
    how.direct = how.first = how.chain;
    add_term(g, (Added){r->leaf, NULL, r, NULL, how}, rest);
}

// The way that runs last, so that most others to what it finds have been met.
static int latest(const Adding *g) {
    int best = -1;
    for (int i = 0; i < g->ways.n; i++)
        if (g->ways.at[i].now &&
            (best < 0 || g->ways.at[i].r->leaf->ev->order > g->ways.at[best].r->leaf->ev->order))
            best = i;
    return best;
}

// [point, counters] → counters
static isl_map *to_counters(const isl_map *all) {
    return isl_map_flatten_domain(isl_map_range_map(isl_map_copy((isl_map *)all)));
}

static void tell_reach(Adding *g, Parts *out) {
    Arena *a = g->s->a;
    for (int i = 0; i < g->ways.n; i++) {
        const Way *w = &g->ways.at[i];
        isl_map *all = own_map(a, isl_map_copy(w->all));
        vec_push(a, &out->reached, ((Reach){w->r, false, w->r->leaf, NULL, w->how.minus, all}));
    }
    for (int i = 0; i < g->added.n; i++) {
        const Added *t = &g->added.at[i];
        isl_map *all = own_map(a, isl_map_copy(t->all));
        vec_push(a, &out->reached,
                 ((Reach){(FlowAccess *)t->rest, t->rest != NULL, t->leaf, t->x, t->how.minus, all}));
    }
}

// A number that somebody has written, or data.
static bool is_known(const Value *v) {
    bool known = v->kind != VALUE_NOTHING && v->kind != VALUE_SUM;
    for (int i = 0; i < v->nkids; i++) known &= is_known(v->kid[i]);
    return known;
}

// Is it what C makes of zeros alone: |0 - 0|, 0 * 0?
static bool is_of_zeros(const Value *v) {
    if (value_is_number(v, 0)) return true;
    bool op = v->kind == VALUE_OP && v->x->kind == E_OP;
    bool zero = op ? v->op == OP_ADD || v->op == OP_SUB || v->op == OP_NEG || v->op == OP_MUL
                   : v->kind == VALUE_OP &&
                         (v->x->kind == E_CAST || str_among(v->x->fn, "fabsf fabs abs sqrtf sqrt"));
    for (int i = 0; i < v->nkids; i++) zero &= is_of_zeros(v->kid[i]);
    return zero;
}

// Is it that, or a product with zero?
static bool is_zero(Prover *p, const Value *v) {
    if (is_of_zeros(v)) return true;
    if (v->kind != VALUE_OP || v->x->kind != E_OP || v->op != OP_MUL || v->nkids != 2) return false;
    bool x = is_of_zeros(v->kid[0]), y = is_of_zeros(v->kid[1]);
    bool zero = (x || y) && is_known(v->kid[x ? 1 : 0]);
    p->finite |= zero && type_is_float(v->type);
    return zero;
}

// Are these data at all the points of `at`, or the greatest of some?
static bool is_finite(Prover *p, const Value *v, isl_set *at) {
    if (v->kind == VALUE_INPUT || v->kind == VALUE_GATHER || v->kind == VALUE_INT) return true;
    if (v->kind != VALUE_SUM || (v->op != OP_MAX && v->op != OP_MIN)) return false;
    unsigned n = (unsigned)isl_set_dim(at, isl_dim_set);
    isl_set *left = isl_set_copy(at);
    bool finite = true;
    const Parts *parts = value_parts(p->a, v);
    for (int i = 0; i < parts->n; i++) {
        isl_set *s = isl_set_copy(parts->at[i].at);
        unsigned all = (unsigned)isl_set_dim(s, isl_dim_set);
        finite &= parts->at[i].v->kind == VALUE_INPUT;
        left = isl_set_subtract(left, isl_set_project_out(s, isl_dim_set, n, all - n));
    }
    finite &= isl_set_is_empty(left) == isl_bool_true;
    isl_set_free(left);
    return finite;
}

// Is it exp(-inf - x), with x a number? So are filled up what lies beyond a row.
static bool is_vanished(Prover *p, const Value *v, isl_set *at) {
    bool exp = v->kind == VALUE_OP && v->x->kind == E_CALL && str_among(v->x->fn, "expf exp exp2f exp2");
    const Value *less = exp ? v->kid[0] : NULL;
    if (!less || less->kind != VALUE_OP || less->x->kind != E_OP || less->op != OP_SUB || less->nkids != 2)
        return false;
    bool from = less->kid[0]->kind == VALUE_NUMBER && value_is_number(less->kid[0], -__builtin_inf());
    if (!from || !is_finite(p, less->kid[1], at)) return false;
    return p->finite = true;
}

static void finish(Adding *g, Parts *out) {
    Side *s = g->s;
    if (s->proof->certificate) tell_reach(g, out);
    for (int i = 0; i < g->added.n && !s->proof->unknown && !poly_tick(s->tree->flow->poly); i++) {
        Added *t = &g->added.at[i];
        isl_map *to = to_counters(t->all);
        Pieces pieces = {0};
        if (t->rest) {
            FlowAccess *r = (FlowAccess *)t->rest;
            value_untouched(s, r, isl_map_intersect_range(to, isl_set_copy(r->rest)), r->array->elem,
                            &pieces);
        } else {
            value_of_expr(s, t->leaf, t->x, to, &pieces);
        }
        for (int k = 0; k < pieces.n; k++) {
            const Value *v = pieces.at[k].v;
            if (g->op == OP_SELECT && !value_is_place(v))
                prove_unknown(s->proof, "the value that a place belongs to is not known");
            if (v->kind == VALUE_NUMBER && sum_is_neutral(g->op, v->x)) continue;
            if (g->op == OP_ADD && is_zero(s->proof, v)) continue; // beyond the edge of a tile of zeros
            if (g->op == OP_ADD && is_vanished(s->proof, v, pieces.at[k].at)) continue;
            Part part = {t->leaf, pieces.at[k].at, v, t->how.minus, t->how.direct, t->how.first, t->how.rank,
                         g->ways.n + i};
            vec_push(s->a, out, part);
        }
    }
    for (int i = 0; i < g->added.n; i++) isl_map_free(g->added.at[i].all);
    for (int i = 0; i < g->ways.n; i++) isl_map_free(g->ways.at[i].all), isl_map_free(g->ways.at[i].now);
}

static void run_ways(Adding *g) {
    Prover *p = g->s->proof;
    for (int k, round = 0; !p->unknown && (k = latest(g)) >= 0; round++) {
        if (round > MOST_ROUNDS) prove_unknown(p, "a value comes back to where it was, again and again");
        if (poly_tick(g->s->tree->flow->poly)) break;
        Way w = g->ways.at[k];
        g->ways.at[k].now = NULL;
        expand(g, w.r, w.now, w.how);
    }
}

bool sum_has_accumulator(Side *s, FlowLeaf *l, const Expr *x) {
    Adding g = {.s = s, .op = sum_operator(x)};
    return g.op == OP_SELECT || (g.op != OP_SET && !is_number(&g, l, x, 0));
}

bool sum_of_read(Side *s, Op op, bool ordered, FlowAccess *r, isl_map *m, Parts *out) {
    Adding g = {.s = s, .op = op, .ordered = ordered};
    add_way(&g, r, m, (Manner){.chain = true});
    run_ways(&g);
    finish(&g, out);
    return g.kept;
}

bool sum_of_expr(Side *s, Op op, bool ordered, FlowLeaf *l, Expr *x, isl_map *m, Parts *out) {
    Adding g = {.s = s, .op = op, .ordered = ordered};
    add_expr(&g, l, x, m, (Manner){.chain = true});
    run_ways(&g);
    finish(&g, out);
    return g.kept;
}
