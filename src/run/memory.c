// SPDX-License-Identifier: MIT
// memory.c -- slabs: mapping, validity, write-back, eviction.
#include "run/memory.h"
#include "run/transfer.h"
#include <stdlib.h>
#include <string.h>

enum { SLABS_MAX = 256 };

Memory *memory_new(Arena *a, Device *d, bool guarded) {
    Memory *m = NEW(a, Memory);
    m->d = d;
    m->guarded = guarded;
    return m;
}

// ---- lists of boxes ------------------------------------------------------------------
static void boxes_remove(Boxes *v, int i) { v->at[i] = v->at[--v->n]; }

// Boxes that continue each other become one, as those of a matrix that is made block by block. Only where
// the list is full: what is held and what is not may lie side by side, and is told apart by its boxes.
static void boxes_join(Boxes *v) {
    for (int i = 0; i < v->n; i++)
        for (int k = i + 1; k < v->n; k++)
            if (v->at[i].loose == v->at[k].loose && v->at[i].gaps == v->at[k].gaps &&
                box_join(&v->at[i], &v->at[k])) {
                boxes_remove(v, k);
                k = i;
            }
}

// Adds b, which swallows what it contains. False: the list is full.
static bool boxes_add(Boxes *v, const Box *b) {
    if (box_is_empty(b)) return true;
    for (int i = 0; i < v->n; i++)
        if (box_contains(&v->at[i], b)) return true;
    for (int i = v->n - 1; i >= 0; i--)
        if (box_contains(b, &v->at[i])) boxes_remove(v, i);
    if (v->n == BOXES_MAX) boxes_join(v);
    if (v->n == BOXES_MAX) return false;
    v->at[v->n++] = *b;
    return true;
}

static void boxes_drop_touching(Boxes *v, const Box *b) {
    for (int i = v->n - 1; i >= 0; i--)
        if (!b || !box_disjoint(&v->at[i], b)) boxes_remove(v, i);
}

// Of boxes that touch b what lies before and behind it stays. False: the list is full, nothing is changed.
static bool boxes_cut_out(Boxes *v, const Box *b) {
    Boxes rest = {0};
    for (int i = 0; i < v->n; i++) {
        Box before = v->at[i], behind = v->at[i];
        if (box_disjoint(&v->at[i], b)) {
            if (rest.n == BOXES_MAX) return false;
            rest.at[rest.n++] = v->at[i];
            continue;
        }
        if (before.first < b->first) box_cut(&before, before.first, b->first);
        if (behind.last > b->last) box_cut(&behind, b->last, behind.last);
        if (before.first < b->first && !boxes_add(&rest, &before)) return false;
        if (behind.last > b->last && !boxes_add(&rest, &behind)) return false;
    }
    *v = rest;
    return true;
}

static bool boxes_touch(const Boxes *v, const Box *b) {
    for (int i = 0; i < v->n; i++)
        if (!b || !box_disjoint(&v->at[i], b)) return true;
    return false;
}

static bool one_covers(const Boxes *v, const Box *b) {
    for (int i = 0; i < v->n; i++)
        if (box_contains(&v->at[i], b)) return true;
    return false;
}

// The end of the longest run around `at` that one of them has; `at`: none has any.
static uintptr_t end_of_run(const Boxes *v, uintptr_t at) {
    uintptr_t end = at;
    for (int i = 0; i < v->n; i++) {
        uintptr_t to = box_run_end(&v->at[i], at);
        if (to > end) end = to;
    }
    return end;
}

static bool run_is_covered(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *v) {
    (void)rows, (void)pitch;
    for (uintptr_t at = first, to; at < first + (uintptr_t)width; at = to)
        if ((to = end_of_run(v, at)) == at) return false;
    return true;
}

// One of them has all of b, or several have parts of it. (Beside what is moved where none has, and that is
// much, looking at each run is nothing.)
static bool boxes_cover(Boxes *v, const Box *b) {
    enum { MOST_RUNS = 1 << 16 };
    if (one_covers(v, b)) return true;
    return v->n > 1 && box_runs(b) <= MOST_RUNS && box_each(b, false, run_is_covered, v);
}

// b of the slab, or all of it, may be something else from now on.
static void distrust(Memory *m, const Slab *s, const Box *b) {
    Box all = box_interval(s->lo, s->hi);
    seals_break(m, b ? b : &all);
    m->epoch++;
}

