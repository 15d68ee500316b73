// SPDX-License-Identifier: MIT
// places.h -- loops over steps after which pointers change places.
#ifndef SCULPT_PLACES_H
#define SCULPT_PLACES_H
#include "parse/ast.h"

// What a step does besides, and *out: the loop as one in which pointers stay, with what is left over behind
// it; *behind: text of C that moves the pointers as the loop would have. NULL: the loop is none.
const Ast *places_steps(Arena *a, const Decl *func, const Ast *loop, Ast **out, const char **behind);
#endif
