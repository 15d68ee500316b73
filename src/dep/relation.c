// SPDX-License-Identifier: MIT
// relation.c -- walks a tree and derives its events and accesses as isl sets and maps.
#include "dep/relation.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>

// Where the walk stands: the loops around, the points that get there, the locals in scope.
typedef struct Path {
    int depth;
    const Node **loops;
    const Sym **iters;
    isl_set *domain; // kept by the walk
    bool exact;
    isl_set *real;   // NULL: domain; else the part of it that the affine parts of conditions leave
    bool plain;      // no condition so far depends on data
    int nterms;      // behind the counters in iters, domain and real
    const Term *terms;
    bool told;       // the domain is exact with them
    bool hidden;     // a condition inside of an expression that only the data decide is around
} Path;

typedef struct LocalDepth {
    const Array *array;
    int depth;
    const Node *block;
} LocalDepth;

typedef struct Walk {
    Relations *r;
    Arena *a;
    VEC(LocalDepth) locals;
    bool made;       // the tree is not the region's own
} Walk;

static PolyScope path_scope(const Path *p) { return (PolyScope){p->depth + p->nterms, p->iters}; }

// ---- terms -----------------------------------------------------------------------------

static TermScope terms_of(const Relations *r, int depth, const Sym *const *iters, int nterms,
                          const Term *terms) {
    TermScope s = {.poly = r->poly, .arrays = r->arrays, .depth = depth, .nterms = nterms};
    for (int i = 0; i < depth + nterms; i++) s.sym[i] = iters[i];
    for (int i = 0; i < nterms; i++) s.term[i] = terms[i];
    return s;
}

Expr *event_value(const Relations *r, const Event *ev, Expr *x) {
    if (!r->arrays || ev->depth > 64) return x;
    TermScope s = terms_of(r, ev->depth, ev->scope.iters, ev->nterms, ev->terms);
    return term_value(&s, x);
}

// The path with dimensions for new terms; domain and real are to be freed.
static Path with_terms(Walk *w, const Path *p, const TermScope *s) {
    Path in = *p;
    unsigned more = (unsigned)(s->nterms - p->nterms);
    in.domain = isl_set_add_dims(isl_set_copy(p->domain), isl_dim_set, more);
    in.real = p->real ? isl_set_add_dims(isl_set_copy(p->real), isl_dim_set, more) : NULL;
    if (!more) return in;
    in.iters = NEW_N(w->a, const Sym *, s->depth + s->nterms);
    Term *terms = NEW_N(w->a, Term, s->nterms);
    for (int i = 0; i < s->depth + s->nterms; i++) in.iters[i] = s->sym[i];
    for (int i = 0; i < s->nterms; i++) terms[i] = s->term[i];
    in.nterms = s->nterms;
    in.terms = terms;
    return in;
}

static bool wants_terms(const Walk *w, const Path *p) {
    return w->r->arrays && !w->r->loose && p->depth <= 64;
}

// *x and *y over counters and terms where they can be; as they are where not.
static Path told_path(Walk *w, const Path *p, Expr **x, Expr **y, bool condition) {
    TermScope s = terms_of(w->r, 0, NULL, 0, NULL);
    if (wants_terms(w, p)) {
        s = terms_of(w->r, p->depth, p->iters, p->nterms, p->terms);
        s.grow = true;
        for (int k = 0; k < 2; k++) {
            Expr **e = k ? y : x;
            Expr *told = e ? condition ? term_cond(&s, *e) : term_value(&s, *e) : NULL;
            if (told) *e = told;
        }
    } else {
        s.nterms = p->nterms;
    }
    return with_terms(w, p, &s);
}

static void drop_path(Path *p) {
    isl_set_free(p->domain);
    isl_set_free(p->real);
}

// ---- facts: unsigned subtractions must not wrap --------------------------------------

static isl_set *real_of(const Path *p) { return isl_set_copy(p->real ? p->real : p->domain); }