// ---- write-back ------------------------------------------------------------------------
static bool slab_flush(Memory *m, Slab *s, const Box *b, const Box *keep) {
    for (int i = s->dirty.n - 1; i >= 0; i--) {
        Box x = s->dirty.at[i];
        if (b && box_disjoint(&x, b)) continue;
        if (!transfer_down(m, s, &x, keep)) return false;
        boxes_remove(&s->dirty, i);
    }
    return true;
}

// Where the list has no room for what is left beside b, b stays dirty: it comes home once more.
bool memory_update_host(Memory *m, const Box *b) {
    for (Slab *s = m->slabs; s; s = s->next) {
        for (int i = 0; i < s->dirty.n; i++) {
            Box x = s->dirty.at[i];
            if (box_disjoint(&x, b)) continue;
            box_cut(&x, b->first, b->last);
            if (!transfer_down(m, s, &x, NULL)) return false;
        }
        boxes_cut_out(&s->dirty, b);
    }
    return true;
}

bool memory_discard(Memory *m, const Box *b) {
    for (Slab *s = m->slabs; s; s = s->next)
        if (!boxes_cut_out(&s->dirty, b) && !slab_flush(m, s, b, b)) return false;
    return true;
}

bool memory_flush_except(Memory *m, const Box *b, const Box *keep) {
    for (Slab *s = m->slabs; s; s = s->next)
        if (!slab_flush(m, s, b, keep)) return false;
    return true;
}

bool memory_flush(Memory *m, const Box *b) { return memory_flush_except(m, b, NULL); }

void memory_forget(Memory *m, Slab *s, const Box *b) {
    if (s->own) return distrust(m, s, b);
    boxes_drop_touching(&s->valid, b);
    boxes_drop_touching(&s->dirty, b);
    distrust(m, s, b);
}

void memory_forget_all(Memory *m, const Box *b) {
    for (Slab *s = m->slabs; s; s = s->next) memory_forget(m, s, b);
}

// ---- slabs -----------------------------------------------------------------------------
static bool holds_touch(const Memory *m, uintptr_t lo, uintptr_t hi) {
    for (Hold *h = m->holds; h; h = h->next)
        if (h->lo < hi && lo < h->hi) return true;
    return false;
}

bool memory_holds_some(const Memory *m, const Box *b) {
    return !box_is_empty(b) && holds_touch(m, b->first, b->last);
}

// Does anybody vouch for what lies in this slab?
static bool is_live(const Memory *m, const Slab *s) {
    return s->owners || holds_touch(m, s->lo, s->hi);
}

bool memory_has(const Memory *m, uintptr_t lo, uintptr_t hi) {
    Box b = box_interval(lo, hi);
    for (Slab *s = m->slabs; s; s = s->next)
        if (s->lo <= lo && hi <= s->hi && boxes_cover(&s->valid, &b)) return is_live(m, s);
    return false;
}

// The base may lie ahead of the first element that any loop uses.
bool memory_flush_array(Memory *m, uintptr_t base) {
    Slab *best = NULL;
    for (Slab *s = m->slabs; s; s = s->next)
        if (base < s->hi && (!best || s->lo < best->lo)) best = s;
    return !best || slab_flush(m, best, NULL, NULL);
}

bool memory_held(const Memory *m, const Box *b) { return m->holds && holds_cover((Memory *)m, b); }

static void slab_remove(Memory *m, Slab *s) {
    for (Slab **p = &m->slabs; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            break;
        }
    if (!s->own) m->d->ops->free(m->d, s->ptr);
    if (!s->own) m->allocated -= s->hi - s->lo;
    distrust(m, s, NULL);
    free(s->old);
    free(s);
}

void memory_drop(Memory *m) {
    while (m->slabs) slab_remove(m, m->slabs);
}

size_t memory_slab_bytes(const Memory *m, const Slab *s) {
    return s->hi - s->lo + (size_t)s->skip + (m->guarded ? MEMORY_GUARD : 0);
}

// Best effort: what isn't filled is found changed.
static void slab_fill(Memory *m, const Slab *s) {
    size_t bytes = memory_slab_bytes(m, s);
    void *fill = malloc(bytes);
    if (fill && !s->managed) m->d->ops->upload(m->d, s->ptr, 0, memset(fill, MEMORY_FILL, bytes), bytes);
    free(fill);
}

static bool is_kept(const Slab *s, int n, const Range2 *keep) {
    for (int i = 0; i < n; i++)
        if (keep[i].slab == s || (keep[i].lo < s->hi && s->lo < keep[i].hi)) return true;
    return false;
}

