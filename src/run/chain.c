// SPDX-License-Identifier: MIT
// chain.c -- a nest of a few launches as one graph: operands packed, a product, its parts added up.
//
//   pack a ─┐                       The second time that a nest makes the same launches, a graph is made of
//           ├─▶ product ─▶ add up   them, and launched from then on. What has changed since (sizes,
//   pack b ─┘                       addresses) is put into its nodes. Launches wait for those before them
//                                   that touch an object, where one of the two writes it.
//
// Objects of the program that overlap are refused before (guard.c), and temporaries are objects of their own.
#include "run/state.h"
#include <stdlib.h>
#include <string.h>

enum { CALLS_MOST = MODEL_CHAIN, CHAINS_MOST = 4 };

typedef struct Chain {
    struct Chain *next;
    Module *module;
    int n;
    const Kernel *kernel[CALLS_MOST];
    void *graph;                      // the device's; NULL: met once, or it could not be made
    bool failed;
    size_t given[CALLS_MOST];         // bytes at…
    unsigned char *bytes[CALLS_MOST]; // …what each node was given last
} Chain;

typedef struct Collect {
    Launch *l;
    Arena *a;
    int n;
    const Kernel *kernel[CALLS_MOST];
    KernelCall call[CALLS_MOST];
} Collect;

static bool collect(const Node *node, int nvals, InterpVal *vals, void *arg) {
    Collect *c = arg;
    const Kernel *k = c->l->call->v->kernels;
    while (k->node != node) k++;
    c->call[c->n] = (KernelCall){0};
    if (!launch_call(c->l, c->a, node, nvals, vals, &c->call[c->n])) return false;
    if (c->call[c->n].name) c->kernel[c->n++] = k;
    return true;
}

// Most nests of several kernels launch one of them.
static bool count(const Node *node, int nvals, InterpVal *vals, void *n) {
    (void)node, (void)nvals, (void)vals;
    return ++*(int *)n <= CALLS_MOST;
}

static bool are_few(Launch *l) {
    int n = 0;
    bool all = launch_walk(l, count, &n);
    if (n > CALLS_MOST) l->call->v->no_chains = true;
    if (!all) l->run->device->error[0] = 0;
    return all && n > 1;
}

// ---- what waits for what -----------------------------------------------------------------------
static bool conflict(const Kernel *x, const Kernel *y) {
    for (int i = 0; i < x->sig->narrays; i++)
        for (int k = 0; k < y->sig->narrays; k++)
            if (x->object[i] == y->object[k] && (x->sig->written[i] || y->sig->written[k])) return true;
    return false;
}

static void set_order(Collect *c) {
    for (int i = 0; i < c->n; i++) {
        int *after = NEW_N(c->a, int, i + 1), n = 0;
        for (int k = 0; k < i; k++)
            if (conflict(c->kernel[i], c->kernel[k])) after[n++] = k;
        c->call[i].after = after;
        c->call[i].nafter = n;
    }
}

// ---- what a node was given ---------------------------------------------------------------------
static size_t put(unsigned char *at, size_t n, const void *from, size_t bytes) {
    if (at && bytes) memcpy(at + n, from, bytes);
    return n + bytes;
}

// Writes it to `at`, or only counts its bytes.
static size_t given(const KernelCall *c, unsigned char *at) {
    size_t n = put(at, 0, c->grid, sizeof c->grid);
    n = put(at, n, c->block, sizeof c->block);
    n = put(at, n, c->ptrs, sizeof *c->ptrs * (size_t)c->nptrs);
    n = put(at, n, c->offsets, sizeof *c->offsets * (size_t)c->nptrs);
    for (int i = 0; i < c->nvals; i++) n = put(at, n, c->vals[i], (size_t)c->sizes[i]);
    return n;
}

// *changed: it was something else before. False: no memory.
static bool remember(Chain *x, int i, const KernelCall *c, bool *changed) {
    size_t n = given(c, NULL);
    unsigned char *bytes = malloc(n + 1);
    if (!bytes) return false;
    given(c, bytes);
    *changed = x->given[i] != n || !x->bytes[i] || memcmp(x->bytes[i], bytes, n) != 0;
    free(x->bytes[i]);
    x->bytes[i] = bytes;
    x->given[i] = n;
    return true;
}

// ---- chains ------------------------------------------------------------------------------------
static void drop(Device *d, Chain *x) {
    if (x->graph) d->ops->forget(d, x->graph);
    for (int i = 0; i < x->n; i++) free(x->bytes[i]);
    free(x);
}

void chain_forget(Run *r, Variant *v) {
    for (Chain *x = v->chains, *next; x; x = next) next = x->next, drop(r->device, x);
    v->chains = NULL;
}

// The chain of these kernels, moved to the front; a new one in the place of the oldest. NULL: no memory.
static Chain *find(Device *d, Variant *v, const Collect *c, bool *seen) {
    int kept = 0;
    *seen = false;
    for (Chain **at = &v->chains; *at; at = &(*at)->next) {
        Chain *x = *at;
        bool same = x->module == c->l->module && x->n == c->n &&
                    memcmp(x->kernel, c->kernel, sizeof *c->kernel * (size_t)c->n) == 0;
        if (!same && ++kept < CHAINS_MOST) continue;
        *at = x->next;
        if (same) return *seen = true, x->next = v->chains, v->chains = x;
        drop(d, x);
        break;
    }
    Chain *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    *x = (Chain){.next = v->chains, .module = c->l->module, .n = c->n};
    memcpy(x->kernel, c->kernel, sizeof *c->kernel * (size_t)c->n);
    return v->chains = x;
}

static bool make(Device *d, Chain *x, Collect *c) {
    bool changed, ok = true;
    set_order(c);
    for (int i = 0; ok && i < c->n; i++) ok = remember(x, i, &c->call[i], &changed);
    x->graph = ok ? d->ops->chain(d, c->n, c->call) : NULL;
    x->failed = !x->graph;
    d->error[0] = 0;
    return x->graph;
}

// A node that could not be set may hold anything: the graph goes.
static bool update(Device *d, Chain *x, const Collect *c) {
    for (int i = 0; i < c->n; i++) {
        bool changed;
        if (remember(x, i, &c->call[i], &changed) &&
            (!changed || d->ops->chain_set(d, x->graph, i, &c->call[i])))
            continue;
        d->ops->forget(d, x->graph);
        d->error[0] = 0;
        return x->graph = NULL, x->failed = true, false;
    }
    return true;
}

static bool chain_of(Collect *c) {
    Variant *v = c->l->call->v;
    Device *d = c->l->run->device;
    bool seen;
    if (!launch_walk(c->l, collect, c)) return d->error[0] = 0, false;
    Chain *x = c->n > 1 ? find(d, v, c, &seen) : NULL;
    if (!x || !seen || x->failed) return false;
    if (x->graph ? !update(d, x, c) : !make(d, x, c)) return false;
    c->l->launched += c->n;
    return true;
}

bool chain_run(Launch *l, bool *ok) {
    Device *d = l->run->device;
    Variant *v = l->call->v;
    if (!d->ops->chain || d->captured || v->no_chains || v->nkernels < 2 || l->run->set.no_chains)
        return false;
    if (!are_few(l)) return false;
    Arena *a = arena_new();
    Collect c = {.l = l, .a = a};
    bool ready = chain_of(&c);
    if (ready) *ok = d->ops->replay(d, v->chains->graph);
    if (ready && *ok) l->unit->stats.replayed++;
    arena_free(a);
    return ready;
}
