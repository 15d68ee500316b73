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

// ---- rows ----------------------------------------------------------------------------------
static void add_row(RowGroup *g, uintptr_t lo, uintptr_t hi) {
    if (g->n == 0) *g = (RowGroup){.first = lo, .at = lo, .bytes = hi - lo, .even = true};
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
    bool even = box_of_rows(&m->rows, &b);
    m->rows.n = 0;
    if (!even) return true;
    Range2 r = {b.first, b.last, NULL, false};
    return memory_map(m, 1, &r) && memory_need(m, r.slab, &b);
}

// ---- which bytes are held --------------------------------------------------------------------
static int by_place(const void *x, const void *y) {
    const uintptr_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

static void forget_index(Memory *m) { m->index.built = false; }

static bool build_index(Memory *m) {
    HoldIndex *x = &m->index;
    if (x->built) return true;
    int64_t n = 0;
    for (const Hold *h = m->holds; h; h = h->next) n++;
    if (n > x->room) {
        free(x->range);
        x->range = malloc(sizeof *x->range * (size_t)(2 * n));
        x->room = x->range ? 2 * n : 0;
        if (!x->range) return false;
    }
    n = 0;
    for (const Hold *h = m->holds; h; h = h->next, n++) x->range[n][0] = h->lo, x->range[n][1] = h->hi;
    qsort(x->range, (size_t)n, sizeof *x->range, by_place);
    x->n = 0;
    for (int64_t i = 0; i < n; i++) {
        uintptr_t *last = x->n ? x->range[x->n - 1] : NULL;
        if (last && x->range[i][0] <= last[1]) {
            if (x->range[i][1] > last[1]) last[1] = x->range[i][1];
        } else {
            memmove(x->range[x->n++], x->range[i], sizeof *x->range);
        }
    }
    x->asked = 0;
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

// ---- directives ------------------------------------------------------------------------------
// Data that are present already (in this or a wider hold) are only counted.
static bool begin_hold(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    Hold *h = hold_around(m, lo, hi);
    if (h) {
        count(m, h, how);
        return true;
    }
    if (how & SCULPT_OWN && !m->d->ops->meet) return true; // no addresses of its own: the host's memory
    if (how & SCULPT_OWN && !memory_adopt(m, lo, hi)) return false;
    if (how & SCULPT_PRESENT && !(how & (SCULPT_COPYIN | SCULPT_COPYOUT | SCULPT_CREATE))) return true;
    forget_index(m);
    if (!hold_join(m, lo, hi, how)) {
        h = calloc(1, sizeof *h);
        if (!h) return false;
        bool created = !(how & (SCULPT_COPYIN | SCULPT_COPYOUT));
        *h = (Hold){.next = m->holds, .lo = lo, .hi = hi, .created = created};
        m->holds = h;
        count(m, h, how);
    }
    if (how & SCULPT_COPYIN && how & SCULPT_ROW) add_row(&m->rows, lo, hi);
    return how & SCULPT_COPYIN && !(how & SCULPT_ROW) ? send_range(m, lo, hi) : true;
}

bool hold_enter(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    bool ok = begin_hold(m, lo, hi, how);
    return how & SCULPT_ROW && !(how & SCULPT_MORE) ? send_rows(m) && ok : ok;
}

static void hold_remove(Memory *m, Hold *h) {
    for (Hold **p = &m->holds; *p; p = &(*p)->next)
        if (*p == h) {
            *p = h->next;
            break;
        }
    free(h);
    forget_index(m);
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
static bool end_hold(Memory *m, Hold *h, const Box *b, int how) {
    Box whole = box_interval(h->lo, h->hi);
    bool ok = true;
    if (!h->created) ok = memory_update_host(m, &whole) && memory_flush(m, &whole);
    else ok = (!(how & SCULPT_COPYOUT) || memory_update_host(m, b)) && memory_discard(m, &whole);
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

// All rows that leave: what is wanted of them comes home at once where they are one box, else one by one.
static bool end_rows(Memory *m, int how) {
    Box b;
    bool ok = true, wanted = how & SCULPT_COPYOUT;
    for (Hold *h = m->holds; h && !wanted; h = h->next) wanted = h->leaving && !h->created;
    if (wanted && box_of_rows(&m->rows, &b)) ok = memory_update_host(m, &b);
    m->rows.n = 0;
    for (Hold *h = m->holds, *next; h; h = next) {
        next = h->next;
        Box whole = box_interval(h->lo, h->hi);
        if (h->leaving) ok = end_hold(m, h, &whole, how) && ok;
    }
    return ok;
}

bool hold_exit(Memory *m, uintptr_t lo, uintptr_t hi, int how) {
    Hold *h = hold_find(m, lo, hi);
    if (!h) h = hold_around(m, lo, hi);
    bool ends = h && !h->leaving && !discount(m, h, how);
    Box b = box_interval(lo, hi);
    if (!(how & SCULPT_ROW)) return !ends || end_hold(m, h, &b, how);
    if (ends) h->leaving = true, add_row(&m->rows, h->lo, h->hi);
    return how & SCULPT_MORE || end_rows(m, how);
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