static void note_facts(Walk *w, const Path *p, PolyFacts *facts) {
    for (int i = 0; i < facts->n; i++) {
        isl_set *below =
            isl_pw_aff_lt_set(facts->at[i], isl_pw_aff_val_on_domain(poly_universe(w->r->poly, path_scope(p)),
                                                                     isl_val_zero(w->r->poly->ctx)));
        below = isl_set_intersect(below, real_of(p)); // i > 0 ? x[i - 1] : 0
        w->r->wrong = isl_set_union(w->r->wrong, isl_set_params(below));
    }
    facts->n = 0;
}

// ---- accesses --------------------------------------------------------------------------

static LocalDepth local_depth(Walk *w, const Array *array) {
    for (int i = w->locals.n - 1; i >= 0; i--)
        if (w->locals.at[i].array == array) return w->locals.at[i];
    return (LocalDepth){array, 0, NULL};
}

// x over counters and the path's terms; *exact: none of these is in it.
static Expr *told_value(Walk *w, const Path *p, Expr *x, bool *exact) {
    if (!wants_terms(w, p) || !p->nterms) return x;
    TermScope s = terms_of(w->r, p->depth, p->iters, p->nterms, p->terms);
    x = term_value(&s, x);
    for (int i = 0; x && i < p->nterms; i++)
        if (expr_uses_sym(x, p->terms[i].sym)) *exact = false;
    return x;
}

static isl_map *access_map(Walk *w, const Path *p, const Array *array, Expr *const *sub, bool *exact,
                           bool *told) {
    PolyFacts facts = {0};
    Expr **x = NEW_N(w->a, Expr *, array->rank + 1);
    *exact = true;
    for (int d = 0; d < array->rank; d++) x[d] = told_value(w, p, sub[d], exact);
    isl_map *map =
        relations_map(w->r->poly, path_scope(p), isl_set_copy(p->domain), array->rank, x, &facts, told);
    *exact = *exact && *told;
    note_facts(w, p, &facts);
    return map;
}

// The same read again, maybe under another condition.
static void repeat(Walk *w, const Path *p, Touch *t) {
    if (!t->real) return;
    isl_map *again = isl_map_copy(t->map);
    if (p->real) again = isl_map_intersect_domain(again, isl_set_copy(p->real));
    bool all = isl_map_is_subset(t->map, again) == isl_bool_true, sure = t->exact_map && p->exact && p->plain;
    t->sure = sure && (t->sure || all);
    t->shown = t->told && !p->hidden && (t->shown || all);
    t->plain = p->plain && (t->plain || all);
    t->real =
        all ? NULL
            : own_map(w->a, isl_map_coalesce(isl_map_union(isl_map_copy(t->real), isl_map_copy(again))));
    isl_map_free(again);
}

// Updates stand for themselves: who asks wants all of them.
static bool meets_the_same(const Touch *x, const Touch *y) {
    if (x->array != y->array || x->write != y->write || x->read != y->read || x->update != OP_SET)
        return false;
    if (y->update != OP_SET || x->private_depth != y->private_depth || x->ev->depth != y->ev->depth)
        return false;
    if (x->exact != y->exact || x->exact_map != y->exact_map) return false;
    for (int i = 0; i < x->ev->depth; i++)
        if (x->ev->loops[i] != y->ev->loops[i]) return false;
    return isl_map_plain_is_equal(x->map, y->map) == isl_bool_true;
}

static void add_touch(Walk *w, Touch t) {
    Relations *r = w->r;
    t.first = 0;
    while (t.first < r->touches.n && !meets_the_same(&r->touches.at[t.first], &t)) t.first++;
    vec_push(w->a, &r->touches, t);
}

