// SPDX-License-Identifier: MIT
// outputs.h -- words side by side that one thread writes, through shared memory.
#ifndef SCULPT_RULE_OUTPUTS_H
#define SCULPT_RULE_OUTPUTS_H
#include "rule/rule.h"

// A kernel as rule_map_gpu makes it, with one thread loop, whose thread writes several words side
// by side of some array. most: bytes of shared memory. NULL: there is none such.
Node *rule_stage_outputs(Names *names, Node *kernel, int64_t most);
#endif
