// SPDX-License-Identifier: MIT
// rebuild.c -- a region from another one: maps the tree, then collects what it uses.
#include "front/normal.h"
#include <string.h>

// ---- expressions ---------------------------------------------------------------------

static Expr *load_of(Arena *a, const Array *v, const Expr *like, Expr **args) {
    Expr *x = expr_load(a, v, args);
    x->loc = like->loc;
    x->moved = like->moved;
    return x;
}

static const Array *map_array(Rebuild *b, const Array *v) { return b->array ? b->array(b, v) : v; }

Expr *rebuild_expr(Rebuild *b, Expr *x) {
    if (!x) return NULL;
    Expr **args = NEW_N(b->a, Expr *, x->nargs + 1);
    bool changed = false;
    for (int k = 0; k < x->nargs; k++) {
        args[k] = rebuild_expr(b, x->args[k]);
        changed |= args[k] != x->args[k];
    }
    if (x->kind == E_LOAD) {
        const Array *v = map_array(b, x->array);
        if (changed || v != x->array) x = load_of(b->a, v, x, args);
    } else if (changed) {
        x = expr_remake(b->a, x, args);
    }
    return b->expr ? b->expr(b, x) : x;
}

const Array *local_copy(Normal *m, const Array *v) {
    Array *w = NEW_AS(m->a, Array, *v);
    w->name = name_new(m, v->name);
    w->place = PLACE_LOCAL;
    w->object = w->name;
    w->stride = type_size(w->elem);
    w->offset = 0;
    w->source = NULL;
    w->live_out = false;
    return w;
}

// ---- nodes -----------------------------------------------------------------------------

static Node *fresh(Arena *a, const Node *n) {
    Node *copy = node_clone(a, n);
    return copy;
}

// The statement with its expressions over the counters at which the node runs it.
static Stmt *stmt_at(Arena *a, Node *n) {
    const Stmt *old = n->stmt;
    Stmt *s = NEW_AS(a, Stmt, *old);
    s->sub = NEW_N(a, Expr *, old->lhs->rank);
    for (int k = 0; k < old->lhs->rank; k++)
        s->sub[k] = expr_subst(a, old->sub[k], old->depth, old->iters, n->at);
    s->rhs = expr_subst(a, old->rhs, old->depth, old->iters, n->at);
    s->depth = 0;
    s->iters = NULL;
    return s;
}

Node *stmt_leaf(Arena *a, const Stmt *s) {
    Node *n = NEW(a, Node);
    n->kind = N_STMT;
    n->loc = s->loc;
    n->stmt = s;
    n->atomic = s->atomic;
    return n;
}

static Node *map_stmt(Rebuild *b, Node *n) {
    Stmt *s = stmt_at(b->a, n);
    const Array *lhs = s->lhs;
    for (int k = 0; k < lhs->rank; k++) s->sub[k] = rebuild_expr(b, s->sub[k]);
    s->rhs = rebuild_expr(b, s->rhs);
    s->lhs = map_array(b, lhs);
    if (b->stmt) s = b->stmt(b, s);
    return s ? stmt_leaf(b->a, s) : NULL;
}

static bool is_plain_seq(const Node *n) { return n->kind == N_SEQ && n->nlocals == 0; }

Node *seq_join(Arena *a, Node *first, Node *second) {
    if (!first || !second) return first ? first : second;
    VEC(Node *) kids = {0};
    Node *both[] = {first, second};
    for (int k = 0; k < 2; k++) {
        if (!is_plain_seq(both[k])) vec_push(a, &kids, both[k]);
        else
            for (int j = 0; j < both[k]->nkids; j++) vec_push(a, &kids, both[k]->kids[j]);
    }
    Node *n = node_seq(a, kids.n, kids.at);
    n->loc = first->loc;
    return n;
}

static Node *map_seq(Rebuild *b, Node *n) {
    VEC(Node *) kids = {0};
    for (int k = 0; k < n->nkids; k++) {
        Node *kid = rebuild_node(b, n->kids[k]);
        if (!kid) continue;
        if (!is_plain_seq(kid)) vec_push(b->a, &kids, kid);
        else
            for (int j = 0; j < kid->nkids; j++) vec_push(b->a, &kids, kid->kids[j]);
    }
    if (!kids.n) return NULL;
    Node *copy = fresh(b->a, n);
    copy->nkids = kids.n;
    copy->kids = kids.at;
    copy->locals = NEW_N(b->a, const Array *, n->nlocals);
    for (int k = 0; k < n->nlocals; k++) copy->locals[k] = map_array(b, n->locals[k]);
    return copy;
}

static const Mark *map_mark(Rebuild *b, const Mark *old) {
    if (!old || !old->nred) return old;
    Mark *mark = NEW_AS(b->a, Mark, *old);
    mark->red = NEW_N(b->a, const Array *, old->nred);
    for (int k = 0; k < old->nred; k++) mark->red[k] = map_array(b, old->red[k]);
    return mark;
}