static void touch(Walk *w, const Path *p, Event *ev, const Array *array, Expr *const *sub, bool write,
                  bool read, Op update) {
    if (w->r->loose && !write && term_is_stable(w->r->arrays, array)) return;
    for (int i = w->r->touches.n - 1; i >= 0 && w->r->touches.at[i].ev == ev; i--) { // a repeated read
        Touch *t = &w->r->touches.at[i];
        if (t->array != array || t->write != write || t->read != read) continue;
        bool same = true;
        for (int d = 0; d < array->rank; d++) same = same && expr_equal(t->sub[d], sub[d]);
        if (same) {
            repeat(w, p, t);
            return;
        }
    }
    LocalDepth local = local_depth(w, array);
    Touch t = {ev,   array, sub,  (Loc){0}, write, read,     update, local.depth, local.block,
               NULL, true,  true, true,     NULL,  p->plain, true,   true};
    t.map = own_map(w->a, access_map(w, p, array, sub, &t.exact_map, &t.told));
    t.exact = t.exact_map && ev->exact;
    t.told = t.told && ev->told;
    t.shown = t.told && !p->hidden;
    if (p->real) t.real = own_map(w->a, isl_map_intersect_domain(isl_map_copy(t.map), isl_set_copy(p->real)));
    t.sure = t.exact && p->plain;
    add_touch(w, t);
}

// Where the access that was just added is written.
static void note_loc(Walk *w, const Array *array, Loc loc) {
    Touch *t = w->r->touches.n ? &w->r->touches.at[w->r->touches.n - 1] : NULL;
    if (t && t->array == array && !t->loc.line) t->loc = loc;
}

static Event *event(Walk *w, const Path *p, const Node *n, const char *label) {
    Event *ev = NEW_AS(w->a, Event, (Event){.node = n,
                                            .loc = n->loc,
                                            .label = label,
                                            .order = w->r->events.n,
                                            .depth = p->depth,
                                            .loops = NEW_N(w->a, const Node *, p->depth + 1),
                                            .scope = path_scope(p),
                                            .domain = own_set(w->a, isl_set_copy(p->domain)),
                                            .exact = p->exact,
                                            .nterms = p->nterms,
                                            .terms = p->terms,
                                            .told = p->told});
    const Sym **iters = NEW_N(w->a, const Sym *, ev->scope.n + 1);
    for (int i = 0; i < p->depth; i++) ev->loops[i] = p->loops[i];
    for (int i = 0; i < ev->scope.n; i++) iters[i] = p->iters[i];
    ev->scope.iters = iters;
    if (wants_terms(w, p)) ev->consistent = NEW(w->a, Consistent);
    vec_push(w->a, &w->r->events, ev);
    return ev;
}

// ---- conditions ----------------------------------------------------------------------------

// Can what must not be negative be so, somewhere on the path? Frees the facts.
static bool may_wrap(Walk *w, const Path *p, PolyFacts *facts) {
    bool may = false;
    for (int i = 0; i < facts->n; i++) {
        isl_pw_aff *zero = poly_aff(w->r->poly, path_scope(p), expr_int(w->a, T_I64, 0), NULL);
        isl_set *bad = isl_set_intersect(isl_pw_aff_lt_set(facts->at[i], zero), isl_set_copy(p->domain));
        may = may || isl_set_is_empty(bad) != isl_bool_true;
        isl_set_free(bad);
    }
    return may;
}

// The points, or more, where x is (or is not) true; *plain: no more than these.
static isl_set *where(Walk *w, const Path *p, const Expr *x, bool holds, bool *plain) {
    PolyFacts facts = {0};
    isl_set *s = poly_cond(w->r->poly, path_scope(p), x, &facts);
    bool wraps = may_wrap(w, p, &facts); // then it may mean something else
    if (s && !wraps) return holds ? s : isl_set_complement(s);
    isl_set_free(s);
    if (x->kind == E_OP && x->op == OP_LNOT) return where(w, p, x->args[0], !holds, plain);
    if (x->kind == E_OP && (x->op == OP_LAND || x->op == OP_LOR)) {
        isl_set *a = where(w, p, x->args[0], holds, plain), *b = where(w, p, x->args[1], holds, plain);
        return (x->op == OP_LAND) == holds ? isl_set_intersect(a, b) : isl_set_union(a, b);
    }
    *plain = false;
    return poly_universe(w->r->poly, path_scope(p));
}

