// SPDX-License-Identifier: MIT
// show.h -- expressions and accesses for people; nothing of it is read back.
#ifndef SCULPT_SHOW_H
#define SCULPT_SHOW_H
#include "ir/ir.h"

const char *show_type(Type t);                   // its words in C
const char *show_expr(Arena *a, const Expr *x);   // as C, without implicit casts
void show_put(Text *t, const Expr *x, int outer); // in parentheses where `outer` binds tighter than x
void show_list(Text *t, Expr *const *x, int n);   // "i, j"
const char *show_access(Arena *a, const Array *array, Expr *const *sub);
// In the program's own words: "c->w[i - 1]" where the region says c_w[0][i - 1]. sub NULL: the array alone.
const char *show_place(Arena *a, const Array *array, Expr *const *sub);
// The same without a complex number's "__real__" or "__imag__", which goes to part; "": there is none.
const char *show_whole(Arena *a, const Array *array, Expr *const *sub, const char **part);
const char *show_number(Arena *a, const Array *array, Expr *const *sub); // a complex one as a whole
// What a clause calls it, or the records that it is a member of: "a".
const char *show_object(const Array *array);
const char *show_counter(const Node *loop); // its counter, likewise
#endif
