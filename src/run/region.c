// SPDX-License-Identifier: MIT
// region.c -- a region's text, read once; its nest for the device, chosen once.
#include "run/state.h"
#include <string.h>

static void name_objects(Unit *u) {
    const Region *r = u->region;
    Arena *a = u->c->arena;
    u->objects = NEW_N(a, const char *, r->narrays + 1);
    for (int i = 0; i < r->narrays; i++) {
        int k = 0;
        while (k < u->nobjects && !str_eq(u->objects[k], r->arrays[i]->object)) k++;
        if (k == u->nobjects) u->objects[u->nobjects++] = r->arrays[i]->object;
    }
    u->nargs = u->nobjects + r->nparams;
}

static int find_object(const Unit *u, const char *name) {
    for (int i = 0; i < u->nobjects; i++)
        if (str_eq(u->objects[i], name)) return i;
    return -1;
}

// ---- kernels and temporaries of the nest ---------------------------------------------------
typedef struct Scan {
    Unit *u;
    int kernels, temps;
    bool fill;
} Scan;

static void visit(Node *n, void *arg) {
    Scan *s = arg;
    if (n->kind == N_SEQ)
        for (int i = 0; i < n->nlocals; i++)
            if (n->locals[i]->place == PLACE_TEMP) {
                if (s->fill) s->u->temps[s->temps] = (Temp){.array = n->locals[i]};
                s->temps++;
            }
    if (n->kind == N_KERNEL) {
        if (s->fill) s->u->kernels[s->kernels] = (Kernel){.node = n};
        s->kernels++;
    }
}

static bool describe_kernel(Unit *u, Kernel *k) {
    Arena *a = u->c->arena;
    k->sig = ir_kernel_sig(a, k->node);
    ir_kernel_grid(k->node, &k->grid);
    k->object = NEW_N(a, int, k->sig->narrays + 1);
    for (int i = 0; i < k->sig->narrays; i++) {
        const Array *x = k->sig->arrays[i];
        if (x->place == PLACE_USER) {
            k->object[i] = find_object(u, x->object);
            if (k->object[i] < 0) return false;
            continue;
        }
        int t = 0;
        while (t < u->ntemps && u->temps[t].array != x) t++;
        if (t == u->ntemps) return false;
        k->object[i] = -1 - t;
    }
    return true;
}

static bool describe_nest(Unit *u) {
    Arena *a = u->c->arena;
    Scan s = {.u = u};
    node_walk(u->nest->root, visit, &s);
    u->nkernels = s.kernels;
    u->ntemps = s.temps;
    u->kernels = NEW_N(a, Kernel, s.kernels + 1);
    u->temps = NEW_N(a, Temp, s.temps + 1);
    s = (Scan){.u = u, .fill = true};
    node_walk(u->nest->root, visit, &s);
    for (int i = 0; i < u->nkernels; i++)
        if (!describe_kernel(u, &u->kernels[i])) return false;
    u->foot_object = NEW_N(a, int, u->nest->nfeet + 1);
    for (int i = 0; i < u->nest->nfeet; i++) {
        u->foot_object[i] = find_object(u, u->nest->feet[i].array->object);
        if (u->foot_object[i] < 0) return false;
    }
    for (int i = 0; i < UNIT_CALLS; i++) {
        u->calls[i].args = NEW_N(a, sculpt_arg, u->nargs + 1);
        u->calls[i].vals = NEW_N(a, InterpVal, u->region->nparams + 1);
        u->calls[i].boxes = NEW_N(a, Box, u->nest->nfeet + 1);
    }
    return true;
}

// ---- does the device compute the very same bits? ---------------------------------------------
static void find_call(const Expr *x, void *arg) {
    if (x->kind == E_CALL && !str_eq(x->fn, "sqrt") && !str_eq(x->fn, "sqrtf")) *(bool *)arg = true;
}

static void find_reduction(Node *n, void *arg) {
    if (n->mark && n->mark->nred) *(bool *)arg = true;
}

static bool is_exact(const Region *r) {
    bool loose = r->reassociate || r->fast_math;
    node_walk(r->root, find_reduction, &loose);
    for (int i = 0; i < r->nstmts; i++) expr_walk(r->stmts[i]->rhs, find_call, &loose);
    return !loose;
}

static Unit *unit_new(Run *r, const sculpt_region *region) {
    Compile *c = compile_new();
    Unit *u = NEW(c->arena, Unit);
    u->c = c;
    u->file = arena_strdup(c->arena, region->file ? region->file : "?");
    u->text = arena_strdup(c->arena, region->text ? region->text : "");
    u->line = region->line;
    vec_push(r->arena, &r->units, u);
    if (region->abi > SCULPT_ABI) {
        report_warning(r, SC_NEST_VERSION, "%s:%d: the program was built by a later sculpt", u->file, u->line);
        return u;
    }
    u->ir = ir_parse(c, "nest", u->text);
    if (!u->ir) {
        const char *why = c->diags.n ? c->diags.at[0].text : "it cannot be read";
        report_warning(r, SC_NEST_SYNTAX, "%s:%d: the embedded nest: %s", u->file, u->line, why);
        return u;
    }
    u->region = u->ir->region;
    name_objects(u);
    u->exact = is_exact(u->region);
    return u;
}

Unit *unit_get(Run *r, sculpt_region *region) {
    if (!region->state) region->state = unit_new(r, region);
    return region->state;
}

bool unit_choose(Run *r, Unit *u) {
    if (u->chosen) return u->nest != NULL;
    u->chosen = true;
    for (int i = 0; i < u->ir->nnests; i++)
        if (str_eq(u->ir->nests[i]->target, r->info->target)) {
            u->nest = u->ir->nests[i];
            break;
        }
    if (u->nest && !describe_nest(u)) u->nest = NULL;
    return u->nest != NULL;
}
