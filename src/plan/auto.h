// SPDX-License-Identifier: MIT
// auto.h -- the state of one run of the automatic planner.
#ifndef SCULPT_PLAN_AUTO_H
#define SCULPT_PLAN_AUTO_H
#include "dep/conflict.h"
#include "plan/plan.h"
#include "rule/rule.h"

enum { MAX_HOST_LOOPS = 12, MOST_TOUCHES = 64 }; // accesses of a chain whose pairs are worth a second look
// What host loops inside each other may cost (ChainFacts.cost): as much as eight of sixteen loops.
enum { MOST_COST = 8 * 16 * 16 * 16 };

// Loops that have nests of their own: where those stand in the tree.
enum { PLAN_PART_NESTS = 3 };
typedef struct PlanPart {
    Node *loops;
    const Node *node;
    bool alone;                       // nothing else stands there, and each may be judged by itself
    int n;
    const Nest *nest[PLAN_PART_NESTS];
} PlanPart;

// Loops over rows in pieces, and how what lives on between these lies: as the loops stand, or the outermost
// loop along memory; or in strips of steps, where a thread would take all steps of a row; or each loop of a
// row by itself; or few long sums in shares.
typedef enum Cutting { CUT_NOT, CUT_ROWS, CUT_TURNED, CUT_STEPS, CUT_LOOPS, CUT_SHARES } Cutting;

typedef VEC(Promise) Promises;
typedef struct Plan {
    Compile *c;
    Arena *a;
    const Region *region;
    const PlanOptions *o;
    const DepInfo *dep;               // what the region touches; NULL: not known
    Node *root;                       // as it was begun with
    bool gpu;
    Names names;
    int nhost;                        // host loops around the place being planned
    const Node *host[MAX_HOST_LOOPS];
    int cost;                         // of the chains that begin with them
    VEC(Expr *) when;                 // conditions that the chosen parallelism needs
    const char *steps;                // that were taken, one a line,
    VEC(Expr *) asked;                // and what these ask for
    VEC(const Array *) temps;         // that steps made
    VEC(Node *) done;                 // parts of the nest that stand before the one under way
    VEC(Fact) facts;                  // what something asked for
    // contractions and sums of rows among the loops get kernels of their own shape (parts.c)
    bool shaping;
    int nshaped;                      // that have
    VEC(PlanPart) parts;              // of them the ones whose nests can be judged by themselves
    Cutting cutting;                  // loops over rows are cut in pieces (pieces.c)
    int npieces, nturned;             // that have been; what has been turned, or brought outside
    bool scans;                       // a processor's own loops are as good: a GPU takes them
    bool asserted;                    // something rests on the user's word
    int nparallel;                    // kernels with mapped loops so far
    int nsums;                        // chains with updates turned into partial results or atomics
    int nserial;                      // kernels so far in which one thread runs loops
    Promises promised;                // of index arrays' values, as the nest has it
    bool several;                     // the region is several loop nests
    bool splitting, turning, waving;  // below parts of pivots.c, a tree of outward.c, waves of waves.c
    bool paneling;                    // in a strip of panels.c
    bool again;                       // groups of distribute.c may each compute a variable that they share
    int npanels;                      // loops that go in strips
    const Touch *blame_x, *blame_y;   // why the first loop met is not parallel
    const Node *blame;
} Plan;

// What may be done with one loop of a chain.
typedef enum Freedom {
    FREE_NO,
    FREE_ATOMIC, // free once updates are made atomic or become partial results
    FREE_YES     // conflicting instances agree on its counter: it may be mapped
} Freedom;
typedef struct LoopFreedom {
    Freedom freedom;
    Expr *when;          // NULL: always
    bool asserted;       // rests on the user's word
    Conflicts *conflicts;
    bool bounded;        // its range can be had without counters of the chain
    MapDim dim;          // its bounds, when bounded
} LoopFreedom;

typedef struct ChainFacts {
    Chain chain;
    Node *things;        // its body as what may be distributed (loop_things)
    Relations *rel;      // of the chain below copies of the host loops
    int base;            // host loops around it
    LoopFreedom loop[16];
    int nfree, natomic;  // how many are FREE_YES / at least FREE_ATOMIC, and bounded
    int cost;            // its loops, times the square of those around its deepest statement
} ChainFacts;

// Which loops of n are x, y and z of a grid: x, then the others from the inside out; of more than three the
// shortest stay in each thread. trips: 0 for a loop that is not free.
int loops_to_map(int n, int64_t *trips, int x, int *at);

// A fact of the nest (T_I64), for conditions of the host; array: NULL but for FACT_MISALIGN.
Expr *plan_fact(Plan *p, FactKind kind, const Array *array);
Expr *plan_processors(Plan *p); // the number of the device's multiprocessors

// branches.c: takes loops of the chain's body apart where conditions change for all threads alike.
void plan_branches(Plan *p, Chain *c);

