// SPDX-License-Identifier: MIT
// holds.c -- OpenACC's data directives: counted host ranges that stay on the device.
#include "run/memory.h"
#include "sculpt/sculpt.h"
#include <stdlib.h>

Hold *hold_find(const Memory *m, uintptr_t lo, uintptr_t hi) {
    for (Hold *h = m->holds; h; h = h->next)
        if (h->lo == lo && h->hi == hi) return h;
    return NULL;
}

size_t hold_bytes(const Memory *m, uintptr_t lo) {
    for (Hold *h = m->holds; h; h = h->next)
        if (h->lo == lo) return h->hi - h->lo;
    return 0;
}

static Hold *hold_around(const Memory *m, uintptr_t lo, uintptr_t hi) {
    for (Hold *h = m->holds; h; h = h->next)
        if (h->lo <= lo && hi <= h->hi) return h;
    return NULL;
}

static bool send_range(Memory *m, uintptr_t lo, uintptr_t hi) {
    Range2 r = {lo, hi, NULL};
    Box b = box_interval(lo, hi);
    return memory_map(m, 1, &r) && memory_need(m, r.slab, &b);
}

// Data that are present already (in this or a wider hold) are only counted.
bool hold_enter(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    Hold *h = hold_around(m, lo, hi);
    if (h) {
        h->count++;
        return true;
    }
    if (how & SCULPT_PRESENT && !(how & (SCULPT_COPYIN | SCULPT_COPYOUT | SCULPT_CREATE))) return true;
    h = calloc(1, sizeof *h);
    if (!h) return false;
    *h = (Hold){m->holds, lo, hi, 1, !(how & (SCULPT_COPYIN | SCULPT_COPYOUT))};
    m->holds = h;
    return how & SCULPT_COPYIN ? send_range(m, lo, hi) : true;
}

static void hold_remove(Memory *m, Hold *h) {
    for (Hold **p = &m->holds; *p; p = &(*p)->next)
        if (*p == h) {
            *p = h->next;
            break;
        }
    free(h);
}

// What was made by CREATE is dropped unless COPYOUT asks for it. What came with COPYIN is
// written back even without COPYOUT: a compiler that ignores the directives would have
// left the computed values in the host's memory too.
bool hold_exit(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    Hold *h = hold_find(m, lo, hi);
    if (!h) h = hold_around(m, lo, hi);
    if (!h) return true;
    Box b = box_interval(lo, hi), whole = box_interval(h->lo, h->hi);
    if (--h->count > 0) return true;
    bool ok = true;
    if (!h->created) ok = memory_flush(m, &whole);
    else if (how & SCULPT_COPYOUT) ok = memory_flush(m, &b);
    if (ok) ok = memory_flush_except(m, &whole, h->created ? &whole : NULL);
    bool created = h->created;
    hold_remove(m, h);
    if (!ok) return false;
    for (Slab *s = m->slabs; s; s = s->next) {
        if (created && !s->owners) memory_forget(m, s, &whole);
        memory_release_unowned(m, s);
    }
    return true;
}

// The host's values of this range are the newer ones; dirty data beside it stay as they are.
bool hold_update_device(Memory *m, uintptr_t lo, uintptr_t hi) {
    Box b = box_interval(lo, hi);
    if (!memory_flush_except(m, &b, &b)) return false;
    memory_forget_all(m, &b);
    for (Slab *s = m->slabs; s; s = s->next)
        if (s->lo <= lo && hi <= s->hi) return memory_need(m, s, &b);
    return true;
}
