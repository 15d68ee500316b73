// SPDX-License-Identifier: MIT
// transfer.c -- boxes up and down: as one run, as rows, or through the interval around them.
#include "run/transfer.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Rough costs that only choose between ways of moving the same data.
static const double SECONDS_A_BYTE = 1e-10, SECONDS_A_RUN = 2e-8, SECONDS_A_CALL = 5e-6;

// Is the interval around b quicker to move than its runs one by one?
static bool prefer_interval(const Box *b) {
    if (b->ndims == 0) return false;
    double runs = (double)box_runs(b), calls = runs / (double)b->n[b->ndims - 1];
    double apart = runs * SECONDS_A_RUN + calls * SECONDS_A_CALL + (double)box_bytes(b) * SECONDS_A_BYTE;
    return (double)(b->last - b->first) * SECONDS_A_BYTE + SECONDS_A_CALL < apart;
}

// Between its runs a whole page may lie, where there is no memory.
static bool has_wide_gaps(const Box *b) {
    int64_t span = b->run, page = (int64_t)sysconf(_SC_PAGESIZE);
    for (int d = b->ndims - 1; d >= 0; span += (b->n[d] - 1) * b->pitch[d], d--)
        if (b->pitch[d] - span >= page) return true;
    return false;
}

Box transfer_choose(const Memory *m, const Slab *s, const Box *b) {
    Box around = box_interval(b->first, b->last);
    if (b->loose || m->guarded || !prefer_interval(b)) return *b; // around a loose box there may be nothing
    for (int i = 0; i < s->dirty.n; i++)
        if (!box_disjoint(&s->dirty.at[i], &around)) return *b;
    return has_wide_gaps(b) && !present_box(&around) ? *b : around;
}

typedef struct Move {
    Device *d;
    const Slab *slab;
    bool noted;         // to and from slab->old instead of the host's own memory
} Move;

static void *place(const Move *v, uintptr_t at) {
    return v->noted ? v->slab->old + (at - v->slab->lo) : (void *)at;
}

// Between two places of the host's, once the device has done with the one that it shares.
static bool copy_managed(const Move *v, size_t at, void *host, int64_t width, int64_t rows, int64_t pitch,
                         bool up) {
    char *shared = (char *)(uintptr_t)v->slab->ptr + at, *own = host;
    if (!v->d->ops->sync(v->d)) return false;
    for (int64_t r = 0; r < rows; r++) {
        if (up) memcpy(shared + r * pitch, own + r * pitch, (size_t)width);
        else memcpy(own + r * pitch, shared + r * pitch, (size_t)width);
    }
    v->d->fetched |= !up;
    return true;
}

static bool send(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    Move *v = arg;
    size_t at = first - v->slab->lo + (size_t)v->slab->skip;
    if (v->slab->managed) return copy_managed(v, at, place(v, first), width, rows, pitch, true);
    if (rows == 1) return v->d->ops->upload(v->d, v->slab->ptr, at, place(v, first), (size_t)width);
    return v->d->ops->upload_rows(v->d, v->slab->ptr, at, place(v, first), (size_t)width,
                                  (size_t)rows, (size_t)pitch);
}

static bool fetch(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    Move *v = arg;
    size_t at = first - v->slab->lo + (size_t)v->slab->skip;
    if (v->slab->managed) return copy_managed(v, at, place(v, first), width, rows, pitch, false);
    if (rows == 1) return v->d->ops->download(v->d, place(v, first), v->slab->ptr, at, (size_t)width);
    return v->d->ops->download_rows(v->d, place(v, first), v->slab->ptr, at, (size_t)width,
                                    (size_t)rows, (size_t)pitch);
}

static bool note_run(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)rows, (void)pitch;
    memcpy(place(arg, first), (void *)first, (size_t)width);
    return true;
}

