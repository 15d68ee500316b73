// SPDX-License-Identifier: MIT
// present.c -- is there memory at all where a region may touch some, and may it be written?
//
//   for (i = 0; i < n; i++) if (m[i]) a[i] = 0;     a may end before a[n - 1]
//
// A loose box is moved as far as the region's text reaches. Where the data never lead there,
// nothing need be there. The system is asked: writing into a pipe from an address that can't
// be read is an error, not a fault.
//
//   for (i = 0; i < n; i++) if (m[i]) s[0] += a[i];     s may be such that nobody may write there
//
// A kernel on the host's own memory may store there what was there before.
//
//   for (i = 0; i < n; i++) s += a[x[i]];     between what x names a may have pages that nobody may read
//
// A sparse box is asked about as well, where it has to be copied.
//
//   for (i = 0; i < n; i++) if (a[i] == key) break;     all of a is read, and it may end behind the key
//
// So is an array that is read where the program does not come to, wherever it is.
#include "run/state.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MANY = 512 }; // places asked about at once; so many bytes fit any pipe

typedef struct Ask {
    int pipe[2];
    uintptr_t page;      // size of one
    uintptr_t last;      // the last page asked about
    int n;
    struct iovec at[MANY];
} Ask;

// Of AddressSanitizer, where the program has it: the first byte that the program may not read.
extern void *__asan_region_is_poisoned(void *first, size_t bytes) __attribute__((weak));

static bool ask(Ask *k) {
    char drain[MANY];
    if (k->n == 0) return true;
    bool there = writev(k->pipe[1], k->at, k->n) == k->n;
    while (read(k->pipe[0], drain, sizeof drain) == (ssize_t)sizeof drain) continue;
    k->n = 0;
    return there;
}

static bool ask_run(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)rows, (void)pitch;
    Ask *k = arg;
    uintptr_t end = first + (uintptr_t)width;
    if (__asan_region_is_poisoned && __asan_region_is_poisoned((void *)first, (size_t)width)) return false;
    for (uintptr_t at = first; at < end; at = (at / k->page + 1) * k->page) {
        if (at / k->page == k->last) continue;
        k->last = at / k->page;
        k->at[k->n++] = (struct iovec){(void *)at, 1};
        if (k->n == MANY && !ask(k)) return false;
    }
    return true;
}

bool present_box(const Box *b) {
    Ask k = {.page = (uintptr_t)sysconf(_SC_PAGESIZE), .last = UINTPTR_MAX};
    if (pipe2(k.pipe, O_CLOEXEC | O_NONBLOCK)) return false;
    bool there = box_each(b, false, ask_run, &k) && ask(&k);
    close(k.pipe[0]);
    close(k.pipe[1]);
    return there;
}

#ifdef MADV_POPULATE_WRITE
// Pages that are not there are no error: a loose box may end behind the program's memory.
static bool populate(uintptr_t first, uintptr_t end) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = first / page * page;
    size_t bytes = (end - from + page - 1) / page * page;
    return !madvise((void *)from, bytes, MADV_POPULATE_WRITE) || errno != EINVAL;
}

static bool populate_run(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *last) {
    (void)rows, (void)pitch;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = first + (uintptr_t)width;
    if (first / page == *(uintptr_t *)last && (end - 1) / page == first / page) return true;
    *(uintptr_t *)last = (end - 1) / page;
    return populate(first, end);
}

// Linux tells since 5.14; where it doesn't, one's own memory seems not to be writable, either.
static bool is_writable(const Box *b) {
    char mine = 0;
    uintptr_t last = UINTPTR_MAX; // the last page asked about
    return box_each(b, false, populate_run, &last) || !populate((uintptr_t)&mine, (uintptr_t)&mine + 1);
}
#else
static bool is_writable(const Box *b) { return (void)b, true; }
#endif

static const Array *first_unwritable(const Call *c) {
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Box *b = &c->boxes[i];
        if (c->v->nest->feet[i].out && b->loose && !box_is_empty(b) && !is_writable(b))
            return c->v->nest->feet[i].array;
    }
    return NULL;
}

// Of a loose box only values that changed are written back. The checker copies intervals, and writes nothing.
static bool may_move(const Run *r, const Foot *f, const Box *b) {
    Box whole = box_interval(b->first, b->last);
    if (r->set.check) return !(b->loose || f->sparse || b->ndims) || present_box(&whole);
    if (!b->loose && (!f->sparse || !memory_missing(r->memory, b))) return true;
    return present_box(b) && (b->loose || !f->out || is_writable(b));
}

static const Array *first_absent(const Call *c) {
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Foot *f = &c->v->nest->feet[i];
        if (f->array->guessed && !box_is_empty(&c->boxes[i]) && !present_box(&c->boxes[i])) return f->array;
    }
    return NULL;
}

const Array *present_all(const Run *r, const Call *c) {
    if (r->info->host_memory && !r->set.check) {
        const Array *absent = first_absent(c);
        return absent ? absent : first_unwritable(c);
    }
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Box *b = &c->boxes[i];
        if (box_is_empty(b) || (r->memory && memory_held(r->memory, b))) continue;
        if (!may_move(r, &c->v->nest->feet[i], b)) return c->v->nest->feet[i].array;
    }
    return NULL;
}
