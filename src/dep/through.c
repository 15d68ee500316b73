// SPDX-License-Identifier: MIT
// through.c -- conditions, bounds and subscripts that ask a local for what straight code before has made.
//
//   { local v;  v = x[i];  v = v - y[j];  if (v > 0) … }   →   { local v;  …  if (x[i] - y[j] > 0) … }
//
// What such a condition asks for is then a term (term.h), where nothing writes x and y. In a tree the
// statements may read copies of these: that each instance reads what it does in the region is asked of all of
// them anyway, and the condition comes behind them.
#include "dep/through.h"

enum {
    MOST_NODES = 300, // of a value: what is made of sums that are made of sums grows fast
    MOST_TRIPS = 8,   // of a loop that is gone through as straight code
    MOST_FIXED = 4,   // such loops in each other
};

typedef struct Through {
    Arena *a;
    const Region *r;
    bool *any;                    // a condition was changed; NULL: nothing is
    int nfixed;                   // loops that are gone through as straight code: their counters, and what
    const Sym *fixed[MOST_FIXED]; // these are
    Expr *is[MOST_FIXED];
    VEC(const Stmt *) stmt;       // all that were met…
    VEC(const Held *) held;       // …and what was held there
} Through;

// ---- values --------------------------------------------------------------------------------------
typedef struct Look {
    Arena *a;
    const Held *held;
    const Node *at;   // not NULL: the values are over the counters of its statement
    int nodes;
    bool fails, any;
} Look;

static bool is_local(const Array *v) { return v->place == PLACE_LOCAL && !v->rank; }

static Expr *held_value(const Held *h, const Array *local) {
    while (h && h->local != local) h = h->before;
    return h ? h->value : NULL;
}

static Expr *look(Expr *x, void *arg) {
    Look *l = arg;
    if (++l->nodes > MOST_NODES) l->fails = true;
    if (l->fails) return x;
    if (x->kind != E_LOAD || !is_local(x->array)) return expr_map(l->a, x, look, arg);
    Expr *value = held_value(l->held, x->array);
    l->fails = !value;
    l->any = true;
    if (l->fails) return x;
    expr_each(y, value) l->nodes++;
    return l->at ? node_stmt_expr(l->a, l->at, value) : value;
}

// x with what its locals hold. NULL: that can't be told, or it asks for memory that changes.
static Expr *value_of(Arena *a, const Region *r, const Held *held, Expr *x) {
    Look l = {.a = a, .held = held};
    x = look(x, &l);
    expr_each(y, x) {
        bool changes = y->kind == E_LOAD && (y->array->place != PLACE_USER || region_writes(r, y->array));
        l.fails = l.fails || changes;
    }
    return l.fails ? NULL : x;
}

// ---- what is held ----------------------------------------------------------------------------------
static const Held *hold(Through *t, const Held *held, const Array *local, Expr *value) {
    return NEW_AS(t->a, Held, ((Held){local, value, held}));
}

static const Array *target(const Node *n) { return n->nvia && n->via[0] ? n->via[0] : n->stmt->lhs; }

static Expr *fixed(Through *t, Expr *x) { return expr_subst(t->a, x, t->nfixed, t->fixed, t->is); }

static Expr *set_value(Through *t, const Held *held, const Node *n) {
    const Stmt *s = n->stmt;
    if (n->forms || s->atomic) return NULL;
    Expr *x = fixed(t, node_stmt_expr(t->a, n, s->rhs)), *old = expr_load(t->a, target(n), NULL);
    bool plain = s->op == OP_ADD || s->op == OP_MUL;
    if (s->op != OP_SET && (!plain || x->type != s->lhs->elem)) return NULL;
    if (s->fused) x = expr_products_onto(t->a, x, old);
    else if (plain) x = expr_op(t->a, s->op, old, x, NULL);
    x = value_of(t->a, t->r, held, x);
    return x ? expr_cast(t->a, s->lhs->elem, x) : NULL;
}

static const Held *behind(Through *t, const Held *held, const Node *n);

static const Held *behind_all(Through *t, const Held *held, const Node *n) {
    if (!n || n->kind != N_SEQ) return n ? behind(t, held, n) : held;
    for (int i = 0; i < n->nlocals; i++) held = hold(t, held, n->locals[i], NULL);
    for (int k = 0; k < n->nkids; k++) held = behind(t, held, n->kids[k]);
    return held;
}

// What the locals hold that n sets; values of a condition's two arms are chosen by it. x: that, or NULL;
// then: what is held behind the first arm (without a condition: behind n), other: behind the second.
static const Held *joined(Through *t, const Held *held, const Node *n, Expr *x, const Held *then,
                          const Held *other) {
    node_each(m, n) {
        const Array *v = m->kind == N_STMT ? target(m) : m->kind == N_COPY ? m->dst : NULL;
        if (!v || !is_local(v)) continue;
        Expr *value = held_value(then, v), *else_value = x ? held_value(other, v) : NULL;
        if (x) value = value && else_value ? expr_op(t->a, OP_SELECT, x, value, else_value) : NULL;
        held = hold(t, held, v, value);
    }
    return held;
}

