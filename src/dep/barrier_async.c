// SPDX-License-Identifier: MIT
// barrier_async.c -- how many groups of async copies may still be under way at each barrier.
//
//   { {coop… coop…}  {coop… coop…}          groups 0 and 1
//     barrier                               group 0 must have landed: 1 pending
//     for kt { if (…) {coop… coop…}         group kt + 2
//              thread …                     reads group kt
//              barrier } }                  group kt + 1 must have landed: 1 pending
//
// Groups are numbered in the order of time, so with G(b) groups issued before barrier b and
// a reader that needs group g, G(b) - 1 - g may be pending. Both are expressions in the
// counters around reader and copy; the last barrier before a reader is found by walking back
// from it, into the iteration before where its own begins without one.
#include "dep/barrier.h"
#include <isl/aff.h>
#include <isl/val.h>

enum { MOST_PENDING = 7 };

// ---- groups ------------------------------------------------------------------------------------

static bool is_async(const Node *n) { return n->kind == N_COPY && n->async; }

static bool is_copies_only(const Node *n) {
    if (!n) return true;
    switch (n->kind) {
    case N_COPY: return true;
    case N_FOR: return n->how == HOW_COOP;
    case N_IF: return is_copies_only(n->then) && is_copies_only(n->other);
    case N_SEQ:
        for (int i = 0; i < n->nkids; i++)
            if (!is_copies_only(n->kids[i])) return false;
        return true;
    default: return false;
    }
}

bool dep_is_async(const Node *n) { return n->kind != N_SEQ && is_copies_only(n) && node_any(n, is_async); }

// A branch is a group of its own: copies ahead of a loop stand in one branch a stage.
static bool go_together(const Node *x, const Node *y) { return x->kind != N_IF && y->kind != N_IF; }

bool dep_ends_group(const Node *seq, int k) {
    if (!dep_is_async(seq->kids[k])) return false;
    const Node *next = k + 1 < seq->nkids ? seq->kids[k + 1] : NULL;
    return !next || !dep_is_async(next) || !go_together(seq->kids[k], next);
}

// ---- how many groups before a place ----------------------------------------------------------------

typedef struct Counting {
    Barriers *b;
    Arena *a;
    const Arrival *arrival;
    isl_set *pairs;        // its pairs as points: counters of the copy, then of the reader
    Expr *group;           // the group that the copy belongs to, in renamed counters
    PolyScope scope;       // of the pairs
} Counting;

static const Gap *gap_at(const Barriers *b, int gap) { return &b->k->gaps.at[gap]; }

static bool has_chosen(const Barriers *b, const Spot *p) {
    if (p->is_phase) return false;
    for (int i = 0; i + 1 < p->nkids && p->node->kind == N_SEQ; i++)
        if (gap_at(b, p->gap + i)->chosen) return true;
    if (spot_is_serial_loop(p) && gap_at(b, p->gap)->chosen) return true;
    for (int i = 0; i < p->nkids; i++)
        if (has_chosen(b, p->kids[i])) return true;
    return false;
}

static bool is_item(const Barriers *b, const Spot *p) { return dep_is_async(p->node) && !has_chosen(b, p); }

// Is a group complete after child k of a sequence?
static bool ends_group(const Barriers *b, const Spot *seq, int k) {
    if (!is_item(b, seq->kids[k])) return false;
    if (k + 1 == seq->nkids || !is_item(b, seq->kids[k + 1])) return true;
    return gap_at(b, seq->gap + k)->chosen || !go_together(seq->kids[k]->node, seq->kids[k + 1]->node);
}

static Expr *number(Arena *a, int64_t v) { return expr_int(a, T_I64, v); }
static Expr *wide(Arena *a, Expr *x) { return expr_cast(a, T_I64, x); }

// Iterations of a loop; done: those before the present one.
static Expr *iterations(Arena *a, const Node *loop, bool done) {
    Expr *lo = wide(a, loop->lo), *hi = done ? wide(a, expr_sym(a, loop->iter)) : wide(a, loop->hi);
    int64_t step = loop->step > 0 ? loop->step : -loop->step;
    Expr *span = loop->step > 0 ? expr_sub(a, hi, lo) : expr_sub(a, lo, hi);
    if (step != 1) span = expr_op(a, OP_FDIV, expr_add(a, span, number(a, step - 1)), number(a, step), NULL);
    return done ? span : expr_op(a, OP_MAX, span, number(a, 0), NULL);
}

static Expr *groups_in(const Barriers *b, const Spot *p);

// Of a place that is not in a sequence: there an item is a group by itself.
static Expr *groups_alone(const Barriers *b, const Spot *p) {
    return is_item(b, p) ? number(b->a, 1) : groups_in(b, p);
}

// Of child k of a sequence, its own group included where it ends there.
static Expr *groups_of_child(const Barriers *b, const Spot *seq, int k) {
    if (is_item(b, seq->kids[k])) return number(b->a, ends_group(b, seq, k));
    return groups_in(b, seq->kids[k]);
}

