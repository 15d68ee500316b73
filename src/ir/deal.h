// SPDX-License-Identifier: MIT
// deal.h -- how the elements of a copy that a block makes together are dealt to its threads.
#ifndef SCULPT_IR_DEAL_H
#define SCULPT_IR_DEAL_H
#include "ir/ir.h"

enum { DEAL_DIMS = 16 };

// Where a coordinate of the box comes from: a digit of the thread's number and one of the turn.
//   lo + tid / weight % width + width * (turn / turn_weight % turns)
typedef struct Share {
    int64_t weight, width;      // width 1: the thread's number has no part
    bool leads;
    int64_t turn_weight, turns; // turns 1: the turn has no part
    bool ends_early;            // it may lie behind the box; then there is nothing to copy
} Share;

typedef struct Deal {
    Share share[DEAL_DIMS];
    int64_t busy;       // threads that have work; all: those of the block
    int64_t turns;      // how often each copies
    int rest;           // the first `rest` coordinates have no shares: they are digits of
                        // tid / rest_weight + rest_width * turn, which must stay below rest_all
    int64_t rest_weight, rest_width, rest_all;
} Deal;

// A box of n extents, all at least 1, outermost first, for so many threads.
void deal_out(int n, const int64_t *extent, int64_t threads, Deal *out);
#endif
