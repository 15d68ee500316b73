// SPDX-License-Identifier: MIT
// mirror.c -- buffers that hold a part of an array while a block works on it, taken for that part.
//
//   block ib { shared su[66][66];                 block ib {
//       copy su[x][y] = u[64*ib + x][y]
//       for v { thread ii  su[ii + 1][…] = … }  →     for v { thread ii  u[64*ib + ii + 1][…] = … }
//       copy u[64*ib + x + 1][y] = su[x + 1][y] }  }
//
// The two trees do the same if
//   - each element of the buffer stands for one of the array, in both copies;
//   - what is read of the buffer has come in, what is written goes back, and what goes back has come in or is
//     written;
//   - nobody else touches these elements meanwhile: neither what stands beside the copies in the block, nor
//     blocks and threads that run at once.
// Then the simpler tree is for the judge of order, who needs not follow values through copies.
#include "dep/conflict.h"
#include "dep/flow.h"
#include <isl/aff.h>

enum { MOST_RANK = 8, MOST_MIRRORS = 16 };

typedef struct Mirror {
    Arena *a;
    const Array *near, *far;
    const Node *block;            // declares it
    const Node *in, *out;         // the copies; out: NULL, it is only read
    bool bad;
} Mirror;

// ---- uses --------------------------------------------------------------------------------------
static bool loads(const Expr *root, const Array *array) {
    expr_each(x, root)
        if (x->kind == E_LOAD && arrays_may_overlap(x->array, array)) return true;
    return false;
}

static bool subs_load(const Node *n, const Array *array) {
    bool any = false;
    for (int d = 0; d < n->dst->rank; d++) any |= loads(n->sub[d], array);
    for (int d = 0; n->src->kind == E_LOAD && d < n->src->array->rank; d++)
        any |= loads(n->src->args[d], array);
    return any;
}

static void see_copy(Mirror *m, const Node *n) {
    if (n->kind != N_COPY || !n->dst) return;
    bool to = n->dst == m->near, from = loads(n->src, m->near);
    if (!to && !from) return;
    m->bad |= n->op != OP_SET || n->src->kind != E_LOAD || subs_load(n, m->near) || (to && from);
    if (to) m->bad |= m->in != NULL, m->in = n;
    else m->bad |= m->out != NULL, m->out = n;
}

// Does anything but the copies touch the array, or is the buffer read in another way than by a statement?
static void see_uses(Mirror *m, const Node *n) {
    if (n == m->in || n == m->out) return;
    AccessVec v = node_accesses(m->a, n);
    for (int i = 0; i < v.n; i++) m->bad |= arrays_may_overlap(v.at[i].array, m->far);
    const Expr *own[] = {n->cond, n->lo, n->hi};
    for (int i = 0; i < 3; i++) m->bad |= loads(own[i], m->far) || loads(own[i], m->near);
    for (int d = 0; n->kind == N_STMT && d < n->stmt->depth; d++) m->bad |= loads(n->at[d], m->far);
}

// The child of the block that is the copy and its loops; -1: there is none.
static int child_of(const Mirror *m, const Node *copy) {
    for (int k = 0; k < m->block->nkids; k++) {
        int leaves = 0;
        bool found = false;
        node_each(n, m->block->kids[k]) {
            leaves += n->kind == N_STMT || n->kind == N_COPY;
            found |= n == copy;
        }
        if (found) return leaves == 1 ? k : -1;
    }
    return -1;
}

static bool touches(Arena *a, const Node *root, const Array *x) {
    node_each(n, root) {
        AccessVec v = node_accesses(a, n);
        for (int i = 0; i < v.n; i++)
            if (v.at[i].array == x) return true;
    }
    return false;
}

