// SPDX-License-Identifier: MIT
// holds.c -- what is known at a place of a nest, and whether a condition is true there.
//
// Known are the bounds of the loops around, the conditions on the way, what the region's C run
// promises, and the nest's own `when` (it runs nowhere else).
//
//   everywhere ── n >= 32 ── for i ── for k ── if (i < m)
//                                  └─ for j                  each a Ground
//
// Rules ask the same things at the same places again and again, and most places are only passed:
// a Ground's set is made when it is first asked, and answers are kept. A question about i is
// asked where only what has to do with i is known, which is a place of the tree as well:
//
//   for i in 0 .. n { for j in 0 .. m { for ii in 0 .. 4 { 4*i + ii < n ? } } }
//   for i in 0 .. n { for ii in 0 .. 4 { 4*i + ii < n ? } }
#include "rule/ground.h"
#include "rule/loops.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/val.h>

static void drop_set(void *s) { isl_set_free(s); }

static isl_set *own(Arena *a, isl_set *s) { return s ? arena_own(a, s, drop_set) : NULL; }

static PolyScope scope(const Ground *g) { return (PolyScope){g->n, g->iters}; }

// Did isl give up? Then nothing is kept: a later analysis has a budget of its own.
static bool failing(const Known *k) { return isl_ctx_last_error(k->p->ctx) != isl_error_none; }

// ---- sets -------------------------------------------------------------------------------------
// Where none of the unsigned subtractions wraps; NULL when there are none.
static isl_set *plain(PolyFacts *facts) {
    isl_set *ok = NULL;
    for (int i = 0; i < facts->n; i++) {
        isl_set *s = isl_pw_aff_nonneg_set(facts->at[i]);
        ok = ok ? isl_set_intersect(ok, s) : s;
    }
    facts->n = 0;
    return ok;
}

// The points where cond holds and means what it says in whole numbers, given that the set is
// known; NULL: can't be told.
static isl_set *points(const Known *k, PolyScope in, isl_set *known, Expr *cond) {
    PolyFacts facts = {0};
    isl_set *s = poly_cond(k->p, in, cond, &facts), *ok = plain(&facts);
    if (s && ok && isl_set_is_subset(known, ok) != isl_bool_true) {
        isl_set_free(s);
        s = NULL;
    }
    isl_set_free(ok);
    return s;
}

static isl_set *with(const Known *k, PolyScope in, isl_set *set, Expr *cond) {
    Expr *t[TERMS_MAX];
    int n = cond_terms(cond, t, TERMS_MAX);
    for (int i = 0; i < n; i++) {
        isl_set *s = points(k, in, set, t[i]);
        if (s) set = isl_set_intersect(set, s);
    }
    return set;
}

static isl_set *without(const Known *k, PolyScope in, isl_set *set, Expr *cond) {
    isl_set *s = points(k, in, set, cond);
    return s ? isl_set_subtract(set, s) : set;
}

static bool can_compare(const Known *k, PolyScope in, isl_set *set, const Expr *x) {
    PolyFacts facts = {0};
    isl_pw_aff *pa = poly_aff(k->p, in, x, &facts);
    isl_set *ok = plain(&facts);
    bool fine = pa && (!ok || isl_set_is_subset(set, ok) == isl_bool_true);
    isl_pw_aff_free(pa);
    isl_set_free(ok);
    return fine;
}

static bool is_small(const Expr *x) { return x->kind == E_INT && x->i > -(1 << 30) && x->i < 1 << 30; }

// Both bounds are numbers, and it goes up one by one.
static bool is_counted(const Node *loop) {
    return loop->step == 1 && is_small(loop->lo) && is_small(loop->hi);
}

static isl_set *inside(const Known *k, PolyScope in, isl_set *set, const Node *loop) {
    Arena *a = k->a;
    set = isl_set_add_dims(set, isl_dim_set, 1);
    unsigned last = (unsigned)in.n - 1;
    if (is_counted(loop)) {
        set = isl_set_lower_bound_si(set, isl_dim_set, last, (int)loop->lo->i);
        return isl_set_upper_bound_si(set, isl_dim_set, last, (int)loop->hi->i - 1);
    }
    Expr *i = expr_sym(a, loop->iter);
    bool up = loop->step > 0;
    set = with(k, in, set, expr_op(a, up ? OP_GE : OP_LE, i, expr_cast(a, i->type, loop->lo), NULL));
    set = with(k, in, set, expr_op(a, up ? OP_LT : OP_GT, i, expr_cast(a, i->type, loop->hi), NULL));
    int64_t step = up ? loop->step : -loop->step;
    if (step == 1 || !can_compare(k, in, set, loop->lo)) return set;
    isl_pw_aff *pi = poly_aff(k->p, in, i, NULL), *lo = poly_aff(k->p, in, loop->lo, NULL);
    isl_pw_aff *off = isl_pw_aff_mod_val(isl_pw_aff_sub(pi, lo), isl_val_int_from_si(k->p->ctx, step));
    return isl_set_intersect(set, isl_pw_aff_zero_set(off));
}

