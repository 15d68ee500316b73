// SPDX-License-Identifier: MIT
// warps.c -- which warps of a block are looked at, and how evenly the schedulers are busy.
//
//   if (i < n && j < n) …      of rows of 64 threads and n = 8, warps 0, 2, 4 … have 8 lanes, the others none
//
// Warps are sorted by the lanes that conditions over the numbers of their threads leave them, and each kind
// is sampled apart.
#include "model/walk.h"

uint64_t warps_lanes(const Walk *w) {
    int64_t width = w->p->env.width, left = w->p->threads - w->thread;
    if (left < width) width = left;
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

// Folds into `seen` how many lanes of `mask` come through each condition, in the middle of the loops around.
static uint64_t left(Walk *w, Code *c, uint64_t mask, uint64_t seen) {
    uint64_t all = w->mask;
    int bound = w->p->env.bound.n, n = 0;
    Code *loop[MODEL_DIMS];
    if (c->n->kind == N_IF) {
        Lanes v;
        lanes_of(&w->p->env, c->n->cond, &v);
        if (v.known != KNOWN) return seen;
        w->mask = mask;
        mask = walk_taken(w, &v);
    } else if (c->n->kind == N_FOR && c->n->how == HOW_THREAD) {
        int64_t number[MAX_LANES];
        n = walk_chain(c, loop);
        for (int k = 0; k < w->p->env.width; k++) number[k] = w->thread + k;
        w->mask = mask;
        mask = walk_digits(w, n, loop, number);
        c = loop[n - 1];
    } else if (c->n->kind == N_FOR) {
        w->mask = mask;
        if (c->n->how == HOW_COOP || !walk_bind(w, c, 0.5)) mask = 0;
    }
    w->mask = all;
    seen = seen * 67 + (uint64_t)count_lanes(mask) + 1;
    int kids = c->n->kind == N_IF ? 1 : c->nkids;
    for (int k = 0; mask && k < kids; k++) seen = left(w, c->kids[k], mask, seen);
    env_pop(&w->p->env, bound);
    return seen;
}

static void sort(Walk *w, Code *c, Turns *t) {
    uint64_t seen[MAX_KINDS], is;
    double weight = w->weight;
    w->weight = 0; // nothing is counted
    for (int k = 0; k < t->period; k++) {
        int kind = 0;
        w->thread = (int64_t)k * w->p->env.width;
        is = left(w, c, warps_lanes(w), 1);
        while (kind < t->kinds && seen[kind] != is) kind++;
        if (kind == MAX_KINDS) kind--;
        if (kind == t->kinds) seen[t->kinds++] = is;
        t->kind[k] = (unsigned char)kind;
    }
    w->weight = weight;
}

void warps_spread(Walk *w, Code *c, Warps *all, Samples *s) {
    int64_t n = w->k->warps;
    *all = (Warps){.kinds = {.period = n <= MAX_PERIOD ? (int)n : 1}};
    bool some = n > w->plan.warps + 1;
    if (some && n <= MAX_PERIOD && w->plan.warps) sort(w, c, &all->kinds);
    if (all->kinds.kinds > 1) {
        spread_between(s, n, w->plan.warps < 2 ? 2 : w->plan.warps, 0, 0, NULL, &all->kinds);
        return;
    }
    spread(s, n, w->plan.warps, 0);
    if (!s->whole && s->n > 1) { // the first stands for itself: branches like to single it out
        s->weight[1] += s->weight[0] - 1;
        s->at[0] = 0;
        s->weight[0] = 1;
    }
}

// Warps of a block go to the schedulers in turn. So blocks of two warps of which one has nothing to do keep
// half of the schedulers busy: warps are told apart as far as their number and that of schedulers have in
// common.
static int64_t turns(const Walk *w) {
    int64_t most = w->p->m->schedulers < MAX_SCHEDULERS ? w->p->m->schedulers : MAX_SCHEDULERS,
            x = w->k->warps, y = most;
    while (y) {
        int64_t rest = x % y;
        x = y, y = rest;
    }
    return x;
}

void warps_note(Walk *w, Warps *all, const Samples *s, int64_t k, double issued) {
    int64_t at = sample(s, k);
    if (s->whole) w->share_of[at % turns(w)] += issued;
    if (all->kinds.kinds < 2) return; // those looked at say nothing of their neighbours
    all->issued[all->kinds.kind[at]] += issued;
    all->seen[all->kinds.kind[at]] += weight_of(s, k);
}

void warps_share(Walk *w, const Warps *all) {
    for (int64_t k = 0; all->kinds.kinds > 1 && k < w->k->warps; k++) {
        int kind = all->kinds.kind[k];
        if (all->seen[kind] > 0) w->share_of[k % turns(w)] += all->issued[kind] / all->seen[kind];
    }
}

double warps_unevenness(const Walk *w) {
    double most = 0, sum = 0;
    int64_t n = turns(w);
    for (int64_t k = 0; k < n; k++) {
        sum += w->share_of[k];
        if (w->share_of[k] > most) most = w->share_of[k];
    }
    return sum > 0 ? most * (double)n / sum : 1;
}
