// SPDX-License-Identifier: MIT
// distinct.c -- a region and a tree as they are when no value of an index array is there twice.
//
//   for i  x[idx[i]] = 2 * y[i]        →        for i  x[i] = 2 * y[i]
//
// If idx maps no two places to one value, then x[idx[e]] and x[idx[f]] are one element just where e and
// f are equal. So x may as well be numbered by the places in idx, as long as every access of it goes
// through idx; what the judge finds of those numbers is true of the elements.
#include "dep/dep.h"
#include "dep/relation.h"
#include <string.h>

typedef struct Pair {
    const Array *from, *to, *index;
} Pair;
typedef struct Swap {
    Arena *a;
    int nindex;
    const Array *const *index;
    VEC(Pair) arrays;
    VEC(const Array *) other;     // arrays with accesses that go no such way
    int nstmts;
    const Stmt *const *old;
    const Stmt **now;
    bool failed;                  // the tree names such an array in another way
} Swap;

// The place in an index array of a subscript that is index[place] alone; NULL: it is none.
static Expr *place_in(const Array *index, Expr *sub) {
    while (sub->kind == E_CAST && type_is_int(sub->type) && type_is_int(sub->args[0]->type) &&
           sub->type != T_BOOL &&
           type_size(sub->type) >= type_size(sub->args[0]->type)) // else two values may become one
        sub = sub->args[0];
    bool alone =
        sub->kind == E_LOAD && sub->array == index && index->rank == 1 && !expr_has_load(sub->args[0]);
    return alone ? sub->args[0] : NULL;
}

static Expr *place_of(const Swap *s, Expr *sub) {
    Expr *place = NULL;
    for (int k = 0; k < s->nindex && !place; k++) place = place_in(s->index[k], sub);
    return place;
}

static const Array *swapped(const Swap *s, const Array *x) {
    for (int k = 0; k < s->arrays.n; k++)
        if (s->arrays.at[k].from == x) return s->arrays.at[k].to;
    return NULL;
}

// ---- which arrays ------------------------------------------------------------------------------
static const Array *index_of(Expr *sub) {
    while (sub->kind == E_CAST) sub = sub->args[0];
    return sub->array;
}

static void find_arrays(Swap *s, const Region *r) {
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < r->nstmts; k++) {
            AccessVec acc = {0};
            stmt_accesses(s->a, r->stmts[k], &acc);
            for (int i = 0; i < acc.n; i++) {
                const Array *x = acc.at[i].array;
                bool through = x->place == PLACE_USER && x->rank > 0 && place_of(s, acc.at[i].sub[0]),
                     odd = false;
                if (turn == 0 && !through) vec_push(s->a, &s->other, x);
                for (int j = 0; j < s->other.n && turn == 1; j++)
                    odd = odd || s->other.at[j] == x || arrays_may_overlap(s->other.at[j], x);
                if (turn == 0 || !through || odd || swapped(s, x)) continue;
                Array *to = NEW_AS(s->a, Array, *x);
                to->extent = NEW_N(s->a, Expr *, x->rank);
                for (int d = 1; d < x->rank; d++) to->extent[d] = x->extent[d];
                Pair p = {x, to, index_of(acc.at[i].sub[0])};
                vec_push(s->a, &s->arrays, p);
            }
        }
    // Two index arrays number the same elements differently.
    for (int k = 0; k < r->nstmts; k++) {
        AccessVec acc = {0};
        stmt_accesses(s->a, r->stmts[k], &acc);
        for (int i = 0; i < acc.n; i++)
            for (int j = 0; j < s->arrays.n; j++)
                if (s->arrays.at[j].from == acc.at[i].array &&
                    index_of(acc.at[i].sub[0]) != s->arrays.at[j].index)
                    s->failed = true;
    }
}

// ---- expressions, statements ---------------------------------------------------------------------
static Expr *in_expr(Swap *s, Expr *x);

static Expr **in_subs(Swap *s, const Array *from, Expr *const *sub, int n) {
    Expr **out = NEW_N(s->a, Expr *, n + 1);
    for (int d = 0; d < n; d++) out[d] = in_expr(s, sub[d]);
    if (!swapped(s, from)) return out;
    Expr *place = n ? place_of(s, sub[0]) : NULL;
    if (place) out[0] = place;
    else s->failed = true;
    return out;
}

static Expr *in_expr(Swap *s, Expr *x) {
    if (!x || !expr_has_load(x)) return x;
    Expr *copy = NEW_AS(s->a, Expr, *x);
    if (x->kind == E_LOAD) {
        const Array *to = swapped(s, x->array);
        copy->args = in_subs(s, x->array, x->args, x->nargs);
        if (to) copy->array = to;
        return copy;
    }
    copy->args = NEW_N(s->a, Expr *, x->nargs + 1);
    for (int i = 0; i < x->nargs; i++) copy->args[i] = in_expr(s, x->args[i]);
    return copy;
}

static const Stmt *in_stmt(Swap *s, const Stmt *st) {
    Stmt *out = NEW(s->a, Stmt);
    const Array *to = swapped(s, st->lhs);
    *out = *st;
    out->sub = in_subs(s, st->lhs, st->sub, st->lhs->rank);
    if (to) out->lhs = to;
    out->rhs = in_expr(s, st->rhs);
    return out;
}

