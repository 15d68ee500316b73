// SPDX-License-Identifier: MIT
// promised.c -- are the values of index arrays what a nest rests on: distinct, or never falling?
//
// Asked before every launch: the same arguments may lead to other values each time. What the device
// has newer comes home first. Of values that stay on the device the answer is kept, under a seal.
#include "run/state.h"
#include <stdlib.h>
#include <string.h>

enum { SPREAD = 64 };  // a bitmap of up to so many bits a value; beyond that the values are sorted

static int64_t value_at(const char *p, Type t) {
    switch (t) {
    case T_I8: return *(const int8_t *)p;
    case T_I16: return *(const int16_t *)p;
    case T_I32: return *(const int32_t *)p;
    case T_U8: case T_BOOL: return *(const uint8_t *)p;
    case T_U16: return *(const uint16_t *)p;
    case T_U32: return *(const uint32_t *)p;
    default: return *(const int64_t *)p; // of u64 the bits are enough to tell them apart
    }
}

static int compare(const void *x, const void *y) {
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static bool sorted_differ(int64_t *v, int64_t n) {
    qsort(v, (size_t)n, sizeof *v, compare);
    for (int64_t i = 1; i < n; i++)
        if (v[i] == v[i - 1]) return false;
    return true;
}

static bool all_differ(int64_t *v, int64_t n) {
    int64_t lo = n ? v[0] : 0, hi = lo, range;
    for (int64_t i = 1; i < n; i++) {
        lo = v[i] < lo ? v[i] : lo;
        hi = v[i] > hi ? v[i] : hi;
    }
    if (__builtin_sub_overflow(hi, lo, &range) || range / SPREAD > n) return sorted_differ(v, n);
    uint64_t *bits = calloc((size_t)range / 64 + 1, sizeof *bits);
    bool differ = bits != NULL;
    for (int64_t i = 0; differ && i < n; i++) {
        uint64_t k = (uint64_t)(v[i] - lo), bit = 1ull << (k % 64);
        differ = !(bits[k / 64] & bit);
        bits[k / 64] |= bit;
    }
    free(bits);
    return differ;
}

static bool all_rise(const int64_t *v, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        if (v[i] < v[i - 1]) return false;
    return true;
}

static bool look(Run *r, const Promise *p, const Box *b) {
    const Array *x = p->array;
    if (r->memory && memory_is_dirty(r->memory, b) && !memory_flush(r->memory, b)) return false;
    int64_t size = type_size(x->elem), n = ((int64_t)(b->last - b->first) - size) / x->stride + 1;
    int64_t *v = malloc((size_t)n * sizeof *v);
    for (int64_t i = 0; v && i < n; i++) v[i] = value_at((const char *)b->first + i * x->stride, x->elem);
    bool so = v && (p->rises ? all_rise(v, n) : all_differ(v, n));
    free(v);
    return so;
}

// ---- answers that are kept ----------------------------------------------------------------------
enum { MOST_LOOKS = 4 };
typedef struct Look {
    Promise promise;
    Seal *seal;              // NULL: nothing is kept here
    bool so;
} Look;

struct Looks {
    Look at[MOST_LOOKS];
    int next;
};

static bool holds(Run *r, Unit *u, const Promise *p, const Box *b) {
    if (box_is_empty(b)) return true;
    if (!r->memory) return look(r, p, b);
    if (!u->looks) u->looks = NEW(u->c->arena, struct Looks);
    for (int i = 0; i < MOST_LOOKS; i++) {
        const Look *k = &u->looks->at[i];
        bool same = k->seal && k->promise.array == p->array && k->promise.rises == p->rises;
        same = same && k->seal->lo == b->first && k->seal->hi == b->last;
        if (same && seal_is_whole(r->memory, k->seal)) return k->so;
    }
    bool so = look(r, p, b);
    Look *k = &u->looks->at[u->looks->next++ % MOST_LOOKS];
    if (k->seal) seal_drop(r->memory, k->seal);
    *k = (Look){*p, seal_set(r->memory, b->first, b->last), so};
    return so;
}

const Promise *promise_broken(Run *r, Unit *u, const Call *c) {
    const Nest *n = c->v->nest;
    for (int k = 0; k < n->npromised; k++) {
        bool known = false;
        for (int i = 0; i < n->nfeet; i++) {
            if (n->feet[i].array != n->promised[k].array) continue;
            known = true;
            if (!holds(r, u, &n->promised[k], &c->boxes[i])) return &n->promised[k];
        }
        if (!known) return &n->promised[k];
    }
    return NULL;
}
