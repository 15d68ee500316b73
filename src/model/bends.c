// SPDX-License-Identifier: MIT
// bends.c -- where a loop's iterations begin to differ, for those that stand for others.
//
//   for k = 0 .. 1000          looked at are 8 of 1000; but k + 2 < 1000 says that the last two do no copy:
//     if (k + 2 < 1000) …      0 …………………………… 998 | 998 999     the two parts are sampled apart
//
// A comparison of affine expressions changes once along a loop, so its bend is found by halving. Counters of
// loops inside are given both of their ends: between the two bends some of their iterations differ. What goes
// with the counter between bends (the rows of a triangle) is summed exactly by weights with the right mean. A
// comparison of a remainder (k % 64 == 63) comes round: it sorts iterations into kinds, which are sampled
// apart, too.
#include "ir/value.h"
#include "model/walk.h"
#include <stdlib.h>

typedef struct Collect {
    Program *p;
    Code *loop;                       // whose bends are looked for
    Code *inside[MODEL_DIMS];         // loops between it and what is looked at
    int ninside;
} Collect;

// Does what stands here go with the counter, by itself or through the counters of loops inside?
static bool depends(const Collect *l, const Expr *x) {
    if (expr_uses_sym(x, l->loop->n->iter)) return true;
    for (int k = 0; k < l->ninside; k++)
        if (expr_uses_sym(x, l->inside[k]->n->iter) &&
            (depends(&(Collect){.loop = l->loop, .ninside = 0}, l->inside[k]->n->lo)))
            return true;
    return false;
}

// After how many iterations of the loop x has its values again; 0: never, or something else than the loop
// moves it.
static int64_t period_of(const Collect *l, const Expr *x) {
    const Node *loop = l->loop->n;
    if (x->kind == E_SYM) return x->sym == loop->iter ? 0 : x->sym->kind == SYM_PARAM;
    if (x->kind == E_LOAD) return 0;
    bool rest = x->kind == E_OP && (x->op == OP_MOD || x->op == OP_FMOD) && x->args[1]->kind == E_INT &&
                x->args[1]->i > 0;
    Form f = {.told = true};
    int64_t slope, all = 1;
    if (rest) {
        form_add(&l->p->env, &f, x->args[0], 1);
        for (int k = 0; k < f.n; k++) rest = rest && (f.at[k].key == loop->iter || !f.at[k].factor);
        if (rest && form_slope(&f, loop->iter, &slope))
            return x->args[1]->i / value_gcd(x->args[1]->i, slope * loop->step);
    }
    for (int k = 0; k < x->nargs && all; k++) {
        int64_t of = period_of(l, x->args[k]);
        all = of && all / value_gcd(all, of) <= MAX_PERIOD / of ? all / value_gcd(all, of) * of : 0;
    }
    return all;
}

// Does the comparison come round with the loop's counter? Then it is one of its turns.
static bool add_turn(Collect *l, const Expr *x) {
    Code *c = l->loop;
    int64_t of = period_of(l, x), old = c->nturns ? c->period : 1;
    if (of < 2 || of > MAX_PERIOD || old / value_gcd(old, of) > MAX_PERIOD / of) return false;
    for (int k = 0; k < c->nturns; k++)
        if (expr_equal(c->turns[k], x)) return true;
    if (!c->turns) c->turns = NEW_N(l->p->a, const Expr *, MAX_BENDS);
    if (c->nturns == MAX_BENDS) return false;
    c->turns[c->nturns++] = x;
    c->period = old / value_gcd(old, of) * of;
    return true;
}