// chain.c
ChainFacts *chain_facts(Plan *p, Node *loop);
ChainFacts *chain_order(Plan *p, Node *loop); // the chain and its accesses alone: enough for distribute
// When an access happens at all, over parameters and counters of host loops; NULL: unknown.
Expr *chain_runs(Plan *p, ChainFacts *f, const Touch *t);
// Is there an instance of x, and one of y that runs later on the same element, below the same iterations of
// the host loops?
bool chain_before(const ChainFacts *f, const Touch *x, const Touch *y);
// The set with its first dimensions, the counters of the host loops, as parameters.
isl_set *chain_params(Plan *p, const ChainFacts *f, __isl_take isl_set *s);
// Coalescing: how much better the loop is as the x dimension than others; higher is better.
int chain_x_score(const ChainFacts *f, int loop);
// Does the access go along the counter, from word to word (more for a write), across rows (less than 0), or
// not with it at all (0)?
int plan_along(const Access *x, const Sym *s);
// Is the chain's last loop parallel where it stands, with a body of plain statements?
bool chain_can_vector(Plan *p, const ChainFacts *f);

// distribute.c: the children of the chain's body in groups that may each have a copy of the chain's loops
// (rule distribute): of each the number of its group, in an order that keeps every dependence; those marked
// `early` (NULL: none) come as early as they may. Returns the number of groups; 1: part isn't set.
int distribute(const ChainFacts *f, int *part, const bool *early, Plan *p);

// The chain's body cut in groups, each planned by itself, where some have more free loops; NULL: none
// has.
Node *plan_groups(Plan *p, ChainFacts *f);
// apart.c: the same behind loops inside that were distributed and locals that were expanded.
Node *plan_apart(Plan *p, ChainFacts *f);
// apart.c: the same behind locals that were expanded, of a chain that has no free loop.
Node *plan_expanded(Plan *p, ChainFacts *f);

// snapshots.c: a copy of what the chain overwrites, taken before it, where that frees more of its loops;
// NULL: it does not
Node *plan_snapshots(Plan *p, ChainFacts *f);

// scatter.c: the chain under the condition that index arrays have no value twice; NULL: that frees none of
// its loops
Node *plan_scatter(Plan *p, ChainFacts *f);
// What is known of the region's loops where index arrays are so, if that frees some.
const DepInfo *plan_resting(Compile *c, const Region *r, const DepInfo *d);
// The nest with the steps that rest on it; NULL: one does not fit.
Nest *plan_promise(Compile *c, Nest *n, int npromised, const Promise *promised);

// pivots.c: the chain's loops in parts before, at and behind the one iteration that the others meet; NULL:
// there is none, or parts would stay in order
Node *plan_pivots(Plan *p, ChainFacts *f);
// Of each loop of the chain the one iteration that the others meet, NULL: they don't meet. False: some meet
// elsewhere, or that is hard to tell.
bool plan_meets_at(Plan *p, ChainFacts *f, Expr **at);

// outward.c: a loop nest around all of which another loop of each statement is brought; NULL: none leaves no
// loops in order
Node *plan_outward(Plan *p, ChainFacts *f);

// waves.c: a chain of which no loop is free as waves, on the host, whose points are parallel; NULL: there
// are none
Node *plan_waves(Plan *p, ChainFacts *f);
// fused.c: the same of a chain whose body is several loops in turn, which are made one
Node *plan_fused(Plan *p, ChainFacts *f);
// waves.c: the same of loops that are written as diagonals of a rectangle already
Node *plan_diagonals(Plan *p, ChainFacts *f);
// waves.c: the first iterations of loops that ask whether they are the first by themselves; NULL: none asks,
// or that leaves more to one thread
Node *plan_borders(Plan *p, ChainFacts *f);

// panels.c: a loop of the host in strips of steps, so that what lies behind a strip is a product; NULL: its
// steps don't work on what lies behind them
Node *plan_panels(Plan *p, Node *loop);

// host.c: parts that run outside kernels
bool host_can_eval(const Expr *x);

// scratch.c: the tree with temporaries for its kernels' arrays of run-time size; NULL: their number can't be
// told
Node *plan_scratch(Plan *p, Node *tree);
bool plan_needs_scratch(bool gpu, Node *tree); // has it arrays that no kernel is to declare?

// coarsen.c: one kernel of the mapped loops, or a choice of several by the sizes: with more than
// one iteration a thread where that saves reads or keeps more of them under way
Node *plan_coarsen(Plan *p, Node *tree, const Chain *c, int ndims, const MapDim *dims);

// streams.c: kernels in which all threads of a block read the same elements one after another, which
// come through shared memory; `other` where they don't pay.
// One loop is mapped: NULL if nothing is like that.
Node *plan_streams(Plan *p, const Chain *c, int ndims, const MapDim *dims, Node *other);
// Two are, and a short loop inside is unrolled whole: a thread keeps its column and runs through rows.
Node *plan_rows(Plan *p, const Chain *c, int ndims, const MapDim *dims, Node *other);

// parts.c: while shaping, the shaped kernels of a contraction and the plain ones, of which the cheapest run
// at each size; NULL: `tree` is none. The longest run of the first of n neighbours that is one: *taken of
// them.
Node *plan_part(Plan *p, Node *tree);
Node *plan_neighbours(Plan *p, int n, Node *const *kids, int *taken);

