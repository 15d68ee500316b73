// SPDX-License-Identifier: MIT
// certificate.h -- what the writers of a certificate share.
#ifndef SCULPT_EQUAL_CERTIFICATE_H
#define SCULPT_EQUAL_CERTIFICATE_H
#include "equal/flows.h"

typedef struct End {
    Side *s;
    FlowLeaf *leaf;
} End;

typedef struct Named {
    const Sym *sym;
    const char *name;
} Named;

typedef struct Certificate {
    Prover *p;
    Arena *a;
    Text t, sums;
    const char *why; // it can't be written
    VEC(const Array *) arrays;
    VEC(Named) counters;
    VEC(End) ends;
    VEC(const Expr *) seen; // of the copy that is printed: expressions by their numbers
    const FlowLeaf *leaf; // which is printed
    int line; // leaves so far
} Certificate;

// certificate_sets.c. Sets and relations that they take are theirs.
void certificate_lacks(Certificate *k, const char *why); // it can't be written; the first reason stays
void certificate_set(Certificate *k, Text *t, isl_set *s);
void certificate_function(Certificate *k, Text *t, isl_pw_multi_aff *f);
void certificate_map(Certificate *k, Text *t, isl_map *m);
isl_set *certificate_pairs(const isl_map *m); // the relation's pairs as points
#endif
