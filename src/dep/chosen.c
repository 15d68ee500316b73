// SPDX-License-Identifier: MIT
// chosen.c -- arrays of which the data choose elements, taken out of a region and a tree.
//
//   most = 0; for i  most = max(most, x[i])           most = 0; for i  most = max(most, r[i])
//   at = …                                      →     at = …
//   t = x[k]; x[k] = x[at]; x[at] = t                 t = r'[k]; w[k] = r''[k] + at; w'[k] = t + at
//
// Which write a read of x sees is then for order alone to say: it keeps every pair that may meet in order,
// whatever the data choose. And what goes through variables and buffers is for flow: all that an instance
// reads, subscripts too, must be what it reads in the region, where its reads of x give what they give there.
// The first instance of the tree for which something were different would have read it from one before.
#include "dep/chosen.h"

typedef struct Chosen {
    Arena *a;
    const Region *region;
    ChosenArrays arrays;
    VEC(const Stmt *) was, now;
    bool failed;             // something touches such an array in another way
    int n;                   // of the arrays that stand in their places
} Chosen;

static bool is_chosen(const Chosen *c, const Array *x) { return has_pointer(c->arrays.n, c->arrays.at, x); }

static bool reads_written(const Chosen *c, const Expr *x) {
    expr_each(y, x)
        if (y->kind == E_LOAD && region_writes(c->region, y->array)) return true;
    return false;
}

static void find_arrays(Chosen *c) {
    for (int i = 0; i < c->region->nstmts; i++) {
        AccessVec v = stmt_accesses(c->a, c->region->stmts[i]);
        for (int k = 0; k < v.n; k++) {
            const Array *x = v.at[k].array;
            bool chosen = false;
            for (int d = 0; d < x->rank; d++) chosen |= reads_written(c, v.at[k].sub[d]);
            if (chosen && !is_chosen(c, x)) vec_push(c->a, &c->arrays, x);
            c->failed |= chosen && x->place != PLACE_USER;
        }
    }
    for (int i = 0; i < c->region->narrays; i++)
        for (int k = 0; k < c->arrays.n; k++)
            c->failed |= c->region->arrays[i] != c->arrays.at[k] &&
                         arrays_may_overlap(c->region->arrays[i], c->arrays.at[k]);
}

// ---- statements ------------------------------------------------------------------------------------------
// An array like x, with an element for each instance of s.
static const Array *own_array(Chosen *c, const Array *x, const Stmt *s) {
    Array *own = NEW_AS(c->a, Array, *x);
    own->name = arena_printf(c->a, "%s_own_%d", x->name, c->n++);
    own->object = own->source = own->name;
    own->stride = type_size(x->elem);
    own->offset = own->packed = 0;
    own->rank = s->depth + 1;
    own->extent = NEW_N(c->a, Expr *, own->rank);
    for (int d = 1; d < own->rank; d++) own->extent[d] = expr_int(c->a, T_I64, INT32_MAX);
    own->constant_size = own->rows = own->apart = false;
    return own;
}

static Expr **own_sub(Chosen *c, const Stmt *s) {
    Expr **sub = NEW_N(c->a, Expr *, s->depth + 1);
    sub[0] = expr_int(c->a, T_I64, 0);
    for (int d = 0; d < s->depth; d++) sub[d + 1] = expr_cast(c->a, T_I64, expr_sym(c->a, s->iters[d]));
    return sub;
}

// With the subscripts that read something, in their order, so that the accesses keep their numbers.
static Expr *with_subs(Chosen *c, const Array *x, Expr *const *sub, Expr *value, bool before) {
    Expr *sum = NULL;
    for (int d = 0; d < x->rank; d++) {
        Expr *one = expr_has_load(sub[d]) ? expr_cast(c->a, value->type, sub[d]) : NULL;
        if (one) sum = sum ? expr_op(c->a, OP_ADD, sum, one, NULL) : one;
    }
    if (!sum) return value;
    return before ? expr_op(c->a, OP_ADD, sum, value, NULL) : expr_op(c->a, OP_ADD, value, sum, NULL);
}

