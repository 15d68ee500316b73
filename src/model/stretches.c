// SPDX-License-Identifier: MIT
// stretches.c -- loops over stretches that an index array bounds: where these are taken to lie.
//
//   for k = row[i] .. row[i + 1]  … a[k] …       row[e] is taken for L * e
//
// So stretches are of one length, and follow each other. L is what the call says: elements of a[] in its
// footprint over stretches in that of row[]. Where it says nothing L is MODEL_TRIPS.
#include "model/code.h"

// ---- which arrays ------------------------------------------------------------------------------
typedef struct Bounds {
    Program *p;
    Node *loop;
    VEC(const Expr *) loads;
    const Array *row, *walked;   // what is looked for in the loop's body: a subscript that goes along with it
} Bounds;

static void see_load(const Expr *x, void *arg) {
    Bounds *b = arg;
    bool plain = x->kind == E_LOAD && x->array->place == PLACE_USER && x->array->rank == 1;
    if (plain && type_is_int(x->array->elem)) vec_push(b->p->a, &b->loads, x);
}

// Are these neighbours in one array?
static bool are_ends(const Env *e, const Expr *x, const Expr *y) {
    Form f = {.told = true};
    if (x->array != y->array) return false;
    form_add(e, &f, x->args[0], 1);
    form_add(e, &f, y->args[0], -1);
    for (int k = 0; k < f.n; k++)
        if (f.at[k].factor) return false;
    return f.told && (f.base == 1 || f.base == -1);
}

typedef struct Others {
    const Array *row;
    bool found;
} Others;

static void see_other(const Expr *x, void *arg) {
    Others *o = arg;
    o->found = o->found || (x->kind == E_LOAD && x->array != o->row);
}

static void see_walked(Node *n, void *arg) {
    Bounds *b = arg;
    AccessVec v = {0};
    if (b->walked || (n->kind != N_STMT && n->kind != N_COPY)) return;
    (n->kind == N_STMT ? node_accesses : node_copy_accesses)(b->p->a, n, &v);
    for (int i = 0; i < v.n && !b->walked; i++) {
        const Access *x = &v.at[i];
        Others o = {b->row, false};
        if (x->array->place != PLACE_USER || x->array->rank != 1 || x->array == b->row) continue;
        expr_walk(x->sub[0], see_other, &o);
        if (!o.found && expr_uses_sym(x->sub[0], b->loop->iter)) b->walked = x->array;
    }
}

static void see_loop(Node *n, void *arg) {
    Bounds *b = arg;
    if (n->kind != N_FOR) return;
    b->loads.n = 0;
    expr_walk(n->lo, see_load, b);
    expr_walk(n->hi, see_load, b);
    for (int x = 0; x < b->loads.n; x++)
        for (int y = 0; y < x; y++) {
            const Array *row = b->loads.at[x]->array;
            if (!are_ends(&b->p->env, b->loads.at[x], b->loads.at[y]) || env_find(&b->p->env, row)) continue;
            b->loop = n, b->row = row, b->walked = NULL;
            node_walk(n->body, see_walked, b);
            lanes_uniform(env_push(&b->p->env, row), MODEL_TRIPS);
            vec_push(b->p->a, &b->p->stretches, ((IndexArray){row, b->walked}));
            b->p->env.stretches = true;
        }
}

// ---- how long -----------------------------------------------------------------------------------
// Elements in the array's footprint; -1: unknown.
static int64_t spanned(const Nest *n, const Array *x, int nvals, const InterpVal *vals) {
    for (int k = 0; x && k < n->nfeet; k++) {
        int64_t lo, hi;
        const Foot *f = &n->feet[k];
        if (f->array != x) continue;
        bool known = ir_eval(f->lo[0], nvals, vals, &lo) && ir_eval(f->hi[0], nvals, vals, &hi);
        return known && hi >= lo ? hi - lo + 1 : -1;
    }
    return -1;
}

void stretches_measure(Program *p, int nvals, const InterpVal *vals) {
    for (int k = 0; k < p->stretches.n; k++) {
        const IndexArray *s = &p->stretches.at[k];
        int64_t all = spanned(p->nest, s->walked, nvals, vals), ends = spanned(p->nest, s->row, nvals, vals);
        bool told = all > 0 && ends > 1;
        int64_t mean = told ? (all + (ends - 1) / 2) / (ends - 1) : MODEL_TRIPS;
        lanes_uniform(env_find(&p->env, s->row), mean > 0 ? mean : 1);
    }
}

void stretches_find(Program *p, int nvals, const InterpVal *vals) {
    Bounds b = {.p = p};
    node_walk((Node *)p->kernel, see_loop, &b);
    stretches_measure(p, nvals, vals);
}
