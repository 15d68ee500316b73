// SPDX-License-Identifier: MIT
// abreast.h -- unroll and jam: several iterations of parallel loops side by side.
#ifndef SCULPT_RULE_ABREAST_H
#define SCULPT_RULE_ABREAST_H
#include "rule/rule.h"

// for loops[0] { for loops[1] { … body } } with these loops innermost, as copies side by side:
// all start at 0, step by 1 and end at a constant; their iterations may run in any order (the
// caller knows). The last may be HOW_VECTOR, and stays a loop; all others are unrolled. NULL: what an
// iteration keeps for itself can't be kept n times.
Node *rule_abreast(Names *names, int n, const Node *const *loops, Node *body);
// … in loops alone whose iterations wait for each other. Others fill vectors by themselves, along memory.
Node *rule_abreast_waiting(Names *names, int n, const Node *const *loops, Node *body);
// Does it call a function for which processors have no instruction?
bool node_calls(Node *n);
// The tree with to[k][r…][sub] in place of each from[k][sub]: r are nr subscripts more. NULL: a
// subscript can't be moved.
Node *node_placed(Names *names, Node *n, int nr, Expr *const *r, int count, const Array *const *from,
                  const Array *const *to);
// A copy of a tree for a second place in the nest: its loops have counters of their own.
Node *node_again(Names *names, Node *n);
#endif
