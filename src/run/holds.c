// SPDX-License-Identifier: MIT
// holds.c -- data directives: counted host ranges that stay on the device.
//
//   acc enter data, omp map          count + 1, once for each item, or with OpenMP once for each directive
//   acc exit data, omp map           count - 1
//   acc exit data finalize, omp map(delete: )   count = 0
//   acc data                         scopes + 1, and - 1 at its end
//
// Where both are 0 the range is no longer there.
//
// Rows of a table of pointers, acc data copy(a[0:n][0:m]), are a hold each. What moves goes when the last of
// them is named: as one box where they lie at equal distances, so that it is the one that loops use.
#include "run/memory.h"
#include "sculpt/sculpt.h"
#include <stdlib.h>
#include <string.h>

// ---- holds by place --------------------------------------------------------------------------
static int by_place(const void *x, const void *y) {
    const Hold *a = *(Hold *const *)x, *b = *(Hold *const *)y;
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

static void forget_index(Memory *m) { m->index.built = false; }

static bool make_room(HoldIndex *x, int64_t n) {
    if (n <= x->room) return true;
    free(x->range), free(x->hold);
    x->range = malloc(sizeof *x->range * (size_t)(2 * n));
    x->hold = malloc(sizeof *x->hold * (size_t)(2 * n));
    x->room = x->range && x->hold ? 2 * n : 0;
    return x->room > 0;
}

static bool build_index(Memory *m) {
    HoldIndex *x = &m->index;
    if (x->built) return true;
    int64_t n = 0;
    for (const Hold *h = m->holds; h; h = h->next) n++;
    if (!make_room(x, n)) return false;
    x->nholds = x->n = x->asked = 0;
    for (Hold *h = m->holds; h; h = h->next) x->hold[x->nholds++] = h;
    if (n) qsort(x->hold, (size_t)n, sizeof *x->hold, by_place);
    for (int64_t i = 0; i < n; i++) {
        uintptr_t *last = x->n ? x->range[x->n - 1] : NULL;
        const Hold *h = x->hold[i];
        if (!last || h->lo > last[1]) x->range[x->n][0] = h->lo, x->range[x->n++][1] = h->hi;
        else if (h->hi > last[1]) last[1] = h->hi;
    }
    return x->built = true;
}

static bool covers_run(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)rows, (void)pitch;
    const HoldIndex *x = arg;
    int64_t lo = 0, hi = x->n; // the last range that begins at `first` or before
    while (lo < hi) {
        int64_t middle = (lo + hi) / 2;
        if (x->range[middle][0] <= first) lo = middle + 1;
        else hi = middle;
    }
    return lo && first + (uintptr_t)width <= x->range[lo - 1][1];
}

bool holds_cover(Memory *m, const Box *b) {
    HoldIndex *x = &m->index;
    if (!build_index(m)) return false;
    if (covers_run(b->first, (int64_t)(b->last - b->first), 1, 0, x)) return true;
    if (!b->ndims) return false;
    int known = x->asked < HELD_ASKED ? x->asked : HELD_ASKED;
    for (int i = 0; i < known; i++)
        if (memcmp(&x->box[i], b, sizeof *b) == 0) return x->held[i];
    bool held = box_each(b, false, covers_run, x);
    x->box[x->asked % HELD_ASKED] = *b, x->held[x->asked % HELD_ASKED] = held;
    x->asked = x->asked + 1 < 2 * HELD_ASKED ? x->asked + 1 : HELD_ASKED;
    return held;
}

// exactly this range
static Hold *hold_find(Memory *m, uintptr_t lo, uintptr_t hi) {
    const HoldIndex *x = &m->index;
    if (!build_index(m)) return NULL;
    int64_t at = 0, end = x->nholds; // the first that begins at lo or behind
    while (at < end) {
        int64_t middle = (at + end) / 2;
        if (x->hold[middle]->lo < lo) at = middle + 1;
        else end = middle;
    }
    for (; at < x->nholds && x->hold[at]->lo == lo; at++)
        if (x->hold[at]->hi == hi && !x->hold[at]->leaving) return x->hold[at];
    return NULL;
}

size_t hold_bytes(const Memory *m, uintptr_t lo) {
    for (Hold *h = m->holds; h; h = h->next)
        if (h->lo == lo) return h->hi - h->lo;
    return 0;
}

Hold *hold_around(const Memory *m, uintptr_t lo, uintptr_t hi) {
    for (Hold *h = m->holds; h; h = h->next)
        if (h->lo <= lo && hi <= h->hi) return h;
    return NULL;
}

// What is between the elements that loops wrote is then the device's as well.
bool hold_moves_whole(const Memory *m, const Box *b) {
    const Hold *h = m->holds ? hold_around(m, b->first, b->last) : NULL;
    return h && (h->created || h->whole);
}

static bool send_range(Memory *m, uintptr_t lo, uintptr_t hi) {
    Range2 r = {lo, hi, NULL};
    Box b = box_interval(lo, hi);
    return memory_map(m, 1, &r) && memory_need(m, r.slab, &b);
}

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
    h->whole = h->whole && how & SCULPT_COPYOUT;
    return true;
}

// ---- rows ----------------------------------------------------------------------------------
// The first of rows that come one after another: what is held was held before.
static void open_rows(Memory *m, int how) {
    if (!(how & SCULPT_ROW) || m->rows.open) return;
    m->rows = (RowGroup){.open = true};
    build_index(m);
}

