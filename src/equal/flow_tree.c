// SPDX-License-Identifier: MIT
// flow_tree.c -- a tree of copies as the proof looks at it.
//
//   if (mask[i]) y[i] = x[i]         y[i] = mask[i] ? x[i] : y[i]
//   s = s + x                        s += x
//   barrier                          a copy to `barrier`
//
// What data decide is a choice, what has several spellings has one. Runs take the trees as they are.
#include "equal/pair.h"
#include "front/normal.h"
#include <math.h>

enum { MOST_COPIES = 8 }; // of one branch, which both set

typedef struct Flowing {
    Pair *p;
    Arena *a;
    const Node *root; // the tree at hand
    int fresh;
} Flowing;

// The operator that x is one of, as an update would be.
Op sum_operator(const Expr *x) {
    if (x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB || x->op == OP_NEG)) return OP_ADD;
    if (x->kind == E_OP && (x->op == OP_MUL || x->op == OP_MIN || x->op == OP_MAX || x->op == OP_AND ||
                            x->op == OP_OR || x->op == OP_XOR))
        return x->op;
    if (x->kind == E_CALL && str_eq(x->fn, EQUAL_BETTER)) return OP_SELECT;
    if (x->kind == E_CALL && str_among(x->fn, "fmaxf fmax")) return OP_MAX;
    if (x->kind == E_CALL && str_among(x->fn, "fminf fmin")) return OP_MIN;
    return OP_SET;
}

static bool is_private(const Array *v) { return v->place == PLACE_LOCAL && !v->rank; }

bool is_own(const Array *v) {
    return is_private(v) || (v->place == PLACE_REGISTER && v->rank == v->digits);
}

// ---- for the flow -----------------------------------------------------------------------------------
static bool is_load(const Expr *x) { return x->kind == E_LOAD; }

// What changes nothing when it is added, or whatever op does; NULL: there is no such number.
static Expr *neutral(Arena *a, Op op, Type t) {
    bool real = type_is_float(t);
    double v = op == OP_MUL ? 1 : op == OP_MAX ? -__builtin_inf() : op == OP_MIN ? __builtin_inf() : 0;
    if (op != OP_ADD && op != OP_MUL && op != OP_OR && op != OP_XOR && !(real && (op == OP_MAX ||
            op == OP_MIN)))
        return NULL;
    return real ? expr_float(a, t, v) : expr_int(a, t, (int64_t)v);
}

// The only copy, an update as one that reads the element and sets it; NULL: n is something else.
static const Node *only_copy(Arena *a, const Node *n) {
    if (n->kind != N_COPY || !n->dst || n->atomic) return NULL;
    if (n->op == OP_SET) return n;
    Node *m = node_clone(a, n);
    m->src = expr_updated(a, n->op, expr_load(a, n->dst, n->sub), n->src);
    m->op = OP_SET;
    return m;
}

// if (cond) d = x; else d = y;  is  d = cond ? x : y, and so on where one of both is such a choice itself, or
// leaves d alone. NULL: it sets something else, too.
static const Node *either(Arena *a, const Node *n) {
    while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
    if (!n || n->kind != N_IF) return n ? only_copy(a, n) : NULL;
    const Node *x = either(a, n->then), *y = n->other ? either(a, n->other) : x;
    if (!x || !y || x->dst != y->dst) return NULL;
    for (int d = 0; d < x->dst->rank; d++)
        if (!expr_equal(x->sub[d], y->sub[d])) return NULL;
    Node *m = node_clone(a, x);
    Expr *other = n->other ? y->src : expr_load(a, x->dst, x->sub);
    m->src =
        expr_op(a, OP_SELECT, n->cond, expr_cast(a, x->dst->elem, x->src), expr_cast(a, x->dst->elem, other));
    return m;
}

static Node *choice(Flowing *g, Expr *cond, bool held, Node *n);

typedef struct Copies {
    const Node *at[MOST_COPIES];
    int n;
} Copies;

// The copies of n, if they are all that it does.
static bool only_copies(const Node *n, Copies *out) {
    bool seq = n->kind == N_SEQ && !n->nlocals;
    for (int i = 0; seq && i < n->nkids; i++)
        if (!only_copies(n->kids[i], out)) return false;
    if (seq) return true;
    if (n->kind != N_COPY || !n->dst || n->op != OP_SET || n->atomic || out->n == MOST_COPIES) return false;
    out->at[out->n++] = n;
    return true;
}

static bool reads_any(const Node *n, const Copies *of) {
    for (int i = 0; i < of->n; i++) {
        if (expr_reads(n->src, of->at[i]->dst)) return true;
        for (int d = 0; d < n->dst->rank; d++)
            if (expr_reads(n->sub[d], of->at[i]->dst)) return true;
    }
    return false;
}

