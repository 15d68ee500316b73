// SPDX-License-Identifier: MIT
// check_asked.h -- what `sculpt check REF.c KERNEL.cu` is asked, and its answer.
#ifndef SCULPT_DRIVER_CHECK_ASKED_H
#define SCULPT_DRIVER_CHECK_ASKED_H
#include "driver/check_kernel.h"
#include "equal/equal.h"

typedef struct Asked {
    Compile *c;
    Arena *a;
    const char *ref, *file;
    int line;
    const char *function; // REF.c:NAME; NULL: the line says, or the kernel's name
    bool json, reassociate, approximate;
    bool copies; // a main's, which only say which array is which
    const char *where, *certificate;
    VEC(EqualBind) binds;
    VEC(EqualLayout) layouts;
    VEC(CheckParam) params;
    VEC(const char *) granted; // by what the kernels say
    int nflags;
    char **flags; // for clang
    int wrapped; // the line behind which a mark was put in; 0: none
    const char *folder_file; // where that text lies
} Asked;

// Prints it, as text or JSON; the status of the program.
int check_tell(const Asked *q, const EqualReport *r);
#endif
