// SPDX-License-Identifier: MIT
// kernel.h -- hand-written kernels: a function of a .cu or .cl file and a launch, as a Nest.
//
//   __global__ void k(float *a, int n)        kernel k0 {
//   {                                             for bx block { shared s[16]
//       __shared__ float s[16];                       for tx thread { s[tx] = a[16 * bx + tx] }
//       int i = …;                         →          (written: a barrier)
//       s[threadIdx.x] = a[i];                        for tx thread { a[16 * bx + tx] = s[15 - tx] }
//       __syncthreads();                          }
//       a[i] = s[15 - threadIdx.x];           }
//   }
//
// The launch is fixed, so all that follows from it is put in: sizes of blocks and grid, the
// arguments that are given, loops that halve or double a counter (written out). What stays open
// is a parameter of the nest. While loops run `trips` times, a parameter too, with their
// condition inside: with enough trips that means the same.
//
// Stages, one file each:
//   host*.c          the host's code as text: where and how the kernel is launched
//   launch.c  which launch is meant, and what it gives
//   threads.c blocks of any size: threads by their number among all
//   index.c   thread numbers, arguments, spellings of functions      Ast → Ast
//   const.c   what is constant under this launch; loops written out
//   flow.c    while, break and return inside of loops, as for and if
//   vector.c  arithmetic on float4 and its kin, lane by lane
//   copies.c  asynchronous copies of a thread, and what waits for them
//   lanes.c   what lanes of a warp hand each other, as memory
//   front/accept*.c  Ast → tree, as for marked loops (accept_device.c: atomics and their kin)
//   narrow.c  unsigned index arithmetic that can't wrap, as int
//   split.c   cuts the body at its barriers into phases of thread loops
//   nest.c    shared arrays, registers, the Nest
#ifndef SCULPT_KERNEL_H
#define SCULPT_KERNEL_H
#include "ir/ir.h"
#include "parse/launched.h"

typedef struct KernelNest {
    const char *name;
    Loc loc;
    KernelLaunch launch;   // with what was found
    Nest *nest;            // one N_KERNEL
    Node *written;         // the nest's root with the author's barriers in it (N_BARRIER)
    int lockstep;          // 1: the author counts on lanes of a warp (__syncwarp, volatile); 2: of a barrier
                           // nobody knows who arrives, so that no order can be checked
    int64_t fixed_shared;  // bytes of a block's shared arrays whose size is written
    int nparams;           // of the function, in order:
    const char **param;    // names
    bool *pointer;         // and whether they point to memory
    bool *constant, *floating; // that the kernel does not write; floats, or memory of them
    Type *type;            // of the number, of those in memory; T_NONE: something else
    int64_t *bytes;        // of an element in memory, which may be several numbers
    const char **inexact;  // [ninexact] why the nest says less than the kernel: "a shuffle at 7:3"
    int ninexact;          // 0: it runs in the interpreter as the kernel does
    const char **granted;  // [ngranted] what is taken for granted: "no trap is reached"
    int ngranted;
} KernelNest;

// The words --kernel, --grid, --block, --shared and --arg of a command line; the others are in rest.
typedef struct KernelWords {
    KernelLaunch launch;
    int nrest;
    char **rest;
} KernelWords;
bool front_kernel_words(Arena *a, int argc, char **argv, KernelWords *out, const char **why);
// A file of kernels, whose host's part is read and which clang parses once, when the first kernel asks for
// it. It lives as long as c.
typedef struct KernelFile KernelFile;
KernelFile *front_kernel_file(Compile *c, const char *file, int nflags, const char *const *flags);
// The kernels that it defines, in the order of the text, as far as the text tells without parsing it.
typedef VEC(const char *) KernelNames;
KernelNames front_kernel_names(KernelFile *f);
// Does the file have a name that --arg may give a value: a parameter, a variable of the host's part,
// trips_LINE?
bool front_kernel_knows(const KernelFile *f, const char *name);
// Is this a file of kernels, by its name?
bool front_is_kernel_file(const char *file);
// NULL after diagnostics. Findings about barriers under conditions that differ between the
// threads of a block are given as errors here, and the kernel is read without those barriers.
KernelNest *front_read_kernel(Compile *c, KernelFile *f, const KernelLaunch *launch);
#endif
