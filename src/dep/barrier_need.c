// SPDX-License-Identifier: MIT
// barrier_need.c -- which phases of a block meet on a word, and where a barrier would part them.
//
// Two accesses by different threads, one of them a write, must not run in the same stretch
// between barriers. For x in phase P before y in phase Q the pair is one of
//
//   independent     no loop around both lies between them:     any gap on the way from P to Q;
//                   y never in the first iteration of a loop   ... or any that each iteration
//                   around Q alone:                            of that loop passes
//   near, loop L    y is in the next iteration of L:           any gap behind P or before Q in L
//   far, loop L     later than the next:                       any gap of L
#include "dep/barrier.h"
#include "dep/conflict.h"
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

typedef struct Meeting {   // of two phases, `from` first in time
    const Phase *from, *to;
    const Spot *common;   // the innermost place around both
    int loops;             // around both
    bool independent;
    bool first;            // … also where the outermost loop around `to` alone begins
    bool near[32], far[32];
    bool wide;             // threads of different warps may meet
    const Array *array;    // an example
    const Touch *x, *y;
} Meeting;

enum { MAX_LOOPS = 32, WARP = 32 };

// ---- words ------------------------------------------------------------------------------------

// Do equal subscripts mean equal words, and others other words?
static bool same_words(const Touch *x, const Touch *y) {
    const Array *v = x->array, *w = y->array;
    return v == w ||
           (v->rank == 1 && w->rank == 1 && v->stride == w->stride && v->offset == w->offset &&
            v->place == PLACE_SHARED && w->place == PLACE_SHARED && type_size(v->elem) == type_size(w->elem));
}

static bool is_exact(const Touch *x, const Touch *y) { return x->exact && y->exact && same_words(x, y); }

// ---- places ----------------------------------------------------------------------------------

static int height(const Spot *p) {
    int n = 0;
    for (; p->up; p = p->up) n++;
    return n;
}

static const Spot *common_spot(const Spot *p, const Spot *q) {
    int n = height(p), m = height(q);
    for (; n > m; n--) p = p->up;
    for (; m > n; m--) q = q->up;
    while (p != q) p = p->up, q = q->up;
    return p;
}

static int loops_around_both(const Spot *p, const Spot *q, const Spot *common) {
    if (common == p || common == q) return common->loops;
    return common->loops + (common->node->kind == N_FOR);
}

static const Spot *loop_spot(const Spot *p, int level) {
    for (; p; p = p->up)
        if (p->node->kind == N_FOR && !p->is_phase && p->loops == level) return p;
    return NULL;
}

// The outermost serial loop around `to` that is not around `from`; NULL: none.
static const Spot *entered_loop(const Meeting *m) {
    const Spot *loop = loop_spot(m->to->at, m->loops);
    return loop && spot_is_serial_loop(loop) && loop != m->to->at ? loop : NULL;
}

// ---- where barriers would help ------------------------------------------------------------------

static void mark(Barriers *b, Need *n, int gap) {
    if (b->k->gaps.at[gap].allowed) n->gaps[gap] = true;
}

// Those that each iteration passes.
static void mark_always(Barriers *b, Need *n, const Spot *p) {
    if (p->node->kind != N_SEQ) return;
    for (int i = 1; i < p->nkids; i++) mark(b, n, p->gap + i - 1);
    for (int i = 0; i < p->nkids; i++) mark_always(b, n, p->kids[i]);
}

// What stands in a loop that certainly runs.
static void mark_sure_loop(Barriers *b, Need *n, const Spot *p) {
    const Node *l = p->node;
    if (!spot_is_serial_loop(p) || l->lo->kind != E_INT || l->hi->kind != E_INT) return;
    if (l->step > 0 ? l->lo->i < l->hi->i : l->lo->i > l->hi->i) mark_always(b, n, p->kids[0]);
}

