// SPDX-License-Identifier: MIT
// reads.h -- what a loop reads again and again, read before it into registers.
#ifndef SCULPT_RULE_READS_H
#define SCULPT_RULE_READS_H
#include "rule/rule.h"

// Does the condition hold but for one value of a counter in it? What stands under it is then done by some
// iteration or thread, of more than one.
bool leaves_out_one(const Expr *cond);

// `loop` stands in the block `seq`; nothing in `kernel` may write what is hoisted. The block with
// registers for at most `most` elements; seq itself when there is nothing to hoist. What each thread reads as
// one element is left to compilers, but for what lanes read as a vector, of which `lane` is the number; they
// don't see that it stays. NULL: there are none.
Node *rule_hoist_reads(Names *names, Node *kernel, Node *seq, Node *loop, int most, const Sym *lane);
#endif
