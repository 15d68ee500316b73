// SPDX-License-Identifier: MIT
// space.h -- what tuning looks through: the planner's nests for a call, and their recipes with other numbers.
//
//     family 0   strip j by=16 … strip i by=6 … pack A panel=6      as the planner wrote it
//       point    strip j by=16 … strip i by=8 … pack A panel=8      a number is a coordinate
//     family 1   the same with a step left out, or lanes where there are none
//     family 2   the planner's next nest
//
// Numbers that are alike change together: a tile and the panel that holds it. What does not fit together is
// no point; whether a point keeps the meaning is asked of the judge when it is measured.
#ifndef SCULPT_TUNE_SPACE_H
#define SCULPT_TUNE_SPACE_H
#include "run/wise.h"
#include "tune/tune.h"

enum { SPACE_KNOBS = 24 };
typedef struct Point {
    int family;
    int ncoord, coord[SPACE_KNOBS]; // which choice of each number; neighbours differ by one in one of them
    double price;                   // seconds by the model; 0: it can't tell
    double fix;                     // times what measuring other regions has said of such prices; 0: nothing
    const char *bound;              // what its longest kernel waits for by the model; "": it can't tell
    // steps, or "planned DIGEST" of a nest that no recipe makes again; of a space by hand: lines NAME=VALUE
    const char *form;
    const char *nest;               // that nest's text; NULL: steps
    const char *digest;             // of the form
} Point;
typedef struct Space {
    const char *name; // the region's
    WiseKey key;
    const char *catalogue;
    const char *standard; // the nest that runs without wisdom, as text, judged; "by hand NAME": that kernel
    double price;         // of that
    double ceiling;       // seconds at the machine's ceilings, at least; 0: not known
    int n;
    const Point *at; // [0]: what runs without wisdom
} Space;

typedef enum Effort { EFFORT_MEASURE, EFFORT_PATIENT, EFFORT_EXHAUSTIVE } Effort;

bool space_by_hand(const Space *s); // a kernel's of which the knobs are macros (hand.h)
// Do the region's loops or stores follow whole numbers in arrays? Nobody knows those here.
bool space_follows_data(const Region *r);
// Of a case of which the values are known, on the lab's device. Stops adding points after so many seconds.
// NULL with a reason in *why: nothing can run. In k->a.
Space *space_make(Case *k, Effort effort, double seconds, const char **why);

// A recorded space priced by the model as it is; how many of its steps no longer fit. The case is of that
// region and those sizes, and of such a device: else -1 with a reason in *why.
int space_reprice(Case *k, Space *s, const char **why);

// ---- as text: what a recorded log begins with; measurements follow, a line each
// ----------------------------
typedef struct Measured {
    int point;
    const char *outcome;  // "ok", "slow", "wrong", "refused", "crashed", "hung", "failed"
    double seconds, base; // 0: none
} Measured;
typedef VEC(Measured) MeasuredVec;
char *space_print(Arena *a, const Space *s);
char *measured_print(Arena *a, const Measured *m); // with its newline
// A log; measured may be NULL. NULL with a reason in *why.
Space *space_read(Arena *a, const char *text, MeasuredVec *measured, const char **why);
#endif