// What stands inside of a sibling that is passed as a whole: barriers of the author in there part, too.
static void mark_passed(Barriers *b, Need *n, const Spot *p) {
    if (!b->as_written) return;
    mark_always(b, n, p);
    mark_sure_loop(b, n, p);
}

// Behind p, up to the end of the body of `top` (not counting gaps of top itself).
static void mark_after(Barriers *b, Need *n, const Spot *p, const Spot *top) {
    for (; p->up && p->up != top; p = p->up) {
        const Spot *up = p->up;
        if (up->node->kind == N_SEQ)
            for (int i = p->index + 1; i < up->nkids; i++)
                mark(b, n, up->gap + i - 1), mark_passed(b, n, up->kids[i]);
        if (spot_is_serial_loop(up)) mark(b, n, up->gap);
    }
}

static void mark_before(Barriers *b, Need *n, const Spot *p, const Spot *top) {
    for (; p->up && p->up != top; p = p->up)
        if (p->up->node->kind == N_SEQ)
            for (int i = 1; i <= p->index; i++)
                mark(b, n, p->up->gap + i - 1), mark_passed(b, n, p->up->kids[i - 1]);
}

static int child_toward(const Spot *p, const Spot *top) {
    while (p->up != top) p = p->up;
    return p->index;
}

static bool add_need(Barriers *b, const Meeting *m, const Spot *loop, bool far) {
    Need n = {NEW_N(b->a, bool, b->k->gaps.n + 1), m->from, m->to, m->array, m->x, m->y,
              m->x && is_exact(m->x, m->y),        m->wide};
    const Spot *top = loop ? loop : m->common;
    if (m->from->at != top) mark_after(b, &n, m->from->at, top);
    if (m->to->at != top) mark_before(b, &n, m->to->at, top);
    if (loop) {
        mark(b, &n, loop->gap);
        if (far) mark_always(b, &n, loop->kids[0]);
    } else if (top->node->kind == N_SEQ && m->from->at != top && m->to->at != top) {
        int i = child_toward(m->from->at, top), j = child_toward(m->to->at, top);
        for (; i < j; i++) {
            mark(b, &n, top->gap + i);
            if (i + 1 < j) mark_passed(b, &n, top->kids[i + 1]);
        }
    }
    const Spot *entered = loop || m->first ? NULL : entered_loop(m);
    if (entered) {
        mark(b, &n, entered->gap);
        mark_always(b, &n, entered->kids[0]);
    }
    for (int g = 0; g < b->k->gaps.n; g++)
        if (n.gaps[g]) {
            vec_push(b->a, &b->needs, n);
            return true;
        }
    if (b->as_written) {
        Clash c = {m->x, m->y, is_exact(m->x, m->y), false};
        vec_push(b->a, &b->clashes, c);
        return true;
    }
    diag(b->c, DIAG_ERROR, SC_BARRIER, m->to->at->node->loc,
         "threads of a block meet on %s where not all of them arrive: no barrier can stand there",
         m->array->name);
    return false;
}

// ---- who meets ------------------------------------------------------------------------------------

static bool is_common_memory(const Touch *t) {
    return t->array->place == PLACE_SHARED || t->array->place == PLACE_USER || t->array->place == PLACE_TEMP;
}

static bool is_atomic(const Touch *t) { return t->update != OP_SET && t->ev->node->atomic; }

static bool may_meet(const Touch *x, const Touch *y) {
    if (!is_common_memory(x) || !may_conflict(x, y)) return false;
    return !(is_atomic(x) && is_atomic(y) && x->update == y->update && x->array == y->array);
}

static bool is_in(const Phase *p, const Touch *t) {
    return t->ev->order >= p->first && t->ev->order < p->end;
}

