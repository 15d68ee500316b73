// SPDX-License-Identifier: MIT
// holds.c -- data directives: counted host ranges that stay on the device.
//
//   acc enter data, omp map          count + 1, once for each item, or with OpenMP once for each directive
//   acc exit data, omp map           count - 1
//   acc exit data finalize, omp map(delete: )   count = 0
//   acc data                         scopes + 1, and - 1 at its end
//
// Where both are 0 the range is no longer there.
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

bool hold_is_there(const Memory *m, uintptr_t lo, uintptr_t hi) { return hold_around(m, lo, hi) != NULL; }

static void count(Memory *m, Hold *h, int how) {
    if (how & SCULPT_SCOPE) h->scopes++;
    else if (h->turn != m->turn) h->count++;
    h->turn = m->turn;
}

// The range of the member before it, which this directive began, becomes that of both.
static bool hold_join(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    Hold *h = m->holds;
    if (!(how & SCULPT_MEMBER) || !h || h->turn != m->turn || h->count + h->scopes != 1) return false;
    if (lo < h->lo) h->lo = lo;
    if (hi > h->hi) h->hi = hi;
    h->created = h->created && !(how & (SCULPT_COPYIN | SCULPT_COPYOUT));
    return true;
}

// Data that are present already (in this or a wider hold) are only counted.
bool hold_enter(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    Hold *h = hold_around(m, lo, hi);
    if (h) {
        count(m, h, how);
        return true;
    }
    if (how & SCULPT_OWN && !m->d->ops->meet) return true; // no addresses of its own: the host's memory
    if (how & SCULPT_OWN && !memory_adopt(m, lo, hi)) return false;
    if (how & SCULPT_PRESENT && !(how & (SCULPT_COPYIN | SCULPT_COPYOUT | SCULPT_CREATE))) return true;
    if (!hold_join(m, lo, hi, how)) {
        h = calloc(1, sizeof *h);
        if (!h) return false;
        bool created = !(how & (SCULPT_COPYIN | SCULPT_COPYOUT));
        *h = (Hold){.next = m->holds, .lo = lo, .hi = hi, .created = created};
        m->holds = h;
        count(m, h, how);
    }
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

// Does it still count?
static bool discount(Memory *m, Hold *h, int how) {
    if (how & SCULPT_SCOPE) h->scopes -= h->scopes > 0;
    else if (how & SCULPT_FINALIZE) h->count = 0;
    else if (h->turn != m->turn) h->count -= h->count > 0;
    h->turn = m->turn;
    return h->count + h->scopes > 0;
}

// What was made by CREATE is dropped unless COPYOUT asks for it. What came with COPYIN is
// written back even without COPYOUT: a compiler that ignores the directives would have
// left the computed values in the host's memory too.
bool hold_exit(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    Hold *h = hold_find(m, lo, hi);
    if (!h) h = hold_around(m, lo, hi);
    if (!h) return true;
    Box b = box_interval(lo, hi), whole = box_interval(h->lo, h->hi);
    if (discount(m, h, how)) return true;
    bool ok = true;
    if (!h->created) ok = memory_update_host(m, &whole) && memory_flush(m, &whole);
    else ok = (!(how & SCULPT_COPYOUT) || memory_update_host(m, &b)) && memory_discard(m, &whole);
    bool created = h->created;
    hold_remove(m, h);
    if (!ok) return false;
    for (Slab *s = m->slabs; s; s = s->next) {
        if (created && !s->owners) memory_forget(m, s, &whole);
        memory_release_unowned(m, s);
    }
    memory_disown(m);
    return true;
}

// The host's values of this range are the newer ones; dirty data beside it stay as they are.
bool hold_update_device(Memory *m, uintptr_t lo, uintptr_t hi) {
    Box b = box_interval(lo, hi);
    for (Slab *s = m->slabs; s; s = s->next)
        if (s->lo <= lo && hi <= s->hi) return memory_update_device(m, s, &b);
    if (!memory_flush_except(m, &b, &b)) return false;
    memory_forget_all(m, &b);
    return !hold_around(m, lo, hi) || send_range(m, lo, hi); // what was only promised so far
}
