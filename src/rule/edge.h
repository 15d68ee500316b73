// SPDX-License-Identifier: MIT
// edge.h -- the part of rule edge that has a file of its own.
#ifndef SCULPT_RULE_EDGE_H
#define SCULPT_RULE_EDGE_H
#include "rule/catalogue.h"

// Two versions of a kernel, by sizes (edge_two.c). words: "two", and the kernel where there are several.
Nest *edge_two(Change *ch);
#endif
