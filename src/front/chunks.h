// SPDX-License-Identifier: MIT
// chunks.h -- what the parts of pass_chunks share.
//
//   chunks.c        the loops over chunks, level by level, and the pass
//   chunks_find.c   which scalars are handed on, what they are made of, and choices among statements
//   chunks_run.c    the body from zero, from one, and whether it hands on what it begins with
#ifndef SCULPT_CHUNKS_H
#define SCULPT_CHUNKS_H
#include "front/normal.h"

enum { MOST_STATES = 3, MOST_CARRIERS = 12, MOST_RUNS = 1 + 2 * MOST_STATES, LEVELS = 3, SHORT = 64 };
typedef enum Run {
    RUN_ZERO,  // begins with zero
    RUN_UNIT,  // begins with one in one scalar, without what data add
    RUN_HANDS, // is that one handed on at all?
} Run;

// What each chunk of a level does.
typedef struct Maps {
    const Array *zero[MOST_STATES], *unit[MOST_STATES][MOST_STATES], *hands[MOST_STATES][MOST_STATES];
    const Array *at[MOST_STATES]; // what it begins with
} Maps;

typedef struct Chunks {
    Normal *m;
    Arena *a;
    const Region *r;
    const Node *loop;
    Type counter;
    bool no;      // something is not linear
    bool writes;  // the loop does more than to compute the scalars
    bool chooses; // conditions choose what is handed on
    int nstates;
    ArrayVec carriers;                     // the scalars that are handed on, then others that hang on them
    ArrayVec needed;                       // all that these are made of
    ArrayVec stored;                       // arrays that were written so far
    bool from[MOST_STATES][MOST_CARRIERS]; // does the carrier hang on the scalar?
    const Array *copy[MOST_RUNS][MOST_CARRIERS];
    Run run;                                // the one that is written down,
    int unit;                               // and the scalar that it begins with
    Expr *trips[LEVELS + 1];
    Maps maps[LEVELS];
    ArrayVec made; // arrays of all chunks
    Expr *at;      // for the body: the loop's counter
} Chunks;

// ---- chunks_find.c ---------------------------------------------------------------------------------------
int chunks_carrier(const Chunks *k, const Array *v); // its number; -1: it is none
bool chunks_hang(const Chunks *k, const Expr *x);    // does it read one?
bool chunks_find(Chunks *k);
void chunks_need(Chunks *k, const Array *v);
// Have iterations nothing else in common, and is each short?
bool chunks_stand_alone(const Chunks *k);
// Does some iteration need a scalar of the one before, for more than a sum so far, which a scan of its own
// makes?
bool chunks_beyond_sums(const Chunks *k);
void chunks_see_choices(Chunks *k, const Node *n, bool under);

// What one arm alone reads is read before: then blocks can fetch it together. The system is asked whether it
// is there.
typedef struct Early {
    Chunks *k;
    int deep; // choices around
    ArrayVec local;
    VEC(const Expr *) load;
    VEC(Node *) set;
} Early;

// The body so, and with statements that choose in the place of conditions around statements.
Node *chunks_read_early(Early *e, const Node *body);

// ---- chunks_run.c ----------------------------------------------------------------------------------------
bool chunks_take(Type t);
Type chunks_type(Type t); // of what is computed modulo 2^n
Expr *chunks_number(const Chunks *k, Type t, int v);
Node *chunks_set(const Chunks *k, const Array *to, Expr *x);
void chunks_first_run(Chunks *k);
bool chunks_next_run(Chunks *k); // goes through all runs that there are
void chunks_make_copies(Chunks *k);
const Array *chunks_copy(const Chunks *k, int c); // of carrier c in this run; NULL: it is 0 there
// The runs of what stands in n; NULL: it leads to none of the scalars.
Node *chunks_runs_of(Chunks *k, Node *n);
#endif
