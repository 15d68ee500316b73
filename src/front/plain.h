// SPDX-License-Identifier: MIT
// plain.h -- while, switch and counters that run down in the condition, as for and if.
#ifndef SCULPT_PLAIN_H
#define SCULPT_PLAIN_H
#include "parse/ast.h"

// Changes the bodies of all functions in place; before anything else reads them.
// kernels: the passes that follow know no jumps.
void plain_forms(Compile *c, AstUnit *u, bool kernels);
// plain_pointer.c: a loop that a pointer counts; true: now a whole number does.
bool plain_pointer(Arena *a, Ast *x);
// plain_flag.c: a loop at block->kids[at] that a flag ends leaves by break.
void plain_flag(Arena *a, Ast *block, int at);
// plain_switch.c: a switch as conditions, where its cases stand directly in its block.
// end: a name that no label of the function has; NULL: what needs jumps or repeated statements stays as it
// is.
void plain_switch(Arena *a, Ast *x, const char *end);
// Is there such a statement in s that belongs to the loop or switch around s?
bool ast_has_jump(const Ast *s, AstKind jump);
#endif
