// SPDX-License-Identifier: MIT
// known.h -- what is known at a place, gathered on the way to it.
#ifndef SCULPT_RULE_KNOWN_H
#define SCULPT_RULE_KNOWN_H
#include "ir/poly.h"
#include "rule/catalogue.h"

// One thing more is known: a place on the way. Places of a compile are one tree, kept from rule
// to rule: whoever comes the same way again finds what was asked there. (Ground: base/base.h.)

typedef struct Known {
    Poly *p;
    Arena *a;
    Ground *at;  // everything known so far
} Known;
// A copy of a Known may go another way: nothing in it is changed, only replaced.
Known known_start(Compile *c, const Nest *n);
Known known_at(Compile *c, const Nest *n, const Path *place);
void known_enter(Known *k, const Node *loop);
void known_add(Known *k, Expr *cond);      // what isn't affine is left out
void known_add_not(Known *k, Expr *cond);
bool known_holds(const Known *k, Expr *cond);  // certainly true
bool known_never(const Known *k, Expr *cond);  // certainly false
bool known_nothing_runs(const Known *k);       // no point gets here
#endif
