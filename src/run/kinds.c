// SPDX-License-Identifier: MIT
// kinds.c -- kinds of calls, and what was planned for which: sizes of one magnitude, divisible by like powers
// of two; where the data lie; what measuring chose.
#include "run/state.h"
#include "run/wisdom.h"
#include <math.h>
#include <string.h>

// A nest that was planned for a call is taken for others whose sizes differ by at most so many powers of two.
enum { ALIKE = 2 };

// Small values are themselves; of others the magnitude counts, and (unless they only tell how many there are
// of the rest) which tiles and vectors divide them.
static uint64_t kind_of_size(int64_t x, bool counts) {
    enum { SMALL = 32 };
    if (x <= SMALL) return x < 0 ? 0 : (uint64_t)x;
    int zeros = __builtin_ctzll((uint64_t)x), bits = 64 - __builtin_clzll((uint64_t)x);
    int part = counts ? 0 : zeros >= 7 ? zeros > 8 ? 8 : zeros : zeros > 2 ? 2 : zeros;
    return (uint64_t)(1000 + 10 * bits + part);
}

static bool is_size(const Unit *u, int i) {
    return i >= u->nobjects && !type_is_float(u->region->params[i - u->nobjects]->type);
}

CallKind kind_of(Unit *u, const sculpt_arg *args, Travel travel, const Wise *row) {
    uint64_t h = (uint64_t)travel;
    h = hash_bytes(&u->ir->unordered, sizeof u->ir->unordered, h);
    for (int i = 0; i < u->nargs; i++) {
        if (i >= u->nobjects && !is_size(u, i)) continue;
        uint64_t x = i < u->nobjects ? (uintptr_t)args[i].p % 16
                                     : kind_of_size(args[i].i, batch_counts(u, i - u->nobjects));
        h = hash_bytes(&x, sizeof x, h);
    }
    uint64_t wise = wise_number(row, travel);
    return (CallKind){wise ? hash_bytes(&wise, sizeof wise, h) : h, wise, travel};
}

PlannedKind *kind_find(Unit *u, const CallKind *k) {
    for (int i = 0; i < u->kinds.n; i++)
        if (u->kinds.at[i].kind.hash == k->hash) return &u->kinds.at[i];
    return NULL;
}

const PlannedKind *kind_of_nests(const Unit *u, uint64_t digest) {
    for (int i = 0; i < u->kinds.n; i++)
        if (u->kinds.at[i].came && u->kinds.at[i].nests == digest) return &u->kinds.at[i];
    return NULL;
}

PlannedKind *kind_note(Unit *u, const CallKind *k, const sculpt_arg *args) {
    sculpt_arg *mine = NEW_N(u->c->arena, sculpt_arg, u->nargs + 1);
    memcpy(mine, args, sizeof *args * (size_t)u->nargs);
    PlannedKind fresh = {.kind = *k, .args = mine};
    vec_push(u->c->arena, &u->kinds, fresh);
    return &u->kinds.at[u->kinds.n - 1];
}

// By how many powers of two their sizes differ in all.
static double bits_between(const Unit *u, const sculpt_arg *x, const sculpt_arg *y) {
    double bits = 0;
    for (int i = u->nobjects; i < u->nargs; i++)
        if (is_size(u, i) && x[i].i != y[i].i) {
            bool known = x[i].i >= 0 && y[i].i >= 0;
            bits += known ? fabs(log2((double)x[i].i + 1) - log2((double)y[i].i + 1)) : INFINITY;
        }
    return bits;
}

double kind_distance(const Unit *u, const PlannedKind *p, const CallKind *k, const sculpt_arg *args) {
    if (!p->sure || p->kind.wise != k->wise || p->kind.travel != k->travel) return INFINITY;
    if (p->kind.hash == k->hash) return 0;
    double bits = bits_between(u, p->args, args) + 1e-9;
    return k->wise || bits <= ALIKE ? bits : INFINITY;
}
