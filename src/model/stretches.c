// SPDX-License-Identifier: MIT
// stretches.c -- loops over stretches that an index array bounds: where these are taken to lie.
//
//   for k = row[i] .. row[i + 1]  … a[k] …       row[e] is taken for L * e
//
// So stretches are of one length, and follow each other. L is what the call says: elements of a[] in its
// footprint over stretches in that of row[]. Where it says nothing L is MODEL_TRIPS.
#include "model/code.h"

// ---- which arrays ------------------------------------------------------------------------------
typedef VEC(const Expr *) Loads;

static void add_loads(Program *p, const Expr *root, Loads *out) {
    expr_each(x, root) {
        bool plain = x->kind == E_LOAD && x->array->place == PLACE_USER && x->array->rank == 1;
        if (plain && type_is_int(x->array->elem)) vec_push(p->a, out, x);
    }
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

static bool loads_other(const Expr *root, const Array *row) {
    expr_each(x, root)
        if (x->kind == E_LOAD && x->array != row) return true;
    return false;
}

// An array of which a subscript goes along with the loop; NULL: there is none.
static const Array *walked_in(Program *p, const Node *loop, const Array *row) {
    node_each(n, loop->body) {
        AccessVec v = node_accesses(p->a, n);
        for (int i = 0; i < v.n; i++) {
            const Access *x = &v.at[i];
            if (x->array->place != PLACE_USER || x->array->rank != 1 || x->array == row) continue;
            if (!loads_other(x->sub[0], row) && expr_uses_sym(x->sub[0], loop->iter)) return x->array;
        }
    }
    return NULL;
}

static void see_loop(Program *p, const Node *n) {
    Loads loads = {0};
    if (n->kind != N_FOR) return;
    add_loads(p, n->lo, &loads);
    add_loads(p, n->hi, &loads);
    for (int x = 0; x < loads.n; x++)
        for (int y = 0; y < x; y++) {
            const Array *row = loads.at[x]->array;
            if (!are_ends(&p->env, loads.at[x], loads.at[y]) || env_find(&p->env, row)) continue;
            const Array *walked = walked_in(p, n, row);
            lanes_uniform(env_push(&p->env, row), MODEL_TRIPS);
            vec_push(p->a, &p->stretches, ((IndexArray){row, walked}));
            p->env.stretches = true;
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
    node_each(n, p->kernel) see_loop(p, n);
    stretches_measure(p, nvals, vals);
}