// The path on which x is (or is not) true as well, in what is real of it; to be freed.
static Path narrowed(Walk *w, const Path *p, const Expr *x, bool holds) {
    Path in = *p;
    bool plain = true;
    in.real = isl_set_coalesce(isl_set_intersect(real_of(p), where(w, p, x, holds, &plain)));
    in.plain = in.plain && plain;
    in.hidden = in.hidden || !plain;
    return in;
}

static void touch_loads(Walk *w, const Path *p, Event *ev, const Expr *x);

static void touch_loads_where(Walk *w, const Path *p, Event *ev, const Expr *x, const Expr *cond,
                              bool holds) {
    if (!expr_has_load(x)) return;
    if (w->r->loose) {
        touch_loads(w, p, ev, x);
        return;
    }
    Path in = narrowed(w, p, cond, holds);
    touch_loads(w, &in, ev, x);
    isl_set_free(in.real);
}

// Parents first, in text order.
static void touch_loads(Walk *w, const Path *p, Event *ev, const Expr *x) {
    if (!x) return;
    if (x->kind == E_LOAD) {
        touch(w, p, ev, x->array, x->args, false, true, OP_SET);
        note_loc(w, x->array, x->loc);
    }
    bool choice = x->kind == E_OP && x->op == OP_SELECT;
    bool chain = x->kind == E_OP && (x->op == OP_LAND || x->op == OP_LOR);
    for (int k = 0; k < x->nargs; k++) {
        if (k > 0 && (choice || chain))
            touch_loads_where(w, p, ev, x->args[k], x->args[0], choice ? k == 1 : x->op == OP_LAND);
        else touch_loads(w, p, ev, x->args[k]);
    }
}

static void add_control(Walk *w, const Path *p, const Node *n, const char *label, Expr *x, Expr *y) {
    if (!(x && expr_has_load(x)) && !(y && expr_has_load(y))) return;
    Event *ev = event(w, p, n, label);
    touch_loads(w, p, ev, x);
    touch_loads(w, p, ev, y);
}

// The paths of a statement's accesses, in the order of stmt_accesses: loads that a condition
// inside the expressions guards are made on a narrower one.
typedef struct Paths {
    Walk *w;
    const Node *n;
    VEC(Path) at;
} Paths;

static void add_paths(Paths *v, const Path *p, const Expr *x) {
    if (!x) return;
    if (x->kind == E_LOAD) {
        Path own = *p;
        if (p->real) own.real = own_set(v->w->a, isl_set_copy(p->real));
        vec_push(v->w->a, &v->at, own);
    }
    bool choice = x->kind == E_OP && x->op == OP_SELECT;
    bool chain = x->kind == E_OP && (x->op == OP_LAND || x->op == OP_LOR);
    for (int k = 0; k < x->nargs; k++) {
        if (k == 0 || !(choice || chain) || v->w->r->loose || !expr_has_load(x->args[k])) {
            add_paths(v, p, x->args[k]);
            continue;
        }
        const Expr *cond = node_stmt_expr(v->w->a, v->n, x->args[0]);
        Path in = narrowed(v->w, p, cond, choice ? k == 1 : x->op == OP_LAND);
        add_paths(v, &in, x->args[k]);
        isl_set_free(in.real);
    }
}

// A subscript of a statement's access over the tree's counters, locals seen through.
static Expr *seen_subscript(const Walk *w, const Node *n, Expr *x) {
    return relations_seen(w->r, n, node_stmt_expr(w->a, n, x));
}

// Terms for the subscripts of those accesses whose elements matter.
static Path path_of_accesses(Walk *w, const Path *p, int n, const Access *acc, const Node *at) {
    TermScope s = {.depth = p->depth, .nterms = p->nterms};
    if (wants_terms(w, p)) s = terms_of(w->r, p->depth, p->iters, p->nterms, p->terms), s.grow = true;
    for (int k = 0; s.grow && k < n; k++)
        for (int d = 0; d < acc[k].array->rank && term_is_asked(w->r->arrays, acc[k].array); d++)
            term_value(&s, at ? seen_subscript(w, at, acc[k].sub[d]) : acc[k].sub[d]);
    return with_terms(w, p, &s);
}

