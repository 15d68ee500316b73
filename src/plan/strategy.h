// SPDX-License-Identifier: MIT
// strategy.h -- ways to make kernels of a region's loops.
//
// A strategy says where it applies and which recipes are worth a try there. It never says how fast they are:
// their nests are priced by the model, beside the standard nest, for the sizes of a call (candidates.c).
#ifndef SCULPT_PLAN_STRATEGY_H
#define SCULPT_PLAN_STRATEGY_H
#include "plan/plan.h"

// A region, or a part of one, for a call whose sizes and device are known.
typedef struct Site {
    Compile *c;
    const Region *region;
    const DepInfo *dep;
    const Nest *start;        // plan_start: nothing has been changed
    const PlanCall *call;
    bool product;             // there are shapes of a contraction for it
} Site;

enum { SITE_RECIPES = 12 };   // of one strategy for one site
typedef struct Strategy {
    const char *name;         // a phrase: "mapped loops in other shapes"
    // Recipes for the site in the compile's arena, at most SITE_RECIPES; how many. 0: *why says what it
    // lacks, a phrase.
    int (*recipes)(const Site *s, const char **out, const char **why);
    bool products;            // asked also where there are shapes of a contraction
} Strategy;

// All of them: strategies.def.
enum {
#define STRATEGY(name) STRATEGY_##name,
#include "plan/strategies.def"
#undef STRATEGY
    STRATEGIES
};
extern const Strategy *const strategies[STRATEGIES];

// What the model says of a nest for the call; NaN or infinite: nothing.
double plan_seconds(const Nest *n, const PlanCall *k);
static const double PLAN_GAIN = 0.95; // of another nest's time: what the model can tell apart

// Of the first nhave nests in `out` and those of all strategies the ones that the model takes to be quicker
// than the standard one, the quickest first, at most max; how many. All nhave where the model can't tell.
// Their costs are the standard nest's times what the model says of both, so that calls of like sizes compare
// them as this one does.
int plan_candidates(const Site *s, const Nest *standard, int nhave, Nest **out, int max);

// ---- what strategies ask of a region ----------------------------------------------------------
typedef struct Band {         // loops that stand directly inside each other, outermost first
    int n;
    const Node *loop[8];
    const Node *body;         // of the last
} Band;
// The region's only loop nest, without strides and with bounds that name no counter; false: it has another.
bool site_band(const Site *s, Band *out);
// Has the loop steps of one, and bounds that name no counter and no element?
bool site_is_even(const Node *n);
// Those loops around everything whose iterations may run in any order; false: there are none.
bool site_free_band(const Site *s, Band *out);
// May iterations of the loop run in any order, for all sizes?
bool site_is_free(const Site *s, const Node *loop);
// May its iterations run in any order once the terms of sums may, and may these?
bool site_is_sum(const Site *s, const Node *loop);
// Iterations of a loop in the call; -1: it can't be told.
int64_t site_trips(const Site *s, const Node *loop);
// How many accesses of arrays in memory go along the loop, from word to word, less those that cross rows
// with it; a write counts more than a read.
int site_along(const Site *s, const Node *loop);
// Free loops of a band, at most 3: the one along memory first, then from the inside out; how many.
int site_dims(const Site *s, const Band *b, const Node *dim[3]);
// Appends "grid j i of=t threads=32,8 per=1,4". A loop that has fewer iterations in the call than there are
// threads leaves the rest of them to the next one: 32 x 8 threads are 8 x 32 where rows have 8 elements.
// false: a loop has fewer than a thread would take. per: NULL: one each.
bool site_grid(const Site *s, const Band *b, int n, const Node *const *dim, const char *threads,
               const char *per, Text *out);
// Loops anywhere below with at most `most` iterations each, a constant number: their names. Returns how
// many copies of a statement there would be if all were unrolled, at most.
typedef VEC(const char *) LoopNames;
int64_t site_short_loops(const Site *s, const Node *below, int64_t most, LoopNames *out);
// waves.c: appends steps by which loops inside each other, from `loop` on, become waves below `outer`, which
// stand around it. The innermost loop of a wave's points; NULL: no sum of their counters grows with each
// dependence.
const Node *site_waves(const Site *s, int around, const Node *const *outer, const Node *loop, Text *steps);
// histograms.c, turned.c: the recipe for a processor, and when it pays; NULL: it has none.
char *histogram_cpu_recipe(const Site *s, Expr **pays);
char *turned_cpu_recipe(const Site *s, Expr **pays);
#endif