// The points that get to a place; NULL: isl gave up.
static isl_set *set_at(const Known *k, Ground *g) {
    if (g->set) return g->set;
    isl_set *s;
    if (!g->from) {
        s = poly_universe(k->p, scope(g));
    } else {
        s = isl_set_copy(set_at(k, g->from));
        if (g->kind == ENTERED) s = inside(k, scope(g), s, g->loop);
        if (g->kind == TRUE_HERE) s = with(k, scope(g), s, g->cond);
        if (g->kind == FALSE_HERE) s = without(k, scope(g), s, g->cond);
    }
    s = own(k->a, s);
    if (!failing(k)) g->set = s;
    return s;
}

// ---- going on ------------------------------------------------------------------------------------
static bool same_way(const Ground *g, GroundKind kind, const Node *loop, const Expr *cond) {
    if (g->kind != kind) return false;
    if (kind != ENTERED) return expr_equal(g->cond, cond);
    const Node *l = g->loop;
    return l->iter == loop->iter && l->step == loop->step && expr_equal(l->lo, loop->lo) &&
           expr_equal(l->hi, loop->hi);
}

static bool is_among(const Syms *v, const Sym *s) { return has_pointer(v->n, v->at, s); }

// The symbols of a condition, each once.
static void find_syms(Arena *a, const Expr *root, Syms *out) {
    expr_each(x, root)
        if (x->kind == E_SYM && !is_among(out, x->sym)) vec_push(a, out, x->sym);
}

static Ground *go(Arena *a, Ground *from, GroundKind kind, const Node *loop, Expr *cond) {
    for (Ground *g = from->child; g; g = g->next)
        if (same_way(g, kind, loop, cond)) return g;
    Ground *g = NEW(a, Ground);
    if (loop) loop = node_clone(a, loop); // whoever made it may change it yet
    *g = (Ground){.kind = kind,
                  .loop = loop,
                  .cond = cond,
                  .from = from,
                  .n = from->n,
                  .iters = from->iters,
                  .next = from->child};
    from->child = g;
    find_syms(a, cond, &g->syms);
    if (loop) find_syms(a, loop->lo, &g->syms), find_syms(a, loop->hi, &g->syms);
    for (int i = 0; i < from->named.n; i++) vec_push(a, &g->named, from->named.at[i]);
    for (int i = 0; i < g->syms.n; i++)
        if (!is_among(&from->named, g->syms.at[i])) vec_push(a, &g->named, g->syms.at[i]);
    if (kind != ENTERED) return g;
    vec_push(a, &g->syms, loop->iter);
    vec_push(a, &g->named, loop->iter);
    const Sym **iters = NEW_N(a, const Sym *, from->n + 1);
    for (int i = 0; i < from->n; i++) iters[i] = from->iters[i];
    iters[from->n] = loop->iter;
    g->iters = iters;
    g->n++;
    return g;
}

void known_add(Known *k, Expr *cond) { k->at = go(k->a, k->at, TRUE_HERE, NULL, cond); }

void known_add_not(Known *k, Expr *cond) { k->at = go(k->a, k->at, FALSE_HERE, NULL, cond); }

void known_enter(Known *k, const Node *loop) { k->at = go(k->a, k->at, ENTERED, loop, NULL); }

Known known_start(Compile *c, const Nest *n) {
    Known k = {.p = poly_new(c), .a = c->arena};
    if (!c->ground) c->ground = NEW(c->arena, Ground);
    k.at = c->ground;
    const Region *r = n->region;
    for (int i = 0; i < r->nparams; i++)
        if (type_is_int(r->params[i]->type) && !type_is_signed(r->params[i]->type))
            known_add(&k, expr_op(k.a, OP_GE, expr_cast(k.a, T_I64, expr_sym(k.a, r->params[i])),
                                  expr_int(k.a, T_I64, 0), NULL));
    for (int i = 0; i < r->nassumes; i++) known_add(&k, r->assumes[i]);
    if (n->when) known_add(&k, n->when);
    return k;
}

Known known_at(Compile *c, const Nest *n, const Path *place) {
    Known k = known_start(c, n);
    for (int i = 0; i + 1 < place->n; i++) {
        const Node *x = place->node[i], *next = place->node[i + 1];
        if (x->kind == N_FOR) known_enter(&k, x);
        if (x->kind == N_IF && next == x->then) known_add(&k, x->cond);
        if (x->kind == N_IF && next == x->other) known_add_not(&k, x->cond);
    }
    return k;
}

// ---- what has to do with a question ------------------------------------------------------------
enum { WAY_MAX = 256 };

static bool shares(const Ground *g, const Syms *about) {
    for (int i = 0; i < g->syms.n; i++)
        if (is_among(about, g->syms.at[i])) return true;
    return false;
}

