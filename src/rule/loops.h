// SPDX-License-Identifier: MIT
// loops.h -- what the reshaping rules share: bands of loops, guards, extremes of expressions.
//
// These work on the tree under `root`, not on the change's nest, so that a rule can take
// several steps. They return the new root, or NULL after change_refuse.
#ifndef SCULPT_RULE_LOOPS_H
#define SCULPT_RULE_LOOPS_H
#include "rule/catalogue.h"

bool has_loops(Node *n);                        // is there a loop in the subtree?
// How many iterations, where the bounds differ by a constant; false: they don't.
bool loop_constant(const Node *loop, int64_t *trips);
Expr *loop_span(Arena *a, const Node *loop);   // iterations; may be negative for none
// May one more loop run that way where `loop` stands? False: refused (three block loops, eight
// thread loops).
bool loop_room(Change *ch, Node *root, Node *loop, How how);
// A new counter called `wish`, which may be the name of `old`, a loop that goes away. Named by
// the user: NULL after change_refuse when the name is taken or is no name.
const Sym *counter_named(Change *ch, const char *wish, Type t, const Node *old, bool by_user);
// Up to two names of as=, or the loop's name with these ends behind it. False: refused.
bool two_counters(Change *ch, const Node *loop, Type t, const char *outer, const char *inner,
                  const Sym *out[2]);
Type counter_type(const Node *loop);            // the counter's, at least 32 bits wide

// ---- strips (strip.c) and bands (band.c) --------------------------------------------------------
typedef struct StripWish {
    int64_t by;
    const Sym *outer, *inner;
    bool exact;             // refuse instead of guarding
    bool aligned;           // cut at multiples of `by`, even if it always runs as often
} StripWish;
Node *loop_strip(Change *ch, Node *root, Node *loop, const StripWish *w);
// The loops of that name in that order from the outside in; they must be on one band. Loops of
// the band that aren't named stay where they are.
Node *loops_permute(Change *ch, Node *root, int n, const char *const *order);
// The bounds of *loop (a copy) without the counter of `other`: the least and greatest of them.
bool loop_widen(Change *ch, Node **loop, const Node *other);
Expr *loop_bounds(Arena *a, const Node *loop);  // lo <= i && i < hi
// The loop of that name in a kernel, only block loops around it there, as blocks (map.c).
Node *loop_block(Change *ch, Node *root, const char *name);
// lo = 0 and step = 1, under the same name.
Node *loop_normal(Change *ch, Node *root, Node *loop);
// Several nodes in the place of a loop, in the sequence that it stands in if it does.
Node *loop_parts(Change *ch, Node *root, Node *loop, int n, Node *const *parts);
// What a loop holds, as a block of the things that may have loops of their own: those in blocks that declare
// nothing, and those under conditions that may be asked for each of them.
Node *loop_things(Arena *a, Node *body);
// Of such a block: does the thing only set a variable that the block declares? Do all so that write x, which
// each part may then do again?
bool thing_sets(const Node *seq, const Node *thing);
bool things_set_again(Arena *a, const Node *seq, const Array *x);
// Iterations before `at` (a counter's value), and the others; `at` need not lie between the
// bounds. One part keeps the loop's names, the other gets new ones. False: refused.
typedef struct Halves {
    Node *first, *second;
} Halves;
bool loop_halves(Change *ch, Node *loop, Expr *at, bool second_keeps, Halves *out);
// A kernel as two, one behind the other, the second with the blocks from at= on (split_blocks.c).
Nest *split_blocks(Change *ch, const Path *way, Node *loop);

// A condition on a loop's counter as a bound of it: true from *lower on, or before *upper (the other
// is NULL). False: it is no such condition.
bool loop_term(Change *ch, const Node *loop, Expr *term, Expr **lower, Expr **upper);

// ---- guards (guard.c) -----------------------------------------------------------------------------
enum { TERMS_MAX = 64 };
int cond_terms(Expr *cond, Expr **out, int max);    // of &&; how many, -1: too many
Expr *cond_and(Arena *a, Expr *x, Expr *y);         // either may be NULL
bool cond_is_free(const Expr *x);                   // reads no memory, can't trap: may be asked anywhere
// Can't trap, and reads what the region never writes: where it stands it may be asked again.
bool cond_is_steady(const Region *r, const Expr *x);
// The condition as close to the statements below n as it gets.
Node *guard_sink(Arena *a, Node *n, Expr *cond);
// All conditions as far out as they get: out of loops that don't change them, never out of
// block, thread and coop loops.
Node *guard_float(Arena *a, Node *root);

// ---- expressions (affine.c) -------------------------------------------------------------------------
// The least (greatest) value that x takes for s from lo to last, ends included; a bound of it
// where s occurs more than once. NULL: can't be told.
Expr *expr_extreme(Arena *a, Expr *x, const Sym *s, Expr *lo, Expr *last, bool greatest);
// … over all iterations of n loops inside each other, outermost first.
Expr *expr_extreme_in(Arena *a, Expr *x, int n, const Node *const *loops, bool greatest);
// An inequality of integers where it holds in all iterations of these loops, or in any; NULL: it is none, or
// that can't be told.
Expr *comparison_in(Arena *a, const Expr *t, int n, const Node *const *loops, bool all);
// Between which values, ends included, a loop's counter lies when it runs.
void loop_range(Arena *a, const Node *loop, Expr **least, Expr **greatest);
#endif
