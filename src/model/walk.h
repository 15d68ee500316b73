// SPDX-License-Identifier: MIT
// walk.h -- one warp on its way through a kernel.
#ifndef SCULPT_MODEL_WALK_H
#define SCULPT_MODEL_WALK_H
#include "model/code.h"

// Those of many that are looked at, each for so many.
enum { SAMPLES_MAX = 40 };
typedef struct Samples {
    int64_t n;
    bool whole;                       // 0 … n-1, each for itself alone
    int64_t at[SAMPLES_MAX + 2];
    double weight[SAMPLES_MAX + 2];
} Samples;
static inline int64_t sample(const Samples *s, int64_t k) { return s->whole ? k : s->at[k]; }
static inline double weight_of(const Samples *s, int64_t k) { return s->whole ? 1 : s->weight[k]; }
// spread.c: all of `total`, or the last and `some` others; one in the middle for all where there are to be no
// others.
void spread(Samples *s, int64_t total, int some, int depth);
// Iterations of which each is like the one a period later: their kinds.
//
//   k % 4 == 3      period 4, kinds 0 0 0 1
typedef struct Turns {
    int64_t from;      // the counter's first value
    int period, kinds; // kinds 1: all are alike
    unsigned char kind[MAX_PERIOD];
} Turns;
// The same, each part between bends for itself, and in it each kind. turns: NULL: there is one.
void spread_between(Samples *s, int64_t total, int some, int depth, int nbends, const int64_t bends[],
                    const Turns *turns);

// How many of many are looked at.
typedef struct Plan {
    int blocks;             // of the grid, in all
    int warps;              // of a block
    int loop;               // iterations of a loop
} Plan;

// A loop whose iterations are lanes of one instruction.
typedef struct Vector {
    const Sym *iter;        // NULL: there is none
    Lanes *value;
    int64_t lo, trips;
} Vector;

// A loop that stands unrolled in the machine code, on the way to where the walk is.
enum { MAX_UNROLLED = 8, MAX_SEEN = 256, MAX_SCHEDULERS = 8 };
typedef struct Unrolled {
    const Sym *iter;
    Lanes *value;
    int64_t step, factor;
    int guards;             // branches around it
} Unrolled;

// A load that stands before in the same straight piece of code: its value is in a register.
typedef struct Seen {
    const Array *array;
    uint64_t mask, hash;
} Seen;

// Warp instructions, the part that lanes at work make of them, and what branches counted so far have lost.
typedef struct Tally {
    double issued, active, lost;
} Tally;
static inline void tally(Tally *t, double n, double part) { t->issued += n, t->active += n * part; }

typedef struct Walk {
    Program *p;
    KernelCost *k;
    Plan plan;
    uint64_t mask;          // lanes at work
    int64_t thread;         // number of lane 0 in its block
    double weight;          // warps that this one stands for
    bool in_phase, in_warp;
    int depth;              // sampled loops around, for spreading the samples
    int64_t left;           // iterations of any loops, before the plan is taken for a misjudgement
    int64_t patience;       // iterations that loops may still be followed one by one
    double share;           // of a loop's overhead that one iteration has: 1 / unrolling
    Vector vec;
    int guards, nunrolled, nseen;
    Unrolled unrolled[MAX_UNROLLED];
    Seen seen[MAX_SEEN];
    double share_of[MAX_SCHEDULERS]; // instructions of warps by the scheduler that they belong to
    Tally all, asks;        // instructions; those of them that ask memory
} Walk;

// Loops of one kind that stand directly inside each other from c on.
int walk_chain(Code *c, Code *out[MODEL_DIMS]);
// The counters of a chain as digits of a number of each lane; the mask of lanes below the product.
uint64_t walk_digits(Walk *w, int n, Code *const *loop, const int64_t *number);
// Gives a loop's counter its value so far on the way; false: the loop has no iteration.
bool walk_bind(Walk *w, Code *c, double part);
uint64_t walk_taken(const Walk *w, const Lanes *c); // lanes at work for which c is true

// warps.c: which of a block's warps are looked at.
typedef struct Warps {
    Turns kinds;            // by the lanes that conditions leave; kinds 1: alike as far as these tell
    double issued[MAX_KINDS], seen[MAX_KINDS]; // instructions, and of how many
} Warps;
void warps_spread(Walk *w, Code *c, Warps *all, Samples *s);
uint64_t warps_lanes(const Walk *w); // of the warp that begins at w->thread
void warps_note(Walk *w, Warps *all, const Samples *s, int64_t k, double issued); // by the k-th sample
void warps_share(Walk *w, const Warps *all); // among the schedulers; what one block's warps have issued
// How much more the busiest scheduler of a block has to do than the mean of them.
double warps_unevenness(const Walk *w);

// bends.c: `some` of iterations 0 … n-1 of c, which begins at `from`, so that all ways are among them that
// something below it goes.
void bends_spread(Walk *w, Code *c, const Lanes *from, int64_t n, int some, Samples *s);
// site.c: the request of an access, here and now.
void walk_site(Walk *w, Code *c, Site *s);
// Has the straight piece of code computed it before?
bool walk_again(Walk *w, const Code *c, const Heavy *x);
// Its address as a sum.
const Form *site_form(Walk *w, Site *s);
// How far the loops around move the access, by its address as a sum; false: that does not tell.
bool site_strides(Walk *w, const Code *c, Site *s);
static inline int count_lanes(uint64_t mask) { return __builtin_popcountll(mask); }
#endif
