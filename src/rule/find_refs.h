// SPDX-License-Identifier: MIT
// find_refs.h -- the `find` of rules whose sites are told by references and by copies.
#ifndef SCULPT_RULE_FIND_REFS_H
#define SCULPT_RULE_FIND_REFS_H
#include "rule/find.h"

// ---- by array references (find_refs.c) ---------------------------------------------------------
void find_hoist(Change *ch, Found *found, void *arg);
void find_stage(Change *ch, Found *found, void *arg);
void find_transpose(Change *ch, Found *found, void *arg);
void find_pack(Change *ch, Found *found, void *arg);
void find_splitk(Change *ch, Found *found, void *arg);
void find_chunk(Change *ch, Found *found, void *arg);
void find_reduce(Change *ch, Found *found, void *arg);
void find_join(Change *ch, Found *found, void *arg);

// ---- by buffers and the copies that fill them (find_copies.c) ------------------------------------
void find_edge(Change *ch, Found *found, void *arg);
void find_pipeline(Change *ch, Found *found, void *arg);
void find_rotate(Change *ch, Found *found, void *arg);
void find_vectorize(Change *ch, Found *found, void *arg);
void find_expand(Change *ch, Found *found, void *arg);
#endif
