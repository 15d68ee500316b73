// SPDX-License-Identifier: MIT
// launched.h -- how a hand-written kernel is launched, as far as that is given.
#ifndef SCULPT_PARSE_LAUNCHED_H
#define SCULPT_PARSE_LAUNCHED_H
#include "base/base.h"

typedef struct KernelArg {
    const char *name;      // of a parameter, of a pointer parameter, or trips_LINE
    double value;          // the parameter's value, or how many elements the pointer points to
    bool is_float;         // was written as a floating number
} KernelArg;

typedef struct KernelLaunch {
    const char *kernel;    // its name, with template arguments if it has any; NULL: the only one
    int64_t grid[3], block[3]; // x, y, z; grid in blocks
    bool has_grid, has_block;  // false: looked for in the host's code
    bool any_block[3];         // blocks have any number of threads there; of one each, grid says how many
    // not NULL: so many blocks, an expression; the nest has a parameter grid_x, grid_y or grid_z for it
    const char *grid_of[3];
    bool alone;                // the host's code is not asked
    bool lanes;                // what lanes of a warp hand each other goes through memory of the block
    int64_t shared;        // bytes of dynamic shared memory; -1: not given
    const char *shared_of; // not NULL: so many, an expression; the nest has a parameter shared_bytes for it
    int nargs;
    const KernelArg *args;
    Loc from;              // k<<<…>>>(…) in the host's code that was looked at; no line: none
    const char *open;      // which variable of the host's code the sizes hang on; NULL: none
} KernelLaunch;
#endif