// Both ways set the same elements, as a function does that gives back one of two records: d = cond ? x : y.
static Node *both_ways(Flowing *g, const Node *n) {
    Copies x = {0}, y = {0};
    if (!only_copies(n->then, &x) || !only_copies(n->other, &y) || x.n != y.n) return NULL;
    for (int i = 0; i < x.n; i++) {
        if (x.at[i]->dst != y.at[i]->dst || reads_any(x.at[i], &x) || reads_any(y.at[i], &x)) return NULL;
        for (int d = 0; d < x.at[i]->dst->rank; d++)
            if (!expr_equal(x.at[i]->sub[d], y.at[i]->sub[d])) return NULL;
    }
    Array *w = array_new(g->a, arena_printf(g->a, "when_%d", ++g->fresh), n->cond->type, PLACE_LOCAL, 0);
    Node *kids[MOST_COPIES + 1] = {node_copy(g->a, w, NULL, OP_SET, n->cond)};
    kids[0]->loc = n->loc;
    for (int i = 0; i < x.n; i++) {
        const Array *d = x.at[i]->dst;
        Node *m = kids[i + 1] = node_clone(g->a, x.at[i]);
        m->src = expr_op(g->a, OP_SELECT, expr_load(g->a, w, NULL), expr_cast(g->a, d->elem, x.at[i]->src),
                         expr_cast(g->a, d->elem, y.at[i]->src));
    }
    const Array *local = w;
    return seq_declare_all(g->a, node_seq(g->a, x.n + 1, kids), 1, &local);
}

// What n does under x, with x kept where n may change it; NULL: that is not told.
static Node *kept_choice(Flowing *g, Expr *x, Node *n, Node **keep, const Array **when) {
    Array *w = array_new(g->a, arena_printf(g->a, "when_%d", ++g->fresh), x->type, PLACE_LOCAL, 0);
    *when = w;
    *keep = node_copy(g->a, w, NULL, OP_SET, x);
    (*keep)->loc = n->loc;
    return choice(g, expr_load(g->a, w, NULL), true, n);
}

// Both ways of n, a condition of the data, where cond holds (NULL: always).
static Node *kept_if(Flowing *g, Expr *cond, const Node *n) {
    Node *kids[4];
    const Array *when[2];
    int ways = n->other ? 2 : 1;
    for (int i = 0; i < ways; i++) {
        Expr *x = i ? expr_op(g->a, OP_LNOT, n->cond, NULL, NULL) : n->cond;
        if (cond) x = expr_op(g->a, OP_SELECT, cond, x, expr_int(g->a, x->type, 0));
        if (!(kids[ways + i] = kept_choice(g, x, i ? n->other : n->then, &kids[i], &when[i]))) return NULL;
    }
    return seq_declare_all(g->a, node_seq(g->a, 2 * ways, kids), ways, when);
}

// { dst = src } under a condition of the data is dst = cond ? src : dst. held: what n writes does not change
// it.
static Node *choice(Flowing *g, Expr *cond, bool held, Node *n) {
    if (!n) return NULL;
    Node *m = node_clone(g->a, n);
    bool stable =
        held || equal_is_stable(g->root, cond); // else a second one might see what the first wrote
    if (n->kind == N_SEQ) {
        m->kids = NEW_N(g->a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++)
            if (!(m->kids[i] = choice(g, cond, held, n->kids[i]))) return NULL;
        return n->nkids == 1 || stable ? m : NULL;
    }
    if (n->kind == N_FOR && !is_parallel(n) && stable && !expr_any(n->lo, is_load) &&
        !expr_any(n->hi, is_load))
        return (m->body = choice(g, cond, held, n->body)) ? m : NULL;
    if (n->kind == N_IF && stable && expr_any(n->cond, is_load)) return kept_if(g, cond, n);
    if (n->kind == N_IF && stable) {
        m->other = n->other ? choice(g, cond, held, n->other) : NULL;
        return (m->then = choice(g, cond, held, n->then)) && !m->other == !n->other ? m : NULL;
    }
    if (n->kind != N_COPY || !n->dst) return NULL;
    Expr *none = neutral(g->a, n->op, n->dst->elem);
    if (none) { // an update by nothing
        m->src = expr_op(g->a, OP_SELECT, cond, expr_cast(g->a, n->dst->elem, n->src), none);
        return m;
    }
    if (n->atomic) return NULL;
    Expr *old = expr_load(g->a, n->dst, n->sub);
    m->src = expr_op(g->a, OP_SELECT, cond, n->op == OP_SET ? n->src : expr_updated(g->a, n->op, old, n->src),
                     old);
    m->op = OP_SET;
    return m;
}

// The same, with the condition kept where n changes it.
static Node *choice_of(Flowing *g, Expr *cond, Node *n) {
    Node *m = choice(g, cond, false, n);
    if (m || !n || n->kind != N_SEQ) return m;
    Node *keep;
    const Array *when;
    m = kept_choice(g, cond, n, &keep, &when);
    return m ? seq_declare_all(g->a, node_seq(g->a, 2, (Node *[]){keep, m}), 1, &when) : NULL;
}