// Frees the slab that was used longest ago, those that nobody vouches for first.
bool memory_evict(Memory *m, int n, const Range2 *keep) {
    Slab *best = NULL;
    for (Slab *s = m->slabs; s; s = s->next) {
        if (s->own || is_kept(s, n, keep)) continue;
        bool live = is_live(m, s), best_live = best && is_live(m, best);
        if (!best || (best_live && !live) || (live == best_live && s->used < best->used)) best = s;
    }
    if (!best || !slab_flush(m, best, NULL, NULL)) return false;
    slab_remove(m, best);
    return true;
}

DevPtr memory_alloc(Memory *m, size_t bytes, bool managed) {
    double t = time_now();
    DevPtr p = (managed ? m->d->ops->managed : m->d->ops->alloc)(m->d, bytes);
    m->seconds_alloc += time_now() - t;
    return p;
}

static Slab *slab_new(Memory *m, const Range2 *own, int n, const Range2 *keep) {
    uintptr_t lo = own->lo, hi = own->hi;
    bool managed = own->managed && m->d->ops->managed;
    int count = 0;
    for (Slab *s = m->slabs; s; s = s->next) count++;
    if (count >= SLABS_MAX) memory_evict(m, n, keep);
    DevPtr p;
    Slab made = {.next = m->slabs,
                 .lo = lo,
                 .hi = hi,
                 .managed = managed,
                 .skip = (int)(lo % 16) + (m->guarded ? MEMORY_GUARD : 0)};
    size_t bytes = memory_slab_bytes(m, &made), largest = (size_t)m->d->ops->info(m->d)->largest;
    bool hopeless = largest && bytes > largest;
    while (!(p = memory_alloc(m, bytes, managed)))
        if (hopeless || !memory_evict(m, n, keep)) return NULL;
    Slab *s = calloc(1, sizeof *s);
    if (!s) {
        m->d->ops->free(m->d, p);
        return NULL;
    }
    *s = made;
    s->ptr = p;
    if (m->guarded) slab_fill(m, s);
    m->slabs = s;
    m->allocated += hi - lo;
    m->epoch++;
    return s;
}

static Slab *slab_around(const Memory *m, uintptr_t lo, uintptr_t hi) {
    for (Slab *s = m->slabs; s; s = s->next)
        if (s->lo <= lo && hi <= s->hi) return s;
    return NULL;
}

// Widens ranges to what is held around them, and until none cuts another range or a live slab; returns
// whether it changed any.
static bool widen(const Memory *m, int n, Range2 *r) {
    bool changed = false;
    for (int i = 0; i < n; i++) {
        uintptr_t lo = r[i].lo, hi = r[i].hi;
        const Hold *h = lo < hi && !slab_around(m, lo, hi) ? hold_around(m, lo, hi) : NULL;
        if (h) lo = h->lo, hi = h->hi;
        for (int k = 0; k < n; k++)
            if (r[k].lo < hi && lo < r[k].hi) {
                if (r[k].lo < lo) lo = r[k].lo;
                if (r[k].hi > hi) hi = r[k].hi;
            }
        for (Slab *s = m->slabs; s; s = s->next)
            if (s->lo < hi && lo < s->hi && is_live(m, s)) {
                if (s->lo < lo) lo = s->lo;
                if (s->hi > hi) hi = s->hi;
            }
        if (lo != r[i].lo || hi != r[i].hi) changed = true;
        r[i].lo = lo, r[i].hi = hi;
    }
    return changed;
}

// Slabs that a range cuts make way; what is dirty in them goes to the host first.
static bool make_way(Memory *m, int n, const Range2 *r) {
    for (Slab *s = m->slabs, *next; s; s = next) {
        next = s->next;
        bool cut = false;
        for (int i = 0; i < n; i++) {
            bool touches = r[i].lo < s->hi && s->lo < r[i].hi;
            cut |= touches && !(s->lo <= r[i].lo && r[i].hi <= s->hi);
        }
        if (!cut) continue;
        if (s->own || !slab_flush(m, s, NULL, NULL)) return false;
        slab_remove(m, s);
    }
    return true;
}

