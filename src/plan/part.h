// SPDX-License-Identifier: MIT
// part.h -- a part of a region as a region of its own, and the way back.
//
//   for t { for i S0;  for i for j for k S1 }        param t;  for i for j for k S1'
//                      └───── the part ────┘    →    S1' has S1's text, with t a parameter
//
// Whatever plans a region can so plan a part of one: loops of the host around it have become parameters,
// statements have the counters of the part's loops alone, and loops that run backwards or in strides run
// from their least value on one by one, where the order of their iterations is free.
#ifndef SCULPT_PLAN_PART_H
#define SCULPT_PLAN_PART_H
#include "plan/auto.h"

typedef struct Part Part;
// What was planned for a part, and for those of the same text (Compile.parts holds them): nothing of it may
// be changed.
typedef struct PartNests {
    bool shaped, plain;          // asked already
    int n;
    Nest *nest[PLAN_VARIANTS];   // its shapes
    Nest *standard;              // NULL: it has none
} PartNests;
// The part below `tree`, which stands in the host loops that p is at. NULL: it holds more than loops,
// conditions and statements, or a statement's access goes to a buffer. Temporaries of the
// whole are arrays like the user's in the part.
Part *part_new(Plan *p, Node *tree);
const Region *part_region(const Part *part);
// Its dependences. `bounds` is 1: that subscripts stay inside is the whole region's to ask for.
const DepInfo *part_dep(const Part *part);
PartNests *part_nests(const Part *part, bool called); // for the call at hand, or for any
void parts_begin_call(Compile *c); // another call is at hand: what was planned for the last one is forgotten
// Does all that the part writes matter behind it, as far as its region says? Then a nest that is proved to be
// the part may stand in its place, whatever reads it there.
bool part_lives(const Part *part);
// What a nest over the part's region does, over the whole one: kernels, counters and buffers with names of
// their own, facts those of p. NULL: a temporary's size changes with a loop of the host.
Node *part_back(Plan *p, const Part *part, const Nest *n);
// The same of an expression of that nest (its `when`, its cost).
Expr *part_expr(Plan *p, const Part *part, const Nest *n, Expr *x);
#endif
