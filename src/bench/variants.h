// SPDX-License-Identifier: MIT
// variants.h -- recipes by name, with constants changed.
#ifndef SCULPT_BENCH_VARIANTS_H
#define SCULPT_BENCH_VARIANTS_H
#include "bench/bench.h"

typedef struct Variant {
    const char *name, *file;
    TrialKind kind;
    int shape;                // TRIAL_AUTOMATIC: this shaped nest alone, from 1; 0: the chain
    const char *text;         // the recipe, its constants set; NULL: the name says which
    const char *nest_of, *nest; // once it was built for a source: its nest, to be used again
} Variant;
typedef VEC(Variant) Variants;

// The text with its lines "let NAME = …" changed to the values of "NAME=VALUE …". NULL with a
// reason in *why: it has no such line.
const char *variant_set(Arena *a, const char *text, const char *constants, const char **why);
// The recipe of a name: a file, or recipes/NAME.sculpt below root. NULL: there is none.
const char *variant_recipe(Bench *b, const char *name, const char **file);
// Recipes "A+B+…" for a source, % in a name being the source's own: the trial's text and what
// follows in the chain. False with a reason in *why.
bool variant_chain(Bench *b, const char *names, const char *source, Trial *t, const char **why);
// All that the order names. False after a message.
bool variants_read(Bench *b, Variants *out);
#endif