bool memory_adopt(Memory *m, uintptr_t lo, uintptr_t hi) {
    Box all = box_interval(lo, hi);
    // The device has their addresses now: that memory of the host was freed.
    for (Slab *s = m->slabs, *next; s; s = next) {
        next = s->next;
        if (s->own || s->hi <= lo || hi <= s->lo) continue;
        if (!slab_flush(m, s, NULL, &all)) return false;
        slab_remove(m, s);
    }
    for (Slab *s = m->slabs, *next; s; s = next) {
        next = s->next;
        if (!s->own || s->hi < lo || hi < s->lo) continue;
        if (s->lo <= lo && hi <= s->hi) return true;
        lo = s->lo < lo ? s->lo : lo, hi = s->hi > hi ? s->hi : hi;
        slab_remove(m, s);
    }
    Slab *s = calloc(1, sizeof *s);
    if (!s) return false;
    all = box_interval(lo, hi);
    *s = (Slab){.next = m->slabs, .lo = lo, .hi = hi, .ptr = (DevPtr)lo, .own = true};
    boxes_add(&s->valid, &all);
    m->slabs = s;
    m->epoch++;
    return true;
}

void memory_disown(Memory *m) {
    for (Slab *s = m->slabs, *next; s; s = next) {
        next = s->next;
        if (s->own && !holds_touch(m, s->lo, s->hi)) slab_remove(m, s);
    }
}

bool memory_is_own(const Memory *m, uintptr_t at) {
    for (Slab *s = m->slabs; s; s = s->next)
        if (s->own && s->lo <= at && at < s->hi) return true;
    return false;
}

bool memory_map(Memory *m, int n, Range2 *r) {
    for (int i = 0; i < n; i++) r[i].slab = NULL;
    while (widen(m, n, r)) {
    }
    if (!make_way(m, n, r)) return false;
    for (int i = 0; i < n; i++) {
        if (r[i].lo == r[i].hi) continue;
        Slab *s = slab_around(m, r[i].lo, r[i].hi);
        if (!s) s = slab_new(m, &r[i], n, r);
        if (!s) return false;
        s->used = ++m->tick;
        memory_release_unowned(m, s);
        r[i].slab = s;
    }
    return true;
}

// ---- what is where ---------------------------------------------------------------------
static void note_valid(Memory *m, Slab *s, const Box *b) {
    bool added = boxes_add(&s->valid, b);
    if (!added) {
        s->valid.n = 0;
        boxes_add(&s->valid, b);
        for (int i = 0; i < s->dirty.n; i++) boxes_add(&s->valid, &s->dirty.at[i]);
    }
    distrust(m, s, added ? b : NULL);
}

static Box held_of(const Hold *h, const Slab *s) {
    return box_interval(h->lo > s->lo ? h->lo : s->lo, h->hi < s->hi ? h->hi : s->hi);
}

// Of data that were created on the device, and are partly written, all that is held comes at once: kernels
// that read more than was written would have them come and go each time.
bool memory_need(Memory *m, Slab *s, const Box *b) {
    if (box_is_empty(b) || boxes_cover(&s->valid, b)) return true;
    Box sent = transfer_choose(m, s, b);
    const Hold *h = boxes_touch(&s->dirty, &sent) ? hold_around(m, b->first, b->last) : NULL;
    if (h && h->created) sent = held_of(h, s);
    // What only the device has must not be overwritten by the host's old values.
    if (boxes_touch(&s->dirty, &sent) && !slab_flush(m, s, &sent, NULL)) return false;
    if (!transfer_up(m, s, &sent)) return false;
    note_valid(m, s, &sent);
    return true;
}

static bool all_noted(const Boxes *v, const Box *b) {
    bool all = true;
    for (int i = 0; i < v->n; i++) all &= box_disjoint(&v->at[i], b) || v->at[i].loose || v->at[i].gaps;
    return all;
}

// What of b is not dirty. False: that can't be told apart from what is.
static bool clean_part(const Slab *s, const Box *b, Boxes *out) {
    *out = (Boxes){.n = 1, .at = {*b}};
    for (int i = 0; i < s->dirty.n; i++) {
        const Box *x = &s->dirty.at[i];
        if (!box_disjoint(x, b) && (x->ndims || !boxes_cut_out(out, x))) return false;
    }
    return true;
}

static bool note_all(Memory *m, Slab *s, const Boxes *v) {
    bool ok = true;
    for (int i = 0; ok && i < v->n; i++) ok = transfer_note(m, s, &v->at[i]);
    return ok;
}

