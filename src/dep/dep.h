// SPDX-License-Identifier: MIT
// dep.h -- what depends on what, and whether a tree means what its region means.
#ifndef SCULPT_DEP_H
#define SCULPT_DEP_H
#include "ir/ir.h"

// How far an analysis reaches. ALWAYS: for all parameter values; NEVER: for none that can
// occur; WHEN: for those in `when`; UNKNOWN: not affine, or the budget was used up.
typedef enum Answer { ANSWER_ALWAYS, ANSWER_WHEN, ANSWER_NEVER, ANSWER_UNKNOWN } Answer;

// One end of a dependence: an access of a statement or a control expression.
typedef struct DepEnd {
    const char *label;  // "S0", or "if"/"for" for control
    Loc loc;
    const char *access; // "a[i][j]"
    bool write, atomic;
} DepEnd;

typedef enum DepKind { DEP_FLOW, DEP_ANTI, DEP_OUTPUT, DEP_UPDATE } DepKind;
typedef struct Dep {
    DepKind kind;
    const Array *array;
    DepEnd src, dst;
    const Node *carrier;   // the loop that carries it; NULL: loop-independent
    const char *distance;  // per common loop: "(0, 1)", "(0, *)", "(=, <)"
} Dep;

// What is known of one loop of a tree.
typedef struct LoopFact {
    const Node *loop;
    Answer parallel;        // no dependence is carried (updates counted as dependences)
    Expr *when;             // with ANSWER_WHEN, over parameters
    Answer reduction;       // parallel but for updates that may be combined in any order
    Expr *reduction_when;
    int nred;               // the arrays so updated
    const Array **red;
    Op *redop;
    bool needs_permission;  // a float sum or product that only a permission would free
    const Dep *witness;     // what forbids it; NULL when parallel
} LoopFact;

typedef struct DepInfo {
    const Region *region;
    int nloops;
    LoopFact *loops;        // every N_FOR of the region's tree, in text order
    int npromised;          // what these rest on, of index arrays' values
    const Promise *promised;
    Compile *compile;
    int nfeet;
    Foot *feet;             // one a user array of the region
    Expr *bounds;           // over parameters: every subscript stays inside its extents
    const char *never;      // bounds are 0: the loops may run for no sizes, and why
    bool idle;              // the loops have no iterations, whatever the sizes
    Expr *flops, *bytes, *operations; // flops, bytes and work of Nest
    Expr *work;             // T_F64 over parameters: as Nest's, but loops whose bounds are data run
                            // LOOP_ROUNDS times; NULL: can't be told
    bool gave_up;           // the budget was used up: nothing here may be relied on
} DepInfo;

// NULL never; what can't be decided is UNKNOWN.
const DepInfo *dep_analyze(Compile *c, const Region *r);
// The same with facts of loops as they are if that is so of index arrays. NULL: the budget was used up.
const DepInfo *dep_resting(Compile *c, const DepInfo *d, int n, const Promise *promised);
// Every dependence, for people: computed when asked for. Returns how many.
int dep_list(const DepInfo *d, const Dep **out);
const LoopFact *dep_loop(const DepInfo *d, const Node *loop);

// The region and the tree with numbers for parameters that counters are multiplied by, as the guard tells.
void dep_known(Compile *c, const Expr *when, const Region **region, Node **tree);

// The judge: does `root`, a tree over region r, do what r's own tree does?
typedef struct Verdict {
    Answer answer;
    Expr *when;             // over parameters; T_I32; with ANSWER_WHEN
    const char *why;        // what is refused: both accesses and the direction
    bool doubt;             // with NEVER or WHEN: all that is refused rests on elements or conditions
                            // that only the data tell; a person may know better
} Verdict;
Verdict dep_judge(Compile *c, const Region *r, const Node *root);
// The same of a nest, which may rest on what is promised of index arrays (Nest.promised).
Verdict dep_judge_nest(Compile *c, const Nest *n);
// The region and the tree with the arrays that are only accessed through x[idx[place]], or in the stretches
// between values of idx, numbered by the places, as they may be if that is so. False: there is no such array.
bool dep_promised(Compile *c, const Region *r, const Node *root, int n, const Promise *promised,
                  const Region **region, Node **tree);

// The tree without arms for whole tiles, which do what the others beside them do with conditions. around: n
// loops and conditions that the tree stands in.
Node *dep_without_whole(Compile *c, int n, Node *const *around, Node *tree);
// The tree with loops that count from zero beginning where what they stand for begins (origin.c).
Node *dep_from_origins(Arena *a, const Node *tree);

// ---- streams -------------------------------------------------------------------------------
// What one launch of a kernel touches: a box a user array of the region that it names, over
// parameters and the counters of the host loops around the kernel in n->root. `in` and `exact`
// are of that launch alone. `body` touches what the kernel's body touches. NULL: it can't be told.
Foot *dep_kernel_feet(Compile *c, const Nest *n, const Node *kernel, Node *body, int *nfeet);

// ---- barriers ------------------------------------------------------------------------------
// A copy of the tree with N_BARRIER nodes where threads of one block must wait for each other:
// the fewest gaps between phases that order every two accesses of one shared or global word by
// different threads of a block, one of them a write. What cannot be decided gets a barrier. A
// barrier before data that async copies bring says how many later groups may be pending.
// NULL after diag(): a barrier would stand where not all threads of the block arrive.
Node *dep_barriers(Compile *c, const Nest *n, Node *root);
// Groups of async copies in what dep_barriers returned. A coop nest that holds an async copy,
// and a branch of nothing but copies with such a nest, are async; a group is an async branch,
// or a longest run of other async children of one sequence (all of them stand in sequences).
// It is committed behind its last child, by all threads, whatever the conditions inside say.
bool dep_is_async(const Node *n);
bool dep_ends_group(const Node *seq, int k); // is child k the last of a group?
#endif
