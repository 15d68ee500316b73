// SPDX-License-Identifier: MIT
// outputs.h -- words side by side that one thread writes, through shared memory.
#ifndef SCULPT_RULE_OUTPUTS_H
#define SCULPT_RULE_OUTPUTS_H
#include "rule/rule.h"

#endif