static void add(Collect *l, const Expr *x) {
    bool compares = x->kind == E_OP && x->op >= OP_LT && x->op <= OP_NE && !expr_has_load(x);
    for (int d = 0; compares && expr_uses_sym(x, l->loop->n->iter) && d < l->p->g.nblock; d++) {
        const Node *other = l->p->g.block[d];
        if (other != l->loop->n && expr_uses_sym(x, other->iter)) l->loop->slanted = true;
    }
    if (!compares || l->loop->nbends == MAX_BENDS || !depends(l, x) || add_turn(l, x)) return;
    for (int k = 0; k < l->loop->nbends; k++) // stages of a pipeline ask the same
        if (l->loop->bends[k].ninside == l->ninside && expr_equal(l->loop->bends[k].test, x)) return;
    if (!l->loop->bends) l->loop->bends = NEW_N(l->p->a, Bend, MAX_BENDS);
    Bend *b = &l->loop->bends[l->loop->nbends++];
    *b = (Bend){.test = x, .ninside = l->ninside, .inside = NEW_N(l->p->a, Code *, l->ninside + 1)};
    for (int k = 0; k < l->ninside; k++) b->inside[k] = l->inside[k];
}

static void collect(Collect *l, Code *c) {
    bool loop = c->n->kind == N_FOR;
    if (loop && (depends(l, c->n->lo) || depends(l, c->n->hi))) {
        l->loop->bent = true;
        if (c->n->how == HOW_SERIAL) l->loop->slanted = true;
    }
    if (c->n->kind == N_IF && depends(l, c->n->cond)) {
        l->loop->bent = true;
        expr_each(x, c->n->cond) add(l, x);
    }
    if (loop && l->ninside == MODEL_DIMS) return;
    if (loop) l->inside[l->ninside++] = c;
    for (int k = 0; k < c->nkids; k++) collect(l, c->kids[k]);
    l->ninside -= loop;
}

void bends_find(Program *p, Code *c) {
    Collect l = {.p = p, .loop = c};
    bool sampled = c->n->kind == N_FOR && (c->n->how == HOW_SERIAL || c->n->how == HOW_BLOCK);
    for (int k = 0; k < c->nkids; k++) {
        if (sampled) collect(&l, c->kids[k]);
        bends_find(p, c->kids[k]);
    }
}

// ---- finding them while walking ---------------------------------------------------------------------
typedef struct Probe {
    Walk *w;
    const Code *loop;
    const Bend *bend;
    Lanes *value;                     // of the loop's counter
    Lanes from;                       // where it begins
    bool last;                        // the other end of the loops inside, the other lane
} Probe;

// 0, 1; -1: not known. gap: how far the two sides lie apart.
static int truth(const Probe *p, int64_t at, int64_t *gap) {
    Env *e = &p->w->p->env;
    int bound = e->bound.n,
        lane_at = p->last ? 63 - __builtin_clzll(p->w->mask) : __builtin_ctzll(p->w->mask);
    Lanes l, r, lo, hi;
    *p->value = p->from;
    for (int k = 0; k < (p->from.uniform ? 1 : e->width); k++)
        p->value->at[k] = lane(&p->from, k) + p->loop->n->step * at;
    for (int k = 0; k < p->bend->ninside; k++) {
        const Node *n = p->bend->inside[k]->n;
        lanes_of(e, n->lo, &lo);
        lanes_of(e, n->hi, &hi);
        int64_t trips = lo.known == KNOWN && hi.known == KNOWN
                            ? code_trips(lane(&lo, lane_at), lane(&hi, lane_at), n->step)
                            : 0;
        Lanes *inner = env_push(e, n->iter);
        lanes_uniform(inner, lane(&lo, lane_at) + (p->last && trips > 0 ? (trips - 1) * n->step : 0));
        if (trips <= 0) inner->known = UNKNOWN;
    }
    const Expr *test = p->bend->test;
    lanes_of(e, test->args[0], &l);
    lanes_of(e, test->args[1], &r);
    env_pop(e, bound);
    if (l.known != KNOWN || r.known != KNOWN || type_is_float(test->args[0]->type)) return -1;
    Value v[3] = {{.i = lane(&l, lane_at)}, {.i = lane(&r, lane_at)}}, is;
    value_op(test->op, test->args[0]->type, v, &is);
    *gap = (int64_t)((uint64_t)v[0].i - (uint64_t)v[1].i);
    return is.i != 0;
}

static void put(int64_t at, int64_t n, int *count, int64_t out[]) {
    for (int k = 0; k < *count; k++)
        if (out[k] == at) return;
    if (at > 0 && at < n && *count < MAX_BENDS) out[(*count)++] = at;
}

