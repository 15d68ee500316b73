// SPDX-License-Identifier: MIT
// branch.h -- the part of rule branch that has a file of its own.
#ifndef SCULPT_RULE_BRANCH_H
#define SCULPT_RULE_BRANCH_H
#include "rule/catalogue.h"

// A loop over a few rows and the loop in it, whose length is the row's, as one (branch_flat.c).
Nest *branch_flat(Change *ch, Node *rows, Node *loop);
// The comparison at whose change the rule would take a serial loop apart; NULL: there is none, or it changes
// again and again.
const Expr *branch_term(Node *loop);
#endif
