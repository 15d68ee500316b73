// SPDX-License-Identifier: MIT
// chain.c -- which loops of a chain may become blocks and threads, and which is best as x.
#include "plan/auto.h"
#include "rule/loops.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <string.h>

// ---- conflicts that forbid -------------------------------------------------------------

static isl_set *join(Arena *a, isl_set *x, isl_set *y) {
    if (!x || !y) return x ? x : y;
    return own_set(a, isl_set_coalesce(isl_set_union(isl_set_copy(x), isl_set_copy(y))));
}

static bool is_asserted(const Plan *p, const Chain *c, int loop) {
    if (!p->o->asserted) return false;
    for (int i = 0; i <= loop; i++)
        if (!c->loop[i]->mark || c->loop[i]->mark->assert != ASSERT_PARALLEL) return false;
    return true;
}

static bool all_atomic(const Conflicts *k) {
    for (int i = 0; i < k->updates.n; i++)
        if (!touch_is_atomic(k->updates.at[i])) return false;
    return true;
}

static bool settles(Relations *r, const Node *loop, isl_set *bad, bool certain, Expr **when) {
    Answer ans = answer_for(r, loop, bad, certain, when);
    return ans == ANSWER_ALWAYS || ans == ANSWER_WHEN;
}

static void judge_loop(Plan *p, ChainFacts *f, int i) {
    LoopFreedom *l = &f->loop[i];
    const Node *loop = f->chain.loop[i];
    Conflicts *k = l->conflicts = conflicts_of(f->rel, loop, f->base + i, f->base);
    bool vouched = is_asserted(p, &f->chain, i);
    bool unordered_ok = p->c->unordered || (k->updates.n && all_atomic(k));
    isl_set *maybe = vouched ? NULL : k->maybe;
    isl_set *ordered = unordered_ok ? NULL : k->ordered;
    isl_set *updates = join(p->a, k->update, unordered_ok ? k->ordered : NULL);
    isl_set *fixed = join(p->a, join(p->a, k->hard, maybe), ordered);
    l->asserted = vouched && k->maybe;
    if (loop->mark && loop->mark->assert == ASSERT_SEQ) return;
    isl_set *meets = join(p->a, fixed, updates), *mixes = join(p->a, fixed, k->mixed);
    Expr *when;
    if (settles(f->rel, loop, meets, !maybe, &l->when)) l->freedom = FREE_YES;
    bool atomic = k->updates.n && (l->freedom != FREE_YES || is_free_when_short(f->rel, loop, meets));
    if (atomic && settles(f->rel, loop, mixes, !maybe, &when)) l->freedom = FREE_ATOMIC, l->when = when;
}

// The first loop met that is not free, and why.
static void find_blame(Plan *p, const ChainFacts *f) {
    for (int i = 0; i < f->chain.n && !p->blame; i++) {
        const Node *loop = f->chain.loop[i];
        const Conflicts *k = f->loop[i].conflicts;
        bool ordered = loop->mark && loop->mark->assert == ASSERT_SEQ;
        if (!ordered && f->loop[i].freedom != FREE_YES && k->x)
            p->blame = loop, p->blame_x = k->x, p->blame_y = k->y;
    }
}

bool chain_before(const ChainFacts *f, const Touch *x, const Touch *y) {
    isl_map *equal = same_element(f->rel, x, y);
    bool found = false;
    for (int l = 0; l < f->base; l++) equal = isl_map_equate(equal, isl_dim_in, l, isl_dim_out, l);
    for (int l = f->base; l < common_loops(x->ev, y->ev) && !found; l++) {
        isl_map *m = isl_map_copy(equal);
        m = x->ev->loops[l]->step > 0 ? isl_map_order_lt(m, isl_dim_in, l, isl_dim_out, l)
                                      : isl_map_order_gt(m, isl_dim_in, l, isl_dim_out, l);
        found = isl_map_is_empty(m) != isl_bool_true;
        isl_map_free(m);
        equal = isl_map_equate(equal, isl_dim_in, l, isl_dim_out, l);
    }
    found = found || (x->ev->order < y->ev->order && isl_map_is_empty(equal) != isl_bool_true);
    isl_map_free(equal);
    return found;
}

// ---- bounds without the chain's counters --------------------------------------------------

static bool uses_chain(const Chain *c, const Expr *x) {
    for (int i = 0; i < c->n; i++)
        if (expr_uses_sym(x, c->loop[i]->iter)) return true;
    return false;
}

