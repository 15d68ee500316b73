// SPDX-License-Identifier: MIT
// search_anneal.c -- simulated annealing: a walk over neighbours that takes a worse one ever more seldom.
#include "tune/search.h"
#include <math.h>

enum { NEAR = 32 };
static const double HOT = 0.5, COLD = 0.01; // of the standard's time: what a worse step may lose

static void run(Search *s) {
    int at = 0, near[NEAR], n = s->space->n, steps = s->most > 0 && s->most < n ? s->most : n;
    double here = search_try(s, at);
    for (int tries = 0; !search_over(s) && tries < 50 * n; tries++) {
        double heat = HOT * pow(COLD / HOT, (double)s->measured / steps);
        int k = search_near(s, at, near, NEAR);
        // Now and then, and where there is nowhere to go, from anywhere.
        bool far = !k || search_random(s, 8) == 0;
        int to = far ? (int)search_random(s, (uint64_t)n) : near[search_random(s, (uint64_t)k)];
        double there = search_try(s, to);
        if (there <= here || (isfinite(there) && search_chance(s) < exp((here - there) / heat)))
            at = to, here = there;
    }
}

const Tactic search_anneal = {"annealing", "a walk over neighbours that takes a worse one ever more seldom",
                              run};