// In comes first, and out last.
static bool is_in_order(const Mirror *m) {
    int in = child_of(m, m->in), out = m->out ? child_of(m, m->out) : m->block->nkids;
    bool fits = in >= 0 && out > in;
    for (int k = 0; k < m->block->nkids && fits; k++)
        fits = !touches(m->a, m->block->kids[k], m->near) || (in <= k && k <= out);
    return fits;
}

// Each subscript of the buffer in the copy is a counter, or a number: so the copy says where in the array any
// element of it lies.
static bool says_where(const Mirror *m) {
    for (int d = 0; d < m->near->rank; d++) {
        const Expr *x = m->in->sub[d];
        if (x->kind != E_SYM && x->kind != E_INT) return false;
        for (int k = 0; k < d; k++)
            if (x->kind == E_SYM && expr_uses_sym(m->in->sub[k], x->sym)) return false;
    }
    return m->near->rank <= MOST_RANK;
}

// The array's subscripts for an element of the buffer.
static Expr **far_subs(const Mirror *m, Expr *const *sub) {
    const Sym *from[MOST_RANK];
    Expr *to[MOST_RANK];
    int n = 0;
    for (int d = 0; d < m->near->rank; d++) {
        const Expr *x = m->in->sub[d];
        if (x->kind == E_SYM) from[n] = x->sym, to[n++] = expr_cast(m->a, x->sym->type, sub[d]);
    }
    Expr **all = NEW_N(m->a, Expr *, m->far->rank + 1);
    for (int d = 0; d < m->far->rank; d++) all[d] = expr_subst(m->a, m->in->src->args[d], n, from, to);
    return all;
}

// ---- finding one ----------------------------------------------------------------------------------

// Inner blocks stand behind outer ones. False: there is none, or it is no mirror.
static bool find_mirror(Arena *a, Node *root, Mirror *out, bool *none) {
    bool any = false;
    node_each(n, root) // the last in text order has no other inside
        for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++) {
            Mirror m = {.a = a, .near = n->locals[i], .block = n};
            Place p = m.near->place;
            node_each(k, n) see_copy(&m, k);
            if (!m.in && !m.out) continue; // a statement's own local
            m.bad |= (p != PLACE_LOCAL && p != PLACE_SHARED) || !m.in || m.near->origin;
            any = true;
            *out = m;
        }
    *none = !any;
    if (!any || out->bad) return false;
    out->far = out->in->src->array;
    if (out->near->elem != out->far->elem || (out->out && out->out->dst != out->far)) return false;
    node_each(n, out->block) see_uses(out, n);
    return !out->bad && says_where(out) && is_in_order(out);
}

// ---- the simpler tree --------------------------------------------------------------------------------
static Node *rerouted(const Mirror *m, const Node *n) {
    AccessVec v = node_accesses(m->a, n);
    Node *r = NULL;
    for (int k = 0; k < v.n; k++) {
        if (v.at[k].array != m->near) continue;
        if (!r) r = node_rerouted(m->a, n, v.n);
        r->via[k] = m->far;
        r->via_sub[k] = far_subs(m, v.at[k].sub);
    }
    return r;
}

static Node *without(Node *n, void *arg) {
    const Mirror *m = arg;
    if (n->kind == N_STMT) {
        Node *r = rerouted(m, n);
        return r ? r : n;
    }
    if (n->kind == N_COPY) return n;
    Node *to = node_map(m->a, n, without, arg);
    if (n != m->block) return to;
    int kids = 0, locals = 0, in = child_of(m, m->in), out = m->out ? child_of(m, m->out) : -1;
    for (int k = 0; k < to->nkids; k++)
        if (k != in && k != out) to->kids[kids++] = to->kids[k];
    const Array **left = NEW_N(m->a, const Array *, to->nlocals + 1);
    for (int k = 0; k < to->nlocals; k++)
        if (to->locals[k] != m->near) left[locals++] = to->locals[k];
    to->nkids = kids, to->nlocals = locals, to->locals = left;
    return to;
}

