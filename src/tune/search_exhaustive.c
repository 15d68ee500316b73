// SPDX-License-Identifier: MIT
// search_exhaustive.c -- every point, in the order in which they stand.
#include "tune/search.h"

static void run(Search *s) {
    for (int i = 0; i < s->space->n && !search_over(s); i++) {
        for (int k = i + 1; k < s->space->n && k <= i + SEARCH_SOON; k++) search_soon(s, k);
        search_try(s, i);
    }
}

const Tactic search_exhaustive = {"exhaustive", "every point, in the order in which they are made", run};