static Node *for_flow(Node *n, void *arg);

static Node *for_flow_of_if(Node *n, Flowing *g) {
    bool data = expr_any(n->cond, is_load); // both are: as one
    if (!data) return node_map(g->a, n, for_flow, g);
    Node *m = choice_of(g, expr_op(g->a, OP_LAND, n->cond, n->then->cond, NULL), n->then->then);
    return m ? m : node_map(g->a, n, for_flow, g);
}

static Node *for_flow(Node *n, void *arg) {
    Flowing *g = arg;
    if (n->kind == N_BARRIER) {
        int kind = n->alone ? n->pending : n->warp ? BARRIER_WARP : BARRIER_BLOCK - n->unfenced;
        Node *m = node_copy(g->a, g->p->barrier, NULL, OP_SET, expr_int(g->a, T_I32, kind));
        m->loc = n->loc;
        return m;
    }
    if (n->kind == N_IF && !n->other && n->cond->kind == E_OP && n->cond->op == OP_LAND &&
        expr_any(n->cond, is_load)) { // what data do not decide stays a condition
        bool first = expr_any(n->cond->args[0], is_load);
        Node *outer = node_clone(g->a, n), *inner = node_clone(g->a, n);
        outer->cond = n->cond->args[first ? 1 : 0], inner->cond = n->cond->args[first ? 0 : 1];
        outer->then = inner;
        return for_flow_of_if(outer, g);
    }
    if (n->kind == N_IF && !n->other && expr_any(n->cond, is_load)) {
        Node *m = choice_of(g, n->cond, n->then);
        if (m) return m;
    }
    if (n->kind == N_IF && n->other && expr_any(n->cond, is_load)) {
        Node *m = (Node *)either(g->a, n);
        if (m || (m = both_ways(g, n)) || (m = kept_if(g, NULL, n))) return m;
    }
    return node_map(g->a, n, for_flow, arg);
}

// An update by another operator than the innermost of its array, since that was last set, reads the element
// and sets it.
typedef struct Ops {
    Arena *a;
    const Node *of; // the update
    int depth, kept_depth;
    Op kept;
    bool seen, done; // it; the end of what it stands among
} Ops;

static void find_op(const Node *n, Ops *o) {
    if (!n || o->done) return;
    const Array *v = o->of->dst;
    bool ours = n->kind == N_COPY && n->dst == v;
    if (ours && n->op == OP_SET && !expr_reads(n->src, v)) { // for something else from here on
        o->done = o->seen;
        if (!o->seen) o->kept_depth = -1;
    }
    bool deeper = o->depth > o->kept_depth || (o->depth == o->kept_depth && o->kept == OP_MUL);
    if (ours && n->op != OP_SET && deeper) o->kept = n->op, o->kept_depth = o->depth;
    o->seen |= n == o->of;
    o->depth += n->kind == N_FOR && (!is_parallel(n) || v->place == PLACE_USER);
    for (int i = 0; i < n->nkids; i++) find_op(n->kids[i], o);
    find_op(n->body, o);
    find_op(n->then, o);
    find_op(n->other, o);
    o->depth -= n->kind == N_FOR && (!is_parallel(n) || v->place == PLACE_USER);
}

typedef struct Plain {
    Arena *a;
    const Node *root;
} Plain;

// -x, as x; NULL: it is no such.
static Expr *turned(Arena *a, Expr *x) {
    if (!type_is_float(x->type)) return NULL;
    if (x->kind == E_OP && x->op == OP_NEG) return x->args[0];
    return x->kind == E_FLOAT && __builtin_signbit(x->f) && x->f != 0 ? expr_float(a, x->type, -x->f) : NULL;
}

static Expr *minus(Arena *a, Expr *x) { return expr_op(a, OP_NEG, x, NULL, NULL); }

// Signs stand outside of products and become differences: that changes no bit.
static Expr *signs(Arena *a, Expr *x) {
    bool float_op = x->kind == E_OP && type_is_float(x->type) && x->nargs == 2;
    if (x->kind == E_OP && x->op == OP_NEG && turned(a, x->args[0])) return turned(a, x->args[0]);
    Expr *l = float_op ? turned(a, x->args[0]) : NULL, *r = float_op ? turned(a, x->args[1]) : NULL;
    if (!l && !r) return x;
    Expr *y = l ? l : x->args[0], *z = r ? r : x->args[1];
    if (x->op == OP_MUL || x->op == OP_DIV)
        return l && r ? expr_op(a, x->op, y, z, NULL) : minus(a, expr_op(a, x->op, y, z, NULL));
    if (x->op == OP_SUB && r) return expr_op(a, OP_ADD, x->args[0], z, NULL);
    if (x->op == OP_ADD && r) return expr_op(a, OP_SUB, x->args[0], z, NULL);
    return x->op == OP_ADD ? expr_op(a, OP_SUB, z, y, NULL) : x;
}