// ---- what makes both alike ------------------------------------------------------------------------------
static FlowLeaf *leaf_of(const FlowTree *t, const Node *n) {
    for (int i = 0; i < t->leaves.n; i++)
        if (t->leaves.at[i]->node == n) return t->leaves.at[i];
    return NULL;
}

static isl_set *add(isl_set *all, isl_map *m) {
    isl_set *s = isl_map_range(isl_map_copy(m));
    return isl_set_coalesce(all ? isl_set_union(all, s) : s);
}

static bool is_part(isl_set *ctx, isl_set *part, isl_set *whole) {
    if (!part) return true;
    isl_set *s = isl_set_intersect_params(isl_set_copy(part), isl_set_copy(ctx));
    bool yes = whole ? isl_set_is_subset(s, whole) == isl_bool_true : isl_set_is_empty(s) == isl_bool_true;
    isl_set_free(s);
    return yes;
}

typedef struct Elements {
    isl_set *read, *written, *surely; // of the buffer
    bool told;
} Elements;

static Elements elements_of(const FlowTree *t, const Mirror *m) {
    Elements e = {.told = true};
    for (int i = 0; i < t->leaves.n; i++) {
        const FlowLeaf *l = t->leaves.at[i];
        for (int k = 0; l->stmt && k < l->naccesses; k++) {
            const FlowAccess *x = &l->access[k];
            if (x->array != m->near) continue;
            e.told &= x->exact;
            if (!x->write || x->read) e.read = add(e.read, x->map);
            if (x->write) e.written = add(e.written, x->map);
            if (x->write && l->ev->exact) e.surely = add(e.surely, x->map);
        }
    }
    return e;
}

static bool is_exact(const FlowLeaf *l) {
    bool exact = l && l->ev->exact && l->naccesses == 2;
    for (int k = 0; exact && k < 2; k++) exact = l->access[k].exact;
    return exact;
}

// { element of the buffer -> element of the array }, and the loops around the block in both.
static isl_map *pairs_of(const FlowLeaf *l, int near, int scope) {
    isl_map *to = isl_map_copy(l->access[1 - near].map);
    unsigned had = (unsigned)l->access[1 - near].scope;
    to = isl_map_insert_dims(to, isl_dim_out, had, (unsigned)scope - had);
    for (int i = (int)had; i < scope; i++) to = isl_map_equate(to, isl_dim_in, i, isl_dim_out, i);
    return isl_map_apply_range(isl_map_reverse(isl_map_copy(l->access[near].map)), to);
}

// Are the subscripts those of the access, wherever it is made?
static bool same_subs(FlowTree *t, const FlowLeaf *l, const FlowAccess *x, Expr *const *sub) {
    bool affine = false;
    int rank = x->array->rank;
    isl_map *m = relations_map(t->flow->poly, l->ev->scope, isl_set_copy(l->ev->domain), rank, sub, NULL,
                               &affine);
    isl_map *have = isl_map_project_out(isl_map_copy(x->map), isl_dim_out, 0, (unsigned)x->scope);
    m = isl_map_reset_tuple_id(m, isl_dim_out), m = isl_map_reset_tuple_id(m, isl_dim_in);
    bool same = affine && x->exact && isl_map_is_equal(m, have) == isl_bool_true;
    isl_map_free(m);
    isl_map_free(have);
    return same;
}

static bool is_one_to_one(FlowTree *t, const Mirror *m, const FlowLeaf *in, const FlowLeaf *out) {
    int scope = in->access[0].scope;
    if (in->access[1].scope > scope) return false;
    if (out && !same_subs(t, out, &out->access[0], far_subs(m, out->access[1].sub))) return false;
    isl_map *all = pairs_of(in, 0, scope);
    if (out) all = isl_map_union(all, pairs_of(out, 1, scope));
    bool yes = isl_map_is_single_valued(all) == isl_bool_true && isl_map_is_injective(all) == isl_bool_true;
    isl_map_free(all);
    return yes;
}