typedef struct InStmt {
    Chosen *c;
    const Stmt *s;
} InStmt;

static Expr *without(Expr *x, void *arg) {
    InStmt *w = arg;
    bool chosen = x->kind == E_LOAD && is_chosen(w->c, x->array);
    Expr *y = expr_map(w->c->a, x, without, arg);
    if (!chosen) return y;
    Expr *value = expr_load(w->c->a, own_array(w->c, x->array, w->s), own_sub(w->c, w->s));
    return with_subs(w->c, x->array, y->args, value, false);
}

static const Stmt *changed(Chosen *c, const Stmt *s) {
    InStmt w = {c, s};
    Stmt *out = NEW_AS(c->a, Stmt, *s);
    out->rhs = without(s->rhs, &w);
    out->sub = exprs_map(c->a, s->lhs->rank, s->sub, without, &w);
    if (is_chosen(c, s->lhs)) {
        out->rhs = with_subs(c, s->lhs, out->sub, out->rhs, true);
        out->lhs = own_array(c, s->lhs, s);
        out->sub = own_sub(c, s);
        out->op = OP_SET;
        out->fused = out->atomic = false;
    }
    AccessVec was = stmt_accesses(c->a, s), now = stmt_accesses(c->a, out);
    c->failed |= was.n != now.n;
    for (int k = 0; k < was.n && !c->failed; k++)
        c->failed |= !is_chosen(c, was.at[k].array) && was.at[k].array != now.at[k].array;
    return out;
}

// ---- trees -----------------------------------------------------------------------------------------------
static Node *swap_node(Node *n, void *arg) {
    Chosen *c = arg;
    Node *m = node_map(c->a, n, swap_node, arg);
    AccessVec v = n->kind == N_STMT ? stmt_accesses(c->a, n->stmt) : node_touches(c->a, n);
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
        c->failed |= n->locals[i]->of && is_chosen(c, n->locals[i]->of);
    if (n->kind != N_STMT) {
        for (int k = 0; k < v.n; k++) c->failed |= is_chosen(c, v.at[k].array);
        return m;
    }
    for (int k = 0; k < v.n && n->nvia; k++) c->failed |= is_chosen(c, v.at[k].array) && n->via[k];
    for (int i = 0; i < c->was.n; i++)
        if (c->was.at[i] == n->stmt) m->stmt = c->now.at[i];
    return m;
}

static void put_arrays(Chosen *c, Region *r) {
    VEC(const Array *) all = {0};
    for (int i = 0; i < r->narrays; i++)
        if (!is_chosen(c, r->arrays[i])) vec_push(c->a, &all, r->arrays[i]);
    for (int i = 0; i < r->nstmts; i++) {
        AccessVec v = stmt_accesses(c->a, r->stmts[i]);
        for (int k = 0; k < v.n; k++)
            if (v.at[k].array->place == PLACE_USER && !has_pointer(all.n, all.at, v.at[k].array))
                vec_push(c->a, &all, v.at[k].array);
    }
    r->arrays = all.at;
    r->narrays = all.n;
}

bool dep_chosen(Arena *a, const Region **region, const Node **root, ChosenArrays *out) {
    Chosen c = {.a = a, .region = *region};
    find_arrays(&c);
    if (!c.arrays.n || c.failed) return false;
    Region *r = NEW_AS(a, Region, **region);
    for (int i = 0; i < r->nstmts; i++) {
        vec_push(a, &c.was, r->stmts[i]);
        vec_push(a, &c.now, changed(&c, r->stmts[i]));
    }
    Node *tree = swap_node((Node *)*root, &c);
    r->root = swap_node(r->root, &c);
    r->stmts = c.now.at;
    put_arrays(&c, r);
    if (c.failed) return false;
    *region = r, *root = tree, *out = c.arrays;
    return true;
}
