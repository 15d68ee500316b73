// SPDX-License-Identifier: MIT
// snapshots.c -- loops that only anti dependences keep in order (rule snapshot).
//
//   for i  a[i] = a[i + 1] + b[i]   →   for e  a_s[e] = a[e];   for i  a[i] = a_s[i + 1] + b[i]
//
// A read sees the copy if no write of its element in the chain comes before it, and some comes behind it. The
// copy has room for all that such reads name in the whole nest, and is filled with what they name below the
// host's present iterations: with a box around it where all of that is certainly memory of the program.
#include "dep/foot.h"
#include "plan/auto.h"
#include "rule/snapshot.h"
#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/space.h>

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

// The set with what a map names added: over all iterations of the host's loops, or over their counters.
static isl_set *add_range(const OldReads *o, isl_set *all, isl_map *map, bool here) {
    isl_map *m = isl_map_copy(map);
    unsigned host = here ? (unsigned)o->f->base : 0;
    m = isl_map_project_out(m, isl_dim_in, host, (unsigned)isl_map_dim(m, isl_dim_in) - host);
    isl_set *s = isl_set_flatten(isl_map_wrap(m));
    if (here) s = chain_params(o->p, o->f, s);
    return all ? isl_set_union(all, s) : s;
}

// What the reads name, or really read.
static isl_set *elements(const OldReads *o, bool here, bool real) {
    isl_set *all = NULL;
    for (int i = 0; i < o->touches.n; i++) {
        const Touch *t = o->touches.at[i];
        all = add_range(o, all, real && t->real ? t->real : t->map, here);
    }
    return isl_set_coalesce(all);
}

// The elements within the extents that the program declares; NULL: it declares nothing.
static isl_set *declared(const OldReads *o, isl_set *like) {
    const Array *x = o->array;
    Poly *poly = o->f->rel->poly;
    isl_set *all = isl_set_universe(isl_set_get_space(like));
    isl_space *line = isl_space_set_alloc(isl_set_get_ctx(like), 0, 1);
    for (int d = 0; d < x->rank && all; d++) {
        isl_pw_aff *size = x->constant_size ? poly_aff(poly, (PolyScope){0, NULL}, x->extent[d], NULL) : NULL;
        isl_set *s = size ? isl_map_range(isl_map_from_pw_aff(size)) : NULL;
        s = s ? isl_set_apply(s, isl_map_lex_gt(isl_space_copy(line))) : NULL;
        s = s ? isl_set_lower_bound_si(s, isl_dim_set, 0, 0) : NULL;
        s = s ? isl_set_insert_dims(s, isl_dim_set, 0, (unsigned)d) : NULL;
        s = s ? isl_set_insert_dims(s, isl_dim_set, (unsigned)d + 1, (unsigned)(x->rank - d - 1)) : NULL;
        if (s) all = isl_set_intersect(all, s);
        else isl_set_free(all), all = NULL;
    }
    isl_space_free(line);
    return all;
}

// Does the set have elements that `known` has not, whenever it has any?
static bool is_beyond(const OldReads *o, isl_set *set, isl_set *known) {
    isl_set *out = isl_set_params(isl_set_subtract(isl_set_copy(set), isl_set_copy(known)));
    isl_set *some = isl_set_params(isl_set_copy(set));
    some = isl_set_intersect(some, isl_set_copy(o->f->rel->ctx));
    bool always = isl_set_is_subset(some, out) == isl_bool_true;
    isl_set_free(some);
    isl_set_free(out);
    return always;
}

// The elements that are certainly memory of the program while the chain runs: those that it declares, and
// those between what its loops touch, unless they always leave what is declared.
static isl_set *present(const OldReads *o, isl_set *like) {
    const Relations *r = o->f->rel;
    isl_set *sure = isl_set_empty(isl_set_get_space(like)), *known = declared(o, like);
    for (int i = 0; i < r->touches.n; i++) {
        const Touch *t = &r->touches.at[i];
        if (t->array == o->array && t->sure) sure = add_range(o, sure, t->real ? t->real : t->map, true);
    }
    isl_set *reach = o->array->apart ? isl_set_copy(sure) : foot_between(sure);
    isl_set_free(sure);
    if (known && is_beyond(o, reach, known)) return isl_set_free(reach), known;
    return known ? isl_set_union(reach, known) : reach;
}

