// SPDX-License-Identifier: MIT
// tune_hand.h -- `sculpt tune KERNEL.cu --knobs …`: a kernel by hand as a space, with the advisor's prices.
#ifndef SCULPT_DRIVER_TUNE_HAND_H
#define SCULPT_DRIVER_TUNE_HAND_H
#include "model/machine.h"
#include "tune/hand.h"

typedef struct HandWords {
    const char *file; // a kernel's, or a description of a problem (T1)
    const char *kernel, *problem, *block, *grid, *divide, *shared, *reference, *machine, *tolerance;
    VEC(const char *) knobs, where, args, flags;
} HandWords;
// As word_valued.
int hand_word(Arena *a, HandWords *w, int i, int argc, char **argv);
bool hand_is_file(const char *word); // of a kernel or a problem
// The kernel that is meant. NULL with *why.
Hand *hand_of(Compile *c, const HandWords *w, const char **why);
// Its configurations, priced for a machine, or for the device where m is NULL, in about so many seconds; *out
// says how many were left out: that the conditions forbid, or no block of which fits. NULL with *why.
typedef struct HandLeft {
    int forbidden, unfit, unpriced;
} HandLeft;
Space *hand_space(Arena *a, const Hand *h, const char *device, const Machine *m, double seconds,
                  HandLeft *out, const char **why);

// ---- tune_t1.c: descriptions of problems
bool t1_read(Arena *a, const char *file, Hand *h, const char **why); // kernel's file, knobs, sizes, arguments
void t1_print(Arena *a, const Hand *h);                              // to stdout
#endif