// The host's values may change at any time where they are not the program's: what is sent are the
// noted ones. What is dirty already was noted before, or is known to be the program's; side by side with
// others that goes home, for a box that is loose takes its place.
bool memory_need_noted(Memory *m, Slab *s, const Box *b) {
    if (box_is_empty(b) || one_covers(&s->dirty, b)) return true;
    bool noted = all_noted(&s->dirty, b);
    if (noted && boxes_cover(&s->dirty, b)) return true;
    if (!s->old && !(s->old = malloc(s->hi - s->lo))) return false;
    Boxes clean;
    if (noted && boxes_cover(&s->valid, b) && clean_part(s, b, &clean)) return note_all(m, s, &clean);
    Box sent = transfer_choose(m, s, b);
    if (boxes_touch(&s->dirty, &sent) && !slab_flush(m, s, &sent, NULL)) return false;
    if (boxes_cover(&s->valid, b)) return transfer_note(m, s, b);
    if (!transfer_up_noted(m, s, &sent)) return false;
    note_valid(m, s, &sent);
    return true;
}

bool memory_update_device(Memory *m, Slab *s, const Box *b) {
    if (!transfer_up(m, s, b)) return false;
    boxes_cut_out(&s->dirty, b);
    note_valid(m, s, b);
    return true;
}

double memory_missing(const Memory *m, const Box *b) {
    if (box_is_empty(b)) return 0;
    for (Slab *s = m->slabs; s; s = s->next)
        if (s->lo <= b->first && b->last <= s->hi && boxes_cover(&s->valid, b)) return 0;
    return (double)box_bytes(b);
}

// Of held data too many boxes were written to tell them apart: all that is held counts as written from now
// on. What the device does not have of it comes from the host, after what only the device has went there.
static bool take_held(Memory *m, Slab *s, const Box *b) {
    const Hold *h = hold_around(m, b->first, b->last);
    if (!h || b->loose || b->gaps) return true;
    Box all = held_of(h, s);
    if (!boxes_cover(&s->valid, &all) &&
        !(slab_flush(m, s, &all, NULL) && transfer_down(m, s, b, NULL) && memory_need(m, s, &all)))
        return false;
    return boxes_add(&s->dirty, &all), true;
}

bool memory_written(Memory *m, Slab *s, const Box *b) {
    if (s->own) return distrust(m, s, b), true;
    if (!boxes_add(&s->dirty, b)) {
        if (!take_held(m, s, b)) return false;
        if (!boxes_add(&s->dirty, b) && !slab_flush(m, s, NULL, NULL)) return false;
        boxes_add(&s->dirty, b);
    }
    bool added = boxes_add(&s->valid, b);
    if (!added) {
        s->valid = s->dirty;
        boxes_add(&s->valid, b);
    }
    distrust(m, s, added ? b : NULL);
    return true;
}

bool memory_settle(Memory *m, Slab *s, const Box *b) {
    if (box_is_empty(b)) return true;
    Box x = *b; // not loose where the device has all of a wider box that is not
    for (int i = 0; i < s->dirty.n; i++) {
        if (!box_contains(&s->dirty.at[i], b)) continue;
        x.loose &= s->dirty.at[i].loose, x.gaps &= s->dirty.at[i].gaps;
    }
    if (!transfer_down(m, s, &x, NULL)) return false;
    for (int i = s->dirty.n - 1; i >= 0; i--)
        if (box_contains(b, &s->dirty.at[i])) boxes_remove(&s->dirty, i);
    return true;
}

bool memory_is_dirty(const Memory *m, const Box *b) {
    for (Slab *s = m->slabs; s; s = s->next)
        if (boxes_touch(&s->dirty, b)) return true;
    return false;
}

bool memory_any_dirty(const Memory *m) { return memory_is_dirty(m, NULL); }

void memory_release_unowned(Memory *m, Slab *s) {
    if (is_live(m, s) || (!s->valid.n && !s->dirty.n)) return;
    s->valid.n = s->dirty.n = 0;
    distrust(m, s, NULL);
}

bool memory_scope_end(Memory *m, int thread) {
    uint64_t bit = 1ull << (thread % 64);
    for (Slab *s = m->slabs; s; s = s->next) {
        if (!(s->owners & bit)) continue;
        // Held data stay where they are until their own directives ask.
        for (int i = 0; i < s->dirty.n;) {
            Box b = s->dirty.at[i];
            if (memory_held(m, &b)) {
                i++;
                continue;
            }
            if (!memory_settle(m, s, &b)) return false;
            i = 0;
        }
        s->owners &= ~bit;
        memory_release_unowned(m, s);
    }
    return true;
}
