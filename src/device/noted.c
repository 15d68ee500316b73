// SPDX-License-Identifier: MIT
// noted.c -- chains of launches for devices without graphs: noted, and made one after the other.
#include "device/driver.h"
#include <stdlib.h>
#include <string.h>

// One launch with copies of all that it is given.
typedef struct Note {
    KernelCall call;
    void *own;
} Note;

typedef struct Chain {
    int n;
    Note note[];
} Chain;

static size_t put(char *at, size_t n, const void *from, size_t bytes) {
    n = (n + 7) / 8 * 8;
    if (at && bytes) memcpy(at + n, from, bytes);
    return n + bytes;
}

// Lays the call's arguments out behind each other; at NULL: only counts.
static size_t lay_out(char *at, const KernelCall *from, KernelCall *to) {
    size_t n = 0;
    const void **vals = NULL;
    n = put(at, n, from->ptrs, sizeof *from->ptrs * (size_t)from->nptrs);
    if (to) to->ptrs = (DevPtr *)(at + n - sizeof *from->ptrs * (size_t)from->nptrs);
    n = put(at, n, from->offsets, sizeof *from->offsets * (size_t)from->nptrs);
    if (to) to->offsets = (int64_t *)(at + n - sizeof *from->offsets * (size_t)from->nptrs);
    n = put(at, n, from->sizes, sizeof *from->sizes * (size_t)from->nvals);
    if (to) to->sizes = (int *)(at + n - sizeof *from->sizes * (size_t)from->nvals);
    n = put(at, n, from->vals, sizeof *from->vals * (size_t)from->nvals);
    if (to) vals = (const void **)(at + n - sizeof *from->vals * (size_t)from->nvals), to->vals = vals;
    for (int i = 0; i < from->nvals; i++) {
        n = put(at, n, from->vals[i], (size_t)from->sizes[i]);
        if (to) vals[i] = at + n - from->sizes[i];
    }
    return n;
}

static bool note(Device *d, Note *out, const KernelCall *call) {
    Note x = {.call = *call, .own = malloc(lay_out(NULL, call, NULL) + 8)};
    if (!x.own) return device_fail(d, "no memory");
    lay_out(x.own, call, &x.call);
    free(out->own);
    *out = x;
    return true;
}

void noted_forget(Device *d, void *graph) {
    (void)d;
    Chain *c = graph;
    for (int i = 0; c && i < c->n; i++) free(c->note[i].own);
    free(c);
}

void *noted_chain(Device *d, int n, const KernelCall *calls) {
    Chain *c = calloc(1, sizeof *c + sizeof *c->note * (size_t)n);
    if (!c) return device_fail(d, "no memory"), NULL;
    c->n = n;
    for (int i = 0; i < n; i++)
        if (!note(d, &c->note[i], &calls[i])) return noted_forget(d, c), NULL;
    return c;
}

bool noted_chain_set(Device *d, void *graph, int i, const KernelCall *call) {
    return note(d, &((Chain *)graph)->note[i], call);
}

bool noted_replay(Device *d, void *graph) {
    const Chain *c = graph;
    for (int i = 0; i < c->n; i++)
        if (!d->ops->launch(d, &c->note[i].call)) return false;
    return true;
}
