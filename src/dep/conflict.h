// SPDX-License-Identifier: MIT
// conflict.h -- which pairs of instances may not change places, and for which parameters.
#ifndef SCULPT_CONFLICT_H
#define SCULPT_CONFLICT_H
#include "dep/dep.h"
#include "dep/relation.h"

// The conflicts that a loop carries, sorted by what could excuse them. Each set holds the
// parameter values for which there is at least one such pair.
typedef struct Conflicts {
    isl_set *hard;          // certain: both ends run and touch the same element
    isl_set *maybe;         // an end is inexact: only the data tell
    isl_set *update;        // two updates that may be combined in any order
    isl_set *ordered;       // two float updates that only a permission would free
    isl_set *mixed;         // one iteration updates an element of `updates`, and touches it otherwise as well
    const Touch *x, *y;     // an example, of the worst kind found (hard, maybe, ordered)
    VEC(const Touch *) updates; // the updated touches behind `update` and `ordered`
} Conflicts;

// Conflicts between two instances that agree on the first `equal` counters and differ on
// counter `level` (the loop `loop` of both). With equal == level: the loop carries them,
// which decides whether it is parallel where it stands; with equal < level: whether it may
// also become the outermost of the loops equal..level.
Conflicts *conflicts_of(Relations *r, const Node *loop, int level, int equal);
bool touch_is_atomic(const Touch *t); // the program says that it is
// May two updates `op` of this array be combined in any order inside `loop`, by their
// type, the region's or program's permission, or a reduction clause on it or around it?
bool update_is_permitted(Relations *r, const Touch *t, int level);

// Where the loop (and every other one of the tree) has more than a few iterations, and subscripts stay
// inside: a guard that holds only elsewhere is worth nothing.
isl_set *worthwhile(Relations *r, const Node *loop); // owned by the arena
// From violating parameters to an answer; *when is set with ANSWER_WHEN.
Answer answer_for(Relations *r, const Node *loop, __isl_keep isl_set *bad, bool certain, Expr **when);
// Is the loop free where it has few iterations alone, less than a device runs at once, and may have more?
// h[i % 100]++ meets itself in the second hundred.
bool is_free_when_short(Relations *r, const Node *loop, __isl_keep isl_set *bad);

// All pairs (instance of x, instance of y) on the same element.
__isl_give isl_map *same_element(Relations *r, const Touch *x, const Touch *y);
int common_loops(const Event *x, const Event *y);
bool may_conflict(const Touch *x, const Touch *y); // they may share bytes, one of them writes
#endif
