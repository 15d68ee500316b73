// SPDX-License-Identifier: MIT
// start.c -- the nest that a recipe begins with, and what closes it (rule close, and the boxes of streamed
// kernels).
#include "plan/auto.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include "rule/loops.h"

// ---- names -----------------------------------------------------------------------------------
typedef struct Used {
    Arena *a;
    VEC(const char *) names;
    const struct Used *all; // all names of the region
} Used;

static bool is_used(const Used *u, const char *name) {
    for (int i = 0; i < u->names.n; i++)
        if (str_eq(u->names.at[i], name)) return true;
    return false;
}

// Two loops of one name would be one name for both: the second gets "_1".
static Node *name_apart(Node *n, void *arg) {
    Used *u = arg;
    Node *m = node_clone(u->a, n);
    if (n->kind == N_FOR) {
        const char *name = n->iter->name;
        for (int k = 1; is_used(u, name) || (k > 1 && is_used(u->all, name)); k++)
            name = arena_printf(u->a, "%s_%d", n->iter->name, k);
        vec_push(u->a, &u->names, name);
        if (name != n->iter->name) {
            Sym *s = NEW_AS(u->a, Sym, *n->iter);
            s->name = name;
            Expr *to = expr_sym(u->a, s);
            m->iter = s;
            m->body = node_subst(u->a, n->body, 1, &n->iter, &to);
        }
    }
    return node_map(u->a, m, name_apart, arg);
}

static bool feet_are_known(const DepInfo *d) {
    for (int i = 0; i < d->nfeet; i++)
        for (int k = 0; k < d->feet[i].array->rank; k++)
            if (!d->feet[i].lo[k] || !d->feet[i].hi[k]) return false;
    return true;
}

const char *plan_why_not(const DepInfo *d) {
    if (d->gave_up || !d->bounds) return "its dependences are too many to decide";
    if (d->never) return d->never;
    bool known = feet_are_known(d);
    return known ? NULL : "how much of an array is used cannot be told; declare it with its size";
}

// Nodes never change, so whoever begins with the same region has the same tree, and what was found out about
// its loops holds for all.
struct StartMemo {
    const Region *region;
    Node *root;
    struct StartMemo *next;
};

static Node *first_tree(Compile *c, const Region *r) {
    struct StartMemo *m = c->starts;
    while (m && m->region != r) m = m->next;
    if (m) return m->root;
    Used all = {.a = c->arena}, used = {.a = c->arena, .all = &all};
    node_each(n, r->root)
        if (n->kind == N_FOR) vec_push(c->arena, &all.names, n->iter->name);
    for (int i = 0; i < r->nparams; i++) vec_push(c->arena, &all.names, r->params[i]->name);
    for (int i = 0; i < r->narrays; i++) vec_push(c->arena, &all.names, r->arrays[i]->name);
    m = NEW(c->arena, struct StartMemo);
    *m = (struct StartMemo){r, name_apart(r->root, &used), c->starts};
    return (c->starts = m)->root;
}

Nest *plan_start(Compile *c, const Region *r, const DepInfo *d, const char *target) {
    const char *why = plan_why_not(d);
    if (why) {
        diag(c, DIAG_ERROR, SC_RECIPE, r->loc, "no recipe fits this region: %s", why);
        return NULL;
    }
    Nest *n = NEW_AS(c->arena, Nest, (Nest){.region = r,
                                            .target = target,
                                            .root = first_tree(c, r),
                                            .nfeet = d->nfeet,
                                            .feet = d->feet,
                                            .when = d->bounds,
                                            .proof = PROOF_PROVED,
                                            .recipe = "",
                                            .flops = d->flops,
                                            .bytes = d->bytes,
                                            .work = d->operations});
    return plan_promise(c, n, d->npromised, d->promised);
}

// ---- streams --------------------------------------------------------------------------------------
typedef struct Streams {
    Compile *c;
    Arena *a;
    const Nest *nest;  // closed
} Streams;

// The kernel's body without arms for whole tiles: the others touch no less.
static Node *general_body(const Streams *s, const Node *kernel) {
    Path p;
    if (!path_to(s->nest->root, kernel, &p)) return kernel->body;
    Node **around = NEW_N(s->a, Node *, p.n + 1);
    int n = 0;
    if (s->nest->when) around[n++] = node_if(s->a, s->nest->when, node_seq(s->a, 0, NULL), NULL);
    for (int i = 0; i + 1 < p.n; i++)
        if (p.node[i]->kind == N_FOR || p.node[i]->then == p.node[i + 1]) around[n++] = p.node[i];
    return dep_without_whole(s->c, n, around, kernel->body);
}

// Streamed kernels with their boxes; one whose boxes can't be told is streamed no more.
static Node *set_moves(Node *n, void *arg) {
    Streams *s = arg;
    if (n->kind == N_STMT || n->kind == N_COPY || (n->kind == N_KERNEL && !n->streamed)) return n;
    if (n->kind != N_KERNEL) return node_map(s->a, n, set_moves, arg);
    Node *m = node_clone(s->a, n);
    m->nmoves = 0;
    m->moves = dep_kernel_feet(s->c, s->nest, n, general_body(s, n), &m->nmoves);
    m->streamed = m->moves != NULL;
    return m;
}

static bool is_streamed(const Node *n) { return n->kind == N_KERNEL && n->streamed; }

// What is asked of the machine or of the call says nothing of boxes.
static Expr *of_sizes(Arena *a, const Nest *n) {
    Expr *term[TERMS_MAX], *when = NULL;
    int count = n->when ? cond_terms(n->when, term, TERMS_MAX) : 0;
    for (int i = 0; i < count; i++) {
        bool asks = false;
        for (int k = 0; k < n->nfacts; k++) asks |= expr_uses_sym(term[i], n->facts[k].sym);
        if (!asks) when = cond_and(a, when, term[i]);
    }
    return count < 0 ? n->when : when;
}

Node *recipe_streams(Compile *c, const Nest *n) {
    Nest sized = *n;
    sized.when = of_sizes(c->arena, n);
    return set_moves(n->root, &(Streams){c, c->arena, &sized});
}

Nest *recipe_finish(Compile *c, const Nest *n) {
    Nest *m = nest_finished(c->arena, n);
    if (node_any(m->root, is_streamed)) m->root = recipe_streams(c, m);
    return m;
}
