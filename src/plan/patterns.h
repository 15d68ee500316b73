// SPDX-License-Identifier: MIT
// patterns.h -- pattern rules: which transformation each array reference asks for, told by its
// subscripts and the loops around it alone.
//
//   pattern         reference, seen from one thread                         transformation
//   define          none: always                                            DEFINEARG
//   transpose       A[tid][d]; with two thread loops A[tid0][tid1]          TRANSPOSITION
//   hoist           in loops, none of whose counters it names               HOISTTOREG
//   hoist-loop      in two loops; it names the inner counter, not the outer HOISTTOREGLOOP
//   stage           A[tid][k]: a loop of stride one, and one of two threads TILEINLOCAL
//   stencil         several A[tid1 + c][tid0 + c] at constant distances     TILEINLOCALSTENCIL
//
// tid0 is the innermost parallel loop: neighbouring threads. The catalogue is that of J. Jepsen,
// "GPU programming made easier", 2014, with one condition made explicit: what every thread of the
// block names for itself is not staged. Sizes need not divide: rule edge meets what is left.
#ifndef SCULPT_PLAN_PATTERNS_H
#define SCULPT_PLAN_PATTERNS_H
#include "plan/plan.h"
#include "rule/refs.h"

typedef enum PatternKind {
    PATTERN_DEFINE,
    PATTERN_TRANSPOSE,
    PATTERN_HOIST,
    PATTERN_HOIST_LOOP,
    PATTERN_STAGE,
    PATTERN_STENCIL,
    PATTERN_COUNT,
} PatternKind;
const char *pattern_name(PatternKind k);     // "hoist-loop"
const char *pattern_origin(PatternKind k);   // "HOISTTOREGLOOP"

// A nest of loops whose outermost parallel loops are blocks and threads.
typedef struct Team {
    Node *first;           // the outermost of its parallel loops
    int n;                 // one or two
    Node *thread[2];       // tid0, the innermost of them, first
    bool marked;           // the program says that they are parallel
    Refs refs;             // of the nest
} Team;
typedef struct Match {
    PatternKind kind;
    const Ref *ref;        // NULL: define
    int team;              // in Patterns.teams
    Node *loop;            // hoist: the outermost loop around it, in the thread; stage: the one it names
} Match;
typedef struct Patterns {
    const Region *region;
    VEC(Team) teams;
    VEC(Match) matches;    // in the order of the references
    bool has[PATTERN_COUNT];
} Patterns;
// Time linear in the number of references, once the loops are analysed.
Patterns *patterns_of(Compile *c, const Region *r, const DepInfo *d);

// A recipe that applies what was matched: the thread loops mapped to blocks of 16 x 16 or 256
// threads, and each transformation as optional steps ("maybe NAME: STEP"). The values of
// parameters (nvals may be 0) are what define compiles in. What could not be turned into steps
// stands in it as a comment that says why. NULL after diag(): nothing can be mapped.
char *patterns_recipe(Compile *c, const DepInfo *d, const Patterns *p, int nvals, const InterpVal *vals);
#endif