static void add_accesses(Walk *w, const Path *p, Node *n, const AccessVec *accesses) {
    const Stmt *s = n->stmt;
    Event *ev = event(w, p, n, s->label);
    ev->loc = s->loc;
    AccessVec acc = *accesses;
    Paths paths = {w, n};
    vec_push(w->a, &paths.at, *p);
    for (int k = 0; k < s->lhs->rank; k++) add_paths(&paths, p, s->sub[k]);
    add_paths(&paths, p, s->rhs);
    for (int k = 0; k < acc.n; k++) {
        const Access *x = &acc.at[k];
        const Path *own = &paths.at.at[k];
        const Array *array = n->nvia && n->via[k] ? n->via[k] : x->array;
        Op op = x->write && x->read ? s->op : OP_SET;
        if (n->nvia && n->via[k] && n->via_sub && n->via_sub[k]) { // an element of its own choice
            touch(w, own, ev, array, n->via_sub[k], x->write, x->read, op);
            continue;
        }
        Expr **sub = NEW_N(w->a, Expr *, x->array->rank + 1);
        for (int d = 0; d < x->array->rank; d++) sub[d] = seen_subscript(w, n, x->sub[d]);
        touch(w, own, ev, array, sub, x->write, x->read, op);
        note_loc(w, array, x->loc);
    }
}

static void add_stmt(Walk *w, const Path *p, Node *n) {
    AccessVec acc = stmt_accesses(w->a, n->stmt);
    Path in = path_of_accesses(w, p, acc.n, acc.at, n);
    add_accesses(w, &in, n, &acc);
    drop_path(&in);
}

static void add_copy(Walk *w, const Path *p, Node *n) {
    AccessVec acc = {0};
    if (n->dst) acc = node_accesses(w->a, n);
    Path in = path_of_accesses(w, p, acc.n, acc.at, NULL);
    Event *ev = event(w, &in, n, "copy");
    touch_loads(w, &in, ev, n->src);
    for (int d = 0; n->dst && d < n->dst->rank; d++) touch_loads(w, &in, ev, n->sub[d]);
    if (n->dst) touch(w, &in, ev, n->dst, n->sub, true, n->op != OP_SET, n->op);
    drop_path(&in);
}

// ---- the walk ----------------------------------------------------------------------------
Expr *relations_seen(const Relations *r, const Node *n, Expr *x) {
    return r->holds ? dep_seen(r->poly->c->arena, r->holds, n, x) : x;
}

static void walk(Walk *w, const Path *p, Node *n);

static const Body *body_of(const Walk *w, const Node *n) {
    for (int i = 0; w->r->bodies && i < w->r->bodies->n; i++)
        if ((w->made ? w->r->bodies->at[i].tree : w->r->bodies->at[i].region) == n)
            return &w->r->bodies->at[i];
    return NULL;
}

static bool is_there(const Relations *r, const Touch *t) {
    for (int i = r->touches.n - 1; i >= 0 && r->touches.at[i].ev == t->ev; i--) {
        const Touch *x = &r->touches.at[i];
        bool same =
            x->array == t->array && x->write == t->write && x->read == t->read && x->update == t->update;
        if (same && isl_map_plain_is_equal(x->map, t->map) == isl_bool_true) return true;
    }
    return false;
}

// Whether subtractions wrap in a body is the same in both trees if they don't in its counters' values.
static void note_counters(Walk *w, const Path *p, const Body *b) {
    PolyFacts facts = {0};
    for (int d = 0; w->made && d < b->depth; d++)
        isl_pw_aff_free(poly_aff(w->r->poly, path_scope(p), b->at[d], &facts));
    note_facts(w, p, &facts);
}