// Where the loops that fill the copy count to an element of the set; NULL: it can't be told.
static Expr *counted(const OldReads *o, const Snapshot *s, isl_set *set) {
    const Relations *r = o->f->rel;
    PolyScope scope = {o->array->rank, s->counter};
    isl_set *known = poly_universe(r->poly, scope);
    for (int d = 0; d < scope.n; d++) {
        Expr *at = expr_sym(o->p->a, s->counter[d]);
        isl_set *low = poly_cond(r->poly, scope, expr_op(o->p->a, OP_LE, s->first[d], at, NULL), NULL);
        isl_set *high = poly_cond(r->poly, scope, expr_op(o->p->a, OP_LE, at, s->last[d], NULL), NULL);
        if (low) known = isl_set_intersect(known, low);
        if (high) known = isl_set_intersect(known, high);
    }
    for (int d = 0; d < scope.n; d++) {
        isl_id *id = poly_param(r->poly, expr_sym(o->p->a, s->counter[d]));
        set = isl_set_set_dim_id(isl_set_insert_dims(set, isl_dim_param, 0, 1), isl_dim_param, 0,
                                 isl_id_copy(id));
        known = isl_set_set_dim_id(isl_set_insert_dims(known, isl_dim_param, 0, 1), isl_dim_param, 0, id);
        set = isl_set_equate(set, isl_dim_param, 0, isl_dim_set, d);
        known = isl_set_equate(known, isl_dim_param, 0, isl_dim_set, d);
    }
    isl_set *ctx = isl_set_intersect(isl_set_params(known), isl_set_copy(r->ctx));
    Expr *x = poly_cond_expr(r->poly, isl_set_params(set), ctx);
    isl_set_free(ctx);
    return x;
}

// What of the box may be copied: s->only. False: a read may name what is not there.
static bool limits(const OldReads *o, Snapshot *s) {
    const Relations *r = o->f->rel;
    isl_set *all = isl_set_intersect_params(elements(o, true, false), isl_set_copy(r->ctx));
    isl_set *some = isl_set_intersect_params(elements(o, true, true), isl_set_copy(r->ctx));
    isl_set *there = present(o, all), *box = foot_around(r->poly, all);
    if (box) box = isl_set_intersect_params(box, isl_set_params(isl_set_copy(all)));
    bool whole = box && isl_set_is_subset(box, there) == isl_bool_true;
    bool fine = whole || isl_set_is_subset(some, there) == isl_bool_true;
    s->only = fine ? counted(o, s, isl_set_copy(whole ? box : some)) : NULL;
    fine = s->only != NULL;
    if (fine && expr_is_int(s->only, 1)) s->only = NULL;
    isl_set_free(all);
    isl_set_free(some);
    isl_set_free(there);
    isl_set_free(box);
    return fine;
}

static bool bounds(const OldReads *o, bool here, Expr **lo, Expr **hi) {
    Relations *r = o->f->rel;
    isl_set *s = elements(o, here, false);
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

// The chain with reads of one more array redirected, behind the loops that fill the copy; NULL: there are
// none.
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
    if (!limits(&o, &s)) return NULL;
    *copy = rule_snapshot(p->a, &s, loop, fill, &rest);
    plan_note(p, arena_printf(p->a, "snapshot %s at=%s", o.array->name, loop->iter->name));
    return *copy ? rest : NULL;
}

Node *plan_snapshots(Plan *p, ChainFacts *f) {
    int wanted = p->gpu && f->chain.n > 1 ? 2 : 1, n = 0, least = f->nfree;
    Node *fill[MOST_COPIES + 1], *rest;
    const Array *copy[MOST_COPIES];
    PlanMark before = plan_mark(p);
    while (n < MOST_COPIES && f->nfree < wanted && f->rel->touches.n <= MOST_TOUCHES) {
        if (!(rest = with_copy(p, f, &fill[n], &copy[n]))) break;
        f = chain_facts(p, rest);
        n++;
    }
    bool freer = n && (f->nfree > least || !least);
    Node *after = freer ? plan_part(p, (Node *)f->chain.loop[0]) : NULL;
    if (!after && freer) after = plan_free(p, f);
    if (!after) return plan_back(p, before), NULL;
    for (int k = 0; k < n; k++) fill[k] = plan_node(p, fill[k]);
    fill[n] = after;
    after = node_seq(p->a, n + 1, fill);
    for (int k = 0; k < n; k++) after = seq_declare(p->a, after, copy[k]);
    return after;
}
