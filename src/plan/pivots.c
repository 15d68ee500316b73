// SPDX-License-Identifier: MIT
// pivots.c -- loops whose iterations meet only at one of them, or across one place (rule split).
//
//   for i { for j  p[i][j] = min(p[i][j], p[i][k] + p[k][j]) }
//     →   for i < k { for j < k S   S at j = k   for j > k S }
//         at i = k  { … }                                            k: a parameter, or a counter of the host
//         for i > k { … }
//
//   for i  a[i] = a[n - 1 - i] + b[i]   →   for i < n/2 S   for i >= n/2 S
//
// The order is that of the loops; but the parts have no conflicts of their own left, so each of them may
// run at once. It is done only where no part with a loop stays in order.
#include "plan/auto.h"
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>

enum { MOST_SPLIT = 3 }; // loops

typedef struct Pivots {
    Plan *p;
    ChainFacts *f;
    Expr *at[16];              // of each loop of the chain; NULL: its iterations do not meet
    bool across[16];           // those before it meet those from it on
    const Sym *from[16];
    Expr *to[16];              // what the counters are in the part that is being made
} Pivots;

// A loop's counter in a set of iterations, over parameters.
static isl_set *counter_in(const Pivots *v, __isl_take isl_set *s, int loop) {
    s = chain_params(v->p, v->f, s);
    unsigned behind = (unsigned)isl_set_dim(s, isl_dim_set) - (unsigned)loop - 1;
    s = isl_set_project_out(s, isl_dim_set, (unsigned)loop + 1, behind);
    return isl_set_project_out(s, isl_dim_set, 0, (unsigned)loop);
}

static Expr *end_of(const Pivots *v, __isl_keep isl_set *counters, int loop, bool greatest) {
    Relations *r = v->f->rel;
    Expr *x = poly_bound(r->poly, counters, 0, greatest, r->ctx);
    return x ? expr_narrow(v->p->a, v->f->chain.loop[loop]->iter->type, x) : NULL;
}

// The only value that there is; NULL: there are several.
static Expr *only_value(const Pivots *v, __isl_keep isl_set *counters, int loop) {
    Expr *least = end_of(v, counters, loop, false), *most = end_of(v, counters, loop, true);
    return least && most && expr_equal(least, most) ? least : NULL;
}

// Pairs of iterations on one element, of which the first has the lesser counter.
static isl_map *meetings(const Pivots *v, const Touch *x, const Touch *y, int loop) {
    isl_map *m = same_element(v->f->rel, x, y);
    for (int l = 0; l < v->f->base; l++) m = isl_map_equate(m, isl_dim_in, l, isl_dim_out, l);
    return isl_map_order_lt(m, isl_dim_in, v->f->base + loop, isl_dim_out, v->f->base + loop);
}

// What is known of the meetings in one loop, pair of accesses by pair.
typedef struct Meetings {
    isl_set *first, *second;   // the lesser and the greater counters of all pairs; NULL: they don't meet
    Expr *at;                  // the one iteration that each pair has part in
    bool several;              // there is none
} Meetings;

static void add(isl_set **to, __isl_take isl_set *s) { *to = *to ? isl_set_union(*to, s) : s; }

static void note(const Pivots *v, Meetings *k, __isl_take isl_map *m, int loop) {
    isl_set *first = counter_in(v, isl_map_domain(isl_map_copy(m)), loop);
    isl_set *second = counter_in(v, isl_map_range(m), loop);
    Expr *at = only_value(v, first, loop);
    if (!at) at = only_value(v, second, loop);
    k->several = k->several || !at || (k->at && !expr_equal(at, k->at));
    k->at = at;
    add(&k->first, first);
    add(&k->second, second);
}

// Is every lesser counter below every greater one?
static bool is_crossing(const Meetings *k) {
    isl_map *all = isl_map_from_domain_and_range(isl_set_copy(k->first), isl_set_copy(k->second));
    isl_map *below = isl_map_order_lt(isl_map_copy(all), isl_dim_in, 0, isl_dim_out, 0);
    bool yes = isl_map_is_subset(all, below) == isl_bool_true;
    isl_map_free(all);
    isl_map_free(below);
    return yes;
}

// False: iterations meet elsewhere than at one of them, or across one place.
static bool find_pivot(Pivots *v, int loop) {
    const Relations *r = v->f->rel;
    Meetings k = {0};
    int level = v->f->base + loop;
    bool all = true;
    for (int i = 0; i < r->touches.n && all; i++)
        for (int j = 0; j < r->touches.n && all; j++) {
            const Touch *x = &r->touches.at[i], *y = &r->touches.at[j];
            if (!may_conflict(x, y) || x->private_depth > level) continue;
            all = x->ev->depth > level && y->ev->depth > level;
            isl_map *m = all ? meetings(v, x, y, loop) : NULL;
            if (m && isl_map_is_empty(m) != isl_bool_true) note(v, &k, m, loop);
            else isl_map_free(m);
        }
    if (k.first && all && !k.several) v->at[loop] = k.at;
    else if (k.first && all && is_crossing(&k))
        v->at[loop] = end_of(v, k.second, loop, false), v->across[loop] = true;
    isl_set_free(k.first);
    isl_set_free(k.second);
    return all && (!k.first || v->at[loop]);
}

