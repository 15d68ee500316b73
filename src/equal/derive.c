// SPDX-License-Identifier: MIT
// derive.c -- which writes a value rests on, in one run: c[1][0] ← s ← a[1][2], b[2][0].
//
// Each word keeps the origin of what stands in it: the write, what its statement read, and for an update what
// it added to. A run is told again for this where both programs differ.
#include "equal/derive.h"

enum { MOST_FROM = 6, DEEPEST = 4, MOST_STEPS = 12 };

struct Origin {
    const Array *array;
    int64_t *sub;
    Loc loc; // of the write; no line: it was there before
    const Origin *before; // of an update: what it added to
    int times; // how many updates by this statement, one after the other
    int n;
    const Origin *from[MOST_FROM];
};

static Origin *origin_at(Derive *d, const InterpTouch *t, const int64_t *sub) {
    Origin *o = NEW(d->a, Origin);
    *o = (Origin){.array = t->array, .times = 1, .sub = NEW_N(d->a, int64_t, t->array->rank + 1)};
    for (int i = 0; i < t->array->rank; i++) o->sub[i] = sub[i];
    return o;
}

void derive_target(Derive *d, const InterpTouch *t) {
    for (int i = 0; i < t->array->rank; i++) d->target[i] = t->sub[i];
}

void derive_read(Derive *d, const Origin **word, const InterpTouch *t) {
    if (!*word) *word = origin_at(d, t, t->sub);
    if (d->reader != t->node) d->n = 0;
    d->reader = t->node;
    for (int i = 0; i < d->n; i++)
        if (d->read[i] == *word) return;
    if (d->n < MOST_READ) d->read[d->n++] = *word;
}

void derive_write(Derive *d, const Origin **word, const InterpTouch *t) {
    Origin *o = origin_at(d, t, d->target);
    bool update = t->node->kind == N_COPY && t->node->op != OP_SET;
    o->loc = t->loc;
    for (int i = 0; i < d->n && d->reader == t->node; i++) {
        bool own = d->read[i] == *word; // s = s + x
        update |= own;
        if (!own && o->n < MOST_FROM) o->from[o->n++] = d->read[i];
    }
    o->before = update ? *word : NULL;
    if (o->before && o->before->loc.line == o->loc.line) o->times += o->before->times;
    d->n = 0;
    *word = o;
}

static void tell(Arena *a, const Origin *o, int depth, EqualSteps *out) {
    if (out->n == MOST_STEPS) return;
    const char *was = o->loc.line ? NULL : o->array->place == PLACE_USER ? "as it was" : "not written";
    vec_push(a, out, ((EqualStep){depth, equal_element(a, o->array, o->sub), was, o->loc, o->times}));
    if (depth == DEEPEST) return;
    for (int i = 0; i < o->n; i++) tell(a, o->from[i], depth + 1, out);
    const Origin *first = o->before;
    while (first && first->loc.line == o->loc.line) first = first->before;
    if (first && first->loc.line) tell(a, first, depth + 1, out);
}

EqualSteps derive_steps(Arena *a, const Origin *o) {
    EqualSteps out = {0};
    if (o) tell(a, o, 0, &out);
    return out;
}
