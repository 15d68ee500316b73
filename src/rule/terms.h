// SPDX-License-Identifier: MIT
// terms.h -- the terms of an ordered sum by many threads, the sum by one.
#ifndef SCULPT_RULE_TERMS_H
#define SCULPT_RULE_TERMS_H
#include "rule/rule.h"

enum { TERM_ROWS = 4, TERM_LANES = 32 }; // threads that share the iterations of one; in a row

// A kernel as rule_map_gpu makes it, with one thread loop of TERM_LANES, each of whose threads runs
// one serial loop. NULL: what its iterations compute isn't only terms of sums. *weight: the
// instructions of a term, roughly.
Node *rule_terms(Names *names, Node *kernel, int64_t most_bytes, int *weight);
#endif
