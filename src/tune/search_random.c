// SPDX-License-Identifier: MIT
// search_random.c -- points in a random order, none twice.
#include "tune/search.h"

static void run(Search *s) {
    int n = s->space->n, *order = NEW_N(s->a, int, n + 1);
    for (int i = 0; i < n; i++) {
        int k = (int)search_random(s, (uint64_t)i + 1);
        order[i] = order[k], order[k] = i;
    }
    for (int i = 0; i < n && !search_over(s); i++) {
        for (int k = i + 1; k < n && k <= i + SEARCH_SOON; k++) search_soon(s, order[k]);
        search_try(s, order[i]);
    }
}

const Tactic search_random_order = {"random", "points in a random order", run};
