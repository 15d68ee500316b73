// SPDX-License-Identifier: MIT
// duel.h -- two ways to do the same: timed in turns, what they leave compared.
#ifndef SCULPT_TUNE_DUEL_H
#define SCULPT_TUNE_DUEL_H
#include "tune/tune.h"

typedef struct Timed {
    bool (*go)(void *arg); // queues one run on the lab's device
    void *arg;
} Timed;
// False: a run failed, and the device's error says how.
bool duel_time(Lab *l, const Timed *base, const Timed *mine, const TrialOptions *o, Duel *out);

// Numbers in memory, so many bytes apart.
typedef struct Elements {
    Type type;
    int64_t n, stride;
} Elements;
// How far floating-point ones may lie apart: what rounding may cost where so many terms are added in another
// order. 0: they are whole.
double elements_apart(const Elements *e, const char *were, double terms);
// The first that differs by more; -1: none does.
int64_t elements_differ(int threads, const Elements *e, const char *were, const char *are, double apart);
#endif
