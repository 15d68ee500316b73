// SPDX-License-Identifier: MIT
// check_kernel.h -- `sculpt check REF.c KERNEL.cu`: what its two files share.
#ifndef SCULPT_DRIVER_CHECK_KERNEL_H
#define SCULPT_DRIVER_CHECK_KERNEL_H
#include "base/base.h"

typedef struct CheckParam { // of a function
    const char *name;
    bool pointer, constant, floating; // constant: what it points to
    const char *or_else; // of a main: what it is if it is none of the loops'; NULL: not known
} CheckParam;

typedef struct CheckLaunch {
    const char *kernel; // with a template's arguments
    const char *grid, *block, *shared; // up to three expressions, parted by commas; shared: bytes
    int nargs;
    const char **arg; // expressions of the function's parameters, or the name of a pointer
    const char *stream; // as it is written; NULL: memory that is set or copied
    int loop; // around it, a number in CheckLaunches.loops; -1: none
} CheckLaunch;

typedef struct CheckLoop { // of the host's code: name = lo, lo + step, … below hi
    const char *name, *lo, *hi, *step;
    int outer; // -1: none
} CheckLoop;

typedef struct CheckTemporary {
    const char *name, *bytes;
} CheckTemporary;

typedef struct CheckTransfer { // of a main: what it copies to or from the host
    const char *device, *host;
} CheckTransfer;

typedef struct CheckLaunches {
    const char *function; // NULL: a main, whose variables are taken for the loops' of these names
    VEC(CheckParam) params;
    VEC(CheckLaunch) launches;
    VEC(CheckLoop) loops;
    int ncases; // places where there are two ways, as min(x, y)…
    VEC(const char *) conds; // …and when these are gone
    VEC(const char *) granted; // conditions without which the launches are others
    VEC(CheckTemporary) temporaries;
    VEC(CheckTransfer) transfers;
} CheckLaunches;

// What the only function with launches in the file's host code does where the bits of `cases` say which way
// is gone; NULL, or why it can't be told.
const char *check_read_launches(Arena *a, const char *file, int nflags, const char *const *flags,
                                int cases, CheckLaunches *out);
// The text of a grid's extent, as of host code; NULL: it is not understood.
const char *check_read_extent(Arena *a, const char *text, int cases, CheckLaunches *out);
// FILE.c or FILE.c:FUNCTION (without it: the kernel's name): the file, with the function and its parameters
// in *out. NULL with *why.
const char *check_function(Arena *a, const char *word, const char *kernel, CheckLaunches *out,
                           const char **why);
#endif