static int ascending(const void *x, const void *y) {
    return *(const int64_t *)x < *(const int64_t *)y ? -1 : *(const int64_t *)x > *(const int64_t *)y;
}

// Where the comparison changes between the first iteration and the last; 0: it does not, or nobody knows.
// Sums do where a straight line says so, else by halving.
static int64_t bend_between(const Probe *p, int64_t n) {
    int64_t lo = 0, hi = n - 1, from, to, gap;
    int first = truth(p, lo, &from), end = truth(p, hi, &to);
    if (first < 0 || end < 0 || first == end) return 0;
    double part = from == to ? 0 : (double)from / ((double)from - (double)to);
    int64_t guess = part > 0 && part < 1 ? (int64_t)(part * (double)hi) : 0;
    for (int64_t at = guess - 1; at <= guess + 2; at++)
        if (at > lo && at < hi) *(truth(p, at, &gap) == first ? &lo : &hi) = at;
    while (hi - lo > 1) {
        int64_t middle = lo + (hi - lo) / 2;
        *(truth(p, middle, &gap) == first ? &lo : &hi) = middle;
    }
    return hi;
}

// Iterations 0 … n-1 from which on something is another way; their number, ascending.
static int bends_at(Walk *w, const Code *c, const Lanes *from, int64_t n, int64_t out[MAX_BENDS]) {
    int count = 0, bound = w->p->env.bound.n;
    if (!c->bent || !w->mask || n < 2) return 0;
    Probe p = {.w = w, .loop = c, .value = env_push(&w->p->env, c->n->iter), .from = *from};
    put(n - 1, n, &count, out); // edges that go unnoticed are there
    for (int k = 0; k < 2 * c->nbends; k++) {
        p.bend = &c->bends[k / 2];
        // singles out the first, they do
        if (p.bend->test->op == OP_EQ || p.bend->test->op == OP_NE) put(1, n, &count, out);
        p.last = k % 2;
        int64_t at = bend_between(&p, n);
        if (at) put(at, n, &count, out);
    }
    env_pop(&w->p->env, bound);
    qsort(out, (size_t)count, sizeof *out, ascending);
    return count;
}

// Sorts the iterations of a period by what the turns say of them.
static const Turns *turns_of(Walk *w, Code *c, const Lanes *from) {
    unsigned seen[MAX_KINDS], is;
    if (!c->nturns || from->known != KNOWN || !from->uniform) return NULL;
    if (c->turned && c->turned->from == from->at[0]) return c->turned->kinds > 1 ? c->turned : NULL;
    Turns *t = c->turned = c->turned ? c->turned : NEW(w->p->a, Turns);
    int bound = w->p->env.bound.n;
    Lanes *value = env_push(&w->p->env, c->n->iter), v;
    t->from = from->at[0], t->period = (int)c->period, t->kinds = 0;
    for (int k = 0; k < t->period; k++) {
        int kind = 0;
        lanes_uniform(value, from->at[0] + c->n->step * k);
        is = 0;
        for (int i = 0; i < c->nturns; i++) {
            lanes_of(&w->p->env, c->turns[i], &v);
            is |= (unsigned)(lane(&v, 0) != 0) << i;
        }
        while (kind < t->kinds && seen[kind] != is) kind++;
        if (kind == MAX_KINDS) kind--;
        if (kind == t->kinds) seen[t->kinds++] = is;
        t->kind[k] = (unsigned char)kind;
    }
    env_pop(&w->p->env, bound);
    return t->kinds > 1 ? t : NULL;
}

void bends_spread(Walk *w, Code *c, const Lanes *from, int64_t n, int some, Samples *s) {
    int64_t bends[MAX_BENDS];
    enum { SHORT = 16 }; // however roughly one looks: of a tile's or thread's few rows one may be inside
    if (some == 1 && c->nbends && n <= SHORT) some = 2;
    bool part = n > some + 1 && some >= 2;
    int count = part ? bends_at(w, c, from, n, bends) : 0;
    spread_between(s, n, some, w->depth, count, bends, part ? turns_of(w, c, from) : NULL);
}
