// SPDX-License-Identifier: MIT
// start.c -- the nest that a recipe begins with, and what closes it.
//
//   for j { for k { … } }          do { kernel k0 { for j { for k { … } } } }
//
// Nothing is lost by a recipe that stops early: what has no kernel yet runs in one thread.
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include "rule/loops.h"

// ---- names -----------------------------------------------------------------------------------
typedef struct Used {
    Arena *a;
    VEC(const char *) names;
} Used;

static bool is_used(const Used *u, const char *name) {
    for (int i = 0; i < u->names.n; i++)
        if (str_eq(u->names.at[i], name)) return true;
    return false;
}

static void note_loop(Node *n, void *arg) {
    Used *u = arg;
    if (n->kind == N_FOR) vec_push(u->a, &u->names, n->iter->name);
}

// Two loops of one name would be one name for both: the second gets "_1".
static Node *name_apart(Used *u, const Used *all, Node *n) {
    if (!n) return NULL;
    Node *m = node_clone(u->a, n);
    if (n->nkids) m->kids = NEW_N(u->a, Node *, n->nkids);
    if (n->kind == N_FOR) {
        const char *name = n->iter->name;
        for (int k = 1; is_used(u, name) || (k > 1 && is_used(all, name)); k++)
            name = arena_printf(u->a, "%s_%d", n->iter->name, k);
        vec_push(u->a, &u->names, name);
        if (name != n->iter->name) {
            Sym *s = NEW(u->a, Sym);
            *s = *n->iter;
            s->name = name;
            Expr *to = expr_sym(u->a, s);
            m->iter = s;
            m->body = node_subst(u->a, n->body, 1, &n->iter, &to);
        }
    }
    for (int i = 0; i < n->nkids; i++) m->kids[i] = name_apart(u, all, n->kids[i]);
    m->body = name_apart(u, all, m->body);
    m->then = name_apart(u, all, n->then);
    m->other = name_apart(u, all, n->other);
    return m;
}

static bool feet_are_known(const DepInfo *d) {
    for (int i = 0; i < d->nfeet; i++)
        for (int k = 0; k < d->feet[i].array->rank; k++)
            if (!d->feet[i].lo[k] || !d->feet[i].hi[k]) return false;
    return true;
}

Nest *plan_start(Compile *c, const Region *r, const DepInfo *d, const char *target) {
    const char *why = d->gave_up || !d->bounds       ? "its dependences are too many to decide"
                      : expr_is_int(d->bounds, 0)    ? "for all sizes its subscripts leave their rows or a counter would wrap around"
                      : !feet_are_known(d)           ? "how much of an array is used cannot be told; declare it with its size"
                                                     : NULL;
    if (why) {
        diag(c, DIAG_ERROR, SC_RECIPE, r->loc, "no recipe fits this region: %s", why);
        return NULL;
    }
    Used used = {.a = c->arena}, all = used;
    node_walk(r->root, note_loop, &all);
    for (int i = 0; i < r->nparams; i++) vec_push(c->arena, &all.names, r->params[i]->name);
    for (int i = 0; i < r->narrays; i++) vec_push(c->arena, &all.names, r->arrays[i]->name);
    Nest *n = NEW(c->arena, Nest);
    *n = (Nest){.region = r, .target = target, .root = name_apart(&used, &all, r->root), .nfeet = d->nfeet, .feet = d->feet,
                .when = d->bounds, .proof = PROOF_PROVED, .recipe = "", .flops = d->flops, .bytes = d->bytes};
    return n;
}

// ---- closing ------------------------------------------------------------------------------------
typedef struct Close {
    Arena *a;
    Node *root;
    int next;         // number of the next kernel's name
    Expr *when;
} Close;

typedef struct KernelName {
    const char *name;
    bool taken;
} KernelName;

static void find_name(Node *n, void *arg) {
    KernelName *k = arg;
    k->taken = k->taken || (n->kind == N_KERNEL && str_eq(n->name, k->name));
}

static bool is_empty(const Node *n) { return n->kind == N_SEQ && !n->nkids; }

