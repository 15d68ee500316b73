// SPDX-License-Identifier: MIT
// check_kernel.h -- `sculpt check REF.c KERNEL.cu`: what its two files share.
#ifndef SCULPT_DRIVER_CHECK_KERNEL_H
#define SCULPT_DRIVER_CHECK_KERNEL_H
#include "base/base.h"

typedef struct CheckParam { // of a function
    const char *name;
    bool pointer, constant, floating; // constant: what it points to
} CheckParam;

typedef struct CheckLaunch {
    const char *kernel; // with a template's arguments
    const char *grid, *block, *shared; // up to three expressions, parted by commas; shared: NULL: none
    int nargs;
    const char **arg; // expressions of the function's parameters, or the name of a pointer
} CheckLaunch;

typedef struct CheckTemporary {
    const char *name, *bytes;
} CheckTemporary;

typedef struct CheckLaunches {
    const char *function;
    VEC(CheckParam) params;
    VEC(CheckLaunch) launches;
    VEC(CheckTemporary) temporaries;
} CheckLaunches;

// What the only function with launches in the file's host code does; NULL, or why it can't be told.
const char *check_read_launches(Arena *a, const char *file, int nflags, const char *const *flags,
                                CheckLaunches *out);
#endif
