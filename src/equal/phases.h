// SPDX-License-Identifier: MIT
// phases.h -- phases of a block that copy and add its memory: run, and as sums (phases.c).
#ifndef SCULPT_EQUAL_PHASES_H
#define SCULPT_EQUAL_PHASES_H
#include "equal/pair.h"
#include "front/normal.h"

enum { MOST_DIMS = 4, LEAST_PHASES = 6, LEAST_ADDS = 3 }; // fewer are no trouble as they are

typedef struct Range { // of symbols: what words held before, and what is given
    int lo, hi;
} Range;

typedef struct Row { // the symbols that a word adds up
    Range *at;
    int n;
    bool lost; // something was read that nobody has written
} Row;

typedef struct Source { // an array's words, or what a copy takes from elsewhere at each of its counters
    const Array *v; // NULL: a copy's
    const Node *copy, *kid; // …and the phase that it stands in
    int base, words, rank, dim[MOST_DIMS];
    Loc loc; // of what set it last
    bool set;
    const Array *was; // it as it was before, in one row; NULL: nobody has asked
    bool *needed; // words that somebody reads later
} Source;

typedef struct Run {
    Pair *p;
    Arena *a;
    VEC(Source) sources;
    VEC(Row) rows; // of each word, by its symbol
    VEC(InterpVal) at; // counters…
    VEC(const Node *) loops; // …and their loops
    const Node *kid; // the phase at hand
    int adds, steps;
    bool failed;
} Run;

// The pass over a tree.
typedef struct Phases {
    Pair *p;
    Arena *a;
    const Node *root;
    bool changed;
    int serial; // loops around that are no threads'
    int fresh;
} Phases;

typedef VEC(Node *) NodeVec;
typedef VEC(const Sym *) SymVec;

typedef struct Put {
    Phases *g;
    Run *r;
    NodeVec out, behind; // what comes behind the sums: what leaves the block…
    ArrayVec locals, written; // …to these
} Put;

// phase_run.c
bool phase_is_block_memory(const Array *v);
bool phase_is_counted(const Expr *x, const SymVec *of); // it is made of these counters alone
bool phase_reads_block(const Expr *x);
bool phase_is_linear(const Expr *x, const SymVec *of); // a sum of words
bool phase_is_added(const Run *r, Type t); // such words may be added in any order
int phase_constant(const Expr *x); // 0: it is none, or too large
bool phase_can_run(Run *r, const Node *n, SymVec *of);
void phase_run(Run *r, const Node *n);

// phase_sums.c
bool phase_reads(const Node *root, const Array *v);
// Sums in the place of the phases; there: with what leaves the block. False: they are too few, or what they
// do is not told.
bool phase_put_sums(Put *p, int n, Node *const *kids, Node *const *there);
#endif
