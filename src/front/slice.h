// SPDX-License-Identifier: MIT
// slice.h -- what inspect.c, slice_side.c and slice_loop.c share: the part of a region that tells how far an
// array reaches.
#ifndef SCULPT_SLICE_H
#define SCULPT_SLICE_H
#include "front/normal.h"

typedef VEC(const Sym *) SymVec;

// A subscript that names a temporary: it is that of one of its assignments.
typedef struct Way {
    const Array *x;
    Expr *sub, *guard;  // guard: what is certain where it is used; NULL: nothing
    bool sided, most;   // only what the subscript is at most, or at least, is asked for
    const Node *from;   // sided: the assignment behind which none before it is seen; NULL: all are
} Way;

// A block's temporary, and what stands around the block: so many loops and conditions.
typedef struct Scope {
    const Array *x;
    int niters, nconds;
} Scope;

typedef struct Cond {
    const Node *n;
    bool holds;
} Cond;

enum { MOST_WAYS = 16 };

typedef struct Slice {
    Normal *m;
    Arena *a;
    const Array *v;
    int dim;
    bool all;               // accesses whose subscript is known, too
    VEC(const Sym *) iters; // of the loops around, outermost first
    VEC(bool) data_bound;   // is the counter's range known from data only?
    Node *root;             // of the tree that is cut
    Node *at;               // the node whose expressions are being looked at
    ArrayVec written;       // in the region
    VEC(const Expr *) certain; // loads that are made on the way here in any case
    VEC(const Expr *) seen; // subscripts, without loads, that are touched on the way here in any case
    Loc loc;                // of some access that needs it
    bool needed;
    const Array *changed;   // read by the slice, but it may have another value in the region
    bool loose;             // conditions that the region computes were left out, or more was counted in
    bool wide;              // what the region computes is replaced by what encloses it,
    VEC(Way) ways;          // or by what it may be;
    const Way *way;         // the one that is being followed,
    bool begun;             // and its first assignment was met
    bool sided;             // wide, and what is at most and at least there
    VEC(Scope) scopes;
    VEC(Cond) conds;        // around, outermost first
    SymVec *params;         // that sections need, of all arrays
} Slice;

// Do all loads of x (NULL: there are none) find what the region finds there?
bool slice_may_read(Slice *s, const Expr *x);
void slice_needs(Slice *s, const Expr *x);     // if not, Slice.changed
bool slice_may_fail(const Expr *x);            // does x read memory, or divide by what may be 0?
Expr *slice_readable(Slice *s, Expr *guard);   // what of a condition the host can ask; NULL: nothing
Node *slice_leaf(Slice *s, Expr *value, Expr *guard);
// The one temporary that a subscript is made of, besides what stays the same in its block; NULL: none.
const Array *slice_temporary(const Slice *s, const Expr *sub);
// slice_side.c: leaves of which one is `sub` or beyond it; temporaries in it are followed to where they are
// set.
Node *slice_side(Slice *s, Expr *sub, Expr *guard, bool most);
// slice_loop.c: what is to be run of loop n over these leaves.
Node *slice_loop(Slice *s, const Node *n, Node *body);
#endif
