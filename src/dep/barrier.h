// SPDX-License-Identifier: MIT
// barrier.h -- what the files of dep_barriers share.
//
//   phase.c            the phases of a kernel, the gaps between them
//   barrier_need.c     which gaps would order each pair of phases that meet on a word
//   barrier_pick.c     the cheapest set of gaps that serves every need
//   barrier_async.c    how many groups of async copies may be under way at each gap
//   barrier.c          the tree with its barriers
//   written.c          a tree that has barriers, compared with what it needs
#ifndef SCULPT_BARRIER_H
#define SCULPT_BARRIER_H
#include "dep/phase.h"

// Any one of these gaps orders what has to be ordered.
typedef struct Need {
    bool *gaps;            // [number of gaps]
    const Phase *from, *to;
    const Array *array;
    const Touch *x, *y;    // an example, in the order of time
    bool exact;            // they certainly meet, if both run
    bool wide;             // threads of different warps may meet
} Need;

// Two accesses of one word that no gap can order.
typedef struct Clash {
    const Touch *x, *y;
    bool exact;            // else: only the data tell
    bool lanes;            // only threads of one warp meet
} Clash;

// An async copy and a later access of a word that it writes or reads.
typedef struct Arrival {
    const Phase *from, *to;
    isl_map *pairs;        // counters around the phases, those of `from` first; owned by the
                           // arena; NULL: not known
} Arrival;

typedef struct Barriers {
    Compile *c;
    Arena *a;
    Relations *r;
    Phases *k;
    isl_set *ctx;          // parameter values that occur, without disjunctions
    isl_set *when;         // with them; NULL: the same
    VEC(Need) needs;
    VEC(Arrival) arrivals;
    const Touch *x, *y;    // threads of one phase meet here; NULL: nowhere
    bool as_written;       // barriers stand already (written.c): what none can order is collected
    bool skipped;          // pairs far apart were not looked at
    VEC(Clash) clashes;
} Barriers;

// False after diag(): a need that no gap serves.
bool barriers_find_needs(Barriers *b);
// Sets `chosen` in the gaps.
void barriers_pick(Barriers *b);
// Sets `pending` in the chosen gaps.
void barriers_count_pending(Barriers *b);
// Sets `warp` in those of the chosen gaps, by then without `pending`, where no more is needed.
void barriers_narrow(Barriers *b);
#endif
