// SPDX-License-Identifier: MIT
// lanes.h -- the value of an integer expression in all threads of a warp at once.
#ifndef SCULPT_MODEL_LANES_H
#define SCULPT_MODEL_LANES_H
#include "ir/ir.h"
#include "model/request.h"

// How much is known of a value that may come from memory.
typedef enum Known {
    KNOWN,
    OFFSET,   // but for one number that is the same in all lanes: `at` counts from it
    UNKNOWN,
} Known;

typedef struct Lanes {
    Known known;
    bool uniform;             // the same in all lanes: at[0]
    int64_t at[MAX_LANES];
} Lanes;
static inline int64_t lane(const Lanes *v, int k) { return v->at[v->uniform ? 0 : k]; }

typedef struct Binding {
    const void *key;          // a Sym, or an Array of rank 0 that threads keep for themselves; of an index
                              // array (stretches.c) the value is how far its elements lie apart
    Lanes value;
    bool keyed;               // of an unknown value:
    uint64_t same[MAX_LANES]; // lanes for which these are equal have one value
} Binding;

// What symbols and private integers are worth at one moment.
typedef struct Env {
    Arena *a;
    int width;                // lanes
    VEC(Binding *) bound;     // the last of a key counts
    bool stretches;           // there are index arrays among them
} Env;
Lanes *env_push(Env *e, const void *key);    // the value is to be filled in
// What tells apart the lanes that may have other values of what is unknown; NULL: all may.
const uint64_t *env_same(const Env *e, const void *key);
// Notes that what the last of a key is worth is x's value in all lanes.
void env_set(Env *e, const void *key, const Expr *x);
void env_pop(Env *e, int n);                 // back to n bindings
Lanes *env_find(const Env *e, const void *key);
// How far the elements of that array are taken to lie apart; NULL: nothing is known of them.
const Lanes *env_stretch(const Env *e, const Array *x);
void lanes_uniform(Lanes *out, int64_t v);
void lanes_of(Env *e, const Expr *x, Lanes *out);
// Lanes for which all that an unknown value is made of is the same have one value of it, whatever data say:
// what they have in common is mixed into their keys.
void lanes_keys(Env *e, const Expr *x, uint64_t key[MAX_LANES]);
#endif
