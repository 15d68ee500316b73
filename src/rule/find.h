// SPDX-License-Identifier: MIT
// find.h -- sites of rules. A pattern is a step with %1 and %2 for names of loops or kernels.
#ifndef SCULPT_RULE_FIND_H
#define SCULPT_RULE_FIND_H
#include "rule/catalogue.h"

typedef bool LoopTest(Node *loop);
void find_loops(Finder *f, LoopTest *fits, const char *pattern);
// Loops directly inside each other (conditions may stand between): %1 the outer one.
void find_pairs(Finder *f, LoopTest *fits, const char *pattern);
// Loops directly behind each other.
void find_neighbours(Finder *f, const char *pattern);
void find_kernels(Finder *f, const char *pattern);

// ---- one site after another ---------------------------------------------------------------------
// Each step is told once, however many references ask for it.
void finder_site(Finder *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// What was looked at and lacks the pattern, and what it lacks; only where somebody asks.
void finder_miss(Finder *f, const char *what, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool finder_asked(const Finder *f);      // does somebody want to hear of misses?

bool loop_is_serial(Node *loop);
bool loop_is_block(Node *loop);
bool loop_is_innermost(Node *loop);      // serial, without loops in it
bool loop_holds_loops(Node *loop);       // serial, with loops in it
bool loop_holds_several(Node *loop);     // more than one thing
bool loop_holds_conditions(Node *loop);  // serial, with conditions in it
#endif
