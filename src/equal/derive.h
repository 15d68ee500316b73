// SPDX-License-Identifier: MIT
// derive.h -- where what stands in a word comes from, in one run.
#ifndef SCULPT_EQUAL_DERIVE_H
#define SCULPT_EQUAL_DERIVE_H
#include "equal/run.h"
#include "ir/interp.h"

typedef struct Origin Origin;
enum { MOST_READ = 16 };
typedef struct Derive {
    Arena *a;
    const Node *reader;
    int n;
    const Origin *read[MOST_READ]; // by the reader, since the last write
    int64_t target[32]; // the subscripts of what is being written
} Derive;
void derive_target(Derive *d, const InterpTouch *t); // before a write
// Of a word, *word, which is NULL at first.
void derive_read(Derive *d, const Origin **word, const InterpTouch *t);
void derive_write(Derive *d, const Origin **word, const InterpTouch *t); // behind it
EqualSteps derive_steps(Arena *a, const Origin *o);
#endif
