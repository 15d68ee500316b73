// SPDX-License-Identifier: MIT
// find_refs.h -- the `find` of rules whose sites are told by references and by copies.
#ifndef SCULPT_RULE_FIND_REFS_H
#define SCULPT_RULE_FIND_REFS_H
#include "rule/find.h"

// ---- by array references (find_refs.c) ---------------------------------------------------------
void find_hoist(Finder *f);
void find_stage(Finder *f);
void find_transpose(Finder *f);
void find_pack(Finder *f);
void find_splitk(Finder *f);
void find_chunk(Finder *f);
void find_reduce(Finder *f);
void find_join(Finder *f);

// ---- by buffers and the copies that fill them (find_copies.c) ------------------------------------
void find_edge(Finder *f);
void find_pipeline(Finder *f);
void find_rotate(Finder *f);
void find_vectorize(Finder *f);
void find_expand(Finder *f);
#endif
