// SPDX-License-Identifier: MIT
// team.h -- the iterations of loops dealt to a team of threads, which then work in phases.
//
//   thread i {                    shared y_s[8][32]
//     y[i] = 0             →      thread i { thread l { if (l == 0) y[i] = 0 } }
//     for k  y[i] += … }          thread i { thread l { acc = 0;  for k = l .. by 32  acc += …
//                                                       y_s[i][l] = acc } }
//                                 … and so on: a part ends where all of the team must be done with it
#ifndef SCULPT_RULE_TEAM_H
#define SCULPT_RULE_TEAM_H
#include "rule/loops.h"

enum { TEAM_LOOPS = 8, TEAM_TARGETS = 8, TEAM_WARP = 32, TEAM_ROWS = 7, TEAM_ROW = 32 };

// An element that all iterations of a loop update, with one operator, or a row of a few such elements.
typedef struct TeamTarget {
    const Array *array;
    Expr **sub;                    // [array->rank]; none moves in the loop
    int64_t row;                   // 0, or so many elements: loops inside go along all of the array
    Op op;
    // some iteration gets to an update, as far as that can be told before the loop; NULL: always
    Expr *runs;
    const Array *acc;              // the thread's own part of it
    // of a row of elements these have one dimension more, the first: neighbours are lanes
    const Array *sums;             // [rows…][lanes], or [rows…][warps][lanes]: what each thread found
    const Array *across;           // [rows…][warps]: what each warp found; NULL: the team is one warp
} TeamTarget;

typedef struct Team {
    Change *ch;                    // what refuses and gives names; NULL: nothing is refused,
    Names *names;                  // and names come from here
    Arena *a;
    const Region *region;
    int64_t threads;               // of the team: a power of two
    bool outside;                  // the team's digits stand around the rows: neighbours are rows, not lanes
    // Iterations of a thread at most, in all loops the same ones, written out; 0: as many as there are.
    int64_t rounds, width;         // each of so many neighbours
    Expr *origin;                  // where the first of them would begin
    int nloops;
    Node *loop[TEAM_LOOPS];        // whose iterations are dealt
    int nrows;
    const Node *row[TEAM_ROWS];    // the thread loops that there are, outermost first
    Node *place;                   // what is replaced: the outermost of them, or all of a block's work
    Node *work;                    // what one team does
    int ndigits;                   // the team's own: its lanes, or its warps and their lanes
    const Sym *digit[2];
    int64_t extent[2];
    VEC(const Array *) locals, kept; // what a thread kept for itself, and where the team keeps it
    VEC(const Array *) buffers;
    VEC(Node *) solo;              // what one of the team does, not put into a phase yet
} Team;

typedef VEC(Node *) TeamNodes;

// ---- phases (team.c) -----------------------------------------------------------------------------
// A phase of all threads of which those do `n` for which the conditions hold (NULL: always).
Node *team_phase(const Team *t, Expr *guard, Expr *who, Node *n);
Expr *team_lane(const Team *t);                // the lane's number in its warp
Expr *team_number(const Team *t);              // the thread's number in its team
// What the first thread does, behind all that is in the list.
const char *team_name(Team *t, const char *wish); // a free one
void team_solo(Team *t, Expr *guard, Node *n);
void team_flush(Team *t, TeamNodes *out);
// An array with an element for each row, then `extra` dimensions, then those of `like`, if it keeps them;
// with digits outside of the rows the first two change places.
const Array *team_array(Team *t, const char *wish, const Array *like, int extra, const int64_t *extent,
                        bool keeps);
Expr **team_subs(const Team *t, int extra, Expr *const *more);
// The work in phases: the place's new tree. NULL after change_refuse.
Node *team_spread(Team *t);

// ---- loops and trees (team_tree.c) ---------------------------------------------------------------
// The target's `sums` and `across`.
void team_places(Team *t, TeamTarget *g);
// The thread puts what its `acc` holds into `sums`.
Node *team_put(Team *t, const TeamTarget *g);
// What all threads put there is combined, phase by phase; team_result is it, of a row its element e.
void team_combine(Team *t, int n, const TeamTarget *g, Expr *guard, TeamNodes *out);
Expr *team_result(const Team *t, const TeamTarget *g, const Sym *e);
// The loop's phases. False after change_refuse.
bool team_deal(Team *t, Node *loop, Expr *guard, TeamNodes *out);
#endif
