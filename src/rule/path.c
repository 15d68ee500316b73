// SPDX-License-Identifier: MIT
// path.c -- names and places in a nest: loops, arrays and kernels by name, new names, copies.
#include "rule/catalogue.h"
#include <string.h>

// ---- everything that has a name -------------------------------------------------------------
Node *change_loop(Change *ch, const char *name) {
    Text loops = text_new(ch->a);
    Node *loop = loop_named(ch->nest->root, name);
    if (loop) return loop;
    node_each(n, ch->nest->root)
        if (n->kind == N_FOR) text_printf(&loops, "%s%s", loops.n ? ", " : "", n->iter->name);
    change_refuse(ch, "there is no loop %s; there are %s", name, loops.n ? text_str(&loops) : "none");
    return NULL;
}

// ---- what is in no kernel yet -----------------------------------------------------------------
static bool is_called(const Node *n, const char *name, bool stmts) {
    if (n->kind == N_FOR) return str_eq(n->iter->name, name);
    return stmts && n->kind == N_STMT && str_eq(n->stmt->label, name);
}

static Node *first_outside(Node *n, const char *name, bool stmts) {
    if (n->kind == N_KERNEL) return NULL;
    if (is_called(n, name, stmts)) return n;
    Node *found = NULL;
    for (int i = 0; !found && node_kid(n, i); i++) found = first_outside(node_kid(n, i), name, stmts);
    return found;
}

Node *loop_outside(Change *ch, const char *name) {
    Node *n = first_outside(ch->nest->root, name, false);
    if (!n) change_refuse(ch, "there is no loop %s outside of kernels", name);
    return n;
}

Node *node_outside(Change *ch, const char *name) {
    Node *n = first_outside(ch->nest->root, name, true);
    if (!n) change_refuse(ch, "there is no loop and no statement %s outside of kernels", name);
    return n;
}

Node *change_kernel(Change *ch, const char *name) {
    Node *kernel = kernel_named(ch->nest->root, name);
    if (!kernel) change_refuse(ch, "there is no kernel %s; a map step makes one", name);
    return kernel;
}

Node *change_place(Change *ch, const char *name) {
    Node *kernel = kernel_named(ch->nest->root, name);
    return kernel ? kernel : change_loop(ch, name);
}

const Array *change_array(Change *ch, const char *name) {
    const Region *r = ch->nest->region;
    node_each(n, ch->nest->root)
        for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
            if (str_eq(n->locals[i]->name, name)) return n->locals[i];
    for (int i = 0; i < r->narrays; i++)
        if (str_eq(r->arrays[i]->name, name)) return r->arrays[i];
    change_refuse(ch, "there is no array %s", name);
    return NULL;
}

// ---- new names --------------------------------------------------------------------------------
static bool is_taken(const Change *ch, const char *name) {
    if (tree_names(ch->nest->root, name) || region_names(ch->nest->region, name)) return true;
    for (int i = 0; i < ch->nest->nbeside; i++)
        if (tree_names(ch->nest->beside[i], name)) return true;
    for (int i = 0; i < ch->nest->nfacts; i++)
        if (str_eq(ch->nest->facts[i].sym->name, name)) return true;
    for (int i = 0; i < ch->given.n; i++)
        if (str_eq(ch->given.at[i], name)) return true;
    return false;
}

const char *change_name(Change *ch, const char *wish) {
    const char *name = wish;
    for (int k = 1; is_taken(ch, name); k++) name = arena_printf(ch->a, "%s_%d", wish, k);
    vec_push(ch->a, &ch->given, name);
    return name;
}

Node *root_with_temps(Arena *a, Node *root, const Node *from, Node *to, int ntemps,
                      const Array *const *temps) {
    int n = root == from ? 0 : root->nlocals;
    const Array **all = NEW_N(a, const Array *, n + ntemps + 1);
    for (int i = 0; i < n; i++) all[i] = root->locals[i];
    for (int i = 0; i < ntemps; i++) all[n + i] = temps[i];
    root = node_clone(a, root == from ? to : node_replace(a, root, from, to));
    root->nlocals = n + ntemps;
    root->locals = all;
    return root;
}

// ---- paths --------------------------------------------------------------------------------------
static bool descend(Node *n, const Node *place, Path *p) {
    if (!n || p->n == PATH_MAX_NODES) return false;
    p->node[p->n++] = n;
    if (n == place) return true;
    for (int i = 0; node_kid(n, i); i++)
        if (descend(node_kid(n, i), place, p)) return true;
    p->n--;
    return false;
}

