// SPDX-License-Identifier: MIT
// hand.h -- a kernel written by hand whose macros are knobs, as a space to search.
//
//     #define-d for each configuration: block_size_x, tile, …, and as Kernel Tuner has it kernel_tuner,
//     block_size_x|y|z and grid_size_x|y|z
//     grid = problem / divisors, rounded up; block = block_size_x, block_size_y, block_size_z
//
// A configuration is a text of lines NAME=VALUE. The one that is there without tuning is what others are
// compared with and timed beside; a function of C may say what is right instead.
#ifndef SCULPT_TUNE_HAND_H
#define SCULPT_TUNE_HAND_H
#include "tune/formula.h"
#include "tune/space.h"
#include "tune/worker.h"

typedef struct HandKnob {
    const char *name;
    int n, own; // own: without tuning
    const char **value;
} HandKnob;
typedef struct HandArg {
    const char *name;
    Type type;     // of a scalar, or of the numbers in memory
    int64_t bytes; // of an element, which may be several numbers
    bool pointer, reads, writes;
    const char *text; // its value, or how many elements it points to; NULL: nobody says
    const char *fill; // of its numbers at first, over i, the number's place; NULL: random
} HandArg;
typedef struct Hand {
    const char *file, *text, *kernel;
    bool opencl;
    VEC(HandKnob) knobs;
    VEC(HandArg) args;
    VEC(const char *) where;          // conditions
    VEC(Value) problem;               // of each dimension, a number
    const char *block[3], *divide[3]; // NULL: by the knobs' names
    const char *grid[3];              // in blocks, in the place of a problem; NULL: by its size
    const char *shared;               // bytes a block that the launch gives; NULL: 0
    VEC(const char *) flags;          // for its compiler
    double tolerance;                 // < 0: what rounding may cost
    const char *reference; // C text with a function sculpt_reference_(void **arguments); NULL: none
} Hand;

// What a configuration is launched with.
typedef struct HandLaunch {
    int64_t grid[3], block[3], shared;
} HandLaunch;
// Each knob's choice. -1: it is no configuration.
bool hand_coords(const Hand *h, const char *form, int *coord);
const char *hand_form(Arena *a, const Hand *h, const int *coord);
// Do the conditions hold? False with *why: one can't be told.
bool hand_allows(Arena *a, const Hand *h, const int *coord, bool *allowed, const char **why);
bool hand_launch(Arena *a, const Hand *h, const int *coord, HandLaunch *out, const char **why);
// How many elements, or the value.
bool hand_arg(Arena *a, const Hand *h, const HandArg *x, double *out, const char **why);
// As text, and from it. NULL with *why.
const char *hand_print(Arena *a, const Hand *h);
Hand *hand_read(Arena *a, const char *text, const char **why);
// What its compilers define: NAME=VALUE each.
Parts hand_macros(Arena *a, const Hand *h, const int *coord, const HandLaunch *l);

// ---- on a device: data made and sent, the configuration without tuning built and run ----------------
typedef struct HandRun HandRun;
HandRun *hand_begin(Arena *a, const Hand *h, const char *device, uint64_t seed, const char **why);
// The first and those that may be next, on all processors, unless that first one is built.
void hand_build(HandRun *r, int n, const char *const *form);
// Built, compared with what is right and timed beside the one without tuning (form NULL: that one itself).
// True: its process is as sound as before.
bool hand_measure(HandRun *r, const char *form, const Asked *x, Outcome *out);
#endif
