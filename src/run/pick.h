// SPDX-License-Identifier: MIT
// pick.h -- which nest of a chain a device runs: asked by calls, and by the advisor.
#ifndef SCULPT_RUN_PICK_H
#define SCULPT_RUN_PICK_H
#include "ir/ir.h"
#include "model/model.h"

typedef struct PickDevice {
    const char *target;      // "gpu" or "cpu"
    int64_t warp;            // threads that run together
    int64_t shared, threads; // of a block, at most; bytes; threads 0: no limit
} PickDevice;
// Is the nest made for such a device, and is there room?
bool pick_has_room(Arena *a, const PickDevice *d, const Nest *n);
// May nest `at` of a chain be chosen there? The last for its target always may.
bool pick_suits(Arena *a, const PickDevice *d, int n, Nest *const *chain, int at);

// To be asked, in their order, about the nests that suit. at: the best so far, -1 at first. True: none behind
// it can be better.
typedef struct Pick {
    int at;
    double cost;
    bool hopeful;            // where only data tell: conditions hold, and costs are the highest
} Pick;
// Does its condition hold? hopeful: where nobody can tell, it does.
bool pick_holds(const Nest *n, bool hopeful, int nvals, const InterpVal *vals);
bool pick_look(Pick *p, int at, const Nest *n, int nvals, const InterpVal *vals);
// The same of one whose condition holds. cost: NULL: it knows none; NAN: what it knows is no number.
bool pick_offer(Pick *p, int at, const double *cost);

// A call of which the sizes are known and no more, on a machine whose data are there already.
typedef struct PickCall {
    const Machine *m;
    int nvals;
    const InterpVal *vals; // of the region's parameters
} PickCall;
// The values, and the nest's facts behind them; *n: how many. In the arena.
InterpVal *pick_values(Arena *a, const PickCall *k, const Nest *nest, int *n);
// The nest that such a call (`arg`: a PickCall) runs, -1: none; where only data tell, conditions hold.
int pick_for(Compile *c, int n, Nest *const *chain, const void *arg);
PickDevice pick_machine(const Machine *m);
#endif