// What is touched in all iterations of the loops in it; memory of its own is nobody else's.
static void add_body(Walk *w, const Path *p, Node *n, const Body *b) {
    Relations *inside = NEW(w->a, Relations);
    *inside = (Relations){w->r->poly, w->r->region, w->r->arrays, .ctx = w->r->ctx, .loose = true};
    inside->wrong = isl_set_empty(isl_set_get_space(w->r->ctx));
    Walk in = {.r = inside, .a = w->a, .made = w->made};
    for (int i = 0; i < w->locals.n; i++) vec_push(w->a, &in.locals, w->locals.at[i]);
    Path around = *p;
    around.real = NULL;
    walk(&in, &around, n);
    isl_set_free(inside->wrong);
    note_counters(w, p, b);
    Event *ev = event(w, p, n, b->first->stmt->label);
    ev->loc = b->first->loc;
    ev->body = b;
    for (int i = 0; i < inside->touches.n; i++) {
        Touch t = inside->touches.at[i];
        if (t.decl && t.decl != local_depth(w, t.array).block) continue;
        unsigned more = (unsigned)(t.ev->depth - p->depth);
        isl_map *map = isl_map_project_out(isl_map_copy(t.map), isl_dim_in, (unsigned)p->depth, more);
        t.map = own_map(w->a, isl_map_coalesce(map));
        t.ev = ev;
        t.real = NULL;
        t.exact = t.exact_map = t.told = t.sure = t.shown = false;
        if (is_there(w->r, &t)) continue;
        t.first = w->r->touches.n;
        vec_push(w->a, &w->r->touches, t);
    }
}

// lo <= i < hi and the stride, on the new counter's dimension.
static isl_set *loop_domain(Walk *w, const Path *inner, const Node *n, const Expr *first, const Expr *end,
                            bool *affine) {
    Poly *poly = w->r->poly;
    PolyScope s = path_scope(inner);
    PolyFacts facts = {0};
    isl_set *dom = isl_set_copy(inner->domain);
    Expr *i = expr_sym(w->a, n->iter);
    bool up = n->step > 0;
    isl_set *from = poly_compare(poly, s, up ? OP_GE : OP_LE, i, first, &facts);
    isl_set *to = poly_compare(poly, s, up ? OP_LT : OP_GT, i, end, &facts);
    *affine = from && to;
    int64_t step = up ? n->step : -n->step;
    if (from && step != 1) {
        isl_pw_aff *lo = poly_aff(poly, s, first, NULL), *it = poly_aff(poly, s, i, NULL);
        isl_pw_aff *off = isl_pw_aff_mod_val(isl_pw_aff_sub(it, lo), isl_val_int_from_si(poly->ctx, step));
        from = poly_meet(from, isl_pw_aff_zero_set(off));
    }
    if (from) dom = poly_meet(dom, from);
    if (to) dom = poly_meet(dom, to);
    if (isl_set_is_empty(dom) == isl_bool_true)
        dom = isl_set_intersect(dom, isl_set_empty(isl_set_get_space(inner->domain)));
    Path at = *inner;
    note_facts(w, &at, &facts);
    return dom;
}

// The points of `in` where x is below y.
static isl_set *below(const Path *in, isl_pw_aff *x, isl_pw_aff *y) {
    return isl_set_intersect(isl_pw_aff_lt_set(x, y), isl_set_copy(in->domain));
}

// Where a counter that has to meet its bound misses it.
static isl_set *misses(Walk *w, const Path *in, const Node *n, const Expr *first, const Expr *end) {
    PolyScope s = path_scope(in);
    isl_pw_aff *lo = poly_aff(w->r->poly, s, first, NULL), *hi = poly_aff(w->r->poly, s, end, NULL);
    isl_val *step = isl_val_int_from_si(w->r->poly->ctx, n->step > 0 ? n->step : -n->step);
    isl_pw_aff *off = isl_pw_aff_mod_val(isl_pw_aff_sub(isl_pw_aff_copy(hi), isl_pw_aff_copy(lo)), step);
    isl_set *bad = isl_set_intersect(isl_pw_aff_non_zero_set(off), isl_set_copy(in->domain));
    return isl_set_union(bad, n->step > 0 ? below(in, hi, lo) : below(in, lo, hi));
}

