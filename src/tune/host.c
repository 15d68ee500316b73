// SPDX-License-Identifier: MIT
// host.c -- from operands on the host to results on the host.
//
//   serial      up a │ up b │ up c │ kernels │ down a
//   streamed    up b │ up a0 c0 │ up a1 c1 │ …               run/stream.c
//                             │ kernels 0  │ kernels 1 …
//   managed     kernels (pages come) │ the host reads a (pages go)
#include "tune/build.h"
#include "tune/vendor.h"
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"pinned", "pageable", "registered", "managed"};

// "pinned", …
static const char *host_kind_name(HostKind k) { return names[k]; }

bool host_kind_named(const char *name, HostKind *out) {
    for (int i = 0; i < 4; i++)
        if (str_eq(names[i], name)) return *out = (HostKind)i, true;
    return false;
}

typedef struct Way {
    Case *k;
    Launch *l;               // NULL: the vendor's
    HostKind kind;
    char **host;             // [nobjects]
    Stream *stream;          // NULL: serial
    double pinning;          // seconds of the last run
} Way;

static bool compute(const Way *w) {
    return w->l ? launch_nest(w->l) : vendor_product(w->k->lab->vendor, w->k, &w->k->product);
}

static bool move(const Way *w, bool up) {
    const Case *k = w->k;
    Device *d = k->lab->d;
    for (int i = 0; i < k->nobjects; i++) {
        const Object *o = &k->objects[i];
        bool ok = true;
        if (up && o->in) ok = d->ops->upload(d, o->ptr, 0, w->host[i], o->bytes);
        if (!up && o->out) ok = d->ops->download(d, w->host[i], o->ptr, 0, o->bytes);
        if (!ok) return false;
    }
    return true;
}

static bool travels(const Object *o) { return o->in || o->out; }

static bool pin(const Way *w) {
    Device *d = w->k->lab->d;
    for (int i = 0; i < w->k->nobjects; i++) {
        const Object *o = &w->k->objects[i];
        if (!travels(o) || d->ops->pin(d, w->host[i], o->bytes)) continue;
        while (--i >= 0)
            if (travels(&w->k->objects[i])) d->ops->unpin(d, w->host[i]);
        return false;
    }
    return true;
}

static void unpin(const Way *w) {
    Device *d = w->k->lab->d;
    for (int i = 0; i < w->k->nobjects; i++)
        if (travels(&w->k->objects[i])) d->ops->unpin(d, w->host[i]);
}

static bool copies_and_kernels(const Way *w) {
    const Array *torn;
    Device *d = w->k->lab->d;
    if (w->stream) return stream_run(w->stream, &torn);
    return move(w, true) && compute(w) && move(w, false) && d->ops->sync(d);
}

// The host looks at a word of each page of the results, as whoever uses them does.
static bool touch(const Way *w) {
    volatile char sum = 0;
    for (int i = 0; i < w->k->nobjects; i++)
        for (size_t at = 0; w->k->objects[i].out && at < w->k->objects[i].bytes; at += 4096)
            sum = (char)(sum + w->host[i][at]);
    return true;
}

static bool once(Way *w) {
    Device *d = w->k->lab->d;
    if (w->kind == HOST_MANAGED) return compute(w) && d->ops->sync(d) && touch(w);
    if (w->kind != HOST_REGISTERED) return copies_and_kernels(w);
    double start = time_now();
    if (!pin(w)) return false;
    w->pinning = time_now() - start;
    bool ok = copies_and_kernels(w);
    start = time_now();
    unpin(w);
    w->pinning += time_now() - start;
    return ok;
}

static void fill(const Way *w) {
    for (int i = 0; i < w->k->nobjects; i++)
        if (w->host[i] != w->k->objects[i].host)
            memcpy(w->host[i], w->k->objects[i].host, w->k->objects[i].bytes);
}

// The median of a few runs behind one that makes what is made once; pinning: of the same runs.
static bool time_way(Way *w, double *seconds, double *pinning) {
    enum { TIMES = 5 };
    double all[TIMES], pins[TIMES];
    int n = 0;
    for (int i = -1; i < TIMES; i++) {
        fill(w);
        double start = time_now();
        if (!once(w)) return false;
        double s = time_now() - start;
        if (i >= 0 || s > 0.5) all[n] = s, pins[n++] = w->pinning;
        if (s > 0.5) break;
    }
    *seconds = median(n, all);
    if (pinning) *pinning = median(n, pins);
    return true;
}

static bool managed_memory(const Way *w, DevPtr *ptr) {
    Device *d = w->k->lab->d;
    for (int i = 0; i < w->k->nobjects; i++) {
        ptr[i] = d->ops->managed(d, w->k->objects[i].bytes + 256);
        if (!ptr[i]) return false;
        w->host[i] = (char *)(uintptr_t)ptr[i];
    }
    return true;
}

static bool time_managed(Way *w, Trial *t, DevPtr *ptr) {
    Device *d = w->k->lab->d;
    int n = w->k->nobjects;
    DevPtr own[n + 1], theirs[n + 1];
    memset(own, 0, sizeof own);
    bool ok = w->l ? true
                   : snprintf(d->error, sizeof d->error,
                              "the library's product is not measured in managed memory") < 0;
    ok = ok && managed_memory(w, own);
    for (int i = 0; ok && i < n; i++) theirs[i] = ptr[i], ptr[i] = own[i];
    bool run = ok;
    ok = ok && time_way(w, &t->host_s, NULL);
    for (int i = 0; run && i < n; i++) ptr[i] = theirs[i];
    for (int i = 0; i < n; i++) d->ops->free(d, own[i]);
    return ok;
}

// Are the results of a streamed run those of the region?
static bool is_right(const Way *w) {
    const Case *k = w->k;
    Device *d = k->lab->d;
    for (int i = 0; i < k->nobjects; i++)
        if (k->objects[i].out && w->host[i] != k->objects[i].result)
            memcpy(k->objects[i].result, w->host[i], k->objects[i].bytes);
    double error = k->nsamples ? case_error(k, false) : 0;
    return error <= k->bound ||
           snprintf(d->error, sizeof d->error, "wrong results when streamed: error %.3g", error) < 0;
}

static bool has_kind(const Device *d, HostKind kind) {
    return kind == HOST_MANAGED ? d->ops->managed != NULL : kind != HOST_REGISTERED || d->ops->pin != NULL;
}

bool host_time(Case *k, Trial *t, Launch *l, DevPtr *ptr, HostKind kind) {
    Device *d = k->lab->d;
    Arena *a = arena_new();
    Way w = {.k = k, .l = l, .kind = kind, .host = NEW_N(a, char *, k->nobjects + 1)};
    bool ok = true;
    if (!has_kind(d, kind)) {
        snprintf(d->error, sizeof d->error, "%s has no %s memory", d->ops->kind, host_kind_name(kind));
        ok = false;
    } else if (kind == HOST_MANAGED) {
        ok = time_managed(&w, t, ptr);
    } else {
        for (int i = 0; i < k->nobjects; i++) {
            const Object *o = &k->objects[i];
            w.host[i] = kind != HOST_PINNED ? arena_alloc(a, o->bytes) : o->out ? o->result : o->host;
        }
        w.stream = l ? stream_plan(a, l, w.host) : NULL;
        ok = time_way(&w, &t->host_s, &t->pin_s);
        bool streamed = w.stream != NULL;
        if (ok && streamed) ok = is_right(&w);
        w.stream = NULL;
        if (ok && streamed) ok = time_way(&w, &t->serial_s, NULL);
    }
    arena_free(a);
    return ok;
}
