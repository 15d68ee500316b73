// SPDX-License-Identifier: MIT
// run.h -- both programs run on the same data, watched.
#ifndef SCULPT_EQUAL_RUN_H
#define SCULPT_EQUAL_RUN_H
#include "equal/pair.h"

// What a run found. ran false: it could not be run there, as it takes too long or has no room.
typedef struct Outcome {
    bool ran, wrong;
    const char *why; // "reads a[17][0], outside of what the loops touch"
    const char *element, *theirs, *ours;
    Loc loc, from;
    EqualSteps steps[2];
} Outcome;

// Sizes: a value for each integer parameter of the pair's region, in their order. seed: of the data. derives:
// the steps of values that differ are wanted.
Outcome equal_run(Pair *p, const int64_t *sizes, int seed, int64_t max_steps, bool derives);
const char *equal_element(Arena *a, const Array *v, const int64_t *sub); // "c[16][3]"

// sizes.c: what the parameters are worth; false: they can't be that, or not enough room for the arrays.
typedef struct Setting {
    int nvals;
    InterpVal *val;
    int64_t **extent; // of each array of the region: [rank]
    int64_t (*row)[2]; // the first and last row that there certainly are; none: the first is behind the last
} Setting;
bool equal_setting(Pair *p, Arena *a, const int64_t *sizes, Setting *out);
void equal_fill(Pair *p, const Setting *s, int array, int seed, void *to);
// Sizes worth trying, the small ones first; the number of the next in *state. False: there are no more.
void equal_settle_sizes(const Pair *p, int64_t *sizes); // so that a launch has them
bool equal_next_sizes(Pair *p, int *state, int64_t *sizes);
const char *equal_sizes_text(const Pair *p, const int64_t *sizes);
bool equal_is_size(const Pair *p, int param); // a parameter that somebody gives
#endif
