// SPDX-License-Identifier: MIT
// lone.h -- a region's only sum, or sums of one loop nest, alone in its loops, and what these are (lone.c).
//
//   for i { s = 0                               for i  s[i] = 0
//     for k  s += h[k] * x[i + k]        →      for i for k  s[i] += h[k] * x[i + k]      the update
//     y[i] = s }                                for i  y[i] = s[i]
#ifndef SCULPT_PLAN_LONE_H
#define SCULPT_PLAN_LONE_H
#include "plan/strategy.h"

enum { LONE_LOOPS = 12, LONE_RANK = 16 };   // around the update; dimensions of an operand
typedef struct Role {
    int n;
    const Node *loop[LONE_LOOPS];
} Role;

typedef struct Lone {
    const Site *s;
    const Nest *nest;         // after the steps
    Text steps;               // what makes the update stand alone
    const Node *update;       // the first
    const Node *body;         // it, or the block of several updates and of what they share
    Role all, free, sums;     // the loops around it
    LoopNames sum;            // the arrays that are updated
    bool joins;               // other statements begin the sums, or use them up
    bool any_order;           // terms may be added in any
} Lone;

// Is there one? Small numbers that windows end at, or that are in subscripts, are compiled in: windows of
// `most` places at most have a constant number of iterations then, and what they multiply is linear.
bool lone_find(const Site *s, int64_t most, Lone *out);
int64_t lone_trips(const Lone *w, const Node *loop);  // in the call; many where that can't be told

void role_put(Role *r, const Node *loop);
void role_drop(Role *r, const Node *loop);
bool role_has(const Role *r, const Node *loop);
const char *loop_name(const Node *loop);
// The constant that the counter is multiplied by in a subscript; 0: it is not there, or times something else.
int64_t access_coef(const Access *x, int dim, const Node *loop);
// Are all subscripts sums of the counters, times constants?
bool access_is_linear(const Lone *w, const Access *x);
#endif