// Where the element lies: a buffer that caches an array begins at its origin.
static isl_map *word_map(Barriers *b, const Touch *t) {
    const Array *array = t->array;
    if (array->place != PLACE_SHARED || !array->origin) return isl_map_copy(t->map);
    Poly *poly = b->r->poly;
    isl_space *space = isl_space_alloc(poly->ctx, 0, (unsigned)t->ev->depth, (unsigned)array->rank);
    isl_map *map = isl_map_intersect_domain(isl_map_universe(space), isl_set_copy(t->ev->domain));
    for (int d = 0; d < array->rank; d++) {
        isl_pw_aff *pa = poly_aff(poly, t->ev->scope, expr_sub(b->a, t->sub[d], array->origin[d]), NULL);
        if (!pa) continue;
        isl_map *one = isl_map_insert_dims(isl_map_from_pw_aff(pa), isl_dim_out, 0, (unsigned)d);
        map = isl_map_intersect(map, isl_map_insert_dims(one, isl_dim_out, (unsigned)d + 1,
                                                         (unsigned)(array->rank - d - 1)));
    }
    return map;
}

// ---- threads ----------------------------------------------------------------------------------------

static int64_t extent_of(Barriers *b, const Event *ev, const Node *loop) {
    Expr *e = expr_sub(b->a, expr_cast(b->a, T_I64, loop->hi), expr_cast(b->a, T_I64, loop->lo));
    if (e->kind == E_INT) return e->i;
    isl_pw_aff *pa = poly_aff(b->r->poly, ev->scope, e, NULL);
    int64_t n = -1;
    if (pa && isl_pw_aff_is_cst(pa) == isl_bool_true) {
        isl_val *v = isl_set_plain_get_val_if_fixed(isl_map_range(isl_map_from_pw_aff(isl_pw_aff_copy(pa))),
                                                    isl_dim_set, 0);
        poly_int(v, &n);
        isl_val_free(v);
    }
    isl_pw_aff_free(pa);
    return n;
}

// [counters] -> [number of the thread, or of its group of `unit` threads]; NULL: not known.
static isl_map *thread_map(Barriers *b, const Phase *p, const Event *ev, int unit) {
    Arena *a = b->a;
    if (p->anyone || ev->depth < p->at->loops + p->ndigits) return NULL;
    Expr *number = expr_int(a, T_I64, 0);
    for (int d = 0; d < p->ndigits; d++) {
        const Node *loop = p->digit[d];
        int64_t extent = extent_of(b, ev, loop);
        if (extent < 0 || ev->loops[p->at->loops + d] != loop || loop->step != 1) return NULL;
        Expr *digit =
            expr_sub(a, expr_cast(a, T_I64, expr_sym(a, loop->iter)), expr_cast(a, T_I64, loop->lo));
        number = expr_add(a, expr_mul(a, number, expr_int(a, T_I64, extent)), digit);
    }
    if (unit > 1) number = expr_op(a, OP_FDIV, number, expr_int(a, T_I64, unit), NULL);
    isl_pw_aff *pa = poly_aff(b->r->poly, ev->scope, number, NULL);
    return pa ? isl_map_from_pw_aff(pa) : NULL;
}

// Leaves the pairs of different threads, or groups of `unit` threads.
static isl_map *by_different_threads(Barriers *b, const Phase *p, const Phase *q, const Touch *x,
                                     const Touch *y, int unit, isl_map *m) {
    isl_map *tx = thread_map(b, p, x->ev, unit), *ty = tx ? thread_map(b, q, y->ev, unit) : NULL;
    if (!ty) {
        isl_map_free(tx);
        return m;
    }
    isl_space *space = isl_space_map_from_set(isl_space_range(isl_map_get_space(tx)));
    isl_map *less = isl_map_order_lt(isl_map_universe(isl_space_copy(space)), isl_dim_in, 0, isl_dim_out, 0);
    isl_map *more = isl_map_order_gt(isl_map_universe(space), isl_dim_in, 0, isl_dim_out, 0);
    ty = isl_map_reverse(ty);
    less = isl_map_apply_range(isl_map_apply_range(isl_map_copy(tx), less), isl_map_copy(ty));
    more = isl_map_apply_range(isl_map_apply_range(tx, more), ty);
    less = isl_map_intersect(isl_map_copy(m), less);
    return isl_map_union(less, isl_map_intersect(m, more));
}

