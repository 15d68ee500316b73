// SPDX-License-Identifier: MIT
// forward.c -- temporaries between the operands and the one update that a loop is for.
//
//   for (k…) { float t = x[i][k] - y[j][k]; s += t*t; }
//     →   for (k…)  s += (x[i][k] - y[j][k]) * (x[i][k] - y[j][k]);
//
//   for (k…) { float t = alpha * a[i][k]; for (j…) c[i][j] += t * b[k][j]; }
//     →   for (k…) for (j…)  c[i][j] += (alpha * a[i][k]) * b[k][j];
//
// Computing a value again gives the same bits as long as it reads only what the region does not
// write, so all spellings of one sum become one. A compiler computes common parts once. It is done
// only where a single update is what remains in the innermost loop, or several whose temporaries did no
// more than to hold elements: elsewhere a temporary saves work that is not certain to be saved again. It
// comes after fma.c, which looks at the statements as they were written.
//
// A temporary that nothing but the next statement reads, and that once, is no more than a part of it,
// whatever it is made of.
#include "front/normal.h"

enum { MOST_NODES = 40, MOST_UPDATES = 4 }; // of the update's value; in one loop

typedef struct Forward {
    Normal *m;
    const Region *region;
    ArrayVec known;          // temporaries,
    VEC(Expr *) value;       // and what they are
} Forward;

static Expr *value_of(const Forward *f, const Array *v) {
    for (int i = 0; i < f->known.n; i++)
        if (f->known.at[i] == v) return f->value.at[i];
    return NULL;
}

static Expr *put_in(Rebuild *b, Expr *x) {
    Expr *value = x->kind == E_LOAD && x->array->rank == 0 ? value_of(b->self, x->array) : NULL;
    return value ? value : x;
}

static bool is_steady(const Forward *f, const Expr *root) {
    expr_each(x, root) {
        if (x->kind == E_CALL) return false; // may differ in its last bit between host and device
        if (x->kind != E_LOAD) continue;
        if (x->array->place != PLACE_USER) return false;
        for (int i = 0; i < f->region->nstmts; i++)
            if (arrays_may_overlap(x->array, f->region->stmts[i]->lhs)) return false;
    }
    return true;
}

static int writers(const Region *r, const Array *v) {
    int n = 0;
    for (int i = 0; i < r->nstmts; i++) n += r->stmts[i]->lhs == v;
    return n;
}

// Kid `at` of n is `v = e;`, once in the region, in the block that v lives in and before all that reads it.
static bool defines(const Forward *f, Node *n, int at) {
    const Node *def = n->kids[at];
    if (def->kind != N_STMT || def->stmt->op != OP_SET || def->atomic) return false;
    const Array *v = def->stmt->lhs;
    bool here = has_pointer(n->nlocals, n->locals, v);
    for (int i = 0; i < at; i++) here = here && !node_uses(n->kids[i], v);
    return here && !v->rank && type_is_float(v->elem) && writers(f->region, v) == 1;
}

static void find_values(Forward *f, Node *n) {
    for (int at = 0; n->kind == N_SEQ && at < n->nkids; at++) {
        if (!defines(f, n, at)) continue;
        const Stmt *def = n->kids[at]->stmt;
        Rebuild b = {.a = f->m->a, .expr = put_in, .self = f};
        Expr *value = expr_cast(f->m->a, def->lhs->elem, rebuild_expr(&b, def->rhs));
        if (expr_size(value) > MOST_NODES || !is_steady(f, value)) continue;
        vec_push(f->m->a, &f->known, def->lhs);
        vec_push(f->m->a, &f->value, value);
    }
}

static Node *drop_definition(Rebuild *b, Node *n) {
    const Forward *f = b->self;
    if (n->kind == N_STMT && value_of(f, n->stmt->lhs)) return NULL;
    if (n->kind != N_SEQ) return n;
    const Array **locals = NEW_N(b->a, const Array *, n->nlocals + 1);
    int kept = 0;
    for (int i = 0; i < n->nlocals; i++)
        if (!value_of(f, n->locals[i])) locals[kept++] = n->locals[i];
    n->locals = locals;
    n->nlocals = kept;
    return n;
}

// In the most loops there is one statement, an update, or there are some where `several` are permitted.
static bool are_updates(const Region *r, bool several) {
    int deepest = 0, as_deep = 0;
    for (int i = 0; i < r->nstmts; i++)
        if (r->stmts[i]->depth > deepest) deepest = r->stmts[i]->depth;
    for (int i = 0; i < r->nstmts; i++) {
        const Stmt *s = r->stmts[i];
        if (s->depth < deepest) continue;
        if (s->op == OP_SET || expr_size(s->rhs) > MOST_NODES) return false;
        as_deep++;
    }
    return as_deep == 1 || (several && as_deep <= MOST_UPDATES);
}

static bool are_elements(const Forward *f) {
    for (int i = 0; i < f->value.n; i++) {
        const Expr *x = f->value.at[i];
        while (x->kind == E_CAST) x = x->args[0];
        if (x->kind != E_LOAD) return false;
    }
    return true;
}

// ---- for the next statement alone -------------------------------------------------------------------
static int reads_of(const Expr *root, const Array *v) {
    int n = 0;
    expr_each(x, root) n += x->kind == E_LOAD && x->array == v;
    return n;
}

static bool is_for_next(const Forward *f, const Node *n, int at) {
    const Node *def = n->kids[at], *use = n->kids[at + 1];
    bool plain = def->kind == N_STMT && use->kind == N_STMT && !def->atomic && !use->atomic;
    if (!plain || def->stmt->op != OP_SET || writers(f->region, def->stmt->lhs) != 1) return false;
    const Array *v = def->stmt->lhs;
    bool here = false;
    if (expr_reads(def->stmt->rhs, v)) return false;
    for (int i = 0; i < n->nlocals; i++) here = here || n->locals[i] == v;
    for (int i = 0; i < n->nkids; i++) here = here && (i == at || i == at + 1 || !node_uses(n->kids[i], v));
    for (int k = 0; k < use->stmt->lhs->rank; k++) here = here && !reads_of(use->stmt->sub[k], v);
    return here && !v->rank && reads_of(use->stmt->rhs, v) == 1;
}

static void find_for_next(Forward *f, Node *n) {
    for (int at = 0; n->kind == N_SEQ && at + 1 < n->nkids; at++) {
        if (!is_for_next(f, n, at)) continue;
        const Stmt *def = n->kids[at]->stmt;
        Rebuild b = {.a = f->m->a, .expr = put_in, .self = f};
        vec_push(f->m->a, &f->known, def->lhs);
        vec_push(f->m->a, &f->value, expr_cast(f->m->a, def->lhs->elem, rebuild_expr(&b, def->rhs)));
    }
}

// What was an update may read its own element now.
static Region *with_next(Normal *m, Region *r) {
    Forward f = {.m = m, .region = r};
    node_each(n, r->root) find_for_next(&f, n);
    if (!f.known.n) return r;
    Rebuild b = {.a = m->a, .expr = put_in, .node = drop_definition, .self = &f};
    return pass_update(m, region_with(m, r, rebuild_node(&b, r->root)));
}

Region *pass_forward(Normal *m, Region *r) {
    r = with_next(m, r);
    Forward f = {.m = m, .region = r};
    node_each(n, r->root) find_values(&f, n);
    if (!f.known.n) return r;
    Rebuild b = {.a = m->a, .expr = put_in, .node = drop_definition, .self = &f};
    Region *sum = region_with(m, r, rebuild_node(&b, r->root));
    return are_updates(sum, are_elements(&f)) ? sum : r;
}
