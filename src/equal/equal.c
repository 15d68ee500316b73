// SPDX-License-Identifier: MIT
// equal.c -- the answer: runs first, then the proof; what the proof leaves open is run again.
#include "equal/flows.h"
#include "equal/run.h"
#include <math.h>

enum { MAX_STEPS = 1500000, SEEDS = 4, FULL = 16, APART = 6 };
#define RUN_SECONDS 0.3
#define OPEN_SECONDS 2.0

// What differs there is run once more, for what the values rest on.
static void refute(EqualReport *r, Pair *p, const int64_t *sizes, int seed, int64_t steps, const Outcome *o) {
    Outcome again = {0};
    if (o->element) again = equal_run(p, sizes, seed, steps, true);
    for (int k = 0; k < 2; k++) r->steps[k] = again.steps[k];
    r->answer = EQUAL_REFUTED;
    r->why = o->why;
    r->sizes = equal_sizes_text(p, sizes);
    r->element = o->element;
    r->theirs = o->theirs;
    r->ours = o->ours;
    r->loc = o->loc;
    r->from = o->from;
}

static bool is_half(const Expr *x) { return x->kind == E_CALL && str_eq(x->fn, "half_of_float"); }

static bool sets_half(const Node *n) { return n->kind == N_COPY && expr_any(n->src, is_half); }

// May values be rounded that are not in one of the types?
static bool is_narrowed(const Pair *p) {
    for (int i = 0; i < p->region->narrays; i++)
        if (p->region->arrays[i]->elem == T_F64) return true;
    return node_any(p->kernel, sets_half);
}

// Both run there, on some data; on one alone where that was done elsewhere and the time is over. True: they
// differ.
static bool try(EqualReport *r, Pair *p, const int64_t *sizes, int64_t steps, double until) {
    bool ran = false;
    int seeds = is_narrowed(p) ? SEEDS : SEEDS - 1;
    for (int seed = 0; seed < seeds; seed++) {
        Outcome o = equal_run(p, sizes, seed, steps, false);
        ran |= o.ran;
        if (o.wrong) return refute(r, p, sizes, seed, steps, &o), true;
        if ((r->runs || !o.ran) && time_used() > until) break;
    }
    r->runs += ran;
    return false;
}

// Where the task's condition holds, if the usual sizes are none of these.
static bool run_where(EqualReport *r, Pair *p) {
    int64_t *sizes = NEW_N(p->a, int64_t, p->region->nparams + 1);
    isl_set *all = equal_permitted(p);
    bool wrong = false;
    for (int k = 0; all && !wrong && r->runs < 6 && equal_open_sizes(p, all, true, &k, sizes);)
        wrong = try(r, p, sizes, 8 * MAX_STEPS, INFINITY);
    return wrong;
}

// *k: the first of the usual sizes for which there was no time.
static bool run_first(EqualReport *r, Pair *p, int *k) {
    int64_t *sizes = NEW_N(p->a, int64_t, p->region->nparams + 1);
    double until = time_used() + RUN_SECONDS;
    while (time_used() < until && equal_next_sizes(p, k, sizes))
        if (try(r, p, sizes, MAX_STEPS, until)) return true;
    return !r->runs && run_where(r, p);
}

// What the proof left open, where it is smallest and further on.
static void run_open(EqualReport *r, Pair *p) {
    int64_t *sizes = NEW_N(p->a, int64_t, p->region->nparams + 1);
    double until = time_used() + OPEN_SECONDS;
    const char *when = r->when, *why = r->why;
    int64_t steps = (p->narrow ? 4 : 8) * MAX_STEPS;
    for (int k = 0; time_used() < until && equal_open_sizes(p, r->open, false, &k, sizes);)
        if (try(r, p, sizes, steps, until)) break;
    r->when = when;
    if (r->answer != EQUAL_REFUTED) r->why = why;
}

// The proof ended without an answer: what the first runs had no time for, from number `from` on. Every sixth
// size, and then those between, as large ones cost more; on some data alone.
static void run_more(EqualReport *r, Pair *p, int from) {
    int64_t *sizes = NEW_N(p->a, int64_t, p->region->nparams + 1);
    double until = time_used() + OPEN_SECONDS;
    const char *why = r->why;
    for (int i = 0; i < APART; i++)
        for (int k = from + i; time_used() < until && equal_next_sizes(p, &k, sizes); k += APART - 1)
            if (try(r, p, sizes, MAX_STEPS, 0)) return;
    r->why = why;
}

// A kernel that is wrong at some sizes: for which it is right. Nobody asks where it is wrong at all of those
// that fill a block.
static void find_right(EqualReport *r, Pair *p) {
    int64_t *sizes = NEW_N(p->a, int64_t, p->region->nparams + 1);
    double until = time_used() + RUN_SECONDS;
    bool right = false;
    for (int k = 0; !right && time_used() < until && equal_next_sizes(p, &k, sizes);) {
        bool large = true;
        for (int i = 0; i < p->region->nparams; i++) large &= !equal_is_size(p, i) || sizes[i] >= FULL;
        Outcome o = large ? equal_run(p, sizes, 0, MAX_STEPS, false) : (Outcome){0};
        right = o.ran && !o.wrong;
    }
    EqualReport rest = {.answer = EQUAL_UNDECIDED};
    if (right) equal_prove(&rest, p);
    if (rest.open) r->when = rest.when;
}

// Is it fast functions and reciprocals alone that stand in the way?
static void find_quick(EqualReport *r, const Pair *p) {
    EqualTask t = *p->task;
    EqualReport rest = {.answer = EQUAL_UNDECIDED};
    const char *why;
    if (!p->quick || t.approximate) return;
    t.approximate = true;
    t.certificate = false;
    Pair *other = equal_pair(p->c, &t, &why);
    if (other) equal_prove(&rest, other);
    if (rest.answer != EQUAL_PROVED) return;
    r->why = "fast functions or reciprocals round differently: --permit approximate takes that";
    r->when = NULL;
}

EqualReport equal_check(Compile *c, const EqualTask *t) {
    EqualReport r = {.answer = EQUAL_NOT_READ};
    Pair *p = equal_pair(c, t, &r.why);
    if (!p) return r;
    r.answer = EQUAL_UNDECIDED;
    int k = 0;
    if (run_first(&r, p, &k)) return find_right(&r, p), r;
    if (!r.runs && (!t->unrun || p->unordered))
        r.why = p->unordered ? p->unordered : "there is no small size at which both can be run";
    else equal_prove(&r, p);
    if (r.open) run_open(&r, p);
    else if (r.answer == EQUAL_UNDECIDED && r.runs) run_more(&r, p, k);
    if (r.open && r.answer == EQUAL_UNDECIDED) find_quick(&r, p);
    return r;
}
