// SPDX-License-Identifier: MIT
// search.h -- which point of a space is measured next. One small file a strategy; they know nothing of
// devices.
#ifndef SCULPT_TUNE_SEARCH_H
#define SCULPT_TUNE_SEARCH_H
#include "tune/space.h"

enum { SEARCH_SOON = 32 };
typedef struct Search {
    Arena *a;
    const Space *space;
    uint64_t seed;
    int most; // measurements; 0: as many as there are points
    // The point's time as a multiple of the standard's, measured beside it; INFINITY: it is no candidate.
    double (*measure)(int point, void *arg);
    bool (*over)(void *arg); // the time is spent; NULL: it never is
    void *arg;
    // what is known so far
    double *value;      // [space->n]; NAN: not measured
    int measured, best; // best: -1: none
    // What a strategy would measure next if nothing new turned up: built at once with what it measures now.
    int nsoon, soon[SEARCH_SOON];
    const char *ended; // why the strategy went no further; NULL: it would have
} Search;

typedef struct Tactic {
    const char *name, *what; // a phrase
    void (*run)(Search *s);
} Tactic;
// NULL ends; the first is the usual one.
extern const Tactic *const tactics[];
const Tactic *tactic_named(const char *name);

void search_begin(Search *s);                          // fills in what is known: nothing
void search_knows(Search *s, int point, double value); // of an earlier run
bool search_over(const Search *s);
void search_soon(Search *s, int point); // it may be next; forgotten when something is measured
// The point of the least score among those that are not measured, -1: none; those that follow are soon.
int search_least(Search *s, const double *score);
// Its value, measured if it was not; INFINITY where the search is over.
double search_try(Search *s, int point);
double search_price(const Search *s, int point); // by the model and what is known of it; 1: nothing is
uint64_t search_random(Search *s, uint64_t below); // 0 … below - 1
double search_chance(Search *s);                   // 0 … 1
// The points that differ from one by a step in one number; or, where those are none, families' first points.
// How many, at most max.
int search_near(const Search *s, int point, int *out, int max);
#endif
