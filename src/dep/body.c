// SPDX-License-Identifier: MIT
// body.c -- finds the parts of a tree that stand in it as they stand in the region.
#include "dep/body.h"
#include "dep/twin.h"

// A node of the region's tree.
typedef struct Spot {
    const Node *node;
    int up;     // the one around it; -1: none
    int depth;  // loops around it
    bool apart; // parts of it have been found by themselves
} Spot;

typedef struct Finder {
    Arena *a;
    VEC(Spot) spots;
    VEC(const Sym *) around; // counters of the tree's loops on the way
    Twin twin;
    Bodies *out;
    bool again; // something has been parted that was found as a whole
} Finder;

static void note_spots(Finder *f, const Node *n, int up, int depth) {
    int me = f->spots.n;
    Spot s = {n, up, depth, false};
    vec_push(f->a, &f->spots, s);
    for (int k = 0; node_kid(n, k); k++) note_spots(f, node_kid(n, k), me, depth + (n->kind == N_FOR));
}

static int spot_of(const Finder *f, const Stmt *s) {
    for (int i = 0; i < f->spots.n; i++)
        if (f->spots.at[i].node->kind == N_STMT && f->spots.at[i].node->stmt == s) return i;
    return -1;
}

// ---- the largest ----------------------------------------------------------------------------------

static bool is_around(const Finder *f, const Sym *s) { return has_pointer(f->around.n, f->around.at, s); }

// The counters of the loops around the spot as s, of the tree, says; false: it does not.
static bool set_counters(Finder *f, int spot, const Node *s) {
    int depth = f->spots.at[spot].depth;
    const Node *here = f->spots.at[spot_of(f, s->stmt)].node;
    f->twin.from.n = f->twin.to.n = 0;
    for (int d = 0; d < depth; d++) {
        if (d >= s->stmt->depth || here->at[d]->kind != E_SYM || expr_has_load(s->at[d])) return false;
        expr_each(x, s->at[d])
            if (x->kind == E_SYM && x->sym->kind == SYM_ITER && !is_around(f, x->sym)) return false;
        vec_push(f->a, &f->twin.from, here->at[d]->sym);
        vec_push(f->a, &f->twin.to, s->at[d]);
    }
    return true;
}

static void part(Finder *f, int spot) {
    for (int i = f->spots.at[spot].up; i >= 0; i = f->spots.at[i].up) {
        if (f->spots.at[i].apart) continue;
        f->spots.at[i].apart = true;
        for (int k = 0; k < f->out->n; k++) f->again |= f->out->at[k].region == f->spots.at[i].node;
    }
}

// Is n the spot, and noted?
static bool take(Finder *f, int spot, const Node *n, const Node *s) {
    const Node *r = f->spots.at[spot].node;
    if (f->spots.at[spot].apart || r->kind == N_STMT || r != twin_bare(r)) return false;
    if (!set_counters(f, spot, s) || !twin_same(&f->twin, r, n)) return false;
    int depth = f->spots.at[spot].depth;
    Body b = {r, n, s, depth, NEW_N(f->a, Expr *, depth + 1)};
    for (int d = 0; d < depth; d++) b.at[d] = f->twin.to.at[d];
    vec_push(f->a, f->out, b);
    part(f, spot);
    return true;
}

static void find(Finder *f, const Node *n) {
    const Node *s = twin_first(n);
    int spot = s ? spot_of(f, s->stmt) : -1;
    if (spot < 0) return;
    int up[64], depth = 0;
    for (int i = spot; i >= 0 && depth < 64; i = f->spots.at[i].up) up[depth++] = i;
    while (depth > 0 && n == twin_bare(n))
        if (take(f, up[--depth], n, s)) return;
    if (n->kind == N_STMT) part(f, spot);
    if (n->kind == N_FOR) vec_push(f->a, &f->around, n->iter);
    for (int k = 0; node_kid(n, k); k++) find(f, node_kid(n, k));
    f->around.n -= n->kind == N_FOR;
}

void find_bodies(Arena *a, const Region *region, const Node *root, Bodies *out) {
    Finder f = {.a = a, .twin = {.a = a}, .out = out, .again = true};
    note_spots(&f, region->root, -1, 0);
    while (f.again) {
        f.again = false;
        out->n = 0;
        find(&f, root);
    }
}
