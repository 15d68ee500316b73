// SPDX-License-Identifier: MIT
// record.h -- a scalar that a loop sets anew where something beats it, or where something holds: between
// record.c, which finds such places, and record_make.c, which writes them as reductions.
#ifndef SCULPT_RECORD_H
#define SCULPT_RECORD_H
#include "front/normal.h"

typedef VEC(Node *) NodeVec;

typedef struct Record {
    Normal *m;
    Arena *a;
    Node *loop;        // outermost
    Node *place;       // the if or the assignment
    NodeVec loops;     // around it, outermost first
    ArrayVec var;      // scalars, or elements at fixed subscripts, that are set,
    ExprVec now;       // their loads,
    ExprVec value;     // and to what
    Expr *guard;       // what must hold besides; NULL: nothing
    Expr *before;      // v < 0 where v becomes a counter: only the first iteration counts. NULL: none
    // Where values are compared; `e` is NULL where the last iteration counts that fulfils the guard.
    Expr *e;           // this is better than the best so far
    Expr *start;       // the best before the loop, over the scalars as they are before it
    int at;            // which of the scalars keeps the best; -1: none (only its place is kept)
    Op op;             // OP_MAX or OP_MIN
    bool equal;        // the same is better, too
    bool nan;          // a NaN is taken, and anything is better than a NaN
    bool quiet;        // fmax: a NaN is never taken, and anything else is better than a NaN
    bool inside;       // its loop stands in others
} Record;

// The loop and what follows it, with reductions that may be done in any order; NULL: it has to stay as it is.
Node *record_make(Record *r);
#endif