// Where the program's own counter steps beyond its type's last value.
static isl_set *leaves_type(Walk *w, const Path *in, const Node *n, isl_set *dom) {
    PolyScope s = path_scope(in);
    Type own = n->iter->counted;
    int64_t last = n->step > 0 ? type_most(own) - n->step : type_least(own) - n->step;
    isl_pw_aff *i = poly_aff(w->r->poly, s, expr_sym(w->a, n->iter), NULL);
    isl_pw_aff *x = poly_aff(w->r->poly, s, expr_int(w->a, T_I64, last), NULL);
    return isl_set_intersect(n->step > 0 ? isl_pw_aff_gt_set(i, x) : isl_pw_aff_lt_set(i, x),
                             isl_set_copy(dom));
}

static void note_wraps(Walk *w, const Path *in, const Node *n, isl_set *dom, const Expr *lo, const Expr *hi,
                       bool told) {
    // What a rule made of a loop counts in types that each call looks at (run/narrow.c).
    if (!n->iter->counted || w->made) return;
    bool plain = told && lo == n->lo && hi == n->hi; // else memory decides
    isl_set *bad = !plain              ? isl_set_copy(in->domain)
                 : n->iter->exactly ? misses(w, in, n, lo, hi)
                                    : leaves_type(w, in, n, dom);
    w->r->wrong = isl_set_union(w->r->wrong, isl_set_params(bad));
}

static isl_set *with_counter(const Path *p, isl_set *s) {
    return isl_set_insert_dims(s, isl_dim_set, (unsigned)p->depth, 1);
}

// p: with the terms of the bounds lo and hi.
static void walk_body(Walk *w, const Path *p, Node *n, const Expr *lo, const Expr *hi) {
    Path in = *p;
    in.depth = p->depth + 1;
    in.loops = NEW_N(w->a, const Node *, in.depth);
    in.iters = NEW_N(w->a, const Sym *, in.depth + in.nterms);
    for (int i = 0; i < p->depth; i++) in.loops[i] = p->loops[i], in.iters[i] = p->iters[i];
    for (int i = 0; i < p->nterms; i++) in.iters[in.depth + i] = p->iters[p->depth + i];
    in.loops[p->depth] = n;
    in.iters[p->depth] = n->iter;
    in.domain = with_counter(p, isl_set_copy(p->domain));
    bool told = true, plain = lo == n->lo && hi == n->hi; // else they name terms
    isl_set *dom = loop_domain(w, &in, n, lo, hi, &told), *whole = in.domain;
    note_wraps(w, &in, n, dom, lo, hi, told);
    in.domain = isl_set_coalesce(dom);
    in.exact = p->exact && told && plain;
    in.told = p->told && told;
    if (p->real) in.real = isl_set_intersect(with_counter(p, isl_set_copy(p->real)), isl_set_copy(in.domain));
    LoopRange range = {n, p->depth, own_set(w->a, isl_set_copy(in.domain)), told && plain, in.exact};
    vec_push(w->a, &w->r->loops, range);
    walk(w, &in, n->body);
    isl_set_free(whole);
    drop_path(&in);
}

static void walk_for(Walk *w, const Path *p, Node *n) {
    Expr *lo = n->lo, *hi = n->hi;
    Path in = told_path(w, p, &lo, &hi, false);
    add_control(w, &in, n, "for", n->lo, n->hi);
    walk_body(w, &in, n, lo, hi);
    drop_path(&in);
}

// A condition is told only where it leaves no more convex parts: a chain of `else if` has as many as all the
// negations before multiply to.
enum { MAX_PARTS = 32 };

