// SPDX-License-Identifier: MIT
// graph.c -- launches that were noted once, kept to be replayed (rule batch as=graph).
//
// A graph holds addresses and values: it is the same only while everything that its kernels are
// given is the same. That is its key, compared byte by byte.
#include "run/graph.h"
#include <stdlib.h>
#include <string.h>

enum { GRAPHS_MAX = 8 }; // a nest

struct Graph {
    struct Graph *next;
    const Node *loop;
    int64_t from, count;
    size_t nkey;
    void *exec;              // the device's; NULL: asked for once, not noted yet
    unsigned char key[];
};

static size_t put(unsigned char *at, size_t n, const void *from, size_t bytes) {
    if (at && bytes) memcpy(at + n, from, bytes);
    return n + bytes;
}

// Writes the key to `at`, or only counts its bytes.
static size_t key_of(const Launch *l, int nvals, const InterpVal *vals, unsigned char *at) {
    const Variant *v = l->call->v;
    size_t n = put(at, 0, &l->module, sizeof l->module);
    n = put(at, n, l->ptr, sizeof *l->ptr * (size_t)l->unit->nobjects);
    n = put(at, n, l->offset, sizeof *l->offset * (size_t)l->unit->nobjects);
    for (int i = 0; i < v->ntemps; i++) n = put(at, n, &v->temps[i].ptr, sizeof v->temps[i].ptr);
    for (int i = 0; i < nvals; i++) {
        n = put(at, n, &vals[i].i, sizeof vals[i].i);
        n = put(at, n, &vals[i].f, sizeof vals[i].f);
    }
    return n;
}

static void drop(Device *d, Graph *g) {
    if (g->exec) d->ops->forget(d, g->exec);
    free(g);
}

Graph *graph_find(Launch *l, const Node *loop, int64_t from, int64_t count, int nvals, const InterpVal *vals,
                  bool *seen) {
    Variant *v = l->call->v;
    Device *d = l->run->device;
    size_t n = key_of(l, nvals, vals, NULL);
    Graph *fresh = malloc(sizeof *fresh + n);
    *seen = false;
    if (!fresh) return NULL;
    *fresh = (Graph){.loop = loop, .from = from, .count = count, .nkey = n};
    key_of(l, nvals, vals, fresh->key);
    int kept = 0;
    for (Graph **at = &v->graphs; *at; at = &(*at)->next) {
        Graph *g = *at;
        if (g->loop == loop && g->from == from && g->count == count && g->nkey == n &&
            memcmp(g->key, fresh->key, n) == 0) {
            free(fresh);
            *seen = true;
            return g;
        }
        if (++kept < GRAPHS_MAX) continue;
        *at = NULL; // it and those behind it are the oldest
        for (Graph *next; g; g = next) next = g->next, drop(d, g);
        break;
    }
    fresh->next = v->graphs;
    return v->graphs = fresh;
}

bool graph_is_noted(const Graph *g) { return g->exec != NULL; }
void graph_keep(Graph *g, void *exec) { g->exec = exec; }
bool graph_replay(Launch *l, const Graph *g) { return l->run->device->ops->replay(l->run->device, g->exec); }

void graph_forget(Run *r, Variant *v) {
    for (Graph *g = v->graphs, *next; g; g = next) next = g->next, drop(r->device, g);
    v->graphs = NULL;
}