// Of whole numbers, 2 * (x - y) is 2 * x - 2 * y.
static Expr *distributed(Arena *a, Expr *x) {
    for (int k = 0; x->kind == E_OP && x->op == OP_MUL && type_is_int(x->type) && k < 2; k++) {
        Expr *c = x->args[k], *y = x->args[1 - k], *z[2] = {NULL, NULL};
        bool sum = y->kind == E_OP && (y->op == OP_ADD || y->op == OP_SUB || y->op == OP_NEG);
        if (c->kind != E_INT || !sum || y->type != x->type || c->type != x->type) continue;
        for (int i = 0; i < y->nargs; i++) z[i] = distributed(a, expr_op(a, OP_MUL, c, y->args[i], NULL));
        return expr_op(a, y->op, z[0], z[1], NULL);
    }
    return x;
}

static bool is_truth(const Expr *x) {
    bool compares = x->kind == E_OP && ((x->op >= OP_LT && x->op <= OP_NE) || x->op == OP_LAND ||
                                        x->op == OP_LOR ||
                                        x->op == OP_LNOT);
    return compares;
}

// x > y ? x : y, but for NaN
static Expr *extreme(Arena *a, Expr *x) {
    const Expr *c = x->args[0];
    bool less = c->kind == E_OP && (c->op == OP_LT || c->op == OP_LE);
    bool more = c->kind == E_OP && (c->op == OP_GT || c->op == OP_GE);
    if (!less && !more) return x;
    bool same = expr_equal(c->args[0], x->args[1]) && expr_equal(c->args[1], x->args[2]);
    bool other = expr_equal(c->args[1], x->args[1]) && expr_equal(c->args[0], x->args[2]);
    if (!same && !other) return x;
    return expr_op(a, more == same ? OP_MAX : OP_MIN, x->args[1], x->args[2], NULL);
}

static bool is_number(const Expr *x, double *v) {
    *v = x->kind == E_INT ? (double)x->i : x->f;
    return x->kind == E_INT || x->kind == E_FLOAT;
}

// Is m the least of x and a number (op OP_MIN), or the greatest? *x: that, *v: the number. NULL: it is none.
static Expr *bounded(const Expr *m, Op op, Expr **x, double *v) {
    for (int k = 0; m->kind == E_OP && m->op == op && k < 2; k++)
        if (is_number(m->args[k], v)) return *x = m->args[1 - k], m->args[k];
    return NULL;
}

// With numbers lo <= hi: x < lo ? lo : min(x, hi) is max(lo, min(x, hi)), x > hi ? hi : max(x, lo) is
// min(hi, max(x, lo)), and that is max(lo, min(x, hi)).
static Expr *clamp(Arena *a, Expr *x) {
    Expr *of, *c = x->args[0];
    double end, other;
    if (x->op == OP_SELECT && c->kind == E_OP && c->op >= OP_LT && c->op <= OP_GE)
        for (int way = 1; way <= 2; way++) { // where the number stands
            Expr *is = x->args[way];
            bool more = c->op == OP_GT || c->op == OP_GE, low = more == (way == 2);
            Op op = low ? OP_MIN : OP_MAX;
            if (!is_number(is, &end) || !bounded(x->args[3 - way], op, &of, &other)) continue;
            if (low ? end > other : end < other) continue;
            if (!expr_equal(c->args[0], of) || !expr_equal(c->args[1], is)) continue;
            return clamp(a, expr_op(a, low ? OP_MAX : OP_MIN, is, x->args[3 - way], NULL));
        }
    Expr *hi = bounded(x, OP_MIN, &of, &end), *lo = hi ? bounded(of, OP_MAX, &of, &other) : NULL;
    return lo && other <= end ? expr_op(a, OP_MAX, lo, expr_op(a, OP_MIN, of, hi, NULL), NULL) : x;
}

static bool is_zero(const Expr *x) { return x->kind == E_INT && x->i == 0; }

// What a whole number was before it was made one of more bits, of type t; NULL: it was none.
static Expr *before_cast(Arena *a, Expr *x, Type t) {
    if (x->kind == E_CAST && x->args[0]->type == t) return x->args[0];
    int64_t all = (int64_t)1 << 8 * type_size(t), lo = type_is_signed(t) ? -all / 2 : 0;
    bool fits = x->kind == E_INT && x->i >= lo && x->i < lo + all;
    return fits ? expr_int(a, t, x->i) : NULL;
}

