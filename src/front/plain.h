// SPDX-License-Identifier: MIT
// plain.h -- while, switch and counters that run down in the condition, as for and if.
#ifndef SCULPT_PLAIN_H
#define SCULPT_PLAIN_H
#include "front/ast.h"

// Changes the bodies of all functions in place; before anything else reads them.
void plain_forms(Compile *c, AstUnit *u);
// Trees that stand where `like` does.
Ast *ast_make(Arena *a, AstKind kind, const Ast *like, const CType *type, int n, Ast *const *kids);
const CType *ast_scalar(Arena *a, Type t);
Ast *ast_number(Arena *a, const Ast *like, const CType *type, int64_t v);
Ast *ast_binary(Arena *a, Op op, const CType *type, Ast *x, Ast *y);
#endif