static Node *new_kernel(Close *x, Node *body) {
    KernelName k;
    do {
        k = (KernelName){arena_printf(x->a, "k%d", x->next++)};
        node_walk(x->root, find_name, &k);
    } while (k.taken);
    return node_kernel(x->a, k.name, body);
}

// Arrays that a block of the host declares stay with the kernel when it holds none.
static Node *close_node(Close *x, Node *n) {
    if (!n || n->kind == N_KERNEL) return n;
    if (!node_kernels(n) && !(n == x->root && n->nlocals)) return is_empty(n) ? n : new_kernel(x, n);
    Node *m = node_clone(x->a, n);
    if (n->kind == N_SEQ) {
        m->kids = NEW_N(x->a, Node *, n->nkids + 1);
        for (int i = 0; i < n->nkids; i++) m->kids[i] = close_node(x, n->kids[i]);
    }
    m->body = close_node(x, n->body);
    m->then = close_node(x, n->then);
    m->other = n->other ? close_node(x, n->other) : NULL;
    return m;
}

Nest *recipe_close(Compile *c, const Nest *n) {
    Close x = {.a = c->arena, .root = n->root};
    Nest *m = NEW(c->arena, Nest);
    *m = *n;
    m->root = close_node(&x, n->root);
    if (m->root->kind == N_KERNEL) m->root = node_seq(c->arena, 1, &m->root);
    return m;
}

// ---- grids ---------------------------------------------------------------------------------------
enum { MAX_GRID_YZ = 65535 }; // blocks in y and z that every CUDA device takes

static bool holds_block(Node *n) {
    if (!n) return false;
    if (n->kind == N_FOR && n->how == HOW_BLOCK) return true;
    for (int i = 0; i < n->nkids; i++)
        if (holds_block(n->kids[i])) return true;
    return holds_block(n->body) || holds_block(n->then) || holds_block(n->other);
}

// Block loops but the innermost of a kernel.
static void limit_grid(Node *n, void *arg) {
    Close *x = arg;
    if (n->kind != N_FOR || n->how != HOW_BLOCK || !holds_block(n->body)) return;
    if (n->hi->kind == E_INT || expr_uses_iters(n->hi)) return;
    Expr *few = expr_op(x->a, OP_LE, n->hi, expr_int(x->a, n->hi->type, MAX_GRID_YZ), NULL);
    x->when = x->when ? expr_op(x->a, OP_LAND, x->when, few, NULL) : few;
}

typedef struct Streams {
    Compile *c;
    Arena *a;
    const Nest *nest;  // closed
} Streams;

// Streamed kernels with their boxes; one whose boxes can't be told is streamed no more.
static Node *set_moves(Streams *s, Node *n) {
    if (!n || n->kind == N_STMT || n->kind == N_COPY) return n;
    if (n->kind == N_KERNEL && !n->streamed) return n;
    Node *m = node_clone(s->a, n);
    if (n->kind == N_KERNEL) {
        m->nmoves = 0;
        m->moves = dep_kernel_feet(s->c, s->nest, n, &m->nmoves);
        m->streamed = m->moves != NULL;
        return m;
    }
    if (n->nkids) m->kids = NEW_N(s->a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) m->kids[i] = set_moves(s, n->kids[i]);
    m->body = set_moves(s, n->body);
    m->then = set_moves(s, n->then);
    m->other = set_moves(s, n->other);
    return m;
}

static void find_streamed(Node *n, void *arg) {
    if (n->kind == N_KERNEL && n->streamed) *(bool *)arg = true;
}

Node *recipe_streams(Compile *c, const Nest *n) { return set_moves(&(Streams){c, c->arena, n}, n->root); }

Nest *recipe_finish(Compile *c, const Nest *n) {
    Nest *m = recipe_close(c, n);
    m->root = guard_float(c->arena, m->root);
    Close x = {.a = c->arena, .root = m->root, .when = m->when};
    if (str_eq(m->target, "gpu")) node_walk(m->root, limit_grid, &x);
    m->when = x.when;
    bool streamed = false;
    node_walk(m->root, find_streamed, &streamed);
    if (streamed) m->root = recipe_streams(c, m);
    return m;
}