// The place like g where all is forgotten that has nothing to do, directly or by way of other
// things known, with the symbols of `about`, which grow.
static Ground *narrow(const Known *k, Ground *g, Syms *about) {
    Ground *way[WAY_MAX];
    bool taken[WAY_MAX] = {0};
    int n = 0, ntaken = 0;
    for (Ground *x = g; x->from; x = x->from) {
        if (n == WAY_MAX) return g;
        way[n++] = x;
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++) {
            if (taken[i] || !shares(way[i], about)) continue;
            taken[i] = more = true;
            ntaken++;
            for (int d = 0; d < way[i]->syms.n; d++)
                if (!is_among(about, way[i]->syms.at[d])) vec_push(k->a, about, way[i]->syms.at[d]);
        }
    }
    if (ntaken == n) return g;
    Ground *to = k->p->c->ground;
    for (int i = n - 1; i >= 0; i--)
        if (taken[i]) to = go(k->a, to, way[i]->kind, way[i]->loop, way[i]->cond);
    return to;
}

static bool is_empty(const Known *k, Ground *g);

// Where to ask about a condition. Where nothing runs everything is as it was.
static Ground *where(const Known *k, Ground *at, const Expr *cond) {
    if (is_empty(k, at)) return at;
    Syms about = {0};
    find_syms(k->a, cond, &about);
    return narrow(k, at, &about);
}

// ---- questions -----------------------------------------------------------------------------------
static bool *answered(Ground *g, const Expr *cond, bool never) {
    for (int i = 0; i < g->asked.n; i++) {
        Asked *q = &g->asked.at[i];
        if (q->never == never && expr_equal(q->cond, cond)) return &q->answer;
    }
    return NULL;
}

// Keeps an answer, unless isl gave up on the way to it; then it is no.
static bool answer(const Known *k, Ground *g, const Expr *cond, bool never, bool yes) {
    bool failed = failing(k);
    if (yes && poly_gave_up(k->p)) return false;
    Asked q = {cond, never, yes};
    if (!failed) vec_push(k->a, &g->asked, q);
    return yes;
}

bool known_holds(const Known *k, Expr *cond) {
    if (is_empty(k, k->at)) return true;
    if (ground_shows(k->a, k->at, cond, false)) return false;
    Ground *g = where(k, k->at, cond);
    bool *before = answered(g, cond, false);
    if (before) return *before;
    if (ground_shows(k->a, g, cond, false)) return answer(k, g, cond, false, false);
    if (ground_proves(k->a, g, cond, true)) return answer(k, g, cond, false, true);
    isl_set *known = set_at(k, g), *s = points(k, scope(g), known, cond);
    bool yes = s && isl_set_is_subset(known, s) == isl_bool_true;
    isl_set_free(s);
    return answer(k, g, cond, false, yes);
}

static bool never_at(const Known *k, Ground *at, Expr *cond) {
    if (ground_shows(k->a, at, cond, true)) return false;
    Ground *g = where(k, at, cond);
    bool *before = answered(g, cond, true);
    if (before) return *before;
    if (ground_shows(k->a, g, cond, true)) return answer(k, g, cond, true, false);
    if (ground_proves(k->a, g, cond, false)) return answer(k, g, cond, true, true);
    isl_set *known = set_at(k, g), *s = points(k, scope(g), known, cond);
    if (!s) return answer(k, g, cond, true, false);
    s = isl_set_intersect(s, isl_set_copy(known));
    bool never = isl_set_is_empty(s) == isl_bool_true;
    isl_set_free(s);
    return answer(k, g, cond, true, never);
}

bool known_never(const Known *k, Expr *cond) { return never_at(k, k->at, cond); }

// If points got to where it came from, then what is new keeps them all away only by what has to
// do with it.
static bool is_empty(const Known *k, Ground *g) {
    if (g->empty_known) return g->empty;
    if (!g->from || ground_points(k->a, g)) return false;
    bool empty = is_empty(k, g->from);
    bool same = g->kind == ENTERED && is_counted(g->loop) && g->loop->lo->i < g->loop->hi->i;
    bool told = g->kind == TRUE_HERE && !(g->cond->kind == E_OP && g->cond->op == OP_LAND);
    if (!empty && told) {
        empty = never_at(k, g->from, g->cond); // who came here has often asked it
    } else if (!empty && !same) {
        Syms about = {0};
        for (int i = 0; i < g->syms.n; i++) vec_push(k->a, &about, g->syms.at[i]);
        empty = isl_set_is_empty(set_at(k, narrow(k, g, &about))) == isl_bool_true;
    }
    if (failing(k)) return empty;
    g->empty_known = true;
    return g->empty = empty;
}

bool known_nothing_runs(const Known *k) { return is_empty(k, k->at) && !poly_gave_up(k->p); }

bool holds_at(Compile *c, const Nest *n, const Path *place, Expr *cond) {
    poly_restart(c);
    Known k = known_at(c, n, place);
    return known_holds(&k, cond);
}
