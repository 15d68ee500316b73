// SPDX-License-Identifier: MIT
// plain.h -- while, switch and counters that run down in the condition, as for and if.
#ifndef SCULPT_PLAIN_H
#define SCULPT_PLAIN_H
#include "front/ast.h"

// Changes the bodies of all functions in place; before anything else reads them.
void plain_forms(Compile *c, AstUnit *u);
#endif