bool path_to(Node *root, const Node *place, Path *out) {
    out->n = 0;
    return descend(root, place, out);
}

const Array *path_local(const Path *p, const Node *top) {
    for (int i = 0; i < p->n && p->node[i] != top; i++)
        for (int k = 0; p->node[i]->kind == N_SEQ && k < p->node[i]->nlocals; k++)
            if (p->node[i]->locals[k]->place == PLACE_LOCAL) return p->node[i]->locals[k];
    return NULL;
}

// ---- a second copy --------------------------------------------------------------------------------
typedef VEC(Node *) Loops;

// What is renamed: loops, and buffers below them.
typedef struct Origins {
    Change *ch;
    const Loops *old;
    const Sym **fresh;
    VEC(const Array *) from;
    VEC(Array *) to;
} Origins;

static Node *rename_loops(Node *n, void *arg) {
    const Origins *o = arg;
    Arena *a = o->ch->a;
    Node *m = node_map(a, n, rename_loops, arg);
    if (n->kind == N_KERNEL) m->name = change_name(o->ch, n->name);
    for (int k = 0; n->kind == N_FOR && k < o->old->n; k++)
        if (o->old->at[k] == n) {
            // node_subst works inside out here: the counter is replaced where it is seen.
            Expr *to = expr_sym(a, o->fresh[k]);
            m->body = node_subst(a, m->body, 1, &n->iter, &to);
            m->iter = o->fresh[k];
        }
    return m;
}

Node *change_copy(Change *ch, Node *n) {
    Loops old = {0};
    node_each(m, n) {
        bool known = m->kind != N_FOR; // both branches of a choice may hold the same loop
        for (int k = 0; k < old.n; k++) known = known || old.at[k] == m;
        if (!known) vec_push(ch->a, &old, m);
    }
    const Sym **fresh = NEW_N(ch->a, const Sym *, old.n + 1);
    for (int k = 0; k < old.n; k++) {
        const Sym *s = old.at[k]->iter;
        Sym *t = NEW_AS(ch->a, Sym, *s);
        t->name = change_name(ch, s->name);
        fresh[k] = t;
    }
    return rename_loops(n, &(Origins){.ch = ch, .old = &old, .fresh = fresh});
}

static void rename_buffer(Origins *o, const Array *x, const char *name) {
    Array *y = array_copy(o->ch->a, x, name, 0);
    for (int i = 0; y->of && i < o->from.n; i++) // a cache of a cache
        if (o->from.at[i] == y->of) y->of = o->to.at[i];
    vec_push(o->ch->a, &o->from, x);
    vec_push(o->ch->a, &o->to, y);
}

static bool is_renamed(const Origins *o, const Array *x) { return has_pointer(o->from.n, o->from.at, x); }

static Node *buffers_renamed(const Origins *o, Node *n) {
    Arena *a = o->ch->a;
    for (int k = 0; k < o->from.n; k++) {
        const Array *old = o->from.at[k], *now = o->to.at[k];
        n = node_declared_anew(a, node_redirect(a, n, old, now), old, now);
    }
    return n;
}

Node *change_twin(Change *ch, Node *kernel) {
    Node *n = change_copy(ch, kernel);
    Origins o = {.ch = ch};
    node_each(m, n)
        for (int i = 0; i < m->nlocals; i++) {
            const Array *x = m->locals[i];
            // What the region declares its statements name, whatever stands around them.
            if (x->place != PLACE_TEMP && !block_declaring(ch->nest->region->root, x) && !is_renamed(&o, x))
                rename_buffer(&o, x, change_name(ch, x->name));
        }
    return buffers_renamed(&o, n);
}

// ---- one name, one buffer -----------------------------------------------------------------------
Node *change_distinct(Change *ch, Node *root) {
    Origins o = {.ch = ch};
    VEC(const Array *) seen = {0};
    node_each(n, root)
        for (int i = 0; i < n->nlocals; i++) {
            const Array *x = n->locals[i];
            bool known = false, twin = false;
            for (int k = 0; k < seen.n; k++) {
                known = known || seen.at[k] == x;
                twin = twin || str_eq(seen.at[k]->name, x->name);
            }
            if (known) continue;
            vec_push(ch->a, &seen, x);
            if (twin || (x->of && is_renamed(&o, x->of)))
                rename_buffer(&o, x, twin ? change_name(ch, x->name) : NULL);
        }
    return buffers_renamed(&o, root);
}
