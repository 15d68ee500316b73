// SPDX-License-Identifier: MIT
// inclusion.h -- optional steps of recipes, decided by measuring.
#ifndef SCULPT_BENCH_INCLUSION_H
#define SCULPT_BENCH_INCLUSION_H
#include "bench/rungs.h"
#include "tune/inclusion.h"

// The pattern rules' recipe for the case, its parameters' values compiled in; NULL with *why.
const char *inclusion_recipe(Bench *b, const Case *k, bool reassociate, const char **why);
// Decides what the trial leaves out and says so in it. False: t->why.
bool inclusion_set(Bench *b, Case *k, Trial *t, Inclusion *x);
const char *inclusion_names(Arena *a, const Inclusion *x, uint32_t with); // "define stage", "none"
#endif
