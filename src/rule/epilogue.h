// SPDX-License-Identifier: MIT
// epilogue.h -- the one place where sums in registers meet memory.
#ifndef SCULPT_RULE_EPILOGUE_H
#define SCULPT_RULE_EPILOGUE_H
#include "rule/storage.h"

// What stands around the copy that adds registers to memory, taken apart.
typedef struct Through {
    Change *ch;
    Arena *a;
    const Node *copy;
    Node *top;                    // the outermost thread loop of the phase
    // outer: the first loops of a thread that don't move along a row; inner: the others
    int nthreads, nouter, ninner;
    const Node *thread[8], *outer[8], *inner[8];
    Expr *cond;                   // of the copy, below the threads; NULL: none
} Through;
// False after change_refuse.
bool epilogue_parts(Through *t, const Path *p, const Node *all);

// The copy on the way p adds registers to memory; `all` is the outermost node that holds nothing else,
// for one thread. The tree in which the elements go through shared memory, a few rows at a time.
Nest *epilogue_through(Change *ch, const Path *p, const Node *all);
// The same through the second sums of `chunk`, which are in shared memory already: they take what is in
// registers, and threads side by side bring them to words side by side.
Nest *epilogue_sums(Change *ch, const Path *p, const Node *all, const Array *sums);
#endif