static Node *map_for(Rebuild *b, Node *n) {
    Node *copy = fresh(b->a, n);
    copy->lo = rebuild_expr(b, n->lo);
    copy->hi = rebuild_expr(b, n->hi);
    vec_push(b->a, &b->around, n->iter);
    copy->body = rebuild_node(b, n->body);
    b->around.n--;
    copy->mark = map_mark(b, n->mark);
    return copy->body ? copy : NULL;
}

static Node *map_if(Rebuild *b, Node *n) {
    Node *copy = fresh(b->a, n);
    copy->cond = rebuild_expr(b, n->cond);
    vec_push(b->a, &b->under, n->cond);
    copy->then = rebuild_node(b, n->then);
    b->under.n--;
    copy->other = n->other ? rebuild_node(b, n->other) : NULL;
    if (!copy->then && !copy->other) return NULL;
    if (!copy->then) {
        copy->cond = expr_op(b->a, OP_LNOT, copy->cond, NULL, NULL);
        copy->then = copy->other;
        copy->other = NULL;
    }
    return copy;
}

Node *rebuild_node(Rebuild *b, Node *n) {
    switch (n->kind) {
    case N_SEQ: n = map_seq(b, n); break;
    case N_FOR: n = map_for(b, n); break;
    case N_IF: n = map_if(b, n); break;
    case N_STMT: n = map_stmt(b, n); break;
    default: break;
    }
    return n && b->node ? b->node(b, n) : n;
}

// ---- once more -----------------------------------------------------------------------------
typedef struct Anew {
    VEC(const Sym *) from, to;
    ArrayVec local, own;
} Anew;

static const Array *own_array(Rebuild *b, const Array *v) {
    const Anew *c = b->self;
    for (int i = 0; i < c->local.n; i++)
        if (c->local.at[i] == v) return c->own.at[i];
    return v;
}

static Expr *own_counter(Rebuild *b, Expr *x) {
    const Anew *c = b->self;
    for (int i = 0; x->kind == E_SYM && i < c->from.n; i++)
        if (c->from.at[i] == x->sym) return expr_sym(b->a, c->to.at[i]);
    return x;
}

static Node *own_loop(Rebuild *b, Node *n) {
    const Anew *c = b->self;
    for (int i = 0; n->kind == N_FOR && i < c->from.n; i++)
        if (c->from.at[i] == n->iter) n->iter = c->to.at[i];
    return n;
}

Node *tree_anew(Normal *m, Node *tree, bool locals) {
    Anew c = {0};
    node_each(n, tree) {
        if (n->kind == N_FOR) {
            Sym *i = NEW_AS(m->a, Sym, *n->iter);
            i->name = name_new(m, i->name);
            vec_push(m->a, &c.from, n->iter);
            vec_push(m->a, &c.to, (const Sym *)i);
        }
        for (int k = 0; locals && n->kind == N_SEQ && k < n->nlocals; k++) {
            vec_push(m->a, &c.local, n->locals[k]);
            vec_push(m->a, &c.own, local_copy(m, n->locals[k]));
        }
    }
    Rebuild b = {.a = m->a, .array = own_array, .expr = own_counter, .node = own_loop, .self = &c};
    return rebuild_node(&b, tree);
}

// ---- what a region uses -------------------------------------------------------------------

typedef struct Uses {
    Normal *m;
    VEC(const Sym *) params;
    ArrayVec arrays, locals;
    VEC(const Stmt *) stmts;
    VEC(const Sym *) iters;
} Uses;

static void use_expr(Uses *u, const Expr *root);

static void use_array(Uses *u, const Array *v) {
    if (has_array(&u->arrays, v) || has_array(&u->locals, v)) return;
    if (v->place == PLACE_USER) vec_push(u->m->a, &u->arrays, v);
    else vec_push(u->m->a, &u->locals, v);
    for (int k = 0; k < v->rank; k++) use_expr(u, v->extent[k]);
}

static void use_sym(Uses *u, const Sym *s) {
    if (s->kind != SYM_PARAM) return;
    for (int k = 0; k < u->params.n; k++)
        if (u->params.at[k] == s) return;
    vec_push(u->m->a, &u->params, s);
}

static void use_expr(Uses *u, const Expr *root) {
    expr_each(x, root) {
        if (x->kind == E_SYM) use_sym(u, x->sym);
        if (x->kind == E_LOAD) use_array(u, x->array);
    }
}

// The statement as it stands under the loops of u->iters.
static Node *place_stmt(Uses *u, Node *n) {
    Arena *a = u->m->a;
    Stmt *s = stmt_at(a, n);
    s->label = arena_printf(a, "S%d", u->stmts.n);
    s->depth = u->iters.n;
    s->iters = NEW_N(a, const Sym *, u->iters.n);
    Node *copy = fresh(a, n);
    copy->at = NEW_N(a, Expr *, u->iters.n);
    for (int k = 0; k < u->iters.n; k++) {
        s->iters[k] = u->iters.at[k];
        copy->at[k] = expr_sym(a, u->iters.at[k]);
    }
    copy->stmt = s;
    vec_push(a, &u->stmts, s);
    use_array(u, s->lhs);
    for (int k = 0; k < s->lhs->rank; k++) use_expr(u, s->sub[k]);
    use_expr(u, s->rhs);
    return copy;
}

