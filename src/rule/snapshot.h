// SPDX-License-Identifier: MIT
// snapshot.h -- a copy of what a loop overwrites, for reads that are to see what was before it.
#ifndef SCULPT_RULE_SNAPSHOT_H
#define SCULPT_RULE_SNAPSHOT_H
#include "rule/storage.h"

enum { SNAPSHOT_RANK = 4 };
typedef struct Snapshot {
    const Array *array;
    const char *name;                              // of the copy
    const Sym *counter[SNAPSHOT_RANK];             // fresh ones (T_I32), of the loops that fill it
    // the elements that it has room for; T_I32, over parameters
    Expr *lo[SNAPSHOT_RANK], *hi[SNAPSHOT_RANK];
    // those that are copied, over counters around the loop too
    Expr *first[SNAPSHOT_RANK], *last[SNAPSHOT_RANK];
    Expr *only;                                    // over counter[]: copied where it holds; NULL: everywhere
    bool (*takes)(const Site *read, void *arg);    // does this read of the array see the copy?
    void *arg;
} Snapshot;
// *fill: the loops that take the copy, to stand before *rest, the loop with its reads redirected. Returns the
// copy, a temporary that is still to be declared; NULL: no read of it sees one.
const Array *rule_snapshot(Arena *a, const Snapshot *s, Node *loop, Node **fill, Node **rest);
// Is the read with that number one of those that a step's knob names? None named: all are.
bool read_is_wanted(int n, const int64_t *number, int at);
#endif
