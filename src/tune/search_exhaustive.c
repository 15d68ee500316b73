// SPDX-License-Identifier: MIT
// search_exhaustive.c -- every point, in the order in which they stand.
#include "tune/search.h"

static void run(Search *s) {
    for (int i = 0; i < s->space->n && !search_over(s); i++) search_try(s, i);
}

const Tactic search_exhaustive = {"exhaustive", "every point, in the order in which they are made", run};
