// SPDX-License-Identifier: MIT
// stretches.c -- loops over stretches that an index array bounds: where these are taken to lie.
//
//   for k = row[i] .. row[i + 1]  … a[k] …       row[e] is taken for L * e
//
// So stretches are of one length, and follow each other. L is what the call says: elements of a[] in its
// footprint, over those that an iteration goes along (a[4 * k + c]), and over stretches in that of row[].
// Where it says nothing L is MODEL_TRIPS.
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

// What elements of `row` are multiplied by in a sum; 0: that is no constant.
static int64_t factor_of(const Expr *x, const Array *row) {
    if (x->kind == E_LOAD) return x->array == row;
    if (x->kind == E_CAST) return factor_of(x->args[0], row);
    if (x->kind != E_OP || x->nargs != 2) return 0;
    int64_t l = factor_of(x->args[0], row), r = factor_of(x->args[1], row);
    if (x->op == OP_ADD) return l + r;
    if (x->op == OP_SUB) return l - r;
    if (x->op != OP_MUL || (x->args[0]->kind != E_INT && x->args[1]->kind != E_INT)) return 0;
    return x->args[0]->kind == E_INT ? x->args[0]->i * r : l * x->args[1]->i;
}

// Does a subscript go along with the loop? Of one that does so element by element the footprint tells best
// how long stretches are.
static void see_access(Program *p, const Node *loop, const Access *x, IndexArray *out) {
    for (int d = 0; d < x->array->rank; d++) {
        if (loads_other(x->sub[d], out->row) || !expr_uses_sym(x->sub[d], loop->iter)) continue;
        Expr *first = expr_subst(p->a, x->sub[d], 1, (const Sym *const *)&loop->iter, &loop->lo);
        int64_t by = factor_of(first, out->row);
        if (by < 0) by = -by;
        if (!by || (out->walked && by >= out->by)) continue;
        out->walked = x->array, out->dim = d, out->by = by;
    }
}

static IndexArray walked_in(Program *p, const Node *loop, const Array *row) {
    IndexArray out = {.row = row};
    node_each(n, loop->body) {
        if (n->kind != N_STMT && n->kind != N_COPY) continue;
        AccessVec v = node_touches(p->a, n);
        for (int i = 0; i < v.n; i++)
            if (v.at[i].array->place == PLACE_USER && v.at[i].array != row)
                see_access(p, loop, &v.at[i], &out);
    }
    return out;
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
            lanes_uniform(env_push(&p->env, row), MODEL_TRIPS);
            vec_push(p->a, &p->stretches, walked_in(p, n, row));
            p->env.stretches = true;
        }
}

// ---- how long -----------------------------------------------------------------------------------
// Elements of a dimension in the array's footprint; -1: unknown.
static int64_t spanned(const Nest *n, const Array *x, int dim, int nvals, const InterpVal *vals) {
    for (int k = 0; x && k < n->nfeet; k++) {
        int64_t lo, hi;
        const Foot *f = &n->feet[k];
        if (f->array != x) continue;
        bool known = ir_eval(f->lo[dim], nvals, vals, &lo) && ir_eval(f->hi[dim], nvals, vals, &hi);
        return known && hi >= lo ? hi - lo + 1 : -1;
    }
    return -1;
}

void stretches_measure(Program *p, int nvals, const InterpVal *vals) {
    for (int k = 0; k < p->stretches.n; k++) {
        const IndexArray *s = &p->stretches.at[k];
        int64_t all = spanned(p->nest, s->walked, s->dim, nvals, vals), ends;
        ends = spanned(p->nest, s->row, 0, nvals, vals);
        if (all > 0) all = (all + s->by - 1) / s->by;
        bool told = all > 0 && ends > 1;
        int64_t mean = told ? (all + (ends - 1) / 2) / (ends - 1) : MODEL_TRIPS;
        lanes_uniform(env_find(&p->env, s->row), mean > 0 ? mean : 1);
    }
}

void stretches_find(Program *p, int nvals, const InterpVal *vals) {
    node_each(n, p->kernel) see_loop(p, n);
    stretches_measure(p, nvals, vals);
}