// pieces.c: while cutting, a loop over rows as several loop nests, planned; NULL: it is left whole
Node *plan_pieces(Plan *p, Node *loop);
// shares.c: few long sums cut in shares, and what these make added up; NULL: the loop is none of them
Node *plan_shares(Plan *p, Node *loop);

// jam.c: on a processor, iterations side by side, of the mapped loop and of the chain's last; NULL: no use.
Node *plan_jam(Plan *p, Node *tree, const Chain *c, int ndims, const MapDim *dims);
Node *plan_jam_inside(Plan *p, const Chain *c, int ndims, const MapDim *dims);
// bands.c: the parallel loop x along memory, rows of it inside; `other` where that can't be, or does not pay.
Node *plan_bands(Plan *p, const Chain *c, const MapDim *x, Node *other);
// lanes.c: on a processor, iterations of the parallel loop x in vector lanes with all loops inside of it
// around them, rows of y (NULL: none) dealt to the cores; `other` where that can't be, or does not pay.
Node *plan_lanes(Plan *p, const Chain *c, const MapDim *x, const MapDim *y, Node *other);

// updates.c: loops whose conflicts are updates only, as partial results or atomic updates.
// NULL: neither will do.
Node *plan_updates(Plan *p, ChainFacts *f);

// scans.c: a loop that does something with a sum at each term; NULL: it is none.
Node *plan_scans(Plan *p, ChainFacts *f);

// stay.c: remarks. Those that return a nest return NULL.
bool stay_feet_known(Compile *c, const Region *r, const DepInfo *d);
void stay_not_parallel(Plan *p);
void stay_check_marks(Compile *c, const DepInfo *d);   // those that are not true
void stay_tell_asserted(Compile *c, const DepInfo *d); // what a nest rests on
Nest *stay_too_hard(Compile *c, const Region *r);
Nest *stay_never_inside(Compile *c, const DepInfo *d);
Nest *stay_never_ends(Compile *c, const Region *r);
Nest *stay_no_scratch(Compile *c, const Region *r);

// The region's loops as they are written, in one thread.
Nest *plan_in_turn(Compile *c, const Region *r, const DepInfo *d, const char *target);
// The standard nest for a call, in silence; NULL: it stays on the host.
Nest *plan_standard(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k);
void plan_require(Plan *p, Expr *when); // the whole nest runs only where that holds; NULL: always
// judge.c: under --confirm plan_judge; else the nest is believed so far.
bool plan_confirmed(Compile *c, Nest *n);
// Are all of its parts proved, and is it the standard nest but for these? `when` gains what they ask for.
bool plan_parts_hold(Compile *c, Nest *n);
extern const char plan_marked[]; // why a nest that rests on a mark is no better than believed
// auto.c
void plan_use_loop(Plan *p, const LoopFreedom *l); // takes over what its freedom rests on
// The chain as kernels, each of a group of its body if that frees more; NULL: no loop is free.
Node *plan_free(Plan *p, ChainFacts *f);
Node *plan_map(Plan *p, ChainFacts *f, Freedom least); // one kernel of the loops at least so free
Node *plan_node(Plan *p, Node *n);
// A loop on the host around the kernels of its body, which stands inside chains of that cost; NULL: none of
// them is parallel.
Node *plan_host_loop(Plan *p, Node *loop, int cost);
bool plan_has_loop(const Node *n);
// A step of the catalogue, applied to a part of the region's tree, and noted; NULL: it does not fit.
Node *plan_step(Plan *p, Node *tree, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
Node *plan_each_kernel(Plan *p, Node *tree,
                       const char *rule); // "RULE KERNEL" for all in which it does something
char *plan_words(Plan *p, Expr *x); // an expression as a step's knob has it
const char *plan_numbers(Plan *p, int n, const int *number); // a list of numbers, the same
// The chain in the tree as a kernel (rule grid); more: further knobs, " lanes=yes". NULL: `per` can't be had.
Node *plan_grid(Plan *p, Node *tree, const Chain *c, int n, const MapDim *dims, const char *more);
// The chain twice (rule either), one where that holds a third of the way through the host's loops.
Node *plan_either(Plan *p, Node *tree, const Chain *c, Expr *when);
Expr *plan_typical(Plan *p, Expr *x); // with the counters of the host's loops as they are there
void plan_note(Plan *p, const char *line); // what no step has done, as a comment
// What was noted so far, to go back to when it leads nowhere.
typedef struct PlanMark {
    const char *steps;
    int next, nfacts, ntemps, nasked;
    const Fact *facts;
    const Array *const *temps;
    Expr *const *asked;
} PlanMark;
PlanMark plan_mark(const Plan *p);
void plan_back(Plan *p, PlanMark m);
// What plan_default makes, but with shaped kernels for those of the region's loops that are contractions.
// NULL, and nothing is said: there are none.
// cutting: loops over rows are cut in pieces; NULL where none is, or nothing would be turned.
Nest *plan_shaping(Compile *c, const Region *r, const DepInfo *d, const PlanCall *k, Cutting cutting);
const char *kernel_name(Plan *p);
#endif