// ---- pairs of accesses --------------------------------------------------------------------------------

static isl_map *equal_counters(isl_map *m, int from, int to) {
    for (int l = from; l < to; l++) m = isl_map_equate(m, isl_dim_in, l, isl_dim_out, l);
    return m;
}

// Pairs on one word, of one block.
static isl_map *on_one_word(Barriers *b, const Touch *x, const Touch *y, int loops) {
    isl_map *m;
    if (same_words(x, y)) m = isl_map_apply_range(word_map(b, x), isl_map_reverse(word_map(b, y)));
    else m = isl_map_from_domain_and_range(isl_set_copy(x->ev->domain), isl_set_copy(y->ev->domain));
    for (int l = 0; l < loops; l++)
        if (l < b->k->root->loops || x->ev->loops[l]->how == HOW_BLOCK) m = equal_counters(m, l, l + 1);
    return isl_map_intersect_params(m, isl_set_copy(b->ctx));
}

static isl_map *keep_outer(isl_map *m, const Phase *p, const Phase *q) {
    unsigned in = (unsigned)p->at->loops, out = (unsigned)q->at->loops;
    m = isl_map_project_out(m, isl_dim_in, in, (unsigned)isl_map_dim(m, isl_dim_in) - in);
    return isl_map_project_out(m, isl_dim_out, out, (unsigned)isl_map_dim(m, isl_dim_out) - out);
}

static bool is_none(isl_map *m) { return isl_map_is_empty(m) == isl_bool_true; } // false: some, or unknown

static void note_arrival(Barriers *b, const Meeting *m, const Touch *x, isl_map *pairs) {
    if (!x->ev->node->async) return;
    Arrival r = {m->from, m->to, pairs ? own_map(b->a, isl_map_copy(pairs)) : NULL};
    vec_push(b->a, &b->arrivals, r);
}

// The pairs whose counters differ by one step of the loop.
static isl_map *one_step(isl_map *m, const Node *loop, int level) {
    isl_local_space *ls = isl_local_space_from_space(isl_map_get_space(m));
    isl_constraint *eq = isl_constraint_alloc_equality(ls);
    eq = isl_constraint_set_coefficient_si(eq, isl_dim_in, level, 1);
    eq = isl_constraint_set_coefficient_si(eq, isl_dim_out, level, -1);
    eq = isl_constraint_set_constant_si(eq, (int)loop->step);
    return isl_map_add_constraint(m, eq);
}

// ---- meetings of phases ---------------------------------------------------------------------------------

static void note_example(Meeting *m, const Touch *x, const Touch *y) {
    bool better = !m->x || (is_exact(x, y) && !is_exact(m->x, m->y));
    m->array = x->array;
    if (better) m->x = x, m->y = y;
}

static void carried(Barriers *b, Meeting *m, const Touch *x, const Touch *y, isl_map *pairs, int level) {
    const Node *loop = loop_spot(m->from->at, level)->node;
    isl_map *p = equal_counters(isl_map_copy(pairs), 0, level);
    p = loop->step > 0 ? isl_map_order_lt(p, isl_dim_in, level, isl_dim_out, level)
                       : isl_map_order_gt(p, isl_dim_in, level, isl_dim_out, level);
    if (!is_none(p)) {
        m->far[level] = true;
        note_example(m, x, y);
        note_arrival(b, m, x, p);
        isl_map *next = one_step(isl_map_copy(p), loop, level);
        if (!is_none(next)) m->near[level] = true;
        isl_map_free(next);
    }
    isl_map_free(p);
}

