// SPDX-License-Identifier: MIT
// epilogue.h -- the one place where sums in registers meet memory.
#ifndef SCULPT_RULE_EPILOGUE_H
#define SCULPT_RULE_EPILOGUE_H
#include "rule/storage.h"

// The copy on the way p adds registers to memory; `all` is the outermost node that holds nothing else,
// for one thread. The tree in which the elements go through shared memory, a few rows at a time.
Nest *epilogue_through(Change *ch, const Path *p, const Node *all);
#endif
