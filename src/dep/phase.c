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
    if (opens_phase(n)) {
        k->phases++;
        k->serial += repeated;
        k->parallel |= n->kind == N_FOR;
        return;
    }
    for (int i = 0; i < n->nlocals; i++) k->shared |= n->locals[i]->place == PLACE_SHARED;
    repeated |= n->kind == N_FOR && n->how != HOW_BLOCK;
    for (int i = 0; node_kid(n, i); i++) count(node_kid(n, i), repeated, k);
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

static void take_events(Finder *f, Node *root) {
    node_each(n, root) take_event(f, n);
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

static void add_phase(Finder *f, Spot *at) {
    Node *n = at->node;
    Phase p = {.at = at, .first = f->next, .anyone = n->kind != N_FOR || n->how != HOW_THREAD};
    take_events(f, n);
    p.end = f->next;
    if (!p.anyone && !f->k->misplaced)
        node_each(m, take_digits(&p, n))
            if (!f->k->misplaced && m->kind == N_FOR && (m->how == HOW_THREAD || m->how == HOW_COOP))
                f->k->misplaced = m;
    vec_push(f->a, &f->k->phases, p);
}

static void add_control(Finder *f, Spot *at) {
    Phase p = {.at = at, .first = f->next, .anyone = true};
    if (!take_event(f, at->node)) return;
    p.end = f->next;
    vec_push(f->a, &f->k->phases, p);
}

// ---- places --------------------------------------------------------------------------------------

static bool is_private_load(const Expr *x) {
    return x->kind == E_LOAD && (x->array->place == PLACE_LOCAL || x->array->place == PLACE_REGISTER);
}

static bool may_differ(const Expr *x) { return expr_any(x, is_private_load); }

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
    Spot *p = NEW_AS(f->a, Spot, (Spot){.node = n, .up = up, .index = index, .is_phase = opens_phase(n)});
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
    for (int i = 0; node_kid(n, i); i++) add_kid(f, p, node_kid(n, i));
    if (spot_is_serial_loop(p)) f->k->gaps.at[p->gap].position = f->next;
    return p;
}

static void find_kernels(Finder *f, Node *n, int loops, PhasesVec *out) {
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
    for (int i = 0; node_kid(n, i); i++) find_kernels(f, node_kid(n, i), loops + (n->kind == N_FOR), out);
}

void phases_of(Arena *a, const Relations *r, Node *root, PhasesVec *out) {
    Finder f = {.a = a, .r = r};
    find_kernels(&f, root, 0, out);
}
