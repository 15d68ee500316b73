// SPDX-License-Identifier: MIT
// contract_find.h -- what the two searches for contractions share.
#ifndef SCULPT_PLAN_CONTRACT_FIND_H
#define SCULPT_PLAN_CONTRACT_FIND_H
#include "plan/contract.h"
#include "rule/catalogue.h"

// Is x the counter and nothing else?
bool contract_is_counter(const Expr *x, const Sym *s);
// Is n an update of something by its own instance, or several of them? They are k's then.
bool contract_are_updates(Contraction *k, const Node *n);
// Tells apart k's loops, of which `loop` are all n, outermost first, by the subscripts of what stores the
// result of each sum, and finds its operands. False: it is no contraction.
bool contract_sort(Compile *c, const DepInfo *d, int n, const Node *const *loop, const Stmt *const *result,
                   Contraction *k);
// Has the loop a step of 1, and bounds that no memory and no other counter changes?
bool contract_is_plain(const Node *loop);
#endif
