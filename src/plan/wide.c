// SPDX-License-Identifier: MIT
// wide.c -- the default nest with 16-byte loads, where arrays and their rows are aligned.
//
//   for d in 0..16 unroll  if (d < dim)            for e in 0..4 unroll  if (4 * e < dim)
//     y_h[d] = y[j][d]                       →       vector v { y_h[4*e + v] = y[j][4*e + v] }
//
// A thread that keeps whole rows in registers reads them a row apart from its neighbours: each word
// alone is as many sectors as four at once. The conditions (dim a multiple of four, y aligned) become
// the nest's, so it stands before the plain one in the chain.
#include "plan/auto.h"
#include "rule/catalogue.h"

static const double SAVED = 0.97; // of the time, where costs are compared
enum { MOST = 16 };
// Copies of the program's arrays to registers and shared memory.
static bool fills(const Node *n) {
    return n->kind == N_COPY && n->src->kind == E_LOAD && n->src->array->place == PLACE_USER &&
           n->dst->place != PLACE_USER && n->dst->place != PLACE_TEMP && n->dst->rank;
}

static Nest *vectorized(Compile *c, const Nest *n, const char *buffer) {
    const char *why, **word = NEW_N(c->arena, const char *, 1);
    word[0] = buffer;
    Step s = {.rule = "vectorize", .nwords = 1, .words = word};
    return rule_try(c, n, &s, &why);
}

static Node *renamed(Node *n, void *a) {
    if (n->kind != N_KERNEL) return node_map(a, n, renamed, a);
    Node *m = node_clone(a, n);
    m->name = arena_printf(a, "%s_w", n->name);
    return m;
}

Nest *plan_wide(Compile *c, const Nest *plain) {
    const Array *to[MOST];
    int nto = 0;
    bool rows = false;
    node_each(k, plain->root) {
        bool known = !fills(k) || nto == MOST;
        for (int i = 0; !known && i < nto; i++) known = to[i] == k->dst;
        if (!known) to[nto++] = k->dst;
    }
    const Nest *n = plain;
    for (int i = 0; i < nto; i++) {
        const Nest *next = vectorized(c, n, to[i]->name);
        if (!next) continue;
        n = next;
        rows = rows || to[i]->place != PLACE_SHARED;
    }
    if (!rows) return NULL;
    Nest *out = NEW_AS(c->arena, Nest, *n);
    out->root = renamed(n->root, c->arena);
    out->proof = plain->proof; // vectors change no value and no order
    out->reason = plain->reason;
    out->recipe = "";
    if (plain->cost) out->cost = expr_mul(c->arena, plain->cost, expr_float(c->arena, T_F64, SAVED));
    return plan_is_sound(c, out, LEFT_OUT) ? out : NULL;
}