// lo <= at && at < hi, unless that is the host loop's counter with these very bounds.
static Expr *runs_at(const Pivots *v, const Expr *lo, const Expr *hi, Expr *at) {
    Arena *a = v->p->a;
    for (int i = 0; i < v->p->nhost; i++) {
        const Node *h = v->p->host[i];
        bool its = at->kind == E_SYM && at->sym == h->iter && h->step == 1;
        if (its && expr_equal(lo, h->lo) && expr_equal(hi, h->hi)) return NULL;
    }
    Expr *after = expr_op(a, OP_LE, (Expr *)lo, at, NULL), *before = expr_op(a, OP_LT, at, (Expr *)hi, NULL);
    return expr_op(a, OP_LAND, after, before, NULL);
}

static Node *parts_of(Pivots *v, int level);

static Node *part(Pivots *v, int level, Expr *lo, Expr *hi) {
    const Node *old = v->f->chain.loop[level];
    Node *n = node_clone(v->p->a, old);
    n->iter = iter_fresh(&v->p->names, old->iter->name, old->iter->type);
    n->lo = lo;
    n->hi = hi;
    v->to[level] = expr_sym(v->p->a, n->iter);
    n->body = parts_of(v, level + 1);
    return n;
}

// The loops from this level on, in parts.
static Node *parts_of(Pivots *v, int level) {
    Arena *a = v->p->a;
    const Chain *c = &v->f->chain;
    if (level == c->n) return node_subst(a, c->body, c->n, v->from, v->to);
    const Node *old = c->loop[level];
    Expr *lo = expr_subst(a, old->lo, level, v->from, v->to), *at = v->at[level];
    Expr *hi = expr_subst(a, old->hi, level, v->from, v->to);
    v->from[level] = old->iter;
    if (!at) return part(v, level, lo, hi);
    Node *before = part(v, level, lo, expr_op(a, OP_MIN, hi, at, NULL));
    Expr *next = v->across[level] ? at : expr_add(a, at, expr_int(a, at->type, 1));
    Node *behind = part(v, level, expr_op(a, OP_MAX, lo, next, NULL), hi);
    if (v->across[level]) return node_seq(a, 2, (Node *[]){before, behind});
    v->to[level] = at;
    Node *here = parts_of(v, level + 1);
    Expr *runs = runs_at(v, lo, hi, at);
    Node *all[] = {before, runs ? node_if(a, runs, here, NULL) : here, behind};
    return node_seq(a, 3, all);
}

// Where the iterations of each loop meet; false: some meet elsewhere, or that is hard to tell. A plan can do
// without the answer, so it is asked for with a part of the budget.
static bool find_pivots(Pivots *v) {
    enum { PIVOTS_PART = 32 };
    Compile *c = v->p->c;
    if (isl_ctx_last_error(v->f->rel->poly->ctx) != isl_error_none) return false;
    poly_restart_part(c, PIVOTS_PART);
    bool found = true;
    for (int i = 0; i < v->f->chain.n && found; i++) {
        const Node *loop = v->f->chain.loop[i];
        found = loop->step == 1 && type_is_signed(loop->iter->type) && find_pivot(v, i);
    }
    found = !poly_gave_up(v->f->rel->poly) && found;
    poly_restart(c);
    return found;
}

bool plan_meets_at(Plan *p, ChainFacts *f, Expr **at) {
    Pivots v = {.p = p, .f = f};
    if (f->rel->touches.n > MOST_TOUCHES || f->chain.n > MOST_SPLIT || !find_pivots(&v)) return false;
    for (int i = 0; i < f->chain.n; i++) {
        if (v.across[i]) return false;
        at[i] = v.at[i];
    }
    return true;
}

Node *plan_pivots(Plan *p, ChainFacts *f) {
    Pivots v = {.p = p, .f = f};
    int found = 0, parallel = p->nparallel, serial = p->nserial, nwhen = p->when.n;
    if (f->nfree == f->chain.n || p->splitting || f->rel->touches.n > MOST_TOUCHES) return NULL;
    if (f->chain.n > MOST_SPLIT || plan_has_loop(f->chain.body)) return NULL;
    if (!find_pivots(&v)) return NULL;
    for (int i = 0; i < f->chain.n; i++) found += v.at[i] != NULL;
    PlanMark before = plan_mark(p);
    p->splitting = true;
    Node *n = found ? plan_node(p, parts_of(&v, 0)) : NULL;
    p->splitting = false;
    if (n && p->nserial == serial && p->nparallel > parallel) return n;
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    plan_back(p, before);
    return NULL;
}