// Bytes that are made ints to be compared, or of which one is chosen and made a byte again, stay bytes.
static Expr *narrow(Arena *a, Expr *x) {
    bool compares = x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE;
    const Expr *of = compares ? x : x->kind == E_CAST ? x->args[0] : NULL;
    bool chooses = of && of->kind == E_OP && (of->op == OP_MIN || of->op == OP_MAX || of->op == OP_SELECT);
    if (!compares && !chooses) return x;
    int from = of->op == OP_SELECT;
    Expr *l = of->args[from], *r = of->args[from + 1];
    Type t = !compares ? x->type : l->kind == E_CAST ? l->args[0]->type : r->kind == E_CAST ? r->args[0]->type
                                                                                          : T_I32;
    bool small = type_is_int(t) && t != T_BOOL && type_size(t) <= 2;
    if (!small || !type_is_int(l->type) || type_size(l->type) < 4) return x;
    if (!type_is_signed(l->type) && type_is_signed(t)) return x; // -1 is the largest there
    l = before_cast(a, l, t), r = before_cast(a, r, t);
    if (!l || !r) return x;
    return from ? expr_op(a, OP_SELECT, of->args[0], l, r) : expr_op(a, of->op, l, r, NULL);
}

// Is every value of type t one of type u?
static bool holds_all(Type u, Type t) {
    bool whole = type_is_int(t) && type_is_int(u) && t != T_BOOL && u != T_BOOL;
    int more = type_size(u) - type_size(t);
    return whole && (type_is_signed(u) == type_is_signed(t) ? more >= 0 : type_is_signed(u) && more > 0);
}

// A whole number made a float is the same whatever held it; where it is no count, none is less than zero.
static Expr *whole(Arena *a, Expr *x) {
    bool real = x->kind == E_CAST && type_is_float(x->type) && x->args[0]->kind == E_CAST;
    if (real && holds_all(x->args[0]->type, x->args[0]->args[0]->type))
        return whole(a, expr_cast(a, x->type, x->args[0]->args[0]));
    bool choice = x->kind == E_OP && x->op == OP_SELECT && type_is_int(x->type) && is_zero(x->args[2]);
    const Expr *c = choice ? x->args[0] : NULL; // x != 0 ? x : 0
    bool not = c && c->kind == E_OP && (c->op == OP_NE || (c->op == OP_GT && !type_is_signed(x->type)));
    return not && expr_equal(c->args[0], x->args[1]) && is_zero(c->args[1]) ? x->args[1] : x;
}

// One spelling of what has several: (x < y) != 0 is x < y.
static Expr *plain_expr(Expr *x, void *arg) {
    Arena *a = arg;
    Expr *y = x ? expr_map(a, x, plain_expr, arg) : NULL;
    if (!y) return NULL;
    if (y->kind == E_CAST && type_is_float(y->type) && y->args[0]->kind == E_FLOAT) // 0.2 as a float
        return expr_float(a, y->type, y->type == T_F32 ? (double)(float)y->args[0]->f : y->args[0]->f);
    if (y->kind == E_CALL && type_is_float(y->type) && y->nargs == 2 && str_among(y->fn,
            "fmaxf fmax fminf fmin"))
        y = expr_op(a, y->fn[2] == 'a' ? OP_MAX : OP_MIN, y->args[0], y->args[1], NULL);
    y = narrow(a, whole(a, y));
    if (y->kind == E_OP && y->op == OP_LAND) y = equal_conjuncts(a, y);
    if (y->kind == E_OP && y->op == OP_SELECT) y = extreme(a, y);
    if (y->kind == E_OP && (y->op == OP_SELECT || y->op == OP_MIN)) y = clamp(a, y);
    for (int k = 0; y->kind == E_OP && y->op == OP_NE && y->nargs == 2 && k < 2; k++) {
        Expr *z = y->args[k];
        while (z->kind == E_CAST && type_is_int(z->type)) z = z->args[0];
        if (is_truth(z) && is_zero(y->args[1 - k])) return z;
    }
    return signs(a, distributed(a, y));
}

// A whole number compared with a literal float is compared with the next whole number: t < 8.5f is t < 9.
static Expr *compared(Arena *a, Expr *x) {
    bool compares = x->kind == E_OP && x->op >= OP_LT && x->op <= OP_GE;
    for (int k = 0; compares && k < 2; k++) {
        const Expr *n = x->args[k], *c = x->args[1 - k];
        bool fits = c->kind == E_FLOAT && fabs(c->f) < 0x1p24; // as a float has it exactly
        if (!fits || n->kind != E_CAST || !type_is_int(n->args[0]->type) || type_size(n->args[0]->type) < 4)
            continue;
        Op op = k ? op_mirrored(x->op) : x->op;
        double end = op == OP_LT || op == OP_GE ? ceil(c->f) : floor(c->f);
        if (end >= 0 || type_is_signed(n->args[0]->type))
            return expr_op(a, op, n->args[0], expr_int(a, n->args[0]->type, (int64_t)end), NULL);
    }
    return x;
}

