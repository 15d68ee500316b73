// SPDX-License-Identifier: MIT
// recall.h -- pieces of a kernel that are counted once for each class of visits.
#ifndef SCULPT_MODEL_RECALL_H
#define SCULPT_MODEL_RECALL_H
#include "model/walk.h"

// Gives those of c and all below their pieces (Code.piece).
void recall_find(Program *p, Code *c);
// Other sizes: what c is asked for is to be looked at anew.
void recall_again(Code *c);
// Goes through c, which has a piece, by `walk`, or adds up what that counted in a visit alike.
void recall(Walk *w, Code *c, void (*walk)(Walk *w, Code *c));
#endif
