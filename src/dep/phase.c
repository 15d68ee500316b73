// SPDX-License-Identifier: MIT
// phase.c -- finds the phases of a kernel, the gaps between them, and their events.
#include "dep/phase.h"

typedef struct Finder {
    Arena *a;
    const Relations *r;
    int next;            // the event that the walk meets next
    Phases *k;           // the kernel at hand
} Finder;

bool spot_is_serial_loop(const Spot *p) {
    return p->node->kind == N_FOR && p->node->how != HOW_BLOCK && !p->is_phase;
}

static bool opens_phase(const Node *n) {
    if (n->kind == N_FOR) return n->how == HOW_THREAD || n->how == HOW_COOP;
    return n->kind == N_STMT || n->kind == N_COPY;
}

// ---- is there anything to do? ----------------------------------------------------------------

typedef struct Census {
    int phases, serial;  // phases; is one inside a serial loop?
    bool shared, parallel;
} Census;

static void count(const Node *n, bool repeated, Census *k) {
    if (!n) return;
    if (opens_phase(n)) {
        k->phases++;
        k->serial += repeated;
        k->parallel |= n->kind == N_FOR;
        return;
    }
    for (int i = 0; i < n->nlocals; i++) k->shared |= n->locals[i]->place == PLACE_SHARED;
    for (int i = 0; i < n->nkids; i++) count(n->kids[i], repeated, k);
    count(n->body, repeated || (n->kind == N_FOR && n->how != HOW_BLOCK), k);
    count(n->then, repeated, k);
    count(n->other, repeated, k);
}

bool kernel_has_phases(const Node *kernel) {
    Census k = {0};
    count(kernel->body, false, &k);
    return k.parallel && (k.phases > 1 || k.serial > 0 || k.shared);
}

// ---- events ------------------------------------------------------------------------------------

static bool take_event(Finder *f, const Node *n) {
    if (f->next >= f->r->events.n || f->r->events.at[f->next]->node != n) return false;
    f->next++;
    return true;
}

static void take_events(Finder *f, Node *n) {
    if (!n) return;
    take_event(f, n);
    for (int i = 0; i < n->nkids; i++) take_events(f, n->kids[i]);
    take_events(f, n->body);
    take_events(f, n->then);
    take_events(f, n->other);
}

// ---- phases ------------------------------------------------------------------------------------

// The loops directly inside each other at the top of a phase.
static const Node *take_digits(Phase *p, const Node *n) {
    while (n && n->kind == N_FOR && n->how == HOW_THREAD && p->ndigits < 8) {
        p->digit[p->ndigits++] = n;
        n = n->body;
        while (n && n->kind == N_SEQ && n->nkids == 1) n = n->kids[0];
    }
    return n;
}

static void find_misplaced(Node *n, void *arg) {
    const Node **found = arg;
    if (!*found && n->kind == N_FOR && (n->how == HOW_THREAD || n->how == HOW_COOP)) *found = n;
}

static void add_phase(Finder *f, Spot *at) {
    Node *n = at->node;
    Phase p = {.at = at, .first = f->next, .anyone = n->kind != N_FOR || n->how != HOW_THREAD};
    take_events(f, n);
    p.end = f->next;
    if (!p.anyone && !f->k->misplaced)
        node_walk((Node *)take_digits(&p, n), find_misplaced, &f->k->misplaced);
    vec_push(f->a, &f->k->phases, p);
}

static void add_control(Finder *f, Spot *at) {
    Phase p = {.at = at, .first = f->next, .anyone = true};
    if (!take_event(f, at->node)) return;
    p.end = f->next;
    vec_push(f->a, &f->k->phases, p);
}

// ---- places --------------------------------------------------------------------------------------

static void find_private_load(const Expr *x, void *arg) {
    bool own = x->kind == E_LOAD && (x->array->place == PLACE_LOCAL || x->array->place == PLACE_REGISTER);
    *(bool *)arg |= own;
}

static bool may_differ(const Expr *x) {
    bool differs = false;
    if (x) expr_walk(x, find_private_load, &differs);
    return differs;
}

static int serial_depth(const Spot *p) {
    int depth = 0;
    for (; p; p = p->up) depth += spot_is_serial_loop(p);
    return depth;
}

static void add_gap(Finder *f, Spot *at, int before) {
    Gap g = {.at = at, .before = before, .allowed = !at->diverges, .depth = serial_depth(at), .pending = -1};
    vec_push(f->a, &f->k->gaps, g);
}

static Spot *spot_new(Finder *f, Spot *up, int index, Node *n);

static void add_kid(Finder *f, Spot *p, Node *kid) {
    int i = p->nkids++;
    if (p->node->kind == N_SEQ && i) f->k->gaps.at[p->gap + i - 1].position = f->next;
    p->kids[i] = spot_new(f, p, i, kid);
}

static void add_gaps(Finder *f, Spot *p) {
    Node *n = p->node;
    p->gap = f->k->gaps.n;
    if (spot_is_serial_loop(p)) add_gap(f, p, 0);
    for (int i = 1; n->kind == N_SEQ && i < n->nkids; i++) add_gap(f, p, i);
}

static Spot *spot_new(Finder *f, Spot *up, int index, Node *n) {
    Spot *p = NEW(f->a, Spot);
    *p = (Spot){.node = n, .up = up, .index = index, .is_phase = opens_phase(n)};
    if (up) {
        p->loops = up->loops + (up->node->kind == N_FOR);
        p->diverges = up->diverges;
    }
    if (p->is_phase) {
        add_phase(f, p);
        return p;
    }
    if (n->kind == N_FOR || n->kind == N_IF) add_control(f, p);
    p->diverges |= may_differ(n->cond) || may_differ(n->lo) || may_differ(n->hi);
    add_gaps(f, p);
    p->kids = NEW_N(f->a, Spot *, n->nkids + 2);
    for (int i = 0; i < n->nkids; i++) add_kid(f, p, n->kids[i]);
    if (n->body) add_kid(f, p, n->body);
    if (n->then) add_kid(f, p, n->then);
    if (n->other) add_kid(f, p, n->other);
    if (spot_is_serial_loop(p)) f->k->gaps.at[p->gap].position = f->next;
    return p;
}

static void find_kernels(Finder *f, Node *n, int loops, PhasesVec *out) {
    if (!n) return;
    if (n->kind == N_KERNEL) {
        f->k = NEW(f->a, Phases);
        f->k->kernel = n;
        Spot outside = {.node = n, .loops = loops};
        Spot *root = spot_new(f, &outside, 0, n->body);
        root->up = NULL;
        f->k->root = root;
        vec_push(f->a, out, f->k);
        return;
    }
    take_event(f, n);
    for (int i = 0; i < n->nkids; i++) find_kernels(f, n->kids[i], loops, out);
    find_kernels(f, n->body, loops + (n->kind == N_FOR), out);
    find_kernels(f, n->then, loops, out);
    find_kernels(f, n->other, loops, out);
}

void phases_of(Arena *a, const Relations *r, Node *root, PhasesVec *out) {
    Finder f = {.a = a, .r = r};
    find_kernels(&f, root, 0, out);
}