// A bit of a whole number of counters that is turned or picked, as a digit: x ^ 4 is made of x / 8,
// (x / 4 + 1) % 2 and x % 4; x & 4 is 4 * (x / 4 % 2).
static Expr *bit(Arena *a, Expr *x) {
    bool turns = x->kind == E_OP && x->op == OP_XOR, picks = x->kind == E_OP && x->op == OP_AND;
    for (int k = 0; (turns || picks) && k < 2; k++) {
        const Expr *c = x->args[k];
        bool one = c->kind == E_INT && c->i > picks && c->i < 1 << 29 && !(c->i & (c->i - 1));
        if (!one || expr_any(x->args[1 - k], is_load)) continue;
        Expr *of = x->args[1 - k], *by = expr_int(a, x->type, c->i), *two = expr_int(a, x->type, 2);
        Expr *q = expr_op(a, OP_FDIV, of, by, NULL);
        if (turns) q = expr_add(a, q, expr_int(a, x->type, 1));
        Expr *is = expr_mul(a, expr_op(a, OP_FMOD, q, two, NULL), by);
        if (!turns) return is;
        Expr *twice = expr_int(a, x->type, 2 * c->i), *low = expr_op(a, OP_FMOD, of, by, NULL);
        Expr *high = expr_mul(a, expr_op(a, OP_FDIV, of, twice, NULL), twice);
        return expr_add(a, high, expr_add(a, is, low));
    }
    return x;
}

static Expr *positive(Expr *x, void *arg);

// x == y, of two conditions: both hold, or none of them.
static Expr *agreed(Arena *a, Expr *x) {
    bool same = x->kind == E_OP && x->op == OP_EQ, both = same || (x->kind == E_OP && x->op == OP_NE);
    if (!both || !is_truth(x->args[0]) || !is_truth(x->args[1])) return x;
    Expr *l = x->args[0], *r = x->args[1], *not = positive(expr_op(a, OP_LNOT, r, NULL, NULL), a);
    Expr *left = positive(expr_op(a, OP_LNOT, l, NULL, NULL), a);
    return expr_op(a, OP_LOR, expr_op(a, OP_LAND, l, same ? r : not, NULL),
                   expr_op(a, OP_LAND, left, same ? not : r, NULL), NULL);
}

// No denial stands around comparisons of whole numbers: !(i >= n || j >= m) is i < n && j < m.
static Expr *positive(Expr *x, void *arg) {
    Arena *a = arg;
    Expr *y = x ? agreed(a, bit(a, compared(a, expr_map(a, x, positive, arg)))) : NULL;
    bool shift = y && y->kind == E_OP && y->op == OP_SHR && y->args[1]->kind == E_INT && y->args[1]->i >= 0;
    if (shift && y->args[1]->i < 31) { // of bits: a quotient
        Expr *by = expr_int(a, y->args[0]->type, (int64_t)1 << y->args[1]->i);
        return expr_op(a, OP_FDIV, y->args[0], by, NULL);
    }
    Expr *z = y && y->kind == E_OP && y->op == OP_LNOT ? y->args[0] : NULL;
    if (!z || z->kind != E_OP) return y;
    bool both = z->op == OP_LAND || z->op == OP_LOR;
    bool whole = z->nargs == 2 && type_is_int(z->args[0]->type);
    if (z->op == OP_LNOT && is_truth(z->args[0])) return z->args[0];
    if (both) {
        Expr *l = positive(expr_op(a, OP_LNOT, z->args[0], NULL, NULL), arg);
        return expr_op(a, z->op == OP_LAND ? OP_LOR : OP_LAND, l,
                       positive(expr_op(a, OP_LNOT, z->args[1], NULL, NULL), arg), NULL);
    }
    static const Op not[] = {OP_LT, OP_GE, OP_LE, OP_GT, OP_EQ, OP_NE};
    for (int i = 0; whole && i < 6; i++)
        if (z->op == not[i]) return expr_op(a, not[i ^ 1], z->args[0], z->args[1], NULL);
    return y;
}

static Node *positive_all(Node *n, void *arg) {
    return node_map_exprs(arg, node_map(arg, n, positive_all, arg), positive, arg);
}

static bool is_element(const Expr *x, const Node *n) {
    if (x->kind != E_LOAD || x->array != n->dst) return false;
    for (int d = 0; d < n->dst->rank; d++)
        if (!expr_equal(x->args[d], n->sub[d])) return false;
    return true;
}

// Does x read the element that n sets, as far as can be told?
static bool may_read(Arena *a, const Expr *x, const Node *n) {
    expr_each(y, x) {
        if (y->kind != E_LOAD || y->array != n->dst) continue;
        bool other = false;
        int64_t d = 0;
        for (int i = 0; i < y->nargs; i++) other |= expr_difference(a, y->args[i], n->sub[i], &d) && d != 0;
        if (!other) return true;
    }
    return false;
}

// d = d + e, d = max(d, e) and the like as updates.
static Node *as_update(Arena *a, Node *n) {
    Op op = n->op == OP_SET && n->src->type == n->dst->elem ? sum_operator(n->src) : OP_SET;
    if (op == OP_SET || n->src->nargs != 2) return n;
    bool less = n->src->kind == E_OP && n->src->op == OP_SUB;
    for (int k = 0; k < (less ? 1 : 2); k++) {
        if (!is_element(n->src->args[k], n) || may_read(a, n->src->args[1 - k], n)) continue;
        Node *m = node_clone(a, n);
        m->op = op;
        m->src = n->src->args[1 - k];
        if (less) m->src = expr_op(a, OP_NEG, m->src, NULL, NULL);
        return m;
    }
    return n;
}

