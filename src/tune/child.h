// SPDX-License-Identifier: MIT
// child.h -- work in a process of its own: what it breaks is its own.
#ifndef SCULPT_TUNE_CHILD_H
#define SCULPT_TUNE_CHILD_H
#include "base/base.h"

typedef enum ChildEnd { CHILD_DONE, CHILD_CRASHED, CHILD_HUNG, CHILD_NEVER } ChildEnd;
typedef struct Child {
    int pid; // 0: there is none
    int fd;  // to and from it
} Child;
// Forks; the child does work(in, out, arg) and ends. It and what it started are killed when the caller dies.
// Where memory runs out the system takes the child first. The caller has no device open: drivers don't
// survive a fork.
bool child_start(Child *c, void (*work)(FILE *in, FILE *out, void *arg), void *arg);
// Sends it a line and waits for one, which goes to *text, in the arena. Whatever ends but CHILD_DONE: it is
// gone.
ChildEnd child_ask(Child *c, Arena *a, double seconds, const char *line, const char **text);
// Kills it and what it started.
void child_end(Child *c);
// All that it writes before it ends by itself.
ChildEnd child_run(Arena *a, double seconds, void (*work)(FILE *in, FILE *out, void *arg), void *arg,
                   const char **text);
#endif