// May one of the pairs have its second access in the first iteration of the loop entered?
static bool is_at_first(const Meeting *m, isl_map *pairs) {
    const Spot *loop = entered_loop(m);
    if (!loop || loop->node->lo->kind != E_INT) return true;
    isl_map *p = isl_map_fix_si(isl_map_copy(pairs), isl_dim_out, (unsigned)m->loops, (int)loop->node->lo->i);
    bool some = !is_none(p);
    isl_map_free(p);
    return some;
}

// x is in m->from and comes first.
static void meet(Barriers *b, Meeting *m, const Touch *x, const Touch *y, isl_map *pairs) {
    bool async = x->ev->node->async; // it reads and writes until a barrier waits for it
    for (int l = b->k->root->loops; l < m->loops && l < MAX_LOOPS; l++) {
        const Spot *loop = loop_spot(m->from->at, l);
        if (loop && spot_is_serial_loop(loop) && (async || !m->near[l])) carried(b, m, x, y, pairs, l);
    }
    bool apart = m->common->node->kind == N_IF && m->common != m->from->at;
    if (m->from->first >= m->to->first || apart || (m->independent && m->first && !async)) return;
    isl_map *p = equal_counters(isl_map_copy(pairs), 0, m->loops);
    if (!is_none(p)) {
        m->independent = true;
        m->first = m->first || is_at_first(m, p);
        note_example(m, x, y);
        note_arrival(b, m, x, p);
    }
    isl_map_free(p);
}

// Threads of one phase: no barrier can part them.
static void meet_inside(Barriers *b, const Phase *p, const Touch *x, const Touch *y, isl_map *pairs) {
    if (b->x || p->anyone || !is_exact(x, y)) return; // else they only may
    pairs = equal_counters(isl_map_copy(pairs), 0, p->at->loops);
    if (b->when && isl_map_is_empty(pairs) == isl_bool_false)
        pairs = isl_map_intersect_params(pairs, isl_set_copy(b->when));
    if (isl_map_is_empty(pairs) == isl_bool_false) b->x = x, b->y = y;
    isl_map_free(pairs);
}

// The same, of a tree that has its barriers: all of them, and which are between lanes of a warp.
static void collect_inside(Barriers *b, const Phase *p, const Touch *x, const Touch *y, isl_map *pairs) {
    if (p->anyone) return;
    isl_map *m = equal_counters(isl_map_copy(pairs), 0, p->at->loops);
    if (isl_map_is_empty(m) == isl_bool_false) {
        isl_map *apart = by_different_threads(b, p, p, x, y, WARP, isl_map_copy(m));
        Clash c = {x, y, is_exact(x, y), isl_map_is_empty(apart) == isl_bool_true};
        vec_push(b->a, &b->clashes, c);
        isl_map_free(apart);
    }
    isl_map_free(m);
}

static bool is_settled(const Barriers *b, const Meeting *m, const Touch *x, const Touch *y) {
    if (x->ev->node->async || y->ev->node->async || m->from == m->to) return false;
    if (b->as_written && m->x && !is_exact(m->x, m->y)) return false; // a surer example may come
    bool possible = m->from->first < m->to->first, some = possible;
    for (int l = 0; l < m->loops; l++) {
        const Spot *loop = loop_spot(m->from->at, l);
        bool carries = loop && spot_is_serial_loop(loop);
        if (carries && !m->near[l]) return false;
        some = some || carries;
    }
    return (!some || m->wide) && (!possible || (m->independent && m->first));
}

static void note_width(Barriers *b, Meeting *pq, Meeting *qp, const Touch *x, const Touch *y,
                       isl_map *pairs) {
    isl_map *m = by_different_threads(b, pq->from, pq->to, x, y, WARP, isl_map_copy(pairs));
    pq->wide = qp->wide = !is_none(m);
    isl_map_free(m);
}