static bool up(Memory *m, Slab *s, const Box *b, bool noted) {
    double t = time_now();
    Move v = {m->d, s, noted};
    bool ok = (!noted || box_each(b, false, note_run, &v)) && box_each(b, true, send, &v);
    m->bytes_up += (double)box_bytes(b);
    m->seconds_up += time_now() - t;
    return ok;
}

bool transfer_up(Memory *m, Slab *s, const Box *b) { return up(m, s, b, false); }
bool transfer_up_noted(Memory *m, Slab *s, const Box *b) { return up(m, s, b, true); }

bool transfer_note(Memory *m, Slab *s, const Box *b) {
    double t = time_now();
    bool ok = box_each(b, true, fetch, &(Move){m->d, s, true});
    m->bytes_down += (double)box_bytes(b);
    m->seconds_down += time_now() - t;
    return ok;
}

// ---- through a copy of the interval ------------------------------------------------------
typedef struct Scatter {
    const unsigned char *copy; // of the bytes from `first`
    uintptr_t first;
    const Box *keep;
    Slab *changed;             // only what differs from its old values is written; NULL: all is
} Scatter;

// Memory that the kernels left alone may be somebody else's: it is not written at all.
static void put_changed(const Scatter *v, uintptr_t lo, uintptr_t hi) {
    enum { STEP = 64 };
    for (uintptr_t at = lo; at < hi; at += STEP) {
        size_t n = hi - at < STEP ? hi - at : STEP;
        const unsigned char *from = v->copy + (at - v->first);
        unsigned char *old = v->changed->old + (at - v->changed->lo), *to = (unsigned char *)at;
        if (memcmp(from, old, n) == 0) continue;
        for (size_t i = 0; i < n; i++)
            if (from[i] != old[i]) to[i] = old[i] = from[i];
    }
}

static void put(const Scatter *v, uintptr_t lo, uintptr_t hi) {
    if (lo >= hi) return;
    if (v->changed) put_changed(v, lo, hi);
    else memcpy((void *)lo, v->copy + (lo - v->first), hi - lo);
}

static bool scatter(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)rows, (void)pitch;
    Scatter *v = arg;
    uintptr_t last = first + (uintptr_t)width;
    if (!v->keep || v->keep->last <= first || last <= v->keep->first) {
        put(v, first, last);
    } else {
        put(v, first, v->keep->first);
        put(v, v->keep->last, last);
    }
    return true;
}

// Is what lies in it written back only where a kernel changed it?
static bool is_noted(const Box *b) { return b->loose || b->gaps; }

// Fetches the interval around b into a copy and from there writes the runs alone.
static bool fetch_and_scatter(Memory *m, Slab *s, const Box *b, const Box *keep) {
    size_t bytes = b->last - b->first;
    unsigned char *copy = malloc(bytes);
    if (s->managed && m->d->ops->sync(m->d)) {
        if (copy) memcpy(copy, (char *)(uintptr_t)s->ptr + (b->first - s->lo + (size_t)s->skip), bytes);
    }
    if (!copy) return keep || is_noted(b) ? false : box_each(b, true, fetch, &(Move){m->d, s, false});
    bool ok =
        s->managed || m->d->ops->download(m->d, copy, s->ptr, b->first - s->lo + (size_t)s->skip, bytes);
    if (ok) box_each(b, false, scatter, &(Scatter){copy, b->first, keep, is_noted(b) && s->old ? s : NULL});
    free(copy);
    m->d->fetched = ok; // what came without the rest went into the copy
    return ok;
}

bool transfer_down(Memory *m, Slab *s, const Box *b, const Box *keep) {
    double t = time_now();
    bool cut = keep && !box_disjoint(keep, b), ok;
    if (cut || is_noted(b) || prefer_interval(b)) ok = fetch_and_scatter(m, s, b, cut ? keep : NULL);
    else ok = box_each(b, true, fetch, &(Move){m->d, s, false});
    m->bytes_down += (double)box_bytes(b);
    m->seconds_down += time_now() - t;
    return ok;
}