// Behind a loop of few iterations; NULL: it is none.
static const Held *behind_few(Through *t, const Held *held, const Node *n) {
    int64_t trips = loop_literal_trips(n->lo, n->hi, n->step);
    bool serial = n->how == HOW_SERIAL || n->how == HOW_UNROLL;
    if (!serial || trips < 0 || trips > MOST_TRIPS || t->nfixed == MOST_FIXED || loop_while(n)) return NULL;
    t->fixed[t->nfixed++] = n->iter;
    for (int64_t k = 0; k < trips; k++) {
        t->is[t->nfixed - 1] = expr_int(t->a, n->iter->type, n->lo->i + k * n->step);
        held = behind_all(t, held, n->body);
    }
    t->nfixed--;
    return held;
}

// Behind n: what it sets in straight code is known, what it sets in loops is not.
static const Held *behind(Through *t, const Held *held, const Node *n) {
    const Array *set = n->kind == N_STMT ? target(n) : NULL;
    if (set) return is_local(set) ? hold(t, held, set, set_value(t, held, n)) : held;
    if (n->kind == N_SEQ) return behind_all(t, held, n);
    Expr *x = n->kind == N_IF ? value_of(t->a, t->r, held, fixed(t, n->cond)) : NULL;
    if (x) return joined(t, held, n, x, behind_all(t, held, n->then), behind_all(t, held, n->other));
    const Held *few = n->kind == N_FOR && n->lo->kind == E_INT ? behind_few(t, held, n) : NULL;
    return joined(t, held, n, NULL, few, NULL);
}

// ---- the walk ----------------------------------------------------------------------------------------
static bool is_truth(const Expr *x) {
    return x->kind == E_OP && ((x->op >= OP_LT && x->op <= OP_LOR) || x->op == OP_LNOT);
}

// A truth that was kept as a number is a truth again.
static Expr *as_truth(Expr *x, void *arg) {
    x = expr_map(arg, x, as_truth, arg);
    while (x->kind == E_CAST && type_is_int(x->type) && is_truth(x->args[0])) x = x->args[0];
    bool asks = x->kind == E_OP && x->op == OP_NE && expr_is_int(x->args[1], 0);
    const Expr *asked = asks ? x->args[0] : NULL;
    while (asked && asked->kind == E_CAST && type_is_int(asked->type)) asked = asked->args[0];
    return asked && is_truth(asked) ? (Expr *)asked : x;
}

static Expr *asked(Through *t, const Held *held, Expr *x, bool truth) {
    bool local = false;
    expr_each(y, x) local |= y->kind == E_LOAD && is_local(y->array);
    Expr *value = local && t->any ? value_of(t->a, t->r, held, x) : NULL;
    if (!value) return x;
    *t->any = true;
    return truth ? as_truth(value, t->a) : value;
}

static Node *walk(Through *t, const Held *held, Node *n);

static Node *walk_block(Through *t, const Held *held, Node *n) {
    Node *m = node_clone(t->a, n);
    m->kids = NEW_N(t->a, Node *, n->nkids);
    for (int i = 0; i < n->nlocals; i++) held = hold(t, held, n->locals[i], NULL);
    for (int k = 0; k < n->nkids; k++) {
        m->kids[k] = walk(t, held, n->kids[k]);
        held = behind(t, held, n->kids[k]);
    }
    return m;
}

static Node *walk(Through *t, const Held *held, Node *n) {
    if (!n) return NULL;
    if (n->kind == N_SEQ) return walk_block(t, held, n);
    if (n->kind == N_STMT && !t->any) {
        vec_push(t->a, &t->stmt, n->stmt);
        vec_push(t->a, &t->held, held);
    }
    if (n->kind == N_STMT || n->kind == N_COPY || n->kind == N_BARRIER) return n;
    Node *m = node_clone(t->a, n);
    if (n->kind == N_IF) {
        m->cond = asked(t, held, n->cond, true);
        m->then = walk(t, held, n->then);
        m->other = walk(t, held, n->other);
    } else {
        if (n->kind == N_FOR) {
            m->lo = asked(t, held, n->lo, false);
            m->hi = asked(t, held, n->hi, false);
            held = joined(t, held, n, NULL, NULL, NULL); // an iteration may find what the one before has set
        }
        m->body = walk(t, held, n->body);
    }
    return m;
}

Node *dep_through(Arena *a, const Region *r, const Node *root, bool *any) {
    return walk(&(Through){.a = a, .r = r, .any = any}, NULL, (Node *)root);
}

Holds *dep_holds(Arena *a, const Region *r) {
    Through t = {.a = a, .r = r};
    walk(&t, NULL, r->root);
    return NEW_AS(a, Holds, ((Holds){t.stmt.n, t.stmt.at, t.held.at}));
}

Expr *dep_seen(Arena *a, const Holds *h, const Node *n, Expr *x) {
    Look l = {.a = a, .at = n};
    for (int i = 0; i < h->n; i++)
        if (h->stmt[i] == n->stmt) l.held = h->held[i];
    Expr *seen = l.held ? look(x, &l) : x;
    return l.fails || !l.any ? x : seen;
}
