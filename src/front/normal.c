// SPDX-License-Identifier: MIT
// normal.c -- from the region as written to the one that is analysed: the passes in order.
#include "front/normal.h"

static void add_name(Normal *m, const char *name) { vec_push(m->a, &m->names, name); }

static void add_node_names(Node *n, void *arg) {
    Normal *m = arg;
    if (n->kind == N_FOR) add_name(m, n->iter->name);
    for (int k = 0; n->kind == N_SEQ && k < n->nlocals; k++) add_name(m, n->locals[k]->name);
}

static void add_names(Normal *m, const Region *r) {
    for (int k = 0; k < r->nparams; k++) add_name(m, r->params[k]->name);
    for (int k = 0; k < r->narrays; k++) {
        add_name(m, r->arrays[k]->name);
        if (r->arrays[k]->object) add_name(m, r->arrays[k]->object);
    }
    node_walk(r->root, add_node_names, m);
}

typedef Region *Pass(Normal *, Region *);

static Region *run(Normal *m, Region *raw, int n, Pass *const *passes) {
    add_names(m, raw);
    Region *r = region_with(m, raw, raw->root);
    for (int k = 0; r && k < n; k++) r = passes[k](m, r);
    return r;
}

Region *normal_region(Compile *c, Region *raw, const Sections *told) {
    static Pass *const passes[] = {
        pass_subst, pass_shape, pass_delay, pass_private, pass_update, pass_fma, pass_forward, pass_inspect,
    };
    Normal m = {.c = c, .a = c->arena, .told = told};
    return run(&m, raw, (int)(sizeof passes / sizeof *passes), passes);
}

Region *normal_kernel(Compile *c, Region *raw) {
    static Pass *const passes[] = {pass_subst, pass_private, pass_update};
    Normal m = {.c = c, .a = c->arena, .once = true};
    return run(&m, raw, (int)(sizeof passes / sizeof *passes), passes);
}