static void meet_pair(Barriers *b, Meeting *pq, Meeting *qp, const Touch *x, const Touch *y) {
    poly_tick(b->r->poly);
    if (is_settled(b, pq, x, y) && is_settled(b, qp, x, y)) return;
    isl_map *m = on_one_word(b, x, y, pq->loops);
    m = by_different_threads(b, pq->from, pq->to, x, y, 1, m);
    if (is_none(m)) {
        isl_map_free(m);
        return;
    }
    if (!pq->wide) note_width(b, pq, qp, x, y, m);
    if (pq->from == pq->to && b->as_written) collect_inside(b, pq->from, x, y, m);
    m = keep_outer(m, pq->from, pq->to);
    if (pq->from == pq->to && !b->as_written) meet_inside(b, pq->from, x, y, m);
    meet(b, pq, x, y, m);
    m = isl_map_reverse(m);
    meet(b, qp, y, x, m);
    isl_map_free(m);
}

static Meeting meeting(const Phase *from, const Phase *to) {
    const Spot *common = common_spot(from->at, to->at);
    return (Meeting){from, to, common, loops_around_both(from->at, to->at, common)};
}

static bool add_needs(Barriers *b, const Meeting *m) {
    for (int l = 0; l < m->loops && l < MAX_LOOPS; l++)
        if (m->far[l] && !add_need(b, m, loop_spot(m->from->at, l), !m->near[l])) return false;
    return !m->independent || add_need(b, m, NULL, false);
}

// In a long kernel: phases of one sequence with two barriers of the author between them, and no
// loop around that could bring them together, need not be looked at.
static bool far_apart(Barriers *b, const Phase *p, const Phase *q) {
    enum { MANY = 16 };
    const Spot *top = common_spot(p->at, q->at);
    if (!b->as_written || b->k->phases.n <= MANY || top->node->kind != N_SEQ || top == p->at || top == q->at)
        return false;
    for (const Spot *up = top; up; up = up->up)
        if (spot_is_serial_loop(up)) return false;
    int between = 0;
    for (int i = child_toward(p->at, top) + 1; i < child_toward(q->at, top); i++)
        between += top->kids[i]->node->kind == N_BARRIER;
    b->skipped |= between > 1;
    return between > 1;
}

static bool meet_phases(Barriers *b, const Phase *p, const Phase *q) {
    if (p != q && far_apart(b, p, q)) return true;
    Meeting pq = meeting(p, q), qp = meeting(q, p);
    for (int i = 0; i < b->r->touches.n; i++) {
        const Touch *x = &b->r->touches.at[i];
        for (int j = p == q ? i : 0; is_in(p, x) && j < b->r->touches.n; j++) {
            const Touch *y = &b->r->touches.at[j];
            if (is_in(q, y) && may_meet(x, y)) meet_pair(b, &pq, &qp, x, y);
        }
        if (isl_ctx_last_error(b->r->poly->ctx) != isl_error_none) return true; // the budget is used up
    }
    return add_needs(b, &pq) && add_needs(b, &qp);
}

static bool all_are_outside_threads(Barriers *b) {
    const Node *n = b->k->misplaced;
    if (!n) return true;
    diag(b->c, DIAG_ERROR, SC_BARRIER, n->loc,
         "the %s loop %s stands inside a phase: not all threads of the block would arrive at its barriers",
         how_name(n->how), n->iter->name);
    return false;
}

bool barriers_find_needs(Barriers *b) {
    if (!all_are_outside_threads(b)) return false;
    for (int i = 0; i < b->k->phases.n; i++)
        for (int j = i; j < b->k->phases.n; j++)
            if (!meet_phases(b, &b->k->phases.at[i], &b->k->phases.at[j])) return false;
    if (!b->x) return true;
    diag(b->c, DIAG_ERROR, SC_BARRIER, b->y->ev->loc,
         "%s and %s of different threads meet on %s in one phase, where no barrier can stand",
         b->x->ev->label, b->y->ev->label, b->x->array->name);
    return false;
}