// ---- trees -------------------------------------------------------------------------------------------
// The instance of the new statement. The access behind one of a renumbered array was that of the index
// array, which is gone.
static Node *in_instance(Swap *s, Node *n) {
    Node *m = node_clone(s->a, n);
    AccessVec acc = {0};
    stmt_accesses(s->a, n->stmt, &acc);
    for (int k = 0; k < s->nstmts; k++)
        if (s->old[k] == n->stmt) m->stmt = s->now[k];
    if (!n->nvia) return m;
    m->via = NEW_N(s->a, const Array *, acc.n + 1);
    m->via_sub = NEW_N(s->a, Expr **, acc.n + 1);
    m->nvia = 0;
    for (int k = 0; k < acc.n; k++) {
        if (k > 0 && swapped(s, acc.at[k - 1].array)) continue;
        const Array *via = n->via[k];
        Expr **sub = via && n->via_sub ? n->via_sub[k] : NULL;
        if (via && !sub && swapped(s, acc.at[k].array)) s->failed = true; // a cache under the old numbers
        m->via[m->nvia] = via && swapped(s, via) ? swapped(s, via) : via;
        m->via_sub[m->nvia++] = sub ? in_subs(s, via, sub, via->rank) : NULL;
    }
    return m;
}

static Node *in_node(Swap *s, Node *n) {
    if (!n) return NULL;
    if (n->kind == N_STMT) return in_instance(s, n);
    Node *m = node_clone(s->a, n);
    if (n->nkids) m->kids = NEW_N(s->a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) m->kids[i] = in_node(s, n->kids[i]);
    for (int i = 0; i < n->nlocals; i++)
        s->failed = s->failed || (n->locals[i]->of && swapped(s, n->locals[i]->of));
    m->body = in_node(s, n->body);
    m->then = in_node(s, n->then);
    m->other = in_node(s, n->other);
    m->lo = in_expr(s, n->lo);
    m->hi = in_expr(s, n->hi);
    m->cond = in_expr(s, n->cond);
    m->src = in_expr(s, n->src);
    if (n->kind == N_COPY && n->dst) {
        m->sub = in_subs(s, n->dst, n->sub, n->dst->rank);
        if (swapped(s, n->dst)) m->dst = swapped(s, n->dst);
    }
    return m;
}

bool dep_distinct(Compile *c, const Region *r, const Node *root, int n, const Array *const *index,
                  const Region **region, Node **tree) {
    Swap s = {.a = c->arena, .nindex = n, .index = index, .nstmts = r->nstmts, .old = r->stmts};
    find_arrays(&s, r);
    if (!s.arrays.n || s.failed) return false;
    Region *out = NEW_AS(s.a, Region, *r);
    s.now = NEW_N(s.a, const Stmt *, r->nstmts + 1);
    for (int k = 0; k < r->nstmts; k++) s.now[k] = in_stmt(&s, r->stmts[k]);
    out->stmts = s.now;
    out->arrays = NEW_N(s.a, const Array *, r->narrays + 1);
    for (int k = 0; k < r->narrays; k++)
        out->arrays[k] = swapped(&s, r->arrays[k]) ? swapped(&s, r->arrays[k]) : r->arrays[k];
    out->root = in_node(&s, r->root);
    *region = out;
    *tree = in_node(&s, (Node *)root);
    return !s.failed;
}

// ---- relations -------------------------------------------------------------------------------------------
static bool is_other(const Array *x, const Array *index, const Array *array, Expr *const *sub) {
    return array == x ? !place_in(index, sub[0]) : arrays_may_overlap(array, x);
}

// Here, and in all statements of the region: what of it is elsewhere is judged together with this.
static bool goes_through(const Relations *r, const Array *x, const Array *index) {
    if (x->place != PLACE_USER || !x->rank) return false;
    for (int i = 0; i < r->touches.n; i++)
        if (is_other(x, index, r->touches.at[i].array, r->touches.at[i].sub)) return false;
    for (int k = 0; k < r->region->nstmts; k++) {
        AccessVec acc = {0};
        stmt_accesses(r->poly->c->arena, r->region->stmts[k], &acc);
        for (int i = 0; i < acc.n; i++)
            if (is_other(x, index, acc.at[i].array, acc.at[i].sub)) return false;
    }
    return true;
}

void relations_distinct(Relations *r, const Array *index) {
    Arena *a = r->poly->c->arena;
    r->inside = NULL; // subscripts change
    bool *through = NEW_N(a, bool, r->touches.n + 1);
    for (int i = 0; i < r->touches.n; i++) through[i] = goes_through(r, r->touches.at[i].array, index);
    for (int i = 0; i < r->touches.n; i++) {
        Touch *t = &r->touches.at[i];
        if (!through[i]) continue;
        PolyFacts facts = {0}; // were asked when index[place] was looked at
        Expr **sub = NEW_N(a, Expr *, t->array->rank);
        for (int d = 0; d < t->array->rank; d++) sub[d] = d ? t->sub[d] : place_in(index, t->sub[0]);
        isl_set *domain = isl_map_domain(isl_map_copy(t->map));
        t->map = own_map(a, relations_map(r->poly, t->ev->scope, domain, t->array->rank, sub, &facts,
                                          &t->exact_map));
        t->exact = t->exact_map && t->ev->exact;
        t->sub = sub;
        t->real = NULL;
    }
}
