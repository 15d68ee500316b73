// SPDX-License-Identifier: MIT
// panels.h -- loops in a strip of steps: which are near the strip's own rows, and which far from them.
#ifndef SCULPT_PLAN_PANELS_H
#define SCULPT_PLAN_PANELS_H
#include "plan/auto.h"

enum {
    PANEL = 32,       // steps a strip, and rows or columns of a corner's threads
    LONG_PANEL = 128, // steps a strip at most where each goes through one loop
    PANEL_KIDS = 48,  // things in a loop
    PANEL_AROUND = 16 // loops around a place
};
typedef struct Strip {
    Plan *p;
    const Sym *steps;          // counter of the strip's steps
    Expr *start, *end;         // the first step, and the first behind
    int64_t length;            // how many
} Strip;
// Where a loop runs, as its bounds say: within the strip, before or behind it, or at a place that has nothing
// to do with it.
typedef enum Side { SIDE_NEAR, SIDE_BEFORE, SIDE_BEHIND, SIDE_ELSEWHERE } Side;
Side panel_side(const Strip *s, const Node *loop, int n, const Node *const *around); // n loops around it
bool panel_is_far(const Strip *s, const Node *loop, int n, const Node *const *around);
// Is there a far loop below, with n loops around it?
bool panel_has_far(const Strip *s, const Node *tree, int n, const Node *const *around);

// keeps.c: the strip's loops with what their parts read kept from step to step, where another part overwrites
// it in a later one (rule keep).
Node *panel_keeps(const Strip *s, Node *tree);
// panel_group.c: the kernels of a group, loops over a strip's steps with what depends on each other in them;
// NULL: a thread would be alone with loops.
Node *panel_group(const Strip *s, Node *group);
#endif