// cond: NULL where x can't be told; *plain: it names no terms.
static void walk_arm(Walk *w, const Path *p, Node *arm, isl_set *cond, const Expr *x, bool plain,
                     bool holds) {
    if (!arm) {
        isl_set_free(cond);
        return;
    }
    isl_set *narrow = cond ? isl_set_intersect(isl_set_copy(p->domain), isl_set_copy(cond)) : NULL;
    if (narrow) narrow = isl_set_coalesce(narrow);
    if (narrow && isl_set_n_basic_set(narrow) > MAX_PARTS) {
        isl_set_free(narrow);
        isl_set_free(cond);
        narrow = cond = NULL;
    }
    Path in = *p;
    in.exact = p->exact && cond && plain;
    in.told = p->told && cond;
    in.domain = narrow ? narrow : isl_set_copy(p->domain);
    if (cond && p->real)
        in.real = isl_set_coalesce(isl_set_intersect(isl_set_copy(p->real), isl_set_copy(cond)));
    if (!cond && !w->r->loose) in.real = narrowed(w, p, x, holds).real;
    if (w->r->loose && isl_set_n_basic_set(in.domain) > 1) {
        isl_set_free(in.domain);
        in.domain = isl_set_copy(p->domain);
    }
    in.plain = p->plain && cond && plain;
    walk(w, &in, arm);
    isl_set_free(in.domain);
    isl_set_free(in.real);
    isl_set_free(cond);
}

static void walk_if(Walk *w, const Path *p, Node *n) {
    Expr *x = n->cond;
    Path in = told_path(w, p, &x, NULL, true);
    add_control(w, &in, n, "if", n->cond, NULL);
    PolyFacts facts = {0};
    isl_set *yes = poly_cond(w->r->poly, path_scope(&in), x, &facts);
    note_facts(w, &in, &facts);
    isl_set *no = yes ? isl_set_complement(isl_set_copy(yes)) : NULL;
    walk_arm(w, &in, n->then, yes, n->cond, x == n->cond, true);
    walk_arm(w, &in, n->other, no, n->cond, x == n->cond, false);
    drop_path(&in);
}

static void walk(Walk *w, const Path *p, Node *n) {
    const Body *b = body_of(w, n);
    if (b) {
        add_body(w, p, n, b);
        return;
    }
    switch (n->kind) {
    case N_SEQ: {
        int mark = w->locals.n;
        for (int i = 0; i < n->nlocals; i++) {
            LocalDepth l = {n->locals[i], p->depth, n};
            vec_push(w->a, &w->locals, l);
        }
        for (int i = 0; i < n->nkids; i++) walk(w, p, n->kids[i]);
        w->locals.n = mark;
        break;
    }
    case N_FOR: walk_for(w, p, n); break;
    case N_IF: walk_if(w, p, n); break;
    case N_STMT: add_stmt(w, p, n); break;
    case N_COPY: add_copy(w, p, n); break;
    case N_KERNEL: walk(w, p, n->body); break;
    case N_BARRIER: break;
    }
}

LoopRange *relations_loop(const Relations *r, const Node *loop) {
    for (int i = 0; i < r->loops.n; i++)
        if (r->loops.at[i].loop == loop) return &r->loops.at[i];
    return NULL;
}

Relations *relations_with_terms(Compile *c, const Region *region, Node *root, const TermArrays *arrays,
                                const Bodies *bodies) {
    Relations *r = NEW(c->arena, Relations);
    r->poly = poly_new(c);
    r->region = region;
    c->at = region->loc;
    r->arrays = arrays;
    r->bodies = bodies;
    r->holds = arrays ? dep_holds(c->arena, region) : NULL;
    isl_set *ctx = relations_known(r);
    r->wrong = isl_set_empty(isl_set_get_space(ctx));
    Walk w = {.r = r, .a = c->arena, .made = root != region->root};
    Path top = {.domain = poly_universe(r->poly, (PolyScope){0, NULL}),
                .exact = true,
                .plain = true,
                .told = true};
    top.domain = isl_set_intersect_params(top.domain, isl_set_copy(ctx));
    r->ctx = own_set(c->arena, ctx);
    walk(&w, &top, root);
    isl_set_free(top.domain);
    own_set(c->arena, r->wrong);
    return r;
}

Relations *relations_new(Compile *c, const Region *region, Node *root) {
    return relations_with_terms(c, region, root, NULL, NULL);
}
