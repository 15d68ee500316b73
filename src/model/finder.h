// SPDX-License-Identifier: MIT
// finder.h -- what the files that make findings share: findings.c, findings_cache.c.
#ifndef SCULPT_MODEL_FINDER_H
#define SCULPT_MODEL_FINDER_H
#include "model/findings.h"

static const double FINDING_WORTH = 0.005; // of the time: what saves less is not told

typedef struct Finder {
    Arena *a;
    const Nest *nest;
    const NestCost *n;
    const Machine *m;
    const KernelCost *k;      // the kernel that is looked at, and its time
    const TimeCost *t;
    Findings out;
    bool by_hand;             // a person wrote the kernel
} Finder;

void finder_add(Finder *f, Finding x);
// Of the nest's time: what it would save if a launch of f->k took so many seconds.
double finder_saved(const Finder *f, double seconds);

// findings_cache.c
void find_local(Finder *f);       // private arrays and spilled registers in memory
void find_cache(Finder *f);       // what keeps the first-level cache and shared memory busy
void find_atomics(Finder *f);     // threads that change one word in turn
#endif
