// SPDX-License-Identifier: MIT
// steps.c -- does a loop on the host look at what a region in it has written, before it goes round?
//
//   while (err > tol) {          the loop that looks
//   #pragma scop
//       … err = fmax(err, …)     the region
//   #pragma endscop
//   }
//
// Then the host waits for the device each time, and the device for the host. Read is what stands in the loop
// outside of all regions: a scalar by its name, an array by an element. What is handed to functions or
// pointed to may be read or not; nothing is said of it.
#include "front/steps.h"

typedef struct Look {
    const FrontUnit *u;
    const Region *region;
    const char *found;       // the first variable that is read
} Look;

static bool is_taken(const FrontUnit *u, const Ast *s) {
    for (int i = 0; i < u->nregions; i++)
        if (u->regions[i].region && s->end > s->begin && s->begin >= u->regions[i].begin &&
            s->end <= u->regions[i].end)
            return true;
    return false;
}

static void note(Look *l, const Decl *d) {
    if (l->found || !d->name) return;
    node_each(n, l->region->root)
        if (n->kind == N_STMT && n->stmt->lhs->place == PLACE_USER && str_eq(n->stmt->lhs->object, d->name))
            l->found = d->name;
}

static bool is_place(const Ast *e) { return e->kind == A_INDEX || e->kind == A_DEREF || e->kind == A_FIELD; }

static void reads(Look *l, const Ast *e);

// The subscripts of an element, and where the value counts the variable that it is of.
static void place(Look *l, const Ast *e, bool value) {
    while (is_place(e) || e->kind == A_CAST) {
        for (int k = 1; k < e->nkids; k++) reads(l, e->kids[k]);
        e = e->kids[0];
    }
    if (e->kind == A_REF && value) note(l, e->decl);
    else if (e->kind != A_REF) reads(l, e);
}

static void reads(Look *l, const Ast *e) {
    if (!e || is_taken(l->u, e)) return;
    bool plain = e->kind == A_ASSIGN && e->op == OP_SET;
    if (e->kind == A_REF && e->type && e->type->kind == CT_SCALAR) note(l, e->decl);
    if (e->kind == A_ADDR || e->kind == A_REF) return;
    if (is_place(e)) return place(l, e, true);
    for (int k = 0; k < e->ndecls; k++) reads(l, e->decls[k]->init);
    for (int k = 0; k < e->nkids; k++) {
        bool target = plain && k == 0 && e->kids[0];
        if (target) place(l, e->kids[0], false);
        else reads(l, e->kids[k]);
    }
}

static bool holds(const Ast *s, const FrontRegion *r) {
    if (!s) return false;
    if (s->end > s->begin && s->begin >= r->begin && s->end <= r->end) return true;
    for (int k = 0; k < s->nkids; k++)
        if (holds(s->kids[k], r)) return true;
    return false;
}

// From the innermost loop around the region outwards, the first that looks.
static void find(const FrontUnit *u, const Ast *s, FrontRegion *r) {
    if (!s || is_taken(u, s)) return;
    bool loop = s->kind == A_FOR || s->kind == A_WHILE || s->kind == A_DO;
    for (int k = 0; k < s->nkids; k++)
        if (holds(s->kids[k], r)) find(u, s->kids[k], r);
    if (!loop || r->looks_at) return;
    Look l = {u, r->region, NULL};
    for (int k = s->kind == A_FOR; k < s->nkids; k++) reads(&l, s->kids[k]); // a for's init is done once
    r->looks_at = l.found;
    r->looks = s->loc;
}

void steps_find(const AstUnit *a, FrontUnit *u) {
    for (int i = 0; i < u->nregions; i++)
        for (int f = 0; f < a->nfuncs && u->regions[i].region; f++)
            if (holds(a->funcs[f]->body, &u->regions[i])) find(u, a->funcs[f]->body, &u->regions[i]);
}