static bool is_alike(FlowTree *t, const Mirror *m) {
    const FlowLeaf *in = leaf_of(t, m->in), *out = m->out ? leaf_of(t, m->out) : NULL;
    if (!is_exact(in) || (m->out && !is_exact(out))) return false;
    Elements e = elements_of(t, m);
    isl_set *ctx = t->flow->region.r->ctx, *came = add(NULL, in->access[0].map);
    isl_set *went = out ? add(NULL, out->access[1].map) : NULL;
    isl_set *known = isl_set_copy(came);
    if (e.surely) known = isl_set_union(known, isl_set_copy(e.surely));
    bool yes = e.told && is_part(ctx, e.read, came) && is_part(ctx, e.written, went) &&
               is_part(ctx, went, known) && is_one_to_one(t, m, in, out);
    isl_set_free(e.read), isl_set_free(e.written), isl_set_free(e.surely);
    isl_set_free(came), isl_set_free(went), isl_set_free(known);
    return yes;
}

// ---- accesses that go where the statement itself says ------------------------------------------------
typedef struct Ways {
    Flow *f;
    VEC(const Sym *) around; // counters
} Ways;

static bool same_value(const Ways *w, Expr *x, Expr *y) {
    PolyScope scope = {w->around.n, w->around.at};
    isl_pw_aff *p = poly_aff(w->f->poly, scope, x, NULL), *q = poly_aff(w->f->poly, scope, y, NULL);
    bool same = p && q && isl_pw_aff_is_equal(p, q) == isl_bool_true;
    isl_pw_aff_free(p);
    isl_pw_aff_free(q);
    return same;
}

static void forget_in(const Ways *w, Node *n) {
    Arena *a = w->f->a;
    bool any = false;
    AccessVec own = stmt_accesses(a, n->stmt);
    for (int k = 0; k < n->nvia && k < own.n; k++) {
        bool same = n->via[k] == own.at[k].array && n->via_sub && n->via_sub[k];
        for (int d = 0; same && d < own.at[k].array->rank; d++)
            same = same_value(w, n->via_sub[k][d], node_stmt_expr(a, n, own.at[k].sub[d]));
        if (same) n->via[k] = NULL;
        any |= n->via[k] != NULL;
    }
    if (!any) n->nvia = 0, n->via = NULL, n->via_sub = NULL;
}

static void forget_ways(Ways *w, Node *n) {
    if (n->kind == N_STMT && n->nvia) forget_in(w, n);
    if (n->kind == N_FOR) vec_push(w->f->a, &w->around, n->iter);
    for (int k = 0; node_kid(n, k); k++) forget_ways(w, node_kid(n, k));
    w->around.n -= n->kind == N_FOR;
}

bool flow_mirrors(Compile *c, const Region *r, const Node *root, const Node **out) {
    Node *tree[MOST_MIRRORS + 1];
    Mirror m[MOST_MIRRORS];
    int n = 0;
    bool none = false;
    Flow *f = flow_begin(c, r, root);
    for (tree[0] = f->tree.root; n < MOST_MIRRORS && find_mirror(f->a, tree[n], &m[n], &none); n++)
        tree[n + 1] = without(tree[n], &m[n]);
    if (!n || !none) return false;
    flow_begin_leaves(f, true);
    if (!f->unknown) flow_check_bounds(f);
    if (!f->unknown) flow_check_races(f);
    bool alike = !f->unknown && !f->wrong && is_alike(&f->tree, &m[0]);
    for (int i = 1; i < n && alike; i++) {
        FlowTree t = {.flow = f, .root = tree[i], .loose = true};
        flow_leaves(&t, &f->region);
        alike = !f->unknown && is_alike(&t, &m[i]);
    }
    Ways w = {.f = f};
    if (alike) forget_ways(&w, tree[n]);
    *out = tree[n];
    return alike && !poly_gave_up(f->poly);
}
