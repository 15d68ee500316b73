// SPDX-License-Identifier: MIT
// check_asked.h -- what `sculpt check REF.c KERNEL.cu` is asked, and its answer.
#ifndef SCULPT_DRIVER_CHECK_ASKED_H
#define SCULPT_DRIVER_CHECK_ASKED_H
#include "driver/check_kernel.h"
#include "equal/equal.h"
#include "kernel/kernel.h"
#include "parse/launched.h"

typedef VEC(const char *) VecText;
typedef struct Block {
    int64_t n[3];
} Block;
typedef VEC(Block) VecBlock;

typedef struct Asked {
    Compile *c;
    Arena *a;
    const char *ref, *file;
    int line;
    const char *function; // REF.c:NAME; NULL: the line says, or the kernel's name
    bool json, reassociate, approximate;
    const char *any_block; // "blockDim.x and blockDim.y", which are any numbers of threads; NULL: none is
    bool copies; // a main's, which only say which array is which
    const char *where, *certificate;
    const char *rest; // of `where`, without what it says of blocks alone; NULL: nothing
    VEC(EqualBind) binds;
    VEC(EqualLayout) layouts;
    VEC(CheckParam) params;
    VEC(const char *) granted; // by what the kernels say
    int nflags;
    char **flags; // for clang
    int wrapped; // the line behind which a mark was put in; 0: none
    const char *folder_file; // where that text lies
} Asked;

// check_words.c: what the words ask for, behind those about the launch. False: and why.
bool check_words(Asked *q, const KernelWords *w, const char **why);
// check_block.c: the sizes that a block may have by --where and the kernel's assertions; none: nothing is
// said of them. False: and why.
bool check_blocks(Asked *q, VecBlock *out, const char **why);
// The launch with blocks of any size, with the parameters that stand for them and for the number of all
// threads, and conditions on these. False: the grid is no quotient by a block's size.
typedef VEC(EqualFree) VecFree;
bool check_any_block(Asked *q, KernelLaunch *l, VecText *conds, VecFree *params);
// The text with a block's sizes in place of blockDim.x and its kin; NULL: with parameters.
const char *check_with_block(Arena *a, const char *text, const int64_t *block);
// Prints it, as text or JSON; the status of the program.
int check_tell(const Asked *q, const EqualReport *r);
#endif