// Counters of host loops as parameters: poly_bound answers over parameters only, so the
// first `base` dimensions of the range are moved there.
isl_set *chain_params(Plan *p, const ChainFacts *f, isl_set *s) {
    for (int i = 0; i < f->base; i++) {
        Expr *x = expr_sym(p->a, p->host[i]->iter);
        isl_id *id = poly_param(f->rel->poly, x);
        s = isl_set_move_dims(s, isl_dim_param, isl_set_dim(s, isl_dim_param), isl_dim_set, 0, 1);
        s = isl_set_set_dim_id(s, isl_dim_param, isl_set_dim(s, isl_dim_param) - 1, id);
    }
    return s;
}

Expr *chain_runs(Plan *p, ChainFacts *f, const Touch *t) {
    isl_set *s = chain_params(p, f, isl_set_copy(t->ev->domain));
    return poly_cond_expr(f->rel->poly, isl_set_params(s), f->rel->ctx);
}

static void hull(Plan *p, ChainFacts *f, int i) {
    LoopFreedom *l = &f->loop[i];
    const Node *loop = f->chain.loop[i];
    const LoopRange *range = relations_loop(f->rel, loop);
    if (loop->step != 1 || !range || !range->exact) return;
    isl_set *s = chain_params(p, f, isl_set_copy(range->domain));
    l->dim.lo = poly_bound(f->rel->poly, s, i, false, f->rel->ctx);
    Expr *last = poly_bound(f->rel->poly, s, i, true, f->rel->ctx);
    isl_set_free(s);
    if (!l->dim.lo || !last) return;
    l->dim.hi = expr_add(p->a, last, expr_int(p->a, T_I64, 1));
    l->dim.exact = false;
    l->bounded = true;
}

static void bound_loop(Plan *p, ChainFacts *f, int i) {
    LoopFreedom *l = &f->loop[i];
    const Node *loop = f->chain.loop[i];
    l->dim = (MapDim){.loop = i, .threads = 1};
    bool loads = expr_has_load(loop->lo) || expr_has_load(loop->hi);
    if (!loads && !uses_chain(&f->chain, loop->lo) && !uses_chain(&f->chain, loop->hi)) {
        l->dim.lo = loop->lo;
        l->dim.hi = loop->hi;
        l->dim.exact = l->bounded = true;
        int64_t n = loop_literal_trips(loop->lo, loop->hi, loop->step);
        l->dim.small = n > 0 && n <= 65535;
    } else {
        hull(p, f, i);
    }
}

// ---- the whole chain -------------------------------------------------------------------------
// Other ways to plan a loop ask the same of it: what was found out is kept with what it rests on. Nodes never
// change, so the same node has the same facts, and so has another that is the same to the word.

typedef struct ChainKey {
    const Region *region;
    const Node *loop;
    bool asserted;
    int nhost, npromised;
    const Node *host[MAX_HOST_LOOPS];
    const Promise *promised;
} ChainKey;

struct ChainMemo {
    ChainKey key;
    bool whole;        // not its order alone
    ChainFacts facts;
    struct ChainMemo *next;
};

enum { SLOTS = 1024 };
struct ChainMemos {
    struct ChainMemo *slot[SLOTS]; // by loop
};

static struct ChainMemo **slot_of(const Plan *p, const Node *loop) {
    if (!p->c->chains) {
        p->c->chains = NEW(p->a, struct ChainMemos);
        *p->c->chains = (struct ChainMemos){0};
    }
    return &p->c->chains->slot[hash_bytes(&loop, sizeof loop, 1) % SLOTS];
}

static ChainKey key_of(const Plan *p, const Node *loop) {
    ChainKey k = {p->region, loop, p->o->asserted, p->nhost, p->promised.n};
    memcpy(k.host, p->host, sizeof *k.host * (size_t)p->nhost);
    Promise *promised = NEW_N(p->a, Promise, p->promised.n + 1);
    for (int i = 0; i < p->promised.n; i++) promised[i] = p->promised.at[i];
    k.promised = promised;
    return k;
}

// Of a loop of the host only its own bounds count.
static bool same_key(const ChainKey *x, const ChainKey *y) {
    bool same = x->loop == y->loop && x->region == y->region && x->asserted == y->asserted &&
                x->nhost == y->nhost && x->npromised == y->npromised;
    for (int i = 0; same && i < x->nhost; i++) same = node_runs_alike(x->host[i], y->host[i]);
    for (int i = 0; same && i < x->npromised; i++)
        same = x->promised[i].array == y->promised[i].array && x->promised[i].rises == y->promised[i].rises;
    return same;
}