static Expr *groups_in(const Barriers *b, const Spot *p) {
    Expr *sum = number(b->a, 0);
    const Node *n = p->node;
    if (p->is_phase || is_item(b, p)) return sum;
    if (n->kind == N_SEQ) {
        for (int i = 0; i < p->nkids; i++) sum = expr_add(b->a, sum, groups_of_child(b, p, i));
        return sum;
    }
    if (n->kind == N_FOR) return expr_mul(b->a, groups_alone(b, p->kids[0]), iterations(b->a, n, false));
    Expr *then = n->then ? groups_alone(b, p->kids[0]) : sum;
    Expr *other = n->other ? groups_alone(b, p->kids[p->nkids - 1]) : sum;
    return expr_equal(then, other) ? then : expr_op(b->a, OP_SELECT, n->cond, then, other);
}

// Groups issued before p is reached, in the counters around it.
static Expr *groups_before(const Barriers *b, const Spot *p) {
    const Spot *up = p->up;
    if (!up) return number(b->a, 0);
    Expr *sum = groups_before(b, up);
    if (up->node->kind == N_SEQ)
        for (int i = 0; i < p->index; i++) sum = expr_add(b->a, sum, groups_of_child(b, up, i));
    if (spot_is_serial_loop(up))
        sum = expr_add(b->a, sum, expr_mul(b->a, groups_alone(b, p), iterations(b->a, up->node, true)));
    return sum;
}

// The outermost item around a place, or the place itself.
static const Spot *item_around(const Barriers *b, const Spot *p) {
    const Spot *top = p;
    for (; p; p = p->up)
        if (is_item(b, p)) top = p;
    return top;
}

// ---- one barrier, one arrival -------------------------------------------------------------------------

static void limit(Counting *k, int gap, int pending) {
    Gap *g = &k->b->k->gaps.at[gap];
    if (g->pending < 0 || pending < g->pending) g->pending = pending;
}

static bool is_there(isl_set *s) { return isl_set_is_empty(s) != isl_bool_true; }

// The barrier is passed last before the reader, where cond holds (NULL: anywhere); `issued`
// groups stand before it (NULL: not known).
static void pass(Counting *k, int gap, Expr *issued, Expr *cond) {
    Poly *poly = k->b->r->poly;
    if (!k->pairs) {
        limit(k, gap, 0);
        return;
    }
    isl_set *s = isl_set_copy(k->pairs), *on = cond ? poly_cond(poly, k->scope, cond, NULL) : NULL;
    if (on) s = isl_set_intersect(s, on);
    if (is_there(s)) {
        Expr *later = issued ? expr_sub(k->a, expr_sub(k->a, issued, k->group), number(k->a, 1)) : NULL;
        isl_pw_aff *pa = later ? poly_aff(poly, k->scope, later, NULL) : NULL;
        int n = 0;
        for (; pa && n < MOST_PENDING; n++) {
            isl_pw_aff *bound = isl_pw_aff_val_on_domain(isl_set_universe(isl_set_get_space(s)),
                                                         isl_val_int_from_si(poly->ctx, n));
            isl_set *few = isl_set_intersect(isl_set_copy(s), isl_pw_aff_le_set(isl_pw_aff_copy(pa), bound));
            bool found = is_there(few);
            isl_set_free(few);
            if (found) break;
        }
        isl_pw_aff_free(pa);
        limit(k, gap, n);
    }
    isl_set_free(s);
}

static void pass_unsure(Counting *k, const Spot *p) {
    for (int g = 0; g < k->b->k->gaps.n; g++) {
        const Spot *at = gap_at(k->b, g)->at;
        while (at && at != p) at = at->up;
        if (at && gap_at(k->b, g)->chosen) limit(k, g, 0);
    }
}

// ---- walking back
// ------------------------------------------------------------------------------------------

static Expr *both(Arena *a, Expr *x, Expr *y) { return x ? expr_op(a, OP_LAND, x, y, NULL) : y; }

static Expr *is_zero(Arena *a, Expr *x, bool yes) {
    return expr_op(a, yes ? OP_EQ : OP_GT, x, number(a, 0), NULL);
}

// issued less what p issues; NULL where that varies with a counter.
static Expr *without(Counting *k, Expr *issued, Expr *part) {
    return !issued || expr_uses_iters(part) ? NULL : expr_sub(k->a, issued, part);
}

// A loop that issues no group, right behind a barrier: that one waits for what is read in the loop and
// behind it.
static bool waits_before(const Counting *k, const Spot *loop) {
    const Spot *up = loop->up;
    return !node_any(loop->node, is_async) && up && up->node->kind == N_SEQ && loop->index > 0 &&
           gap_at(k->b, up->gap + loop->index - 1)->chosen;
}

// The last barrier inside p; true: one is certainly passed. *cond gains what holds if not.
static bool walk_tail(Counting *k, const Spot *p, Expr *issued, Expr **cond);

