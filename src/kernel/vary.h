// SPDX-License-Identifier: MIT
// vary.h -- which values may differ between the threads of one block.
//
// A value differs if it is computed from a thread's number, from a private variable that was set
// from such a value or where threads disagree on getting there, or read from memory at a place
// that differs. What all threads read at one place is the same (were it not, there would be a race).
#ifndef SCULPT_KERNEL_VARY_H
#define SCULPT_KERNEL_VARY_H
#include "front/normal.h"

typedef struct Vary {
    Arena *a;
    int nthread;
    const Sym *const *thread;
    ArrayVec arrays;             // private variables whose values differ
    VEC(const Sym *) iters;      // counters that do
} Vary;

void vary_start(Vary *v, Arena *a, int nthread, const Sym *const *thread, Node *body);
bool vary_expr(const Vary *v, const Expr *x);
const char *vary_reason(const Vary *v, const Expr *x);   // ": 'tx' is the thread's"; or ""
bool vary_uses_thread(const Vary *v, const Expr *x);     // the thread's number itself
// offset.c: x compares two values that have the same part of the thread's number: what is left
// of them without it.
bool vary_cancels(const Vary *v, const Expr *x, Expr **left, Expr **right);
// offset.c: without what private integers have of the thread's number in a fixed way.
Node *vary_take_offsets(Vary *v, Node *body);
// The tree with the counter replaced, in statements too.
Node *vary_subst(Arena *a, Node *n, const Sym *iter, Expr *value);
#endif
