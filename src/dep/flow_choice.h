// SPDX-License-Identifier: MIT
// flow_choice.h -- conditions on what the loops write, as values: of statements, and of whole blocks.
#ifndef SCULPT_FLOW_CHOICE_H
#define SCULPT_FLOW_CHOICE_H
#include "dep/flow.h"
#include "dep/twin.h"

enum { MOST_CHOICES = 8, MOST_CHOSEN = TWIN_VARS };

// A condition of the region, and what stands under it.
typedef struct Choice {
    Expr *cond;
    const Stmt *truth;       // t = cond
    Array *value;            // t
    int n;
    const Stmt *from[MOST_CHOSEN], *to[MOST_CHOSEN];
} Choice;

// One with more than such statements: a loop, variables of its own (flow_block.c).
typedef struct Block {
    const Node *node;        // the N_IF
    int depth;
    const Sym **iters;       // the loops around it
    Array *value;            // of what goes in
    int nvars;
    const Array *var[MOST_CHOSEN]; // variables of the loops that it reads or writes…
    bool written[MOST_CHOSEN];
    const Stmt *taken, *left[MOST_CHOSEN]; // value = …; and what they are behind it, NULL: as before
} Block;

typedef struct Choices {
    Compile *c;
    Arena *a;
    const Region *r;
    int n;
    Choice at[MOST_CHOICES];
    int nblocks;
    Block block[MOST_CHOICES];
    bool fails;              // a statement stands elsewhere, or under another condition
} Choices;

// flow_block.c: the condition and what stands below it as a value, if it touches no more than variables and
// arrays that the region leaves alone; a node of a tree that is one; is the statement of one?
bool flow_note_block(Choices *k, const Node *n, int depth, const Sym *const *iters);
Node *flow_block_as_value(Choices *k, const Node *n);
bool flow_in_block(const Choices *k, const Stmt *s);
#endif
