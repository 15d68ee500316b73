// SPDX-License-Identifier: MIT
// find.h -- sites of rules. A pattern is a step with %1 and %2 for names of loops or kernels.
#ifndef SCULPT_RULE_FIND_H
#define SCULPT_RULE_FIND_H
#include "rule/catalogue.h"

typedef void Found(Change *ch, Step *s, void *arg);
typedef bool LoopTest(Node *loop);
void find_loops(Change *ch, Found *found, void *arg, LoopTest *fits, const char *pattern);
// Loops directly inside each other (conditions may stand between): %1 the outer one.
void find_pairs(Change *ch, Found *found, void *arg, LoopTest *fits, const char *pattern);
// Loops directly behind each other.
void find_neighbours(Change *ch, Found *found, void *arg, const char *pattern);
void find_kernels(Change *ch, Found *found, void *arg, const char *pattern);

bool loop_is_serial(Node *loop);
bool loop_is_block(Node *loop);
bool loop_is_innermost(Node *loop);      // serial, without loops in it
bool loop_holds_loops(Node *loop);       // serial, with loops in it
bool loop_holds_several(Node *loop);     // more than one thing
bool loop_holds_conditions(Node *loop);  // serial, with conditions in it
#endif