// v = max(v, lo); v = min(v, hi)  with numbers lo <= hi is  v = min(v, hi); v = max(v, lo), as in clamp.
static void clamps(Arena *a, Node *seq) {
    for (int i = 0; i + 1 < seq->nkids; i++) {
        Node *x = seq->kids[i], *y = seq->kids[i + 1];
        double lo, hi;
        if (x->kind != N_COPY || y->kind != N_COPY || !x->dst || x->dst != y->dst) continue;
        if (!is_private(x->dst) || y->op != OP_MIN || !is_number(y->src, &hi)) continue;
        Expr *of, *low = x->op == OP_SET ? bounded(x->src, OP_MAX, &of, &lo) : NULL;
        if (low && lo <= hi) { // v = max(x, lo)
            Node *m = seq->kids[i] = node_clone(a, x);
            m->src = expr_op(a, OP_MIN, of, y->src, NULL);
            m = seq->kids[i + 1] = node_clone(a, y);
            m->op = OP_MAX, m->src = low;
        } else if (x->op == OP_MAX && is_number(x->src, &lo) && lo <= hi) {
            seq->kids[i] = y, seq->kids[i + 1] = x;
        }
    }
}

static Node *plain_copies(Node *n, void *arg) {
    Arena *a = arg;
    Node *m = node_map_exprs(a, node_map(a, n, plain_copies, arg), plain_expr, arg);
    if (m->kind == N_SEQ) clamps(a, m);
    if (m->kind != N_COPY || !m->dst) return m;
    if (m->op == OP_SET) m->src = expr_cast(a, m->dst->elem, m->src);
    return as_update(a, m);
}

static Node *one_operator(Node *n, void *arg) {
    Plain *g = arg;
    if (n->kind != N_COPY || !n->dst || n->op == OP_SET || n->atomic) return node_map(g->a, n, one_operator,
            arg);
    Ops o = {.a = g->a, .of = n, .kept_depth = -1, .kept = OP_SET};
    find_op(g->root, &o);
    if (o.kept == n->op) return n;
    Node *m = node_clone(g->a, n);
    m->src = expr_updated(g->a, n->op, expr_load(g->a, n->dst, n->sub), n->src);
    m->op = OP_SET;
    return m;
}

// Copies that the flow sees must be nodes of their own.
static Node *unshare(Node *n, void *arg) { return node_map(arg, n, unshare, arg); }

// Values that a thread keeps for a while, put where they are used next.
//
//   t = s + x;  s = t   →   t = s + x;  s = s + x
//
// What is read is private, too, and has not changed meanwhile.
typedef struct Kept {
    const Array *of;
    Expr *value;
} Kept;

typedef struct Keeping {
    Arena *a;
    VEC(Kept) kept;
} Keeping;

enum { MOST_KEPT = 12 }; // nodes of a value

// Is it short, and made of what is a thread's own?
static bool may_keep(const Expr *value) {
    int left = MOST_KEPT;
    expr_each(x, value)
        if (--left == 0 || x->kind == E_CALL || (x->kind == E_LOAD && !is_own(x->array))) return false;
    return true;
}

static Expr *put_kept(Expr *x, void *arg) {
    Keeping *g = arg;
    if (!x) return NULL;
    for (int i = 0; i < g->kept.n && x->kind == E_LOAD; i++)
        if (g->kept.at[i].of == x->array) return g->kept.at[i].value;
    return expr_map(g->a, x, put_kept, arg);
}

static void drop_kept(Keeping *g, const Array *v) {
    int n = 0;
    for (int i = 0; i < g->kept.n; i++)
        if (g->kept.at[i].of != v && !expr_reads(g->kept.at[i].value, v)) g->kept.at[n++] = g->kept.at[i];
    g->kept.n = n;
}

static Node *with_kept(Node *n, void *arg) {
    Keeping *g = arg;
    if (n->kind == N_SEQ) {
        Node *m = node_map(g->a, n, with_kept, arg);
        for (int i = 0; i < n->nlocals; i++) drop_kept(g, n->locals[i]); // its scope ends
        return m;
    }
    if (n->kind != N_COPY || !n->dst) {
        g->kept.n = 0;
        Node *m = node_map(g->a, n, with_kept, arg);
        g->kept.n = 0;
        return m;
    }
    Node *m = node_clone(g->a, n);
    m->src = put_kept(n->src, g);
    drop_kept(g, n->dst);
    bool keeps = may_keep(m->src) && is_private(n->dst) && n->op == OP_SET && !n->atomic && !n->async;
    if (keeps && m->src->type == n->dst->elem && !expr_reads(m->src, n->dst))
        vec_push(g->a, &g->kept, ((Kept){n->dst, m->src}));
    return m;
}