static bool tail_of_seq(Counting *k, const Spot *p, Expr *issued, Expr **cond) {
    for (int i = p->nkids; i > 0; i--) {
        if (i < p->nkids && gap_at(k->b, p->gap + i - 1)->chosen) {
            pass(k, p->gap + i - 1, issued, *cond);
            return true;
        }
        if (walk_tail(k, p->kids[i - 1], issued, cond)) return true;
        issued = without(k, issued, groups_of_child(k->b, p, i - 1));
    }
    return false;
}

static bool tail_of_loop(Counting *k, const Spot *p, Expr *issued, Expr **cond) {
    Expr *trip = iterations(k->a, p->node, false);
    bool fixed = !expr_uses_iters(trip);
    Expr *some = fixed ? both(k->a, *cond, is_zero(k->a, trip, false)) : *cond;
    if (waits_before(k, p)) return false;
    if (gap_at(k->b, p->gap)->chosen) {
        pass(k, p->gap, issued, some);
    } else {
        Expr *rest = some;
        if (!walk_tail(k, p->kids[0], issued, &rest)) {
            pass_unsure(k, p);
            return false;
        }
    }
    if (fixed) *cond = both(k->a, *cond, is_zero(k->a, trip, true));
    return false;
}

static bool walk_tail(Counting *k, const Spot *p, Expr *issued, Expr **cond) {
    if (!has_chosen(k->b, p)) return false;
    if (p->node->kind == N_SEQ) return tail_of_seq(k, p, issued, cond);
    if (p->node->kind == N_FOR) return tail_of_loop(k, p, issued, cond);
    bool all = p->node->then && p->node->other;
    for (int i = 0; i < p->nkids; i++) {
        Expr *here = *cond;
        all &= walk_tail(k, p->kids[i], issued, &here);
    }
    return all;
}

// From the beginning of a body: the iteration before, unless there is none.
static void into_previous(Counting *k, const Spot *loop, Expr **cond) {
    Expr *issued = groups_before(k->b, loop->kids[0]), *done = iterations(k->a, loop->node, true);
    Expr *later = both(k->a, *cond, is_zero(k->a, done, false));
    if (gap_at(k->b, loop->gap)->chosen) pass(k, loop->gap, issued, later);
    else if (!walk_tail(k, loop->kids[0], issued, &later)) {
        pass_unsure(k, loop);
        return;
    }
    *cond = both(k->a, *cond, is_zero(k->a, done, true));
}

// The outermost loop around the reader in which nothing needs to wait, or the reader.
static const Spot *behind_wait(const Counting *k, const Spot *reader) {
    const Spot *at = reader;
    for (const Spot *p = reader; p; p = p->up)
        if (spot_is_serial_loop(p) && waits_before(k, p)) at = p;
    return at;
}

static void walk_back(Counting *k, const Spot *p) {
    Expr *cond = NULL;
    for (const Spot *up = p->up; up; p = up, up = p->up) {
        if (spot_is_serial_loop(up) && has_chosen(k->b, up)) into_previous(k, up, &cond);
        if (up->node->kind != N_SEQ) continue;
        Expr *issued = groups_before(k->b, p);
        for (int i = p->index; i > 0; i--) {
            if (gap_at(k->b, up->gap + i - 1)->chosen) {
                pass(k, up->gap + i - 1, issued, cond);
                return;
            }
            if (walk_tail(k, up->kids[i - 1], issued, &cond)) return;
            issued = expr_sub(k->a, issued, groups_of_child(k->b, up, i - 1));
        }
    }
}

// ---- all of them
// ---------------------------------------------------------------------------------------------

static const Sym *renamed(Arena *a, const Sym *s) {
    Sym *t = NEW_AS(a, Sym, *s);
    t->name = arena_printf(a, "%s'", s->name);
    return t;
}

static void count_arrival(Barriers *b, const Arrival *r) {
    Arena *a = b->a;
    const Event *x = b->r->events.at[r->from->first], *y = b->r->events.at[r->to->first];
    int nx = r->from->at->loops, ny = r->to->at->loops;
    const Sym **iters = NEW_N(a, const Sym *, nx + ny + 1);
    Expr **to = NEW_N(a, Expr *, nx + 1);
    for (int i = 0; i < nx; i++) {
        iters[i] = renamed(a, x->scope.iters[i]);
        to[i] = expr_sym(a, iters[i]);
    }
    for (int i = 0; i < ny; i++) iters[nx + i] = y->scope.iters[i];
    Counting k = {b, a, r, NULL, NULL, {nx + ny, iters}};
    k.group = expr_subst(a, groups_before(b, item_around(b, r->from->at)), nx, x->scope.iters, to);
    if (r->pairs) k.pairs = isl_set_flatten(isl_map_wrap(isl_map_copy(r->pairs)));
    walk_back(&k, behind_wait(&k, item_around(b, r->to->at)));
    isl_set_free(k.pairs);
}

void barriers_count_pending(Barriers *b) {
    for (int i = 0; i < b->arrivals.n; i++) count_arrival(b, &b->arrivals.at[i]);
}