static void find_order(Plan *p, ChainFacts *f, Node *loop) {
    f->chain = chain_of(loop);
    f->things = f->chain.body ? loop_things(p->a, f->chain.body) : NULL;
    f->base = p->nhost;
    f->rel = relations_new(p->c, p->region, in_loops(p->a, p->nhost, p->host, loop));
    for (int i = 0; i < p->promised.n; i++) relations_promised(f->rel, &p->promised.at[i]);
    relations_filled(f->rel);
}

static void find_freedom(Plan *p, ChainFacts *f) {
    for (int i = 0; i < f->rel->events.n; i++) {
        int depth = f->rel->events.at[i]->depth;
        if (f->chain.n * depth * depth > f->cost) f->cost = f->chain.n * depth * depth;
    }
    for (int i = 0; i < f->chain.n; i++) {
        judge_loop(p, f, i);
        if (f->loop[i].freedom != FREE_NO) bound_loop(p, f, i);
        f->nfree += f->loop[i].freedom == FREE_YES && f->loop[i].bounded;
        f->natomic += f->loop[i].freedom != FREE_NO && f->loop[i].bounded;
    }
}

static struct ChainMemo *look_at(Plan *p, Node *loop, bool whole) {
    loop = node_once(p->c, loop);
    struct ChainMemo **slot = slot_of(p, loop), *m = *slot, *new = NEW(p->a, struct ChainMemo);
    new->key = key_of(p, loop);
    while (m && !same_key(&m->key, &new->key)) m = m->next;
    if (m && (m->whole || !whole)) return m;
    if (!m) find_order(p, &new->facts, loop);
    else new->facts = m->facts;
    if (whole) find_freedom(p, &new->facts);
    new->whole = whole;
    bool sure = isl_ctx_last_error(new->facts.rel->poly->ctx) == isl_error_none; // else more may be found
    if (sure) new->next = *slot, *slot = new;
    return new;
}

// The caller's own: some go on with another chain in the place of what was found.
ChainFacts *chain_order(Plan *p, Node *loop) {
    ChainFacts *f = NEW_AS(p->a, ChainFacts, look_at(p, loop, false)->facts);
    plan_require(p, f->rel->fit);
    return f;
}

ChainFacts *chain_facts(Plan *p, Node *loop) {
    ChainFacts *f = NEW_AS(p->a, ChainFacts, look_at(p, loop, true)->facts);
    plan_require(p, f->rel->fit);
    find_blame(p, f);
    return f;
}

// ---- which loop is x ----------------------------------------------------------------------------

// The coefficient of a counter in an expression, by finite difference on the tree; 2 for
// anything but 0, 1 and -1.
static int coefficient(const Expr *x, const Sym *s) {
    if (x->kind == E_SYM) return x->sym == s;
    if (!expr_uses_sym(x, s)) return 0;
    if (x->kind == E_CAST) return coefficient(x->args[0], s);
    if (x->kind != E_OP) return 2;
    int a = coefficient(x->args[0], s), b = x->nargs > 1 ? coefficient(x->args[1], s) : 0;
    int sum = x->op == OP_ADD ? a + b : x->op == OP_SUB ? a - b : x->op == OP_NEG ? -a : 2;
    return a == 2 || b == 2 || sum < -1 || sum > 1 ? 2 : sum;
}

int plan_along(const Access *x, const Sym *s) {
    int rank = x->array->rank, weight = x->write ? 3 : 2;
    if (rank == 0 || x->array->place == PLACE_LOCAL) return 0;
    int last = coefficient(x->sub[rank - 1], s);
    for (int d = 0; d + 1 < rank; d++)
        if (expr_uses_sym(x->sub[d], s)) last = 2;
    return last == 1 || last == -1 ? 2 * weight : last == 2 ? -weight : 0;
}

int chain_x_score(const ChainFacts *f, int loop) {
    int score = 0;
    for (int i = 0; i < f->rel->touches.n; i++) {
        const Touch *t = &f->rel->touches.at[i];
        const Access x = {.array = t->array, .sub = t->sub, .write = t->write};
        score += plan_along(&x, f->chain.loop[loop]->iter);
    }
    return score;
}

bool chain_can_vector(Plan *p, const ChainFacts *f) {
    int last = f->chain.n - 1;
    Node *body = unwrap(f->chain.body);
    if (body->kind != N_STMT || body->stmt->lhs->rank == 0) return false;
    Conflicts *k = conflicts_of(f->rel, f->chain.loop[last], f->base + last, f->base + last);
    (void)p;
    return !k->hard && !k->maybe && !k->update && !k->ordered;
}
