// SPDX-License-Identifier: MIT
// barrier_pick.c -- the cheapest set of gaps that serves every need.
//
// A gap inside one loop more costs as much as many outside it; of two that cost the same the later
// is taken, which leaves async copies more time. Branch and bound over the needs:
// each open need is served by one of its gaps; beyond a budget the best set found so far stays.
// At the end, barriers that serve threads of one warp alone become barriers of warps.
#include "dep/barrier.h"
#include <string.h>

typedef struct Pick {
    Barriers *b;
    int n;              // gaps
    double *cost;
    bool *now, *best;
    double best_cost;
    int budget;
} Pick;

static bool is_served(const Pick *p, const Need *n) {
    for (int g = 0; g < p->n; g++)
        if (n->gaps[g] && p->now[g]) return true;
    return false;
}

static int choices(const Pick *p, const Need *n) {
    int k = 0;
    for (int g = 0; g < p->n; g++) k += n->gaps[g];
    return k;
}

// The open need with the fewest gaps; NULL: all are served.
static const Need *hardest(const Pick *p) {
    const Need *worst = NULL;
    for (int i = 0; i < p->b->needs.n; i++) {
        const Need *n = &p->b->needs.at[i];
        if (!is_served(p, n) && (!worst || choices(p, n) < choices(p, worst))) worst = n;
    }
    return worst;
}

// How many open needs would gap g serve?
static int use_of(const Pick *p, int g) {
    int k = 0;
    for (int i = 0; i < p->b->needs.n; i++)
        k += p->b->needs.at[i].gaps[g] && !is_served(p, &p->b->needs.at[i]);
    return k;
}

static void search(Pick *p, double cost) {
    if (cost >= p->best_cost) return;
    const Need *n = hardest(p);
    if (!n) {
        p->best_cost = cost;
        memcpy(p->best, p->now, sizeof(bool) * (size_t)p->n);
        return;
    }
    bool *tried = NEW_N(p->b->a, bool, p->n + 1);
    for (;;) { // the most useful gap for its price first
        int best = -1;
        for (int g = 0; g < p->n; g++)
            if (n->gaps[g] && !tried[g] &&
                (best < 0 || use_of(p, g) * p->cost[best] > use_of(p, best) * p->cost[g]))
                best = g;
        if (best < 0) return;
        tried[best] = true;
        p->now[best] = true;
        search(p, cost + p->cost[best]);
        p->now[best] = false;
        if (--p->budget <= 0) return; // a first, greedy set is found by then
    }
}

// ---- sets of one price -----------------------------------------------------------------------
// Among sets that cost the same, the one that lets the most groups of async copies pend is
// sought by moving one barrier at a time.

static bool all_served(Pick *p) {
    for (int i = 0; i < p->b->needs.n; i++)
        if (!is_served(p, &p->b->needs.at[i])) return false;
    return true;
}

// What the set p->now would let pend, summed; barriers that wait for nothing count as best.
static int patience(Pick *p) {
    enum { NO_WAIT = 8 };
    int sum = 0;
    for (int g = 0; g < p->n; g++) {
        p->b->k->gaps.at[g].chosen = p->now[g];
        p->b->k->gaps.at[g].pending = -1;
    }
    barriers_count_pending(p->b);
    for (int g = 0; g < p->n; g++) {
        const Gap *gap = &p->b->k->gaps.at[g];
        if (gap->chosen) sum += gap->pending < 0 ? NO_WAIT : gap->pending;
    }
    return sum;
}

static bool move_one(Pick *p, int *best) {
    for (int g = 0; g < p->n; g++) {
        if (!p->now[g]) continue;
        for (int h = 0; h < p->n; h++) {
            if (p->now[h] || p->cost[h] != p->cost[g] || p->budget <= 0) continue;
            p->now[g] = false, p->now[h] = true;
            int have = all_served(p) ? (p->budget--, patience(p)) : -1;
            if (have > *best) return *best = have, true;
            p->now[g] = true, p->now[h] = false;
        }
    }
    return false;
}

static void move_barriers(Pick *p) {
    memcpy(p->now, p->best, sizeof(bool) * (size_t)p->n);
    p->budget = 32;
    int best = patience(p);
    while (p->budget > 0 && move_one(p, &best)) continue;
    memcpy(p->best, p->now, sizeof(bool) * (size_t)p->n);
}

void barriers_pick(Barriers *b) {
    int n = b->k->gaps.n;
    Pick p = {b,     n,   NEW_N(b->a, double, n + 1), NEW_N(b->a, bool, n + 1), NEW_N(b->a, bool, n + 1),
              1e300, 2000};
    for (int g = 0; g < n; g++) {
        p.cost[g] = 1 - 1e-7 * b->k->gaps.at[g].position;
        for (int d = 0; d < b->k->gaps.at[g].depth; d++) p.cost[g] *= 64;
    }
    search(&p, 0);
    if (b->arrivals.n) move_barriers(&p);
    for (int g = 0; g < n; g++) {
        b->k->gaps.at[g].chosen = p.best[g];
        b->k->gaps.at[g].pending = -1;
    }
}

// ---- warps ------------------------------------------------------------------------------------
// Is each need of different warps served by a barrier of the whole block?
static bool wide_are_served(const Barriers *b) {
    for (int i = 0; i < b->needs.n; i++) {
        const Need *n = &b->needs.at[i];
        bool served = !n->wide;
        for (int g = 0; g < b->k->gaps.n && !served; g++)
            served = n->gaps[g] && b->k->gaps.at[g].chosen && !b->k->gaps.at[g].warp;
        if (!served) return false;
    }
    return true;
}

// The least deep gap around this one's loops that serves the need; -1: there is none.
static int further_out(const Barriers *b, const Need *n, const Gap *gap) {
    int best = -1;
    for (int g = 0; g < b->k->gaps.n; g++) {
        int depth = b->k->gaps.at[g].depth, least = best < 0 ? gap->depth : b->k->gaps.at[best].depth;
        if (n->gaps[g] && !b->k->gaps.at[g].chosen && depth < least) best = g;
    }
    return best;
}

// Barriers of the whole block outside of the gap's loop, for what a barrier of warps in it leaves open.
static bool serve_outside(Barriers *b, const Gap *gap) {
    int n = b->k->gaps.n, added = 0;
    int *at = NEW_N(b->a, int, n + 1);
    while (!wide_are_served(b)) {
        int found = -1;
        for (int i = 0; i < b->needs.n && found < 0; i++) {
            const Need *need = &b->needs.at[i];
            bool open = need->wide;
            for (int g = 0; g < n && open; g++)
                open = !(need->gaps[g] && b->k->gaps.at[g].chosen && !b->k->gaps.at[g].warp);
            if (open) found = further_out(b, need, gap);
            if (open && found < 0) break;
        }
        if (found < 0) break;
        b->k->gaps.at[at[added++] = found].chosen = true;
    }
    if (wide_are_served(b)) return true;
    while (added > 0) b->k->gaps.at[at[--added]].chosen = false;
    return false;
}

void barriers_narrow(Barriers *b) {
    for (int g = 0; g < b->k->gaps.n; g++) {
        Gap *gap = &b->k->gaps.at[g];
        gap->warp = gap->chosen && gap->pending < 0; // what waits for copies waits for those of all threads
        if (gap->warp) gap->warp = wide_are_served(b) || serve_outside(b, gap);
    }
}
