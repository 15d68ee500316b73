// SPDX-License-Identifier: MIT
// seals.c -- has the device still the values that somebody looked at?
//
// A seal stands on a range of which all values are on the device, where somebody vouches for them. What a
// kernel writes there breaks it, and what is sent there anew, and whatever ends the trust in these values.
// What the host does to its own copy meanwhile does not: no loop would see it.
#include "run/memory.h"
#include <stdlib.h>

Seal *seal_set(Memory *m, uintptr_t lo, uintptr_t hi) {
    if (!memory_has(m, lo, hi)) return NULL;
    Seal *s = malloc(sizeof *s);
    if (!s) return NULL;
    *s = (Seal){.next = m->seals, .lo = lo, .hi = hi};
    m->seals = s;
    return s;
}

bool seal_is_whole(const Memory *m, const Seal *s) { return !s->broken && memory_has(m, s->lo, s->hi); }

void seal_drop(Memory *m, Seal *s) {
    for (Seal **p = &m->seals; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            break;
        }
    free(s);
}

void seals_break(Memory *m, const Box *b) {
    for (Seal *s = m->seals; s; s = s->next) {
        if (s->broken) continue;
        Box x = box_interval(s->lo, s->hi);
        s->broken = !b || !box_disjoint(&x, b);
    }
}
