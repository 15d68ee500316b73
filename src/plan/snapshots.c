// SPDX-License-Identifier: MIT
// snapshots.c -- loops that only anti dependences keep in order (rule snapshot).
//
//   for i  a[i] = a[i + 1] + b[i]   →   for e  a_s[e] = a[e];   for i  a[i] = a_s[i + 1] + b[i]
//
// A read sees the copy if no write of its element in the chain comes before it, and some comes behind it. The
// copy has room for all that such reads name in the whole nest, and is filled with what they name below the
// host's present iterations.
#include "plan/auto.h"
#include "rule/snapshot.h"
#include <isl/map.h>

enum { MOST_COPIES = 4 };

typedef struct OldReads {
    Plan *p;
    ChainFacts *f;
    const Array *array;
    VEC(const Touch *) touches;
} OldReads;

static bool is_overwritten(const ChainFacts *f, const Touch *y) {
    bool later = false;
    if (y->write || !y->exact_map || y->array->place != PLACE_USER) return false;
    if (!y->array->rank || y->array->rank > SNAPSHOT_RANK) return false;
    for (int i = 0; i < f->rel->touches.n; i++) {
        const Touch *x = &f->rel->touches.at[i];
        if (!may_conflict(x, y)) continue;
        if (chain_before(f, x, y)) return false;
        later = later || chain_before(f, y, x);
    }
    return later;
}

static bool takes(const Site *s, void *arg) {
    const OldReads *o = arg;
    for (int i = 0; i < o->touches.n; i++) {
        const Touch *t = o->touches.at[i];
        bool same = t->ev->node == s->node;
        for (int d = 0; d < t->array->rank && same; d++) same = expr_equal(t->sub[d], s->sub[d]);
        if (same) return true;
    }
    return false;
}

// What the reads name: over all iterations of the host's loops, or over their counters.
static isl_set *elements(const OldReads *o, bool here) {
    isl_set *all = NULL;
    for (int i = 0; i < o->touches.n; i++) {
        isl_map *m = isl_map_copy(o->touches.at[i]->map);
        unsigned host = here ? (unsigned)o->f->base : 0;
        m = isl_map_project_out(m, isl_dim_in, host, (unsigned)isl_map_dim(m, isl_dim_in) - host);
        isl_set *s = isl_set_flatten(isl_map_wrap(m));
        if (here) s = chain_params(o->p, o->f, s);
        all = all ? isl_set_union(all, s) : s;
    }
    return isl_set_coalesce(all);
}

static bool bounds(const OldReads *o, bool here, Expr **lo, Expr **hi) {
    Relations *r = o->f->rel;
    isl_set *s = elements(o, here);
    bool known = true;
    for (int d = 0; d < o->array->rank && known; d++) {
        Expr *least = poly_bound(r->poly, s, d, false, r->ctx);
        Expr *most = poly_bound(r->poly, s, d, true, r->ctx);
        known = least && most;
        if (!known) break;
        lo[d] = expr_narrow(o->p->a, T_I32, least);
        hi[d] = expr_narrow(o->p->a, T_I32, most);
    }
    isl_set_free(s);
    return known;
}

// The chain with reads of one more array redirected, behind the loops that fill the copy; NULL: there are none.
static Node *with_copy(Plan *p, ChainFacts *f, Node **fill, const Array **copy) {
    OldReads o = {.p = p, .f = f};
    for (int i = 0; i < f->rel->touches.n; i++) {
        const Touch *t = &f->rel->touches.at[i];
        if ((o.array && o.array != t->array) || !is_overwritten(f, t)) continue;
        o.array = t->array;
        vec_push(p->a, &o.touches, t);
    }
    if (!o.array) return NULL;
    Node *rest, *loop = (Node *)f->chain.loop[0];
    Snapshot s = {.array = o.array, .name = name_fresh(&p->names, o.array->name), .takes = takes, .arg = &o};
    if (!bounds(&o, false, s.lo, s.hi) || !bounds(&o, true, s.first, s.last)) return NULL;
    for (int d = 0; d < o.array->rank; d++) s.counter[d] = iter_fresh(&p->names, s.name, T_I32);
    *copy = rule_snapshot(p->a, &s, loop, fill, &rest);
    plan_note(p, arena_printf(p->a, "snapshot %s at=%s", o.array->name, loop->iter->name));
    return *copy ? rest : NULL;
}

Node *plan_snapshots(Plan *p, ChainFacts *f) {
    int wanted = p->gpu && f->chain.n > 1 ? 2 : 1, n = 0, least = f->nfree;
    Node *fill[MOST_COPIES + 1], *rest;
    const Array *copy[MOST_COPIES];
    const char *steps = p->steps;
    while (n < MOST_COPIES && f->nfree < wanted && f->rel->touches.n <= MOST_TOUCHES) {
        if (!(rest = with_copy(p, f, &fill[n], &copy[n]))) break;
        f = chain_facts(p, rest);
        n++;
    }
    Node *after = n && (f->nfree > least || !least) ? plan_free(p, f) : NULL;
    if (!after) return p->steps = steps, NULL;
    for (int k = 0; k < n; k++) fill[k] = plan_node(p, fill[k]);
    fill[n] = after;
    after = node_seq(p->a, n + 1, fill);
    for (int k = 0; k < n; k++) after = seq_declare(p->a, after, copy[k]);
    return after;
}
