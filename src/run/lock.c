// SPDX-License-Identifier: MIT
// lock.c -- page-locking a call's arrays for as long as it lasts (rule place): where the nest says so, or
// where the device's file says that locking and fast copies are quicker than copies of pageable memory.
//
// Arrays may share pages, and a page can be locked once: ranges are rounded to pages and joined
// before anything is locked. Where that fails (locked already, too much, no such device) copies
// go the usual way.
#include "run/state.h"
#include <unistd.h>

static void add(Locks *k, uintptr_t lo, uintptr_t hi) {
    for (int i = k->n - 1; i >= 0; i--) {
        if (hi < k->at[i].lo || k->at[i].hi < lo) continue;
        lo = lo < k->at[i].lo ? lo : k->at[i].lo;
        hi = hi > k->at[i].hi ? hi : k->at[i].hi;
        k->at[i] = k->at[--k->n];
    }
    if (k->n < LOCKS_MAX) k->at[k->n++] = (LockRange){lo, hi, false};
}

enum { WORTH = 1 << 20 }; // bytes of an array that nobody asked to lock

static bool is_wanted(const Unit *u, const Call *c, int foot) {
    const Foot *f = &c->v->nest->feet[foot];
    if (f->place != HOST_AS_IS) return f->place == HOST_LOCKED;
    return u->locking && c->travel == TRAVEL_PAGEABLE && box_bytes(&c->boxes[foot]) >= WORTH;
}

void lock_arrays(Run *r, const Unit *u, const Call *c, Locks *k) {
    *k = (Locks){0};
    const Nest *n = c->v->nest;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (!r->device->ops->pin || r->info->host_memory) return;
    for (int i = 0; i < n->nfeet; i++) {
        const Box *b = &c->boxes[i];
        // What may not be there can't be locked, and what has gaps goes through copies.
        if (box_is_empty(b) || b->loose || b->gaps || !is_wanted(u, c, i)) continue;
        add(k, b->first / page * page, (b->last + page - 1) / page * page);
    }
    double t = time_now();
    for (int i = 0; i < k->n; i++)
        k->at[i].locked = r->device->ops->pin(r->device, (void *)k->at[i].lo, k->at[i].hi - k->at[i].lo);
    k->seconds = time_now() - t;
    r->device->error[0] = 0;
}

void lock_release(Run *r, Locks *k) {
    double t = time_now();
    for (int i = 0; i < k->n; i++)
        if (k->at[i].locked) r->device->ops->unpin(r->device, (void *)k->at[i].lo);
    k->seconds += time_now() - t;
    k->n = 0;
}
