// SPDX-License-Identifier: MIT
// host.h -- what a CUDA file's host code says of its launches, read as text.
//
//   int main(int argc, char **argv) {
//       int n = 1000;                          grid 4, block 256; n = 1000
//       if (argc > 1) n = atoi(argv[1]);   →   (no words were given: argc is 1)
//       dim3 block(256), grid;
//       grid.x = up(n, block.x);
//       k<<<grid, block>>>(a, n);
//
// Host code of other people can't be compiled here: headers and libraries are missing. So its tokens
// are taken as they stand, preprocessed, and run from `main` as far as values of numbers go: loops
// while their conditions are known, functions with the values that they are called with, and those that
// nobody calls with unknown ones. What only the run can tell (a file, a command line) is unknown
// and keeps the name of the variable; --arg NAME=VALUE gives it a value.
//
//   host_lex.c      text → tokens: the preprocessor, as far as it matters
//   host_slice.c    which statements say something about a launch; the others are left out
//   host_value.c    expressions
//   host_run.c      statements, functions, launches
#ifndef SCULPT_KERNEL_HOST_H
#define SCULPT_KERNEL_HOST_H
#include "kernel/kernel.h"

typedef enum HostTokKind { HT_WORD, HT_NUMBER, HT_TEXT, HT_SIGN } HostTokKind;

typedef struct HostTok {
    HostTokKind kind;
    const char *text;
    Loc loc;               // of the use, where it came from a macro
} HostTok;
typedef VEC(HostTok) HostToks;

typedef enum HostKind { HOST_UNKNOWN, HOST_BOOL, HOST_INT, HOST_FLOAT, HOST_SIZES, HOST_TYPE } HostKind;

typedef struct HostVal {
    HostKind kind;
    int64_t i[3];          // BOOL, INT: [0]; SIZES: a dim3
    double f;              // FLOAT
    const char *open[3];   // why a component is not known: a variable's name, "": no name tells;
                           // [0] of UNKNOWN; TYPE: the type's name
} HostVal;

typedef struct HostLaunch {
    const char *kernel;    // its name alone
    const char *instance;  // "<16,float>", NULL: no arguments of a template are written
    Loc loc;
    HostVal grid, block, shared;
    int nargs;
    HostVal *args;
} HostLaunch;
typedef VEC(HostLaunch) HostLaunches;

// The kernels that the tokens define: CUDA's or OpenCL's.
KernelNames host_kernels(Arena *a, const HostToks *t);
// The tokens of a file and of what it includes with quotes and can be found; nothing is reported.
HostToks host_tokens(Arena *a, const char *file, const char *text, size_t size, int nflags,
                     const char *const *flags);
// Every launch of the text, in the order of the text, with the values at its first execution.
HostLaunches host_launches(Arena *a, const HostToks *t, int nargs, const KernelArg *args);
#endif