static void add_row(RowGroup *g, uintptr_t lo, uintptr_t hi) {
    if (g->n == 0) g->first = lo, g->bytes = hi - lo, g->even = true;
    else if (g->n == 1) g->pitch = (int64_t)(lo - g->at);
    g->even &= hi - lo == g->bytes && (g->n == 0 || (g->pitch > 0 && (int64_t)(lo - g->at) == g->pitch));
    g->at = lo;
    g->n++;
}

static bool box_of_rows(const RowGroup *g, Box *b) {
    return g->n && g->even && box_make(b, g->first, (int64_t)g->bytes, 1, &g->n, &g->pitch);
}

// Rows at unequal distances are read where loops pack them.
static bool send_rows(Memory *m) {
    Box b;
    m->rows.open = false;
    forget_index(m);
    if (!box_of_rows(&m->rows, &b)) return true;
    Range2 r = {b.first, b.last, NULL, false};
    return memory_map(m, 1, &r) && memory_need(m, r.slab, &b);
}

// ---- directives ------------------------------------------------------------------------------
// Data that are present already (in this or a wider hold) are only counted.
static bool begin_hold(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    bool row = how & SCULPT_ROW && m->index.built; // and else a row is asked of all holds, too
    bool known = !row || covers_run(lo, (int64_t)(hi - lo), 1, 0, &m->index);
    Hold *h = known ? hold_around(m, lo, hi) : NULL;
    if (h) {
        count(m, h, how);
        if (h->lo == lo && h->hi == hi) h->whole |= (how & SCULPT_COPYOUT) != 0;
        return true;
    }
    if (how & SCULPT_OWN && !m->d->ops->meet) return true; // no addresses of its own: the host's memory
    if (how & SCULPT_OWN && !memory_adopt(m, lo, hi)) return false;
    if (how & SCULPT_PRESENT && !(how & (SCULPT_COPYIN | SCULPT_COPYOUT | SCULPT_CREATE))) return true;
    if (!row) forget_index(m);
    if (!hold_join(m, lo, hi, how)) {
        h = calloc(1, sizeof *h);
        if (!h) return false;
        bool created = !(how & (SCULPT_COPYIN | SCULPT_COPYOUT));
        *h = (Hold){.next = m->holds, .lo = lo, .hi = hi, .created = created, .whole = how & SCULPT_COPYOUT};
        m->holds = h;
        count(m, h, how);
    }
    if (how & SCULPT_COPYIN && how & SCULPT_ROW) add_row(&m->rows, lo, hi);
    return how & SCULPT_COPYIN && !(how & SCULPT_ROW) ? send_range(m, lo, hi) : true;
}

bool hold_enter(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    open_rows(m, how);
    bool ok = begin_hold(m, lo, hi, how);
    return how & SCULPT_ROW && !(how & SCULPT_MORE) ? send_rows(m) && ok : ok;
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
static bool settle_hold(Memory *m, const Hold *h, const Box *b, int how) {
    Box whole = box_interval(h->lo, h->hi);
    if (!h->created) return memory_update_host(m, &whole) && memory_flush(m, &whole);
    return (!(how & SCULPT_COPYOUT) || memory_update_host(m, b)) && memory_discard(m, &whole);
}

// All that are leaving. What was created there is on no device any more.
static void remove_holds(Memory *m) {
    for (Hold **p = &m->holds, *h; (h = *p);) {
        if (!h->leaving) {
            p = &h->next;
            continue;
        }
        *p = h->next;
        Box whole = box_interval(h->lo, h->hi);
        for (Slab *s = m->slabs; s && h->created; s = s->next)
            if (!s->owners) memory_forget(m, s, &whole);
        free(h);
    }
    forget_index(m);
    for (Slab *s = m->slabs; s; s = s->next) memory_release_unowned(m, s);
    memory_disown(m);
}

// All rows that leave: what is wanted of them comes home at once where they are one box, else one by one.
static bool end_rows(Memory *m, int how) {
    Box all;
    bool ok = true, wanted = how & SCULPT_COPYOUT;
    m->rows.open = false;
    for (Hold *h = m->holds; h && !wanted; h = h->next) wanted = h->leaving && !h->created;
    if (wanted && box_of_rows(&m->rows, &all)) ok = memory_update_host(m, &all);
    for (Hold *h = m->holds; h; h = h->next) {
        Box whole = box_interval(h->lo, h->hi);
        if (h->leaving) ok = settle_hold(m, h, &whole, how) && ok;
    }
    if (ok) remove_holds(m); // else it is still to be told what nobody but the device has
    return ok;
}

bool hold_exit(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    open_rows(m, how);
    Hold *h = hold_find(m, lo, hi);
    if (!h) h = hold_around(m, lo, hi);
    bool ends = h && !h->leaving && !discount(m, h, how), ok = true;
    Box b = box_interval(lo, hi);
    if (ends) h->leaving = true;
    if (ends && how & SCULPT_ROW) add_row(&m->rows, h->lo, h->hi);
    if (how & SCULPT_ROW) return how & SCULPT_MORE || end_rows(m, how);
    if (ends) ok = settle_hold(m, h, &b, how);
    if (ends && ok) remove_holds(m);
    return ok;
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
