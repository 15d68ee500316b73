// SPDX-License-Identifier: MIT
// watch.c -- SCULPT_CHECK: what is written besides what the nest says that it writes.
//
//   a ├──── what is known of the object ────┤      the declared array, or malloc's block that begins at
//          ├─ box ─┤  ├─ box ─┤                    the base pointer, and all boxes in it
//
// All of it is noted before the original loops run and compared behind them: what differs outside of
// boxes that the nest may write, the nest has forgotten. On the device slabs are filled before anything is
// sent, and have margins: what differs there, or in what is only read, was written beside the boxes.
#include "run/state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const size_t WATCH_MAX = (size_t)1 << 30; // bytes of an object

typedef struct Window {
    const Array *array;
    uintptr_t base, lo, hi;
    unsigned char *old;
} Window;

struct Watch {
    int n;
    Window at[];
};

// May the nest write there and nobody minds? Of arrays that end with the region nothing is said.
static bool is_written(const Foot *f) { return f->out || !f->array->live_out; }

// ---- windows -----------------------------------------------------------------------------------
static bool declared(const Call *c, const Array *x, uintptr_t base, Window *w) {
    int64_t size = x->stride, n;
    if (!x->constant_size) return false;
    for (int d = 0; d < x->rank; d++)
        if (!x->extent[d] || !ir_eval(x->extent[d], c->nvals, c->vals, &n) || n <= 0 ||
            __builtin_mul_overflow(size, n, &size))
            return false;
    w->lo = base + (uintptr_t)x->offset, w->hi = w->lo + (uintptr_t)size;
    return true;
}

// Memory without a file, the program's break or a mapping: where malloc's blocks are.
static bool in_heap(uintptr_t p, uintptr_t last) {
    FILE *f = fopen("/proc/self/maps", "r");
    unsigned long lo, hi;
    char line[512], rights[8], name[64];
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f)) {
        int n = sscanf(line, "%lx-%lx %7s %*s %*s %*s %63s", &lo, &hi, rights, name);
        found = n >= 3 && lo <= p && last <= hi && rights[1] == 'w' && (n == 3 || str_eq(name, "[heap]"));
    }
    if (f) fclose(f);
    return found;
}

// Of AddressSanitizer, where the program has it: then blocks look otherwise.
extern void __asan_init(void) __attribute__((weak));

// glibc keeps a block's size in the word before it, in its low bits flags; blocks are multiples of 16.
static bool malloced(uintptr_t base, Window *w) {
    size_t size = 0;
    struct iovec to = {&size, sizeof size}, from = {(void *)(base - sizeof size), sizeof size};
    if (__asan_init || base % 16 || process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)sizeof size)
        return false;
    // mapped alone: the header is not the next block's
    size_t rest = size & 2 ? 2 * sizeof size : sizeof size;
    size &= ~(size_t)7;
    if (size < 32 || size % 16 || size > WATCH_MAX || !in_heap(base, base + size - rest)) return false;
    w->lo = base, w->hi = base + size - rest;
    return true;
}

static Window window(const Call *c, int foot) {
    const Array *x = c->v->nest->feet[foot].array;
    const Box *b = &c->boxes[foot];
    uintptr_t base = (uintptr_t)c->args[c->v->foot_object[foot]].p;
    Window w = {x, base, b->first, b->last, NULL}, all = w;
    if (x->live_out && x->rank > 0 && (declared(c, x, base, &all) || malloced(base, &all))) {
        Box whole = box_interval(all.lo, all.hi);
        if (all.lo >= all.hi || all.hi - all.lo > WATCH_MAX || !present_box(&whole)) return w;
        if (box_is_empty(b) || (all.lo <= w.lo && w.hi <= all.hi)) w = all;
    }
    return w;
}

Watch *watch_new(const Call *c) {
    int n = c->v->nest->nfeet;
    Watch *k = calloc(1, sizeof *k + sizeof *k->at * (size_t)n);
    // what threads of the program write meanwhile is theirs
    for (int i = 0; k && i < n && !run_others(); i++) {
        Window w = window(c, i);
        if (w.lo == w.hi || !w.array->live_out) continue;
        if (!(w.old = malloc(w.hi - w.lo))) continue;
        memcpy(w.old, (void *)w.lo, w.hi - w.lo);
        k->at[k->n++] = w;
    }
    return k;
}

void watch_free(Watch *k) {
    for (int i = 0; k && i < k->n; i++) free(k->at[i].old);
    free(k);
}

// ---- afterwards --------------------------------------------------------------------------------
// What may differ is taken as it is.
static bool forgive(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)rows, (void)pitch;
    const Window *w = arg;
    uintptr_t lo = first > w->lo ? first : w->lo, last = first + (uintptr_t)width,
              hi = last < w->hi ? last : w->hi;
    if (lo < hi) memcpy(w->old + (lo - w->lo), (void *)lo, hi - lo);
    return true;
}

int64_t watch_strays(const Watch *k, const Nest *n, const Box *boxes, const Array **array, int64_t *first) {
    int64_t strays = 0;
    for (int i = 0; k && i < k->n; i++) {
        const Window *w = &k->at[i];
        for (int f = 0; f < n->nfeet; f++)
            if (is_written(&n->feet[f])) box_each(&boxes[f], false, forgive, (void *)w);
        for (uintptr_t at = w->lo; at < w->hi; at++) {
            if (w->old[at - w->lo] == *(unsigned char *)at) continue;
            if (!strays++) *array = w->array, *first = (int64_t)(at - w->base);
        }
    }
    return strays;
}

// ---- on the device -------------------------------------------------------------------------------
typedef struct Image {
    const Slab *s;
    unsigned char *is, *want;
    bool own;       // take what is there for what is wanted, else the host's
} Image;

static bool expect(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)rows, (void)pitch;
    const Image *m = arg;
    if (first < m->s->lo || first + (uintptr_t)width > m->s->hi) return true;
    size_t at = first - m->s->lo + (size_t)m->s->skip;
    memcpy(m->want + at, m->own ? (void *)(m->is + at) : (void *)first, (size_t)width);
    return true;
}

// Boxes that are only read first, for others may lie in them.
static int64_t slab_strays(Memory *m, Slab *s, const Nest *n, const Box *boxes) {
    size_t bytes = memory_slab_bytes(m, s);
    Image k = {s, malloc(bytes), malloc(bytes), false};
    int64_t strays = 0;
    if (k.is && k.want && m->d->ops->download(m->d, k.is, s->ptr, 0, bytes)) {
        memset(k.want, MEMORY_FILL, bytes);
        for (int own = 0; own < 2; own++)
            for (int f = 0; f < n->nfeet; f++)
                if ((k.own = own) == is_written(&n->feet[f]) && !box_is_empty(&boxes[f]))
                    box_each(&boxes[f], false, expect, &k);
        for (size_t i = 0; i < bytes; i++) strays += k.is[i] != k.want[i];
    }
    free(k.is);
    free(k.want);
    return strays;
}

int64_t watch_device(Memory *m, const Nest *n, const Box *boxes) {
    int64_t strays = 0;
    for (Slab *s = m->slabs; s; s = s->next)
        if (!s->managed) strays += slab_strays(m, s, n, boxes);
    return strays;
}
