// SPDX-License-Identifier: MIT
// recipe.h -- how a recipe begins and ends.
#ifndef SCULPT_PLAN_RECIPE_H
#define SCULPT_PLAN_RECIPE_H
#include "plan/plan.h"

// What ends every recipe: rule close, and the boxes of streamed kernels.
Nest *recipe_finish(Compile *c, const Nest *n);
// The root with the boxes of its streamed kernels; one whose boxes can't be told is streamed no more.
Node *recipe_streams(Compile *c, const Nest *n);
// The lines alone, nothing closed or judged at the end.
Nest *recipe_follow(Compile *c, const Nest *start, const char *text, const RecipeOptions *o);
// Does a line of a recipe begin with the word that is no rule's name?
bool recipe_is_word(const char *word);
// One more step on a nest, in silence. NULL: it does not fit; why (may be NULL) says so.
Nest *recipe_then(Compile *c, const Nest *n, const char *line, const char **why);
// Does the condition hold only where the region's loops have a few iterations each? Numbers to which
// `given` (what the nest asks for by itself; may be NULL) fixes parameters are not counted as few.
bool recipe_is_worthless(Compile *c, const Region *region, Expr *given, Expr *when);
#endif
