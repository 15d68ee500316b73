// SPDX-License-Identifier: MIT
// teams.h -- rows that are reduced, each by a team of threads: sums, norms, softmax, rows of sparse matrices.
#ifndef SCULPT_PLAN_TEAMS_H
#define SCULPT_PLAN_TEAMS_H
#include "plan/plan.h"
#include "rule/rule.h"

enum { TEAMS_ROWS = 3, TEAMS_LOOPS = 8, TEAMS_WALKS = 16 };
// threads a team: a warp (the one that is shown), some of a warp, a block
static const int teams_sizes[] = {32, 8, 256, 1024};

// An array of which dealt loops touch a row each.
typedef struct Walk {
    const Array *array;
    bool write;
    unsigned loops;                   // which of them: bits
} Walk;

// A region that is loops over rows, which carry nothing, around loops whose iterations may be dealt.
typedef struct Teams {
    const Region *region;
    int nrows, ndealt, nsums;
    const Node *row[TEAMS_ROWS];      // outermost first
    const Node *dealt[TEAMS_LOOPS];   // sums, and loops that carry nothing
    Chain around[TEAMS_LOOPS];        // loops directly around such a one that go inside of it; mostly none
    bool swapped;                     // the only dealt loop stands outside of a row's
    int nwalks;
    Walk walk[TEAMS_WALKS];
    Expr *rows;                       // T_F64, over parameters: how many rows…
    Expr *length[TEAMS_LOOPS];        // …and iterations of a dealt loop in one, on average,
    Expr *each[TEAMS_LOOPS];          // in each of which so many of those that went inside
    double bytes[TEAMS_LOOPS];        // that an iteration brings from memory or sends there
} Teams;

// Is the region that, and would threads with neighbouring iterations touch neighbouring words, where threads
// with neighbouring rows would not?
bool teams_find(Compile *c, const Region *r, const DepInfo *d, Teams *out);
// … or are all rows sums of the same elements, or do neighbouring rows touch neighbouring words, so that
// teams pay only where there are few rows?
bool teams_find_few(Compile *c, const Region *r, const DepInfo *d, Teams *out);
// The steps that make the kernel with teams of `by` threads.
char *teams_recipe(Arena *a, const Teams *k, int by);
// Also, of at most rounds * width iterations a thread: rows that several loops touch are read once, into
// registers, and written once.
char *teams_resident(Arena *a, const Teams *k, int by, int rounds, int width);
// How many arrays these are.
int teams_held(const Teams *k);
// Rows are long enough for such teams.
Expr *teams_pays(Arena *a, const Teams *k, int by);
// Microseconds, over the region's parameters, bytes a microsecond that kernels read, and multiprocessors.
Expr *teams_cost(Arena *a, const Teams *k, int by, const Sym *copying, const Sym *processors);
#endif
