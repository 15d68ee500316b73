// SPDX-License-Identifier: MIT
// child.h -- work in a process of its own: what it breaks is its own.
#ifndef SCULPT_TUNE_CHILD_H
#define SCULPT_TUNE_CHILD_H
#include "base/base.h"

typedef enum ChildEnd { CHILD_DONE, CHILD_CRASHED, CHILD_HUNG, CHILD_NEVER } ChildEnd;
// Forks; the child does work(out, arg) and ends. What it wrote to out goes to *text, in the arena. It and
// what it started are killed after so many seconds, and when the caller dies. Where memory runs out the
// system takes the child first. The caller has no device open: drivers don't survive a fork.
ChildEnd child_run(Arena *a, double seconds, void (*work)(FILE *out, void *arg), void *arg,
                   const char **text);
#endif
