// SPDX-License-Identifier: MIT
// verify.h -- the verifier without diagnostics
#ifndef SCULPT_IR_VERIFY_H
#define SCULPT_IR_VERIFY_H
#include "ir/ir.h"

// What is wrong, in the arena, with its place in the program in *where; NULL: nothing.
const char *verify_region(Arena *a, const Region *r, Loc *where);
const char *verify_nest(Arena *a, const Nest *n, Loc *where);
#endif
