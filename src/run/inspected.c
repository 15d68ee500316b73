// SPDX-License-Identifier: MIT
// inspected.c -- what the loops of an inspection found, as long as they would find it again.
//
//   call 1   sculpt_recall: nothing; the inserted loops run; sculpt_enter: noted, with seals on what they
//            read
//   call 2   the same arrays and sizes, no seal is broken: sculpt_recall fills in what was found
//
// What loops read that name nothing but sizes and tables of constants stays. Of the others nothing is kept
// without seals: on the host's own memory, and where the data come anew with each call.
#include "ir/table.h"
#include "run/state.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_FOUND = 4 };
// Of calls that all stayed on the host so many are looked at, and then one of so many.
enum { FEW_CALLS = 4, OFTEN = 32 };

typedef struct Found {
    sculpt_arg *args;      // [nargs] of the call; NULL: none yet
    int nseals;
    Seal **seals;          // [nfeet] of its nest, so far
    int room;
} Found;

struct Inspected {
    bool *reads, *finds;   // [nargs]: arguments that the loops name, and those that they are there for
    bool data;             // do they read what may change?
    Found at[MOST_FOUND];
    int next;
};

// ---- what the loops name -----------------------------------------------------------------------
static void see(const Unit *u, const Expr *root, bool *reads) {
    const Region *r = u->region;
    expr_each(x, root) {
        for (int i = 0; x->kind == E_LOAD && !array_is_table(x->array) && i < u->nobjects; i++)
            reads[i] |= str_eq(u->objects[i], x->array->object);
        for (int i = 0; x->kind == E_SYM && i < r->nparams; i++)
            reads[u->nobjects + i] |= r->params[i] == x->sym;
    }
}

static struct Inspected *inspected_of(Unit *u) {
    const Region *r = u->region;
    if (u->inspected || !r || !r->ninspects) return u->inspected;
    struct Inspected *k = NEW(u->c->arena, struct Inspected);
    k->reads = NEW_N(u->c->arena, bool, u->nargs + 1);
    k->finds = NEW_N(u->c->arena, bool, u->nargs + 1);
    for (int i = 0; i < r->ninspects; i++) {
        node_each(n, r->inspects[i]->tree) {
            Expr *const of[] = {n->lo, n->hi, n->cond, n->src};
            for (int e = 0; e < 4; e++) see(u, of[e], k->reads);
        }
        for (int p = 0; p < r->nparams; p++)
            k->finds[u->nobjects + p] |= r->params[p] == r->inspects[i]->lo ||
                                         r->params[p] == r->inspects[i]->hi ||
                                         r->params[p] == r->inspects[i]->differ;
    }
    for (int i = 0; i < u->nobjects; i++) k->data |= k->reads[i];
    return u->inspected = k;
}

// ---- what was found ----------------------------------------------------------------------------
static bool is_of(const Unit *u, const struct Inspected *k, const Found *f, const sculpt_arg *args) {
    if (!f->args) return false;
    for (int i = 0; i < u->nargs; i++)
        if (k->reads[i] && memcmp(&f->args[i], &args[i], sizeof *args)) return false;
    return true;
}

static bool is_whole(const Memory *m, const struct Inspected *k, const Found *f) {
    bool whole = f->nseals > 0 || !k->data;
    for (int i = 0; i < f->nseals; i++) whole = whole && seal_is_whole(m, f->seals[i]);
    return whole;
}

// Does one of them ask whether values differ, for nothing as yet? From time to time it is worth a look.
bool inspected_idle(Unit *u) {
    const Region *r = u->region;
    bool asks = false;
    for (int i = 0; r && i < r->ninspects; i++) asks |= r->inspects[i]->differ != NULL;
    return asks && u->stats.host_calls == u->stats.calls && u->stats.calls >= FEW_CALLS &&
           u->stats.calls % OFTEN;
}

bool inspected_recall(Run *r, Unit *u, sculpt_arg *args) {
    struct Inspected *k = inspected_of(u);
    Memory *m = r->dead || r->forked || r->set.check ? NULL : r->memory;
    if (!k || !m) return false;
    for (int f = 0; f < MOST_FOUND; f++) {
        if (!is_of(u, k, &k->at[f], args) || !is_whole(m, k, &k->at[f])) continue;
        for (int i = 0; i < u->nargs; i++)
            if (k->finds[i]) args[i] = k->at[f].args[i];
        return true;
    }
    // The loops run on the host, and are to see what kernels wrote.
    for (int i = 0; i < u->nobjects; i++)
        if (k->reads[i] && !memory_flush_array(m, (uintptr_t)args[i].p))
            report_lost(u, r->device->error, NULL);
    return false;
}

static void forget(Memory *m, Found *f) {
    for (int i = 0; i < f->nseals; i++) seal_drop(m, f->seals[i]);
    f->nseals = 0;
}

// Of the same arrays and sizes, else the oldest.
static Found *place_for(const Unit *u, struct Inspected *k, const sculpt_arg *args) {
    for (int f = 0; f < MOST_FOUND; f++)
        if (is_of(u, k, &k->at[f], args)) return &k->at[f];
    return &k->at[k->next++ % MOST_FOUND];
}

// What the region itself changes was looked at before it did.
static bool writes_them(const struct Inspected *k, const Call *c) {
    for (int i = 0; i < c->v->nest->nfeet; i++)
        if (c->v->nest->feet[i].out && k->reads[c->v->foot_object[i]]) return true;
    return false;
}

void inspected_note(Run *r, Unit *u, const Call *c) {
    struct Inspected *k = inspected_of(u);
    Memory *m = r->memory;
    if (!k || !m || writes_them(k, c)) return;
    Found *f = place_for(u, k, c->args);
    if (is_of(u, k, f, c->args) && is_whole(m, k, f)) return;
    forget(m, f);
    Arena *a = u->c->arena;
    int nfeet = c->v->nest->nfeet;
    if (nfeet > f->room) f->seals = NEW_N(a, Seal *, nfeet), f->room = nfeet;
    if (!f->args) f->args = NEW_N(a, sculpt_arg, u->nargs + 1);
    memcpy(f->args, c->args, sizeof *c->args * (size_t)u->nargs);
    for (int i = 0; i < nfeet; i++) {
        const Box *b = &c->boxes[i];
        if (!k->reads[c->v->foot_object[i]] || box_is_empty(b)) continue;
        Seal *s = seal_set(m, b->first, b->last);
        if (!s) return forget(m, f);
        f->seals[f->nseals++] = s;
    }
}