// A number that a function takes, adds to, and gives back, is the caller's own meanwhile.
//
//   s = a;  s += x * y;  a = s   →   a += x * y
typedef struct Lent {
    Arena *a;
    const Array *from, *to; // s, a
    Expr **sub; // of a
    int seen; // accesses of s…
    bool other; // …and whether a is touched
} Lent;

static void see_lent(Lent *l, const Node *root) {
    AccessVec all = tree_touches(l->a, root);
    for (int i = 0; i < all.n; i++) {
        l->seen += all.at[i].array == l->from;
        l->other |= all.at[i].array == l->to;
    }
}

static Expr *lent_expr(Expr *x, void *arg) {
    Lent *l = arg;
    if (x && x->kind == E_LOAD && x->array == l->from) return expr_load(l->a, l->to, l->sub);
    return x ? expr_map(l->a, x, lent_expr, arg) : NULL;
}

static Node *lent_node(Node *n, void *arg) {
    Lent *l = arg;
    Node *m = node_map_exprs(l->a, node_map(l->a, n, lent_node, arg), lent_expr, arg);
    if (m->kind == N_COPY && m->dst == l->from) m->dst = l->to, m->sub = l->sub;
    return m;
}

// Is n `to = from`, both a thread's own?
static bool moves(const Node *n, bool back, Lent *l) {
    if (n->kind != N_COPY || !n->dst || n->op != OP_SET || n->src->kind != E_LOAD) return false;
    const Array *x = back ? n->src->array : n->dst, *y = back ? n->dst : n->src->array;
    Expr **sub = back ? n->sub : n->src->args;
    if (l->from) {
        bool same = x == l->from && y == l->to;
        for (int d = 0; same && d < y->rank; d++) same = expr_equal(sub[d], l->sub[d]);
        return same;
    }
    l->from = x, l->to = y, l->sub = sub;
    return is_private(x) && is_own(y) && x != y && x->elem == y->elem;
}

static Node *lent(Node *n, void *arg) {
    Flowing *g = arg;
    Node *m = node_map(g->a, n, lent, arg);
    for (int k = 0; m->kind == N_SEQ && k < m->nkids; k++) {
        Lent l = {.a = g->a};
        int to = k + 1;
        if (!moves(m->kids[k], false, &l)) continue;
        while (to < m->nkids && !moves(m->kids[to], true, &l)) to++;
        if (to == m->nkids) continue;
        Lent all = l, here = l;
        see_lent(&all, g->root);
        for (int i = k + 1; i < to; i++) see_lent(&here, m->kids[i]);
        if (here.other || all.seen != here.seen + 2) continue;
        Node **kids = NEW_N(g->a, Node *, m->nkids + 1);
        int count = 0;
        for (int i = 0; i < m->nkids; i++)
            if (i != k && i != to) kids[count++] = i > k && i < to ? lent_node(m->kids[i], &l) : m->kids[i];
        m = node_clone(g->a, m);
        m->kids = kids, m->nkids = count;
        k--;
    }
    return m;
}

// ---- sequences within others ------------------------------------------------------------------------
int equal_count_flat(const Node *n) {
    int all = 0;
    for (int i = 0; i < n->nkids; i++) all += n->kids[i]->kind == N_SEQ ? equal_count_flat(n->kids[i]) : 1;
    return all;
}

static void put_flat(const Node *n, Node *to, ArrayVec *locals, Arena *a) {
    for (int i = 0; i < n->nlocals; i++) vec_push(a, locals, n->locals[i]);
    for (int i = 0; i < n->nkids; i++)
        if (n->kids[i]->kind == N_SEQ) put_flat(n->kids[i], to, locals, a);
        else to->kids[to->nkids++] = n->kids[i];
}

Node *equal_flat_seq(Arena *a, Node *n) {
    Node *to = node_clone(a, n);
    ArrayVec locals = {0};
    to->kids = NEW_N(a, Node *, equal_count_flat(n) + 1);
    to->nkids = 0;
    put_flat(n, to, &locals, a);
    to->nlocals = locals.n, to->locals = locals.at;
    return to;
}

Node *equal_flat(Node *n, void *a) {
    Node *m = node_map(a, n, equal_flat, a);
    return m->kind == N_SEQ ? equal_flat_seq(a, m) : m;
}

Node *equal_flow_tree(Pair *p, Node *root) {
    Flowing *g = &(Flowing){.p = p, .a = p->a};
    root = positive_all(equal_swizzle(g->p, root), g->a);
    root = equal_strides(g->p, equal_factors(g->p, root));
    root = equal_products(g->p, root);
    g->root = root = equal_trips(g->a, g->p->trips, root);
    Node *n = with_kept(plain_copies(root, g->a), &(Keeping){.a = g->a});
    g->root = n;
    n = lent(n, g);
    g->root = root;
    n = plain_copies(for_flow(n, g), g->a);
    return unshare(equal_roll(g->a, one_operator(n, &(Plain){g->a, n})), g->a);
}
