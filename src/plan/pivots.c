// SPDX-License-Identifier: MIT
// pivots.c -- loops whose iterations meet only at one of them (rule split).
//
//   for i { for j  p[i][j] = min(p[i][j], p[i][k] + p[k][j]) }
//     →   for i < k { for j < k S   S at j = k   for j > k S }
//         at i = k  { … }                                            k: a parameter, or a counter of the host
//         for i > k { … }
//
// The order is that of the loops; but the parts have no conflicts of their own left, so each of them may
// run at once. It is done only where no part with a loop stays in order.
#include "plan/auto.h"
#include <isl/map.h>
#include <isl/set.h>

enum { MOST_SPLIT = 3 }; // loops

typedef struct Pivots {
    Plan *p;
    ChainFacts *f;
    Expr *at[16];              // of each loop of the chain; NULL: its iterations do not meet
    const Sym *from[16];
    Expr *to[16];              // what the counters are in the part that is being made
} Pivots;

// The only value that a loop's counter has in a set of iterations; NULL: it has several.
static Expr *only_value(const Pivots *v, __isl_take isl_set *s, int loop) {
    Relations *r = v->f->rel;
    s = chain_params(v->p, v->f, s);
    Expr *least = poly_bound(r->poly, s, loop, false, r->ctx);
    Expr *most = poly_bound(r->poly, s, loop, true, r->ctx);
    isl_set_free(s);
    if (!least || !most || !expr_equal(least, most)) return NULL;
    return expr_narrow(v->p->a, v->f->chain.loop[loop]->iter->type, least);
}

// Pairs of iterations on one element, of which the first has the lesser counter.
static isl_map *meetings(const Pivots *v, const Touch *x, const Touch *y, int loop) {
    isl_map *m = same_element(v->f->rel, x, y);
    for (int l = 0; l < v->f->base; l++) m = isl_map_equate(m, isl_dim_in, l, isl_dim_out, l);
    return isl_map_order_lt(m, isl_dim_in, v->f->base + loop, isl_dim_out, v->f->base + loop);
}

// False: iterations meet elsewhere than at one of them.
static bool find_pivot(Pivots *v, int loop) {
    const Relations *r = v->f->rel;
    for (int i = 0; i < r->touches.n; i++)
        for (int j = 0; j < r->touches.n; j++) {
            const Touch *x = &r->touches.at[i], *y = &r->touches.at[j];
            if (!may_conflict(x, y) || x->private_depth > v->f->base + loop) continue;
            if (x->ev->depth <= v->f->base + loop || y->ev->depth <= v->f->base + loop) return false;
            isl_map *m = meetings(v, x, y, loop);
            if (isl_map_is_empty(m) == isl_bool_true) {
                isl_map_free(m);
                continue;
            }
            Expr *at = only_value(v, isl_map_domain(isl_map_copy(m)), loop);
            if (!at) at = only_value(v, isl_map_range(isl_map_copy(m)), loop);
            isl_map_free(m);
            if (!at || (v->at[loop] && !expr_equal(at, v->at[loop]))) return false;
            v->at[loop] = at;
        }
    return true;
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
    Expr *next = expr_add(a, at, expr_int(a, at->type, 1));
    Node *behind = part(v, level, expr_op(a, OP_MAX, lo, next, NULL), hi);
    v->to[level] = at;
    Node *here = parts_of(v, level + 1);
    Expr *runs = runs_at(v, lo, hi, at);
    Node *all[] = {before, runs ? node_if(a, runs, here, NULL) : here, behind};
    return node_seq(a, 3, all);
}

Node *plan_pivots(Plan *p, ChainFacts *f) {
    Pivots v = {.p = p, .f = f};
    int found = 0, parallel = p->nparallel, serial = p->nserial, nwhen = p->when.n;
    if (f->nfree || p->splitting || f->rel->touches.n > MOST_TOUCHES) return NULL;
    if (f->chain.n > MOST_SPLIT || plan_has_loop(f->chain.body)) return NULL;
    for (int i = 0; i < f->chain.n; i++) {
        const Node *loop = f->chain.loop[i];
        if (loop->step != 1 || !type_is_signed(loop->iter->type) || !find_pivot(&v, i)) return NULL;
        found += v.at[i] != NULL;
    }
    p->splitting = true;
    Node *n = found ? plan_node(p, parts_of(&v, 0)) : NULL;
    p->splitting = false;
    if (n && p->nserial == serial && p->nparallel > parallel) return n;
    p->nparallel = parallel, p->nserial = serial, p->when.n = nwhen;
    return NULL;
}