static Node *place(Uses *u, Node *n) {
    if (!n) return NULL;
    if (n->kind == N_STMT) return place_stmt(u, n);
    Node *copy = fresh(u->m->a, n);
    if (n->kind == N_SEQ) {
        copy->kids = NEW_N(u->m->a, Node *, n->nkids);
        for (int k = 0; k < n->nkids; k++) copy->kids[k] = place(u, n->kids[k]);
    } else if (n->kind == N_FOR) {
        use_expr(u, n->lo);
        use_expr(u, n->hi);
        vec_push(u->m->a, &u->iters, n->iter);
        copy->body = place(u, n->body);
        u->iters.n--;
    } else if (n->kind == N_IF) {
        use_expr(u, n->cond);
        copy->then = place(u, n->then);
        copy->other = place(u, n->other);
    }
    return copy;
}

// Declarations and marks of what nothing uses any more go.
static void drop_unused(Uses *u, Node *n) {
    if (!n) return;
    if (n->kind == N_SEQ) {
        const Array **kept = NEW_N(u->m->a, const Array *, n->nlocals);
        int nkept = 0;
        for (int k = 0; k < n->nlocals; k++)
            for (int j = 0; j < u->locals.n; j++)
                if (u->locals.at[j] == n->locals[k]) kept[nkept++] = n->locals[k];
        n->locals = kept;
        n->nlocals = nkept;
        for (int k = 0; k < n->nkids; k++) drop_unused(u, n->kids[k]);
    } else if (n->kind == N_FOR) {
        if (n->mark && n->mark->nred) {
            Mark *mark = NEW(u->m->a, Mark);
            *mark = *n->mark;
            mark->red = NEW_N(u->m->a, const Array *, mark->nred);
            mark->redop = NEW_N(u->m->a, Op, mark->nred);
            mark->nred = 0;
            for (int k = 0; k < n->mark->nred; k++) {
                if (!node_uses(n->body, n->mark->red[k])) continue;
                mark->red[mark->nred] = n->mark->red[k];
                mark->redop[mark->nred++] = n->mark->redop[k];
            }
            n->mark = mark;
        }
        drop_unused(u, n->body);
    } else if (n->kind == N_IF) {
        drop_unused(u, n->then);
        drop_unused(u, n->other);
    }
}

// Parameters that were there keep their order; new ones follow.
static void order_params(Uses *u, const Region *old, Region *r) {
    r->params = NEW_N(u->m->a, const Sym *, u->params.n);
    r->nparams = 0;
    bool *taken = NEW_N(u->m->a, bool, u->params.n);
    for (int k = 0; k < old->nparams; k++)
        for (int j = 0; j < u->params.n; j++)
            if (u->params.at[j] == old->params[k]) {
                r->params[r->nparams++] = old->params[k];
                taken[j] = true;
            }
    for (int j = 0; j < u->params.n; j++)
        if (!taken[j]) r->params[r->nparams++] = u->params.at[j];
}

Region *region_with(Normal *m, const Region *old, Node *root) {
    Region *r = NEW_AS(m->a, Region, *old);
    if (!root || root->kind != N_SEQ) root = node_seq(m->a, root ? 1 : 0, &root);
    Uses u = {.m = m};
    r->root = place(&u, root);
    drop_unused(&u, r->root);
    for (int k = 0; k < old->nassumes; k++) use_expr(&u, old->assumes[k]);
    for (int k = 0; k < old->narrays; k++)
        if (old->arrays[k]->watched) use_array(&u, old->arrays[k]);
    order_params(&u, old, r);
    r->narrays = u.arrays.n;
    r->arrays = u.arrays.at;
    r->nstmts = u.stmts.n;
    r->stmts = u.stmts.at;
    return r;
}

// ---- dead assignments ------------------------------------------------------------------------

typedef struct Dead {
    Node *root;
    bool found;
} Dead;

static Stmt *drop_if_dead(Rebuild *b, Stmt *s) {
    Dead *d = b->self;
    if (!is_temporary(s->lhs) || node_needs(d->root, s->lhs)) return s;
    d->found = true;
    return NULL;
}

Region *region_drop_dead(Normal *m, Region *r) {
    for (;;) {
        Dead d = {r->root, false};
        Rebuild b = {.a = m->a, .stmt = drop_if_dead, .self = &d};
        Node *root = rebuild_node(&b, r->root);
        if (!d.found) return r;
        r = region_with(m, r, root);
    }
}

// ---- names -----------------------------------------------------------------------------------

const char *name_new(Normal *m, const char *base) {
    for (int k = 0;; k++) {
        const char *name = k ? arena_printf(m->a, "%s_%d", base, k) : base;
        bool used = false;
        for (int j = 0; j < m->names.n && !used; j++) used = str_eq(m->names.at[j], name);
        if (used) continue;
        vec_push(m->a, &m->names, name);
        return name;
    }
}
